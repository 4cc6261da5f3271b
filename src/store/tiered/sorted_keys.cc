#include "store/tiered/sorted_keys.h"

#include <algorithm>

#include "store/keys/key_compare.h"
#include "store/keys/sort_keys.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

Result<bool> read_keys(KeyReader& reader, KeyOrder& order, u32 count, Word* keys) {
  Word states[KeyOrder::kBlockWords];
  const u32 state_words = order.state_words();
  for (u32 i = 0, part = 0; i < count; i += part) {
    part = std::min(order.block(), count - i);
    for (u32 k = 0; k < part; ++k) {
      XMC_LET(const bool more, reader.next(states + k * state_words));
      XMC_CHECK(more);
    }
    if (!order.to_keys(states, part, keys + u64{i} * order.key_words())) return false;
  }
  return true;
}

Result<Word*> read_sorted_keys(KeyReader& reader, KeyOrder& order, const KeyBuffers& buffers,
                               u32 count) {
  XMC_CHECK(count <= buffers.keys);
  XMC_LET(const bool made, read_keys(reader, order, count, buffers.first));
  if (!made) return nullptr;
  return sort_keys(buffers.first, buffers.second, count, order.key_words());
}

u32 drop_repeated(Word* sorted, u32 count, u32 words) {
  u32 left = std::min(count, 1u);
  for (u32 i = 1; i < count; ++i) {
    const Word* const key = sorted + u64{i} * words;
    if (key_equal(key, sorted + u64{left - 1} * words, words)) continue;
    if (left != i) copy_key(sorted + u64{left} * words, key, words);
    ++left;
  }
  return left;
}

Result<u32> read_some_keys(KeyReader& reader, KeyOrder& order, u64 states, u32 most, Word* keys) {
  XMC_CHECK(most > 0 && !order.joined());
  const u64 step = std::max<u64>(divide_up(states, most), 1);
  Word state[limits::kKeyWords];
  u32 count = 0;
  for (u64 i = 0; i < states; ++i) {
    XMC_LET(const bool more, reader.next(state));
    XMC_CHECK(more);
    if (i % step == 0) XMC_CHECK(order.to_key(state, keys + u64{count++} * order.key_words()));
  }
  return count;
}

Result<u64> whole_levels(KeyReader& reader, u64 states) {
  if (states == 0) return u64{0};
  Word state[limits::kKeyWords];
  XMC_TRY(reader.seek_key(states - 1));
  XMC_TRY(reader.next(state).status());
  XMC_TRY(reader.seek_level(reader.level()));
  XMC_TRY(reader.next(state).status());
  return reader.index();
}

}  // namespace xmc
