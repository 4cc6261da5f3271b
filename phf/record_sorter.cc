#include "phf/record_sorter.h"

#include <algorithm>
#include <bit>
#include <new>

#include "phf/hash_sort.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc::phf {

namespace {

// Transfers of this size are near a card's best rate.
constexpr u64 kMostBuffer = 256 << 10;

// How the memory is shared out: a table of runs, a buffer to write them, and the rest for records.
struct Shares {
  Shares(u64 memory, u32 block, u64 run_bytes, u64 most_runs)
      : buffer(std::max<u64>(2 * block, round_down(std::min(memory / 16, kMostBuffer), 2 * block))),
        runs(std::clamp<u64>(memory / (2 * u64{block}), 1, most_runs)),
        table(round_up(runs * run_bytes, 16)) {}
  u64 buffer;
  u64 runs;
  u64 table;
};

}  // namespace

void RecordSorter::start(std::span<u8> memory, Device* runs, u32 value_bits) {
  *this = RecordSorter();
  device_ = runs;
  value_bits_ = value_bits;
  block_bytes_ = runs->geometry().block_bytes;
  XMC_CHECK(memory.size() >= kLeastMemory);
  const Shares shares(memory.size(), block_bytes_, sizeof(Run) + sizeof(u32), kMostRuns);
  merge_memory_ = memory.first(
      static_cast<std::size_t>(round_down(memory.size() - shares.table, block_bytes_)));
  buffer_ = merge_memory_.first(static_cast<std::size_t>(shares.buffer));
  const std::span<u8> rest = merge_memory_.subspan(buffer_.size());
  items_ = {reinterpret_cast<Packed*>(rest.data()), rest.size() / sizeof(Packed)};
  u8* const table =
      memory.data() + (memory.size() - static_cast<std::size_t>(shares.table)) / 16 * 16;
  run_ = {reinterpret_cast<Run*>(table), static_cast<std::size_t>(shares.runs)};
  losers_ = {reinterpret_cast<u32*>(run_.data() + run_.size()), run_.size()};
}

u64 RecordSorter::most_records(u64 memory_bytes, u32 block_bytes) {
  const Shares shares(memory_bytes, block_bytes, sizeof(Run) + sizeof(u32), kMostRuns);
  const u64 merge = round_down(memory_bytes - shares.table, block_bytes);
  return (merge - shares.buffer) / sizeof(Packed) * std::min(shares.runs, merge / block_bytes);
}

Status RecordSorter::add(u64 hash, u32 value) {
  if (count_ == items_.size()) XMC_TRY(write_run());
  items_[static_cast<std::size_t>(count_++)] = {static_cast<u32>(hash),
                                                static_cast<u32>(hash >> 32), value};
  ++records_;
  return {};
}

Status RecordSorter::append_half(u32 bytes) {
  bytes_written_ += bytes;
  const std::span<u8> filled = half().first(bytes);
  half_ = 1 - half_;
  return device_->begin_append(filled, Purpose::index);
}

Status RecordSorter::write_run() {
  if (runs_ == run_.size()) {
    return Status::fail(Code::budget,
                        "perfect hash: %llu keys need more memory to be sorted than the %llu KiB "
                        "there are",
                        wide(records_), wide(merge_memory_.size() >> 10));
  }
  const std::span<Packed> items = items_.first(static_cast<std::size_t>(count_));
  sort_by_hash(items);
  const u64 mean = (items.back().hash() - items.front().hash()) / count_;
  const u32 rice = mean == 0 ? 0 : static_cast<u32>(std::bit_width(mean)) - 1;
  Run* const run = ::new (&run_[runs_]) Run();
  run->offset = device_->size_bytes();
  RunBlockWriter block;
  u32 at = 0;
  u64 place = run->offset;
  const auto seal = [&] {
    block.seal(device_->place(place).seed);
    place += block_bytes_;
  };
  block.start(half().first(block_bytes_), rice, value_bits_);
  for (const Packed& item : items) {
    if (block.add(item.hash(), item.value)) continue;
    seal();
    at += block_bytes_;
    if (at == half().size()) {
      XMC_TRY(append_half(at));
      at = 0;
    }
    block.start(half().subspan(at, block_bytes_), rice, value_bits_);
    XMC_CHECK(block.add(item.hash(), item.value));
  }
  seal();
  XMC_TRY(append_half(at + block_bytes_));
  run->end = device_->size_bytes();
  ++runs_;
  count_ = 0;
  return {};
}

bool RecordSorter::add_run(u64 begin, u64 end) {
  XMC_CHECK(count_ == 0 && begin < end);
  if (runs_ == run_.size() || (runs_ + 1) * u64{block_bytes_} > merge_memory_.size()) return false;
  Run* const run = ::new (&run_[runs_]) Run();
  run->offset = runs_ == 0 ? begin : run_[runs_ - 1].end;
  run->end = end;
  ++runs_;
  return true;
}

Status RecordSorter::finish() {
  if (runs_ == 0) {
    sort_by_hash(items_.first(static_cast<std::size_t>(count_)));
    while (at_ < count_ && items_[static_cast<std::size_t>(at_)].hash() < skip_below_) ++at_;
    return {};
  }
  if (count_ != 0) XMC_TRY(write_run());
  XMC_TRY(device_->finish_append());
  const u64 share =
      round_down(std::min<u64>(merge_memory_.size() / runs_, kMostBuffer), block_bytes_);
  XMC_CHECK(share != 0);
  for (u32 r = 0; r < runs_; ++r) {
    run_[r].buffer =
        merge_memory_.subspan(static_cast<std::size_t>(share * r), static_cast<std::size_t>(share));
    if (skip_below_ != 0) XMC_TRY(seek(run_[r]));
    while (advance(r) && run_[r].head.hash < skip_below_) {
    }
    XMC_TRY(status_);
  }
  build_tree();
  return {};
}

// To the last block that begins below the hash: a record of it is looked for there.
Status RecordSorter::seek(Run& run) {
  u64 low = 0;
  for (u64 high = (run.end - run.offset) / block_bytes_ - 1; low < high;) {
    const u64 middle = (low + high + 1) / 2;
    const std::span<u8> block = run.buffer.first(block_bytes_);
    const ReadRequest request{run.offset + middle * block_bytes_, block};
    XMC_TRY(device_->read({&request, 1}, Purpose::index));
    RunBlockReader reader;
    u64 first = 0;
    u32 value = 0;
    if (!reader.start(block, device_->place(request.offset).seed, value_bits_) ||
        !reader.next(first, value)) {
      return Status::fail(Code::corrupt, "perfect hash: a sorted run is damaged at byte %llu",
                          wide(request.offset));
    }
    first < skip_below_ ? low = middle : high = middle - 1;
  }
  run.offset += low * block_bytes_;
  return {};
}

bool RecordSorter::refill(Run& run) {
  if (run.at == run.have) {
    if (run.offset == run.end) return false;
    run.have = static_cast<u32>(std::min<u64>(run.buffer.size(), run.end - run.offset));
    run.at = 0;
    const ReadRequest request{run.offset, run.buffer.first(run.have)};
    status_ = device_->read({&request, 1}, Purpose::index);
    if (!status_.ok()) return false;
    run.offset += run.have;
  }
  const u64 seed = device_->place(run.offset - run.have + run.at).seed;
  if (!run.block.start(run.buffer.subspan(run.at, block_bytes_), seed, value_bits_)) {
    status_ = Status::fail(Code::corrupt,
                           "perfect hash: a sorted run is damaged before byte %llu of its file",
                           wide(run.offset));
    return false;
  }
  run.at += block_bytes_;
  return true;
}

bool RecordSorter::advance(u32 r) {
  Run& run = run_[r];
  while (!run.block.next(run.head.hash, run.head.value)) {
    if (!refill(run)) {
      run.ended = true;
      return false;
    }
  }
  return true;
}

// A run that has ended is behind all others.
bool RecordSorter::before(u32 a, u32 b) const {
  if (run_[a].ended || run_[b].ended) return !run_[a].ended;
  return run_[a].head.hash < run_[b].head.hash;
}

// Plays each run from its leaf upwards; the first to come to a match waits there for the other.
void RecordSorter::build_tree() {
  std::fill(losers_.begin(), losers_.end(), kNone);
  for (u32 r = 0; r < runs_; ++r) {
    u32 winner = r;
    u32 node = (r + runs_) / 2;
    for (; node > 0; node /= 2) {
      if (losers_[node] == kNone) {
        losers_[node] = winner;
        break;
      }
      if (before(losers_[node], winner)) std::swap(losers_[node], winner);
    }
    if (node == 0) losers_[0] = winner;
  }
}

bool RecordSorter::next_of_runs(Record& record) {
  u32 winner = losers_[0];
  if (run_[winner].ended) return false;
  record = run_[winner].head;
  if (!advance(winner) && !status_.ok()) return false;
  for (u32 node = (winner + runs_) / 2; node > 0; node /= 2) {
    if (before(losers_[node], winner)) std::swap(losers_[node], winner);
  }
  losers_[0] = winner;
  return true;
}

bool RecordSorter::next_in_memory(Record& record) {
  if (at_ == count_) return false;
  const Packed& item = items_[static_cast<std::size_t>(at_++)];
  record = {item.hash(), item.value};
  return true;
}

}  // namespace xmc::phf
