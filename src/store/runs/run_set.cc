#include "store/runs/run_set.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "store/files/passing_file.h"
#include "store/runs/run_filter.h"
#include "store/runs/run_merge.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// Runs that are merged at once, at the least, if there are no more new ones.
constexpr u32 kMergeAtLeast = 4;
// Longer reads are not faster, and a jump leaves more of them unused.
constexpr u64 kMostBuffer = u64{256} << 10;
// Below this size two halves of a buffer cost a card more in reads than it gains by working ahead.
constexpr u64 kLeastAhead = u64{64} << 10;

// Number i of `count` buffers in the same memory.
std::span<u8> buffer_of(std::span<u8> memory, u32 count, u32 i) {
  const u64 share = std::min<u64>(memory.size() / count, kMostBuffer);
  const auto bytes = static_cast<std::size_t>(round_down(share, kRunBlockBytes));
  return memory.subspan(i * bytes, bytes);
}

// The part of it that is aligned for devices.
std::span<u8> aligned(std::span<u8> memory) {
  const auto at = reinterpret_cast<std::uintptr_t>(memory.data());
  const u64 skip = round_up(at, kRunBlockBytes) - at;
  return skip < memory.size() ? memory.subspan(static_cast<std::size_t>(skip)) : std::span<u8>();
}

}  // namespace

void RunSet::init(Folder& folder, std::span<u8> memory, u32 key_words, u64 skip_bytes,
                  const GoOn& go_on) {
  folder_ = &folder;
  go_on_ = go_on;
  memory_ = memory;
  words_ = key_words;
  skip_bytes_ = skip_bytes;
  count_ = 0;
  rewritten_ = 0;
  buffer_bytes_ = static_cast<std::size_t>(round_down(memory.size() / 2, kRunBlockBytes));
  XMC_CHECK(buffer_bytes_ >= (kMostRuns + 1) * kRunBlockBytes);
  const u64 indexes = memory.size() - buffer_bytes_;
  index_words_ = static_cast<u32>(indexes / (kMostRuns + 1) / sizeof(Word));
  XMC_CHECK(index_words_ >= 2 * key_words);
}

std::span<Word> RunSet::index(u32 slot) const {
  u8* const base = memory_.data() + buffer_bytes_;
  return {reinterpret_cast<Word*>(base) + std::size_t{slot} * index_words_, index_words_};
}

// With what a merge that failed has left.
Status RunSet::clear() {
  XMC_TRY(remove(std::exchange(writing_, {})));
  for (; count_ > 0; --count_) XMC_TRY(remove(places_[count_ - 1]));
  if (new_runs_ == nullptr) return {};
  folder_->close(new_runs_);
  new_runs_ = nullptr;
  return folder_->remove(kNames[0]);
}

// New runs go all at once.
Status RunSet::remove(const Place& place) {
  if (place.file == 0) return {};
  folder_->close(place.run.device);
  return folder_->remove(kNames[place.file]);
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
  for (u32 f = 1;; ++f) {
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

std::span<u8> RunSet::own_buffer() const { return buffer_of(memory_.first(buffer_bytes_), 1, 0); }

Status RunSet::open_writer(u32 file, KeyCodec codec, std::span<u8> buffer) {
  Device* device = file == 0 ? new_runs_ : nullptr;
  if (device == nullptr) {
    XMC_LET(Device* const opened, folder_->open(kNames[file], Folder::Open::create));
    device = opened;
    if (file == 0) new_runs_ = device;
  }
  writing_ = {};
  writing_.run.device = device;
  writing_.file = file;
  writing_.slot = free_slot();
  writer_.start(device, kNames[file], words_, codec, buffer, index(writing_.slot));
  return {};
}

Status RunSet::begin_run(KeyCodec codec, std::span<u8> spare) {
  XMC_CHECK(!full());
  return open_writer(0, codec, spare.empty() ? own_buffer() : buffer_of(aligned(spare), 1, 0));
}

Status RunSet::end_run() {
  XMC_TRY(writer_.finish(writing_.run));
  places_[count_++] = std::exchange(writing_, {});
  return {};
}

// The new runs, and of the others those that are not much larger than these together.
Status RunSet::merge(std::span<u8> spare) {
  spare = aligned(spare);
  const std::span<u8> memory = spare.size() > buffer_bytes_ ? spare : memory_.first(buffer_bytes_);
  std::sort(places_, places_ + count_, [](const Place& a, const Place& b) {
    return (a.file == 0) != (b.file == 0) ? a.file == 0 : a.run.keys < b.run.keys;
  });
  u32 merged = 0;
  u64 sum = 0;
  while (merged < count_ &&
         (merged < kMergeAtLeast || places_[merged].file == 0 || places_[merged].run.keys <= sum)) {
    sum += places_[merged++].run.keys;
  }
  RunReader* sources[kMostRuns];
  for (u32 i = 0; i < merged; ++i) {
    const std::span<u8> buffer = buffer_of(memory, merged + 1, i);
    const bool ahead = places_[i].file != 0 && buffer.size() >= kLeastAhead;
    readers_[i].start(places_[i].run, buffer, skip_bytes_, ahead);
    sources[i] = &readers_[i];
  }
  // The largest one's codec suits most of the keys.
  const KeyCodec codec = places_[merged - 1].run.codec;
  XMC_TRY(open_writer(free_file(), codec, buffer_of(memory, merged + 1, merged)));
  const Status status = merge_runs({sources, merged}, writer_, go_on_);
  // What they have under way after an error must not come later.
  for (u32 i = 0; i < merged; ++i) static_cast<void>(readers_[i].finish());
  XMC_TRY(status);
  XMC_TRY(writer_.finish(writing_.run));
  rewritten_ += writing_.run.keys;
  for (u32 i = 0; i < merged; ++i) XMC_TRY(remove(places_[i]));
  if (new_runs_ != nullptr) XMC_TRY(forget_contents(*new_runs_));
  std::copy(places_ + merged, places_ + count_, places_);
  count_ -= merged;
  places_[count_++] = std::exchange(writing_, {});
  return {};
}

// In parts, between which it asks whether to go on.
Status RunSet::drop_known(RunReader& reader, const Word* keys, u32 count, u64* fresh,
                          u64& hits) const {
  constexpr u32 kPart = 4096;  // whole words of `fresh`
  for (u32 done = 0; done < count; done += kPart) {
    XMC_TRY(go_on_(done, count));
    XMC_TRY(xmc::drop_known(reader, keys + u64{done} * words_, std::min(kPart, count - done),
                            fresh + done / 64, &hits));
  }
  return {};
}

Status RunSet::drop_known(const Word* keys, u32 count, u64* fresh, u64& hits) {
  const std::span<u8> buffer = own_buffer();
  RunReader& reader = readers_[0];
  const LongWork::Scope scope(go_on_.work, "comparing");
  u64 all = 0;
  for (u32 i = 0; i < count_; ++i) all += places_[i].run.keys;
  u64 before = 0;
  for (u32 i = 0; i < count_; ++i) {
    const LongWork::Part part(go_on_.work, before, before + places_[i].run.keys, all);
    before += places_[i].run.keys;
    reader.start(places_[i].run, buffer, skip_bytes_, buffer.size() >= kLeastAhead);
    const Status status = drop_known(reader, keys, count, fresh, hits);
    const Status finished = reader.finish();
    XMC_TRY(status);
    XMC_TRY(finished);
  }
  return {};
}

}  // namespace xmc
