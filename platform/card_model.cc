// CardModel (device_sim.h): what each access of the simulated card costs, erase units included. It
// knows no files but their numbers, so that the costs are tested without a folder below.
#include "platform/device_sim.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {
namespace {

constexpr u64 kNsPerSecond = 1'000'000'000;

u64 transfer_ns(u64 bytes, u64 bytes_per_s) {
  XMC_CHECK(bytes < u64{1} << 34);  // one call; the product below stays inside 64 bits
  return divide_up(bytes * kNsPerSecond, bytes_per_s);
}

}  // namespace

CardModel::CardModel(const CardProfile& profile, Clock& clock) : profile_(profile), clock_(&clock) {
  XMC_CHECK(clock.kind() != Clock::Kind::real);
  XMC_CHECK(profile.read_bytes_per_s > 0);
  XMC_CHECK(profile.write_bytes_per_s > 0);
  XMC_CHECK(profile.queue_depth > 0);
  XMC_CHECK(profile.unit_bytes == 0 || profile.open_units > 0);
  XMC_CHECK(profile.open_units <= kOpenUnitsLimit);
}

u64 CardModel::occupy(u64 ns) {
  counters_.device_ns += ns;
  const u64 now = now_ns();
  busy_until_ns_ = (now < busy_until_ns_ ? busy_until_ns_ : now) + ns;
  return busy_until_ns_;
}

void CardModel::wait_until(u64 ns) {
  const u64 now = now_ns();
  if (now < ns) clock_->advance(ns - now);
}

u64 CardModel::read(u64 requests, u64 bytes) {
  const u64 rounds = divide_up(requests, profile_.queue_depth);
  return occupy(rounds * profile_.read_latency_ns + transfer_ns(bytes, profile_.read_bytes_per_s));
}

u64 CardModel::write(u64 file, u64 offset, u64 bytes) {
  u64 ns = profile_.write_latency_ns + transfer_ns(bytes, profile_.write_bytes_per_s);
  counters_.written_bytes += bytes;
  const u64 end = offset + bytes;
  while (profile_.unit_bytes > 0 && offset < end) {
    const u64 unit_end = round_down(offset, profile_.unit_bytes) + profile_.unit_bytes;
    const u64 piece_end = end < unit_end ? end : unit_end;
    if (write_unit(file, offset, piece_end)) {
      counters_.unit_rewrites += 1;
      counters_.written_bytes += profile_.unit_bytes;
      ns += transfer_ns(profile_.unit_bytes, profile_.write_bytes_per_s);
    }
    offset = piece_end;
  }
  return occupy(ns);
}

bool CardModel::write_unit(u64 file, u64 offset, u64 end) {
  const u64 number = offset / profile_.unit_bytes;
  u32 at = 0;
  while (at < open_count_ && (open_[at].file != file || open_[at].number != number)) ++at;
  bool rewrite = false;
  if (at < open_count_) {
    rewrite = open_[at].next != offset;
  } else {
    rewrite = offset % profile_.unit_bytes != 0;
    counters_.units_opened += 1;
    if (open_count_ < profile_.open_units) {
      at = open_count_++;
    } else {
      rewrite = true;
      at = 0;
      for (u32 i = 1; i < open_count_; ++i) {
        if (open_[i].used_at < open_[at].used_at) at = i;
      }
    }
  }
  open_[at] = {file, number, end, ++tick_};
  if (end % profile_.unit_bytes == 0) open_[at] = open_[--open_count_];  // full: closed at no cost
  return rewrite;
}

u64 CardModel::sync() { return occupy(profile_.write_latency_ns); }

void CardModel::drop(u64 file, u64 begin, u64 end) {
  for (u32 i = 0; i < open_count_;) {
    const u64 unit_begin = open_[i].number * profile_.unit_bytes;
    const bool inside = unit_begin >= begin && unit_begin + profile_.unit_bytes <= end;
    if (open_[i].file == file && inside) {
      open_[i] = open_[--open_count_];
    } else {
      ++i;
    }
  }
}

}  // namespace xmc
