// Reader: index and value of a key by one page read.
//
// The later layers are loaded when the file is opened and stay in RAM, so a key is answered by the
// page its hash points at, or by that page saying "not here" and one in RAM. Pages are checked
// whenever they are read from the device.
//
// A batch of queries is sorted by hash, which is page order, and served in windows of reads. Wanted
// pages that lie close together are read as one piece, with the unwanted ones between them, where
// that is cheaper than another request: a large batch becomes a scan, a small one a batch of single
// pages, and nobody has to choose. A window of one piece is read in the background while the window
// before is answered.
//
// A hash does not know its keys: of another key it returns the index of some key. With fingerprints
// that is found out 255 times of 256.
#pragma once

#include <span>

#include "phf/format.h"
#include "phf/page_cache.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc::phf {

inline constexpr u64 kForeign = ~u64{0};

struct Query {
  u64 key = 0;    // its hash
  u64 index = 0;  // the answer; kForeign if the fingerprint says so
  u32 value = 0;
  u32 tag = 0;  // the caller's
  u64 hash() const { return key; }
};

// What pages cost on the device, in any unit.
struct ReadCosts {
  u32 single = 8;  // a page on its own
  u32 next = 1;    // a page behind another one
};

struct ReaderStats {
  u64 queries = 0;
  u64 requests = 0;        // to the device
  u64 pages_read = 0;      // wanted or not
  u64 cache_hits = 0;      // pages that were wanted and there, once per batch
  u64 pinned_queries = 0;  // answered by a later layer
};

class Reader {
 public:
  static constexpr u64 kDefaultWindow = 128 << 10;

  // The least memory for a file; what is more is page cache. `window_bytes` are read at once.
  static u64 least_bytes(const FileLayout& layout, u64 window_bytes = kDefaultWindow);
  // The footer only; `buffer` is one block of the device or more, at least kFooterBytes.
  static Status read_layout(Device* device, std::span<u8> buffer, FileLayout& layout);

  // `memory` is aligned to the device's blocks. Code::budget with the number if it is too little.
  Status open(Device* device, std::span<u8> memory, u64 window_bytes = kDefaultWindow);
  // The whole file lies in memory; all of it is checked now.
  // `file_seed` is that of the device it came from.
  Status open_resident(std::span<const u8> file, u64 file_seed);
  // Loads it there first.
  Status load_resident(Device* device, std::span<u8> memory);

  void set_costs(ReadCosts costs);
  // Tries a few reads and takes the device's own account of its time.
  Status measure_costs();
  const ReadCosts& costs() const { return costs_; }

  // Two other windows in this memory, which is aligned as that of open(), for a while: an empty
  // span brings the old ones back. What pages cost is measured again where more are read at once.
  Status lend_windows(std::span<u8> memory);

  Status find(Query& query);
  // Sorts the queries by their hashes and answers all of them.
  Status find_batch(std::span<Query> queries);
  // The same for a file that lies in memory, without figures: several threads may ask at once.
  void find_resident(std::span<Query> queries) const;

  const FileLayout& layout() const { return layout_; }
  const ReaderStats& stats() const { return stats_; }
  u64 cache_pages() const { return cache_.frames(); }

 private:
  static constexpr u32 kExtents = 64;
  struct Extent {
    u64 first = 0;
    u32 pages = 0;
    u32 at = 0;  // in the buffer, in pages
  };
  // The queries [begin, end), and the reads that answer those of them whose page is not cached.
  struct Window {
    std::size_t begin = 0;
    std::size_t end = 0;
    u32 extents = 0;
    u32 pages = 0;
    bool under_way = false;
    std::span<u8> buffer;
    Extent extent[kExtents];
  };

  u64 page_of(const Query& query) const;
  u64 pages_of(std::span<const Query> queries, u64 most) const;
  u64 gap() const { return (costs_.single - costs_.next) / costs_.next; }
  std::span<const u8> pinned_page(u64 number) const;
  Status check_pages(std::span<const u8> pages, u64 first) const;
  Status damaged(u64 page) const;
  void answer(std::span<const u8> page, Query& query);
  // Whether the page has the answer, and not a later layer.
  bool look_up(std::span<const u8> page, Query& query) const;
  void look_up_pinned(Query& query) const;
  std::span<const u8> resident_page(u64 number) const;
  Status fetch(u64 page, std::span<const u8>& bytes);
  void plan_window(std::span<const Query> queries, Window& window);
  Status begin_window(Window& window, bool background);
  Status finish_window(Window& window, std::span<Query> queries, bool keep);
  Status read_pages(u64 first, std::span<u8> into);

  Device* device_ = nullptr;
  FileLayout layout_;
  std::span<const u8> resident_;  // pages of the first layer, if they are in memory
  std::span<const u8> pinned_;    // pages of the others
  PageCache cache_;
  Window windows_[2];
  std::span<u8> own_windows_[2];
  u64 single_page_ = kForeign;  // in the first window's buffer, when there is no cache
  ReadCosts costs_;
  ReaderStats stats_;
};

}  // namespace xmc::phf
