#include "engine/cycles/edges/core_graph.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u32 kNoRoot = u32{1} << 31;

}  // namespace

u64 CoreGraph::bytes_for(u64 states) {
  return round_up((states + 1) * 4, 8) + round_up(states * 4, 8) * 2 + states * 8 +
         StateBits::bytes_for(states);
}

Status CoreGraph::load(EdgeReader& reader, const StateBits& set, const MarkedNumbers& numbers,
                       u64 end, std::span<u8> memory, PassFigures& figures, WorkPoll& poll,
                       bool& fits) {
  const u64 states = numbers.marked();
  fits = states < kNoRoot && bytes_for(states) <= memory.size();
  if (!fits) return {};
  states_ = static_cast<u32>(states);
  const auto take = [&](u64 bytes) {
    u8* const at = memory.data();
    memory = memory.subspan(static_cast<std::size_t>(round_up(bytes, 8)));
    return at;
  };
  const std::size_t bits = static_cast<std::size_t>(StateBits::bytes_for(states));
  accepting_.start(memory.first(bits), states, false);
  take(bits);
  first_ = reinterpret_cast<u32*>(take((states + 1) * 4));
  level_ = reinterpret_cast<u32*>(take(states * 4));
  component_ = reinterpret_cast<u32*>(take(states * 4));
  scratch_ = reinterpret_cast<u32*>(take(states * 8));
  target_ = reinterpret_cast<u32*>(memory.data());
  const u64 room = std::min<u64>(memory.size() / 4, kNoRoot - 1);
  u32 next = 0;  // states whose first_ is known
  edges_ = 0;
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
    if (!fits || !set.test(record.state)) return;
    const u32 state = static_cast<u32>(numbers.number(record.state));
    fits = edges_ + targets.size() <= room && record.level < ~u32{0};
    if (!fits) return;
    for (; next <= state; ++next) {
      first_[next] = edges_;
      level_[next] = static_cast<u32>(record.level);
    }
    if (record.accepting) accepting_.set(state);
    for (const u64 target : targets) {
      if (target >= end) break;
      if (set.test(target)) target_[edges_++] = static_cast<u32>(numbers.number(target));
    }
  };
  XMC_TRY(EdgePass(reader, set, end).up(figures, poll, visit));
  XMC_CHECK(!fits || next == states_);
  for (; next <= states_; ++next) first_[next] = edges_;
  rest_ = memory.subspan(static_cast<std::size_t>(round_up(u64{edges_} * 4, 8)));
  return {};
}

u32 CoreGraph::level_begin(u64 level) const {
  const u32* const at = std::lower_bound(level_, level_ + states_, level,
                                         [](u32 here, u64 wanted) { return here < wanted; });
  return static_cast<u32>(at - level_);
}

// States on the search's path lie at the low end of the stack, those that wait for the root of
// their component at the high end. A state's component_ is 0 before it is visited, then the least
// visiting number it is known to reach, at last the component's number, from states_ downwards.
void CoreGraph::find_components(u32 end) {
  std::fill(component_, component_ + end, 0u);
  u32* const edge = scratch_;
  u32* const stack = scratch_ + states_;
  u32 path = 0;
  u32 waiting = end;
  u32 visit_number = 1;
  u32 name = states_;
  for (u32 root = 0; root < end; ++root) {
    if (component_[root] != 0) continue;
    stack[path++] = root;
    edge[root] = first_[root];
    component_[root] = visit_number++;
    while (path > 0) {
      const u32 v = stack[path - 1];
      const u32 at = edge[v] & ~kNoRoot;
      if (at < first_[v + 1]) {
        const u32 w = target_[at];
        if (w < end && component_[w] == 0) {
          stack[path++] = w;
          edge[w] = first_[w];
          component_[w] = visit_number++;
          continue;  // the edge is looked at again when w is done
        }
        if (w < end && component_[w] < component_[v]) {
          component_[v] = component_[w];
          edge[v] |= kNoRoot;
        }
        ++edge[v];
        continue;
      }
      --path;
      if ((edge[v] & kNoRoot) != 0) {
        stack[--waiting] = v;
        continue;
      }
      --visit_number;
      for (; waiting < end && component_[v] <= component_[stack[waiting]]; ++waiting) {
        component_[stack[waiting]] = name;
        --visit_number;
      }
      component_[v] = name--;
    }
  }
}

}  // namespace xmc
