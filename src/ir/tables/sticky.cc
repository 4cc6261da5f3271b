#include "ir/tables/sticky.h"

#include <bit>

#include "ir/tables/turns.h"
#include "xmc/bytes.h"

namespace xmc::ir {

namespace {

constexpr u32 kValues = 33;             // of a cell whose value graph is looked at
constexpr u64 kEffort = u64{40} << 20;  // steps and edges looked at
constexpr u32 kGroups = 64;

using Write = CellWrite::Kind;

// A small graph of the values of a cell.
struct ValueGraph {
  u64 next[kValues] = {};
  u64 back[kValues] = {};  // by value: those that lead to it
  void close(u32 count) {
    for (u32 k = 0; k < count; ++k) {
      for (u32 i = 0; i < count; ++i) {
        if ((next[i] >> k & 1) != 0) next[i] |= next[k];
      }
    }
    for (u32 i = 0; i < count; ++i) {
      for (u64 to = next[i]; to != 0; to &= to - 1) back[std::countr_zero(to)] |= u64{1} << i;
    }
  }
};

class Elimination {
 public:
  Elimination(StepFacts& facts, const StepTables& tables)
      : f_(facts), t_(tables), turns_(facts), words_(tables.words) {
    Arena& arena = f_.arena;
    const auto row = [&] { return scratch_array<u64>(arena, StepFacts::kName, words_); };
    rem_ = row();
    kept_ = row();
    list_ = scratch_array<u32>(arena, StepFacts::kName, f_.hull.size() + f_.processes.size());
    listed_ = scratch_array<u8>(arena, StepFacts::kName, list_.size());
    u32 locations = 0;
    for (const ProcessFact& p : f_.processes) {
      locations += p.location_count;
      widest_ = p.location_count > widest_ ? p.location_count : widest_;
    }
    locations_ = locations;
    order_ = scratch_array<u32>(arena, StepFacts::kName, widest_);
    low_ = scratch_array<u32>(arena, StepFacts::kName, widest_);
    component_ = scratch_array<u32>(arena, StepFacts::kName, widest_);
    stack_ = scratch_array<u32>(arena, StepFacts::kName, widest_);
    frames_ = scratch_array<u32>(arena, StepFacts::kName, widest_);
    edges_ = scratch_array<u32>(arena, StepFacts::kName, widest_);
    list_writers();
    list_edges();
  }

  void run(const u64* given, u64* sticky);

 private:
  bool remains(u32 step) const { return has_bit(rem_.data(), step); }
  bool empty() const {
    for (const u64 w : rem_) {
      if (w != 0) return false;
    }
    return true;
  }
  u32 size() const {
    u32 n = 0;
    for (const u64 w : rem_) n += static_cast<u32>(std::popcount(w));
    return n;
  }
  void drop(u32 step) {
    clear_bit(rem_.data(), step);
    look_again_for(step);
  }
  u32 cells() const { return static_cast<u32>(f_.hull.size()); }
  void look_again(u32 thing);
  void look_again_for(u32 step);
  void look_again_at_all();
  void set_aside(const std::span<u64>& steps);
  void list_writers();
  void list_edges();
  void eliminate();
  void by_control(u32 process);
  void find_components(u32 process);
  void by_values(u32 cell);
  void by_direction(u32 cell);
  template <class Visit>
  void each_move(u32 step, Visit visit);
  template <class Visit>
  void each_edge(const StepFact& step, u32 cell, Visit visit);
  void directions(const StepFact& step, u32 cell, bool& may_grow, bool& may_shrink, bool& grows,
                  bool& shrinks);
  u32 take_group(u32 location, u64* into);
  u64 cost_of(u32 location);
  void drop_superfluous(const u64* given, u64* sticky);

  StepFacts& f_;
  const StepTables& t_;
  Turns turns_;
  u32 words_;
  std::span<u64> rem_;
  std::span<u64> kept_;
  // Cells, then processes, that are to be looked at, each once.
  std::span<u32> list_;
  std::span<u8> listed_;
  u32 list_count_ = 0;
  u64 effort_ = 0;
  u32 widest_ = 1;
  u32 locations_ = 0;
  // Steps by the cell that they may write, and by the location that they leave.
  std::span<u32> first_writer_;
  std::span<u32> writers_;
  std::span<u32> first_edge_;
  std::span<u32> edge_steps_;
  std::span<u32> edge_targets_;
  std::span<u32> looping_;  // by step: an edge of it is in a component, in this turn
  u32 turn_ = 0;
  std::span<u32> order_;
  std::span<u32> low_;
  std::span<u32> component_;
  std::span<u32> stack_;
  std::span<u32> frames_;
  std::span<u32> edges_;
  u32 groups_[kGroups] = {};
  u32 group_count_ = 0;
};

void Elimination::list_writers() {
  first_writer_ = scratch_array<u32>(f_.arena, StepFacts::kName, f_.hull.size() + 1);
  const auto each = [&](auto visit) {
    for (u32 s = 0; s < t_.step_count; ++s) {
      const StepFact& step = f_.steps[s];
      for (u32 i = 0; i < step.writes.count; ++i) {
        const CellRange& cells = f_.writes[step.writes.first + i].cells;
        for (u32 k = 0; k < cells.count; ++k) visit(cells.first + k, s);
      }
    }
  };
  each([&](u32 cell, u32) { ++first_writer_[cell]; });
  u32 sum = 0;
  for (u32& first : first_writer_) first = sum += first;
  writers_ = scratch_array<u32>(f_.arena, StepFacts::kName, sum);
  each([&](u32 cell, u32 s) { writers_[--first_writer_[cell]] = s; });
}

// Calls visit(move) for where a step takes its processes, or may take the one that it has.
template <class Visit>
void Elimination::each_move(u32 step, Visit visit) {
  const StepFact& s = f_.steps[step];
  for (u32 i = 0; i < s.parts.count; ++i) visit(s.parts.partners[i]);
  for (u32 i = 0; i < s.moves.count; ++i) visit(f_.moves[s.moves.first + i]);
}

void Elimination::list_edges() {
  first_edge_ = scratch_array<u32>(f_.arena, StepFacts::kName, locations_ + 1);
  const auto each = [&](auto visit) {
    for (u32 s = 0; s < t_.step_count; ++s) {
      each_move(s, [&](const StepPartner& p) {
        visit(f_.processes[p.process].first_location + p.source, s, p.target);
      });
    }
  };
  each([&](u32 at, u32, u32) { ++first_edge_[at]; });
  u32 sum = 0;
  for (u32& first : first_edge_) first = sum += first;
  edge_steps_ = scratch_array<u32>(f_.arena, StepFacts::kName, sum);
  edge_targets_ = scratch_array<u32>(f_.arena, StepFacts::kName, sum);
  looping_ = scratch_array<u32>(f_.arena, StepFacts::kName, t_.step_count);
  each([&](u32 at, u32 s, u32 target) {
    edge_steps_[--first_edge_[at]] = s;
    edge_targets_[first_edge_[at]] = target;
  });
}

// Tarjan's components of the control graph that remains.
void Elimination::find_components(u32 process) {
  const ProcessFact& q = f_.processes[process];
  const u32 n = q.location_count;
  u32 visited = 0;
  u32 stacked = 0;
  u32 components = 0;
  for (u32 l = 0; l < n; ++l) order_[l] = component_[l] = kNone;
  for (u32 root = 0; root < n; ++root) {
    if (order_[root] != kNone) continue;
    u32 depth = 0;
    const auto enter = [&](u32 l) {
      order_[l] = low_[l] = visited++;
      stack_[stacked++] = l;
      frames_[depth] = l;
      edges_[depth++] = first_edge_[q.first_location + l];
    };
    enter(root);
    while (depth > 0) {
      const u32 from = frames_[depth - 1];
      if (edges_[depth - 1] == first_edge_[q.first_location + from + 1]) {
        if (low_[from] == order_[from]) {
          u32 member = kNone;
          do {
            member = stack_[--stacked];
            component_[member] = components;
          } while (member != from);
          ++components;
        }
        if (--depth > 0 && low_[from] < low_[frames_[depth - 1]])
          low_[frames_[depth - 1]] = low_[from];
        continue;
      }
      const u32 edge = edges_[depth - 1]++;
      if (!remains(edge_steps_[edge])) continue;
      const u32 to = edge_targets_[edge];
      if (order_[to] == kNone) {
        enter(to);
      } else if (component_[to] == kNone && order_[to] < low_[from]) {
        low_[from] = order_[to];
      }
    }
  }
}

void Elimination::by_control(u32 process) {
  const ProcessFact& q = f_.processes[process];
  find_components(process);
  for (u32 l = 0; l < q.location_count; ++l) {
    const u32 at = q.first_location + l;
    effort_ += first_edge_[at + 1] - first_edge_[at] + 1;
    ++turn_;
    for (u32 e = first_edge_[at]; e < first_edge_[at + 1]; ++e) {
      if (component_[edge_targets_[e]] == component_[l]) looping_[edge_steps_[e]] = turn_;
    }
    for (u32 e = first_edge_[at]; e < first_edge_[at + 1]; ++e) {
      const u32 step = edge_steps_[e];
      if (remains(step) && looping_[step] != turn_) drop(step);
    }
  }
}

// Calls visit(old, set of new) for what the step may do to a cell of few values, counted from the
// lowest.
template <class Visit>
void Elimination::each_edge(const StepFact& step, u32 cell, Visit visit) {
  const Interval hull = f_.hull[cell];
  turns_.load(step);
  const Interval before = meet(turns_.before(cell), hull);
  for (u32 i = 0; i < step.writes.count; ++i) {
    const CellWrite& w = f_.writes[step.writes.first + i];
    if (cell - w.cells.first >= w.cells.count) continue;
    for (i32 v = before.lo; v <= before.hi; ++v) {
      const u32 from = static_cast<u32>(v - hull.lo);
      Interval to{w.lo, w.kind == Write::constant ? w.lo : w.hi};
      if (w.kind == Write::change) to = {v + w.lo, v + w.lo};
      to = meet(to, hull);
      u64 set = w.cells.count > 1 ? u64{1} << from : 0;
      if (!to.empty()) {
        const u64 below = u64{2} << static_cast<u32>(to.hi - hull.lo);
        set |= below - (u64{1} << static_cast<u32>(to.lo - hull.lo));
      }
      visit(from, set);
      effort_ += 2;
    }
  }
}

void Elimination::by_values(u32 cell) {
  const Interval hull = f_.hull[cell];
  if (hull.empty() || i64{hull.hi} - hull.lo >= kValues) return;
  ValueGraph graph;
  for (u32 i = first_writer_[cell]; i < first_writer_[cell + 1]; ++i) {
    if (!remains(writers_[i])) continue;
    each_edge(f_.steps[writers_[i]], cell, [&](u32 from, u64 to) { graph.next[from] |= to; });
  }
  const u32 values = static_cast<u32>(hull.hi) - static_cast<u32>(hull.lo) + 1;
  graph.close(values);
  effort_ += u64{values} * values;
  for (u32 i = first_writer_[cell]; i < first_writer_[cell + 1]; ++i) {
    if (!remains(writers_[i])) continue;
    bool back = false;
    each_edge(f_.steps[writers_[i]], cell, [&](u32 from, u64 to) {
      back = back || (to & (graph.back[from] | u64{1} << from)) != 0;
    });
    if (!back) drop(writers_[i]);
  }
}

void Elimination::directions(const StepFact& step, u32 cell, bool& may_grow, bool& may_shrink,
                             bool& grows, bool& shrinks) {
  turns_.load(step);
  const Interval before = turns_.before(cell);
  u32 writes = 0;
  for (u32 i = 0; i < step.writes.count; ++i) {
    const CellWrite& w = f_.writes[step.writes.first + i];
    if (cell - w.cells.first >= w.cells.count) continue;
    ++writes;
    const i32 hi = w.kind == Write::constant ? w.lo : w.hi;
    const bool change = w.kind == Write::change;
    may_grow = may_grow || (change ? w.lo > 0 : hi > before.lo);
    may_shrink = may_shrink || (change ? w.lo < 0 : w.lo < before.hi);
    const bool sure = w.cells.count == 1;
    grows = sure && (change ? w.lo > 0 : w.lo > before.hi);
    shrinks = sure && (change ? w.lo < 0 : hi < before.lo);
  }
  if (writes == 1) return;
  grows = shrinks = false;
}

void Elimination::by_direction(u32 cell) {
  bool any_grows = false;
  bool any_shrinks = false;
  const auto each = [&](auto visit) {
    for (u32 i = first_writer_[cell]; i < first_writer_[cell + 1]; ++i) {
      if (!remains(writers_[i])) continue;
      bool may_grow = false;
      bool may_shrink = false;
      bool grows = false;
      bool shrinks = false;
      directions(f_.steps[writers_[i]], cell, may_grow, may_shrink, grows, shrinks);
      visit(writers_[i], may_grow, may_shrink, grows, shrinks);
      effort_ += 4;
    }
  };
  each([&](u32, bool may_grow, bool may_shrink, bool, bool) {
    any_grows = any_grows || may_grow;
    any_shrinks = any_shrinks || may_shrink;
  });
  if (any_grows && any_shrinks) return;
  each([&](u32 step, bool, bool, bool grows, bool shrinks) {
    if ((grows && !any_shrinks) || (shrinks && !any_grows)) drop(step);
  });
}

// What was said of cells and processes depends on the steps that remain.
void Elimination::look_again(u32 thing) {
  if (listed_[thing] != 0) return;
  listed_[thing] = 1;
  list_[list_count_++] = thing;
}

void Elimination::look_again_for(u32 step) {
  const StepFact& s = f_.steps[step];
  each_move(step, [&](const StepPartner& p) { look_again(cells() + p.process); });
  for (u32 i = 0; i < s.writes.count; ++i) {
    const CellRange& written = f_.writes[s.writes.first + i].cells;
    for (u32 k = 0; k < written.count; ++k) look_again(written.first + k);
  }
}

void Elimination::look_again_at_all() {
  for (u32 i = 0; i < listed_.size(); ++i) look_again(i);
}

void Elimination::set_aside(const std::span<u64>& steps) {
  for (u32 w = 0; w < words_; ++w) {
    for (u64 left = steps[w] & rem_[w]; left != 0; left &= left - 1)
      drop(w * 64 + static_cast<u32>(std::countr_zero(left)));
  }
}

void Elimination::eliminate() {
  while (list_count_ > 0) {
    const u32 thing = list_[--list_count_];
    listed_[thing] = 0;
    if (effort_ >= kEffort) continue;
    if (thing >= cells()) {
      by_control(thing - cells());
    } else if (first_writer_[thing] != first_writer_[thing + 1]) {
      by_values(thing);
      by_direction(thing);
    }
  }
}

// Steps that remain and enter a location, from another one or not.
u32 Elimination::take_group(u32 location, u64* into) {
  u32 count = 0;
  for (u32 s = 0; s < t_.step_count; ++s) {
    if (!remains(s)) continue;
    each_move(s, [&](const StepPartner& p) {
      if (f_.processes[p.process].first_location + p.target != location) return;
      if (into != nullptr) set_bit(into, s);
      ++count;
    });
  }
  effort_ += t_.step_count;
  return count;
}

// Local steps are worth more than those that get in the way of many.
u64 Elimination::cost_of(u32 location) {
  u64 cost = 0;
  for (u32 s = 0; s < t_.step_count; ++s) {
    if (!remains(s)) continue;
    each_move(s, [&](const StepPartner& p) {
      if (f_.processes[p.process].first_location + p.target != location) return;
      u32 discord = 0;
      for (u32 w = 0; w < words_; ++w)
        discord += static_cast<u32>(std::popcount(t_.discord_of(s)[w]));
      cost += 3000 / (1 + discord) + 20;
    });
  }
  return cost;
}

// A group without which nothing remains either is not needed.
void Elimination::drop_superfluous(const u64* given, u64* sticky) {
  const auto all_but = [&](u32 left_out) {
    for (u32 w = 0; w < words_; ++w) rem_[w] = ~u64{0};
    if (t_.step_count % 64 != 0) rem_[words_ - 1] = (u64{1} << t_.step_count % 64) - 1;
    for (u32 w = 0; w < words_; ++w) rem_[w] &= ~given[w];
    fill_zero(kept_);
    for (u32 g = 0; g < group_count_; ++g) {
      if (g == left_out || groups_[g] == kNone) continue;
      take_group(groups_[g], kept_.data());
    }
    for (u32 w = 0; w < words_; ++w) rem_[w] &= ~kept_[w];
    look_again_at_all();
  };
  for (u32 g = 0; g < group_count_ && effort_ < kEffort; ++g) {
    all_but(g);
    eliminate();
    if (empty()) groups_[g] = kNone;
  }
  all_but(kNone);
  eliminate();
  if (!empty()) return;  // a member of a group stands for less than when it was taken
  for (u32 w = 0; w < words_; ++w) sticky[w] = kept_[w];
}

void Elimination::run(const u64* given, u64* sticky) {
  for (u32 s = 0; s < t_.step_count; ++s) {
    if (!has_bit(given, s)) set_bit(rem_.data(), s);
  }
  look_again_at_all();
  eliminate();
  const std::span<u64> saved = scratch_array<u64>(f_.arena, StepFacts::kName, words_);
  while (!empty()) {
    const u32 before = size();
    u32 best = kNone;
    u64 best_removed = 0;
    u64 best_cost = 1;
    copy(saved, std::span<const u64>(rem_));
    for (u32 l = 0; l < locations_ && effort_ < kEffort; ++l) {
      fill_zero(kept_);
      if (take_group(l, kept_.data()) == 0) continue;
      const u64 cost = cost_of(l);
      set_aside(kept_);
      eliminate();
      const u64 removed = before - size();
      copy(rem_, std::span<const u64>(saved));
      if (best != kNone && removed * best_cost <= best_removed * cost) continue;
      best = l;
      best_removed = removed;
      best_cost = cost;
    }
    if (best == kNone || effort_ >= kEffort || group_count_ == kGroups) {
      for (u32 w = 0; w < words_; ++w) sticky[w] |= rem_[w];
      return;
    }
    groups_[group_count_++] = best;
    fill_zero(kept_);
    take_group(best, kept_.data());
    for (u32 w = 0; w < words_; ++w) sticky[w] |= kept_[w];
    set_aside(kept_);
    eliminate();
  }
  if (group_count_ > 1) drop_superfluous(given, sticky);
}

}  // namespace

void find_sticky(StepFacts& facts, const StepTables& tables, const u64* given, u64* sticky) {
  if (tables.step_count == 0) return;
  Elimination(facts, tables).run(given, sticky);
}

}  // namespace xmc::ir
