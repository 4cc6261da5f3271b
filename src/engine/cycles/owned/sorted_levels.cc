#include "engine/cycles/owned/sorted_levels.h"

#include <algorithm>

#include "engine/search/file_names.h"
#include "store/keys/sort_keys.h"
#include "xmc/check.h"

namespace xmc {

namespace {

bool before(const Word* a, const Word* b, u32 words) {
  return std::lexicographical_compare(a, a + words, b, b + words);
}

}  // namespace

Status SortedLevels::open(const Product& product, std::span<u8> buffer) {
  words_ = product.search->model.state_words;
  levels_ = 0;
  XMC_LET(device_, product.folder->open(kSortedFile, Folder::Open::create));
  file_.start(device_, kSortedFile, Purpose::queue, words_, buffer);
  return {};
}

Status SortedLevels::close(Folder& folder) {
  if (device_ == nullptr) return {};
  folder.close(device_);
  device_ = nullptr;
  return folder.remove(kSortedFile);
}

Status SortedLevels::append(const Product& product, std::span<u8> memory) {
  KeyFile& queue = *product.queue;
  KeyReader reader;
  reader.start(queue, product.read_buffer);
  const std::span<Word> states(reinterpret_cast<Word*>(memory.data()),
                               memory.size() / sizeof(Word));
  while (file_.keys() < queue.keys()) {
    XMC_TRY(reader.seek_key(file_.keys()));
    XMC_TRY(append_level(product, reader, states));
  }
  return {};
}

// `reader` is at its first state.
Status SortedLevels::append_level(const Product& product, KeyReader& reader,
                                  std::span<Word> states) {
  const u64 most = std::min<u64>(states.size() / (2 * words_), u64{1} << 28);
  XMC_CHECK(most > 1);
  Word* const keys = states.data();
  Word* const other = keys + most * words_;
  const u64 begin = file_.keys();
  WorkPoll poll(product);
  Word last[limits::kStateWords];   // what is there already: up to this one
  Word bound[limits::kStateWords];  // what has no room: from this one on
  Word state[limits::kStateWords];
  u64 level = 0;
  for (bool first = true, more = true; more; first = false) {
    u32 count = 0;
    more = false;
    if (!first) XMC_TRY(reader.seek_key(begin));
    const auto sort = [&] {
      const Word* const sorted = sort_keys(keys, other, count, words_);
      if (sorted != keys) std::copy_n(sorted, u64{count} * words_, keys);
    };
    for (u64 read = 0;; ++read) {
      XMC_LET(const bool here, reader.next(state));
      if (!here || (read > 0 && reader.level() != level)) break;
      level = reader.level();
      if (!first && !before(last, state, words_)) continue;
      if (more && !before(state, bound, words_)) continue;
      std::copy_n(state, words_, keys + u64{count++} * words_);
      XMC_TRY(poll.now_and_then(level));
      if (count < most) continue;
      sort();
      count = static_cast<u32>(most / 2);
      std::copy_n(keys + u64{count} * words_, words_, bound);
      more = true;
    }
    sort();
    for (u32 i = 0; i < count; ++i) XMC_TRY(file_.append(keys + u64{i} * words_, level));
    if (count > 0) std::copy_n(keys + u64{count - 1} * words_, words_, last);
  }
  levels_ = level + 1;
  return {};
}

Status SortedLevels::find_begins(const Product& product, std::span<u64> begins) {
  KeyReader reader;
  reader.start(file_, product.read_buffer);
  std::size_t next = 0;
  Word state[limits::kStateWords];
  WorkPoll poll(product);
  for (u64 i = 0; i < file_.keys(); ++i) {
    XMC_LET(const bool more, reader.next(state));
    XMC_CHECK(more);
    while (next <= reader.level()) begins[next++] = i;
    XMC_TRY(poll.now_and_then(reader.level()));
  }
  while (next < begins.size()) begins[next++] = file_.keys();
  return {};
}

}  // namespace xmc
