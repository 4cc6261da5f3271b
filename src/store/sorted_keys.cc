#include "store/sorted_keys.h"

#include <algorithm>

#include "store/sort_keys.h"
#include "xmc/check.h"

namespace xmc {

Result<Word*> read_sorted_keys(KeyReader& reader, KeyOrder& order, const KeyBuffers& buffers,
                               u32 count, Parallel* parallel) {
  XMC_CHECK(count <= buffers.keys);
  Word states[KeyOrder::kBlockWords];
  const u32 state_words = order.state_words();
  for (u32 i = 0, part = 0; i < count; i += part) {
    part = std::min(order.block(), count - i);
    for (u32 k = 0; k < part; ++k) {
      const Result<bool> more = reader.next(states + k * state_words);
      if (!more.ok()) return more.status();
      XMC_CHECK(more.value());
    }
    Word* const keys = buffers.first + u64{i} * order.key_words();
    if (!order.to_keys(states, part, keys)) return nullptr;
  }
  return sort_keys(buffers.first, buffers.second, count, order.key_words(), parallel);
}

}  // namespace xmc
