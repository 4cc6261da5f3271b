#include "store/sorted_keys.h"

#include "store/sort_keys.h"
#include "xmc/check.h"

namespace xmc {

Result<Word*> read_sorted_keys(KeyReader& reader, KeyOrder& order, const KeyBuffers& buffers,
                               u32 count, Parallel* parallel) {
  XMC_CHECK(count <= buffers.keys);
  Word state[kKeyWords];
  for (u32 i = 0; i < count; ++i) {
    const Result<bool> more = reader.next(state);
    if (!more.ok()) return more.status();
    XMC_CHECK(more.value());
    if (!order.to_key(state, buffers.first + u64{i} * order.key_words())) return nullptr;
  }
  return sort_keys(buffers.first, buffers.second, count, order.key_words(), parallel);
}

}  // namespace xmc
