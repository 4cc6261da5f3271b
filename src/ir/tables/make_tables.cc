#include "ir/tables/make_tables.h"

#include <bit>

#include "ir/tables/channel_ends.h"
#include "ir/tables/sticky.h"
#include "ir/tables/turns.h"
#include "xmc/bytes.h"
#include "xmc/limits.h"

namespace xmc::ir {

namespace {

using Kind = Condition::Kind;

constexpr const char* kName = "step tables";
// Sets of locations that can be reached are kept for processes of this size.
constexpr u32 kReachedLocations = 512;

// Lists of numbers by number, of what is pushed in two equal rounds: counting, then filling.
struct Lists {
  std::span<u32> first;
  std::span<u32> items;
};

class Maker {
 public:
  Maker(StepFacts& facts, Arena& arena, StepTables& out)
      : f_(facts), arena_(arena), t_(out), turns_(facts) {}

  Status run(u32 share);

 private:
  std::span<u64> rows(u64 count) { return arena_.carve_array<u64>(kName, count * t_.words); }
  std::span<u64> scratch_rows(u64 count) {
    return scratch_array<u64>(arena_, kName, count * t_.words);
  }
  void watch(u32 condition);
  void watch_leaves(u32 condition);
  template <class Visit>
  void cells_of(u32 condition, Visit visit);
  void list_watches();
  u64 bytes() const;
  void copy_lists();
  void number_steps();
  void turn_conditions();
  void find_users();
  void discord();
  void accord_timeouts();
  bool asks_timeout(u32 step) const;
  void accord_apart();
  bool apart(const StepFact& a, const StepFact& b) const;
  void failing();
  void list_processes();
  void reach();
  void leave();
  void look();
  void falsify();
  void join(u64* row, const u64* with) const {
    for (u32 i = 0; i < t_.words; ++i) row[i] |= with[i];
  }
  u64* discord_of(u32 step) { return discord_.data() + u64{step} * t_.words; }
  u64* turning(u32 watch, bool to) {
    return turning_.data() + (u64{2} * watch + (to ? 0 : 1)) * t_.words;
  }
  u64* readers(u32 cell) { return readers_.data() + u64{cell} * t_.words; }
  u64* writers(u32 cell) { return writers_.data() + u64{cell} * t_.words; }

  StepFacts& f_;
  Arena& arena_;
  StepTables& t_;
  Turns turns_;
  u32 watch_count_ = 0;
  std::span<u32> watched_;  // by watch: its condition
  Lists watches_;           // by cell
  std::span<u64> turning_;
  std::span<u64> discord_;
  std::span<u64> readers_;
  std::span<u64> writers_;
  struct Reached {
    u32 first = 0;
    u32 words = 0;  // 0: not known
  };
  std::span<Reached> reached_of_;  // by process
  std::span<u64> reached_;
};

void Maker::watch(u32 condition) {
  Condition& c = f_.conditions[condition];
  if (c.watch != kNone) return;
  c.watch = watch_count_++;
}

void Maker::watch_leaves(u32 condition) {
  const Condition& c = f_.conditions[condition];
  if (c.kind != Kind::all_of && c.kind != Kind::any_of) return watch(condition);
  for (u32 i = 0; i < c.count; ++i) watch_leaves(f_.parts[c.first + i]);
}

template <class Visit>
void Maker::cells_of(u32 condition, Visit visit) {
  const Condition& c = f_.conditions[condition];
  switch (c.kind) {
    case Kind::compare:
      return visit(c.cell);
    case Kind::balance:
    case Kind::rest:
    case Kind::opaque:
      for (u32 i = 0; i < c.count; ++i) {
        const CellRange& cells = f_.inputs[c.first + i].cells;
        for (u32 k = 0; k < cells.count; ++k) visit(cells.first + k);
      }
      return;
    case Kind::all_of:
    case Kind::any_of:
      for (u32 i = 0; i < c.count; ++i) cells_of(f_.parts[c.first + i], visit);
      return;
    default:
      return;
  }
}

// By cell, the conditions that read it.
void Maker::list_watches() {
  watched_ = scratch_array<u32>(arena_, kName, watch_count_);
  for (u32 i = 0; i < f_.conditions.size(); ++i) {
    if (f_.conditions[i].watch != kNone) watched_[f_.conditions[i].watch] = i;
  }
  const std::size_t cells = f_.hull.size();
  watches_.first = scratch_array<u32>(arena_, kName, cells + 1);
  for (const u32 condition : watched_)
    cells_of(condition, [&](u32 cell) { ++watches_.first[cell]; });
  u32 sum = 0;
  for (u32& first : watches_.first) {
    sum += first;
    first = sum;
  }
  watches_.items = scratch_array<u32>(arena_, kName, sum);
  for (u32 w = 0; w < watch_count_; ++w)
    cells_of(watched_[w], [&](u32 cell) { watches_.items[--watches_.first[cell]] = w; });
}

// Of everything that grows with the square of the text: what stays, and what is given back.
u64 Maker::bytes() const {
  const u64 row = u64{t_.words} * sizeof(u64);
  return row * (u64{2} * t_.step_count + u64{2} * watch_count_ + u64{3} * f_.hull.size() +
                u64{2} * f_.committed.size());
}

template <class T, class Pool>
std::span<T> carved(Arena& arena, const Pool& pool) {
  const std::span<T> out = arena.carve_array<T>(kName, pool.size());
  for (u32 i = 0; i < pool.size(); ++i) out[i] = pool[i];
  return out;
}

void Maker::copy_lists() {
  const std::span<Slot> cells = arena_.carve_array<Slot>(kName, f_.slots.size());
  copy(cells, std::span<const Slot>(f_.slots));
  t_.cells = cells;
  t_.conditions = carved<Condition>(arena_, f_.conditions);
  t_.parts = carved<u32>(arena_, f_.parts);
  t_.conjuncts = carved<u32>(arena_, f_.conjuncts);
  t_.conjunct_lists = carved<u32>(arena_, f_.conjunct_lists);
  t_.goals = carved<u32>(arena_, f_.goals);
  if (!f_.any_committed) return;
  const std::span<u8> committed = arena_.carve_array<u8>(kName, f_.committed.size());
  copy(committed, std::span<const u8>(f_.committed));
  t_.committed = committed;
}

void Maker::number_steps() {
  const std::span<u32> numbers = arena_.carve_array<u32>(kName, f_.program_steps);
  for (u32& n : numbers) n = kNone;
  const std::span<StepParts> steps = arena_.carve_array<StepParts>(kName, t_.step_count);
  for (u32 i = 0; i < t_.step_count; ++i) {
    numbers[f_.steps[i].number] = i;
    steps[i] = f_.steps[i].parts;
  }
  t_.number_of = numbers;
  t_.steps = steps;
}

void Maker::turn_conditions() {
  turning_ = rows(u64{2} * watch_count_);
  const std::span<u32> seen = scratch_array<u32>(arena_, kName, watch_count_);
  const auto ask = [&](u32 step, u32 w) {
    if (seen[w] == step + 1) return;
    seen[w] = step + 1;
    if (turns_.turns(watched_[w], true)) set_bit(turning(w, true), step);
    if (turns_.turns(watched_[w], false)) set_bit(turning(w, false), step);
  };
  u32 unhindered = kNone;
  for (u32 w = 0; w < watch_count_; ++w) {
    const Kind kind = f_.conditions[watched_[w]].kind;
    if (kind == Kind::unhindered) unhindered = w;
    if (kind != Kind::quiet) continue;
    for (u32 s = 0; s < t_.step_count; ++s) {
      set_bit(turning(w, true), s);
      set_bit(turning(w, false), s);
    }
  }
  for (u32 s = 0; s < t_.step_count; ++s) {
    const StepFact& step = f_.steps[s];
    turns_.load(step);
    if (unhindered != kNone) ask(s, unhindered);
    for (u32 i = 0; i < step.writes.count; ++i) {
      const CellRange& cells = f_.writes[step.writes.first + i].cells;
      for (u32 c = cells.first; c < cells.first + cells.count; ++c) {
        for (u32 k = watches_.first[c]; k < watches_.first[c + 1]; ++k) ask(s, watches_.items[k]);
      }
    }
  }
  t_.turning = turning_;
}

void Maker::find_users() {
  readers_ = scratch_rows(f_.hull.size());
  writers_ = scratch_rows(f_.hull.size());
  for (u32 s = 0; s < t_.step_count; ++s) {
    const StepFact& step = f_.steps[s];
    for (u32 i = 0; i < step.reads.count; ++i) {
      const CellRange& cells = f_.reads[step.reads.first + i];
      for (u32 k = 0; k < cells.count; ++k) set_bit(readers(cells.first + k), s);
    }
    for (u32 i = 0; i < step.writes.count; ++i) {
      const CellRange& cells = f_.writes[step.writes.first + i].cells;
      for (u32 k = 0; k < cells.count; ++k) set_bit(writers(cells.first + k), s);
    }
  }
}

// Steps of the same process, steps that meet in a cell, and steps that disable one another.
void Maker::discord() {
  discord_ = rows(t_.step_count);
  const std::span<u64> of_process = scratch_rows(f_.processes.size());
  for (u32 s = 0; s < t_.step_count; ++s) {
    const StepParts& parts = f_.steps[s].parts;
    for (u32 i = 0; i < parts.count; ++i)
      set_bit(of_process.data() + u64{parts.partners[i].process} * t_.words, s);
  }
  for (u32 s = 0; s < t_.step_count; ++s) {
    const StepFact& step = f_.steps[s];
    u64* const row = discord_of(s);
    for (u32 i = 0; i < step.parts.count; ++i)
      join(row, of_process.data() + u64{step.parts.partners[i].process} * t_.words);
    for (u32 i = 0; i < step.writes.count; ++i) {
      const CellRange& cells = f_.writes[step.writes.first + i].cells;
      for (u32 k = 0; k < cells.count; ++k) {
        join(row, readers(cells.first + k));
        join(row, writers(cells.first + k));
      }
    }
    for (u32 i = 0; i < step.reads.count; ++i) {
      const CellRange& cells = f_.reads[step.reads.first + i];
      for (u32 k = 0; k < cells.count; ++k) join(row, writers(cells.first + k));
    }
    for (u32 i = 0; i < step.parts.conjunct_count; ++i) {
      const u32 conjunct = f_.conjunct_lists[step.parts.first_conjunct + i];
      const Condition& c = f_.conditions[f_.conjuncts[conjunct]];
      if (c.kind == Kind::unhindered && f_.forgets_committed) continue;
      join(row, turning(c.watch, false));
    }
  }
  for (u32 a = 0; a < t_.step_count; ++a) {
    for (u32 b = 0; b < t_.step_count; ++b) {
      if (has_bit(discord_of(a), b)) set_bit(discord_of(b), a);
    }
  }
  accord_timeouts();
  accord_ends(f_, t_, discord_);
  accord_apart();
  t_.discord = discord_;
}

// Whether they are never enabled in the same state.
bool Maker::apart(const StepFact& a, const StepFact& b) const {
  for (u32 i = 0; i < a.before.count; ++i) {
    const CellBefore& x = f_.before[a.before.first + i];
    for (u32 k = 0; k < b.before.count; ++k) {
      const CellBefore& y = f_.before[b.before.first + k];
      if (x.cell == y.cell && ir::meet(x.values, y.values).empty()) return true;
    }
  }
  if (!f_.any_committed) return false;
  const auto waits = [&](const StepFact& s) {
    const StepPartner& p = s.parts.partners[0];
    return f_.committed[f_.processes[p.process].first_location + p.source] == 0;
  };
  return waits(a) != waits(b);
}

// Who waits for `timeout` is never enabled beside a step that does not.
void Maker::accord_timeouts() {
  for (u32 a = 0; a < t_.step_count; ++a) {
    if (!f_.steps[a].waits_for_timeout) continue;
    for (u32 b = 0; b < t_.step_count; ++b) {
      if (f_.steps[b].waits_for_timeout || asks_timeout(b)) continue;
      clear_bit(discord_of(a), b);
      clear_bit(discord_of(b), a);
    }
  }
}

bool Maker::asks_timeout(u32 step) const {
  const StepParts& parts = f_.steps[step].parts;
  for (u32 i = 0; i < parts.conjunct_count; ++i) {
    const u32 c = f_.conjuncts[f_.conjunct_lists[parts.first_conjunct + i]];
    if (f_.conditions[c].kind == Kind::quiet) return true;
  }
  return false;
}

void Maker::accord_apart() {
  for (u32 a = 0; a < t_.step_count; ++a) {
    u64* const row = discord_of(a);
    for (u32 w = 0; w < t_.words; ++w) {
      for (u64 rest = row[w]; rest != 0; rest &= rest - 1) {
        const u32 b = w * 64 + static_cast<u32>(std::countr_zero(rest));
        if (apart(f_.steps[a], f_.steps[b])) clear_bit(row, b);
      }
    }
    clear_bit(row, a);
  }
}

void Maker::failing() {
  u32 count = 0;
  for (u32 s = 0; s < t_.step_count; ++s) count += f_.steps[s].may_fail ? 1u : 0u;
  const std::span<u32> steps = arena_.carve_array<u32>(kName, count);
  const std::span<u64> writing = rows(count);
  u32 next = 0;
  for (u32 s = 0; s < t_.step_count; ++s) {
    const StepFact& step = f_.steps[s];
    if (!step.may_fail) continue;
    for (u32 i = 0; i < step.error_reads.count; ++i) {
      const CellRange& cells = f_.error_reads[step.error_reads.first + i];
      for (u32 k = 0; k < cells.count; ++k)
        join(writing.data() + u64{next} * t_.words, writers(cells.first + k));
    }
    steps[next++] = s;
  }
  t_.failing_steps = steps;
  t_.failing_writers = writing;
}

void Maker::list_processes() {
  const std::span<StepProcess> processes =
      arena_.carve_array<StepProcess>(kName, f_.processes.size());
  for (u32 p = 0; p < processes.size(); ++p) {
    const ProcessFact& q = f_.processes[p];
    processes[p] = {f_.slots[q.location_cell], q.first_location, q.location_count, q.is_exact};
  }
  t_.processes = processes;
}

// By location, the set of locations of its process that can be reached by one step or more.
void Maker::reach() {
  reached_of_ = scratch_array<Reached>(arena_, kName, f_.processes.size());
  u32 words = 0;
  for (u32 p = 0; p < f_.processes.size(); ++p) {
    const u32 count = f_.processes[p].location_count;
    if (count > kReachedLocations) continue;
    reached_of_[p] = {words, static_cast<u32>(divide_up(count, 64))};
    words += reached_of_[p].words * count;
  }
  reached_ = scratch_array<u64>(arena_, kName, words);
  bool changed = true;
  const auto edge = [&](const StepPartner& e) {
    const Reached& of = reached_of_[e.process];
    if (of.words == 0) return;
    u64* const from = reached_.data() + of.first + u64{e.source} * of.words;
    const u64* const to = reached_.data() + of.first + u64{e.target} * of.words;
    for (u32 w = 0; w < of.words; ++w) {
      const u64 more = to[w] | (e.target / 64 == w ? u64{1} << e.target % 64 : 0);
      changed = changed || (more & ~from[w]) != 0;
      from[w] |= more;
    }
  };
  while (changed) {
    changed = false;
    for (u32 s = 0; s < t_.step_count; ++s) {
      const StepParts& parts = f_.steps[s].parts;
      for (u32 i = 0; i < parts.count; ++i) edge(parts.partners[i]);
    }
  }
}

void Maker::leave() {
  reach();
  const std::span<u64> leaving = rows(f_.committed.size());
  const std::span<u64> towards = rows(f_.committed.size());
  for (u32 s = 0; s < t_.step_count; ++s) {
    const StepParts& parts = f_.steps[s].parts;
    for (u32 i = 0; i < parts.count; ++i) {
      const StepPartner& e = parts.partners[i];
      if (e.source == e.target) continue;
      const ProcessFact& q = f_.processes[e.process];
      const Reached& of = reached_of_[e.process];
      const u64* const ahead = reached_.data() + of.first + u64{e.target} * of.words;
      set_bit(leaving.data() + u64{q.first_location + e.source} * t_.words, s);
      for (u32 l = 0; l < q.location_count; ++l) {
        if (l == e.target || of.words == 0 || has_bit(ahead, l))
          set_bit(towards.data() + u64{q.first_location + l} * t_.words, s);
      }
    }
  }
  t_.leaving = leaving;
  t_.towards = towards;
}

// What may change whether a guard of the automaton holds.
void Maker::look() {
  const std::span<u64> row = rows(1);
  for (u32 s = 0; s < t_.step_count; ++s) {
    turns_.load(f_.steps[s]);
    for (u32 i = 0; i < f_.atoms.size() && !has_bit(row.data(), s); ++i) {
      if (turns_.turns(f_.atoms[i], true) || turns_.turns(f_.atoms[i], false))
        set_bit(row.data(), s);
    }
  }
  t_.visible = row;
  for (const u64 word : row) t_.visible_count += static_cast<u32>(std::popcount(word));
}

void Maker::falsify() {
  const std::span<u64> row = rows(1);
  for (u32 s = 0; s < t_.step_count; ++s) {
    turns_.load(f_.steps[s]);
    for (u32 g = 0; g < f_.goals.size(); ++g) {
      if (turns_.turns(f_.goals[g], false)) set_bit(row.data(), s);
    }
  }
  t_.falsifying = row;
}

Status Maker::run(u32 share) {
  t_ = {};
  t_.step_count = f_.steps.size();
  t_.words = static_cast<u32>(divide_up(t_.step_count, 64));
  if (t_.step_count > limits::kReducedSteps) {
    return Status::fail(Code::model, "the model has %u steps, more than %u (limit kReducedSteps)",
                        t_.step_count, limits::kReducedSteps);
  }
  for (u32 i = 0; i < f_.conjuncts.size(); ++i) watch(f_.conjuncts[i]);
  for (u32 i = 0; i < f_.goals.size(); ++i) watch_leaves(f_.goals[i]);
  if (bytes() > arena_.free_bytes() / share) {
    return Status::fail(Code::budget, "tables of %u steps take %llu bytes of memory", t_.step_count,
                        wide(bytes()));
  }
  list_watches();
  copy_lists();
  number_steps();
  turn_conditions();
  find_users();
  discord();
  failing();
  list_processes();
  leave();
  look();
  falsify();
  const std::span<u64> sticky = rows(1);
  t_.sticky = sticky;
  const std::span<u64> manifold = scratch_rows(1);
  for (u32 s = 0; s < t_.step_count; ++s) {
    if (f_.steps[s].is_sticky) set_bit(manifold.data(), s);
  }
  const auto find = [&](const u64* given) {
    const std::span<u64> all = scratch_rows(1);
    for (u32 w = 0; w < t_.words; ++w) all[w] = given[w] | manifold[w];
    find_sticky(f_, t_, all.data(), sticky.data());
    join(sticky.data(), manifold.data());
  };
  const bool puts_off = f_.atoms.empty() && !t_.failing_steps.empty() && !f_.exact_errors;
  if (!f_.goals.empty() || puts_off) find(t_.falsifying.data());
  if (!f_.atoms.empty()) find(t_.visible.data());
  for (const u64 word : sticky) t_.sticky_count += static_cast<u32>(std::popcount(word));
  return {};
}

}  // namespace

Status make_step_tables(StepFacts& facts, Arena& arena, StepTables& out, u32 share) {
  return Maker(facts, arena, out).run(share);
}

}  // namespace xmc::ir
