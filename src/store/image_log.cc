#include "store/image_log.h"

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

void ImageLog::start(Device* device, const char* name, u32 state_words, u32 state_bytes,
                     std::span<u8> buffer) {
  XMC_CHECK(buffer.size() >= kBlockBytes);
  XMC_CHECK(state_bytes >= 1 && kHeaderBytes + state_bytes <= kBlockBytes);
  *this = {};
  device_ = device;
  name_ = name;
  words_ = state_words;
  state_bytes_ = state_bytes;
  buffer_ = buffer.first(kBlockBytes);
}

Status ImageLog::reopen(Device* device, const char* name, u32 state_words, u32 state_bytes,
                        std::span<u8> buffer, u64 bytes, u64 chain) {
  XMC_TRY(device->truncate(bytes));
  start(device, name, state_words, state_bytes, buffer);
  pages_ = bytes / kPageBytes;
  chain_ = chain;
  return {};
}

Status ImageLog::append(Chain& to, const u8* packed) {
  if (fill_ + state_bytes_ > kBlockBytes) XMC_TRY(write_block(to));
  copy(buffer_.subspan(fill_), std::span<const u8>(packed, state_bytes_));
  fill_ += state_bytes_;
  ++states_;
  ++to.states;
  return {};
}

Status ImageLog::write_block(Chain& chain) {
  store_le<u32>(buffer_.data() + BlockFrame::kBytes, states_);
  store_le<u32>(buffer_.data() + BlockFrame::kBytes + 4, u32{0});
  store_le<u64>(buffer_.data() + BlockFrame::kBytes + 8, chain.head);
  BlockFrame frame;
  frame.kind = BlockKind::image;
  frame.words = static_cast<u16>(words_);
  frame.used_bytes = fill_;
  frame.block_bytes = static_cast<u32>(round_up(fill_, kPageBytes));
  const std::span<u8> block = buffer_.first(frame.block_bytes);
  chain_ = extend_chain(chain_, seal_block(block, frame));
  XMC_TRY(device_->append(block, Purpose::states));
  const u64 pages = frame.block_bytes / kPageBytes;
  chain.head = (pages_ << 8 | pages) + 1;
  ++chain.blocks;
  pages_ += pages;
  fill_ = kHeaderBytes;
  states_ = 0;
  return {};
}

Status ImageLog::read(u64 name, std::span<u8> into, Block& block) {
  const u64 page = (name - 1) >> 8;
  const u64 bytes = ((name - 1) & 0xFF) * kPageBytes;
  if (bytes > into.size() || page * kPageBytes + bytes > this->bytes()) {
    return damaged_block(name_, page);
  }
  const std::span<u8> whole = into.first(static_cast<std::size_t>(bytes));
  const ReadRequest request{page * kPageBytes, whole};
  XMC_TRY(device_->read({&request, 1}, Purpose::states));
  BlockFrame frame;
  if (!check_block(whole, frame, nullptr) || frame.kind != BlockKind::image ||
      frame.words != words_ || frame.used_bytes < kHeaderBytes) {
    return damaged_block(name_, page);
  }
  const u8* const at = whole.data() + BlockFrame::kBytes;
  block.states = load_le<u32>(at);
  block.before = load_le<u64>(at + 8);
  const u64 packed = u64{block.states} * state_bytes_;
  if (packed != frame.used_bytes - kHeaderBytes) return damaged_block(name_, page);
  block.packed = whole.subspan(kHeaderBytes, static_cast<std::size_t>(packed));
  return {};
}

}  // namespace xmc
