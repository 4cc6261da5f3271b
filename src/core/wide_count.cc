// WideCount: the sums and the decimal digits of counts that do not fit 64 bits.
#include "xmc/wide_count.h"

#include "xmc/text.h"

namespace xmc {

namespace {

constexpr u32 kBillion = 1'000'000'000;

// Divides the number by a billion, in halves of words, so that a 32-bit machine has the
// instructions for it. Returns the remainder.
u32 divide_by_billion(WideCount& n) {
  u64 rest = 0;
  for (u32 i = WideCount::kWords; i-- > 0;) {
    const u64 high = rest << 32 | n.words[i] >> 32;
    const u64 low = high % kBillion << 32 | (n.words[i] & ~u32{0});
    n.words[i] = high / kBillion << 32 | low / kBillion;
    rest = low % kBillion;
  }
  return static_cast<u32>(rest);
}

}  // namespace

bool WideCount::fits_u64() const {
  if (over) return false;
  for (u32 i = 1; i < kWords; ++i) {
    if (words[i] != 0) return false;
  }
  return true;
}

void WideCount::add(const WideCount& other) {
  u64 carry = 0;
  for (u32 i = 0; i < kWords; ++i) {
    const u64 sum = words[i] + other.words[i];
    const u64 all = sum + carry;
    carry = (sum < words[i] ? 1 : 0) | (all < sum ? 1 : 0);
    words[i] = all;
  }
  if (!over && !other.over && carry == 0) return;
  *this = WideCount();
  over = true;
}

void WideCount::write(Text& out, bool commas) const {
  if (over) {
    out.format("2^%u", kBits);
    return;
  }
  char digits[kBits / 3];
  u32 count = 0;
  WideCount left = *this;
  while (!left.is_zero() || count == 0) {
    u32 nine = divide_by_billion(left);
    const bool last = left.is_zero();
    for (u32 i = 0; i < 9 && (!last || nine != 0 || count == 0); ++i) {
      digits[count++] = static_cast<char>('0' + nine % 10);
      nine /= 10;
    }
  }
  for (u32 i = count; i-- > 0;) {
    out.add(digits[i]);
    if (commas && i != 0 && i % 3 == 0) out.add(',');
  }
}

}  // namespace xmc
