// From a model file to everything a run needs of it: the fast Model, the judge that replays traces,
// the tables for people.
#pragma once

#include <string_view>

#include "front/source.h"
#include "xmc/arena.h"
#include "xmc/model.h"
#include "xmc/model_text.h"
#include "xmc/native.h"
#include "xmc/status.h"

namespace xmc {

namespace ir {
struct Program;
}

struct LoadRequest {
  std::string_view file;  // as named by the user, for messages
  std::string_view text;  // the whole text; must stay valid during load_model only
  ErrorRule errors = ErrorRule::report;
  bool ignore_property = false;  // --invariant, --reach and such ignore a property process
  std::string_view property;     // --property NAME, or empty
  std::string_view invariant;    // --invariant EXPR, or empty
  std::string_view reach;        // --reach EXPR, or empty
  const NativeModel* native =
      nullptr;            // emitted code of this very model, or null for the bytecode machine
  bool for_emit = false;  // lower as for emitted code: one layout for every error rule
};

struct LoadedModel {
  Model model;  // what engines expand
  Model judge;  // an independent interpreter of the same program: replays traces
  ModelText text;
  const ir::Program* program = nullptr;
  bool native = false;  // compiled code expands; else the bytecode machine, even in a built checker
  bool has_assertions = false;
  u64 text_hash = 0;
  u32 warnings = 0;
};

// Diagnostics go to the sink as they are found. All permanent memory is carved from the arena,
// scratch is given back.
Status load_model(const LoadRequest& request, Diagnostics::Sink sink, void* sink_self, Arena& arena,
                  LoadedModel& out);

}  // namespace xmc
