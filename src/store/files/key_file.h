// KeyFile: an append-only sequence of keys with their levels, on a device: the queue and the memory
// of a breadth-first search. What is appended at the end is read back from the front, and all of it
// stays for the counterexample.
//
// The file is a row of slots of 64 KiB, each of them one block of keys (store/files/key_block.h),
// or several where a checkpoint wanted the last one early. One writer, which keeps the last block
// in memory until its slot is full, so that a thousand tiny levels cost one write; any number of
// readers, which find that last block there. With memory for two slots, the device writes one while
// the next is being filled, and a reader that goes on from slot to slot has the next one read
// meanwhile. The slot before the last is in memory, too, then: a search of thin levels, whose
// reader is right behind the writer, reads nothing.
#pragma once

#include <span>

#include "store/files/key_block.h"
#include "xmc/device.h"
#include "xmc/go_on.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class KeyFile {
 public:
  static constexpr u32 kSlotBytes = 64 << 10;

  // An empty file. `buffer` holds one slot or two, aligned for the device.
  void start(Device* device, const char* name, Purpose purpose, u32 key_words,
             std::span<u8> buffer);
  // A file as it was after flush(): its first `bytes` bytes. What came later is cut off. `buffer`
  // as for start(); `chain` as it was.
  Status reopen(Device* device, const char* name, Purpose purpose, u32 key_words,
                std::span<u8> buffer, u64 bytes, u64 chain);

  // Levels do not decrease.
  Status append(const Word* key, u64 level);
  // Everything on the device, durable. The next key begins a block of its own.
  Status flush();
  // Empties it, for a file that is filled anew.
  Status clear();

  // What accesses are counted as from here on.
  void set_purpose(Purpose purpose) { purpose_ = purpose; }

  u64 keys() const { return keys_; }
  u32 key_words() const { return words_; }
  u64 slots() const { return slots_ + (fill_ != 0 || !writer_.empty() ? 1 : 0); }
  u64 bytes() const { return slots_ * kSlotBytes + fill_; }  // on the device
  u64 chain() const { return chain_; }
  const char* name() const { return name_; }

  // What a slot holds: blocks on the device and, in the last one, the block in memory behind them.
  struct Slot {
    u32 sealed_bytes = 0;
    bool live = false;
    KeyBlockHeader live_header;
  };
  // Slot i into `into` (kSlotBytes, aligned). Its blocks are not checked yet.
  Status read_slot(u64 i, std::span<u8> into, Slot& slot);
  // What read_slot() gave, with what was appended to the block in memory since. False: that block
  // was written, and the slot has to be read again.
  bool extend_slot(u64 i, std::span<u8> into, Slot& slot) const;
  // A slot that is on the device in full, read in the background: at most one at a time. False: not
  // there yet.
  Result<bool> begin_read_slot(u64 i, std::span<u8> into);
  Status finish_read_slot();
  // Checks the block `at` bytes behind the beginning of slot i, and takes its header.
  Status open_block(u64 i, u32 at, std::span<const u8> block, KeyBlockHeader& header,
                    u32* block_bytes) const;
  // The header of a slot's first block, checked.
  Status read_header(u64 i, std::span<u8> buffer, KeyBlockHeader& header);

 private:
  Status write_block(bool early);
  bool holds(u64 i) const { return held_ && i + 1 == slots_; }

  Device* device_ = nullptr;
  const char* name_ = "";
  Purpose purpose_ = Purpose::other;
  u32 words_ = 0;
  void set_buffer(std::span<u8> buffer);

  std::span<u8> buffer_;
  std::span<u8> other_;    // of the slot that is being written; empty: there is one buffer only
  bool held_ = false;      // other_ has the last slot that was filled
  bool copied_ = false;    // what begin_read_slot() began is done
  KeyBlockWriter writer_;  // of the slot's part behind fill_
  u64 keys_ = 0;
  u64 slots_ = 0;  // written in full
  u32 fill_ = 0;   // bytes of the last slot on the device
  u64 chain_ = 0;
};

// Walks the keys from the first of a slot on. The writer may append meanwhile.
class KeyReader {
 public:
  // `buffer` holds one slot or two. It is the reader's until another start(), or the end of the
  // device. A reader for a long scan asks at every slot whether to go on.
  void start(KeyFile& file, std::span<u8> buffer, const GoOn& go_on = {});
  // Where the reader is, and back there.
  struct Position {
    u64 slot = 0;
    u64 keys = 0;  // of the slot, that were read
  };
  Position position() const {
    return {slot_, loaded_ ? done_before_ + keys_.done() - (again_ ? 1 : 0) : 0};
  }
  Status seek(Position position);
  // To the first key of a slot.
  Status seek_slot(u64 slot);
  // To the first key of a level that is there.
  Status seek_level(u64 level);
  // To a key by its number, which is there.
  Status seek_key(u64 number);
  // False: there is no key of this level, in a file that need not have all of them.
  Result<bool> find_level(u64 level);
  // The same from behind, for one who goes back and back: next() has given a key behind what is
  // wanted, and the buffer is as it was then; or the reader has just been started. The slot in the
  // buffer is not read again, and those before are tried first.
  Status seek_level_back(u64 level);
  Result<bool> find_level_back(u64 level);
  Status seek_key_back(u64 number);
  // The next key; false at the present end of the file.
  Result<bool> next(Word* key);
  // What next() has just given comes once more.
  void unread() { again_ = true; }
  u64 level() const { return keys_.level(); }   // of the key that next() gave last
  u64 index() const { return keys_.number(); }  // its number

 private:
  Status open_block(u32 at, bool& opened);
  Status load(u64 slot);
  Status reload();
  Result<bool> refill();
  template <class Before>
  Status seek_last_slot(Before before, u64 low, u64 high);
  template <class Before>
  Status seek_back(Before before);
  Status skip(u64 keys);

  static constexpr u64 kNoSlot = ~u64{0};

  KeyFile* file_ = nullptr;
  GoOn go_on_;
  std::span<u8> buffer_;
  std::span<u8> other_;  // for the slot ahead; empty: there is one buffer only
  u64 ahead_ = kNoSlot;  // being read into other_
  KeyFile::Slot contents_;
  KeyBlockReader keys_;
  u64 slot_ = 0;
  u32 block_at_ = 0;  // in the slot
  u32 block_bytes_ = 0;
  u64 done_before_ = 0;  // keys of the slot's blocks before this one
  bool loaded_ = false;
  bool live_ = false;   // the block is a copy of the one that is being written
  bool again_ = false;  // the last key comes next
};

}  // namespace xmc
