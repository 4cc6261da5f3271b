#include "store/key_file.h"

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/hash.h"

namespace xmc {

namespace {

constexpr u32 kMagic = 0x4B43'4D58;  // "XMCK"
constexpr u16 kVersion = 1;

u64 checksum(std::span<const u8> block, u32 payload) {
  return hash_bytes(block.subspan(8, KeyFile::kHeaderBytes - 8 + payload), 0);
}

// A record of at most nine bytes per word.
u32 most_record_bytes(u32 words) { return 9 * words; }

u32 put_record(u8* to, const Word* key, const Word* previous, u32 words) {
  u8* at = to;
  for (u32 w = 0; w < words; ++w) {
    const u64 difference = key[w] ^ previous[w];
    u8& mask = *at++;
    mask = 0;
    for (u32 b = 0; b < 8; ++b) {
      const u8 byte = static_cast<u8>(difference >> (8 * b));
      if (byte == 0) continue;
      mask = static_cast<u8>(mask | 1u << b);
      *at++ = byte;
    }
  }
  return static_cast<u32>(at - to);
}

}  // namespace

void KeyFile::start(Device* device, u32 key_words, std::span<u8> buffer) {
  XMC_CHECK(buffer.size() >= kBlockBytes);
  XMC_CHECK(key_words <= 80);
  XMC_CHECK(device->size_bytes() == 0);
  *this = {};
  device_ = device;
  words_ = key_words;
  buffer_ = buffer.first(kBlockBytes);
}

Status KeyFile::append(const Word* key) {
  // A record, a mark before it, and a byte to spare.
  const u32 wanted = most_record_bytes(words_) + words_ + 1;
  if (fill_ + wanted > kBlockBytes) XMC_TRY(write_block());
  if (fill_ == kHeaderBytes) {
    if (pending_mark_) ++levels_;
    pending_mark_ = false;
    header_ = {0, 0, keys_, levels_};
    for (u32 w = 0; w < words_; ++w) previous_[w] = ~Word{0};
  }
  if (pending_mark_) {
    for (u32 w = 0; w < words_; ++w) buffer_[fill_++] = 0;
    pending_mark_ = false;
    ++levels_;
  }
  fill_ += put_record(buffer_.data() + fill_, key, previous_, words_);
  for (u32 w = 0; w < words_; ++w) previous_[w] = key[w];
  ++header_.keys;
  ++keys_;
  return {};
}

Status KeyFile::write_block() {
  header_.payload_bytes = fill_ - kHeaderBytes;
  u8* h = buffer_.data();
  store_le<u32>(h + 8, kMagic);
  store_le<u32>(h + 12, u32{kVersion} | words_ << 16);
  store_le<u32>(h + 16, header_.payload_bytes);
  store_le<u32>(h + 20, header_.keys);
  store_le<u64>(h + 24, header_.first_key);
  store_le<u64>(h + 32, header_.first_level);
  store_le<u64>(h, checksum(buffer_, header_.payload_bytes));
  fill_zero(buffer_.subspan(fill_));
  XMC_TRY(device_->append(buffer_, Purpose::queue));
  ++blocks_;
  fill_ = kHeaderBytes;
  header_ = {};
  return {};
}

Status KeyFile::flush() {
  if (fill_ > kHeaderBytes) XMC_TRY(write_block());
  return device_->sync();
}

Status KeyFile::read_block(u64 i, std::span<u8> into, KeyBlockHeader& header) {
  XMC_CHECK(i < blocks());
  if (i == blocks_) {
    header = header_;
    header.payload_bytes = fill_ - kHeaderBytes;
    copy(into, std::span<const u8>(buffer_.first(fill_)));
    return {};
  }
  const ReadRequest request{i * kBlockBytes, into.first(kBlockBytes)};
  XMC_TRY(device_->read({&request, 1}, Purpose::queue));
  const u8* h = into.data();
  header = {load_le<u32>(h + 16), load_le<u32>(h + 20), load_le<u64>(h + 24), load_le<u64>(h + 32)};
  const u64 stored = load_le<u64>(h);
  const bool sane = load_le<u32>(h + 8) == kMagic &&
                    load_le<u32>(h + 12) == (u32{kVersion} | words_ << 16) &&
                    header.payload_bytes <= kBlockBytes - kHeaderBytes;
  if (!sane || checksum(into, header.payload_bytes) != stored) {
    return Status::fail(Code::corrupt, "block %llu of the queue file is damaged",
                        static_cast<unsigned long long>(i));
  }
  return {};
}

void KeyReader::start(KeyFile& file, std::span<u8> buffer) {
  *this = {};
  file_ = &file;
  buffer_ = buffer;
}

Status KeyReader::load(u64 block) {
  unfinished_ = file_->in_memory(block);
  return file_->read_block(block, buffer_, header_);
}

Status KeyReader::seek_block(u64 block) {
  block_ = block;
  loaded_ = false;
  done_ = 0;
  at_ = KeyFile::kHeaderBytes;
  if (block >= file_->blocks()) return {};
  XMC_TRY(load(block));
  loaded_ = true;
  level_ = header_.first_level;
  for (u32 w = 0; w < file_->key_words(); ++w) previous_[w] = ~Word{0};
  return {};
}

Status KeyReader::seek(Position position) {
  XMC_TRY(seek_block(position.block));
  Word key[80];
  while (done_ < position.keys) {
    const Result<bool> more = next(key);
    if (!more.ok()) return more.status();
    XMC_CHECK(more.value());
  }
  return {};
}

// The last block whose first key is of a smaller level, or the first block: the level begins in it
// or right after it.
Status KeyReader::seek_level(u64 level) {
  u64 low = 0;
  u64 high = file_->blocks();
  while (low + 1 < high) {
    const u64 middle = (low + high) / 2;
    XMC_TRY(file_->read_block(middle, buffer_, header_));
    (header_.first_level < level ? low : high) = middle;
  }
  XMC_TRY(seek_block(low));
  if (level_ >= level && low == 0) return {};
  // Walk to the key before the level's first one.
  Word key[80];
  for (;;) {
    const KeyReader before = *this;
    Result<bool> more = next(key);
    if (!more.ok()) return more.status();
    if (!more.value()) return Status::fail(Code::internal, "no such level in the queue file");
    if (level_ < level) continue;
    const bool same_block = before.loaded_ && before.block_ == block_;
    if (!same_block) return seek_block(block_);
    *this = before;
    return {};
  }
}

// Makes sure that a key is in the buffer: more of this block, or the next one. False: there is none
// yet.
Result<bool> KeyReader::refill() {
  if (!loaded_ && block_ < file_->blocks()) XMC_TRY(seek_block(block_));
  while (loaded_ && done_ == header_.keys) {
    if (unfinished_) {
      // It was copied from the writer's memory and may have grown since, or be on the device by
      // now.
      XMC_TRY(load(block_));
      if (done_ < header_.keys) break;
      if (unfinished_) return false;
    }
    if (block_ + 1 >= file_->blocks()) return false;
    XMC_TRY(seek_block(block_ + 1));
  }
  return loaded_;
}

Result<bool> KeyReader::next(Word* key) {
  Result<bool> ready = refill();
  if (!ready.ok() || !ready.value()) return ready;
  const u32 words = file_->key_words();
  const u8* at = buffer_.data() + at_;
  const auto all_zero = [&] {
    for (u32 w = 0; w < words; ++w) {
      if (at[w] != 0) return false;
    }
    return true;
  };
  if (done_ != 0 && all_zero()) {
    at += words;
    ++level_;
  }
  for (u32 w = 0; w < words; ++w) {
    const u8 mask = *at++;
    u64 difference = 0;
    for (u32 b = 0; b < 8; ++b) {
      if ((mask >> b & 1) != 0) difference |= u64{*at++} << (8 * b);
    }
    previous_[w] ^= difference;
    key[w] = previous_[w];
  }
  at_ = static_cast<u32>(at - buffer_.data());
  index_ = header_.first_key + done_++;
  XMC_CHECK(at_ <= KeyFile::kHeaderBytes + header_.payload_bytes);
  return true;
}

}  // namespace xmc
