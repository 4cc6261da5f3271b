#include "store/partitions/image_log.h"

#include <utility>

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
  if (buffer.size() >= 2 * kBlockBytes) other_ = buffer.subspan(kBlockBytes, kBlockBytes);
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
  chain_ = extend_chain(chain_, seal_block(block, frame, device_->place(pages_ * kPageBytes)));
  if (other_.empty()) {
    XMC_TRY(device_->append(block, Purpose::states));
  } else {
    // The block that was written before this one is done when this one begins.
    XMC_TRY(device_->begin_append(block, Purpose::states));
    std::swap(buffer_, other_);
  }
  const u64 pages = frame.block_bytes / kPageBytes;
  chain.head = (pages_ << 8 | pages) + 1;
  ++chain.blocks;
  pages_ += pages;
  fill_ = kHeaderBytes;
  states_ = 0;
  return {};
}

Status ImageLog::locate(u64 name, std::span<u8> into, ReadRequest& request) const {
  const u64 page = (name - 1) >> 8;
  const u64 bytes = ((name - 1) & 0xFF) * kPageBytes;
  if (bytes > into.size() || page * kPageBytes + bytes > this->bytes()) {
    return damaged_block(name_, page);
  }
  request = {page * kPageBytes, into.first(static_cast<std::size_t>(bytes))};
  return {};
}

Status ImageLog::read(u64 name, std::span<u8> into, Block& block) {
  ReadRequest request;
  XMC_TRY(locate(name, into, request));
  XMC_TRY(device_->read({&request, 1}, Purpose::states));
  return check(name, request.into, block);
}

Status ImageLog::begin_read(u64 name, std::span<u8> into) {
  ReadRequest request;
  XMC_TRY(locate(name, into, request));
  return device_->begin_read(request, Purpose::states);
}

Status ImageLog::finish_read(u64 name, std::span<u8> into, Block& block) {
  ReadRequest request;
  XMC_TRY(locate(name, into, request));
  XMC_TRY(device_->finish_read());
  return check(name, request.into, block);
}

Status ImageLog::check(u64 name, std::span<u8> whole, Block& block) const {
  const u64 page = (name - 1) >> 8;
  BlockFrame frame;
  if (!check_block(whole, frame, device_->place(page * kPageBytes), nullptr) ||
      frame.kind != BlockKind::image || frame.words != words_ || frame.used_bytes < kHeaderBytes) {
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

Status ImageReader::start(ImageLog& log, std::span<u8> buffer, std::span<const u64> heads) {
  XMC_CHECK(buffer.size() >= ImageLog::kBlockBytes);
  *this = {};
  log_ = &log;
  buffer_ = buffer.first(ImageLog::kBlockBytes);
  if (buffer.size() >= 2 * ImageLog::kBlockBytes) {
    other_ = buffer.subspan(ImageLog::kBlockBytes, ImageLog::kBlockBytes);
  }
  heads_ = heads;
  pass_ends();
  return read_ahead();
}

// From the end of a chain to the next one that has blocks.
void ImageReader::pass_ends() {
  for (; next_ == 0 && !heads_.empty(); heads_ = heads_.subspan(1)) next_ = heads_[0];
}

Result<bool> ImageReader::next(ImageLog::Block& block) {
  if (next_ == 0) return false;
  if (ahead_) {
    XMC_TRY(log_->finish_read(next_, other_, block));
    std::swap(buffer_, other_);
  } else {
    XMC_TRY(log_->read(next_, buffer_, block));
  }
  next_ = block.before;
  pass_ends();
  XMC_TRY(read_ahead());
  return true;
}

Status ImageReader::read_ahead() {
  ahead_ = next_ != 0 && !other_.empty();
  return ahead_ ? log_->begin_read(next_, other_) : Status();
}

}  // namespace xmc
