#include "phf/reader.h"

#include <algorithm>

#include "phf/hash_math.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc::phf {

namespace {

using ull = unsigned long long;

u64 window_pages(const FileLayout& layout, u64 window_bytes) {
  return std::max<u64>(1, window_bytes / layout.shape.page_bytes);
}

}  // namespace

u64 Reader::least_bytes(const FileLayout& layout, u64 window_bytes) {
  return (layout.pinned_pages() + 2 * window_pages(layout, window_bytes)) * layout.shape.page_bytes;
}

Status Reader::read_layout(Device* device, std::span<u8> buffer, FileLayout& layout) {
  const u64 block = std::max<u64>(kFooterBytes, device->geometry().block_bytes);
  XMC_CHECK(buffer.size() >= block);
  const u64 size = device->size_bytes();
  if (size < block) {
    return Status::fail(Code::corrupt, "perfect hash: a file of %llu bytes is not finished",
                        static_cast<ull>(size));
  }
  const std::span<u8> last = buffer.first(static_cast<std::size_t>(block));
  const ReadRequest request{size - block, last};
  XMC_TRY(device->read({&request, 1}, Purpose::index));
  return read_footer(last.last(kFooterBytes), size, device->place(0).seed, layout);
}

Status Reader::open(Device* device, std::span<u8> memory, u64 window_bytes) {
  *this = Reader();
  device_ = device;
  if (memory.size() < kFooterBytes || memory.size() < device->geometry().block_bytes) {
    return Status::fail(Code::budget, "perfect hash: no memory to read a page");
  }
  XMC_TRY(read_layout(device, memory, layout_));
  XMC_TRY(check_shape(layout_.shape, device->geometry().block_bytes));
  const u64 least = least_bytes(layout_, window_bytes);
  if (memory.size() < least) {
    return Status::fail(Code::budget,
                        "perfect hash: queries need %llu KiB, %llu of them for keys that did not "
                        "fit their pages; there are %llu KiB",
                        static_cast<ull>(divide_up(least, 1024)),
                        static_cast<ull>(layout_.pinned_pages() * layout_.shape.page_bytes >> 10),
                        static_cast<ull>(memory.size() >> 10));
  }
  const std::size_t pinned =
      static_cast<std::size_t>(layout_.pinned_pages() * layout_.shape.page_bytes);
  const std::size_t window =
      static_cast<std::size_t>(window_pages(layout_, window_bytes) * layout_.shape.page_bytes);
  if (pinned != 0) XMC_TRY(read_pages(layout_.layer[0].pages, memory.first(pinned)));
  pinned_ = memory.first(pinned);
  XMC_TRY(check_pages(pinned_, layout_.layer[0].pages));
  windows_[0].buffer = memory.subspan(pinned, window);
  windows_[1].buffer = memory.subspan(pinned + window, window);
  for (u32 w = 0; w < 2; ++w) own_windows_[w] = windows_[w].buffer;
  cache_.start(memory.subspan(pinned + 2 * window), layout_.shape.page_bytes);
  return {};
}

Status Reader::open_resident(std::span<const u8> file, u64 file_seed) {
  *this = Reader();
  if (file.size() < kFooterBytes) {
    return Status::fail(Code::corrupt, "perfect hash: a file of %llu bytes is not finished",
                        static_cast<ull>(file.size()));
  }
  XMC_TRY(read_footer(file.last(kFooterBytes), file.size(), file_seed, layout_));
  const u64 page = layout_.shape.page_bytes;
  XMC_TRY(check_pages(file.first(static_cast<std::size_t>(layout_.pages() * page)), 0));
  resident_ = file.first(static_cast<std::size_t>(layout_.layer[0].pages * page));
  pinned_ = file.subspan(resident_.size(), static_cast<std::size_t>(layout_.pinned_pages() * page));
  return {};
}

Status Reader::load_resident(Device* device, std::span<u8> memory) {
  const u64 size = device->size_bytes();
  if (memory.size() < size) {
    return Status::fail(
        Code::budget, "perfect hash: the file has %llu KiB, which do not fit in %llu KiB of RAM",
        static_cast<ull>(divide_up(size, 1024)), static_cast<ull>(memory.size() >> 10));
  }
  const u64 piece = device->geometry().preferred_bytes;
  for (u64 at = 0; at < size; at += piece) {
    const std::span<u8> into = memory.subspan(static_cast<std::size_t>(at),
                                              static_cast<std::size_t>(std::min(piece, size - at)));
    const ReadRequest request{at, into};
    XMC_TRY(device->read({&request, 1}, Purpose::index));
  }
  return open_resident(memory.first(static_cast<std::size_t>(size)), device->place(0).seed);
}

void Reader::set_costs(ReadCosts costs) {
  costs_.next = std::max(costs.next, 1u);
  costs_.single = std::max(costs.single, costs_.next);
}

Status Reader::read_pages(u64 first, std::span<u8> into) {
  const ReadRequest request{first * layout_.shape.page_bytes, into};
  return device_->read({&request, 1}, Purpose::index);
}

Status Reader::damaged(u64 page) const {
  return Status::fail(Code::corrupt,
                      "perfect hash: page %llu is damaged; the hash has to be built again",
                      static_cast<ull>(page));
}

// `first` counts over all layers.
Status Reader::check_pages(std::span<const u8> pages, u64 first) const {
  u32 layer = 0;
  const u32 bytes = layout_.shape.page_bytes;
  for (u64 page = first; !pages.empty(); ++page, pages = pages.subspan(bytes)) {
    while (page >= layout_.first_page(layer + 1)) ++layer;
    const PageName name{layer, page - layout_.first_page(layer)};
    if (!check_page(layout_.shape, name, pages.first(bytes))) return damaged(page);
  }
  return {};
}

u64 Reader::page_of(const Query& query) const {
  return page_place(query.key, layout_.layer[0].pages).page;
}

std::span<const u8> Reader::pinned_page(u64 number) const {
  const u32 bytes = layout_.shape.page_bytes;
  return pinned_.subspan(static_cast<std::size_t>(number * bytes), bytes);
}

std::span<const u8> Reader::resident_page(u64 number) const {
  const u32 bytes = layout_.shape.page_bytes;
  return resident_.subspan(static_cast<std::size_t>(number * bytes), bytes);
}

void Reader::look_up_pinned(Query& query) const {
  u64 hash = query.key;
  for (u32 layer = 1; layer < layout_.layers; ++layer) {
    hash = next_layer(hash);
    const PagePlace place = page_place(hash, layout_.layer[layer].pages);
    const u64 number = layout_.first_page(layer) - layout_.layer[0].pages + place.page;
    const PageAnswer found =
        find_in_page(layout_.shape, pinned_page(number), hash, step_of(place.share));
    if (found.bumped) continue;
    query.index = found.foreign ? kForeign : found.index;
    query.value = found.value;
    return;
  }
  query.index = kForeign;
}

bool Reader::look_up(std::span<const u8> page, Query& query) const {
  const PagePlace place = page_place(query.key, layout_.layer[0].pages);
  const PageAnswer found = find_in_page(layout_.shape, page, query.key, step_of(place.share));
  if (found.bumped) {
    look_up_pinned(query);
    return false;
  }
  query.index = found.foreign ? kForeign : found.index;
  query.value = found.value;
  return true;
}

void Reader::answer(std::span<const u8> page, Query& query) {
  ++stats_.queries;
  if (!look_up(page, query)) ++stats_.pinned_queries;
}

// One page by itself: from memory, from the cache, or by a read.
Status Reader::fetch(u64 page, std::span<const u8>& bytes) {
  const u32 size = layout_.shape.page_bytes;
  if (!resident_.empty()) {
    bytes = resident_page(page);
    return {};
  }
  bytes = cache_.find(page);
  if (bytes.empty() && single_page_ == page) bytes = windows_[0].buffer.first(size);
  if (!bytes.empty()) {
    ++stats_.cache_hits;
    return {};
  }
  const bool cached = cache_.frames() != 0;
  const std::span<u8> into = cached ? cache_.replace(page) : windows_[0].buffer.first(size);
  single_page_ = kForeign;
  ++stats_.requests;
  ++stats_.pages_read;
  Status status = read_pages(page, into);
  if (status.ok() && !check_page(layout_.shape, {0, page}, into)) status = damaged(page);
  if (status.ok()) {
    if (!cached) single_page_ = page;
    bytes = into;
  } else if (cached) {
    cache_.drop(page);
  }
  return status;
}

Status Reader::find(Query& query) {
  std::span<const u8> page;
  XMC_TRY(fetch(page_of(query), page));
  answer(page, query);
  return {};
}

}  // namespace xmc::phf
