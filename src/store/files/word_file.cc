#include "store/files/word_file.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

u32 used_bytes(u32 words) {
  return static_cast<u32>(BlockFrame::kBytes + u64{words} * sizeof(Word));
}

}  // namespace

void WordWriter::start(Device* device, std::span<u8> buffer) {
  XMC_CHECK(device->size_bytes() == 0 && buffer.size() >= WordFile::kBlockBytes);
  *this = {};
  device_ = device;
  buffer_ = buffer.first(WordFile::kBlockBytes);
}

Status WordWriter::add(std::span<const Word> words) {
  for (const Word word : words) {
    store_le<u64>(buffer_.data() + used_bytes(fill_), word);
    if (++fill_ == WordFile::kBlockWords) XMC_TRY(write_block());
  }
  return {};
}

Status WordWriter::write_block() {
  BlockFrame frame;
  frame.kind = BlockKind::words;
  frame.words = 1;
  frame.used_bytes = used_bytes(fill_);
  frame.block_bytes = static_cast<u32>(round_up(frame.used_bytes, kPageBytes));
  const std::span<u8> block = buffer_.first(frame.block_bytes);
  chain_ = extend_chain(chain_, seal_block(block, frame, device_->place(bytes_)));
  bytes_ += block.size();
  fill_ = 0;
  return device_->append(block, Purpose::checkpoint);
}

Status WordWriter::finish() {
  if (fill_ > 0) XMC_TRY(write_block());
  return device_->sync();
}

void WordReader::start(Device* device, const char* name, u64 words, std::span<u8> buffer) {
  XMC_CHECK(buffer.size() >= WordFile::kBlockBytes);
  *this = {};
  device_ = device;
  name_ = name;
  words_ = words;
  buffer_ = buffer.first(WordFile::kBlockBytes);
}

Status WordReader::load(u64 block) {
  const u64 first = block * WordFile::kBlockWords;
  const u32 count = static_cast<u32>(std::min<u64>(WordFile::kBlockWords, words_ - first));
  const u64 bytes = round_up(used_bytes(count), kPageBytes);
  const std::span<u8> into = buffer_.first(static_cast<std::size_t>(bytes));
  const ReadRequest request{block * WordFile::kBlockBytes, into};
  block_ = kNoBlock;
  XMC_TRY(device_->read({&request, 1}, Purpose::checkpoint));
  BlockFrame frame;
  if (!check_block(into, frame, device_->place(request.offset), nullptr) ||
      frame.kind != BlockKind::words || frame.used_bytes != used_bytes(count)) {
    return damaged_block(name_, block);
  }
  block_ = block;
  return {};
}

Status WordReader::read(u64 at, std::span<Word> into) {
  XMC_CHECK(at <= words_ && into.size() <= words_ - at);
  for (Word& word : into) {
    const u64 block = at / WordFile::kBlockWords;
    if (block != block_) XMC_TRY(load(block));
    word = load_le<u64>(buffer_.data() + used_bytes(static_cast<u32>(at % WordFile::kBlockWords)));
    ++at;
  }
  return {};
}

}  // namespace xmc
