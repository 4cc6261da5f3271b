#include "engine/lasso.h"

#include <algorithm>

#include "engine/bfs.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// The graph induced by the states of the found lasso, numbered by their position on it, and the arrays of a
// breadth-first search in it. Everything is on the side stack.
class LassoGraph {
 public:
  LassoGraph(Search& search, u64 begin, u32 count)
      : s_(search), count_(count), path_(search.table.stack_begin() + signed_(begin)) {
    StateTable& table = s_.table;
    sorted_ = table.stack_begin() + signed_(table.stack_size());
    parent_ = sorted_ + count;
    queue_ = parent_ + count;
    for (u32 i = 0; i < 3 * count; ++i) XMC_CHECK(table.push(0));
    for (u32 i = 0; i < count; ++i) sorted_[i] = i;
    std::sort(sorted_, sorted_ + count, [this](u32 a, u32 b) { return path_[a] < path_[b]; });
  }

  // Breadth-first from position `from` until a step leads to a state for which done() is true (of a
  // position). Returns the position that the step starts from, kNone when there is none; `last` is
  // where it leads.
  template <class Done>
  u32 search(u32 from, u32& last, const Done& done) {
    std::fill(parent_, parent_ + count_, kNone);
    u32 head = 0;
    u32 tail = 0;
    queue_[tail++] = from;
    parent_[from] = from;
    while (head < tail) {
      const u32 position = queue_[head++];
      const Expansion expansion = s_.expand(path_[position], 0);
      s_.table.find(s_.buffer, expansion.count, s_.indexes);
      for (u32 i = 0; i < expansion.count; ++i) {
        const u32 next = position_of(s_.indexes[i]);
        if (next == kNone) continue;
        if (done(next)) {
          last = next;
          return position;
        }
        if (parent_[next] != kNone) continue;
        parent_[next] = position;
        queue_[tail++] = next;
      }
    }
    return kNone;
  }

  u32 parent(u32 position) const { return parent_[position]; }

 private:
  static std::ptrdiff_t signed_(u64 n) { return static_cast<std::ptrdiff_t>(n); }

  u32 position_of(StateIndex state) const {
    const auto at = std::lower_bound(sorted_, sorted_ + count_, state,
                                     [this](u32 a, StateIndex b) { return path_[a] < b; });
    return at != sorted_ + count_ && path_[*at] == state ? *at : kNone;
  }

  using Entries = std::reverse_iterator<u32*>;
  Search& s_;
  u32 count_;
  Entries path_;
  Entries sorted_;
  Entries parent_;
  Entries queue_;
};

// Appends the way from `from` to `last` (both included) to the side stack, in this order.
void push_chain(Search& search, const LassoGraph& graph, u64 begin, u32 from, u32 last) {
  const u64 first = search.table.stack_size();
  for (u32 p = last;; p = graph.parent(p)) {
    XMC_CHECK(search.table.push(search.table.stack(begin + p)));
    if (p == from) break;
  }
  const auto entries = search.table.stack_begin();
  std::reverse(entries + static_cast<std::ptrdiff_t>(first),
               entries + static_cast<std::ptrdiff_t>(search.table.stack_size()));
}

void rotate(StateTable& table, u64 first, u64 middle, u64 last) {
  const auto e = table.stack_begin();
  std::rotate(e + static_cast<std::ptrdiff_t>(first), e + static_cast<std::ptrdiff_t>(middle),
              e + static_cast<std::ptrdiff_t>(last));
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

// Replaces the found lasso by a shorter one over the same states: prefix without its last state, then
// the cycle, from `begin` on. Returns the new length of the prefix.
u64 shorten(Search& search, u64 begin, u64 prefix) {
  StateTable& table = search.table;
  const u32 count = static_cast<u32>(table.stack_size() - begin);
  if (!table.room_for_stack(u64{count} * 5)) return prefix;
  u32 seed = static_cast<u32>(prefix);
  while (!accepting(table, table.stack(begin + seed))) ++seed;
  LassoGraph graph(search, begin, count);
  const u64 cycle_begin = table.stack_size();
  u32 entry = seed;
  u32 end = graph.search(seed, entry, [&](u32 next) { return next == seed; });
  XMC_CHECK(end != kNone);
  push_chain(search, graph, begin, seed, end);
  const u64 prefix_begin = table.stack_size();
  for (u64 i = cycle_begin; i < prefix_begin; ++i) {
    table.set_note(table.stack(i), table.note(table.stack(i)) | kCycleNote);
  }
  const auto on_cycle = [&](u32 p) { return (table.note(table.stack(begin + p)) & kCycleNote) != 0; };
  StateIndex first = table.stack(begin);
  if (!on_cycle(0)) {
    end = graph.search(0, entry, on_cycle);
    XMC_CHECK(end != kNone);
    first = table.stack(begin + entry);
    push_chain(search, graph, begin, 0, end);
  }
  const u64 prefix_end = table.stack_size();
  rotate(table, cycle_begin, position_on_stack(table, cycle_begin, first), prefix_begin);
  rotate(table, cycle_begin, prefix_begin, prefix_end);
  move_down(table, cycle_begin, begin);
  return prefix_end - prefix_begin;
}

// Puts a shortest path to the earliest state of the cycle in front of it. The level marks are in the
// entries below `begin`; the cycle is all of the rest.
bool prefix_by_levels(Search& search, u64 begin) {
  StateTable& table = search.table;
  u64 earliest = begin;
  for (u64 i = begin; i < table.stack_size(); ++i) {
    if (table.stack(i) < table.stack(earliest)) earliest = i;
  }
  rotate(table, begin, earliest, table.stack_size());
  const StateIndex target = table.stack(begin);
  const auto marks = table.stack_begin();
  const auto behind = std::upper_bound(marks, marks + static_cast<std::ptrdiff_t>(begin), target);
  const u64 level = static_cast<u64>(behind - marks) - 1;
  if (!trace_back(search, target, level)) return false;
  search.outcome->prefix_steps = level;
  search.outcome->cycle_steps = table.stack_size() - begin;
  XMC_CHECK(level < begin);
  move_down(table, begin, level);
  return true;
}

}  // namespace

bool finish_lasso(Search& search, u64 begin, StateIndex entry) {
  StateTable& table = search.table;
  SearchOutcome& outcome = *search.outcome;
  const u64 found = position_on_stack(table, begin, entry) - begin;
  const u64 prefix = shorten(search, begin, found);
  if (begin != 0) {
    move_down(table, begin + prefix, begin);
    if (!prefix_by_levels(search, begin)) return false;
  } else {
    outcome.prefix_steps = prefix;
    outcome.cycle_steps = table.stack_size() - prefix;
  }
  search.path_begin = 0;
  XMC_CHECK(table.push(table.stack(outcome.prefix_steps)));
  outcome.minimal = outcome.prefix_steps + outcome.cycle_steps == 1;
  return true;
}

}  // namespace xmc
