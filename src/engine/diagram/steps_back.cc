#include "engine/diagram/steps_back.h"

#include <algorithm>

#include "store/keys/sort_keys.h"
#include "store/tiered/sorted_keys.h"

namespace xmc {

namespace {

constexpr u64 kFewBack = 1024;
constexpr u64 kShareBack = 16;

bool before(const Word* key, const Word* other, u32 words) {
  return std::lexicographical_compare(key, key + words, other, other + words);
}

}  // namespace

void StepsBack::end_level() {
  if (!on()) return;
  const u64 bytes = frontier_->memory.aside.size();
  const u64 kept = frontier_->finder->least_aside_bytes();
  room_ = bytes < kept ? 0 : (bytes - kept) / (order_->key_words() * sizeof(Word));
  known_ = true;
  runs_ = 0;
  size_ = 0;
}

Status StepsBack::take(const Word* keys, u32 count, const u64* fresh) {
  if (!on() || count == 0) return {};
  if (!known_) XMC_TRY(read_level());
  const u32 words = order_->key_words();
  for (u32 r = 0; r < runs_; ++r) run_[r].at = run_[r].begin;
  for (u32 i = 0; i < count && on(); ++i, keys += words) {
    const bool is_new = (fresh[i / 64] >> (i % 64) & 1) != 0;
    const bool forward = is_new ? append(keys) : is_new_in_level(keys) || leads_nowhere(keys);
    if (!forward) give_up();
  }
  return {};
}

// The part of the next level that the queue has, as one run.
Status StepsBack::read_level() {
  end_level();
  KeyFile& queue = frontier_->queue;
  const u64 count = queue.keys() - frontier_->at.end;
  if (count == 0) return {};
  // Half of the memory is for sorting.
  if (count > room_ / 2) {
    give_up();
    return {};
  }
  KeyReader reader;
  reader.start(queue, frontier_->memory.scan_buffer);
  XMC_TRY(reader.seek_key(frontier_->at.end));
  XMC_LET(const bool made, read_keys(reader, *order_, static_cast<u32>(count), keys()));
  if (!made) give_up();
  if (!made) return {};
  const u64 length = count * order_->key_words();
  const Word* const sorted =
      sort_keys(keys(), keys() + length, static_cast<u32>(count), order_->key_words());
  if (sorted != keys()) std::copy_n(sorted, length, keys());
  run_[runs_++] = {0, count, 0};
  size_ = count;
  return {};
}

bool StepsBack::append(const Word* key) {
  const u32 words = order_->key_words();
  if (size_ == room_) return false;
  Word* const to = keys() + size_ * words;
  // Those of another batch begin anew.
  if (runs_ == 0 || before(key, to - words, words)) {
    if (runs_ == kRuns) return false;
    run_[runs_++] = {size_, size_, size_};
  }
  ++new_;
  std::copy_n(key, words, to);
  run_[runs_ - 1].end = ++size_;
  return true;
}

// Keys come in their order: each run is walked through once.
bool StepsBack::is_new_in_level(const Word* key) {
  const u32 words = order_->key_words();
  for (u32 r = 0; r < runs_; ++r) {
    Run& run = run_[r];
    const Word* at = keys() + run.at * words;
    for (; run.at < run.end && before(at, key, words); ++run.at) at += words;
    if (run.at < run.end && std::equal(key, key + words, at)) return true;
  }
  return false;
}

// Whether a step to this state cannot be on an accepting cycle. Where many such steps lead back,
// others are going to, and it does not pay to look at all of them.
bool StepsBack::leads_nowhere(const Word* key) {
  if (++back_ > kFewBack + new_ / kShareBack) return false;
  Word state[limits::kStateWords];
  order_->to_state(key, state);
  return frontier_->search.model.cycle_class_of(state) == 0;
}

}  // namespace xmc
