// OldPart: what one owner of `part` has left at a checkpoint, read by one who divides the states
// anew. The files stay as they are.
#pragma once

#include <span>

#include "engine/part/part_logs.h"
#include "xmc/engine.h"

namespace xmc {

class OldPart {
 public:
  // The memory is its own until close(), which has to follow, whatever this says.
  Status open(const OwnerPart& part, const Model& model, const SearchOptions& options,
              std::span<u8> memory);
  void close();

  u64 origins() const { return logs_->journal.keys(); }
  // Each one in turn; false: there are no more.
  Result<bool> next_origin(Word* origin);
  Result<bool> next_visited(Word* state);
  // With its origin.
  Result<bool> next_candidate(Word* key);

 private:
  PartLogs* logs_ = nullptr;
  KeyReader origins_;
  ImageReader images_;
  ImageLog::Block block_;
  u32 in_block_ = 0;  // states of it that were given
  u32 image_ = 0;     // partitions whose images were begun
  ChainReader candidates_;
  u32 chain_ = 0;  // and whose candidates were
};

}  // namespace xmc
