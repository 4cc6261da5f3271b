// Checkpoints of `part`.
#include <algorithm>

#include "engine/part/part.h"
#include "engine/search/file_names.h"
#include "engine/search/level_checkpoint.h"

namespace xmc {

namespace {

Status damaged_partitions() {
  return Status::fail(Code::corrupt, "the checkpoint's partitions are damaged");
}

}  // namespace

// Figures are of all owners, at the first one.
struct PartEngine::Said {
  SearchStats figures;
  u64 states = 0;
  SearchOwners::Fields fields;
};

void PartEngine::lines(Lines& io, Said& said) {
  io.version("part", 1);
  io.number("level", activations_);
  if (owners_.on()) {
    owners_.lines(io);
    owners_.field_lines(io, said.fields);
  }
  if (io.reads() || !owners_.on() || owners_.talks()) {
    io.shown("states", said.states);
    xmc::lines(io, said.figures);
  }
  xmc::lines(io, *search_.outcome, {&culprit_, 1});
}

// Between two activations every state is in one of the logs. When nothing but the path of a
// violation is left to be found, that only takes the origins.
Status PartEngine::checkpoint() {
  Checkpointer* const checkpoints = search_.options.checkpoints;
  if (checkpoints == nullptr) return {};
  const PhaseClock::Scope scope(search_.clock, Phase::rest);
  XMC_TRY(logs_.flush());
  search_.note_times(search_.stats());
  Lines io = Lines::into(checkpoints->begin());
  Said said;
  said.figures = search_.stats();
  if (owners_.on()) XMC_TRY(owners_.gather(said.figures));
  said.states = owners_.on() ? said.figures.states : logs_.journal.keys();
  lines(io, said);
  XMC_TRY(logs_.save(io));
  XMC_TRY(io.status());
  return checkpoints->commit();
}

Status PartEngine::restore_checkpoint(const Manifest& manifest) {
  if (search_.options.divide_anew) return divide_anew();
  Lines io = Lines::of(manifest);
  Said said;
  said.figures = search_.stats();
  lines(io, said);
  XMC_TRY(io.status());
  search_.stats() = search_.times_before = said.figures;
  if (owners_.on()) XMC_TRY(owners_.divide_as(said.fields));
  return logs_.restore(io);
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

void PartLogs::lines(Lines& io, Said& said) {
  io.file(kVisitedFile, said.visited);
  io.file(kPendingFile, said.pending);
  io.file(kOriginsFile, said.journal);
  io.number("candidate-block", said.block_bytes);
  io.number("partitions", said.nodes);
  said.filed = io.there("contents", said.filed);
  said.filed ? io.number("contents", said.head) : node_lines(io, said);
}

void PartLogs::node_lines(Lines& io, Said& said) {
  if (said.nodes > PartitionTree::kMostNodes) return io.need(damaged_partitions());
  const std::size_t nodes = said.nodes;
  io.words("partition-tree", {said.contents.tests, kTestWords * nodes});
  io.words("visited-images", {said.contents.images, kImageWords * nodes});
  io.words("pending-heads", {said.contents.heads, nodes});
}

Status PartLogs::save(Lines& io) {
  Said said;
  said.visited = mark_of(visited);
  said.pending = mark_of(pending);
  said.journal = mark_of(journal);
  said.block_bytes = pending_shape_.block_bytes;
  said.nodes = tree.nodes();
  said.filed = keeps_contents_;
  keeps_contents_ ? static_cast<void>(said.head = pending.heads()[kContents]) : fill(said.contents);
  lines(io, said);
  return io.status();
}

Status PartLogs::reopen_pending(const FileMark& mark, std::span<const u64> heads) {
  return pending.reopen(open_.pending, kPendingFile, Purpose::candidates, pending_shape_,
                        write_.pending, pending_block, mark.bytes, mark.chain, heads);
}

Status PartLogs::read_contents(Said& said) {
  u64 heads[kContents + 1] = {};
  heads[kContents] = said.head;
  XMC_TRY(reopen_pending(said.pending, heads));
  ChainReader reader;
  XMC_TRY(reader.start(pending, pending_block, pending.chain_of(kContents)));
  Word key[limits::kKeyWords];
  for (;;) {
    XMC_LET(const bool more, reader.next(key));
    if (!more) return {};
    if (key[0] >= kContentWords) return damaged_partitions();
    said.contents.words[key[0]] = key[1];
  }
}

Status PartLogs::restore(Lines& io) {
  Said said;
  lines(io, said);
  XMC_TRY(io.status());
  if (said.block_bytes != pending_shape_.block_bytes) {
    return Status::fail(Code::corrupt, "the checkpoint has candidates in blocks of %llu bytes",
                        wide(said.block_bytes));
  }
  if (said.nodes > PartitionTree::kMostNodes) return damaged_partitions();
  if (said.filed) XMC_TRY(read_contents(said));
  const Contents& contents = said.contents;
  if (!tree.restore({contents.tests, std::size_t{kTestWords} * said.nodes})) {
    return damaged_partitions();
  }
  for (u32 n = 0; n < PartitionTree::kMostNodes; ++n) {
    images[n] = {contents.images[kImageWords * n], contents.images[kImageWords * n + 1], 0};
  }
  XMC_TRY(visited.reopen(open_.visited, kVisitedFile, words_, bytes_, write_.visited,
                         said.visited.bytes, said.visited.chain));
  u64 heads[kContents + 1] = {};
  std::copy_n(contents.heads, PartitionTree::kMostNodes, heads);
  XMC_TRY(reopen_pending(said.pending, heads));
  return reopen_key_file(said.journal, journal, open_.journal, kOriginsFile, Purpose::other, 1,
                         write_.journal);
}

}  // namespace xmc
