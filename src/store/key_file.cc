#include "store/key_file.h"

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

void KeyFile::start(Device* device, const char* name, Purpose purpose, u32 key_words,
                    std::span<u8> buffer) {
  XMC_CHECK(buffer.size() >= kBlockBytes);
  XMC_CHECK(device->size_bytes() == 0);
  *this = {};
  device_ = device;
  name_ = name;
  purpose_ = purpose;
  words_ = key_words;
  writer_.start(buffer.first(kBlockBytes), key_words);
}

Status KeyFile::reopen(Device* device, const char* name, Purpose purpose, u32 key_words,
                       std::span<u8> buffer, u64 blocks, u64 chain) {
  XMC_TRY(device->truncate(blocks * kBlockBytes));
  *this = {};
  device_ = device;
  name_ = name;
  purpose_ = purpose;
  words_ = key_words;
  blocks_ = blocks;
  chain_ = chain;
  if (blocks > 0) {
    KeyBlockHeader last;
    XMC_TRY(read_block(blocks - 1, buffer, last));
    keys_ = last.first_key + last.keys;
  }
  writer_.start(buffer.first(kBlockBytes), key_words);
  return {};
}

Status KeyFile::append(const Word* key, u64 level) {
  if (!writer_.append(key, keys_, level)) {
    XMC_TRY(write_block());
    const bool fits = writer_.append(key, keys_, level);
    XMC_CHECK(fits);
  }
  ++keys_;
  return {};
}

Status KeyFile::write_block() {
  const u64 checksum = writer_.seal();
  XMC_TRY(device_->append(writer_.block(), purpose_));
  chain_ = extend_chain(chain_, checksum);
  ++blocks_;
  writer_.reset();
  return {};
}

Status KeyFile::flush() {
  if (!writer_.empty()) XMC_TRY(write_block());
  return device_->sync();
}

Status KeyFile::clear() {
  XMC_TRY(device_->truncate(0));
  writer_.reset();
  keys_ = blocks_ = chain_ = 0;
  return {};
}

Status KeyFile::read_block(u64 i, std::span<u8> into, KeyBlockHeader& header) {
  XMC_CHECK(i < blocks());
  if (i == blocks_) {
    header = writer_.header();
    copy(into, writer_.contents());
    return {};
  }
  const ReadRequest request{i * kBlockBytes, into.first(kBlockBytes)};
  XMC_TRY(device_->read({&request, 1}, purpose_));
  if (!open_key_block(request.into, words_, header)) return damaged_block(name_, i);
  return {};
}

void KeyReader::start(KeyFile& file, std::span<u8> buffer) {
  *this = {};
  file_ = &file;
  buffer_ = buffer;
}

Status KeyReader::load(u64 block, KeyBlockHeader& header) {
  unfinished_ = file_->in_memory(block);
  return file_->read_block(block, buffer_, header);
}

Status KeyReader::seek_block(u64 block) {
  block_ = block;
  loaded_ = false;
  if (block >= file_->blocks()) return {};
  KeyBlockHeader header;
  XMC_TRY(load(block, header));
  loaded_ = true;
  keys_.start(buffer_, file_->key_words(), header);
  return {};
}

Status KeyReader::seek(Position position) {
  XMC_TRY(seek_block(position.block));
  Word key[kKeyWords];
  while (position.keys > 0 && keys_.done() < position.keys) {
    const Result<bool> more = next(key);
    if (!more.ok()) return more.status();
    XMC_CHECK(more.value());
  }
  return {};
}

// To the last block whose header is before what is wanted, or to the first block.
template <class Before>
Status KeyReader::seek_last_block(Before before) {
  u64 low = 0;
  u64 high = file_->blocks();
  while (low + 1 < high) {
    const u64 middle = (low + high) / 2;
    KeyBlockHeader header;
    XMC_TRY(file_->read_block(middle, buffer_, header));
    (before(header) ? low : high) = middle;
  }
  return seek_block(low);
}

// The level begins in the last block whose first key is of a smaller level, or right after it.
Status KeyReader::seek_level(u64 level) {
  XMC_TRY(seek_last_block([&](const KeyBlockHeader& h) { return h.first_level < level; }));
  Word key[kKeyWords];
  Position before = position();
  for (;;) {
    const Result<bool> more = next(key);
    if (!more.ok()) return more.status();
    if (!more.value())
      return Status::fail(Code::internal, "no level %llu in the file '%s'",
                          static_cast<unsigned long long>(level), file_->name());
    if (keys_.level() >= level) break;
    before = position();
  }
  return before.block == block_ ? seek(before) : seek_block(block_);
}

Status KeyReader::seek_key(u64 number) {
  XMC_TRY(seek_last_block([&](const KeyBlockHeader& h) { return h.first_key <= number; }));
  Word key[kKeyWords];
  for (u64 skip = number - keys_.header().first_key; skip > 0; --skip) {
    const Result<bool> more = next(key);
    if (!more.ok()) return more.status();
    XMC_CHECK(more.value());
  }
  return {};
}

// Makes sure that a key is in the buffer: more of this block, or the next one. False: there is none
// yet.
Result<bool> KeyReader::refill() {
  if (!loaded_ && block_ < file_->blocks()) XMC_TRY(seek_block(block_));
  while (loaded_ && keys_.done() == keys_.header().keys) {
    if (unfinished_) {
      // It was copied from the writer's memory and may have grown since, or be on the device by
      // now.
      KeyBlockHeader header;
      XMC_TRY(load(block_, header));
      keys_.extend(header);
      if (keys_.done() < header.keys) break;
      if (unfinished_) return false;
    }
    if (block_ + 1 >= file_->blocks()) return false;
    XMC_TRY(seek_block(block_ + 1));
  }
  return loaded_;
}

Result<bool> KeyReader::next(Word* key) {
  if (loaded_ && keys_.next(key)) return true;
  const Result<bool> ready = refill();
  if (!ready.ok() || !ready.value()) return ready;
  return keys_.next(key);
}

}  // namespace xmc
