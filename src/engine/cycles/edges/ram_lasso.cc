#include "engine/cycles/edges/ram_lasso.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u32 kFar = u32{1} << 30;
constexpr u32 kMostSweeps = 64;

}  // namespace

Status RamLasso::load(EdgeReader& reader, const StateBits& set, const MarkedNumbers& numbers,
                      u64 end, std::span<u8> memory, PassFigures& figures, WorkPoll& poll,
                      bool& fits) {
  const u64 n = numbers.marked();
  poll_ = poll;
  const u64 one = StateBits::bytes_for(n + 1);
  const u64 own = 4 * one + 8 + round_up(2 * n * 4, 8);
  fits = own <= memory.size() && n < ~u32{0} / 4;
  if (!fits) return {};
  std::span<u8> at = memory;
  const auto take = [&](u64 bytes) {
    const std::span<u8> piece = at.first(static_cast<std::size_t>(bytes));
    at = at.subspan(piece.size());
    return piece;
  };
  good_.start(take(one), n + 1, false);
  seeds_.start(take(one), n, false);
  visited_.start(take(2 * one), 2 * n, false);
  parent_ = reinterpret_cast<u32*>(take(round_up(2 * n * 4, 8)).data());
  XMC_TRY(graph_.load(reader, set, numbers, end, at, figures, poll, fits));
  queue_ = graph_.scratch().data();
  return {};
}

Status RamLasso::level_begin(u64 level, u64& state) {
  state = graph_.level_begin(level);
  return {};
}

Status RamLasso::level_of(u64 state, u64& level) {
  level = graph_.level(static_cast<u32>(state));
  return {};
}

Status RamLasso::narrow(u64 level, bool& any) {
  const u32 end = level >= kNoLimit ? graph_.states() : graph_.level_begin(level + 1);
  narrow_end_ = end;
  graph_.find_components(end);
  const std::span<u64> good = good_.words();
  std::fill(good.begin(), good.end(), u64{0});
  const std::span<u64> seeds = seeds_.words();
  std::fill(seeds.begin(), seeds.end(), u64{0});
  // With an accepting state first, then those of them with an edge inside.
  for (u32 v = 0; v < end; ++v) {
    if (graph_.accepting(v)) good_.set(graph_.component(v));
  }
  any = false;
  for (u32 v = 0; v < end; ++v) {
    const u32 component = graph_.component(v);
    if (!good_.test(component)) continue;
    for (const u32 w : graph_.targets(v)) {
      if (w >= end || graph_.component(w) != component) continue;
      any = true;
      if (graph_.level(w) <= graph_.level(v)) seeds_.set(w);
    }
  }
  return poll_(level, end);
}

// Steps from the nearest accepting state of its component to each state.
void RamLasso::find_steps_from(std::span<u32> steps) {
  std::fill(steps.begin(), steps.end(), kFar);
  u32 tail = 0;
  for (u32 v = 0; v < steps.size(); ++v) {
    if (!graph_.accepting(v) || !on_cycle(v)) continue;
    steps[v] = 0;
    queue_[tail++] = v;
  }
  for (u32 head = 0; head < tail; ++head) {
    const u32 v = queue_[head];
    for (const u32 w : graph_.targets(v)) {
      if (w >= steps.size()) break;
      if (graph_.component(w) != graph_.component(v) || steps[w] != kFar) continue;
      steps[w] = steps[v] + 1;
      queue_[tail++] = w;
    }
  }
}

// And from each state to the nearest accepting one, by sweeps against the order of levels. False:
// they took too long.
bool RamLasso::find_steps_to(std::span<u32> steps) const {
  for (u32 v = 0; v < steps.size(); ++v) steps[v] = graph_.accepting(v) ? 0 : kFar;
  bool changed = true;
  for (u32 sweep = 0; changed && sweep < kMostSweeps; ++sweep) {
    changed = false;
    for (u32 v = static_cast<u32>(steps.size()); v-- > 0;) {
      if (steps[v] <= 1 || !on_cycle(v)) continue;
      u32 least = steps[v];
      for (const u32 w : graph_.targets(v)) {
        if (w >= steps.size()) break;
        if (graph_.component(w) == graph_.component(v)) least = std::min(least, steps[w] + 1);
      }
      changed = changed || least < steps[v];
      steps[v] = least;
    }
  }
  return !changed;
}

// A cycle has to go from the seed to an accepting state and back. With a single one this is exact;
// with few it leaves few seeds to search from.
void RamLasso::drop_far_seeds(u64 total) {
  const std::size_t end = static_cast<std::size_t>(narrow_end_);
  const std::span<u32> from{parent_, end};
  const std::span<u32> to{parent_ + graph_.states(), end};
  if (!find_steps_to(to)) return;
  find_steps_from(from);
  for (u64 t = next_seed(0, end); t < end; t = next_seed(t + 1, end)) {
    const u32 seed = static_cast<u32>(t);
    if (u64{graph_.level(seed)} + to[seed] + from[seed] > total) seeds_.clear(t);
  }
}

bool RamLasso::visit(u32 node) {
  // Having passed an accepting state before is never worse.
  if (visited_.test(node | 1) || visited_.test(node)) return false;
  visited_.set(node);
  queue_[tail_++] = node;
  return true;
}

RamLasso::Reach RamLasso::search(u32 begin, u32 end, u32 floor, u64 most, bool parents) {
  const u32 limit = static_cast<u32>(narrow_end_);
  Reach reach;
  tail_ = 0;
  for (u64 t = next_seed(begin, end); t < end; t = next_seed(t + 1, end)) {
    visit(static_cast<u32>(t) * 2);
  }
  u64 steps = 1;
  for (u32 head = 0, layer_end = tail_; head < tail_ && reach.steps == 0; ++head) {
    if (head == layer_end) {
      layer_end = tail_;
      if (++steps > most) break;
    }
    const u32 v = queue_[head] / 2;
    const u32 passed = graph_.accepting(v) ? 1 : queue_[head] % 2;
    const u32 component = graph_.component(v);
    for (const u32 w : graph_.targets(v)) {
      if (w >= limit) break;
      if (w < floor || graph_.component(w) != component) continue;
      // The seed first: it was visited when the search began.
      if (passed == 1 && w >= begin && w < end && seeds_.test(w)) {
        reach = {static_cast<u32>(steps), head};
        break;
      }
      if (visit(w * 2 + passed) && parents) parent_[tail_ - 1] = head;
    }
  }
  for (u32 i = 0; i < tail_; ++i) visited_.clear(queue_[i]);
  return reach;
}

Status RamLasso::first_return(u64 begin, u64 end, u64 floor, u64 most, u64& steps) {
  const u64 limit = std::min(end, narrow_end_);
  steps = 0;
  if (most == 0 || begin >= limit) return {};
  steps =
      search(static_cast<u32>(begin), static_cast<u32>(limit), static_cast<u32>(floor), most, false)
          .steps;
  return poll_(floor, limit - begin);
}

Status RamLasso::trace(u64 seed, u64 floor, std::span<u64> cycle) {
  const u32 t = static_cast<u32>(seed);
  const Reach reach = search(t, t + 1, static_cast<u32>(floor), cycle.size(), true);
  XMC_CHECK(reach.steps == cycle.size());
  u32 entry = reach.last;
  for (std::size_t i = cycle.size(); i-- > 0; entry = parent_[entry]) {
    cycle[i] = queue_[entry] / 2;
    if (i == 0) break;
  }
  XMC_CHECK(cycle[0] == seed);
  return {};
}

}  // namespace xmc
