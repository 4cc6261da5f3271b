#include "store/runs/page_run.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u32 kHead = PageShape::kHeadBytes;

// The keys of a sound page.
Status check_page(std::span<const u8> page, PageShape shape, const BlockPlace& place,
                  const char* name, u64 number, u32& keys, bool& goes_on) {
  BlockFrame frame;
  if (!check_block(page, frame, place, nullptr) || frame.kind != BlockKind::page ||
      frame.words != shape.key_bytes || frame.block_bytes != kPageBytes) {
    return damaged_block(name, number);
  }
  keys = load_le<u32>(page.data() + BlockFrame::kBytes);
  goes_on = load_le<u32>(page.data() + BlockFrame::kBytes + 4) != 0;
  const bool fits =
      keys <= shape.keys_per_page() && frame.used_bytes == kHead + keys * shape.key_bytes;
  return fits ? Status() : damaged_block(name, number);
}

}  // namespace

// Seven eighths: with 200 keys to a page one page in some hundred goes on in the next.
u64 PageShape::pages_for(u64 keys) const {
  return std::max<u64>(1, divide_up(keys * 8, u64{keys_per_page()} * 7));
}

// --- Writing ----------------------------------------------------------------------------------

void PageRunWriter::start(Device* device, PageShape shape, u64 keys, std::span<u8> buffer) {
  XMC_CHECK(device->size_bytes() == 0 && buffer.size() >= kPageBytes);
  XMC_CHECK(shape.key_bytes > 0 && shape.keys_per_page() > 1);
  *this = {};
  device_ = device;
  shape_ = shape;
  most_ = shape.keys_per_page();
  run_.keys = keys;
  run_.pages = shape.pages_for(keys);
  XMC_CHECK(run_.pages <= ~u32{0});
  buffer_ = buffer.first(static_cast<std::size_t>(round_down(buffer.size(), kPageBytes)));
}

void PageRunWriter::put(const u8* key) {
  u8* const to = buffer_.data() + at_ + kHead + u64{fill_} * shape_.key_bytes;
  copy(std::span<u8>(to, shape_.key_bytes), std::span<const u8>(key, shape_.key_bytes));
  ++fill_;
  ++added_;
}

Status PageRunWriter::close_page(bool goes_on) {
  const std::span<u8> page = buffer_.subspan(static_cast<std::size_t>(at_), kPageBytes);
  store_le<u32>(page.data() + BlockFrame::kBytes, fill_);
  store_le<u32>(page.data() + BlockFrame::kBytes + 4, goes_on ? 1 : 0);
  BlockFrame frame;
  frame.kind = BlockKind::page;
  frame.words = static_cast<u16>(shape_.key_bytes);
  frame.block_bytes = kPageBytes;
  frame.used_bytes = kHead + fill_ * shape_.key_bytes;
  const u64 checksum = seal_block(page, frame, device_->place(page_ * kPageBytes));
  run_.chain = extend_chain(run_.chain, checksum);
  ++page_;
  fill_ = 0;
  at_ += kPageBytes;
  return at_ == buffer_.size() ? write() : Status();
}

Status PageRunWriter::write() {
  const std::span<const u8> pages = buffer_.first(static_cast<std::size_t>(at_));
  at_ = 0;
  return pages.empty() ? Status() : device_->append(pages, Purpose::states);
}

// Pages that nothing belongs to are there, too: any hash leads to a page.
Status PageRunWriter::finish(PageRun& run) {
  XMC_CHECK(added_ == run_.keys);
  while (page_ < run_.pages || fill_ > 0) XMC_TRY(close_page(false));
  XMC_TRY(write());
  run_.bytes = page_ * kPageBytes;
  run = run_;
  return {};
}

// --- Reading ----------------------------------------------------------------------------------

void PageRunReader::start(Device* device, const char* name, PageShape shape, const PageRun& run,
                          std::span<u8> buffer) {
  XMC_CHECK(buffer.size() >= kPageBytes);
  *this = {};
  device_ = device;
  name_ = name;
  shape_ = shape;
  run_ = run;
  buffer_ = buffer.first(static_cast<std::size_t>(round_down(buffer.size(), kPageBytes)));
}

Status PageRunReader::load() {
  end_ = std::min<u64>(buffer_.size(), run_.bytes - read_);
  const ReadRequest request{read_, buffer_.first(static_cast<std::size_t>(end_))};
  at_ = 0;
  read_ += end_;
  return device_->read({&request, 1}, Purpose::states);
}

Status PageRunReader::open_page() {
  const u64 offset = read_ - end_ + at_;
  const std::span<const u8> page = buffer_.subspan(static_cast<std::size_t>(at_), kPageBytes);
  bool goes_on = false;
  XMC_TRY(
      check_page(page, shape_, device_->place(offset), name_, offset / kPageBytes, left_, goes_on));
  key_ = page.data() + kHead - shape_.key_bytes;
  at_ += kPageBytes;
  return {};
}

Result<bool> PageRunReader::next() {
  while (left_ == 0) {
    if (at_ == end_) {
      if (read_ == run_.bytes) {
        if (given_ != run_.keys) return damaged_block(name_, run_.bytes / kPageBytes);
        return false;
      }
      XMC_TRY(load());
    }
    XMC_TRY(open_page());
  }
  --left_;
  ++given_;
  key_ += shape_.key_bytes;
  hash_ = PageHash::of(key_, shape_.key_bytes);
  return true;
}

Result<PageAnswer> look_in_page(std::span<const u8> page, PageShape shape, const BlockPlace& place,
                                const char* name, u64 number, const u8* key) {
  PageAnswer answer;
  u32 keys = 0;
  XMC_TRY(check_page(page, shape, place, name, number, keys, answer.goes_on));
  const u8* at = page.data() + kHead;
  for (u32 i = 0; i < keys && !answer.found; ++i, at += shape.key_bytes) {
    answer.found = equal({at, shape.key_bytes}, {key, shape.key_bytes});
  }
  return answer;
}

}  // namespace xmc
