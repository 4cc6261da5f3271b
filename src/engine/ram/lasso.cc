#include "engine/ram/lasso.h"

#include <algorithm>

#include "engine/ram/bfs.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// The graph induced by the states of the found lasso, numbered by their position on it, and the
// arrays of a breadth-first search in it. Everything is on the side stack.
class LassoGraph {
 public:
  LassoGraph(RamSearch& ram, u64 begin, u32 count)
      : r_(ram), path_(begin), sorted_(ram.table.stack_size()) {
    StateTable& table = r_.table;
    parent_ = sorted_ + count;
    queue_ = parent_ + count;
    for (u64 i = 0; i < u64{count} * 3; ++i) XMC_CHECK(table.push(0));
    for (u32 i = 0; i < count; ++i) table.stack(sorted_ + i) = i;
    std::sort(table.stack_at(sorted_), table.stack_at(parent_),
              [this](u32 a, u32 b) { return state(a) < state(b); });
  }

  StateIndex state(u32 position) const { return r_.table.stack(path_ + position); }
  u32& parent(u32 position) const { return r_.table.stack(parent_ + position); }

  // Breadth-first from position `from` until a step leads to a position for which done() is true.
  // Returns the position that the step starts from, kNone when there is none; `last` is where it
  // leads.
  template <class Done>
  u32 search(u32 from, u32& last, const Done& done) {
    std::fill(r_.table.stack_at(parent_), r_.table.stack_at(queue_), kNone);
    u64 head = queue_;
    u64 tail = queue_;
    r_.table.stack(tail++) = from;
    parent(from) = from;
    while (head < tail) {
      const u32 position = r_.table.stack(head++);
      const Expansion expansion = r_.expand(state(position), 0);
      r_.table.find(r_.search->buffer, expansion.count, r_.indexes);
      for (u32 i = 0; i < expansion.count; ++i) {
        const u32 next = position_of(r_.indexes[i]);
        if (next == kNone) continue;
        if (done(next)) {
          last = next;
          return position;
        }
        if (parent(next) != kNone) continue;
        parent(next) = position;
        r_.table.stack(tail++) = next;
      }
    }
    return kNone;
  }

 private:
  u32 position_of(StateIndex wanted) const {
    const auto end = r_.table.stack_at(parent_);
    const auto at = std::lower_bound(r_.table.stack_at(sorted_), end, wanted,
                                     [this](u32 a, StateIndex b) { return state(a) < b; });
    return at != end && state(*at) == wanted ? *at : kNone;
  }

  RamSearch& r_;
  u64 path_;    // first entries of the arrays
  u64 sorted_;  // positions in order of their states
  u64 parent_;
  u64 queue_;
};

// Appends the way from `from` to `last` (both included) to the side stack, in this order.
void push_chain(StateTable& table, const LassoGraph& graph, u32 from, u32 last) {
  const u64 first = table.stack_size();
  for (u32 p = last;; p = graph.parent(p)) {
    XMC_CHECK(table.push(graph.state(p)));
    if (p == from) break;
  }
  std::reverse(table.stack_at(first), table.stack_at(table.stack_size()));
}

void rotate(StateTable& table, u64 first, u64 middle, u64 last) {
  std::rotate(table.stack_at(first), table.stack_at(middle), table.stack_at(last));
}

// Moves the entries [first, size) down to `to` and cuts the stack behind them.
void move_down(StateTable& table, u64 first, u64 to) {
  const u64 count = table.stack_size() - first;
  for (u64 i = 0; i < count; ++i) table.stack(to + i) = table.stack(first + i);
  table.set_stack_size(to + count);
}

u64 position_on_stack(StateTable& table, u64 begin, StateIndex state) {
  u64 i = begin;
  while (table.stack(i) != state) {
    ++i;
    XMC_CHECK(i < table.stack_size());
  }
  return i;
}

bool accepting(const StateTable& table, StateIndex state) {
  return (table.note(state) & kAcceptingNote) != 0;
}

// Replaces the found lasso by a shorter one over the same states: prefix without its last state,
// then the cycle, from `begin` on. Returns the new length of the prefix.
u64 shorten(RamSearch& ram, u64 begin, u64 prefix) {
  StateTable& table = ram.table;
  const u32 count = static_cast<u32>(table.stack_size() - begin);
  if (!table.room_for_stack(u64{count} * 5)) return prefix;
  u32 seed = static_cast<u32>(prefix);
  while (!accepting(table, table.stack(begin + seed))) ++seed;
  LassoGraph graph(ram, begin, count);
  const u64 cycle_begin = table.stack_size();
  u32 entry = seed;
  u32 end = graph.search(seed, entry, [&](u32 next) { return next == seed; });
  XMC_CHECK(end != kNone);
  push_chain(table, graph, seed, end);
  const u64 prefix_begin = table.stack_size();
  for (u64 i = cycle_begin; i < prefix_begin; ++i) {
    table.set_note(table.stack(i), table.note(table.stack(i)) | kCycleNote);
  }
  const auto on_cycle = [&](u32 p) {
    return (table.note(table.stack(begin + p)) & kCycleNote) != 0;
  };
  StateIndex first = table.stack(begin);
  if (!on_cycle(0)) {
    end = graph.search(0, entry, on_cycle);
    XMC_CHECK(end != kNone);
    first = table.stack(begin + entry);
    push_chain(table, graph, 0, end);
  }
  const u64 prefix_end = table.stack_size();
  rotate(table, cycle_begin, position_on_stack(table, cycle_begin, first), prefix_begin);
  rotate(table, cycle_begin, prefix_begin, prefix_end);
  move_down(table, cycle_begin, begin);
  return prefix_end - prefix_begin;
}

// Puts a shortest path to the earliest state of the cycle in front of it. The level marks are in
// the entries below `begin`; the cycle is all of the rest.
Status prefix_by_levels(RamSearch& ram, u64 begin) {
  StateTable& table = ram.table;
  u64 earliest = begin;
  for (u64 i = begin; i < table.stack_size(); ++i) {
    if (table.stack(i) < table.stack(earliest)) earliest = i;
  }
  rotate(table, begin, earliest, table.stack_size());
  const StateIndex target = table.stack(begin);
  const auto behind = std::upper_bound(table.stack_at(0), table.stack_at(begin), target);
  const u64 level = static_cast<u64>(behind - table.stack_at(0)) - 1;
  XMC_TRY(trace_back(ram, target, level, false));
  ram.search->outcome->prefix_steps = level;
  ram.search->outcome->cycle_steps = table.stack_size() - begin;
  XMC_CHECK(level < begin);
  move_down(table, begin, level);
  return {};
}

}  // namespace

Status finish_lasso(RamSearch& ram, u64 begin, StateIndex entry) {
  StateTable& table = ram.table;
  SearchOutcome& outcome = *ram.search->outcome;
  const u64 found = position_on_stack(table, begin, entry) - begin;
  const u64 prefix = shorten(ram, begin, found);
  if (begin != 0) {
    move_down(table, begin + prefix, begin);
    XMC_TRY(prefix_by_levels(ram, begin));
  } else {
    outcome.prefix_steps = prefix;
    outcome.cycle_steps = table.stack_size() - prefix;
  }
  ram.path_begin = 0;
  XMC_CHECK(table.push(table.stack(outcome.prefix_steps)));
  outcome.minimal = outcome.prefix_steps + outcome.cycle_steps == 1;
  return {};
}

}  // namespace xmc
