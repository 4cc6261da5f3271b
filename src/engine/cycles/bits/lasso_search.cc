#include "engine/cycles/bits/lasso_search.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/search/file_names.h"
#include "engine/search/path_back.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/engine.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u64 kLeastSteps = 64;
constexpr u64 kMostSteps = 1 << 14;
constexpr u64 kLeastUndo = 256;  // numbers

Status no_room(u64 steps) {
  return Status::fail(Code::budget,
                      "a shortest lasso of %llu steps was found, but it does not fit the "
                      "memory; use a larger --ram",
                      wide(steps));
}

}  // namespace

u64 LassoSearch::least_bytes(const Model& model, u64 states, u64 bound) {
  const u64 batch = (kLeastSteps + model.max_successors) * (model.state_words + 3) * sizeof(Word);
  return round_up(StateBits::bytes_for(states), kPageBytes) +
         round_up(LassoBall::counter_bytes(bound), kPageBytes) + 3 * KeyFile::kSlotBytes +
         round_up(batch, kPageBytes) + kLeastUndo * sizeof(u64) +
         LassoBall::least_source_bytes(model) + 5 * kPageBytes;
}

LassoSearch::LassoSearch(const Product& product, Numbering& index, LassoTeam& team)
    : IndexedSearch(product, index), team_(team), ball_(*this, product) {
  expansions_ = &expanded_;
}

// | bits | counters by cost | numbers to undo | batch | ball's buffer | wave's two | sources |
void LassoSearch::lay_out(std::span<u8> memory, u64 bound) {
  const Model& model = s_.model;
  const u64 bits = round_up(StateBits::bytes_for(index_.size()), kPageBytes);
  const u64 costs = round_up(LassoBall::counter_bytes(bound), kPageBytes);
  const u64 least = least_bytes(model, index_.size(), bound);
  XMC_CHECK(least <= memory.size());
  const u64 spare = memory.size() - least;
  const u64 extra =
      std::clamp(spare / 8 / unit_bytes(model), kLeastSteps, index_.on_flash() ? kMostSteps : 512);
  const std::span<u8> all = memory;
  const auto cut = [&](u64 bytes) {
    const std::span<u8> piece = memory.first(static_cast<std::size_t>(bytes));
    memory = memory.subspan(piece.size());
    return piece;
  };
  visited_.start(cut(bits), index_.size(), false);
  const std::span<u8> counters = cut(costs);
  reached_ = UndoBits();
  reached_.start(visited_, cut(round_up(kLeastUndo * sizeof(u64) + spare / 8, kPageBytes)));
  batch_ = cut_batch(memory, model.max_successors + extra);
  const u64 address = reinterpret_cast<std::uintptr_t>(memory.data());
  cut(round_up(address, kPageBytes) - address);
  ball_buffer_ = cut(KeyFile::kSlotBytes);
  wave_buffer_ = cut(KeyFile::kSlotBytes);
  wave_read_buffer_ = cut(KeyFile::kSlotBytes);
  ball_.start(counters, memory);
  // What a lasso may be written over.
  const std::size_t kept = static_cast<std::size_t>(ball_buffer_.data() - all.data());
  path_memory_ = memory.size() > kept ? memory : all.first(kept);
}

Status LassoSearch::open_files(u32 thread) {
  ball_name_ = thread == 0 ? FileName(kBallFile) : FileName(kBallFile, thread);
  wave_name_ = thread == 0 ? FileName(kBallWaveFile) : FileName(kBallWaveFile, thread);
  Device* ball = nullptr;
  Device* wave = nullptr;
  XMC_TRY(open_file(ball_name_.c_str(), ball));
  XMC_TRY(open_file(wave_name_.c_str(), wave));
  ball_device_.start(ball, team_.parallel);
  wave_device_.start(wave, team_.parallel);
  ball_.open(&ball_device_, ball_name_.c_str(), ball_buffer_);
  wave_.start(&wave_device_, wave_name_.c_str(), Purpose::stack, words() + 1, wave_buffer_);
  return {};
}

void LassoSearch::give_counts() { s_.stats().expansions += std::exchange(expanded_, 0); }

Status LassoSearch::ask(u64 depth) {
  const ParallelLock lock(team_.parallel);
  give_counts();
  Status answer = poll_(depth);
  if (team_.stop == StopReason::none) team_.stop = answer.take_stop();
  ball_.lower_bound(team_.limit(place_));
  return Status::stop(team_.stop);
}

// --- One accepting state ------------------------------------------------------------------------

bool LassoSearch::is_accepting(const Word* state) {
  if (s_.model.cycle_class_of(state) == 0) return false;
  batch_.fill = 0;
  return (expand(state, batch_).flags & kAccepting) != 0;
}

Status LassoSearch::identify(AcceptingState& r) {
  batch_.fill = 1;
  std::copy_n(r.key, words(), batch_.states);
  XMC_TRY(look_up(batch_));
  XMC_CHECK(inside(batch_, 0));
  r.number = batch_.numbers[0];
  r.depth = batch_.depths[0];
  return {};
}

Status LassoSearch::find(const AcceptingState& r, u64 place, u64 limit, u64& steps) {
  ++searches_;
  place_ = place;
  steps = 0;
  XMC_TRY(ball_.grow(r, limit, batch_, reached_));
  reached_.clear_all();
  XMC_TRY(run_wave(r, steps));
  reached_.clear_all();
  return {};
}

// The search that begins in all states of the ball and ends at r.
Status LassoSearch::run_wave(const AcceptingState& r, u64& steps) {
  if (wave_.keys() > 0) XMC_TRY(wave_.clear());
  wave_reader_.start(wave_, wave_read_buffer_);
  u64 done = 0;  // keys of the wave
  for (u64 cost = 0; cost + 1 < ball_.bound(); ++cost) {
    XMC_TRY(add_sources(cost));
    const u64 end = wave_.keys();
    while (done < end) {
      bool closed = false;
      XMC_TRY(expand_wave(r, cost, end, done, closed));
      if (!closed) continue;
      steps = cost + 1;
      return {};
    }
  }
  return {};
}

// Those of this cost that the wave has not reached yet.
Status LassoSearch::add_sources(u64 cost) {
  XMC_TRY(ball_.begin_cost(cost));
  LassoBall::Source source;
  for (;;) {
    XMC_LET(const bool more, ball_.next_source(source));
    if (!more) return {};
    if (!reached_.add(source.number)) continue;
    XMC_TRY(add_to_wave(source.state, 1 + source.distance, cost));
  }
}

// Wave states of this cost, up to number `end`.
Status LassoSearch::expand_wave(const AcceptingState& r, u64 cost, u64 end, u64& done,
                                bool& closed) {
  batch_.fill = 0;
  while (done < end && has_room(batch_)) {
    XMC_LET(const bool more, wave_reader_.next(last_));
    XMC_CHECK(more);
    ++done;
    const u32 from = batch_.fill;
    expand(last_, batch_);
    for (u32 i = from; i < batch_.fill; ++i) {
      closed = closed || is_state(r.key, state_at(batch_, i));
    }
    if (closed) return {};
    if (is_time()) XMC_TRY(ask(cost));
  }
  XMC_TRY(look_up(batch_));
  for (u32 i = 0; i < batch_.fill; ++i) {
    if (!inside(batch_, i)) continue;
    const u64 depth = batch_.depths[i];
    const u64 back = std::max<u64>(1, r.depth - std::min(r.depth, depth));
    if (cost + 1 + back >= ball_.bound() || !reached_.add(batch_.numbers[i])) continue;
    XMC_TRY(add_to_wave(state_at(batch_, i), 0, cost + 1));
  }
  return {};
}

// `source`: 1 + d(r, t) for a state that the wave begins in, else 0.
Status LassoSearch::add_to_wave(const Word* state, u64 source, u64 cost) {
  Word key[limits::kKeyWords];
  std::copy_n(state, words(), key);
  key[words()] = source;
  return wave_.append(key, cost);
}

// --- The lasso ----------------------------------------------------------------------------------

// From the files of the last find(), whose wave ended with last_.
Status LassoSearch::read_cycle(const AcceptingState& r, u64 steps, Cycle& cycle) {
  const u64 n = words();
  Word* const path = reinterpret_cast<Word*>(path_memory_.data());
  const u64 room = path_memory_.size() / (n * sizeof(Word));
  // Backwards, to begin with: from the end of the wave to its source.
  u64 count = 0;
  Word key[limits::kKeyWords];
  std::copy_n(last_, n + 1, key);
  u64 cost = steps - 1;
  PathBack back(s_, wave_reader_, asking());
  for (;; --cost) {
    if (count == room) return no_room(steps);
    std::copy_n(key, n, path + count++ * n);
    if (key[n] != 0) break;
    Word before[limits::kKeyWords];
    XMC_TRY(back.step(cost - 1, key, before));
    std::copy_n(before, n + 1, key);
  }
  const u64 distance = key[n] - 1;
  for (u64 i = 0; i < count / 2; ++i) {
    std::swap_ranges(path + i * n, path + (i + 1) * n, path + (count - 1 - i) * n);
  }
  // Then from r to the source again.
  if (count + distance > room) return no_room(steps);
  if (distance > 0) XMC_TRY(ball_.read_path(r, key, distance, path + count * n));
  cycle = {path, count + distance};
  return {};
}

}  // namespace xmc
