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
  const PhaseClock::Scope scope(search_.clock, Phase::rest);
  XMC_TRY(visited_.flush());
  XMC_TRY(pending_.flush());
  Manifest& manifest = checkpoints->begin();
  manifest.add("level", activations_);
  manifest.add("states", visited_.keys());
  search_.note_times(search_.stats());
  save_stats(manifest, search_.stats());
  if (search_.outcome->violation != Violation::none) {
    save_violation(manifest, *search_.outcome, {&culprit_, 1});
  }
  for (const ChainLog* log : {&visited_, &pending_}) {
    manifest.add_file(log->name(), log->bytes(), log->chain());
  }
  manifest.add("partition-block", shape_.block_bytes);
  manifest.add_words("visited-heads", visited_.heads());
  manifest.add_words("pending-heads", pending_.heads());
  return checkpoints->commit();
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
  search_.times_before = search_.stats();
  XMC_TRY(restore_violation(manifest, *search_.outcome, {&culprit_, 1}));
  Manifest::File visited;
  Manifest::File pending;
  XMC_TRY(find_file(manifest, kVisitedFile, visited));
  XMC_TRY(find_file(manifest, kPendingFile, pending));
  u64 heads[kPartitions];
  XMC_TRY(manifest.words("visited-heads", heads));
  XMC_TRY(visited_.reopen(visited_device_, kVisitedFile, Purpose::states, shape_, visited_buffer_,
                          read_buffer_, visited.bytes, visited.chain, heads));
  XMC_TRY(manifest.words("pending-heads", heads));
  XMC_TRY(pending_.reopen(pending_device_, kPendingFile, Purpose::candidates, shape_,
                          pending_buffer_, read_buffer_, pending.bytes, pending.chain, heads));
  return restore_number(manifest, "level", activations_);
}

// A visited state by its number: backwards through its partition to the block that has it.
Status PartEngine::read_state(u64 number, Word* key) {
  const u32 partition = static_cast<u32>(number >> kNumberBits);
  const u64 place = number & ((u64{1} << kNumberBits) - 1);
  XMC_TRY(visited_.close_block(partition));
  KeyBlockHeader header;
  for (u64 block = visited_.chain_of(partition).head; block != 0; block = header.first_level) {
    XMC_TRY(visited_.read_block(block - 1, read_buffer_, header));
    if (header.first_key > place) continue;
    KeyBlockReader keys;
    keys.start(read_buffer_, shape_.key_words, header);
    while (keys.next(key)) {
      if (keys.number() == place) return {};
    }
  }
  return Status::fail(Code::internal, "a predecessor is not in the log");
}

Status PartEngine::find_path() {
  SearchOutcome& outcome = *search_.outcome;
  const u32 words = search_.model.state_words;
  Word key[kKeyWords];
  const u64 room = region_.size() / (words * sizeof(Word));
  visited_.set_purpose(Purpose::trace);
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
