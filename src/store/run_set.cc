#include "store/run_set.h"

#include <algorithm>

#include "store/run_filter.h"
#include "store/run_merge.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// Runs that are merged at once, at the least.
constexpr u32 kMergeAtLeast = 4;
// Longer reads are not faster, and a jump leaves more of them unused.
constexpr u64 kMostBuffer = u64{256} << 10;
// Below this size two halves of a buffer cost a card more in reads than it gains by working ahead.
constexpr u64 kLeastAhead = u64{128} << 10;

}  // namespace

void RunSet::init(Folder& folder, std::span<u8> memory, u32 key_words, u64 skip_bytes) {
  folder_ = &folder;
  memory_ = memory;
  words_ = key_words;
  skip_bytes_ = skip_bytes;
  count_ = 0;
  rewritten_ = 0;
  const u64 buffers = kMostRuns + 2;
  buffer_bytes_ = static_cast<u32>(round_down(memory.size() / 2 / buffers, kRunBlockBytes));
  XMC_CHECK(buffer_bytes_ >= kRunBlockBytes);
  const u64 indexes = memory.size() - buffers * buffer_bytes_;
  index_words_ = static_cast<u32>(indexes / (kMostRuns + 1) / sizeof(Word));
  XMC_CHECK(index_words_ >= 2 * key_words);
}

std::span<Word> RunSet::index(u32 slot) const {
  u8* const base = memory_.data() + std::size_t{kMostRuns + 2} * buffer_bytes_;
  return {reinterpret_cast<Word*>(base) + std::size_t{slot} * index_words_, index_words_};
}

void RunSet::settle() {
  for (RunReader& reader : readers_) static_cast<void>(reader.finish());
}

Status RunSet::clear() {
  settle();
  for (u32 i = 0; i < count_; ++i) {
    folder_->close(places_[i].run.device);
    XMC_TRY(folder_->remove(kNames[places_[i].file]));
  }
  count_ = 0;
  return {};
}

u64 RunSet::keys() const {
  u64 sum = 0;
  for (u32 i = 0; i < count_; ++i) sum += places_[i].run.keys;
  return sum;
}

u64 RunSet::blocks() const {
  u64 sum = 0;
  for (u32 i = 0; i < count_; ++i) sum += places_[i].run.blocks;
  return sum;
}

u64 RunSet::index_bytes() const {
  u64 sum = 0;
  for (u32 i = 0; i < count_; ++i) {
    sum += u64{places_[i].run.index.size()} * words_ * sizeof(Word);
  }
  return sum;
}

u32 RunSet::free_file() const {
  for (u32 f = 0;; ++f) {
    const auto uses = [f](const Place& place) { return place.file == f; };
    if (std::none_of(places_, places_ + count_, uses)) return f;
  }
}

u32 RunSet::free_slot() const {
  for (u32 slot = 0;; ++slot) {
    const auto uses = [slot](const Place& place) { return place.slot == slot; };
    if (std::none_of(places_, places_ + count_, uses)) return slot;
  }
}

Status RunSet::open_writer(KeyCodec codec) {
  writing_ = {};
  writing_.file = free_file();
  writing_.slot = free_slot();
  const Result<Device*> device = folder_->open(kNames[writing_.file], Folder::Open::create);
  if (!device.ok()) return device.status();
  writer_.start(device.value(), kNames[writing_.file], words_, codec, buffer(kMostRuns + 1),
                index(writing_.slot));
  return {};
}

Status RunSet::begin_run(KeyCodec codec) {
  if (count_ == kMostRuns) XMC_TRY(merge_smallest());
  return open_writer(codec);
}

Status RunSet::end_run() {
  XMC_TRY(writer_.finish(writing_.run));
  places_[count_++] = writing_;
  return {};
}

// The smallest runs, and those that are not much larger than these together.
Status RunSet::merge_smallest() {
  settle();
  std::sort(places_, places_ + count_,
            [](const Place& a, const Place& b) { return a.run.keys < b.run.keys; });
  u32 merged = 0;
  u64 sum = 0;
  while (merged < count_ && (merged < kMergeAtLeast || places_[merged].run.keys <= sum)) {
    sum += places_[merged++].run.keys;
  }
  RunReader* sources[kMostRuns];
  for (u32 i = 0; i < merged; ++i) {
    readers_[i].start(places_[i].run, buffer(i), skip_bytes_, buffer_bytes_ >= kLeastAhead);
    sources[i] = &readers_[i];
  }
  // The largest one's codec suits most of the keys.
  XMC_TRY(open_writer(places_[merged - 1].run.codec));
  XMC_TRY(merge_runs({sources, merged}, writer_));
  XMC_TRY(writer_.finish(writing_.run));
  rewritten_ += writing_.run.keys;
  for (u32 i = 0; i < merged; ++i) {
    folder_->close(places_[i].run.device);
    XMC_TRY(folder_->remove(kNames[places_[i].file]));
  }
  std::copy(places_ + merged, places_ + count_, places_);
  count_ -= merged;
  places_[count_++] = writing_;
  return {};
}

// The runs that there are share the buffers of all that there could be.
void RunSet::begin_pass() {
  if (count_ == 0) return;
  settle();
  const u64 share = round_down(u64{kMostRuns} * buffer_bytes_ / count_, kRunBlockBytes);
  const std::size_t bytes = static_cast<std::size_t>(std::min(share, kMostBuffer));
  for (u32 i = 0; i < count_; ++i) {
    readers_[i].start(places_[i].run, memory_.subspan(i * bytes, bytes), skip_bytes_,
                      bytes >= kLeastAhead);
  }
}

Status RunSet::drop_known(const Word* keys, u32 count, u64* fresh, u64& hits) {
  for (u32 i = 0; i < count_; ++i) {
    XMC_TRY(xmc::drop_known(readers_[i], keys, count, fresh, &hits));
  }
  return {};
}

}  // namespace xmc
