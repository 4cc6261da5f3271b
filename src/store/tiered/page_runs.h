// PageRuns: a set of keys on flash, in runs of pages (store/runs/page_run.h), that is asked for
// single keys. A key is in one run. In two forms:
//
//   single  one run, written anew with everything that comes: the linear hash-sorting of Wu and
//           others ("An I/O Efficient Model Checking Algorithm for Large-Scale Systems", 2015). The
//           paper merges backwards in place; a device that only appends has the merged table behind
//           the old one, which is removed then. Bytes read and written are the same.
//   tiers   four runs of about a size become one, so that a key is written once for each
//           quadrupling of the set. A filter in memory keeps most questions from most runs. Small
//           runs get one first, which costs few bits for as many reads saved; the largest run gets
//           what is left, or none. Runs without a filter are merged when that is worth the reads.
//
// Runs have ascending numbers, which their writer gives. Who knows that a key was not there at
// some time need ask only those that came since.
#pragma once

#include <span>

#include "store/files/numbered_file.h"
#include "store/runs/page_run.h"
#include "store/tables/fingerprint_filter.h"
#include "xmc/device.h"
#include "xmc/go_on.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class Lines;

// Whether a key is there.
struct PageQuestion {
  const u8* key = nullptr;
  PageHash hash;
  u64 since = 0;       // not in the runs up to this number
  bool found = false;  // the answer
  bool read = false;   // a page was read for it
};

class PageRuns {
 public:
  enum class Form : u8 { tiers, single };
  static constexpr u32 kMostRuns = 16;
  static constexpr u32 kLeastPages = 4;                      // for questions
  static constexpr u32 kLeastTransfer = 6 * kPageBytes * 2;  // four runs and the one they become

  struct Memory {
    std::span<u8> pages;     // for questions, aligned for devices
    std::span<u8> transfer;  // for writing and merging runs, the same
    std::span<u64> filters;  // may be empty
  };

  // Files are `name` with a number. `go_on` is asked while runs are merged.
  void init(Folder& folder, const char* name, PageShape shape, Form form, const Memory& memory,
            const GoOn& go_on);
  void close();

  u64 keys() const;
  u64 bytes() const;
  u32 runs() const { return count_; }
  u64 merges() const { return merges_; }

  // Memory for filters, which are made then, for runs that had none. After a stop some have none.
  Status set_filters(std::span<u64> memory);

  // Answers all of them; their reads are under way together.
  Status ask(std::span<PageQuestion> questions);

  // A new run with a higher number than all others, with keys in ascending order of their hash,
  // written with this buffer.
  Status begin_run(u64 number, u64 keys, std::span<u8> buffer);
  Status add(const u8* key, PageHash hash) {
    if (writing_.has_filter) writing_.filter.add(hash.fingerprint);
    return writer_.add(key, hash.order);
  }
  Status end_run();
  // Merges what is to be merged. After a stop everything is as it was, but for some filters.
  Status settle();

  // Runs that a checkpoint has named stay until the second one behind it.
  Status save(Lines& io);
  Status checkpoint_committed();
  Status restore(Lines& io);

 private:
  struct Run {
    PageRun pages;
    u64 file = 0;    // number of its file
    u64 newest = 0;  // the highest of the numbers of runs that are in it
    u64 born = 0;    // checkpoints committed before it
    Device* device = nullptr;
    FileName name;  // of its file, while that is open
    bool has_filter = false;
    FingerprintFilter filter;
    u64 filter_at = 0;  // in Memory::filters
  };
  struct Dead {
    u64 file = 0;
    u64 since = 0;  // checkpoints committed before
  };
  static constexpr u32 kMostDead = 4 * kMostRuns;
  static constexpr u32 kWordsOfRun = 5;  // in a checkpoint
  struct Said;
  void lines(Lines& io, Said& said);

  FileName name_of(const Run& run) const { return FileName(name_, run.file); }
  Status open(Run& run, Folder::Open how);
  Status remove(const Run& run);

  void allot_filter(Run& run, u64 keys);
  bool take_filter(Run& run, u64 keys);
  void drop_filter(Run& run);
  Run* largest_filtered(u64 above);
  Status fill_filter(Run& run);
  Status restore_filters();

  void pick_smallest(bool* chosen) const;
  bool pick_tier(bool* chosen) const;
  bool pick_unfiltered(bool* chosen) const;
  Status merge(const bool* chosen);
  Status merge_into(Run& into, const bool* chosen);

  static constexpr u32 kMostReads = 64;  // under way at a time
  struct Cursor {
    u32 run = 0;
    u32 question = 0;
  };
  struct Read {
    u32 run = 0;
    u32 question = 0;
    u64 page = 0;
  };
  std::span<u8> page_at(u32 i) const {
    return memory_.pages.subspan(std::size_t{i} * kPageBytes, kPageBytes);
  }
  u32 choose_reads(std::span<const PageQuestion> questions, Cursor& at, Read* reads) const;
  Status read_all(std::span<const Read> reads);
  Status take_page(const Read& read, PageQuestion& question, std::span<u8> page);

  Folder* folder_ = nullptr;
  const char* name_ = "";
  PageShape shape_;
  Form form_ = Form::tiers;
  Memory memory_;
  GoOn go_on_;
  Run runs_[kMostRuns];  // in the order of their numbers
  u32 count_ = 0;
  Dead dead_[kMostDead];
  u32 dead_count_ = 0;
  u64 committed_ = 0;   // checkpoints
  u64 files_ = 0;       // numbers given
  u64 least_keys_ = 0;  // of a whole run from memory: the first tier
  u64 filter_fill_ = 0;
  PageRunWriter writer_;
  Run writing_;
  u64 merges_ = 0;
};

}  // namespace xmc
