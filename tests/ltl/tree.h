// Formulas as tests see them: a tree of their own, its text, and its truth on a lasso by the
// definition of each operator. Nothing of the product is used.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "lasso.h"

namespace xmc::ltl {

struct Tree {
  std::string op;  // "p" and a number, "1", "0", or an operator as it is written
  std::vector<Tree> kids;
};

inline const std::vector<std::string>& names() {
  static const std::vector<std::string> all{"p0", "p1", "p2", "p3"};
  return all;
}

inline std::string text_of(const Tree& tree) {
  if (tree.kids.empty()) return tree.op;
  if (tree.kids.size() == 1) return tree.op + " (" + text_of(tree.kids[0]) + ")";
  return "(" + text_of(tree.kids[0]) + ") " + tree.op + " (" + text_of(tree.kids[1]) + ")";
}

inline std::size_t size_of(const Tree& tree) {
  std::size_t size = 1;
  for (const Tree& kid : tree.kids) size += size_of(kid);
  return size;
}

inline Tree random_tree(std::mt19937_64& random, u32 propositions, u32 size, bool next = true) {
  static const std::vector<std::string> unary{"!", "F", "G", "[]", "<>", "X"};
  static const std::vector<std::string> binary{"&&", "||", "U", "R",   "W",   "M",
                                               "->", "V",  "&", "<->", "xor", "U"};
  if (size <= 1) {
    if (random() % 16 == 0) return {random() % 2 ? "1" : "0", {}};
    return {"p" + std::to_string(random() % propositions), {}};
  }
  if (size == 2 || random() % 3 == 0) {
    const std::string& op = unary[random() % (unary.size() - (next ? 0 : 1))];
    return {op, {random_tree(random, propositions, size - 1, next)}};
  }
  const u32 left = 1 + static_cast<u32>(random() % (size - 2));
  const std::string& op = binary[random() % binary.size()];
  return {op,
          {random_tree(random, propositions, left, next),
           random_tree(random, propositions, size - 1 - left, next)}};
}

using Truth = std::vector<bool>;  // by position

// The least or greatest solution of x = b | (a & X x).
inline Truth solve_until(const Truth& a, const Truth& b, bool least, const Lasso& lasso) {
  Truth x(lasso.size(), !least);
  for (std::size_t round = 0; round <= lasso.size(); ++round) {
    for (std::size_t i = lasso.size(); i-- > 0;) x[i] = b[i] || (a[i] && x[lasso.next(i)]);
  }
  return x;
}

inline Truth evaluate(const Tree& tree, const Lasso& lasso);

inline Truth evaluate_binary(const std::string& op, const Truth& a, const Truth& b,
                             const Lasso& lasso) {
  const std::size_t size = lasso.size();
  Truth not_a(size), not_b(size), out(size);
  for (std::size_t i = 0; i < size; ++i) not_a[i] = !a[i], not_b[i] = !b[i];
  if (op == "U") return solve_until(a, b, true, lasso);
  if (op == "W") return solve_until(a, b, false, lasso);
  if (op == "R" || op == "V") {
    out = solve_until(not_a, not_b, true, lasso);
    out.flip();
    return out;
  }
  if (op == "M") {
    out = solve_until(not_a, not_b, false, lasso);
    out.flip();
    return out;
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (op == "&&" || op == "&") out[i] = a[i] && b[i];
    if (op == "||") out[i] = a[i] || b[i];
    if (op == "->") out[i] = not_a[i] || b[i];
    if (op == "<->") out[i] = a[i] == b[i];
    if (op == "xor") out[i] = a[i] != b[i];
  }
  return out;
}

inline Truth evaluate_unary(const std::string& op, const Truth& a, const Lasso& lasso) {
  const Truth all(lasso.size(), true);
  const Truth none(lasso.size(), false);
  if (op == "F" || op == "<>") return solve_until(all, a, true, lasso);
  if (op == "G" || op == "[]") return solve_until(a, none, false, lasso);
  Truth out(lasso.size());
  for (std::size_t i = 0; i < lasso.size(); ++i) out[i] = op == "!" ? !a[i] : a[lasso.next(i)];
  return out;
}

inline Truth evaluate(const Tree& tree, const Lasso& lasso) {
  if (tree.kids.size() == 2) {
    return evaluate_binary(tree.op, evaluate(tree.kids[0], lasso), evaluate(tree.kids[1], lasso),
                           lasso);
  }
  if (tree.kids.size() == 1) return evaluate_unary(tree.op, evaluate(tree.kids[0], lasso), lasso);
  Truth out(lasso.size(), tree.op == "1");
  if (tree.op[0] != 'p') return out;
  const int bit = tree.op[1] - '0';
  for (std::size_t i = 0; i < lasso.size(); ++i) out[i] = lasso.letters[i] >> bit & 1;
  return out;
}

}  // namespace xmc::ltl
