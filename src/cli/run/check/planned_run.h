// What `plan` finds out of a run: where its work directory would be, and what a forecast is made
// of.
#pragma once

#include "cli/run/check/work_place.h"
#include "cli/run/forecast/forecast.h"
#include "xmc/engine.h"

namespace xmc {

struct PlannedRun {
  // Not a copy of an empty one: that would be a page of the image.
  PlannedRun() { place[0] = '\0'; }

  WorkDir::Kind kind = WorkDir::Kind::absent;
  char place[kPathBytes];  // a directory that is there, on the device of the work directory
  bool from_file = false;  // the device was measured by an earlier run
  ForecastInput input;
};

// What WorkDir::open() is for a run: the place is the directory or, while there is none, the one
// that it would be made in. What cannot be written to is found out by measuring it.
Status find_place(const Asked& asked, const EngineTraits& engine, Arena& arena, WorkPlace& work,
                  const char* path);
// In place of the search.
void take_forecast_sample(const Options& options, const Model& model, const SearchOptions& search,
                          Arena& arena, ForecastInput& input);

}  // namespace xmc
