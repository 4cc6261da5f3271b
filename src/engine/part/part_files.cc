// Checkpoints and counterexamples of `part`.
#include <algorithm>

#include "engine/part/part.h"
#include "engine/search/level_checkpoint.h"
#include "store/checkpoint/manifest.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kSeeksPerPoll = 64;

}  // namespace

// Between two activations every state is in one of the logs. When nothing but the path of a
// violation is left to be found, that only takes the origins.
Status PartEngine::checkpoint() {
  Checkpointer* const checkpoints = search_.options.checkpoints;
  if (checkpoints == nullptr) return {};
  const PhaseClock::Scope scope(search_.clock, Phase::rest);
  XMC_TRY(visited_.flush());
  XMC_TRY(pending_.flush());
  XMC_TRY(journal_.flush());
  Manifest& manifest = checkpoints->begin();
  manifest.add("level", activations_);
  manifest.add("states", journal_.keys());
  search_.note_times(search_.stats());
  save_stats(manifest, search_.stats());
  if (search_.outcome->violation != Violation::none) {
    save_violation(manifest, *search_.outcome, {&culprit_, 1});
  }
  manifest.add_file(visited_.name(), visited_.bytes(), visited_.chain());
  manifest.add_file(pending_.name(), pending_.bytes(), pending_.chain());
  save_key_file(manifest, journal_);
  manifest.add("candidate-block", pending_shape_.block_bytes);
  const u32 nodes = tree_.nodes();
  u64 tree[PartitionTree::kNodeWords * PartitionTree::kMostNodes];
  tree_.save(tree);
  manifest.add("partitions", nodes);
  manifest.add_words("partition-tree", {tree, std::size_t{PartitionTree::kNodeWords} * nodes});
  u64 images[2 * PartitionTree::kMostNodes];
  for (u32 n = 0; n < nodes; ++n) {
    images[2 * n] = images_[n].head;
    images[2 * n + 1] = images_[n].states;
  }
  manifest.add_words("visited-images", {images, std::size_t{2} * nodes});
  manifest.add_words("pending-heads", pending_.heads().first(nodes));
  return checkpoints->commit();
}

Status PartEngine::restore_tree(const Manifest& manifest, u32& nodes) {
  u64 block_bytes = 0;
  XMC_TRY(restore_number(manifest, "candidate-block", block_bytes));
  if (block_bytes != pending_shape_.block_bytes) {
    return Status::fail(Code::corrupt, "the checkpoint has candidates in blocks of %llu bytes",
                        static_cast<unsigned long long>(block_bytes));
  }
  u64 count = 0;
  XMC_TRY(restore_number(manifest, "partitions", count));
  const Status damaged = Status::fail(Code::corrupt, "the checkpoint's partitions are damaged");
  if (count > PartitionTree::kMostNodes) return damaged;
  nodes = static_cast<u32>(count);
  u64 tree[PartitionTree::kNodeWords * PartitionTree::kMostNodes];
  const std::span<u64> words(tree, std::size_t{PartitionTree::kNodeWords} * nodes);
  XMC_TRY(manifest.words("partition-tree", words));
  const bool sound = tree_.restore(words);
  return sound ? Status() : damaged;
}

Status PartEngine::restore(const Manifest& manifest) {
  u32 nodes = 0;
  XMC_TRY(restore_tree(manifest, nodes));
  XMC_TRY(restore_stats(manifest, search_.stats()));
  search_.times_before = search_.stats();
  XMC_TRY(restore_violation(manifest, *search_.outcome, {&culprit_, 1}));
  const Model& model = search_.model;
  Manifest::File visited;
  Manifest::File pending;
  XMC_TRY(find_file(manifest, kVisitedFile, visited));
  XMC_TRY(find_file(manifest, kPendingFile, pending));
  u64 images[2 * PartitionTree::kMostNodes] = {};
  XMC_TRY(manifest.words("visited-images", {images, std::size_t{2} * nodes}));
  for (u32 n = 0; n < PartitionTree::kMostNodes; ++n) {
    images_[n] = {images[2 * n], images[2 * n + 1], 0};
  }
  XMC_TRY(visited_.reopen(visited_device_, kVisitedFile, model.state_words,
                          std::max(model.state_bytes, 1u), visited_buffer_, visited.bytes,
                          visited.chain));
  u64 heads[PartitionTree::kMostNodes] = {};
  XMC_TRY(manifest.words("pending-heads", {heads, nodes}));
  XMC_TRY(pending_.reopen(pending_device_, kPendingFile, Purpose::candidates, pending_shape_,
                          pending_buffer_, pending_block_, pending.bytes, pending.chain, heads));
  XMC_TRY(reopen_key_file(manifest, journal_, journal_device_, kOriginsFile, Purpose::other, 1,
                          journal_buffer_));
  return restore_number(manifest, "level", activations_);
}

// The steps of the path from its end to its beginning: which successor each state is. A state comes
// before those that it leads to, so the file is read backwards.
Status PartEngine::read_origins(u64* steps, u64 room, u64& count) {
  KeyReader reader;
  journal_.set_purpose(Purpose::trace);
  reader.start(journal_, visited_block_.first(KeyFile::kSlotBytes));  // nothing ahead: backwards
  for (u64 number = culprit_; number != kNoState;) {
    XMC_TRY(reader.seek_key_back(number));
    Word origin = 0;
    XMC_LET(const bool there, reader.next(&origin));
    XMC_CHECK(there);
    if (count == room) {
      return Status::fail(Code::budget,
                          "a violation was found, but its path of more than %llu steps does not "
                          "fit the memory; use a larger --ram",
                          static_cast<unsigned long long>(count));
    }
    steps[count++] = origin & ((u64{1} << kStepBits) - 1);
    number = origin >> kStepBits;
    // Each may have been in another slot of the file.
    if (count % kSeeksPerPoll == 0) XMC_TRY(poll());
  }
  return {};
}

// Backwards through the origins, then forwards from the initial state.
Status PartEngine::find_path() {
  SearchOutcome& outcome = *search_.outcome;
  const Model& model = search_.model;
  const u32 words = model.state_words;
  path_ = reinterpret_cast<Word*>(region_.data());
  const u64 room = region_.size() / ((words + 1) * sizeof(Word));
  u64* const steps = path_ + room * words;
  u64 count = 0;
  XMC_TRY(read_origins(steps, room, count));
  SuccessorBuffer out;
  out.states = search_.buffer;
  out.capacity = search_.buffer_states;
  u32 successors = model.initial(model.self, out);
  for (u64 i = 0; i < count; ++i) {
    const u64 step = steps[count - 1 - i];
    XMC_CHECK(step < successors);
    Word* const state = path_ + i * words;
    std::copy_n(search_.buffer_at(static_cast<u32>(step)), words, state);
    if (i + 1 < count) successors = model.expand(model.self, state, out).count;
    if (search_.is_time()) XMC_TRY(poll());
  }
  outcome.prefix_steps = count - 1;
  outcome.minimal = false;
  return {};
}

void PartEngine::path_state(u64 i, Word* out) {
  std::copy_n(path_ + i * search_.model.state_words, search_.model.state_words, out);
}

}  // namespace xmc
