#include "store/files/key_file.h"

#include <algorithm>
#include <utility>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

void KeyFile::set_buffer(std::span<u8> buffer) {
  XMC_CHECK(buffer.size() >= kSlotBytes);
  buffer_ = buffer.first(kSlotBytes);
  if (buffer.size() >= 2 * kSlotBytes) other_ = buffer.subspan(kSlotBytes, kSlotBytes);
}

void KeyFile::start(Device* device, const char* name, Purpose purpose, u32 key_words,
                    std::span<u8> buffer) {
  XMC_CHECK(device->size_bytes() == 0);
  *this = {};
  device_ = device;
  name_ = name;
  purpose_ = purpose;
  words_ = key_words;
  set_buffer(buffer);
  writer_.start(buffer_, key_words);
}

Status KeyFile::reopen(Device* device, const char* name, Purpose purpose, u32 key_words,
                       std::span<u8> buffer, u64 bytes, u64 chain) {
  XMC_TRY(device->truncate(bytes));
  *this = {};
  device_ = device;
  name_ = name;
  purpose_ = purpose;
  words_ = key_words;
  set_buffer(buffer);
  slots_ = bytes / kSlotBytes;
  fill_ = static_cast<u32>(bytes % kSlotBytes);
  chain_ = chain;
  writer_.start(buffer_, key_words);
  if (bytes == 0) return {};
  // The number of keys, from the last block.
  Slot slot;
  KeyBlockHeader header;
  XMC_TRY(read_slot(slots() - 1, buffer_, slot));
  for (u32 at = 0, block = 0; at < slot.sealed_bytes; at += block) {
    XMC_TRY(open_block(slots() - 1, at, buffer_.subspan(at), header, &block));
  }
  keys_ = header.first_key + header.keys;
  writer_.start(buffer_.subspan(fill_), key_words);
  return {};
}

Status KeyFile::append(const Word* key, u64 level) {
  while (!writer_.append(key, keys_, level)) XMC_TRY(write_block(false));
  ++keys_;
  return {};
}

Status KeyFile::write_block(bool early) {
  u64 checksum = 0;
  const std::span<const u8> block = writer_.seal(early, device_->place(bytes()), checksum);
  const bool whole = fill_ + block.size() == kSlotBytes;
  if (whole && !other_.empty()) {
    // The block that was written before this one is done when this one begins.
    XMC_TRY(device_->begin_append(block, purpose_));
    std::swap(buffer_, other_);
    held_ = true;
  } else {
    XMC_TRY(device_->append(block, purpose_));
  }
  chain_ = extend_chain(chain_, checksum);
  fill_ += static_cast<u32>(block.size());
  if (fill_ == kSlotBytes) {
    ++slots_;
    fill_ = 0;
  }
  writer_.start(buffer_.subspan(fill_), words_);
  return {};
}

Status KeyFile::flush() {
  if (!writer_.empty()) XMC_TRY(write_block(true));
  return device_->sync();
}

Status KeyFile::clear() {
  if (bytes() > 0) XMC_TRY(device_->truncate(0));
  keys_ = slots_ = chain_ = 0;
  fill_ = 0;
  writer_.start(buffer_, words_);
  return {};
}

Status KeyFile::read_slot(u64 i, std::span<u8> into, Slot& slot) {
  XMC_CHECK(i < slots());
  slot.sealed_bytes = i == slots_ ? fill_ : kSlotBytes;
  if (holds(i)) {
    copy(into.first(kSlotBytes), std::span<const u8>(other_));
  } else if (slot.sealed_bytes > 0) {
    const ReadRequest request{i * kSlotBytes, into.first(slot.sealed_bytes)};
    XMC_TRY(device_->read({&request, 1}, purpose_));
  }
  slot.live = i == slots_ && !writer_.empty();
  if (!slot.live) return {};
  slot.live_header = writer_.header();
  copy(into.subspan(slot.sealed_bytes), writer_.contents());
  return {};
}

bool KeyFile::extend_slot(u64 i, std::span<u8> into, Slot& slot) const {
  if (i != slots_ || !slot.live || slot.sealed_bytes != fill_ || writer_.empty()) return false;
  const std::size_t had = slot.live_header.used_bytes;
  slot.live_header = writer_.header();
  copy(into.subspan(fill_ + had), writer_.contents().subspan(had));
  return true;
}

Result<bool> KeyFile::begin_read_slot(u64 i, std::span<u8> into) {
  if (i >= slots_) return false;
  copied_ = holds(i);
  if (copied_) {
    copy(into.first(kSlotBytes), std::span<const u8>(other_));
    return true;
  }
  XMC_TRY(device_->begin_read({i * kSlotBytes, into.first(kSlotBytes)}, purpose_));
  return true;
}

Status KeyFile::finish_read_slot() {
  return std::exchange(copied_, false) ? Status() : device_->finish_read();
}

Status KeyFile::read_header(u64 i, std::span<u8> buffer, KeyBlockHeader& header) {
  Slot slot;
  XMC_TRY(read_slot(i, buffer, slot));
  if (slot.sealed_bytes == 0) {
    header = slot.live_header;
    return {};
  }
  return open_block(i, 0, buffer, header, nullptr);
}

Status KeyFile::open_block(u64 i, u32 at, std::span<const u8> block, KeyBlockHeader& header,
                           u32* block_bytes) const {
  const BlockPlace place = device_->place(i * kSlotBytes + at);
  const bool sound = open_key_block(block, words_, place, header, block_bytes);
  return sound ? Status() : damaged_block(name_, i);
}

void KeyReader::start(KeyFile& file, std::span<u8> buffer, const GoOn& go_on) {
  *this = {};
  file_ = &file;
  go_on_ = go_on;
  buffer_ = buffer.first(KeyFile::kSlotBytes);
  if (buffer.size() >= 2 * KeyFile::kSlotBytes) {
    other_ = buffer.subspan(KeyFile::kSlotBytes, KeyFile::kSlotBytes);
  }
}

// The slot's contents, from the read ahead if that was for this one.
Status KeyReader::load(u64 slot) {
  XMC_TRY(go_on_(slot, file_->slots()));
  const u64 ahead = std::exchange(ahead_, kNoSlot);
  if (ahead != kNoSlot) XMC_TRY(file_->finish_read_slot());
  if (ahead != slot) return file_->read_slot(slot, buffer_, contents_);
  std::swap(buffer_, other_);
  contents_ = {KeyFile::kSlotBytes, false, {}};
  return {};
}

// The block at this place of the slot, if there is one.
Status KeyReader::open_block(u32 at, bool& opened) {
  opened = at < contents_.sealed_bytes || (at == contents_.sealed_bytes && contents_.live);
  if (!opened) return {};
  live_ = at == contents_.sealed_bytes;
  KeyBlockHeader header = contents_.live_header;
  block_bytes_ = 0;
  const std::span<const u8> block = buffer_.subspan(at);
  if (!live_) XMC_TRY(file_->open_block(slot_, at, block, header, &block_bytes_));
  block_at_ = at;
  keys_.start(block, file_->key_words(), header);
  return {};
}

Status KeyReader::seek_slot(u64 slot) {
  slot_ = slot;
  loaded_ = again_ = false;
  done_before_ = 0;
  if (slot >= file_->slots()) return {};
  XMC_TRY(load(slot));
  return open_block(0, loaded_);
}

Status KeyReader::skip(u64 keys) {
  Word key[limits::kKeyWords];
  for (; keys > 0; --keys) {
    XMC_LET(const bool more, next(key));
    XMC_CHECK(more);
  }
  return {};
}

Status KeyReader::seek(Position position) {
  XMC_TRY(seek_slot(position.slot));
  return skip(position.keys);
}

// To the last slot whose first key is before what is wanted, or to slot `low`.
template <class Before>
Status KeyReader::seek_last_slot(Before before, u64 low, u64 high) {
  while (low + 1 < high) {
    const u64 middle = (low + high) / 2;
    KeyBlockHeader header;
    XMC_TRY(file_->read_header(middle, buffer_, header));
    (before(header) ? low : high) = middle;
  }
  return seek_slot(low);
}

// From the slot that is here backwards, further with every step; in the whole file, if there is
// none.
template <class Before>
Status KeyReader::seek_back(Before before) {
  if (!loaded_) return seek_last_slot(before, 0, file_->slots());
  again_ = false;
  done_before_ = 0;
  XMC_TRY(open_block(0, loaded_));
  u64 high = slot_ + 1;
  for (u64 step = 1; slot_ > 0 && !before(keys_.header()); step *= 2) {
    high = slot_;
    XMC_TRY(seek_slot(slot_ - std::min(step, slot_)));
  }
  return slot_ + 1 < high ? seek_last_slot(before, slot_, high) : Status();
}

// The level begins in the last slot whose first key is of a smaller level, or right after it.
Result<bool> KeyReader::find_level_back(u64 level) {
  XMC_TRY(seek_back([&](const KeyBlockHeader& h) { return h.first_level < level; }));
  Word key[limits::kKeyWords];
  do {
    XMC_LET(const bool more, next(key));
    if (!more) return false;
  } while (keys_.level() < level);
  unread();
  return keys_.level() == level;
}

Status KeyReader::seek_level_back(u64 level) {
  XMC_LET(const bool there, find_level_back(level));
  if (there) return {};
  return Status::fail(Code::internal, "no level %llu in the file '%s'", wide(level), file_->name());
}

Result<bool> KeyReader::find_level(u64 level) {
  loaded_ = false;
  return find_level_back(level);
}

Status KeyReader::seek_key_back(u64 number) {
  XMC_TRY(seek_back([&](const KeyBlockHeader& h) { return h.first_key <= number; }));
  return loaded_ ? skip(number - keys_.header().first_key) : Status();
}

Status KeyReader::seek_level(u64 level) {
  loaded_ = false;
  return seek_level_back(level);
}

Status KeyReader::seek_key(u64 number) {
  loaded_ = false;
  return seek_key_back(number);
}

// Our copy of the slot may be older than the file: the block in memory has grown or been written,
// others came behind it.
Status KeyReader::reload() {
  if (live_ && file_->extend_slot(slot_, buffer_, contents_)) {
    keys_.extend(contents_.live_header);
    return {};
  }
  XMC_TRY(file_->read_slot(slot_, buffer_, contents_));
  XMC_CHECK(block_at_ < contents_.sealed_bytes);
  KeyBlockHeader header;
  XMC_TRY(file_->open_block(slot_, block_at_, buffer_.subspan(block_at_), header, &block_bytes_));
  live_ = false;
  keys_.extend(header);
  return {};
}

// Opens the block of the next key. False: there is none yet.
Result<bool> KeyReader::refill() {
  if (!loaded_) XMC_TRY(seek_slot(slot_));
  if (!loaded_ || keys_.next_number() == file_->keys()) return false;
  for (bool current = false; keys_.done() == keys_.header().keys;) {
    bool opened = false;
    const u32 done = keys_.done();
    if (!live_) XMC_TRY(open_block(block_at_ + block_bytes_, opened));
    if (opened) {
      done_before_ += done;
    } else if (contents_.sealed_bytes == KeyFile::kSlotBytes) {
      XMC_TRY(seek_slot(slot_ + 1));
      if (!other_.empty()) {
        XMC_LET(const bool begun, file_->begin_read_slot(slot_ + 1, other_));
        if (begun) ahead_ = slot_ + 1;
      }
    } else {
      XMC_CHECK(!current);  // the key is there, so it is in this slot or behind a full one
      XMC_TRY(reload());
      current = true;
    }
  }
  return true;
}

Result<bool> KeyReader::next(Word* key) {
  if (again_) {
    again_ = false;
    keys_.last(key);
    return true;
  }
  if (loaded_ && keys_.next(key)) return true;
  const Result<bool> ready = refill();
  if (!ready.ok() || !ready.value()) return ready;
  return keys_.next(key);
}

}  // namespace xmc
