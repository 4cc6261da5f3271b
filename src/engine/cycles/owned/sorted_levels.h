// SortedLevels: the queue of one owner once more, with the states of each level in their order.
//
// In which order an owner's states come to its queue depends on timing, and so would their numbers,
// and the cycle that is found first. Here they depend on the states alone.
//
//   sorted  a key file as the queue is one (store/files/key_file.h)
//
// A level that does not fit the memory is read several times, each time for the smallest states
// that are left.
#pragma once

#include <span>

#include "engine/search/work_poll.h"
#include "store/files/key_file.h"

namespace xmc {

class SortedLevels {
 public:
  static constexpr u64 kBufferBytes = KeyFile::kSlotBytes;

  // `buffer`, kBufferBytes of it, is in use until close().
  Status open(const Product& product, std::span<u8> buffer);
  bool is_open() const { return device_ != nullptr; }
  Status close(Folder& folder);

  // Appends the levels of the product's queue that are not here; all in it are complete. The
  // product's read buffer and `memory`, aligned to 8 bytes, are in use meanwhile.
  Status append(const Product& product, std::span<u8> memory);
  KeyFile& file() { return file_; }
  u64 levels() const { return levels_; }
  // Where each of them begins, and where the last one ends, in order.
  Status find_begins(const Product& product, std::span<u64> begins);

 private:
  Status append_level(const Product& product, KeyReader& reader, std::span<Word> states);

  Device* device_ = nullptr;
  KeyFile file_;
  u32 words_ = 0;
  u64 levels_ = 0;
};

}  // namespace xmc
