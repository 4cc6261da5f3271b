// RunReader: walks a run from its front to its end, with jumps ahead. It decodes one mini at a
// time, and of that only what is asked for; a block is checked before anything in it is believed.
//
// How it reads the device: in ever larger pieces, up to the whole buffer, as long as one follows
// the other. After a jump it begins small, because sparse keys want one block each. A gap of at
// most `skip_bytes` is not jumped over but read: a seek costs a card as much as so many bytes in
// sequence. With a device of its own (`ahead`) it may have the next piece read into the other half
// of its buffer meanwhile, once two pieces have followed each other.
#pragma once

#include <algorithm>
#include <span>

#include "store/runs/run_file.h"
#include "xmc/limits.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class RunReader {
 public:
  static constexpr u64 kSkipBytes = 16 << 10;

  // Before the first key. The run must outlive the reader. `buffer`: whole blocks, aligned.
  void start(const Run& run, std::span<u8> buffer, u64 skip_bytes = kSkipBytes, bool ahead = false);
  // The buffer belongs to nobody else before this; what was read ahead is not there any more.
  Status finish();

  const Run& run() const { return *run_; }
  // Whether all keys were taken or passed. False for a reader that has not begun.
  bool exhausted() const { return entered_ && taken_ == mini_keys_ && !more_minis(); }

  // The next keys, as many as come cheaply; none only at the end. They stay until the next call.
  Status next_keys(const Word*& keys, u32& count);
  // The next key; false at the end.
  Result<bool> next(Word* key);
  // Passes all keys that are less than this one.
  Status seek_at_least(const Word* key);

  // The same for a filter: shows some keys from the first one on that is not less, without passing
  // them. None: the run does not have `key`.
  Status look(const Word* key, const Word*& keys, u32& count);

 private:
  enum class Side : u8 { within, behind, unknown };

  bool ended() const { return block_ == run_->blocks; }
  bool more_minis() const { return later_keys_ != 0 || block_ + 1 < run_->blocks; }
  u64 piece_end() const { return piece_.first + piece_.blocks; }
  bool holds(u64 block) const { return block >= piece_.first && block < piece_end(); }
  const u8* buffered(u64 block) const;
  Status read_piece(u64 first, u64 blocks);
  Status read_ahead();
  Status check(u64 block);
  Status enter_block(u64 block);
  Status damaged(u64 block) const;

  bool open_mini(const u8* length_at);
  Status next_mini();
  bool decode(u32 count);
  Status fill();

  Status compare_block(const Word* key, Side& side);
  Status approach(const Word* key);
  Status jump(const Word* key);
  Status bisect(const Word* key, u64& low, u64& high);

  const Run* run_ = nullptr;
  u32 words_ = 0;
  u64 skip_bytes_ = kSkipBytes;

  // The piece of the run that is in the buffer.
  struct {
    std::span<u8> buffer;
    u64 most_blocks = 0;
    u64 first = 0;
    u64 blocks = 0;
    u64 next_blocks = 0;  // to read next time
  } piece_;
  // The piece that is on its way.
  struct {
    std::span<u8> buffer;  // empty: nothing is read ahead
    u64 first = 0;
    u64 blocks = 0;  // 0: none
    Device* device = nullptr;
  } coming_;
  u64 checked_block_ = ~u64{0};  // the last one that was checked, and what it said
  RunBlock checked_;

  // The block, and the mini in it.
  bool entered_ = false;
  bool sparse_ = false;  // the last look() had to hop
  u64 block_ = 0;
  const u8* block_end_ = nullptr;
  const u8* at_ = nullptr;  // the next record
  const u8* mini_end_ = nullptr;
  const u8* ahead_end_ = nullptr;       // behind the next mini's head
  u32 later_keys_ = 0;                  // of this block, behind this mini
  u32 mini_keys_ = 0;                   // of this mini
  u32 decoded_ = 0;                     // of these
  u32 taken_ = 0;                       // of these
  Word ahead_[limits::kKeyWords] = {};  // the next mini's head, when there are later keys
  Word keys_[std::max(kMiniWords, limits::kKeyWords)] = {};
};

}  // namespace xmc
