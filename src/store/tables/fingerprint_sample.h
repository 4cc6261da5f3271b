// FingerprintSample: the fingerprints of a share of all states, in memory, to estimate how many
// of some candidates are old: the share of those in the sample's range that it has. The range is
// halved whenever the sample is full, so that it takes a bounded memory and keeps its accuracy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc {

class FingerprintSample {
 public:
  // A power of two of slots, and half as many to spare.
  void start(std::span<u32> slots, std::span<u32> spare) {
    XMC_CHECK(!slots.empty() && (slots.size() & (slots.size() - 1)) == 0);
    XMC_CHECK(spare.size() >= slots.size() / 2);
    slots_ = slots;
    spare_ = spare;
    mask_ = size_ = 0;
    fill_zero(slots_);
  }
  // Each one that is covered stands for this many.
  u32 factor() const { return mask_ + 1; }
  bool covers(u32 fingerprint) const { return (fingerprint & mask_) == 0; }
  bool has(u32 fingerprint) const { return slots_[place_of(fingerprint)] != kEmpty; }
  u32 size() const { return size_; }
  // Does nothing for one that is not covered, or is there.
  void add(u32 fingerprint) {
    if (!covers(fingerprint)) return;
    u32& slot = slots_[place_of(fingerprint)];
    if (slot != kEmpty) return;
    slot = stored(fingerprint);
    if (++size_ >= slots_.size() / 2) halve();
  }

 private:
  static constexpr u32 kEmpty = 0;

  static u32 stored(u32 fingerprint) { return fingerprint == kEmpty ? 1u << 31 : fingerprint; }
  // Its slot, or the empty one where it belongs.
  std::size_t place_of(u32 fingerprint) const {
    const u32 wanted = stored(fingerprint);
    std::size_t at = static_cast<std::size_t>(u64{fingerprint} * slots_.size() >> 32);
    while (slots_[at] != kEmpty && slots_[at] != wanted) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  // More than once if what was added had the low bits of a larger range in common.
  void halve() {
    std::size_t kept = 0;
    for (const u32 fingerprint : slots_) {
      if (fingerprint != kEmpty) spare_[kept++] = fingerprint;
    }
    while (kept >= slots_.size() / 2 && mask_ != ~u32{0}) {
      mask_ = 2 * mask_ + 1;
      const auto left = [&](u32 fingerprint) { return !covers(fingerprint); };
      kept = static_cast<std::size_t>(
          std::remove_if(spare_.begin(), spare_.begin() + static_cast<std::ptrdiff_t>(kept), left) -
          spare_.begin());
    }
    fill_zero(slots_);
    for (const u32 fingerprint : spare_.first(kept)) slots_[place_of(fingerprint)] = fingerprint;
    size_ = static_cast<u32>(kept);
  }

  std::span<u32> slots_;
  std::span<u32> spare_;
  u32 mask_ = 0;
  u32 size_ = 0;
};

}  // namespace xmc
