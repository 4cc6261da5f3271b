// From the command line to a loaded model: find the text, know its language, ask load_model for the
// right thing, and say in words what is checked.
#pragma once

#include "cli/run/input/load_model.h"
#include "cli/run/session.h"
#include "xmc/arena.h"
#include "xmc/engine.h"
#include "xmc/go_on.h"

namespace xmc {

struct ModelInput {
  std::string_view file;               // as named by the user, or the name inside a built checker
  std::string_view text;               // in scratch, until release()
  const Language* language = nullptr;  // of read_model()
  PropertyText property;               // of read_model(): --ltl, --hoa, --never
  u64 scratch_mark = 0;

  void release(Arena& arena) const { arena.scratch_release(scratch_mark); }
};

// By --lang, or by the suffix of the file.
Status find_language(const Options& options, std::string_view file, const Language*& out);

// Reads the model that the options name, or takes the one inside a built checker. A file that
// cannot be opened is a usage error; trouble while reading it is an I/O error.
Status read_model(Session& session, Arena& arena, ModelInput& out);
// The same for a file by name, without a look at its suffix. A pipe is read to its end; while that
// takes time `go_on` is asked.
Status read_model_file(const char* path, Arena& arena, ModelInput& out, const GoOn& go_on = {});

// Adds to a text what it includes and what the options define, if its language has such things.
Status gather_model(const Options& options, Arena& arena, ModelInput& input);

// Adds what --ltl, --hoa and --never say to a model that was read, to stay: traces are saved with
// it. Without any choice of what to check, a built checker has the one that it was built with.
Status read_property(Session& session, Arena& arena, ModelInput& out);

// The request that the options and the input make; subcommands without such options get the model
// as it is.
LoadRequest request_of(const Session& session, const ModelInput& input);

// load_model with the diagnostics on standard error and the report filled in.
Status load(Session& session, const LoadRequest& request, Arena& arena, LoadedModel& out);

ErrorRule error_rule(std::string_view name);

// What a run of check looks for.
struct Goal {
  std::string_view kind;  // of the JSON property object
  std::string_view text;
  DeadlockRule deadlock = DeadlockRule::stuck;
};
Goal goal_of(const Options& options, const LoadedModel& model);

}  // namespace xmc
