// Automata of random formulas against the truth of the formulas on random lassos: as translated,
// and after they were written and read as HOA and as a never claim.
//
//   random_formulas [--seed S] [--count N] [--size K]
//
// A formula that fails is made smaller before it is shown: subformulas in its place, then constants
// in the place of subformulas.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "lasso.h"
#include "ltl/formats/read.h"
#include "ltl/formats/write.h"
#include "ltl/translate.h"
#include "test_arena.h"
#include "tree.h"

namespace xmc::ltl {

namespace {

constexpr u32 kLassos = 24;

struct Totals {
  u64 states = 0;
  u64 weak = 0;
  u64 terminal = 0;
  u64 too_large = 0;
} totals;

Status append(void* self, std::string_view piece) {
  static_cast<std::string*>(self)->append(piece);
  return {};
}

using Write = Status (*)(const Automaton&, std::string_view, Sink);
using Read = Status (*)(std::string_view, Arena&, Automaton&, TextRange&);

// The automaton after it was written and read.
Status through_text(const Automaton& automaton, Write write, Read read, Arena& arena,
                    Automaton& out) {
  std::string text;
  XMC_TRY(write(automaton, "a \"name\" */", {&text, &append}));
  TextRange where;
  return read(text, arena, out, where);
}

struct Case {
  const Tree& tree;
  bool negated;
  u64 lasso_seed;

  std::optional<std::string> check(const Automaton& automaton, const char* which) const {
    std::mt19937_64 random(lasso_seed);
    for (u32 i = 0; i < kLassos; ++i) {
      const Lasso lasso = random_lasso(random, 4, 1 + i / 2);
      const bool expected = evaluate(tree, lasso)[0] != negated;
      if (accepts(automaton, lasso, names()) == expected) continue;
      return std::string(negated ? "the negation's" : "the formula's") + " automaton" + which +
             (expected ? " rejects " : " accepts ") + text_of(lasso, 4);
    }
    return {};
  }
};

// What is wrong with the automata of this formula, if anything is.
std::optional<std::string> trouble(const Tree& tree, u64 lasso_seed) {
  for (const bool negated : {false, true}) {
    const Case test{tree, negated, lasso_seed};
    TestArena memory;
    Automaton automaton;
    TextRange where;
    Status status = translate_text(text_of(tree), negated, memory.arena, automaton, where);
    if (!status.ok()) {
      ++totals.too_large;
      if (size_of(tree) < 20) return std::string(status.message());
      continue;
    }
    totals.states += automaton.state_count();
    totals.weak += automaton.weak ? 1 : 0;
    totals.terminal += automaton.terminal ? 1 : 0;
    if (auto found = test.check(automaton, "")) return found;
    Automaton again;
    status = through_text(automaton, &write_hoa, &read_hoa, memory.arena, again);
    if (!status.ok()) return "as HOA: " + std::string(status.message());
    if (auto found = test.check(again, " as HOA")) return found;
    status = through_text(automaton, &write_never, &read_never, memory.arena, again);
    if (!status.ok()) return "as a never claim: " + std::string(status.message());
    if (auto found = test.check(again, " as a never claim")) return found;
    if (again.state_count() > automaton.state_count()) return "it grows on its way through text";
  }
  return {};
}

// Smaller trees, in the order in which they are tried.
std::vector<Tree> smaller(const Tree& tree) {
  std::vector<Tree> out(tree.kids.begin(), tree.kids.end());
  if (!tree.kids.empty()) out.push_back({"1", {}}), out.push_back({"0", {}});
  for (std::size_t i = 0; i < tree.kids.size(); ++i) {
    for (const Tree& kid : smaller(tree.kids[i])) {
      Tree copy = tree;
      copy.kids[i] = kid;
      out.push_back(copy);
    }
  }
  return out;
}

Tree shrink(Tree tree, u64 lasso_seed) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Tree& candidate : smaller(tree)) {
      if (!trouble(candidate, lasso_seed)) continue;
      tree = candidate;
      changed = true;
      break;
    }
  }
  return tree;
}

int run(u64 seed, u64 count, u32 size_max) {
  std::printf("seed %llu, %llu formulas of at most %u nodes\n",
              static_cast<unsigned long long>(seed), static_cast<unsigned long long>(count),
              size_max);
  for (u64 i = 0; i < count; ++i) {
    std::mt19937_64 random(seed * 1'000'003 + i);
    const u32 propositions = 1 + static_cast<u32>(random() % 4);
    const Tree tree = random_tree(random, propositions, 2 + static_cast<u32>(random() % size_max));
    const u64 lasso_seed = random();
    if (!trouble(tree, lasso_seed)) continue;
    const Tree small = shrink(tree, lasso_seed);
    std::printf("formula %llu fails:  %s\n  made smaller:  %s\n  %s\n",
                static_cast<unsigned long long>(i), text_of(tree).c_str(), text_of(small).c_str(),
                trouble(small, lasso_seed)->c_str());
    return 1;
  }
  std::printf("all agree: %llu states, %llu weak, %llu terminal, %llu too large\n",
              static_cast<unsigned long long>(totals.states),
              static_cast<unsigned long long>(totals.weak),
              static_cast<unsigned long long>(totals.terminal),
              static_cast<unsigned long long>(totals.too_large));
  return 0;
}

}  // namespace

}  // namespace xmc::ltl

int main(int argc, char** argv) {
  xmc::u64 seed = 1;
  xmc::u64 count = 5000;
  xmc::u32 size = 14;
  for (int i = 1; i + 1 < argc; i += 2) {
    const xmc::u64 value = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seed") == 0) seed = value;
    if (std::strcmp(argv[i], "--count") == 0) count = value;
    if (std::strcmp(argv[i], "--size") == 0) size = static_cast<xmc::u32>(value);
  }
  return xmc::ltl::run(seed, count, size);
}
