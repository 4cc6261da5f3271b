// The filters of runs: one region of memory, in which they lie one behind the other.
#include <algorithm>

#include "store/tiered/page_runs.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// Bits for a key: with ten, one stranger in a hundred passes; with fewer than one and a half, a
// filter lets most of them pass and takes memory from others.
constexpr u64 kMostBits = 10;
constexpr u64 kLeastBitsTwice = 3;

}  // namespace

// Half of what is free at most: smaller runs come later. Where that is too little, a larger run
// loses its own.
void PageRuns::allot_filter(Run& run, u64 keys) {
  if (form_ == Form::single) return;
  while (!take_filter(run, keys)) {
    Run* const larger = largest_filtered(keys);
    if (larger == nullptr) return;
    drop_filter(*larger);
  }
}

bool PageRuns::take_filter(Run& run, u64 keys) {
  const u64 free = memory_.filters.size() - filter_fill_;
  const u64 words = std::min(keys * kMostBits / 64 + 1, free / 2);
  if (words * 128 < keys * kLeastBitsTwice || words == 0) return false;
  run.has_filter = true;
  run.filter_at = filter_fill_;
  run.filter.start(memory_.filters.subspan(static_cast<std::size_t>(filter_fill_),
                                           static_cast<std::size_t>(words)),
                   keys);
  filter_fill_ += run.filter.words();
  return true;
}

PageRuns::Run* PageRuns::largest_filtered(u64 above) {
  Run* largest = nullptr;
  for (u32 i = 0; i < count_; ++i) {
    Run& run = runs_[i];
    if (!run.has_filter || run.pages.keys <= above) continue;
    if (largest == nullptr || run.pages.keys > largest->pages.keys) largest = &run;
  }
  return largest;
}

// Those behind it move down.
void PageRuns::drop_filter(Run& run) {
  if (!run.has_filter) return;
  const u64 at = run.filter_at;
  const u64 words = run.filter.words();
  run.has_filter = false;
  const u64 behind = filter_fill_ - at - words;
  const auto part = [&](u64 from) {
    return memory_.filters.subspan(static_cast<std::size_t>(from),
                                   static_cast<std::size_t>(behind));
  };
  move(part(at), std::span<const u64>(part(at + words)));
  filter_fill_ -= words;
  for (u32 i = 0; i < count_; ++i) {
    Run& other = runs_[i];
    if (!other.has_filter || other.filter_at < at) continue;
    other.filter_at -= words;
    other.filter.move_to(memory_.filters.subspan(static_cast<std::size_t>(other.filter_at)));
  }
}

Status PageRuns::set_filters(std::span<u64> memory) {
  XMC_CHECK(filter_fill_ == 0);
  memory_.filters = memory;
  return restore_filters();
}

Status PageRuns::fill_filter(Run& run) {
  PageRunReader reader;
  reader.start(run.device, run.name.c_str(), shape_, run.pages, memory_.transfer);
  const LongWork::Scope scope(go_on_.work, "reading runs");
  for (u64 turn = 1;; ++turn) {
    if (turn % (1 << 14) == 0) XMC_TRY(go_on_(turn, run.pages.keys));
    XMC_LET(const bool more, reader.next());
    if (!more) return {};
    run.filter.add(reader.hash().fingerprint);
  }
}

// The large ones first, as when they were written. After a stop there are no filters but those that
// know all keys of their runs: half of one would hide the others.
Status PageRuns::restore_filters() {
  bool done[kMostRuns] = {};
  for (u32 turn = 0; turn < count_; ++turn) {
    u32 next = kMostRuns;
    for (u32 i = 0; i < count_; ++i) {
      if (done[i]) continue;
      if (next == kMostRuns || runs_[i].pages.keys > runs_[next].pages.keys) next = i;
    }
    done[next] = true;
    allot_filter(runs_[next], runs_[next].pages.keys);
  }
  Status status;
  for (u32 i = 0; i < count_; ++i) {
    if (!runs_[i].has_filter) continue;
    if (status.ok()) status = fill_filter(runs_[i]);
    if (!status.ok()) drop_filter(runs_[i]);
  }
  return status;
}

}  // namespace xmc
