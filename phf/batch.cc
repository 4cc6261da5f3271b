// Batches of queries: see reader.h.
#include <algorithm>

#include "phf/hash_math.h"
#include "phf/hash_sort.h"
#include "phf/reader.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc::phf {

// The queries from window.end on, as many as one buffer of pages answers.
void Reader::plan_window(std::span<const Query> queries, Window& window) {
  const u64 most_pages = window.buffer.size() / layout_.shape.page_bytes;
  window.begin = window.end;
  window.extents = window.pages = 0;
  for (u64 last = kForeign; window.end < queries.size(); ++window.end) {
    const u64 page = page_of(queries[window.end]);
    if (page == last || cache_.has(page)) continue;
    Extent* extent = window.extents == 0 ? nullptr : &window.extent[window.extents - 1];
    const u64 between = extent == nullptr ? kForeign : page - (extent->first + extent->pages);
    if (between <= gap() && window.pages + between < most_pages) {
      extent->pages += static_cast<u32>(between) + 1;
      window.pages += static_cast<u32>(between) + 1;
    } else {
      if (window.extents == kExtents || window.pages == most_pages) return;
      window.extent[window.extents++] = {page, 1, window.pages};
      ++window.pages;
    }
    last = page;
  }
}

// `background`: there is something to do meanwhile. Several pieces are read at once, so that the
// device can serve them side by side.
Status Reader::begin_window(Window& window, bool background) {
  const u64 bytes = layout_.shape.page_bytes;
  ReadRequest requests[kExtents];
  for (u32 i = 0; i < window.extents; ++i) {
    const Extent& extent = window.extent[i];
    requests[i] = {extent.first * bytes,
                   window.buffer.subspan(static_cast<std::size_t>(extent.at * bytes),
                                         static_cast<std::size_t>(extent.pages * bytes))};
  }
  stats_.requests += window.extents;
  stats_.pages_read += window.pages;
  window.under_way = background && window.extents == 1;
  if (window.extents == 0) return {};
  if (window.under_way) return device_->begin_read(requests[0], Purpose::index);
  return device_->read({requests, window.extents}, Purpose::index);
}

// Answers a window whose reads are done. `keep`: its pages are worth a place in the cache.
Status Reader::finish_window(Window& window, std::span<Query> queries, bool keep) {
  const u32 bytes = layout_.shape.page_bytes;
  u32 e = 0;
  for (std::size_t i = window.begin; i < window.end;) {
    const u64 number = page_of(queries[i]);
    while (e < window.extents && number >= window.extent[e].first + window.extent[e].pages) ++e;
    std::span<const u8> page;
    if (e < window.extents && number >= window.extent[e].first) {
      const u64 at = window.extent[e].at + (number - window.extent[e].first);
      page = window.buffer.subspan(static_cast<std::size_t>(at * bytes), bytes);
      if (!check_page(layout_.shape, {0, number}, page)) return damaged(number);
      if (keep && !cache_.has(number)) copy(cache_.replace(number), page);
    } else {
      // It was cached when the window was planned, and may have had to go since.
      page = cache_.find(number);
      if (page.empty()) {
        XMC_TRY(fetch(number, page));
      } else {
        ++stats_.cache_hits;
      }
    }
    for (; i < window.end && page_of(queries[i]) == number; ++i) answer(page, queries[i]);
  }
  return {};
}

// Pages that sorted queries ask for, at most one more than `most`.
u64 Reader::pages_of(std::span<const Query> queries, u64 most) const {
  u64 pages = 0;
  u64 last = kForeign;
  for (std::size_t i = 0; i < queries.size() && pages <= most; ++i) {
    const u64 page = page_of(queries[i]);
    pages += page == last ? 0 : 1;
    last = page;
  }
  return pages;
}

Status Reader::find_batch(std::span<Query> queries) {
  sort_by_hash(queries);
  if (!resident_.empty()) {
    for (Query& query : queries) XMC_TRY(find(query));
    return {};
  }
  single_page_ = kForeign;
  // A scan of everything would only push out what was there.
  const bool keep = cache_.frames() > 0 && pages_of(queries, cache_.frames()) <= cache_.frames();
  windows_[0].begin = windows_[0].end = 0;
  plan_window(queries, windows_[0]);
  XMC_TRY(begin_window(windows_[0], false));
  for (u32 now = 0;; now = 1 - now) {
    Window& window = windows_[now];
    Window& next = windows_[1 - now];
    if (window.under_way) XMC_TRY(device_->finish_read());
    next.end = window.end;
    plan_window(queries, next);
    const Status begun = begin_window(next, true);
    const Status answered = finish_window(window, queries, keep);
    if (!begun.ok() || !answered.ok()) {
      // The buffers are the device's until it is done.
      static_cast<void>(device_->finish_read());
      return answered.ok() ? begun : answered;
    }
    if (next.begin == next.end) return {};
  }
}

void Reader::find_resident(std::span<Query> queries) const {
  XMC_CHECK(!resident_.empty());
  sort_by_hash(queries);
  for (Query& query : queries) look_up(resident_page(page_of(query)), query);
}

Status Reader::lend_windows(std::span<u8> memory) {
  const std::size_t half =
      static_cast<std::size_t>(round_down(memory.size() / 2, layout_.shape.page_bytes));
  const bool larger = half > own_windows_[0].size();
  single_page_ = kForeign;
  for (u32 w = 0; w < 2; ++w) {
    windows_[w].buffer = larger ? memory.subspan(w * half, half) : own_windows_[w];
  }
  return larger ? measure_costs() : Status();
}

Status Reader::measure_costs() {
  if (!resident_.empty()) return {};
  const u64 pages = layout_.layer[0].pages;
  const u64 most = windows_[0].buffer.size() / layout_.shape.page_bytes;
  const u32 count = static_cast<u32>(std::min<u64>({most, pages, kExtents}));
  const std::span<u8> buffer = windows_[0].buffer;
  single_page_ = kForeign;
  ReadRequest requests[kExtents];
  for (u32 i = 0; i < count; ++i) {
    const u64 page = page_place(mix(i), pages).page;
    requests[i] = {
        page * layout_.shape.page_bytes,
        buffer.subspan(std::size_t{i} * layout_.shape.page_bytes, layout_.shape.page_bytes)};
  }
  const u64 start = device_->counters().wait_ns;
  XMC_TRY(device_->read({requests, count}, Purpose::index));
  const u64 middle = device_->counters().wait_ns;
  XMC_TRY(read_pages(0, buffer.first(std::size_t{count} * layout_.shape.page_bytes)));
  const u64 end = device_->counters().wait_ns;
  const u64 single = (middle - start) / count;
  // The first page of a piece costs as much as a single one.
  const u64 next = (end - middle - std::min(single, end - middle)) / std::max(1u, count - 1);
  const auto cost = [](u64 ns) { return static_cast<u32>(std::min<u64>(ns, u32{1} << 30)); };
  set_costs({cost(single), cost(next)});
  return {};
}

}  // namespace xmc::phf
