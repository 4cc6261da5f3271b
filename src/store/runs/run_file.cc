#include "store/runs/run_file.h"

#include <algorithm>

#include "store/files/block.h"
#include "store/keys/key_compare.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u32 kUsable = kRunBlockBytes - kDecodeSlack;

static_assert(BlockFrame::kBytes + 8 == kRunHeaderBytes);
// Two keys of any width fit in a block.
static_assert(kRunHeaderBytes + 8 * limits::kKeyWords + 4 + most_coded_bytes(limits::kKeyWords) <
              kUsable);

void check_memory(const Device* device, u32 words, std::span<u8> buffer) {
  XMC_CHECK(words >= 1 && words <= limits::kKeyWords);
  XMC_CHECK(buffer.size() >= kRunBlockBytes);
  XMC_CHECK(kRunBlockBytes % device->geometry().block_bytes == 0);
}

}  // namespace

// --- RunIndex
// -------------------------------------------------------------------------------------

RunIndex::RunIndex(std::span<Word> memory, u32 words)
    : memory_(memory), words_(words), capacity_(static_cast<u32>(memory.size() / words)) {
  XMC_CHECK(capacity_ >= 2);
}

u32 RunIndex::find(const Word* key, u32 from) const {
  // The wanted entry is in [low, high).
  u32 low = from;
  u32 high = from + 1;
  for (u32 step = 1; high < size_ && !key_less(key, this->key(high), words_); step *= 2) {
    low = high;
    high = size_ - high > step ? high + step : size_;
  }
  while (high - low > 1) {
    const u32 middle = low + (high - low) / 2;
    (key_less(key, this->key(middle), words_) ? high : low) = middle;
  }
  return low;
}

void RunIndex::add(u64 block, const Word* key) {
  const auto has_entry = [&] { return (block & ((u64{1} << shift_) - 1)) == 0; };
  if (!has_entry()) return;
  if (size_ == capacity_) {
    size_ = (size_ + 1) / 2;
    for (u32 i = 0; i < size_; ++i) {
      const std::size_t to = static_cast<std::size_t>(i) * words_;
      copy_key(memory_.data() + to, memory_.data() + 2 * to, words_);
    }
    ++shift_;
    if (!has_entry()) return;
  }
  XMC_CHECK(block == u64{size_} << shift_);
  copy_key(memory_.data() + static_cast<std::size_t>(size_) * words_, key, words_);
  ++size_;
}

void RunIndex::reset(u64 blocks) {
  size_ = 0;
  shift_ = 0;
  while (divide_up(blocks, u64{1} << shift_) > capacity_) ++shift_;
}

// --- Blocks
// ---------------------------------------------------------------------------------------

bool check_run_block(const Run& run, u64 number, const u8* block, RunBlock& out, u64* checksum) {
  BlockFrame frame;
  const BlockPlace place = run.device->place(run.offset(number));
  if (!check_block({block, kRunBlockBytes}, frame, place, checksum)) return false;
  const u32 sort = load_le<u32>(block + 28);
  out = {frame.used_bytes, sort & 0xFFFF};
  return frame.kind == BlockKind::run && frame.words == run.words &&
         frame.block_bytes == kRunBlockBytes && frame.used_bytes <= kUsable &&
         frame.used_bytes >= kRunHeaderBytes + 8 * run.words + 2 && out.keys != 0 &&
         load_le<u32>(block + 24) == static_cast<u32>(number) &&
         sort >> 16 == static_cast<u32>(run.codec);
}

void load_first_key(const u8* block, u32 words, Word* key) {
  for (u32 w = 0; w < words; ++w) key[w] = load_le<u64>(block + kRunHeaderBytes + 8 * w);
}

// --- RunWriter
// ------------------------------------------------------------------------------------

void RunWriter::start(Device* device, const char* file, u32 words, KeyCodec codec,
                      std::span<u8> buffer, std::span<Word> index, Purpose purpose) {
  check_memory(device, words, buffer);
  run_ = {};
  run_.device = device;
  run_.file = file;
  run_.words = words;
  run_.codec = codec;
  run_.purpose = purpose;
  run_.first_block = device->size_bytes() / kRunBlockBytes;
  run_.index = RunIndex(index, words);
  buffer_ = buffer.first(buffer.size() / kRunBlockBytes * kRunBlockBytes);
  gathered_ = 0;
  block_ = nullptr;
}

Status RunWriter::append(const Word* keys, u32 count) {
  for (u32 i = 0; i < count; ++i, keys += run_.words) {
    if (block_ != nullptr && put(keys)) continue;
    if (block_ != nullptr) end_block();
    XMC_TRY(begin_block(keys));
  }
  return {};
}

bool RunWriter::put(const Word* key) {
  const u32 words = run_.words;
  XMC_CHECK(key_less(previous_, key, words));
  const bool heads = mini_keys_ == run_mini_keys(words);
  const Word* const against = heads ? head_ : previous_;
  const u32 extra = heads ? 2 : 0;  // a head's length
  u32 bytes = 0;
  if (fill_ + extra + most_coded_bytes(words) <= kUsable) {
    bytes = encode_key(run_.codec, against, key, words, block_ + fill_);
  } else {
    u8 scratch[most_coded_bytes(limits::kKeyWords)];
    bytes = encode_key(run_.codec, against, key, words, scratch);
    if (fill_ + extra + bytes > kUsable) return false;
    copy(std::span(block_ + fill_, bytes), std::span<const u8>(scratch, bytes));
  }
  if (heads) {
    end_mini();
    mini_at_ = fill_ + bytes;
    mini_keys_ = 0;
    copy_key(head_, key, words);
  }
  fill_ += bytes + extra;
  copy_key(previous_, key, words);
  ++mini_keys_;
  ++block_keys_;
  ++run_.keys;
  return true;
}

Status RunWriter::begin_block(const Word* key) {
  const u32 words = run_.words;
  if (gathered_ == buffer_.size()) XMC_TRY(flush());
  block_ = buffer_.data() + gathered_;
  for (u32 w = 0; w < words; ++w) store_le<u64>(block_ + kRunHeaderBytes + 8 * w, key[w]);
  mini_at_ = kRunHeaderBytes + 8 * words;
  fill_ = mini_at_ + 2;
  mini_keys_ = 1;
  block_keys_ = 1;
  ++run_.keys;
  copy_key(previous_, key, words);
  copy_key(head_, key, words);
  run_.index.add(run_.blocks, key);
  return {};
}

void RunWriter::end_mini() {
  const u32 length = fill_ - mini_at_ - 2;
  block_[mini_at_] = static_cast<u8>(length);
  block_[mini_at_ + 1] = static_cast<u8>(length >> 8);
}

void RunWriter::end_block() {
  end_mini();
  store_le<u32>(block_ + 24, static_cast<u32>(run_.blocks));
  store_le<u32>(block_ + 28, block_keys_ | static_cast<u32>(run_.codec) << 16);
  const BlockFrame frame{BlockKind::run, static_cast<u16>(run_.words), fill_, kRunBlockBytes};
  const BlockPlace place = run_.device->place(run_.offset(run_.blocks));
  run_.chain = extend_chain(run_.chain, seal_block({block_, kRunBlockBytes}, frame, place));
  ++run_.blocks;
  gathered_ += kRunBlockBytes;
  block_ = nullptr;
}

Status RunWriter::flush() {
  if (gathered_ == 0) return {};
  XMC_TRY(run_.device->append(buffer_.first(gathered_), run_.purpose));
  gathered_ = 0;
  return {};
}

Status RunWriter::finish(Run& out) {
  if (block_ != nullptr) end_block();
  XMC_TRY(flush());
  XMC_CHECK(run_.device->size_bytes() == run_.offset(run_.blocks));
  out = run_;
  return {};
}

// --- open_run
// -------------------------------------------------------------------------------------

namespace {

// Reads `count` blocks from `first` on and enters them in the index; with `count` of 1 it may be
// any block that has an entry.
Status index_blocks(Run& run, u64 first, u32 count, std::span<u8> buffer, u64& keys, u64& chain) {
  const std::span<u8> piece = buffer.first(static_cast<std::size_t>(count) * kRunBlockBytes);
  const ReadRequest request{run.offset(first), piece};
  XMC_TRY(run.device->read({&request, 1}, run.purpose));
  for (u32 i = 0; i < count; ++i) {
    const u8* const block = piece.data() + static_cast<std::size_t>(i) * kRunBlockBytes;
    RunBlock header;
    u64 checksum = 0;
    if (!check_run_block(run, first + i, block, header, &checksum)) {
      return damaged_block(run.file, run.first_block + first + i);
    }
    Word key[limits::kKeyWords];
    load_first_key(block, run.words, key);
    run.index.add(first + i, key);
    keys += header.keys;
    chain = extend_chain(chain, checksum);
  }
  return {};
}

}  // namespace

Status open_run(Run& run, std::span<Word> index, std::span<u8> buffer, RunCheck check) {
  check_memory(run.device, run.words, buffer);
  run.index = RunIndex(index, run.words);
  run.index.reset(run.blocks);
  u64 keys = 0;
  u64 chain = 0;
  if (check == RunCheck::index && run.index.shift() > 0) {
    for (u64 b = 0; b < run.blocks; b += u64{1} << run.index.shift()) {
      XMC_TRY(index_blocks(run, b, 1, buffer, keys, chain));
    }
    return {};
  }
  for (u64 b = 0; b < run.blocks;) {
    const u64 count = std::min<u64>(buffer.size() / kRunBlockBytes, run.blocks - b);
    XMC_TRY(index_blocks(run, b, static_cast<u32>(count), buffer, keys, chain));
    b += count;
  }
  if (keys != run.keys || chain != run.chain) {
    return Status::fail(Code::corrupt,
                        "the run at block %llu of the file '%s' is not the one that was written",
                        wide(run.first_block), run.file);
  }
  return {};
}

}  // namespace xmc
