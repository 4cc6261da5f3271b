// The canonical form of a state is one of its permutations, and the same for all of them. What a
// permutation does is told here by names alone: P_2 in the name of a variable, and as a value,
// becomes P_3 in both.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "exec/models/canonical.h"
#include "ir/layout.h"
#include "lang/language.h"
#include "trial.h"
#include "xmc/arena.h"

using namespace xmc;
using namespace xmc_test;

namespace canonical_test {

namespace {

void ignore(void*, std::string_view) {}

struct Loaded {
  explicit Loaded(const char* variables) : region(u64{4} << 20), arena(region.memory) {
    const std::string text = std::string(
                                 "type P: scalarset(4); Q: scalarset(3); E: enum {one, two};"
                                 "U: union {P, E}; A: scalarset(1); var ") +
                             variables + "startstate begin end; rule begin end;";
    TextRequest request;
    request.file = "test.m";
    request.text = text;
    request.symmetry = true;
    REQUIRE(language_by_name("murphi")->lower(request, {}, ignore, nullptr, arena, lowered).ok());
    program = &ir::with_rules(*lowered.program);
    REQUIRE(program->symmetry != nullptr);
  }

  Region region;
  Arena arena;
  LoweredText lowered;
  const ir::RuleProgram* program = nullptr;
};

using State = std::vector<Word>;
using Named = std::map<std::string, std::string>;

std::string word_of(const VariableText& v, const State& s) {
  const u64 raw = s[v.slot.word] >> v.slot.shift & ((u64{1} << v.slot.width) - 1);
  if (raw == 0) return "";
  const i64 value = static_cast<i64>(raw) + v.slot.offset;
  if (v.value_names.empty()) return std::to_string(value);
  return std::string(v.value_names[static_cast<std::size_t>(value)]);
}

Named named(const Loaded& m, const State& s) {
  Named out;
  for (const VariableText& v : m.lowered.text.variables) out[std::string(v.name)] = word_of(v, s);
  return out;
}

struct Permutation {
  std::vector<u32> p{0, 1, 2, 3};
  std::vector<u32> q{0, 1, 2};
};

std::string renamed(std::string text, const Permutation& by) {
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    if (text[i + 1] != '_' || (i > 0 && text[i - 1] != '[')) continue;
    const auto digit = static_cast<std::size_t>(text[i + 2] - '1');
    if (text[i] == 'P') text[i + 2] = static_cast<char>('1' + by.p[digit]);
    if (text[i] == 'Q') text[i + 2] = static_cast<char>('1' + by.q[digit]);
  }
  return text;
}

State with_names(const Loaded& m, const Named& names) {
  State s(m.program->state_words);
  for (const VariableText& v : m.lowered.text.variables) {
    const std::string& word = names.at(std::string(v.name));
    if (word.empty()) continue;
    i64 value = 0;
    if (v.value_names.empty()) {
      value = std::stoll(word);
    } else {
      value = std::find(v.value_names.begin(), v.value_names.end(), word) - v.value_names.begin();
    }
    s[v.slot.word] |= static_cast<u64>(value - v.slot.offset) << v.slot.shift;
  }
  return s;
}

State permuted(const Loaded& m, const State& s, const Permutation& by) {
  Named to;
  for (const auto& [name, word] : named(m, s)) to[renamed(name, by)] = renamed(word, by);
  return with_names(m, to);
}

// Few different values, so that atoms are alike; elements of multisets are there as a whole.
State any_state(const Loaded& m, Random& random) {
  State s(m.program->state_words);
  const u32 defined = random() % 4;
  for (const ir::Leaf& leaf : m.program->leaves) {
    const u32 values = static_cast<u32>(leaf.hi - leaf.lo + 1);
    const u32 code = random() % 4 < defined ? 1 + random() % values : 0;
    s[leaf.slot.word] |= u64{code} << leaf.slot.shift;
  }
  for (const ir::SymmetricMultiset& bag : m.program->symmetry->multisets) {
    for (u32 k = 0; k < bag.count; ++k) {
      const u32 first = bag.first + k * bag.leaves;
      const Slot& there = m.program->leaves[first + bag.leaves - 1].slot;
      const bool present = (s[there.word] >> there.shift & 3) != 0;
      for (u32 i = 0; i < bag.leaves; ++i) {
        const Slot& slot = m.program->leaves[first + i].slot;
        const u64 mask = ((u64{1} << slot.width) - 1) << slot.shift;
        if (!present) s[slot.word] &= ~mask;
        if (present && i + 1 == bag.leaves) s[slot.word] |= mask & u64{2} << slot.shift;
        if (present && i + 1 == bag.leaves) s[slot.word] &= ~(mask & u64{1} << slot.shift);
      }
    }
  }
  return s;
}

template <class F>
void for_all_permutations(F&& f) {
  Permutation by;
  do {
    std::iota(by.q.begin(), by.q.end(), 0);
    do f(by);
    while (std::next_permutation(by.q.begin(), by.q.end()));
  } while (std::next_permutation(by.p.begin(), by.p.end()));
}

void check(const char* variables, u32 seed, bool has_multiset) {
  Loaded m(variables);
  Canonical canonical(*m.program->symmetry, m.program->state_words, m.arena);
  Random random(seed);
  u64 asked = 0;
  for (u32 round = 0; round < rounds(60); ++round) {
    INFO("seed " << seed << " round " << round << " of " << variables);
    const State s = any_state(m, random);
    State form = s;
    canonical.apply(form.data());
    bool in_orbit = has_multiset;  // it is sorted, too
    for_all_permutations([&](const Permutation& by) {
      State other = permuted(m, s, by);
      in_orbit = in_orbit || other == form;
      canonical.apply(other.data());
      ++asked;
      CHECK(other == form);
    });
    CHECK(in_orbit);
    State again = form;
    canonical.apply(again.data());
    CHECK(again == form);
  }
  CHECK(canonical.tried() > asked / 8);  // where anything is defined
}

}  // namespace

TEST_CASE("a state and its permutations have one canonical form") {
  check("x: P;", 1, false);
  check("a: array [P] of 0..2;", 2, false);
  check("a: array [P] of P;", 3, false);
  check("a: array [P] of array [Q] of boolean; x: Q;", 4, false);
  check("a: array [P] of record s: E; n: P; q: array [Q] of boolean; end; last: U;", 5, false);
  check("a: array [U] of 0..1; u: array [Q] of U; s: A;", 6, false);
  check("a: array [P] of array [P] of boolean;", 7, false);
  check("a: array [Q] of P; b: array [P] of Q;", 8, false);
}

TEST_CASE("multisets are sorted after atoms were renamed") {
  check("m: multiset [3] of P;", 11, true);
  check("m: multiset [3] of record f: P; t: U; n: 0..1; end; a: array [P] of boolean;", 12, true);
  check("m: array [P] of multiset [2] of Q;", 13, true);
  check("m: multiset [2] of array [P] of boolean; x: P;", 14, true);
}

// Permutations are tried only where nothing tells atoms apart and they are not alike.
TEST_CASE("atoms that can be exchanged cost nothing") {
  Loaded m("a: array [P] of P; b: array [P] of array [Q] of boolean;");
  Canonical canonical(*m.program->symmetry, m.program->state_words, m.arena);
  State s(m.program->state_words);
  canonical.apply(s.data());
  CHECK(canonical.tried() <= 1);
  Named all_alike = named(m, s);
  for (auto& [name, word] : all_alike)
    if (name[0] == 'b') word = "true";
  s = with_names(m, all_alike);
  const u64 before = canonical.tried();
  canonical.apply(s.data());
  CHECK(canonical.tried() == before + 1);
}

}  // namespace canonical_test
