// Checkpoints of `part`.
#include "engine/part/part.h"
#include "engine/search/file_names.h"
#include "engine/search/level_checkpoint.h"
#include "store/checkpoint/manifest.h"

namespace xmc {

// Between two activations every state is in one of the logs. When nothing but the path of a
// violation is left to be found, that only takes the origins.
Status PartEngine::checkpoint() {
  Checkpointer* const checkpoints = search_.options.checkpoints;
  if (checkpoints == nullptr) return {};
  const PhaseClock::Scope scope(search_.clock, Phase::rest);
  XMC_TRY(logs_.flush());
  XMC_TRY(save_checkpoint(checkpoints->begin()));
  return checkpoints->commit();
}

// Of several owners, the first one has the figures of all.
Status PartEngine::save_checkpoint(Manifest& manifest) {
  manifest.add("level", activations_);
  search_.note_times(search_.stats());
  SearchStats figures = search_.stats();
  if (owners_.on()) XMC_TRY(owners_.save(manifest, figures));
  if (!owners_.on() || owners_.talks()) {
    manifest.add("states", owners_.on() ? figures.states : logs_.journal.keys());
    save_stats(manifest, figures);
  }
  if (search_.outcome->violation != Violation::none) {
    save_violation(manifest, *search_.outcome, {&culprit_, 1});
  }
  logs_.save_checkpoint(manifest);
  return {};
}

Status PartEngine::restore_checkpoint(const Manifest& manifest) {
  if (search_.options.divide_anew) return divide_anew();
  XMC_TRY(restore_stats(manifest, search_.stats()));
  search_.times_before = search_.stats();
  XMC_TRY(restore_violation(manifest, *search_.outcome, {&culprit_, 1}));
  if (owners_.on()) XMC_TRY(owners_.restore_fields(manifest));
  XMC_TRY(logs_.restore_checkpoint(manifest));
  return restore_number(manifest, "level", activations_);
}

Status PartLogs::flush() {
  XMC_TRY(visited.flush());
  XMC_TRY(pending.flush());
  return journal.flush();
}

void PartLogs::save_checkpoint(Manifest& manifest) {
  manifest.add_file(visited.name(), visited.bytes(), visited.chain());
  manifest.add_file(pending.name(), pending.bytes(), pending.chain());
  save_key_file(manifest, journal);
  manifest.add("candidate-block", pending_shape_.block_bytes);
  const u32 nodes = tree.nodes();
  u64 tests[PartitionTree::kNodeWords * PartitionTree::kMostNodes];
  tree.save(tests);
  manifest.add("partitions", nodes);
  manifest.add_words("partition-tree", {tests, std::size_t{PartitionTree::kNodeWords} * nodes});
  u64 chains[2 * PartitionTree::kMostNodes];
  for (u32 n = 0; n < nodes; ++n) {
    chains[2 * n] = images[n].head;
    chains[2 * n + 1] = images[n].states;
  }
  manifest.add_words("visited-images", {chains, std::size_t{2} * nodes});
  manifest.add_words("pending-heads", pending.heads().first(nodes));
}

Status PartLogs::restore_tree(const Manifest& manifest, u32& nodes) {
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
  u64 tests[PartitionTree::kNodeWords * PartitionTree::kMostNodes];
  const std::span<u64> words(tests, std::size_t{PartitionTree::kNodeWords} * nodes);
  XMC_TRY(manifest.words("partition-tree", words));
  const bool sound = tree.restore(words);
  return sound ? Status() : damaged;
}

Status PartLogs::restore_checkpoint(const Manifest& manifest) {
  u32 nodes = 0;
  XMC_TRY(restore_tree(manifest, nodes));
  Manifest::File visited_file;
  Manifest::File pending_file;
  XMC_TRY(find_file(manifest, kVisitedFile, visited_file));
  XMC_TRY(find_file(manifest, kPendingFile, pending_file));
  u64 chains[2 * PartitionTree::kMostNodes] = {};
  XMC_TRY(manifest.words("visited-images", {chains, std::size_t{2} * nodes}));
  for (u32 n = 0; n < PartitionTree::kMostNodes; ++n) {
    images[n] = {chains[2 * n], chains[2 * n + 1], 0};
  }
  XMC_TRY(visited.reopen(open_.visited, kVisitedFile, words_, bytes_, write_.visited,
                         visited_file.bytes, visited_file.chain));
  u64 heads[PartitionTree::kMostNodes] = {};
  XMC_TRY(manifest.words("pending-heads", {heads, nodes}));
  XMC_TRY(pending.reopen(open_.pending, kPendingFile, Purpose::candidates, pending_shape_,
                         write_.pending, pending_block, pending_file.bytes, pending_file.chain,
                         heads));
  return reopen_key_file(manifest, journal, open_.journal, kOriginsFile, Purpose::other, 1,
                         write_.journal);
}

}  // namespace xmc
