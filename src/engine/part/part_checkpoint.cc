// Checkpoints of `part`.
#include <algorithm>

#include "engine/part/part.h"
#include "engine/search/file_names.h"
#include "engine/search/level_checkpoint.h"
#include "store/checkpoint/manifest.h"

namespace xmc {

namespace {

// Where in `pending` the contents are.
constexpr const char* kContentsLine = "contents";

Status damaged_partitions() {
  return Status::fail(Code::corrupt, "the checkpoint's partitions are damaged");
}

}  // namespace

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
  if (keeps_contents_) {
    XMC_TRY(append_contents());
    XMC_TRY(pending.flush());
  }
  return journal.flush();
}

void PartLogs::fill(Contents& contents) const {
  const u32 nodes = tree.nodes();
  tree.save({contents.tests, std::size_t{kTestWords} * nodes});
  for (u32 n = 0; n < nodes; ++n) {
    contents.images[kImageWords * n] = images[n].head;
    contents.images[kImageWords * n + 1] = images[n].states;
    contents.heads[n] = pending.heads()[n];
  }
}

// Those of the checkpoint before stay where they are.
Status PartLogs::append_contents() {
  ChainLog::Chain before;
  XMC_TRY(pending.detach(kContents, before));
  Contents contents;
  fill(contents);
  Word key[limits::kKeyWords] = {};
  for (u32 i = 0; i < kContentWords; ++i) {
    if (contents.words[i] == 0) continue;
    key[0] = i;
    key[1] = contents.words[i];
    XMC_TRY(pending.append(kContents, key));
  }
  return {};
}

void PartLogs::save_checkpoint(Manifest& manifest) {
  manifest.add_file(visited.name(), visited.bytes(), visited.chain());
  manifest.add_file(pending.name(), pending.bytes(), pending.chain());
  save_key_file(manifest, journal);
  manifest.add("candidate-block", pending_shape_.block_bytes);
  const u32 nodes = tree.nodes();
  manifest.add("partitions", nodes);
  if (keeps_contents_) {
    manifest.add(kContentsLine, pending.heads()[kContents]);
    return;
  }
  Contents contents;
  fill(contents);
  const std::size_t test_words = std::size_t{kTestWords} * nodes;
  manifest.add_words("partition-tree", {contents.tests, test_words});
  manifest.add_words("visited-images", {contents.images, std::size_t{kImageWords} * nodes});
  manifest.add_words("pending-heads", {contents.heads, nodes});
}

Status PartLogs::restore_nodes(const Manifest& manifest, u32& nodes) {
  u64 block_bytes = 0;
  XMC_TRY(restore_number(manifest, "candidate-block", block_bytes));
  if (block_bytes != pending_shape_.block_bytes) {
    return Status::fail(Code::corrupt, "the checkpoint has candidates in blocks of %llu bytes",
                        wide(block_bytes));
  }
  u64 count = 0;
  XMC_TRY(restore_number(manifest, "partitions", count));
  if (count > PartitionTree::kMostNodes) return damaged_partitions();
  nodes = static_cast<u32>(count);
  return {};
}

Status PartLogs::reopen_pending(const Manifest& manifest, std::span<const u64> heads) {
  Manifest::File file;
  XMC_TRY(find_file(manifest, kPendingFile, file));
  return pending.reopen(open_.pending, kPendingFile, Purpose::candidates, pending_shape_,
                        write_.pending, pending_block, file.bytes, file.chain, heads);
}

Status PartLogs::read_contents(const Manifest& manifest, u32 nodes, Contents& contents) {
  if (!manifest.has(kContentsLine)) {
    const std::size_t test_words = std::size_t{kTestWords} * nodes;
    XMC_TRY(manifest.words("partition-tree", {contents.tests, test_words}));
    XMC_TRY(manifest.words("visited-images", {contents.images, std::size_t{kImageWords} * nodes}));
    return manifest.words("pending-heads", {contents.heads, nodes});
  }
  u64 heads[kContents + 1] = {};
  XMC_TRY(restore_number(manifest, kContentsLine, heads[kContents]));
  XMC_TRY(reopen_pending(manifest, heads));
  ChainReader reader;
  XMC_TRY(reader.start(pending, pending_block, pending.chain_of(kContents)));
  Word key[limits::kKeyWords];
  for (;;) {
    XMC_LET(const bool more, reader.next(key));
    if (!more) return {};
    if (key[0] >= kContentWords) return damaged_partitions();
    contents.words[key[0]] = key[1];
  }
}

Status PartLogs::restore_checkpoint(const Manifest& manifest) {
  u32 nodes = 0;
  XMC_TRY(restore_nodes(manifest, nodes));
  Contents contents;
  XMC_TRY(read_contents(manifest, nodes, contents));
  if (!tree.restore({contents.tests, std::size_t{kTestWords} * nodes})) {
    return damaged_partitions();
  }
  Manifest::File visited_file;
  XMC_TRY(find_file(manifest, kVisitedFile, visited_file));
  for (u32 n = 0; n < PartitionTree::kMostNodes; ++n) {
    images[n] = {contents.images[kImageWords * n], contents.images[kImageWords * n + 1], 0};
  }
  XMC_TRY(visited.reopen(open_.visited, kVisitedFile, words_, bytes_, write_.visited,
                         visited_file.bytes, visited_file.chain));
  u64 heads[kContents + 1] = {};
  std::copy_n(contents.heads, PartitionTree::kMostNodes, heads);
  XMC_TRY(reopen_pending(manifest, heads));
  return reopen_key_file(manifest, journal, open_.journal, kOriginsFile, Purpose::other, 1,
                         write_.journal);
}

}  // namespace xmc
