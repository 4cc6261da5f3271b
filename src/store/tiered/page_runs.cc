#include "store/tiered/page_runs.h"

#include <algorithm>
#include <utility>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u32 kTierRuns = 4;
// Bytes of merging that are worth a read less. A card reads a page in the time in which it writes
// some ten KiB; its life counts for the rest.
constexpr u64 kBytesPerRead = 8 << 10;

u32 tier_of(u64 keys, u64 least) {
  u32 tier = 0;
  for (u64 limit = least * 2; keys > limit; limit *= kTierRuns) ++tier;
  return tier;
}

}  // namespace

void PageRuns::init(Folder& folder, const char* name, PageShape shape, Form form,
                    const Memory& memory, const GoOn& go_on) {
  XMC_CHECK(memory.pages.size() >= u64{kLeastPages} * kPageBytes);
  XMC_CHECK(memory.transfer.size() >= kLeastTransfer);
  *this = {};
  folder_ = &folder;
  name_ = name;
  shape_ = shape;
  form_ = form;
  memory_ = memory;
  go_on_ = go_on;
}

void PageRuns::close() {
  for (u32 i = 0; i < count_; ++i) folder_->close(runs_[i].device);
  count_ = 0;
}

u64 PageRuns::keys() const {
  u64 sum = 0;
  for (u32 i = 0; i < count_; ++i) sum += runs_[i].pages.keys;
  return sum;
}

u64 PageRuns::bytes() const {
  u64 sum = 0;
  for (u32 i = 0; i < count_; ++i) sum += runs_[i].pages.bytes;
  return sum;
}

Status PageRuns::open(Run& run, Folder::Open how) {
  run.name = name_of(run);
  XMC_LET(run.device, folder_->open(run.name.c_str(), how));
  return {};
}

// Its file goes now if no checkpoint knows it.
Status PageRuns::remove(const Run& run) {
  folder_->close(run.device);
  if (run.born == committed_) return folder_->remove(name_of(run).c_str());
  XMC_CHECK(dead_count_ < kMostDead);
  dead_[dead_count_++] = {run.file, committed_};
  return {};
}

// --- Writing ----------------------------------------------------------------------------------

Status PageRuns::begin_run(u64 number, u64 keys, std::span<u8> buffer) {
  if (count_ == kMostRuns) {
    // Only who stops a run again and again while it merges comes here: now it has to.
    bool chosen[kMostRuns];
    pick_smallest(chosen);
    const GoOn go_on = std::exchange(go_on_, GoOn());
    const Status status = merge(chosen);
    go_on_ = go_on;
    XMC_TRY(status);
  }
  least_keys_ = std::max(least_keys_, keys);
  writing_ = {};
  writing_.file = files_++;
  writing_.newest = number;
  writing_.born = committed_;
  XMC_TRY(open(writing_, Folder::Open::create));
  writer_.start(writing_.device, shape_, keys, buffer);
  allot_filter(writing_, keys);
  return {};
}

Status PageRuns::end_run() {
  XMC_TRY(writer_.finish(writing_.pages));
  runs_[count_++] = writing_;
  return {};
}

// --- Merging ----------------------------------------------------------------------------------

Status PageRuns::settle() {
  bool chosen[kMostRuns];
  while (pick_tier(chosen) || pick_unfiltered(chosen)) XMC_TRY(merge(chosen));
  return {};
}

void PageRuns::pick_smallest(bool* chosen) const {
  std::fill_n(chosen, count_, false);
  for (u32 turn = 0; turn < kTierRuns; ++turn) {
    u32 least = count_;
    for (u32 i = 0; i < count_; ++i) {
      if (chosen[i]) continue;
      if (least == count_ || runs_[i].pages.keys < runs_[least].pages.keys) least = i;
    }
    chosen[least] = true;
  }
}

// The smallest tier that is full, with all runs below it.
bool PageRuns::pick_tier(bool* chosen) const {
  if (form_ == Form::single) {
    std::fill_n(chosen, count_, true);
    return count_ > 1;
  }
  u32 last = 0;
  for (u32 i = 0; i < count_; ++i) last = std::max(last, tier_of(runs_[i].pages.keys, least_keys_));
  for (u32 tier = 0; tier <= last; ++tier) {
    u32 below = 0;
    for (u32 i = 0; i < count_; ++i) {
      chosen[i] = tier_of(runs_[i].pages.keys, least_keys_) <= tier;
      if (chosen[i]) ++below;
    }
    if (below >= kTierRuns) return true;
  }
  if (count_ + 1 < kMostRuns) return false;
  pick_smallest(chosen);
  return true;
}

// Each run without a filter costs every question about a new key a read, until the next run comes.
bool PageRuns::pick_unfiltered(bool* chosen) const {
  u64 bytes = 0;
  u32 picked = 0;
  for (u32 i = 0; i < count_; ++i) {
    chosen[i] = !runs_[i].has_filter;
    if (!chosen[i]) continue;
    ++picked;
    bytes += 2 * runs_[i].pages.bytes;
  }
  return picked > 1 && bytes <= (picked - 1) * least_keys_ * kBytesPerRead;
}

Status PageRuns::merge(const bool* chosen) {
  Run into;
  into.file = files_++;
  into.born = committed_;
  u64 keys = 0;
  for (u32 i = 0; i < count_; ++i) {
    if (!chosen[i]) continue;
    keys += runs_[i].pages.keys;
    into.newest = std::max(into.newest, runs_[i].newest);
    drop_filter(runs_[i]);
  }
  XMC_TRY(open(into, Folder::Open::create));
  allot_filter(into, keys);
  const Status status = merge_into(into, chosen);
  if (!status.ok()) {
    drop_filter(into);
    static_cast<void>(remove(into));  // why it is in vain is the better answer
    return status;
  }
  ++merges_;
  // The list is right before anything can fail: close() has to find what is open, and nothing else.
  Run merged[kMostRuns];
  u32 merged_count = 0;
  u32 kept = 0;
  for (u32 i = 0; i < count_; ++i) {
    if (chosen[i]) {
      merged[merged_count++] = runs_[i];
    } else {
      runs_[kept++] = runs_[i];
    }
  }
  runs_[kept++] = into;
  count_ = kept;
  Status removed;
  for (u32 i = 0; i < merged_count; ++i) {
    const Status one = remove(merged[i]);
    if (removed.ok()) removed = one;
  }
  return removed;
}

Status PageRuns::merge_into(Run& into, const bool* chosen) {
  PageRunReader readers[kMostRuns];
  u32 open_readers = 0;
  u64 keys = 0;
  u32 inputs = 0;
  for (u32 i = 0; i < count_; ++i) inputs += chosen[i] ? 1 : 0;
  const u64 share = round_down(memory_.transfer.size() / (inputs + 1), kPageBytes);
  const auto part = [&](u32 i) {
    return memory_.transfer.subspan(static_cast<std::size_t>(i * share),
                                    static_cast<std::size_t>(share));
  };
  for (u32 i = 0; i < count_; ++i) {
    if (!chosen[i]) continue;
    PageRunReader& reader = readers[open_readers];
    reader.start(runs_[i].device, runs_[i].name.c_str(), shape_, runs_[i].pages,
                 part(open_readers));
    XMC_LET(const bool any, reader.next());
    keys += runs_[i].pages.keys;
    if (any) ++open_readers;
  }
  PageRunWriter writer;
  writer.start(into.device, shape_, keys, part(inputs));
  const LongWork::Scope scope(go_on_.work, "merging");
  for (u64 turn = 1; open_readers > 0; ++turn) {
    if (turn % (1 << 14) == 0) XMC_TRY(go_on_(turn, keys));
    u32 least = 0;
    for (u32 r = 1; r < open_readers; ++r) {
      if (readers[r].hash().order < readers[least].hash().order) least = r;
    }
    PageRunReader& reader = readers[least];
    if (into.has_filter) into.filter.add(reader.hash().fingerprint);
    XMC_TRY(writer.add(reader.key(), reader.hash().order));
    XMC_LET(const bool more, reader.next());
    if (!more) reader = readers[--open_readers];
  }
  return writer.finish(into.pages);
}

}  // namespace xmc
