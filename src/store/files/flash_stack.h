// FlashStack: a stack of entries of some words each, whose top is in memory and whose rest is in a
// file of large blocks.
//
// The window in memory has room for two blocks, or more. When it is full, its lower half is
// appended to the file; when it is empty, the last blocks of the stack come back, and are cut off
// if they are the last ones of the file. Both leave half a window, so that a search that goes up
// and down around one depth moves nothing: a block is written only after as many bytes were pushed
// as it has. With many blocks it may be another share than half (Division).
//
//   block = frame (store/files/block.h), number and checksum of the block below it, words; an entry
//           may begin in one block and end in the next
//
// Places of the file are written again and again as the stack goes up and down. Each block has the
// checksum of the one below, and memory that of the highest one: an older block of the same place,
// which a lost write would leave there, is not taken for it. Blocks that are kept (below) are never
// written again and need no such sum.
//
// Blocks that a checkpoint has named stay where they are when they are popped, and what is pushed
// then goes behind them: each block says what is below it. When more than half of the file is such
// rubbish, the next checkpoint has a copy without it.
#pragma once

#include <span>

#include "store/files/block.h"
#include "store/files/word_file.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class FlashStack {
 public:
  // The least window for such entries.
  static u64 least_bytes(u32 entry_words);

  // How a window is divided into blocks, and what share of them moves at a time. By default it is
  // one block of two.
  struct Division {
    u64 block_bytes = 0;  // 0: half of the window; else at most half
    u32 percent = 50;
  };
  // An empty stack in an empty file. `window` is aligned for the device.
  void start(Device* device, const char* name, u32 entry_words, std::span<u8> window,
             const Division& division);
  void start(Device* device, const char* name, u32 entry_words, std::span<u8> window) {
    start(device, name, entry_words, window, Division());
  }

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

  // What a checkpoint says of the file.
  struct Filed {
    u64 bytes = 0;  // of the file
    u64 chain = 0;
    u64 blocks = 0;  // of the stack
    u64 top = 0;     // of them, the number of the highest one
    u64 block_bytes = 0;
    u64 window_words = 0;  // in memory
  };
  // For a checkpoint: the file is durable, and stays as it is up to here. The words in memory are
  // the caller's to write. `buffer` holds a page.
  Status note(Filed& filed, std::span<u8> buffer);
  std::span<const Word> window() const { return {words_, fill_}; }
  // Goes on in an empty file, with the blocks that belong to the stack. Uses the window's lower
  // half, which reload() brings back: its words are those from `at` on.
  bool wants_copy() const;
  Status copy_to(Device* device, const char* name);
  Status reload(WordReader& in, u64 at);
  // The stack that note() told of, with the words of its window from `at` on. The window holds two
  // blocks, or as many as it has been divided into; then it need have no more.
  Status restore(Device* device, const char* name, u32 entry_words, std::span<u8> window,
                 const Filed& filed, WordReader& in, u64 at, u32 percent = 50);
  // Leaves less than a block in memory, so that any window will do for restore().
  Status spill_blocks();

 private:
  static constexpr u64 kNoBlock = ~u64{0};
  static constexpr u32 kHeadBytes = BlockFrame::kBytes + 2 * sizeof(Word);

  void lay_out(u32 entry_words, std::span<u8> window, u64 block, u32 percent);
  // A block of the file, and the checksum that it has to have.
  struct Link {
    u64 number = kNoBlock;
    u64 sum = 0;
  };
  Status append_block(Device* device, const Link& below, u64& checksum);
  // `link` is then that of the block below.
  Status load_block(Link& link);
  Status spill_block();
  Status spill();
  Status refill();

  Device* device_ = nullptr;
  const char* name_ = "";
  std::span<u8> block_;    // the lower half of the window, with its frame
  Word* words_ = nullptr;  // behind its head
  u32 block_words_ = 0;    // of a block in the file
  u32 room_ = 0;           // words of the window
  u32 moved_ = 1;          // blocks at a time
  u32 fill_ = 0;
  u32 entry_words_ = 0;
  u64 filed_ = 0;  // blocks of the stack
  Link top_;       // of them, the highest one
  u64 kept_ = 0;   // blocks of the file that a checkpoint has named
  u64 kept_chain_ = 0;
  u64 size_ = 0;
  u64 peak_ = 0;
  u64 spills_ = 0;
};

}  // namespace xmc
