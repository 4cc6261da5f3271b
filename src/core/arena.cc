// Arena: carving from the low end, scratch at the high end. What scratch has used is cleared when
// it is carved, because carved memory is promised to be zero.
#include "xmc/arena.h"

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

Arena::Arena(std::span<u8> region)
    : region_(region), high_(region.size()), scratch_low_(region.size()) {}

void Arena::exhaust(const char* name, u64 bytes) const {
  if (exhausted_ != nullptr) exhausted_(*this, name, bytes);
  check_failed("arena exhausted", name, 0);
}

void Arena::note_peak() {
  const u64 used = low_ + (region_.size() - high_);
  if (used > peak_) peak_ = used;
}

void* Arena::carve(const char* name, u64 bytes, u64 alignment) {
  XMC_CHECK(!sealed_);
  XMC_CHECK(alignment != 0 && (alignment & (alignment - 1)) == 0);
  if (alignment < 16) alignment = 16;
  const u64 base = reinterpret_cast<std::uintptr_t>(region_.data());
  const u64 begin = round_up(base + low_, alignment) - base;
  if (begin > high_ || bytes > high_ - begin) exhaust(name, bytes);
  const u64 end = begin + bytes;
  if (end > scratch_low_) {
    const u64 dirty = begin > scratch_low_ ? begin : scratch_low_;
    fill_zero(
        region_.subspan(static_cast<std::size_t>(dirty), static_cast<std::size_t>(end - dirty)));
  }
  u32 slot = 0;
  while (slot < carve_count_ && std::string_view(carves_[slot].name) != name) ++slot;
  if (slot == carve_count_) {
    XMC_CHECK(carve_count_ < limits::kCarves);
    carves_[carve_count_++] = {name, 0};
  }
  carves_[slot].bytes += end - low_;
  low_ = end;
  note_peak();
  return region_.data() + begin;
}

void* Arena::scratch(const char* name, u64 bytes, u64 alignment) {
  XMC_CHECK(!sealed_);
  XMC_CHECK(alignment != 0 && (alignment & (alignment - 1)) == 0);
  const u64 base = reinterpret_cast<std::uintptr_t>(region_.data());
  if (bytes > high_ - low_) exhaust(name, bytes);
  const u64 begin = round_down(base + high_ - bytes, alignment);
  if (begin < base + low_) exhaust(name, bytes);
  high_ = begin - base;
  if (high_ < scratch_low_) scratch_low_ = high_;
  note_peak();
  return region_.data() + high_;
}

void Arena::scratch_release(u64 mark) {
  XMC_CHECK(mark >= high_ && mark <= region_.size());
  high_ = mark;
}

void Arena::extend(u64 bytes) {
  XMC_CHECK(!sealed_ && high_ == region_.size());
  if (scratch_low_ == region_.size()) scratch_low_ += bytes;
  region_ = {region_.data(), region_.size() + static_cast<std::size_t>(bytes)};
  high_ += bytes;
}

void Arena::seal() {
  XMC_CHECK(!sealed_);
  sealed_ = true;
}

}  // namespace xmc
