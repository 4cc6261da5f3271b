#include "store/partitions/origin_queue.h"

namespace xmc {

void OriginQueue::push_whole(u64 origin) {
  put(0);
  for (u32 b = 0; b < 8; ++b) put(static_cast<u8>(origin >> (8 * b)));
}

u64 OriginQueue::pop_whole() {
  u64 origin = 0;
  for (u32 b = 0; b < 8; ++b) origin |= u64{take()} << (8 * b);
  first_ = origin >> kStepBits;
  return origin;
}

}  // namespace xmc
