// A saved trace with the model it belongs to: what `trace` and `simulate --script` need to walk it
// again.
#pragma once

#include "cli/run/input/model_input.h"
#include "cli/run/session.h"
#include "trace/saved.h"

namespace xmc {

// Reads a whole file into scratch that is kept.
Status read_text_file(const char* path, Arena& arena, std::string_view& out);

// Of a text that a run or a trace was saved with under this name. Where that has no suffix of a
// language, only a checker's name or --lang told it then: it is taken for the first of the table.
const Language* saved_language(std::string_view file);

// The request for the model as it was when the trace was saved.
LoadRequest request_of(const SavedTrace& trace, const ModelInput& input, const NativeModel* native);

// A trace of another model is refused.
Status check_same_model(const SavedTrace& trace, const LoadedModel& model);

}  // namespace xmc
