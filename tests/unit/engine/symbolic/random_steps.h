// Random models of a few fields whose steps are decision trees: executed on states for an explicit
// search, and on parts of states for a symbolic one.
#pragma once

#include <map>
#include <queue>
#include <random>
#include <set>
#include <vector>

#include "xmc/model.h"
#include "xmc/partial.h"

namespace xmc_test {

using namespace xmc;

struct StepTree {
  u32 field = kNone;  // kNone: a leaf
  std::vector<StepTree> by_value;
  PartialEnd end = PartialEnd::disabled;
  std::vector<FieldCode> writes;
};

struct RandomSteps {
  using State = std::vector<u32>;

  std::vector<u32> domains;
  std::vector<StepTree> steps;
  std::vector<StepTree> moves;  // of a property, whose state is the last field
  std::vector<StepTree> predicates;
  StepTree accepting;  // of a property
  State first;
  std::vector<StateField> fields;
  PartialSteps partial;

  // Shape of a random model.
  struct Wish {
    u32 fields = 4;
    u32 values = 4;
    u32 steps = 6;
    u32 depth = 3;
    bool errors = false;
    bool product = false;
    u32 predicates = 2;
  };

  RandomSteps(std::mt19937& rng, const Wish& wish) {
    for (u32 f = 0; f < wish.fields; ++f) domains.push_back(2 + rng() % (wish.values - 1));
    for (u32 d : domains) first.push_back(rng() % d);
    const u32 system = wish.fields - (wish.product ? 1 : 0);
    for (u32 s = 0; s < wish.steps; ++s) {
      steps.push_back(tree(rng, wish, wish.depth, system, 0, system, wish.errors));
    }
    for (u32 m = 0; wish.product && m < 1 + wish.steps / 2; ++m) {
      moves.push_back(tree(rng, wish, wish.depth, wish.fields, system, wish.fields, wish.errors));
    }
    accepting = tree(rng, wish, 2, wish.fields, 0, 0, false);
    if (wish.product && rng() % 2 == 0) {
      accepting = StepTree{system, std::vector<StepTree>(domains[system]), {}, {}};
      for (StepTree& t : accepting.by_value) {
        if (rng() % 3 == 0) t.end = PartialEnd::done;
      }
    }
    for (u32 i = 0; i < wish.predicates; ++i) {
      predicates.push_back(tree(rng, wish, 4, wish.fields, 0, 0, false));
    }
    u32 shift = 0;
    for (u32 f = 0; f < wish.fields; ++f, shift += 6) {
      StateField field;
      field.shift = static_cast<u8>(shift);
      field.width = 6;
      field.process = f % 3;
      field.location = f < 3;
      fields.push_back(field);
    }
    partial.self = this;
    partial.step_count = static_cast<u32>(steps.size());
    partial.move_count = static_cast<u32>(moves.size());
    partial.run = run;
    partial.may_read = may_read;
  }
  RandomSteps(const RandomSteps&) = delete;
  RandomSteps& operator=(const RandomSteps&) = delete;

  Model model() {
    Model m;
    m.state_words = 1;
    m.state_bits = static_cast<u32>(fields.size()) * 6;
    m.state_bytes = 8;
    m.max_successors = static_cast<u32>(steps.size() * std::max<std::size_t>(moves.size(), 1));
    m.max_successors += static_cast<u32>(moves.size());
    m.predicate_count = static_cast<u32>(predicates.size());
    m.self = this;
    m.initial = [](void* self, const SuccessorBuffer& out) {
      const RandomSteps& r = *static_cast<RandomSteps*>(self);
      out.states[0] = r.pack(r.first);
      return u32{1};
    };
    m.expand = expand;
    m.fields = fields;
    m.partial = &partial;
    m.buchi = !moves.empty();
    return m;
  }

  Word pack(const State& s) const {
    Word w = 0;
    for (u32 f = 0; f < s.size(); ++f) w |= Word{s[f]} << (6 * f);
    return w;
  }
  State unpack(Word w) const {
    State s(domains.size());
    for (u32 f = 0; f < s.size(); ++f) s[f] = static_cast<u32>(w >> (6 * f)) & 63;
    return s;
  }
  static const StepTree& leaf(const StepTree& t, const State& s) {
    return t.field == kNone ? t : leaf(t.by_value[s[t.field]], s);
  }
  bool accepts(Word w) const { return leaf(accepting, unpack(w)).end == PartialEnd::done; }
  static State after(State s, const StepTree& l) {
    for (const FieldCode& w : l.writes) s[w.field] = w.code;
    return s;
  }

  // What a naive search finds.
  struct Truth {
    std::map<State, u32> level;
    u64 deadlocks = 0;
    u64 transitions = 0;
    u64 stuttering = 0;     // of the deadlocks
    u64 erroneous = 0;      // states
    u32 first_bad = kNone;  // level of the first violation, deadlocks included
    u64 accepting = 0;
    std::map<State, std::vector<State>> edges;
  };
  // Whether some accepting state leads to itself.
  bool has_accepting_cycle(const Truth& t) const {
    for (const auto& [seed, level] : t.level) {
      if (leaf(accepting, seed).end != PartialEnd::done) continue;
      std::set<State> seen;
      std::queue<State> open;
      open.push(seed);
      while (!open.empty()) {
        const std::vector<State> next = t.edges.at(open.front());
        open.pop();
        for (const State& n : next) {
          if (n == seed) return true;
          if (seen.insert(n).second) open.push(n);
        }
      }
    }
    return false;
  }
  // `stuttering`: a state that all steps lead back to is a deadlock, too.
  Truth explore(bool stuttering) {
    Truth t;
    std::queue<State> open;
    t.level[first] = 0;
    open.push(first);
    std::vector<Word> buffer(model().max_successors + 1);
    while (!open.empty()) {
      const State s = open.front();
      open.pop();
      const u32 level = t.level[s];
      const Word packed = pack(s);
      SuccessorBuffer out;
      out.states = buffer.data();
      out.capacity = static_cast<u32>(buffer.size());
      const Expansion e = expand(this, &packed, out);
      bool deadlock = (e.flags & kDeadlock) != 0;
      if (stuttering && !deadlock && e.count > 0) {
        deadlock = e.errors == 0 && std::all_of(buffer.begin(), buffer.begin() + e.count,
                                                [&](Word w) { return w == packed; });
        t.stuttering += deadlock;
      }
      t.transitions += e.count;
      t.deadlocks += deadlock;
      t.erroneous += e.errors != 0;
      t.accepting += (e.flags & kAccepting) != 0;
      std::vector<State>& next = t.edges[s];
      if (deadlock || e.errors != 0 || e.violated != kNone)
        t.first_bad = std::min(t.first_bad, level);
      for (u32 i = 0; i < e.count; ++i) {
        const State n = unpack(buffer[i]);
        next.push_back(n);
        if (t.level.emplace(n, level + 1).second) open.push(n);
      }
    }
    return t;
  }

 private:
  // Reads of fields below `readable`, writes of those in first..last.
  StepTree tree(std::mt19937& rng, const Wish& wish, u32 depth, u32 readable, u32 first_written,
                u32 last_written, bool errors) {
    StepTree t;
    if (depth > 0 && rng() % 6 != 0) {
      t.field = rng() % readable;
      for (u32 v = 0; v < domains[t.field]; ++v) {
        t.by_value.push_back(
            tree(rng, wish, depth - 1, readable, first_written, last_written, errors));
      }
      return t;
    }
    const bool predicate = first_written == last_written;
    const u32 dice = rng() % 12;
    if (dice < 5 || (predicate && dice < 11)) return t;
    t.end = errors && dice == 5 ? PartialEnd::fails : PartialEnd::done;
    if (t.end == PartialEnd::fails || predicate) return t;
    for (u32 n = rng() % 3 + 1; n > 0; --n) {
      const u32 f = first_written + rng() % (last_written - first_written);
      bool known = false;
      for (const FieldCode& w : t.writes) known = known || w.field == f;
      if (!known) t.writes.push_back({f, static_cast<u32>(rng() % domains[f])});
    }
    return t;
  }

  static Expansion expand(void* self, const Word* state, const SuccessorBuffer& out) {
    const RandomSteps& r = *static_cast<RandomSteps*>(self);
    const State s = r.unpack(*state);
    Expansion e;
    bool any = false;
    const auto add = [&](const State& n, bool ok) {
      if (!ok) ++e.errors;
      if (ok) out.states[e.count++] = r.pack(n);
    };
    const auto with_moves = [&](const State& n, bool ok) {
      if (r.moves.empty()) return add(n, ok);
      for (const StepTree& m : r.moves) {
        const StepTree& l = leaf(m, s);
        if (l.end != PartialEnd::disabled) add(after(n, l), ok && l.end == PartialEnd::done);
      }
    };
    for (const StepTree& t : r.steps) {
      const StepTree& l = leaf(t, s);
      if (l.end == PartialEnd::disabled) continue;
      any = true;
      with_moves(after(s, l), l.end == PartialEnd::done);
    }
    if (!any) e.flags = kDeadlock;
    if (leaf(r.accepting, s).end == PartialEnd::done) e.flags |= kAccepting;
    if (!any && !r.moves.empty()) with_moves(s, true);
    for (u32 i = 0; i < r.predicates.size() && e.violated == kNone; ++i) {
      if (leaf(r.predicates[i], s).end == PartialEnd::done) e.violated = i;
    }
    return e;
  }

  const StepTree& tree_of(PartialQuestion q, u32 index) const {
    if (q == PartialQuestion::violated) return predicates[index];
    if (q == PartialQuestion::accepting) return accepting;
    return q == PartialQuestion::move ? moves[index] : steps[index];
  }

  static PartialEnd run(void* self, PartialQuestion q, u32 index, PartialRun& run) {
    const StepTree* t = &static_cast<RandomSteps*>(self)->tree_of(q, index);
    run.read_count = run.write_count = 0;
    while (t->field != kNone) {
      if (!know(run, t->field)) return PartialEnd::needs;
      t = &t->by_value[run.codes[t->field]];
    }
    if (q == PartialQuestion::enabled && t->end != PartialEnd::disabled) return PartialEnd::done;
    for (const FieldCode& w : t->writes) run.writes[run.write_count++] = w;
    if (q != PartialQuestion::changes || t->end == PartialEnd::disabled) return t->end;
    if (t->end == PartialEnd::fails) return PartialEnd::done;
    return find_change(run, [&](u32 field) { return know(run, field); });
  }
  static bool know(PartialRun& run, u32 field) {
    run.field = field;
    if (run.known[field] == 0) return false;
    bool seen = false;
    for (u32 i = 0; i < run.read_count; ++i) seen = seen || run.reads[i] == field;
    if (!seen) run.reads[run.read_count++] = field;
    return true;
  }

  static void mark_reads(const StepTree& t, bool writes, std::span<u8> fields) {
    if (t.field != kNone) fields[t.field] = 1;
    for (const StepTree& below : t.by_value) mark_reads(below, writes, fields);
    for (const FieldCode& w : t.writes) {
      if (writes) fields[w.field] = 1;
    }
  }
  static void may_read(void* self, PartialQuestion q, u32 index, std::span<u8> fields) {
    const RandomSteps& r = *static_cast<RandomSteps*>(self);
    mark_reads(r.tree_of(q, index), q == PartialQuestion::changes, fields);
    fields[0] = 1;  // more than it does: that must not matter, and no step reads nothing
  }
};

}  // namespace xmc_test
