// Generators: what a rule yields, chains behind steps that keep control, errors that go on, ends,
// products. Programs are made by hand; machine and judge have to agree on everything.
#include "generator_rig.h"

using namespace xmc;
using namespace xmc_test;

namespace generator_test {

namespace {

constexpr u8 kAssertion = static_cast<u8>(ir::Failure::assertion);

}  // namespace

TEST_CASE("a rule yields as often as it says, and reads the state in between") {
  Rig rig;
  const u32 x = rig.leaves(-3, 4);
  rig.rule();
  // done counts the steps; the last one is for none.
  rig.constant(0, 0);
  for (u32 step = 0; step < 3; ++step) {
    const u32 tried = rig.attempt(step);
    rig.emit(BodyOp::load, 1, x);
    rig.constant(2, step);
    rig.emit(BodyOp::add, 1, 1, 2);
    const u32 odd = rig.emit({.op = BodyOp::jump_above, .r = 1, .b = 1});
    rig.emit(BodyOp::begin);
    rig.emit(BodyOp::store, 1, x);
    rig.emit(BodyOp::load, 1, x);
    rig.emit(BodyOp::negate, 1, 1);
    rig.emit(BodyOp::store, 1, x);
    rig.yield(step);
    rig.constant(0, 1);
    rig.come(tried);
    rig.come(odd);
  }
  const u32 done = rig.emit(BodyOp::jump_not_zero, 0);
  rig.attempt(3);
  rig.emit(BodyOp::begin);
  rig.put(x, 4);
  rig.yield(3);
  rig.come(done);
  rig.end();
  rig.finish(4, 4);

  State state = rig.initial();
  CHECK(rig.expand(state).count == 2);
  CHECK(rig.values_of(x, 2) == std::vector<i32>{0, -1});
  state = rig.successor(1);
  REQUIRE(rig.expand(state).count == 3);
  CHECK(rig.values_of(x, 3) == std::vector<i32>{1, 0, -1});
  state = rig.successor(0);
  REQUIRE(rig.expand(state).count == 1);
  rig.put(x, 0);
  state[0] = static_cast<Word>(2 - -3);
  REQUIRE(rig.expand(state).count == 1);
  CHECK(rig.labels[0] == 3);
  CHECK(rig.values_of(x, 1) == std::vector<i32>{4});
}

TEST_CASE("an erroneous step is left out, and the others are not") {
  Rig rig;
  const u32 x = rig.leaves(0, 3);
  rig.rule();
  const u32 tried = rig.attempt(0);
  rig.emit(BodyOp::begin);
  rig.emit({.op = BodyOp::fail, .reason = static_cast<u8>(ir::Failure::no_channel)});
  rig.come(tried);
  rig.move(1, x, 0, 1);
  rig.end();
  rig.finish(2, 2);
  const State state = rig.initial();
  const Expansion made = rig.expand(state);
  CHECK(made.count == 1);
  CHECK(made.errors == 1);
  CHECK(made.error_label == 0);
  CHECK(rig.why(state, 0) == "'words': there is no such channel");
  CHECK(rig.judge.error_kind(rig.judge.self, state.data(), 0) == ErrorKind::error);
  // The only step of what follows is erroneous: that is no deadlock.
  CHECK(rig.expand(rig.successor(0)).flags == 0);
}

TEST_CASE("an error outside of all attempts ends the rule") {
  Rig rig;
  const u32 x = rig.leaves(0, 3);
  rig.rule();
  rig.emit({.op = BodyOp::fail});
  rig.move(1, x, 0, 1);
  rig.end();
  rig.rule();
  rig.move(2, x, 0, 2);
  rig.end();
  rig.rules[0].first_step = 1;
  rig.finish(3, 2);
  const Expansion made = rig.expand(rig.initial());
  CHECK(made.count == 1);
  CHECK(rig.labels[0] == 2);
  CHECK(made.error_label == 1);
}

TEST_CASE("a blamed step is erroneous and is taken") {
  Rig rig;
  const u32 x = rig.leaves(0, 3);
  rig.rule();
  const u32 tried = rig.attempt(0);
  rig.emit(BodyOp::begin);
  rig.emit({.op = BodyOp::blame, .reason = kAssertion, .a = 0});
  rig.emit({.op = BodyOp::blame, .reason = kAssertion, .a = 0});
  rig.put(x, 2);
  rig.yield(0);
  rig.come(tried);
  rig.end();
  rig.finish(1, 1);
  const State state = rig.initial();
  const Expansion made = rig.expand(state);
  CHECK(made.count == 1);
  CHECK(made.errors == 2);
  CHECK(rig.value(rig.successor(0), x) == 2);
  CHECK(rig.why(state, 0) == "assertion failed: words");
  CHECK(rig.judge.error_kind(rig.judge.self, state.data(), 0) == ErrorKind::assertion);
}

TEST_CASE("rules of the second set are asked if the first has nothing") {
  Rig rig;
  const u32 x = rig.leaves(0, 3);
  for (const i32 timeout : {0, 1}) {
    rig.rule(timeout);
    rig.rules.back().first_parameter = static_cast<u32>(timeout);
    rig.rules.back().parameter_count = 1;
    rig.parameters.push_back({.cell = 0, .low = timeout});
    rig.move(0, x, 0, 1);
    const u32 no = rig.emit(BodyOp::jump_zero, 0);
    const u32 tried = rig.attempt(1);
    rig.emit(BodyOp::begin);
    rig.put(x, 3);
    rig.yield(1);
    rig.come(no);
    rig.come(tried);
    rig.end();
  }
  rig.finish(2, 2);
  CHECK(rig.expand(rig.initial()).count == 1);
  CHECK(rig.labels[0] == 0);
  CHECK(rig.expand(rig.successor(0)).count == 1);
  CHECK(rig.labels[0] == 1);
}

TEST_CASE("a chain branches, and each of its ends is a step") {
  Rig rig;
  const u32 x = rig.leaves(0, 7);
  const u32 y = rig.leaves(0, 1);
  rig.rule();
  rig.move(0, x, 0, 1, 0);
  rig.move(1, x, 1, 2, 0);  // goes on,
  rig.move(2, x, 1, 3);     // ends,
  rig.move(3, x, 1, 4, 0);  // is blocked
  rig.move(4, x, 2, 5);
  rig.move(5, x, 2, 6);
  rig.end();
  rig.rule();
  rig.move(6, y, 0, 1);
  rig.end();
  rig.finish(7, 2, 16);
  const State state = rig.initial();
  // Ends of a body come before those of what goes on from it.
  REQUIRE(rig.expand(state).count == 5);
  CHECK(rig.values_of(x, 5) == std::vector<i32>{3, 5, 6, 4, 0});
  CHECK(rig.values_of(y, 5) == std::vector<i32>{0, 0, 0, 0, 1});
  CHECK(std::vector<u32>(rig.labels.begin(), rig.labels.begin() + 5) ==
        std::vector<u32>{0, 0, 0, 0, 6});
  using Told = std::vector<std::pair<u32, i32>>;
  CHECK(rig.unfolded(state, 0, 0, x) == Told{{0, 1}, {2, -1}});
  CHECK(rig.unfolded(state, 0, 2, x) == Told{{0, 1}, {1, 2}, {5, -1}});
  CHECK(rig.unfolded(state, 0, 3, x) == Told{{0, 1}, {3, -1}});
  CHECK(rig.unfolded(state, 6, 0, x) == Told{{6, -1}});
  CHECK(rig.unfolded(state, 0, 4, x).empty());
}

TEST_CASE("a chain that comes back to a state is an error, and its other ends stay") {
  Rig rig;
  const u32 x = rig.leaves(0, 3);
  rig.rule();
  rig.move(0, x, 0, 1, 0);
  rig.move(1, x, 1, 2, 0);
  rig.move(2, x, 2, 1, 0);
  rig.move(3, x, 2, 3);
  rig.end();
  rig.finish(4, 1, 16);
  const State state = rig.initial();
  const Expansion made = rig.expand(state);
  CHECK(made.count == 1);
  CHECK(made.errors == 1);
  CHECK(made.error_label == 0);
  CHECK(rig.value(rig.successor(0), x) == 3);
  CHECK(rig.why(state, 0) == "a sequence that keeps control comes to a state again");
  using Told = std::vector<std::pair<u32, i32>>;
  CHECK(rig.unfolded(state, 0, kNone, x) == Told{{0, 1}, {1, 2}, {2, -1}});
}

TEST_CASE("an error inside a chain is one of its first step") {
  Rig rig;
  const u32 x = rig.leaves(0, 3);
  rig.rule();
  rig.move(2, x, 0, 1, 0);
  const u32 tried = rig.attempt(1);
  const u32 jump = rig.unless(x, 1);
  rig.emit(BodyOp::begin);
  rig.emit({.op = BodyOp::fail});
  rig.come(tried);
  rig.come(jump);
  rig.end();
  rig.finish(3, 1, 16);
  const State state = rig.initial();
  const Expansion made = rig.expand(state);
  // It has no step there, so it ends.
  CHECK(made.count == 1);
  CHECK(made.errors == 1);
  CHECK(made.error_label == 2);
  CHECK(rig.why(state, 2) == "error: words");
  CHECK(rig.unfolded(state, 2, kNone, x).size() == 2);
}

TEST_CASE("ways through a chain that meet are followed once and all counted") {
  Rig rig;
  const u32 x = rig.leaves(0, 100);
  rig.rule();
  for (i32 i = 0; i < 60; ++i) {
    rig.move(0, x, i, i + 1, 0);
    rig.move(0, x, i, i + 1, 0);
  }
  rig.move(1, x, 60, 61);
  rig.move(2, x, 60, 62);
  const u32 tried = rig.attempt(3);
  const u32 other = rig.unless(x, 60);
  rig.emit(BodyOp::begin);
  rig.emit({.op = BodyOp::fail});
  rig.come(tried);
  rig.come(other);
  rig.end();
  rig.finish(4, 1, 4096);
  const State state = rig.initial();
  const Expansion made = rig.expand(state);
  CHECK(made.count < 600);
  CHECK(made.count + made.repeats == u64{2} << 60);
  CHECK(made.errors == u64{1} << 60);
  // A real path, whichever of the ways it is.
  CHECK(rig.unfolded(state, 0, made.count - 1, x).size() == 61);
  CHECK(rig.unfolded(state, 0, kNone, x).size() == 61);
}

TEST_CASE("what a chain remembers, and its ends, are bounded") {
  Rig rig;
  const u32 x = rig.leaves(0, 9999);
  rig.rule();
  // From 0 two chains: one that counts without an end, one that branches.
  rig.move(0, x, 0, 5000, 0);
  rig.move(1, x, 0, 1, 0);
  const u32 tried = rig.attempt(2);
  rig.emit(BodyOp::load, 1, x);
  const u32 above = rig.emit({.op = BodyOp::jump_above, .r = 1, .b = 4999});
  const u32 out = rig.emit(BodyOp::jump);
  rig.come(above);
  rig.emit(BodyOp::begin);
  rig.constant(2, 1);
  rig.emit(BodyOp::add, 1, 1, 2);
  rig.emit(BodyOp::store, 1, x);
  rig.yield(2, 0);
  rig.come(out);
  rig.come(tried);
  for (i32 to = 2; to < 6; ++to) rig.move(3, x, 1, to);
  rig.end();
  rig.finish(4, 1, 3);
  const State state = rig.initial();
  const Expansion made = rig.expand(state);
  // A state is one word. The counting chain runs into the first limit, and of the four ends behind
  // the other one there is room for two, as its last state has become an end.
  CHECK(made.count == 3);
  CHECK(made.errors == 2);
  CHECK(made.error_label == 0);
  CHECK(rig.why(state, 0) == "more than 4096 states of sequences that keep control are remembered");
  CHECK(rig.why(state, 1) == "sequences that keep control end in more than 3 ways here");
}

TEST_CASE("a state without steps is a deadlock unless it is a valid end") {
  Rig rig;
  const u32 x = rig.leaves(0, 2);
  rig.rule();
  rig.move(0, x, 0, 1);
  rig.move(1, x, 0, 2);
  rig.end();
  rig.p.valid_end = rig.here();
  rig.emit(BodyOp::load, 0, x);
  rig.constant(1, 1);
  rig.emit(BodyOp::equal, 0, 0, 1);
  rig.emit(BodyOp::result, 0);
  rig.finish(2, 2);
  CHECK(rig.expand(rig.initial()).flags == 0);
  const State one = rig.successor(0);
  const State two = rig.successor(1);
  CHECK(rig.expand(one).flags == 0);
  CHECK(rig.expand(two).flags == kDeadlock);
}

TEST_CASE("an automaton moves once for each step, and alone where there is none") {
  Rig rig;
  const u32 x = rig.leaves(0, 3);
  rig.rule();
  rig.move(0, x, 0, 1, 0);
  rig.move(1, x, 1, 2);
  rig.move(2, x, 1, 3);
  rig.end();
  const u32 always = rig.here();
  rig.constant(0, 1);
  rig.emit(BodyOp::result, 0);
  const u32 at_start = rig.here();
  rig.emit(BodyOp::load, 0, x);
  rig.emit(BodyOp::logical_not, 0, 0);
  rig.emit(BodyOp::result, 0);
  rig.p.accepts = rig.here();
  rig.emit(BodyOp::load, 0, x);
  rig.constant(1, 3);
  rig.emit(BodyOp::equal, 0, 0, 1);
  rig.emit(BodyOp::result, 0);
  rig.p.valid_end = always;
  rig.product({{.target = 1, .guard = at_start},
               {.target = 0, .guard = always},
               {.source = 1, .target = 1, .guard = at_start}});
  rig.finish(3, 1, 16);
  const Expansion first = rig.expand(rig.initial());
  CHECK(first.flags == 0);
  REQUIRE(first.count == 4);
  CHECK(rig.values_of(x, 4) == std::vector<i32>{2, 2, 3, 3});
  const State accepting = rig.successor(0);
  const State by_state = rig.successor(3);
  const u32 moves = rig.p.property_moves;
  CHECK(rig.labels[0] == 0);
  CHECK(rig.labels[1] == 1);
  using Told = std::vector<std::pair<u32, i32>>;
  CHECK(rig.unfolded(rig.initial(), 1, 1, x) == Told{{1, 1}, {2 * moves + 1, -1}});
  // In location 1 the guard is false: no step at all. In location 0 it goes on for ever.
  CHECK(rig.expand(accepting).count == 0);
  const Expansion stutters = rig.expand(by_state);
  CHECK(stutters.flags == kAccepting);
  CHECK(stutters.count == 1);
  CHECK(rig.successor(0) == by_state);
  CHECK(rig.labels[0] == ir::step_label(rig.p, ir::stutter_step(rig.p), 1));
}

TEST_CASE("queues: an element goes, or comes in between") {
  Rig rig;
  const u32 length = rig.leaves(0, 3, 1, 3);
  const u32 q = rig.leaves(-2, 5, 6);
  rig.rule();
  for (u32 at = 0; at < 3; ++at) {
    for (const BodyOp op : {BodyOp::remove, BodyOp::insert}) {
      const u32 tried = rig.attempt(at);
      rig.emit(BodyOp::begin);
      for (u32 i = 0; i < 6; ++i) rig.put(q + i, static_cast<i32>(i) - 2);
      rig.constant(0, at);
      rig.emit(op, 0, q, 3, 2);
      rig.yield(at);
      rig.come(tried);
    }
  }
  rig.end();
  rig.finish(3, 6);
  REQUIRE(rig.expand(rig.initial()).count == 6);
  const auto queue = [&](u32 successor) {
    std::vector<i32> all;
    for (u32 i = 0; i < 6; ++i) all.push_back(rig.value(rig.successor(successor), q + i));
    return all;
  };
  using Values = std::vector<i32>;
  CHECK(queue(0) == Values{0, 1, 2, 3, 0, 0});
  CHECK(queue(1) == Values{-2, -1, -2, -1, 0, 1});
  CHECK(queue(2) == Values{-2, -1, 2, 3, 0, 0});
  CHECK(queue(3) == Values{-2, -1, 0, 1, 0, 1});
  CHECK(queue(4) == Values{-2, -1, 0, 1, 0, 0});
  CHECK(queue(5) == Values{-2, -1, 0, 1, 2, 3});
  CHECK(rig.value(rig.successor(0), length) == 3);
}

namespace {

// Slots with a place each, which a jump table tells apart; options with guards, chains, errors,
// blame, a queue.
class RandomProgram {
 public:
  explicit RandomProgram(u32 seed) : random_(seed) {
    slots_ = 1 + random_() % 3;
    for (u32 p = 0; p < slots_; ++p) place_.push_back(rig.leaves(0, kPlaces - 1));
    global_ = rig.leaves(-2, 5, 3);
    queue_ = rig.leaves(-1, 2, 4);
    length_ = rig.leaves(0, 4);
    const bool timeouts = random_() % 2 == 0;
    for (u32 p = 0; p < slots_; ++p) rig.rule(0);
    for (u32 p = 0; timeouts && p < slots_; ++p) rig.rule(1);
    for (u32 r = 0; r < rig.rules.size(); ++r) body(r);
    rig.p.valid_end = rig.here();
    rig.emit(BodyOp::load, 0, global_);
    rig.emit(BodyOp::result, 0);
    rig.finish(steps_, steps_, random_() % 3 == 0 ? 5 : 200);
  }

  Rig rig;

 private:
  static constexpr u32 kPlaces = 4;

  void body(u32 index) {
    const u32 slot = index % slots_;
    ir::Rule& rule = rig.rules[index];
    rule.code = rig.here();
    rule.first_parameter = index;
    rule.parameter_count = 1;
    rule.first_step = steps_++;
    rig.parameters.push_back({.cell = 3, .low = index < slots_ ? 0 : 1});
    rig.constant(4, 0);
    rig.emit(BodyOp::load, 0, place_[slot]);
    const u32 table = static_cast<u32>(rig.targets.size());
    rig.emit(BodyOp::jump_table, 0, table, kPlaces);
    rig.targets.resize(rig.targets.size() + kPlaces);
    std::vector<u32> ends;
    for (u32 place = 0; place < kPlaces; ++place) {
      rig.targets[table + place] = rig.here();
      for (u32 options = 1 + random_() % 3; options-- > 0;) option(slot);
      ends.push_back(rig.emit(BodyOp::jump));
    }
    for (const u32 end : ends) rig.come(end);
    rig.end();
  }

  void option(u32 slot) {
    const u32 step = steps_++;
    const u32 tried = rig.attempt(step);
    std::vector<u32> away;
    if (random_() % 4 == 0) away.push_back(rig.emit(BodyOp::jump_not_zero, 4));
    if (random_() % 4 == 0) away.push_back(rig.emit(BodyOp::jump_zero, 3));
    if (random_() % 2 == 0) away.push_back(rig.unless(global_ + random_() % 3, random_() % 3));
    if (random_() % 8 == 0) rig.emit({.op = BodyOp::fail});
    rig.emit(BodyOp::begin);
    for (u32 statements = 1 + random_() % 3; statements-- > 0;) statement(step);
    rig.put(place_[slot], random_() % kPlaces);
    const u32 keeper = random_() % 8 == 0 ? random_() % slots_ : slot;
    rig.yield(step, random_() % 3 == 0 ? keeper : kNone);
    rig.constant(4, 1);
    for (const u32 jump : away) rig.come(jump);
    rig.come(tried);
  }

  void statement(u32 step) {
    const u32 x = global_ + random_() % 3;
    switch (random_() % 5) {
      case 0:  // x = (x + 1) modulo 4, which is one of the type
        rig.emit(BodyOp::load, 0, x);
        rig.constant(1, 1);
        rig.emit(BodyOp::add, 0, 0, 1);
        rig.emit(BodyOp::cut, 0, 0, 2);
        rig.emit(BodyOp::store, 0, x);
        return;
      case 1:
        rig.put(x, static_cast<i64>(random_() % 8) - 2);
        return;
      case 2:  // erroneous where x is too large
        rig.emit(BodyOp::load, 0, x);
        rig.emit({.op = BodyOp::index, .r = 1, .a = 0, .b = static_cast<u32>(-2), .c = 6, .d = 1});
        rig.emit({.op = BodyOp::offset, .r = 1, .a = 1, .b = global_});
        rig.constant(0, 1);
        rig.constant(2, 0);
        rig.emit({.op = BodyOp::load_at, .r = 0, .a = 0, .b = 2});
        return;
      case 3:
        rig.emit(BodyOp::load, 0, x);
        away_blame(step);
        return;
      default:
        rig.constant(0, random_() % 4);
        rig.emit(random_() % 2 == 0 ? BodyOp::remove : BodyOp::insert, 0, queue_, 4, 1);
        rig.put(queue_ + random_() % 4, static_cast<i64>(random_() % 4) - 1);
    }
  }

  void away_blame(u32 step) {
    const u32 well = rig.emit(BodyOp::jump_not_zero, 0);
    rig.emit({.op = BodyOp::blame, .reason = kAssertion, .a = step});
    rig.come(well);
  }

  Random random_;
  u32 slots_ = 0;
  u32 steps_ = 0;
  u32 global_ = 0;
  u32 queue_ = 0;
  u32 length_ = 0;
  std::vector<u32> place_;
};

}  // namespace

TEST_CASE("machine and judge agree on random generators") {
  u64 states = 0;
  u64 errors = 0;
  u64 chains = 0;
  for (u32 seed = 1; seed <= rounds(150); ++seed) {
    CAPTURE(seed);
    RandomProgram program(seed);
    Rig& rig = program.rig;
    std::set<State> seen;
    std::vector<State> open{rig.initial()};
    seen.insert(open[0]);
    while (!open.empty() && seen.size() < 150) {
      const State state = open.back();
      open.pop_back();
      const Expansion made = rig.expand(state);
      errors += made.errors;
      std::vector<State> next;
      for (u32 i = 0; i < made.count; ++i) next.push_back(rig.successor(i));
      const std::vector<u32> labels(rig.labels.begin(), rig.labels.begin() + made.count);
      for (u32 i = 0; i < made.count; ++i) {
        const auto repeat =
            std::count(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(i), labels[i]);
        const auto told = rig.unfolded(state, labels[i], static_cast<u32>(repeat), 0);
        REQUIRE(!told.empty());
        CHECK(told[0].first == labels[i]);
        chains += told.size() - 1;
        if (seen.insert(next[i]).second) open.push_back(next[i]);
      }
    }
    states += seen.size();
  }
  CHECK(states > rounds(1000));
  CHECK(errors > rounds(100));
  CHECK(chains > rounds(1000));
}

}  // namespace generator_test
