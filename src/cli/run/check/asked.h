// What a run was asked for. It is settled with the first line of the run and never changes; options
// that an earlier run had are set in the session.
#pragma once

#include "cli/run/session.h"

namespace xmc {

struct PlannedRun;

struct Asked {
  Session& session;
  bool from_work = false;         // model and options come from a work directory
  PlannedRun* planned = nullptr;  // `plan`: up to the seal, and this is what it finds out

  const Options& options() const { return session.options; }
  bool given(Opt option) const { return session.options.given(option); }
  bool planning() const { return planned != nullptr; }
};

}  // namespace xmc
