// Checkpoints and counterexamples of `part`.
#include <algorithm>

#include "engine/level_checkpoint.h"
#include "engine/part.h"
#include "store/manifest.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u32 kNumberBits = 48;

}  // namespace

// Between two activations, or after leave(): every state is in one of the logs.
Status PartEngine::checkpoint() {
  Checkpointer* const checkpoints = search_.options.checkpoints;
  if (checkpoints == nullptr) return {};
  XMC_TRY(visited_.flush());
  XMC_TRY(pending_.flush());
  Manifest& manifest = checkpoints->begin();
  manifest.add("level", activations_);
  manifest.add("states", visited_.keys());
  save_stats(manifest, search_.stats());
  if (search_.outcome->violation != Violation::none) {
    save_violation(manifest, *search_.outcome, {&culprit_, 1});
  }
  for (const PartitionLog* log : {&visited_, &pending_}) {
    manifest.add_file(log->name(), log->bytes(), log->chain());
  }
  const u64 used_up = *std::min_element(consumed_stripe_, consumed_stripe_ + kPartitions);
  manifest.add_start(kPendingFile, std::min(used_up * shape_.stripe_bytes(), pending_.bytes()));
  manifest.add("partition-block", shape_.block_bytes);
  manifest.add_words("consumed", {consumed_, kPartitions});
  manifest.add_words("consumed-stripe", {consumed_stripe_, kPartitions});
  XMC_TRY(checkpoints->commit());
  // The older of the two roots may still be wanted, so only what it does not need goes.
  safe_stripe_ = committed_stripe_;
  committed_stripe_ = used_up;
  return {};
}

Status PartEngine::restore(const Manifest& manifest) {
  u64 block_bytes = 0;
  XMC_TRY(restore_number(manifest, "partition-block", block_bytes));
  if (block_bytes != shape_.block_bytes) {
    return Status::fail(Code::budget,
                        "the partitions of this run have blocks of %llu bytes, and this --ram "
                        "wants %u; resume with the --ram it had",
                        static_cast<unsigned long long>(block_bytes), shape_.block_bytes);
  }
  XMC_TRY(restore_stats(manifest, search_.stats()));
  XMC_TRY(restore_violation(manifest, *search_.outcome, {&culprit_, 1}));
  Manifest::File visited;
  Manifest::File pending;
  XMC_TRY(find_file(manifest, kVisitedFile, visited));
  XMC_TRY(find_file(manifest, kPendingFile, pending));
  XMC_TRY(visited_.reopen(visited_device_, kVisitedFile, Purpose::states, shape_, visited_buffer_,
                          visited.bytes, visited.chain));
  XMC_TRY(pending_.reopen(pending_device_, kPendingFile, Purpose::candidates, shape_,
                          pending_buffer_, pending.bytes, pending.chain));
  XMC_TRY(manifest.words("consumed", {consumed_, kPartitions}));
  XMC_TRY(manifest.words("consumed-stripe", {consumed_stripe_, kPartitions}));
  return restore_number(manifest, "level", activations_);
}

// Pending stripes that all partitions have used up, and no checkpoint wants.
Status PartEngine::give_back_space() {
  if (search_.options.checkpoints == nullptr) {
    safe_stripe_ = *std::min_element(consumed_stripe_, consumed_stripe_ + kPartitions);
  }
  const u64 end = std::min(safe_stripe_, pending_.stripes());
  if (end <= freed_stripe_) return {};
  const u64 bytes = shape_.stripe_bytes();
  XMC_TRY(pending_device_->discard(freed_stripe_ * bytes, (end - freed_stripe_) * bytes));
  freed_stripe_ = end;
  return {};
}

// A visited state by its number: its block by a binary search over the stripes.
Status PartEngine::read_state(u64 number, Word* key) {
  const u32 partition = static_cast<u32>(number >> kNumberBits);
  const u64 place = number & ((u64{1} << kNumberBits) - 1);
  u64 low = 0;
  u64 high = visited_.stripes() + 1;
  KeyBlockHeader header;
  while (low + 1 < high) {
    const u64 middle = (low + high) / 2;
    XMC_TRY(visited_.read_block(partition, middle, read_buffer_, header));
    // The stripe in memory may have nothing of this partition.
    const bool before = header.first_key <= place && (header.keys > 0 || header.first_key > 0);
    (before ? low : high) = middle;
  }
  reader_.start(visited_, read_buffer_);
  reader_.seek(partition, partition + 1, low);
  do {
    const Result<bool> more = reader_.next(key);
    if (!more.ok()) return more.status();
    if (!more.value()) return Status::fail(Code::internal, "a predecessor is not in the log");
  } while (reader_.number() != place);
  return {};
}

Status PartEngine::find_path() {
  SearchOutcome& outcome = *search_.outcome;
  const u32 words = search_.model.state_words;
  Word key[kKeyWords];
  const u64 room = region_.size() / (words * sizeof(Word));
  u64 steps = 0;
  for (u64 number = culprit_;; ++steps) {
    XMC_TRY(read_state(number, key));
    if (steps + 1 > room) {
      return Status::fail(Code::budget,
                          "a violation was found, but its path of more than %llu steps does not "
                          "fit the memory; use a larger --ram",
                          static_cast<unsigned long long>(steps));
    }
    std::copy_n(key, words, reinterpret_cast<Word*>(region_.data()) + steps * words);
    number = key[words];
    if (number == kNoState) break;
  }
  // It was collected backwards.
  path_ = reinterpret_cast<Word*>(region_.data());
  for (u64 i = 0; i < steps - i; ++i) {
    std::swap_ranges(path_ + i * words, path_ + (i + 1) * words, path_ + (steps - i) * words);
  }
  outcome.prefix_steps = steps;
  outcome.minimal = false;
  return {};
}

void PartEngine::path_state(u64 i, Word* out) {
  std::copy_n(path_ + i * search_.model.state_words, search_.model.state_words, out);
}

}  // namespace xmc
