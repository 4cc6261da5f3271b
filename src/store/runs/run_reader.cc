#include "store/runs/run_reader.h"

#include <algorithm>
#include <utility>

#include "store/files/block.h"
#include "store/keys/key_compare.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

// Keys that are decoded at once where only one is looked for.
constexpr u32 kSparseStep = 8;

}  // namespace

void RunReader::start(const Run& run, std::span<u8> buffer, u64 skip_bytes, bool ahead) {
  XMC_CHECK(buffer.size() >= kRunBlockBytes);
  XMC_CHECK(coming_.blocks == 0);
  XMC_CHECK(run.words >= 1 && run.words <= limits::kKeyWords);
  *this = {};
  run_ = &run;
  words_ = run.words;
  skip_bytes_ = skip_bytes;
  piece_.most_blocks = buffer.size() / kRunBlockBytes;
  piece_.buffer = buffer;
  if (ahead && piece_.most_blocks >= 2) {
    piece_.most_blocks /= 2;
    piece_.buffer = buffer.first(static_cast<std::size_t>(piece_.most_blocks) * kRunBlockBytes);
    coming_.buffer = buffer.subspan(piece_.buffer.size(), piece_.buffer.size());
  }
  piece_.next_blocks = piece_.most_blocks;
}

// --- Blocks
// ---------------------------------------------------------------------------------------

const u8* RunReader::buffered(u64 block) const {
  return piece_.buffer.data() + static_cast<std::size_t>(block - piece_.first) * kRunBlockBytes;
}

Status RunReader::damaged(u64 block) const {
  return damaged_block(run_->file, run_->first_block + block);
}

Status RunReader::finish() {
  if (coming_.blocks == 0) return {};
  coming_.blocks = 0;
  return coming_.device->finish_read();
}

Status RunReader::read_piece(u64 first, u64 blocks) {
  const bool follows = piece_.blocks != 0 && first == piece_end();
  const u64 ready = coming_.blocks;
  const Status status = finish();
  piece_.blocks = 0;
  checked_block_ = ~u64{0};
  if (ready != 0 && first >= coming_.first && first < coming_.first + ready) {
    XMC_TRY(status);
    std::swap(piece_.buffer, coming_.buffer);
    piece_.first = coming_.first;
    piece_.blocks = ready;
  } else {
    blocks = std::min({blocks, piece_.most_blocks, run_->blocks - first});
    const std::size_t bytes = static_cast<std::size_t>(blocks) * kRunBlockBytes;
    const ReadRequest request{run_->offset(first), piece_.buffer.first(bytes)};
    XMC_TRY(run_->device->read({&request, 1}, run_->purpose));
    piece_.first = first;
    piece_.blocks = blocks;
  }
  piece_.next_blocks = std::min(2 * piece_.blocks, piece_.most_blocks);
  return follows ? read_ahead() : Status();
}

// The piece behind this one.
Status RunReader::read_ahead() {
  const u64 blocks = std::min(piece_.next_blocks, run_->blocks - piece_end());
  if (coming_.buffer.empty() || blocks == 0) return {};
  const std::size_t bytes = static_cast<std::size_t>(blocks) * kRunBlockBytes;
  coming_.device = run_->device;
  coming_.first = piece_end();
  XMC_TRY(coming_.device->begin_read({run_->offset(coming_.first), coming_.buffer.first(bytes)},
                                     run_->purpose));
  coming_.blocks = blocks;
  return {};
}

// A block of the piece in memory, once.
Status RunReader::check(u64 block) {
  if (checked_block_ == block) return {};
  if (!check_run_block(*run_, block, buffered(block), checked_, nullptr)) return damaged(block);
  checked_block_ = block;
  return {};
}

// To the first key of a block; behind the last block is the end.
Status RunReader::enter_block(u64 block) {
  entered_ = true;
  block_ = block;
  later_keys_ = mini_keys_ = decoded_ = taken_ = 0;
  if (ended()) return {};
  if (!holds(block)) XMC_TRY(read_piece(block, piece_.next_blocks));
  XMC_TRY(check(block));
  const u8* const data = buffered(block);
  load_first_key(data, words_, keys_);
  later_keys_ = checked_.keys;
  block_end_ = data + checked_.used_bytes;
  return open_mini(data + kRunHeaderBytes + 8 * words_) ? Status() : damaged(block);
}

// --- Minis
// ----------------------------------------------------------------------------------------

// Its head is in keys_ already. Looks at the next one's head, which tells what can be in this one.
bool RunReader::open_mini(const u8* length_at) {
  if (block_end_ - length_at < 2) return false;
  const u32 length = length_at[0] | u32{length_at[1]} << 8;
  at_ = length_at + 2;
  if (block_end_ - at_ < static_cast<std::ptrdiff_t>(length)) return false;
  mini_end_ = at_ + length;
  mini_keys_ = std::min(run_mini_keys(words_), later_keys_);
  later_keys_ -= mini_keys_;
  decoded_ = 1;
  taken_ = 0;
  if (later_keys_ == 0) return true;
  ahead_end_ = decode_keys(run_->codec, mini_end_, block_end_, keys_, ahead_, 1, words_);
  return ahead_end_ != nullptr;
}

Status RunReader::next_mini() {
  if (later_keys_ == 0) return enter_block(block_ + 1);
  copy_key(keys_, ahead_, words_);
  return open_mini(ahead_end_) ? Status() : damaged(block_);
}

bool RunReader::decode(u32 count) {
  if (count == 0) return true;
  Word* const to = keys_ + decoded_ * words_;
  at_ = decode_keys(run_->codec, at_, mini_end_, to - words_, to, count, words_);
  decoded_ += count;
  return at_ != nullptr && (decoded_ < mini_keys_ || at_ == mini_end_);
}

// Makes sure that there are keys to take, unless this is the end.
Status RunReader::fill() {
  if (!entered_) XMC_TRY(enter_block(0));
  if (taken_ == mini_keys_ && !ended()) XMC_TRY(next_mini());
  return decode(mini_keys_ - decoded_) ? Status() : damaged(block_);
}

Status RunReader::next_keys(const Word*& keys, u32& count) {
  XMC_TRY(fill());
  keys = keys_ + taken_ * words_;
  count = decoded_ - taken_;
  taken_ = decoded_;
  return {};
}

Result<bool> RunReader::next(Word* key) {
  if (taken_ == decoded_) XMC_TRY(fill());
  if (taken_ == decoded_) return false;
  copy_key(key, keys_ + taken_ * words_, words_);
  ++taken_;
  return true;
}

// --- Jumps
// ----------------------------------------------------------------------------------------

// Whether a key that is not less than this block's first is behind this block, as far as memory
// tells.
Status RunReader::compare_block(const Word* key, Side& side) {
  const u64 next = block_ + 1;
  const u32 shift = run_->index.shift();
  Word first[limits::kKeyWords];
  const Word* bound = first;
  if (next == run_->blocks) {
    side = Side::within;
    return {};
  }
  if ((next & ((u64{1} << shift) - 1)) == 0) {
    bound = run_->index.key(static_cast<u32>(next >> shift));
  } else if (holds(next)) {
    XMC_TRY(check(next));
    load_first_key(buffered(next), words_, first);
  } else {
    side = Side::unknown;
    return {};
  }
  side = key_less(key, bound, words_) ? Side::within : Side::behind;
  return {};
}

// To the mini that has the key, if one has it; the next mini or block then begins with a greater
// key.
Status RunReader::approach(const Word* key) {
  if (!entered_) XMC_TRY(jump(key));
  u32 steps = 0;
  while (!ended()) {
    if (later_keys_ != 0 && key_less(key, ahead_, words_)) break;
    Side side = Side::within;
    XMC_TRY(compare_block(key, side));
    if (side == Side::behind) {
      XMC_TRY(jump(key));
      ++steps;
      continue;
    }
    for (; later_keys_ != 0 && !key_less(key, ahead_, words_); ++steps) XMC_TRY(next_mini());
    if (later_keys_ != 0 || side == Side::within) break;
    // This is the last mini, and the next block is not there to compare with.
    if (!decode(mini_keys_ - decoded_)) return damaged(block_);
    if (!key_less(keys_ + (decoded_ - 1) * words_, key, words_)) break;
    XMC_TRY(enter_block(block_ + 1));
  }
  sparse_ = steps > 1;
  return {};
}

// To the block, or to one shortly before it, that has a key that is behind this block.
Status RunReader::jump(const Word* key) {
  const u64 from = entered_ ? block_ + 1 : 0;
  if (from == run_->blocks) return enter_block(from);
  const u32 shift = run_->index.shift();
  const u32 entry = run_->index.find(key, static_cast<u32>(from >> shift));
  u64 low = std::max(from, u64{entry} << shift);
  u64 high = std::min(run_->blocks, u64{entry + 1} << shift);
  if (holds(low)) return enter_block(low);
  if (entered_ && (low - piece_end()) * kRunBlockBytes <= skip_bytes_) {
    while (!holds(low)) XMC_TRY(read_piece(piece_end(), piece_.next_blocks));
    return enter_block(low);
  }
  XMC_TRY(bisect(key, low, high));
  // A run that is worth less than a seek is taken as a whole.
  const bool small = run_->blocks * kRunBlockBytes <= skip_bytes_;
  XMC_TRY(read_piece(low, small ? piece_.most_blocks : high - low));
  return enter_block(low);
}

// Narrows [low, high) until reading all of it is cheaper than one more seek.
Status RunReader::bisect(const Word* key, u64& low, u64& high) {
  while (high - low > 1 && (high - low) * kRunBlockBytes > skip_bytes_) {
    const u64 middle = low + (high - low) / 2;
    XMC_TRY(read_piece(middle, 1));
    XMC_TRY(check(middle));
    Word first[limits::kKeyWords];
    load_first_key(buffered(middle), words_, first);
    (key_less(key, first, words_) ? high : low) = middle;
  }
  return {};
}

Status RunReader::look(const Word* key, const Word*& keys, u32& count) {
  XMC_TRY(approach(key));
  keys = keys_;
  count = 0;
  if (ended()) return {};
  // Where keys are far apart, no more of the mini is decoded than has to be.
  const u32 step = sparse_ ? kSparseStep : kMiniWords;
  while (key_less(keys_ + (decoded_ - 1) * words_, key, words_)) {
    taken_ = decoded_;
    if (decoded_ == mini_keys_) break;
    if (!decode(std::min(step, mini_keys_ - decoded_))) return damaged(block_);
  }
  while (taken_ < decoded_ && key_less(keys_ + taken_ * words_, key, words_)) ++taken_;
  keys = keys_ + taken_ * words_;
  count = decoded_ - taken_;
  return {};
}

Status RunReader::seek_at_least(const Word* key) {
  const Word* keys = nullptr;
  u32 count = 0;
  return look(key, keys, count);
}

}  // namespace xmc
