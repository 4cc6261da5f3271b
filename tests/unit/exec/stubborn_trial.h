// Graphs of models with and without the steps that a reduction leaves out, and what is to be equal.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/run/input/load_model.h"
#include "exec/models/stubborn.h"
#include "exec/processes/vm.h"
#include "ir/tables/make_tables.h"
#include "ir/tables/process_steps.h"
#include "trial.h"

namespace xmc::test {

struct Reducible {
  explicit Reducible(const std::string& text, const std::string& reach = "")
      : region(std::size_t{4} << 20), arena(region.memory) {
    LoadRequest request;
    request.text = text;
    request.file = "test.dve";
    request.language = language_by_name("dve");
    request.reach = reach;
    const auto sink = [](void* self, std::string_view piece) {
      static_cast<Reducible*>(self)->messages += piece;
    };
    status = load_model(request, sink, this, arena, loaded);
  }
  Reducible(const Reducible&) = delete;
  Reducible& operator=(const Reducible&) = delete;

  // Taken step by step, or filtered out of all successors.
  Model reduced(StubbornRules rules, u32 table_faults = 0, bool stepwise = true) {
    const u64 mark = arena.scratch_mark();
    ir::StepFacts facts(arena);
    const ir::Program& p = *loaded.program;
    const bool goals = rules.mode == StubbornMode::shortest || rules.mode == StubbornMode::reach;
    ir::StepQuestion question{goals, rules.mode == StubbornMode::ltl, table_faults};
    ir::find_process_steps(p, question, facts);
    table_status = ir::make_step_tables(facts, arena, tables);
    arena.scratch_release(mark);
    Model out;
    const Stepwise halves = stepwise ? make_stepwise_vm(p, loaded.model, arena) : Stepwise{};
    make_stubborn(p, tables, rules, loaded.model, halves, arena, out);
    return out;
  }

  xmc_test::Region region;
  Arena arena;
  LoadedModel loaded;
  ir::StepTables tables;
  Status status;
  Status table_status;
  std::string messages;
};

using StateKey = std::vector<Word>;

struct Graph {
  std::map<StateKey, u32> number;
  std::vector<u32> depth;
  std::vector<std::vector<u32>> next;
  std::vector<u8> accepting;
  std::map<StateKey, u32> deadlocks;  // with their depths
  std::optional<u32> error;           // the depth of the first
  std::optional<u32> goal;
  bool too_large = false;

  u64 transitions() const {
    u64 n = 0;
    for (const auto& list : next) n += list.size();
    return n;
  }
  bool has_accepting_cycle() const;
};

inline Graph graph_of(const Model& m, u32 most) {
  Graph g;
  std::vector<Word> words(u64{m.max_successors} * m.state_words);
  const SuccessorBuffer buffer{words.data(), nullptr, m.max_successors};
  std::vector<StateKey> states;
  const auto add = [&](const Word* state, u32 depth) {
    StateKey key(state, state + m.state_words);
    const auto [at, fresh] = g.number.emplace(key, static_cast<u32>(states.size()));
    if (fresh) {
      states.push_back(std::move(key));
      g.depth.push_back(depth);
    }
    return at->second;
  };
  m.initial(m.self, buffer);
  add(words.data(), 0);
  for (u32 i = 0; i < states.size(); ++i) {
    if (states.size() > most) {
      g.too_large = true;
      return g;
    }
    const StateKey state = states[i];
    const Expansion e = m.expand(m.self, state.data(), buffer);
    if ((e.flags & kDeadlock) != 0) g.deadlocks.emplace(state, g.depth[i]);
    if (e.errors != 0 && !g.error) g.error = g.depth[i];
    if (e.violated != kNone && !g.goal) g.goal = g.depth[i];
    g.accepting.push_back((e.flags & kAccepting) != 0 ? 1 : 0);
    g.next.emplace_back();
    for (u32 k = 0; k < e.count; ++k)
      g.next[i].push_back(add(words.data() + u64{k} * m.state_words, g.depth[i] + 1));
  }
  return g;
}

// An accepting state that reaches itself.
inline bool Graph::has_accepting_cycle() const {
  std::vector<u32> seen(next.size(), kNone);
  std::vector<u32> stack;
  for (u32 seed = 0; seed < next.size(); ++seed) {
    if (accepting[seed] == 0) continue;
    stack.assign(1, seed);
    while (!stack.empty()) {
      const u32 from = stack.back();
      stack.pop_back();
      for (const u32 to : next[from]) {
        if (to == seed) return true;
        if (seen[to] == seed) continue;
        seen[to] = seed;
        stack.push_back(to);
      }
    }
  }
  return false;
}

}  // namespace xmc::test
