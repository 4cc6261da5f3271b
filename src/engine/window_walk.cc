#include "engine/window_walk.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kPageBytes = Windows::kPageBytes;
constexpr u64 kNoState = ~u64{0};

}  // namespace

// | pages | their numbers | cycle |
WindowWalk::WindowWalk(EdgeReader& reader, const WindowFile& bits, bool weak, std::span<u8> memory)
    : reader_(reader), bits_(bits), weak_(weak), last_(bits.layers() - 1) {
  const u64 half = round_down(memory.size() / 2, kPageBytes);
  const std::size_t frames = static_cast<std::size_t>(half / (kPageBytes + sizeof(u64)));
  XMC_CHECK(frames > 0);
  pages_ = memory.first(frames * kPageBytes);
  page_ = {reinterpret_cast<u64*>(pages_.data() + pages_.size()), frames};
  fill_zero(page_);
  rest_ = memory.subspan(static_cast<std::size_t>(half));
}

Status WindowWalk::is_in(u64 layer, u64 state, bool& in) {
  const WindowFile::Place at = bits_.place(layer, state);
  const std::size_t frame = static_cast<std::size_t>(at.page % page_.size());
  const std::span<u8> bytes = pages_.subspan(frame * kPageBytes, kPageBytes);
  if (page_[frame] != at.page + 1) {
    page_[frame] = 0;
    XMC_TRY(bits_.read_page(at.page, bytes));
    page_[frame] = at.page + 1;
  }
  in = (reinterpret_cast<const u64*>(bytes.data())[at.bit / 64] >> at.bit % 64 & 1) != 0;
  return {};
}

// The first layer that has a state of the last one: each has all of the one before.
Status WindowWalk::layer_of(u64 state, u64& layer) {
  layer = 0;
  for (u64 high = last_; layer < high;) {
    const u64 middle = (layer + high) / 2;
    bool in = false;
    XMC_TRY(is_in(middle, state, in));
    in ? high = middle : layer = middle + 1;
  }
  return {};
}

// In its layer a state came when a successor was there already: one of a layer before, or one with
// a higher number, since states were visited from the last to the first.
Status WindowWalk::step(u64& state) {
  u64 next = kNoState;
  u64 layer = 0;
  Status status = weak_ ? Status() : layer_of(state, layer);
  XMC_TRY(status);
  XMC_TRY(reader_.read(state, [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
    const bool any = weak_ || record.accepting;
    for (const u64 target : targets) {
      if (next != kNoState || !status.ok()) return;
      bool in = false;
      if (any) {
        status = is_in(last_, target, in);
      } else if (target > state) {
        status = is_in(layer, target, in);
      } else if (layer > 0) {
        status = is_in(layer - 1, target, in);
      }
      if (in) next = target;
    }
  }));
  XMC_TRY(status);
  if (next == kNoState) return bits_.damaged();
  state = next;
  return {};
}

// Brent: the second state goes on, the first one jumps to it at powers of two.
Status WindowWalk::find(u64 start, WorkPoll& poll, LassoResult& result, StopReason& stop) {
  u64 first = start;
  u64 second = start;
  u64 length = 1;
  XMC_TRY(step(second));
  for (u64 power = 1; first != second && stop == StopReason::none; ++length) {
    if (length == power) {
      first = second;
      power *= 2;
      length = 0;
    }
    XMC_TRY(step(second));
    stop = poll.now_and_then(length);
  }
  if (stop != StopReason::none) return {};
  if (length * sizeof(u64) > rest_.size()) {
    return Status::fail(Code::budget,
                        "an accepting cycle of %llu steps was found, but it does not fit the "
                        "memory; use a larger --ram",
                        static_cast<unsigned long long>(length));
  }
  const std::span<u64> cycle(reinterpret_cast<u64*>(rest_.data()),
                             static_cast<std::size_t>(length));
  for (u64& state : cycle) {
    state = second;
    XMC_TRY(step(second));
  }
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  result.found = true;
  result.cycle = cycle;
  return reader_.level_of(cycle[0], result.prefix_steps);
}

}  // namespace xmc
