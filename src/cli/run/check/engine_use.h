// Which engine a check uses, and whether that can do what is asked.
#pragma once

#include "cli/run/budget.h"
#include "cli/run/input/load_model.h"
#include "cli/run/session.h"
#include "xmc/engine.h"

namespace xmc {

struct EngineUse {
  Engine* engine = nullptr;
  const char* why = "";      // it is this one
  bool automatic = false;    // chosen by us, so ours to change
  bool only_states = false;  // but not to sets of states

  const EngineTraits& traits() const { return engine->traits(); }
};

// The one that --engine names; `auto` chooses when the model is known.
Status find_engine_of(const Options& options, EngineUse& use);
// What `auto` takes for this model; `files`: they can be kept.
EngineUse chosen_for(const EngineUse& use, const Model& model, bool files);
// Where the engine of `auto` does not fit: one that does, perhaps. Then the report says what its
// files would have wanted.
Status take_smaller_engine(Session& session, Budget& budget, const LoadedModel& model,
                           const SearchOptions& search, bool steps_left_out, EngineUse& use);
// Whether what it finds is the shortest, if that is asked for. The engine may change when there is
// no place for files, or little memory.
Status check_minimal(const Options& options, const Engine& engine, const LoadedModel& model,
                     bool steps_left_out);

}  // namespace xmc
