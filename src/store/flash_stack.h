// FlashStack: a stack of entries of some words each, whose top is in memory and whose rest is in a
// file of large blocks.
//
// The window in memory has room for two blocks. When it is full, its lower half is appended to the
// file; when it is empty, the last block of the file comes back and is cut off. Both leave half a
// window, so that a search that goes up and down around one depth moves nothing: a block is written
// only after as many bytes were pushed as it has.
//
//   block = frame (store/block.h), words; an entry may begin in one block and end in the next
#pragma once

#include <span>

#include "store/block.h"
#include "store/word_file.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class FlashStack {
 public:
  // The least window for such entries.
  static u64 least_bytes(u32 entry_words);

  // An empty stack in an empty file. `window` is aligned for the device.
  void start(Device* device, const char* name, u32 entry_words, std::span<u8> window);

  bool empty() const { return size_ == 0; }
  u64 size() const { return size_; }  // entries
  u64 peak() const { return peak_; }
  u64 spills() const { return spills_; }

  Status push(const Word* entry) {
    if (fill_ + entry_words_ > room_) XMC_TRY(spill());
    for (u32 w = 0; w < entry_words_; ++w) words_[fill_ + w] = entry[w];
    fill_ += entry_words_;
    if (++size_ > peak_) peak_ = size_;
    return {};
  }
  // Of a stack that is not empty.
  Status pop(Word* entry) {
    if (fill_ < entry_words_) XMC_TRY(refill());
    fill_ -= entry_words_;
    for (u32 w = 0; w < entry_words_; ++w) entry[w] = words_[fill_ + w];
    --size_;
    return {};
  }
  Status clear();

  // For a checkpoint: all its words. Those of the window come first, then those of the file, from
  // the bottom on, through the window, which reload() has
  // to bring back when `out` is finished.
  u64 words() const { return size_ * entry_words_; }
  u64 window_words() const { return fill_; }
  Status save(WordWriter& out);
  // The window's words are those from `at` on.
  Status reload(WordReader& in, u64 at);
  // Fills an empty stack with what save() gave: so many words, the first ones of a window.
  Status restore(WordReader& in, u64 at, u64 words, u64 window_words);

 private:
  Status load_block(u64 at);
  Status spill();
  Status refill();

  Device* device_ = nullptr;
  const char* name_ = "";
  std::span<u8> block_;    // the lower half of the window, with its frame
  Word* words_ = nullptr;  // behind the frame
  u32 block_words_ = 0;    // of a block in the file
  u32 room_ = 0;           // words of the window
  u32 fill_ = 0;
  u32 entry_words_ = 0;
  u64 size_ = 0;
  u64 peak_ = 0;
  u64 spills_ = 0;
};

}  // namespace xmc
