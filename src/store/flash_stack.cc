#include "store/flash_stack.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u64 kUnit = 4096;
constexpr u64 kMostBlock = u64{4} << 20;  // larger ones are not written faster

}  // namespace

u64 FlashStack::least_bytes(u32 entry_words) {
  return 2 * round_up(BlockFrame::kBytes + entry_words * sizeof(Word), kUnit);
}

void FlashStack::start(Device* device, const char* name, u32 entry_words, std::span<u8> window) {
  XMC_CHECK(window.size() >= least_bytes(entry_words));
  XMC_CHECK(entry_words <= 1 + limits::kStateWords);
  XMC_CHECK(device->size_bytes() == 0);
  *this = {};
  device_ = device;
  name_ = name;
  entry_words_ = entry_words;
  const u64 block = std::min(round_down(window.size() / 2, kUnit), kMostBlock);
  block_ = window.first(static_cast<std::size_t>(block));
  words_ = reinterpret_cast<Word*>(window.data() + BlockFrame::kBytes);
  static_assert(BlockFrame::kBytes % sizeof(Word) == 0);
  block_words_ = static_cast<u32>((block - BlockFrame::kBytes) / sizeof(Word));
  room_ = 2 * block_words_;
}

Status FlashStack::spill() {
  BlockFrame frame;
  frame.kind = BlockKind::stack;
  frame.words = static_cast<u16>(entry_words_);
  frame.block_bytes = static_cast<u32>(block_.size());
  frame.used_bytes = static_cast<u32>(BlockFrame::kBytes + block_words_ * sizeof(Word));
  XMC_CHECK(fill_ >= block_words_);
  for (u32 w = 0; w < block_words_; ++w) words_[w] = byte_swap_if_big(words_[w]);
  seal_block(block_, frame);
  XMC_TRY(device_->append(block_, Purpose::stack));
  fill_ -= block_words_;
  move(std::span<Word>(words_, fill_), std::span<const Word>(words_ + block_words_, fill_));
  ++spills_;
  return {};
}

Status FlashStack::refill() {
  const u64 size = device_->size_bytes();
  XMC_CHECK(size >= block_.size());
  // What is left is the end of an entry that begins in the block.
  move(std::span<Word>(words_ + block_words_, fill_), std::span<const Word>(words_, fill_));
  const u64 at = size - block_.size();
  XMC_TRY(load_block(at));
  fill_ += block_words_;
  return device_->truncate(at);
}

// Into the lower half of the window.
Status FlashStack::load_block(u64 at) {
  const ReadRequest request{at, block_};
  XMC_TRY(device_->read({&request, 1}, Purpose::stack));
  BlockFrame frame;
  if (!check_block(block_, frame, nullptr) || frame.kind != BlockKind::stack ||
      frame.words != entry_words_) {
    return damaged_block(name_, at / block_.size());
  }
  for (u32 w = 0; w < block_words_; ++w) words_[w] = byte_swap_if_big(words_[w]);
  return {};
}

Status FlashStack::clear() {
  size_ = 0;
  fill_ = 0;
  return device_->size_bytes() == 0 ? Status() : device_->truncate(0);
}

Status FlashStack::save(WordWriter& out) {
  XMC_TRY(out.add({words_, fill_}));
  for (u64 at = 0; at < device_->size_bytes(); at += block_.size()) {
    XMC_TRY(load_block(at));
    XMC_TRY(out.add({words_, block_words_}));
  }
  return {};
}

Status FlashStack::reload(WordReader& in, u64 at) {
  if (device_->size_bytes() == 0) return {};
  return in.read(at, {words_, std::min(fill_, block_words_)});
}

Status FlashStack::restore(WordReader& in, u64 at, u64 words, u64 window_words) {
  XMC_CHECK(empty() && window_words <= words && words % entry_words_ == 0);
  const u64 filed = words - window_words;
  for (u64 done = 0; done < words; done += entry_words_) {
    Word entry[1 + limits::kStateWords];
    for (u32 w = 0; w < entry_words_; ++w) {
      const u64 i = done + w;  // from the bottom
      XMC_TRY(in.read(i < filed ? at + window_words + i : at + (i - filed), {entry + w, 1}));
    }
    XMC_TRY(push(entry));
  }
  return {};
}

}  // namespace xmc
