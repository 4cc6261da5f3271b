// ForwardSearch: a search for accepting cycles that carries marks along the edges of an edge file,
// from sources to targets, until nothing changes any more. It is made of passes; between two of
// them, and after a pass that was stopped, a checkpoint may have it (pass_checkpoint.h).
#pragma once

#include <span>

#include "engine/cycles/edges/edge_pass.h"
#include "engine/cycles/edges/pass_checkpoint.h"

namespace xmc {

class ForwardSearch {
 public:
  // The next pass, or the rest of one that was stopped.
  virtual Status pass(EdgeReader& reader, WorkPoll& poll) = 0;
  virtual bool done() const = 0;
  // When it is done: bytes of the memory that it would need; 0: it had enough.
  virtual u64 bytes_needed() const { return 0; }
  // The states that are left, at the beginning of the memory: all accepting cycles are among them,
  // or, if it is known that there is one, one of them is.
  virtual const StateBits& states() const = 0;
  virtual bool has_cycle() const = 0;
  virtual u64 bytes() const = 0;  // of the memory that it uses

  // For a checkpoint; false: it is not worth one yet.
  virtual bool save_place(PassCheckpoint& checkpoint) const = 0;
  // What the file of a checkpoint has.
  virtual std::span<u64> words() const = 0;

  const PassFigures& figures() const { return figures_; }

 protected:
  ~ForwardSearch() = default;

  PassFigures figures_;
};

}  // namespace xmc
