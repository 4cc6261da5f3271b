// What a command is asked to write, looked at before it does anything: an output is none of its
// inputs, no other output, no file of a work directory, and can be written.
#pragma once

#include "cli/run/session.h"
#include "xmc/status.h"

namespace xmc {

// Code::usage when two names are one file, Code::io when one cannot be written; nothing is changed.
// A refused --json is not written at the end, either. May be called again when more options are
// known.
Status check_outputs(Session& session);

// The same for one output and one file that became known later.
Status check_not_same(const char* option, const char* output, const char* input);

// Whether a result may be written here although the command line is wrong, so that nobody knows
// what was meant: a new file, a stream, or an earlier result.
bool is_place_of_result(const char* path);

}  // namespace xmc
