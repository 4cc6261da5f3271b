// The marker of a work directory: which model, and every option that says what is checked and how,
// so that resume needs neither the command line nor the model file of that day.
//
//   marker = "xmc-lite work directory 2" LF line* "checksum " hex LF
//   line   = "run " hex LF | "model " text LF | "hash " hex LF | "layout " ("plain" | "emitted") LF
//          | "memory " hex LF | "work " hex LF
//          | "property " ("ltl" | "hoa" | "never") LF "property-name " text LF
//            "property-hash " hex LF
//          | "option " name " " text LF
//
// Beside it, limits and outputs in a file that each resume may replace (checkpoints are bound to
// the marker, which stays):
//
//   kept   = "xmc-lite options 1" LF "marker " hex LF ("option " name " " text LF)* "checksum " hex
//   LF
//
// "marker" is the checksum of the marker that it belongs to. Files are named from "/".
//
// A text has \\ for a backslash and \n for a line break, and nothing else is changed. The checksum
// is that of all bytes before its line, in pieces of 64, each with the sum so far as its seed: an
// option that changed on the card would be another question with the old answer.
#pragma once

#include <span>
#include <string_view>

#include "cli/options/options.h"
#include "platform/files.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

struct RunMarker {
  u64 run = 0;             // differs from that of every other run; blocks are bound to it
  std::string_view model;  // as the user named it
  u64 model_hash = 0;
  // What is checked, if it is a formula or an automaton: "ltl", "hoa" or "never", the name of its
  // file, and the hash of its text.
  std::string_view property_form;
  std::string_view property_name;
  u64 property_hash = 0;
  // States are laid out as for compiled code, which serves every rule for errors; a run must go on
  // with the layout that it began with.
  bool emitted = false;
  // Bytes that choices counted on which change the states (TextRequest); 0: it is not known.
  u64 memory = 0;
  // StubbornRules::most_work of one choice of steps; 0: it is not known.
  u64 most_work = 0;
  u64 checksum = 0;  // of the whole; checkpoints repeat it
};

// Of a model or property, as a marker has it.
u64 hash_of_text(std::string_view text);

// Whether the file of this name is a marker, of any version, sound or not. One that a power cut
// left empty or cut short is one.
bool is_marker(const char* path);

// Writes the marker with the options that were given. It may be of any length.
Status write_marker(const char* path, RunMarker& marker, const Options& options);

// Takes the text of a marker apart, in place: values are unescaped and end with a zero. `text` has
// room for one more byte behind `size`. Options that the command line did not give are set.
Status read_marker(char* text, u64 size, RunMarker& marker, Options& options);

// Replaces the file of limits and outputs with those of `options`, durably if asked. Code::usage if
// it would be longer than kKeptOptionBytes.
Status write_kept(const char* path, u64 marker_checksum, const Options& options, bool durable);
// Like read_marker.
Status read_kept(char* text, u64 size, u64& marker_checksum, Options& options);

}  // namespace xmc
