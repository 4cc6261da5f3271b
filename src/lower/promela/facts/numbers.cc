#include "lower/promela/facts/numbers.h"

namespace xmc::promela {

using ir::Interval;

void Numbers::add(Interval v) {
  const Interval fits = ir::meet(v, {0, 255});
  for (i32 i = fits.lo; i <= fits.hi; ++i) add(static_cast<u32>(i));
}

void Numbers::keep(Interval v) {
  for (u32 i = next(0); i != kNone; i = next(i + 1)) {
    if (!v.contains(static_cast<i32>(i))) remove(i);
  }
}

u32 Numbers::count() const {
  u32 out = 0;
  for (const u64 word : words_) out += static_cast<u32>(std::popcount(word));
  return out;
}

u32 Numbers::next(u32 from) const {
  while (from < 256) {
    const u64 rest = words_[from / 64] >> from % 64;
    if (rest != 0) return from + static_cast<u32>(std::countr_zero(rest));
    from = (from / 64 + 1) * 64;
  }
  return kNone;
}

u32 Numbers::last() const {
  for (u32 i = 4; i-- > 0;) {
    if (words_[i] != 0) return i * 64 + 63 - static_cast<u32>(std::countl_zero(words_[i]));
  }
  return kNone;
}

Interval Numbers::hull() const {
  if (empty()) return {};
  return {static_cast<i32>(next(0)), static_cast<i32>(last())};
}

}  // namespace xmc::promela
