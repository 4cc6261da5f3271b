// PageRun: a set of keys on flash in which one read finds a key or its absence. The place of a key
// is a page that its hash tells (interpolation over a table sorted by hash, as in the hash-sorted
// table of Wu, Huang, Su, Cai and Zhang, "An I/O Efficient Model Checking Algorithm for Large-Scale
// Systems", 2015); so nothing about a run is in memory but its number of pages.
//
// Keys are written in ascending order of the upper half of their hash. Pages have an eighth of room
// to spare; where that is not enough, keys go on to the next page, and the page says so. Keys of
// one page are in no order that a reader could rely on.
//
//   page = frame (store/files/block.h) of 4096 bytes, number of keys u32, 1 if keys that belong
//          here go on in the next page or 0 u32, keys of key_bytes each
#pragma once

#include <span>

#include "store/files/block.h"
#include "xmc/device.h"
#include "xmc/hash.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

// Keys as bytes: the first ones of their words, little-endian.
struct PageShape {
  static constexpr u32 kHeadBytes = BlockFrame::kBytes + 8;

  u32 key_bytes = 0;

  u32 keys_per_page() const { return (kPageBytes - kHeadBytes) / key_bytes; }
  u64 pages_for(u64 keys) const;
};

// The upper half orders keys, the lower half is for filters.
struct PageHash {
  u32 order = 0;
  u32 fingerprint = 0;

  static PageHash of(const u8* key, u32 key_bytes) {
    const u64 hash = hash_bytes({key, key_bytes});
    return {static_cast<u32>(hash >> 32), static_cast<u32>(hash)};
  }
};

struct PageRun {
  u64 keys = 0;
  u64 pages = 0;  // that hashes lead to; some more may be behind them
  u64 bytes = 0;
  u64 chain = 0;

  u64 page_of(u32 order) const { return u64{order} * pages >> 32; }
};

class PageRunWriter {
 public:
  // A run of so many keys in an empty file. `buffer`: pages, aligned for the device.
  void start(Device* device, PageShape shape, u64 keys, std::span<u8> buffer);
  // In ascending order.
  Status add(const u8* key, u32 order) {
    while (run_.page_of(order) > page_) XMC_TRY(close_page(false));
    if (fill_ == most_) XMC_TRY(close_page(true));
    put(key);
    return {};
  }
  // On the device, not yet durable.
  Status finish(PageRun& run);

 private:
  void put(const u8* key);
  Status close_page(bool goes_on);
  Status write();

  Device* device_ = nullptr;
  PageShape shape_;
  PageRun run_;
  std::span<u8> buffer_;
  u64 at_ = 0;    // of the buffer: where the page is that is being filled
  u64 page_ = 0;  // its number
  u32 fill_ = 0;  // its keys
  u32 most_ = 0;
  u64 added_ = 0;
};

// All keys in order.
class PageRunReader {
 public:
  void start(Device* device, const char* name, PageShape shape, const PageRun& run,
             std::span<u8> buffer);
  // The next key is at key(); false at the end.
  Result<bool> next();
  const u8* key() const { return key_; }
  PageHash hash() const { return hash_; }

 private:
  Status load();
  Status open_page();

  Device* device_ = nullptr;
  const char* name_ = "";
  PageShape shape_;
  PageRun run_;
  std::span<u8> buffer_;
  u64 read_ = 0;  // bytes of the run that were read
  u64 at_ = 0;    // in the buffer: the page that comes next
  u64 end_ = 0;
  const u8* key_ = nullptr;
  u32 left_ = 0;  // keys of the page behind key_
  u64 given_ = 0;
  PageHash hash_;
};

// Whether a page, as it was read, has a key. Code::corrupt: the page is not what was written.
struct PageAnswer {
  bool found = false;
  bool goes_on = false;  // look at the next page, too
};
Result<PageAnswer> look_in_page(std::span<const u8> page, PageShape shape, const BlockPlace& place,
                                const char* name, u64 number, const u8* key);

}  // namespace xmc
