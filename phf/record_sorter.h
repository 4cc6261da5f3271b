// RecordSorter: any number of (hash, value) records in, the same in order of their hashes out, in
// the memory given. Records that fit stay there; otherwise full loads of them are sorted and
// appended to a file as runs, and merged by a tournament of losers (Knuth, The Art of Computer
// Programming, volume 3, 5.4.1) while they are read.
//
// Two sorters may append to the same file: each remembers where its runs are.
#pragma once

#include <span>

#include "phf/page.h"
#include "phf/run_block.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc::phf {

class RecordSorter {
 public:
  static constexpr u64 kLeastMemory = 64 << 10;

  // `memory` is aligned to the blocks of the device and at least kLeastMemory; values have so many
  // bits. Runs are appended in the background: the memory is in use until finish() returned, or the
  // device finished its append.
  void start(std::span<u8> memory, Device* runs, u32 value_bits);
  Status add(u64 hash, u32 value);

  // A run that is in the file already; it begins where the one before it ends, the first one at
  // `begin`. Before the first add(). False: there is no room for so many runs.
  bool add_run(u64 begin, u64 end);
  // The runs have so many records.
  void set_records_of_runs(u64 records) { records_ = records; }
  // Records below this hash do not come out. Before finish().
  void skip_below(u64 hash) { skip_below_ = hash; }

  // No more records: from here on they come out.
  Status finish();
  // False at the end, or when a run could not be read: status() tells.
  bool next(Record& record) {
    if (runs_ == 0) return next_in_memory(record);
    return next_of_runs(record);
  }
  const Status& status() const { return status_; }

  u64 records() const { return records_; }
  u64 runs() const { return runs_; }
  u64 run_end(u32 run) const { return run_[run].end; }
  // Before finish(): those that are not in runs, in any order.
  u64 records_in_memory() const { return count_; }
  Record record_in_memory(u64 i) const {
    const Packed& item = items_[static_cast<std::size_t>(i)];
    return {item.hash(), item.value};
  }
  u64 bytes_written() const { return bytes_written_; }
  // Records that memory of this size sorts, in runs.
  static u64 most_records(u64 memory_bytes, u32 block_bytes);

 private:
  // Twelve bytes and not sixteen: a third more of them in memory, a third fewer runs.
  struct Packed {
    u32 low;
    u32 high;
    u32 value;
    u64 hash() const { return u64{high} << 32 | low; }
  };
  struct Run {
    u64 offset = 0;  // of what is not in memory yet
    u64 end = 0;
    std::span<u8> buffer;
    u32 at = 0;    // of the next block in the buffer
    u32 have = 0;  // bytes in the buffer
    RunBlockReader block;
    Record head = {};
    bool ended = false;
  };
  static constexpr u32 kMostRuns = 1024;

  Status write_run();
  std::span<u8> half() const {
    return buffer_.subspan(half_ * (buffer_.size() / 2)).first(buffer_.size() / 2);
  }
  Status append_half(u32 bytes);
  Status seek(Run& run);
  bool refill(Run& run);
  bool advance(u32 run);
  void build_tree();
  bool before(u32 a, u32 b) const;
  bool next_in_memory(Record& record);
  bool next_of_runs(Record& record);

  Device* device_ = nullptr;
  u32 value_bits_ = 0;
  u32 block_bytes_ = 0;
  std::span<u8> merge_memory_;  // records and write buffer, when they are done with
  std::span<Packed> items_;
  std::span<u8> buffer_;  // of a run that is being written: one half is filled, one on its way
  u32 half_ = 0;
  std::span<Run> run_;
  std::span<u32> losers_;  // of the match at each inner node; 0 is the winner of all
  u64 count_ = 0;
  u64 at_ = 0;
  u64 skip_below_ = 0;
  u64 records_ = 0;
  u32 runs_ = 0;
  u64 bytes_written_ = 0;
  Status status_;
};

}  // namespace xmc::phf
