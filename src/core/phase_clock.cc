// PhaseClock: whole switches and sampled turns, with the folder's waiting taken out of both.
#include "xmc/phase_clock.h"

#include <algorithm>

#include "xmc/check.h"
#include "xmc/device.h"

namespace xmc {

namespace {

constexpr u32 number(Phase phase) { return static_cast<u32>(phase); }

// value * part / whole, without overflow for any times.
u64 share(u64 value, u64 part, u64 whole) {
  return static_cast<u64>(static_cast<double>(value) * static_cast<double>(part) /
                          static_cast<double>(whole));
}

}  // namespace

void PhaseClock::start(u64 (*now_ns)(), const Folder* folder) {
  *this = {};
  now_ns_ = now_ns;
  folder_ = folder;
  if (on()) last_ = look();
}

PhaseClock::Look PhaseClock::look() const {
  return {now_ns_(), folder_ == nullptr ? 0 : folder_->wait_ns()};
}

// The folder may have a clock of its own: no more waiting than time.
PhaseClock::Passed PhaseClock::passed(const Look& from, const Look& to) {
  const u64 time = to.at_ns - from.at_ns;
  const u64 wait = std::min(to.wait_ns - from.wait_ns, time);
  return {time - wait, wait};
}

Phase PhaseClock::switch_to(Phase phase) {
  const Phase before = phase_;
  phase_ = phase;
  if (!on() || phase == before) return before;
  const Look now = look();
  const Passed since = passed(last_, now);
  spent_ns_[number(before)] += since.busy_ns;
  io_wait_ns_ += since.wait_ns;
  last_ = now;
  if (sampling_ && before == Phase::expansion) end_sample(now);
  turn_from_ = now;
  return before;
}

void PhaseClock::end_sample(const Look& now) {
  sampled_ns_[number(turn_)] += passed(turn_from_, now).busy_ns;
  turn_from_ = now;
}

void PhaseClock::sample(Phase phase) {
  XMC_DASSERT(phase < Phase::rest);
  if (phase_ == Phase::expansion) end_sample(look());
  turn_ = phase;
}

void PhaseClock::turn_round() {
  countdown_ = kRounds - 1;
  if (!on()) return;
  if (sampling_ && phase_ == Phase::expansion) end_sample(look());
  sampling_ = !sampling_;
  if (sampling_) turn_from_ = look();
}

PhaseTimes PhaseClock::times() {
  PhaseTimes times;
  if (!on()) return times;
  const Phase now = phase_;
  // A switch there and back, which counts the time since the last one.
  switch_to(now == Phase::rest ? Phase::generation : Phase::rest);
  switch_to(now);
  u64 sampled = 0;
  for (const u64 ns : sampled_ns_) sampled += ns;
  u64 left = spent_ns_[number(Phase::expansion)];
  const u64 mixed = left;
  for (u32 p = number(Phase::rest); p-- > 0;) {
    // What is left after rounding is the first one's, generation.
    const u64 part = p == 0 ? left : sampled == 0 ? 0 : share(mixed, sampled_ns_[p], sampled);
    times.in[p] = spent_ns_[p] + std::min(part, left);
    left -= std::min(part, left);
  }
  times.in[number(Phase::rest)] = spent_ns_[number(Phase::rest)];
  times.io_wait = times.total = io_wait_ns_;
  for (const u64 ns : times.in) times.total += ns;
  return times;
}

}  // namespace xmc
