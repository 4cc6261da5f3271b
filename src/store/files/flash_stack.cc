#include "store/files/flash_stack.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u64 kMostBlock = u64{4} << 20;  // larger ones are not written faster
constexpr u64 kLeastRubbish = 4;          // blocks that are not worth a copy

}  // namespace

u64 FlashStack::least_bytes(u32 entry_words) {
  return 2 * round_up(kHeadBytes + entry_words * sizeof(Word), kPageBytes);
}

void FlashStack::lay_out(u32 entry_words, std::span<u8> window, u64 block, u32 percent) {
  XMC_CHECK(window.size() >= 2 * block && block % kPageBytes == 0);
  XMC_CHECK(entry_words <= 1 + limits::kStateWords);
  entry_words_ = entry_words;
  block_ = window.first(static_cast<std::size_t>(block));
  words_ = reinterpret_cast<Word*>(window.data() + kHeadBytes);
  static_assert(kHeadBytes % sizeof(Word) == 0);
  block_words_ = static_cast<u32>((block - kHeadBytes) / sizeof(Word));
  const u64 blocks = window.size() / block;
  room_ = static_cast<u32>(blocks) * block_words_;
  moved_ = static_cast<u32>(std::clamp<u64>(blocks * percent / 100, 1, blocks - 1));
}

void FlashStack::start(Device* device, const char* name, u32 entry_words, std::span<u8> window,
                       const Division& division) {
  XMC_CHECK(window.size() >= least_bytes(entry_words));
  XMC_CHECK(device->size_bytes() == 0);
  *this = {};
  device_ = device;
  name_ = name;
  const u64 half = std::min(round_down(window.size() / 2, kPageBytes), kMostBlock);
  const bool given = division.block_bytes != 0;
  const u64 block = given ? division.block_bytes : half;
  lay_out(entry_words, given ? window : window.first(static_cast<std::size_t>(2 * block)), block,
          division.percent);
}

// The lower half of the window.
Status FlashStack::append_block(Device* device, const Link& below, u64& checksum) {
  BlockFrame frame;
  frame.kind = BlockKind::stack;
  frame.words = static_cast<u16>(entry_words_);
  frame.block_bytes = static_cast<u32>(block_.size());
  frame.used_bytes = static_cast<u32>(kHeadBytes + block_words_ * sizeof(Word));
  store_le<u64>(block_.data() + BlockFrame::kBytes, below.number);
  store_le<u64>(block_.data() + BlockFrame::kBytes + sizeof(Word), below.sum);
  for (u32 w = 0; w < block_words_; ++w) words_[w] = byte_swap_if_big(words_[w]);
  checksum = seal_block(block_, frame, device->place(device->size_bytes()));
  return device->append(block_, Purpose::stack);
}

Status FlashStack::spill() {
  for (u32 i = 0; i < moved_; ++i) XMC_TRY(spill_block());
  ++spills_;
  return {};
}

Status FlashStack::spill_blocks() {
  while (fill_ >= block_words_) XMC_TRY(spill_block());
  return {};
}

Status FlashStack::spill_block() {
  XMC_CHECK(fill_ >= block_words_);
  const u64 number = device_->size_bytes() / block_.size();
  u64 checksum = 0;
  XMC_TRY(append_block(device_, top_, checksum));
  top_ = {number, checksum};
  ++filed_;
  fill_ -= block_words_;
  move(std::span<Word>(words_, fill_), std::span<const Word>(words_ + block_words_, fill_));
  return {};
}

// The highest block comes first, and moves up to its place.
Status FlashStack::refill() {
  XMC_CHECK(filed_ > 0);
  const u32 blocks = static_cast<u32>(std::min<u64>(moved_, filed_));
  // What is left is the end of an entry that begins in the highest block.
  Word* const end = words_ + std::size_t{blocks} * block_words_;
  move(std::span<Word>(end, fill_), std::span<const Word>(words_, fill_));
  u64 cut = kNoBlock;
  for (u32 i = blocks; i-- > 0;) {
    const u64 number = top_.number;
    XMC_TRY(load_block(top_));
    Word* const to = words_ + std::size_t{i} * block_words_;
    if (i > 0) {
      copy(std::span<Word>(to, block_words_), std::span<const Word>(words_, block_words_));
    }
    // Those that no checkpoint has named lie in the order of the stack.
    if (number >= kept_) cut = number;
  }
  fill_ += blocks * block_words_;
  filed_ -= blocks;
  return cut == kNoBlock ? Status() : device_->truncate(cut * block_.size());
}

// Into the lower half of the window.
Status FlashStack::load_block(Link& link) {
  const u64 number = link.number;
  if (number >= device_->size_bytes() / block_.size()) return damaged_block(name_, number);
  const ReadRequest request{number * block_.size(), block_};
  XMC_TRY(device_->read({&request, 1}, Purpose::stack));
  BlockFrame frame;
  u64 checksum = 0;
  if (!check_block(block_, frame, device_->place(request.offset), &checksum) ||
      (number >= kept_ && checksum != link.sum) || frame.kind != BlockKind::stack ||
      frame.words != entry_words_ || frame.block_bytes != block_.size()) {
    return damaged_block(name_, number);
  }
  link.number = load_le<u64>(block_.data() + BlockFrame::kBytes);
  link.sum = load_le<u64>(block_.data() + BlockFrame::kBytes + sizeof(Word));
  for (u32 w = 0; w < block_words_; ++w) words_[w] = byte_swap_if_big(words_[w]);
  return {};
}

Status FlashStack::clear() {
  size_ = filed_ = 0;
  fill_ = 0;
  top_ = {};
  const u64 kept = kept_ * block_.size();
  return device_->size_bytes() == kept ? Status() : device_->truncate(kept);
}

// --- Checkpoints ------------------------------------------------------------------------------

// The checksum of a block is its first word.
Status FlashStack::note(Filed& filed, std::span<u8> buffer) {
  const u64 blocks = device_->size_bytes() / block_.size();
  for (; kept_ < blocks; ++kept_) {
    const ReadRequest request{kept_ * block_.size(), buffer.first(kPageBytes)};
    XMC_TRY(device_->read({&request, 1}, Purpose::checkpoint));
    kept_chain_ = extend_chain(kept_chain_, load_le<u64>(buffer.data()));
  }
  filed.bytes = device_->size_bytes();
  filed.chain = kept_chain_;
  filed.blocks = filed_;
  filed.top = top_.number;
  filed.block_bytes = block_.size();
  filed.window_words = fill_;
  return device_->sync();
}

bool FlashStack::wants_copy() const { return kept_ > 2 * filed_ + kLeastRubbish; }

// From the highest one down: what is named at once need not be in the order of the stack.
Status FlashStack::copy_to(Device* device, const char* name) {
  XMC_CHECK(device->size_bytes() == 0);
  u64 chain = 0;
  Link from = top_;
  for (u64 number = 0; number < filed_; ++number) {
    u64 checksum = 0;
    XMC_TRY(load_block(from));
    // The sum of the block below is not known yet, and not needed: these are kept.
    XMC_TRY(append_block(device, {number + 1 < filed_ ? number + 1 : kNoBlock, 0}, checksum));
    chain = extend_chain(chain, checksum);
  }
  device_ = device;
  name_ = name;
  top_ = {filed_ == 0 ? kNoBlock : 0, 0};
  kept_ = filed_;
  kept_chain_ = chain;
  return {};
}

Status FlashStack::reload(WordReader& in, u64 at) {
  return in.read(at, {words_, std::min(fill_, block_words_)});
}

Status FlashStack::restore(Device* device, const char* name, u32 entry_words, std::span<u8> window,
                           const Filed& filed, WordReader& in, u64 at, u32 percent) {
  *this = {};
  device_ = device;
  name_ = name;
  lay_out(entry_words, window, filed.block_bytes, percent);
  const u64 words = filed.blocks * block_words_ + filed.window_words;
  if (device->size_bytes() < filed.bytes || filed.bytes % filed.block_bytes != 0 ||
      filed.blocks > filed.bytes / filed.block_bytes || filed.window_words > room_ ||
      words % entry_words != 0) {
    return not_of_checkpoint(name);
  }
  if (device->size_bytes() > filed.bytes) XMC_TRY(device->truncate(filed.bytes));
  fill_ = static_cast<u32>(filed.window_words);
  filed_ = filed.blocks;
  top_ = {filed.blocks == 0 ? kNoBlock : filed.top, 0};
  kept_ = filed.bytes / filed.block_bytes;
  kept_chain_ = filed.chain;
  size_ = peak_ = words / entry_words;
  return in.read(at, {words_, fill_});
}

}  // namespace xmc
