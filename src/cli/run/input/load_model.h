// From a model file to everything a run needs of it: the fast Model, the judge that replays traces,
// the tables for people.
#pragma once

#include <string_view>

#include "cli/run/input/property_text.h"
#include "lang/language.h"
#include "xmc/arena.h"
#include "xmc/model.h"
#include "xmc/model_text.h"
#include "xmc/native.h"
#include "xmc/status.h"

namespace xmc {

struct LoadRequest : TextRequest {
  const Language* language = nullptr;  // of the text
  PropertyText elsewhere;              // what `automaton` is made of here
  ErrorRule errors = ErrorRule::report;
  // Emitted code of this very model, or null for the bytecode machine.
  const NativeModel* native = nullptr;
  bool partial = false;   // Model::partial is wanted
  bool for_emit = false;  // lower as for emitted code: one layout for every error rule
  bool reduced = false;   // unless the run may leave something out
};

struct LoadedModel : LoweredText {
  Model model;          // what engines expand
  Model judge;          // an independent interpreter of the text as written: replays traces
  Model twin;           // one of the program that `model` executes: to compare with
  StateMap map;         // from the judge's states to those of `model`
  bool native = false;  // compiled code expands; else the bytecode machine, even in a built checker
  bool fair = false;    // accepting cycles are weakly fair: asked for, and there can be some
  u64 text_hash = 0;
  const char* title = "";  // of its language: the table of languages is cold behind the seal
  PropertyText elsewhere;  // that of the request
};

// Diagnostics go to the sink as they are found. All permanent memory is carved from the arena,
// scratch is given back.
Status load_model(const LoadRequest& request, Diagnostics::Sink sink, void* sink_self, Arena& arena,
                  LoadedModel& out);

}  // namespace xmc
