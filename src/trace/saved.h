// A saved trace: a small text file from which the judge can walk the trace again, on any machine.
//
//     xmc-lite trace 1
//     model peterson.4.dve          name, for people and to find the text again
//     hash 0123456789abcdef         of the model text
//     errors report                 the options that decide what a step is
//     deadlock stuck
//     property X                    or invariant EXPR, reach EXPR, ltl FORMULA; hoa N or never N
//                                   with N lines of text behind it; none if none was given
//     cycles on                     their bad prefixes are accepting cycles; else it is not there
//     fairness weak                 the loop is fair to every process; else it is not there
//     dialect rumur                 of Murphi; else it is not there
//     violation deadlock            none, deadlock, predicate N, model-error LABEL, accepting-cycle
//     loop -                        number of the state that the last one repeats
//     initial 0                     which initial state
//     steps 3                       then one label per line; "7 1" is the second of two successors
//                                   with label 7
//     4
//     7
//     4
#pragma once

#include <string_view>

#include "report/output.h"
#include "trace/trace_view.h"
#include "xmc/status.h"

namespace xmc {

struct SavedTrace {
  std::string_view model_file;
  u64 model_hash = 0;
  std::string_view errors = "report";
  std::string_view deadlock = "stuck";  // stuck, stuttering or off
  std::string_view property;
  std::string_view invariant;
  std::string_view reach;
  bool as_cycles = false;  // of one of these: TextRequest::as_cycles
  bool fair = false;       // TextRequest::fair
  bool rumur = false;      // TextRequest::rumur
  std::string_view ltl;    // a formula
  std::string_view hoa;    // texts of automata
  std::string_view never;
  TraceClaim claim;
  u32 initial = 0;
  std::string_view steps;  // the lines after the head
};

bool looks_like_saved_trace(std::string_view text);

// The views in `out` point into `text`. Code::corrupt with the line when the file is not right.
Status parse_saved_trace(std::string_view text, SavedTrace& out);

// `head` gives model and options, the view the steps and the claim.
Status write_saved_trace(const SavedTrace& head, const TraceView& view, Output& out);

// Walks the steps of a saved trace.
class SavedPath {
 public:
  explicit SavedPath(const SavedTrace& trace) : trace_(&trace) {}
  StepChooser chooser() { return {this, &SavedPath::choose}; }

 private:
  static u32 choose(void* self, u64 index, u32 count, const SuccessorBuffer& from);
  const SavedTrace* trace_;
  std::string_view rest_;
};

}  // namespace xmc
