#include "engine/part/old_part.h"

#include <new>

#include "xmc/arena.h"

namespace xmc {

// In the old owner's way, with as much memory as that needs at least.
Status OldPart::open(const OwnerPart& part, const Model& model, const SearchOptions& options,
                     std::span<u8> memory) {
  *this = OldPart();
  SearchOptions old = options;
  old.folder = part.folder;
  old.resume = part.lines;
  old.divide_anew = false;
  const u64 least = sizeof(PartLogs) + PartLogs::least_bytes(old) + KeyFile::kSlotBytes;
  if (memory.size() < least + 4 * kPageBytes) {
    return Status::fail(Code::budget,
                        "the states of this run cannot be divided anew in this memory; use a "
                        "larger --ram");
  }
  Arena arena(memory.first(static_cast<std::size_t>(least + 4 * kPageBytes)));
  logs_ = ::new (arena.carve("owners", sizeof(PartLogs), alignof(PartLogs))) PartLogs;
  const std::span<u8> buffer = arena.carve_array<u8>("owners", KeyFile::kSlotBytes, kPageBytes);
  logs_->plan(model, old, arena);
  XMC_TRY(logs_->open(old));
  Lines io = Lines::of(*part.lines);
  XMC_TRY(logs_->restore(io));
  origins_.start(logs_->journal, buffer);
  return images_.start(logs_->visited, logs_->visited_block, {});
}

void OldPart::close() {
  if (logs_ != nullptr) logs_->close();
  logs_ = nullptr;
}

Result<bool> OldPart::next_origin(Word* origin) { return origins_.next(origin); }

Result<bool> OldPart::next_visited(Word* state) {
  while (in_block_ == block_.states) {
    in_block_ = block_.states = 0;
    XMC_LET(const bool more, images_.next(block_));
    if (more) continue;
    if (image_ == logs_->tree.nodes()) return false;
    const std::span<const u64> head(&logs_->images[image_++].head, 1);
    XMC_TRY(images_.start(logs_->visited, logs_->visited_block, head));
  }
  logs_->unpack(block_, in_block_++, state);
  return true;
}

Result<bool> OldPart::next_candidate(Word* key) {
  while (true) {
    if (chain_ != 0) {
      XMC_LET(const bool more, candidates_.next(key));
      if (more) return true;
    }
    if (chain_ == logs_->tree.nodes()) return false;
    XMC_TRY(logs_->pending.take(chain_++, candidates_, logs_->pending_block));
  }
}

}  // namespace xmc
