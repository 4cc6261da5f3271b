// Whether the loop of a trace is weakly fair, by the definition: each process moves in one of its
// steps, or has no step in one of its states. Neither the counter of exec/fair nor its table of
// movers is asked: a mistake there must not be shown as a counterexample.
#pragma once

#include <span>

#include "trace/replay.h"
#include "xmc/arena.h"
#include "xmc/model_text.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class FairCycle {
 public:
  // `property` is the process of the text that is the automaton.
  void plan(const ModelText& text, u32 property, Arena& arena);
  // Walks a trace that the replay has confirmed. Code::internal with the process that it treats
  // unfairly; a trace without a loop is none of this.
  Status confirm(Replay& replay, const StepChooser& chooser, const TraceClaim& claim);

 private:
  void note_movers(u32 label, std::span<u8> moved) const;
  void note_state(Replay& replay);

  const ModelText* text_ = nullptr;
  u32 property_ = kNone;
  std::span<u8> met_;      // by process: it was disabled, or moved
  std::span<u8> enabled_;  // in the present state
};

}  // namespace xmc
