#include "store/sorted_keys.h"

#include "store/sort_keys.h"
#include "xmc/check.h"

namespace xmc {

Result<Word*> read_sorted_keys(KeyReader& reader, KeyOrder& order, const KeyBuffers& buffers,
                               u32 count, Parallel* parallel) {
  XMC_CHECK(count <= buffers.keys);
  Word states[2][kKeyWords];
  const u32 words = order.key_words();
  for (u32 i = 0; i < count; ++i) {
    Word* const state = states[i % 2];
    const Result<bool> more = reader.next(state);
    if (!more.ok()) return more.status();
    XMC_CHECK(more.value());
    Word* const key = buffers.first + u64{i} * words;
    const bool made = i == 0 ? order.to_key(state, key)
                             : order.to_key(state, key, states[(i + 1) % 2], key - words);
    if (!made) return nullptr;
  }
  return sort_keys(buffers.first, buffers.second, count, order.key_words(), parallel);
}

}  // namespace xmc
