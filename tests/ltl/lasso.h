// Words that a test can decide by itself: a finite prefix and a loop. Whether an automaton accepts
// such a word is a question about cycles of a small product.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "ltl/automaton.h"

namespace xmc::ltl {

struct Lasso {
  std::vector<u32> letters;
  std::size_t loop = 0;  // the letter behind the last one

  std::size_t size() const { return letters.size(); }
  std::size_t next(std::size_t at) const { return at + 1 < size() ? at + 1 : loop; }
};

inline Lasso random_lasso(std::mt19937_64& random, u32 propositions, std::size_t length) {
  Lasso lasso;
  const std::size_t count = 1 + random() % length;
  for (std::size_t i = 0; i < count; ++i) {
    lasso.letters.push_back(static_cast<u32>(random() & ((u64{1} << propositions) - 1)));
  }
  lasso.loop = random() % count;
  return lasso;
}

inline std::string text_of(const Lasso& lasso, u32 propositions) {
  std::string text;
  for (std::size_t i = 0; i < lasso.size(); ++i) {
    if (i == lasso.loop) text += "(";
    for (u32 p = 0; p < propositions; ++p) text += lasso.letters[i] >> p & 1 ? '1' : '0';
    text += i + 1 == lasso.size() ? ")" : " ";
  }
  return text;
}

// The letter of the automaton, whose propositions may have another order: `at[p]` is the bit of its
// proposition p in a letter of the lasso.
inline u32 letter_for(u32 letter, const std::vector<u32>& at) {
  u32 out = 0;
  for (std::size_t p = 0; p < at.size(); ++p) out |= (letter >> at[p] & 1) << p;
  return out;
}

class Acceptance {
 public:
  Acceptance(const Automaton& automaton, const Lasso& lasso, const std::vector<u32>& at)
      : automaton_(automaton), lasso_(lasso), width_(lasso.size()) {
    for (const u32 letter : lasso.letters) letters_.push_back(letter_for(letter, at));
  }

  bool accepts() const {
    const std::vector<bool> met = reached_from({0});
    for (std::size_t node = 0; node < met.size(); ++node) {
      if (!met[node] || !automaton_.accepting[node / width_]) continue;
      if (reached_from(successors(node))[node]) return true;
    }
    return false;
  }

 private:
  std::vector<std::size_t> successors(std::size_t node) const {
    std::vector<std::size_t> out;
    const std::size_t at = node % width_;
    for (const Edge& edge : automaton_.edges_of(static_cast<u32>(node / width_))) {
      for (const Cube& cube : automaton_.guard(edge)) {
        if (!cube.holds(letters_[at])) continue;
        out.push_back(edge.target * width_ + lasso_.next(at));
        break;
      }
    }
    return out;
  }

  std::vector<bool> reached_from(const std::vector<std::size_t>& roots) const {
    std::vector<bool> met(automaton_.state_count() * width_);
    std::vector<std::size_t> open = roots;
    for (const std::size_t root : roots) met[root] = true;
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      for (const std::size_t next : successors(node)) {
        if (!met[next]) open.push_back(next);
        met[next] = true;
      }
    }
    return met;
  }

  const Automaton& automaton_;
  const Lasso& lasso_;
  std::size_t width_;
  std::vector<u32> letters_;
};

// `names[i]` is the text of the proposition in bit i of a letter. A proposition of the automaton
// with another name is never true.
inline bool accepts(const Automaton& automaton, const Lasso& lasso,
                    const std::vector<std::string>& names) {
  std::vector<u32> at;
  for (const std::string_view text : automaton.propositions) {
    u32 bit = 31;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == text) bit = static_cast<u32>(i);
    }
    at.push_back(bit);
  }
  return Acceptance(automaton, lasso, at).accepts();
}

}  // namespace xmc::ltl
