// Programs of generators made by hand, with the machine and the judge side by side.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "exec/rules/rules.h"
#include "ir/layout.h"
#include "ir/steps.h"
#include "lower/product.h"
#include "trial.h"
#include "xmc/arena.h"
#include "xmc/text.h"

namespace xmc_test {

using ir::Action;
using ir::BodyOp;
using State = std::vector<Word>;

struct Rig {
  Rig() : region(std::size_t{16} << 20), arena(region.memory) {
    p.has_rules = true;
    p.generates = true;
    notes.push_back({7, "words"});
  }

  // A column of leaves; the first one.
  u32 leaves(i32 lo, i32 hi, u32 count = 1, i32 value = 0) {
    const u32 first = static_cast<u32>(places.size());
    variables.push_back({.name = "x",
                         .is_array = count > 1,
                         .size = count,
                         .first_initial = static_cast<u32>(values.size()),
                         .type_lo = lo,
                         .type_hi = hi,
                         .lo = lo,
                         .hi = hi});
    for (u32 i = 0; i < count; ++i) {
      values.push_back(value);
      places.push_back({static_cast<u32>(variables.size() - 1), i});
    }
    return first;
  }

  u32 here() const { return static_cast<u32>(code.size()); }
  u32 emit(const Action& action) {
    code.push_back(action);
    return here() - 1;
  }
  u32 emit(BodyOp op, u32 r = 0, u32 a = 0, u32 b = 0, u32 c = 0) {
    return emit({.op = op, .r = r, .a = a, .b = b, .c = c});
  }
  void constant(u32 r, i64 value) {
    const u64 bits = static_cast<u64>(value);
    emit(BodyOp::constant, r, static_cast<u32>(bits), static_cast<u32>(bits >> 32));
  }
  void put(u32 leaf, i64 value) {
    constant(kScratch, value);
    emit(BodyOp::store, kScratch, leaf);
  }
  // Goes on if the leaf has this value; else somewhere that is said later.
  u32 unless(u32 leaf, i64 value) {
    emit(BodyOp::load, kScratch, leaf);
    constant(kScratch + 1, value);
    emit(BodyOp::equal, kScratch, kScratch, kScratch + 1);
    return emit(BodyOp::jump_zero, kScratch);
  }
  void come(u32 jump) {
    code[jump].op == BodyOp::attempt ? code[jump].b = here() : code[jump].a = here();
  }
  u32 attempt(u32 step) { return emit(BodyOp::attempt, 0, step); }
  void yield(u32 step, u32 keeper = kNone) { emit(BodyOp::yield, 0, step, keeper); }
  // leaf == from: leaf = to, by this step.
  void move(u32 step, u32 leaf, i32 from, i32 to, u32 keeper = kNone) {
    const u32 tried = attempt(step);
    const u32 jump = unless(leaf, from);
    emit(BodyOp::begin);
    put(leaf, to);
    yield(step, keeper);
    come(tried);
    come(jump);
  }
  u32 rule(i32 priority = 0) {
    rules.push_back({.code = here(), .first_step = 0, .step_count = 1, .priority = priority});
    return static_cast<u32>(rules.size() - 1);
  }
  void end() { emit(BodyOp::disabled); }

  // An automaton of two locations; the second one is accepting. Guards are bodies.
  void product(const std::vector<ir::Transition>& moves) {
    process = {.name = "A",
               .location = static_cast<u32>(variables.size()),
               .location_count = 2,
               .transition_count = static_cast<u32>(moves.size())};
    variables.push_back({.name = "A",
                         .role = ir::Role::location,
                         .process = 0,
                         .first_initial = static_cast<u32>(values.size()),
                         .hi = 1});
    values.push_back(0);
    transitions = moves;
    for (u32 l = 0; l < 2; ++l) {
      const u32 first = static_cast<u32>(order.size());
      for (u32 i = 0; i < moves.size(); ++i) {
        if (moves[i].source == l) order.push_back(i);
      }
      by_location.push_back({first, static_cast<u32>(order.size()) - first});
    }
    p.processes = {&process, 1};
    p.transitions = transitions;
    p.by_location = by_location;
    p.order = order;
    p.location_flags = flags;
    p.property = 0;
    p.buchi = true;
  }

  void finish(u32 steps, u32 successors, u32 ends = 0) {
    p.variables = variables;
    p.initial_values = values;
    p.actions = code;
    p.model_actions = here();
    p.rules = rules;
    p.parameters = parameters;
    p.jump_targets = targets;
    p.body_notes = notes;
    p.body_cells = kScratch + 8;
    p.step_count = steps;
    p.max_successors = successors;
    p.chain_ends = ends;
    REQUIRE(finish_program({}, arena, p).ok());
    for (const auto& [variable, element] : places) {
      const ir::Variable& v = p.variables[variable];
      leaf_slots.push_back({ir::element_slot(v, element), v.lo, v.hi, true});
    }
    p.leaves = leaf_slots;
    REQUIRE(make_rules(p, nullptr, arena, machine).ok());
    REQUIRE(make_rules_judge(p, arena, judge).ok());
    room.resize(std::size_t{p.max_successors} * p.state_words);
    judged_room = room;
    labels.resize(p.max_successors);
    judged_labels = labels;
  }

  State initial() {
    CHECK(machine.initial(machine.self, {room.data(), nullptr, p.max_successors}) == 1);
    CHECK(judge.initial(judge.self, {judged_room.data(), nullptr, p.max_successors}) == 1);
    const State state(room.begin(), room.begin() + p.state_words);
    CHECK(std::equal(state.begin(), state.end(), judged_room.begin()));
    return state;
  }
  // By both, which have to agree.
  Expansion expand(const State& state) {
    const Expansion a =
        machine.expand(machine.self, state.data(), {room.data(), labels.data(), p.max_successors});
    const Expansion b = judge.expand(judge.self, state.data(),
                                     {judged_room.data(), judged_labels.data(), p.max_successors});
    CHECK(a.count == b.count);
    CHECK(a.repeats == b.repeats);
    CHECK(a.errors == b.errors);
    CHECK(a.error_label == b.error_label);
    CHECK(a.flags == b.flags);
    CHECK(a.violated == b.violated);
    const auto end = static_cast<std::ptrdiff_t>(a.count * p.state_words);
    CHECK(std::equal(room.begin(), room.begin() + end, judged_room.begin()));
    CHECK(std::equal(labels.begin(), labels.begin() + a.count, judged_labels.begin()));
    return a;
  }
  State successor(u32 index) const {
    const auto first = room.begin() + static_cast<std::ptrdiff_t>(index * p.state_words);
    return {first, first + p.state_words};
  }
  i32 value(const State& state, u32 leaf) const {
    return slot_value(p.leaves[leaf].slot, state.data());
  }
  std::vector<i32> values_of(u32 leaf, u32 count) const {
    std::vector<i32> all;
    for (u32 i = 0; i < count; ++i) all.push_back(value(successor(i), leaf));
    return all;
  }
  // The labels of the statements in a step, and the value of a leaf behind each but the last.
  std::vector<std::pair<u32, i32>> unfolded(const State& state, u32 label, u32 repeat, u32 leaf) {
    struct Asked {
      const Rig& rig;
      u32 leaf;
      std::vector<std::pair<u32, i32>> told;
    } asked{*this, leaf, {}};
    judge.unfold(
        judge.self, state.data(), label, repeat,
        {&asked, [](void* self, u32 statement, const Word* behind) {
           Asked& to = *static_cast<Asked*>(self);
           const Slot& slot = to.rig.p.leaves[to.leaf].slot;
           to.told.push_back({statement, behind == nullptr ? -1 : slot_value(slot, behind)});
         }});
    return asked.told;
  }
  std::string why(const State& state, u32 label) {
    xmc::FixedText<200> words;
    judge.explain(judge.self, state.data(), label, kNone, words);
    return std::string(words.view());
  }

  static constexpr u32 kScratch = 8;  // registers below are a test's own

  Region region;
  xmc::Arena arena;
  ir::RuleProgram p;
  std::vector<ir::Variable> variables;
  std::vector<i32> values;
  std::vector<std::pair<u32, u32>> places;
  std::vector<ir::Leaf> leaf_slots;
  std::vector<Action> code;
  std::vector<ir::Rule> rules;
  std::vector<ir::Parameter> parameters;
  std::vector<u32> targets;
  std::vector<ir::BodyNote> notes;
  ir::Process process;
  std::vector<ir::Transition> transitions;
  std::vector<ir::Range> by_location;
  std::vector<u32> order;
  std::vector<u8> flags{0, ir::kAcceptingLocation};
  xmc::Model machine;
  xmc::Model judge;
  std::vector<Word> room;
  std::vector<Word> judged_room;
  std::vector<u32> labels;
  std::vector<u32> judged_labels;
};

}  // namespace xmc_test
