// The product with a counter of processes: where the counter is, how steps advance it, and that
// nothing else of the inner product changes.
#include "exec/models/fair.h"

#include <doctest/doctest.h>

#include <set>

#include "fixture.h"
#include "ir/layout.h"

using namespace xmc;
using namespace xmc::test;

namespace fair_test {

namespace {

struct Fair : Loaded {
  explicit Fair(const std::string& text, ErrorRule errors = ErrorRule::report)
      : Loaded(text, errors, false, "", "", true) {
    REQUIRE(status.ok());
    REQUIRE(model.fair);
  }
  Slot slot() const { return ir::counter_slot(*model.program); }
  u32 counter(const StateKey& state) const {
    return static_cast<u32>(slot_value(slot(), state.data()));
  }
  StateKey without(StateKey state) const {
    state[slot().word] &= ~(((u64{1} << slot().width) - 1) << slot().shift);
    return state;
  }
  // The system process that moves first in a step; kNone: none.
  u32 mover(u32 label) const {
    const StepText step = model.text.step(model.text.self, label);
    return step.transition == kNone ? kNone : model.text.transitions[step.transition].process;
  }
};

const char* const kAlwaysBad = "process X { state x; init x; accept x; trans x -> x {}; }";

std::string loops(u32 count) {
  std::string text;
  for (u32 i = 0; i < count; ++i)
    text += "process P" + std::to_string(i) + " { state a; init a; trans a -> a {}; }";
  return text + kAlwaysBad + "system async property X;";
}

// A rendezvous, a buffer, a commitment, a process that ends, and an automaton with choices.
const char* const kMixed =
    "channel c; channel {byte} d[2]; byte v;"
    "process P { state a, b; init a; trans a -> b { sync c!; effect v = 1; }, b -> a { sync d!v; },"
    " b -> b { guard v > 0; effect v = 0; }; }"
    "process Q { state a, b; init a; commit b; trans a -> b { sync c?; }, b -> a {}; }"
    "process R { byte r; state a, z; init a; trans a -> a { sync d?r; }, a -> z { guard r == 1; };}"
    "process X { state x, y; init x; accept y; trans x -> x {}, x -> y { guard v == 1; },"
    " y -> x {}, y -> y { guard v == 0; }; }"
    "system async property X;";

}  // namespace

TEST_CASE("a counter goes round the processes, in words of the mask, and accepts at 0") {
  for (const u32 count : {1u, 2u, 3u, 64u, 65u, 130u}) {
    Fair m(loops(count));
    const Model& model = m.model.model;
    std::vector<Word> words(u64{model.max_successors} * model.state_words);
    std::vector<u32> labels(model.max_successors);
    const SuccessorBuffer out{words.data(), labels.data(), model.max_successors};
    REQUIRE(model.initial(model.self, out) == 1);
    StateKey state(words.begin(), words.begin() + model.state_words);
    for (u32 turn = 0; turn < count; ++turn) {
      REQUIRE(m.counter(state) == (turn == 0 ? 0 : turn + 1));
      const Expansion e = model.expand(model.self, state.data(), out);
      REQUIRE(e.count == count);
      CHECK(((e.flags & kAccepting) != 0) == (turn == 0));
      StateKey next;
      for (u32 k = 0; k < e.count; ++k) {
        const auto first = words.begin() + static_cast<long>(u64{k} * model.state_words);
        const StateKey to(first, first + model.state_words);
        const u32 mover = m.mover(labels[k]);
        // The process that is waited for moves, or nothing changes but that 0 becomes 1.
        const u32 waits = turn + 1;
        CHECK(m.counter(to) == (mover != turn ? waits : waits == count ? 0 : waits + 1));
        if (mover == turn) next = to;
      }
      state = next;
    }
    CHECK(m.counter(state) == 0);
    CHECK(explore(model).states.size() == (count == 1 ? 1 : count + 1));
  }
}

TEST_CASE("a deadlock disables everyone: its repetition is fair in one step") {
  Fair m(std::string("process P { state a; init a; } process Q { state a; init a; }") + kAlwaysBad +
         "system async property X;");
  u32 accepting = 0;
  const Explored all = explore(m.model.model, [&](const auto&, const Expansion& e, const auto&...) {
    CHECK((e.flags & kDeadlock) != 0);
    accepting += (e.flags & kAccepting) != 0 ? 1 : 0;
  });
  CHECK(all.states.size() == 1);
  CHECK(accepting == 1);
}

TEST_CASE("without the counter the steps are those of the inner product") {
  Loaded plain(kMixed);
  Fair m(kMixed);
  REQUIRE(plain.status.ok());
  const Explored inner = explore(plain.model.model);
  std::set<StateKey> projected;
  std::vector<Word> words(u64{m.model.model.max_successors} * m.model.model.state_words);
  std::vector<u32> labels(words.size());
  const Model& p = plain.model.model;
  REQUIRE(p.state_words == m.model.model.state_words);
  const auto visit = [&](const StateKey& state, const Expansion& e, const std::vector<Word>& to,
                         const std::vector<u32>& by) {
    projected.insert(m.without(state));
    const Expansion f =
        p.expand(p.self, m.without(state).data(), {words.data(), labels.data(), p.max_successors});
    REQUIRE(e.count == f.count);
    for (u32 k = 0; k < e.count; ++k) {
      const auto first = to.begin() + static_cast<long>(u64{k} * p.state_words);
      const auto expected = words.begin() + static_cast<long>(u64{k} * p.state_words);
      REQUIRE(m.without(StateKey(first, first + p.state_words)) ==
              StateKey(expected, expected + p.state_words));
      REQUIRE(by[k] == labels[k]);
    }
    const u8 others = static_cast<u8>(~kAccepting);
    CHECK((e.flags & others) == (f.flags & others));
    CHECK(((e.flags & kAccepting) != 0) == ((f.flags & kAccepting) != 0 && m.counter(state) == 0));
    CHECK(m.model.model.cycle_class_of(state.data()) == p.cycle_class_of(m.without(state).data()));
  };
  const Explored all = explore(m.model.model, visit);
  CHECK(all.states.size() > inner.states.size());
  CHECK(projected == std::set<StateKey>(inner.states.begin(), inner.states.end()));
  CHECK(all.errors == 0);
}

TEST_CASE("the judge counts as the machine does, with and without labels asked for") {
  for (const ErrorRule errors : {ErrorRule::report, ErrorRule::beem, ErrorRule::stop}) {
    const std::string text =
        "byte v; process P { state a, b; init a; trans a -> a { effect v = v - 1; }, a -> b {}; }"
        "process Q { state a; init a; trans a -> a { effect v = 1; }; }" +
        std::string(kAlwaysBad) + "system async property X;";
    Fair m(text, errors);
    const Model& judge = m.model.judge;
    std::vector<Word> words(u64{judge.max_successors} * judge.state_words);
    const SuccessorBuffer unlabelled{words.data(), nullptr, judge.max_successors};
    const auto visit = [&](const StateKey& state, const Expansion& e, const std::vector<Word>& to,
                           const auto&) {
      const Expansion f = judge.expand(judge.self, state.data(), unlabelled);
      CHECK(e.count == f.count);
      CHECK(e.flags == f.flags);
      CHECK(e.errors == f.errors);
      const auto length = static_cast<long>(u64{e.count} * judge.state_words);
      CHECK(std::equal(to.begin(), to.begin() + length, words.begin()));
    };
    CHECK(explore(m.model.model, visit).states.size() > 3);
  }
}

TEST_CASE("the counter has a field of its own, and no other field depends on it") {
  Loaded plain(kMixed);
  Fair m(kMixed);
  const ir::Program& p = *plain.model.program;
  const ir::Program& q = *m.model.program;
  CHECK_FALSE(p.fair);
  CHECK(p.hash == ir::code_hash(p));
  CHECK(ir::code_hash(q) == ir::code_hash(p));
  CHECK(q.hash != p.hash);
  CHECK(m.slot().width == 2);
  CHECK(q.state_bits == p.state_bits + 2);
  CHECK(m.model.model.fields.size() == plain.model.model.fields.size() + 1);
  u32 bits = 0;
  std::vector<u64> used(q.state_words);
  for (const StateField& field : m.model.model.fields) {
    const u64 mask = ((u64{1} << field.width) - 1) << field.shift;
    CHECK((used[field.word] & mask) == 0);
    used[field.word] |= mask;
    bits += field.width;
  }
  CHECK(bits == q.state_bits);
  // People are not shown it.
  CHECK(m.model.text.variables.size() == plain.model.text.variables.size());
  CHECK_FALSE(m.model.model.weak);
}

TEST_CASE("a counter that finds no room takes another word") {
  // Eight bytes that can have every value, and an automaton without a bit of its own.
  std::string text = "byte v[8]; process P { byte i; state a; init a; trans";
  for (u32 i = 0; i < 8; ++i) {
    const std::string at = "v[" + std::to_string(i) + "]";
    text +=
        std::string(i == 0 ? "" : ",") + " a -> a { effect " + at + " = (" + at + " + 1) % 256; }";
  }
  text += "; }" + std::string(kAlwaysBad) + "system async property X;";
  Loaded plain(text);
  Fair m(text);
  CHECK(plain.model.program->state_words == 1);
  CHECK(m.model.program->state_words == 2);
  CHECK(m.model.model.state_bytes == 9);
  CHECK(m.slot().word == 1);
  // Code that was compiled for one word is not for two.
  CHECK(ir::code_hash(*m.model.program) != ir::code_hash(*plain.model.program));
}

TEST_CASE("there is no counter where no cycle can be bad") {
  Loaded m("process P { state a; init a; trans a -> a {}; } system async;", ErrorRule::report,
           false, "", "", true);
  REQUIRE(m.status.ok());
  CHECK_FALSE(m.model.fair);
  CHECK_FALSE(m.model.program->fair);
}

}  // namespace fair_test
