// The forecast of `plan`: what memory, disk and time allow, from a sample of the search and the
// costs of the device. The number of states of a model is not known before they are counted, so
// nothing here says whether a check will end.
#pragma once

#include "cli/run/forecast/forecast_peers.h"
#include "engine/measure/device_cost.h"
#include "engine/measure/sample.h"
#include "report/json.h"
#include "report/row.h"

namespace xmc {

inline constexpr u64 kHourSeconds = 3600;
inline constexpr u64 kNightSeconds = 8 * kHourSeconds;

struct ForecastInput {
  Sample sample;
  FlashUse use;
  DeviceCost device;
  u64 table_bytes = 0;          // what a table of states would have
  u64 free_bytes = kNoFigure;   // of the file system
  u64 room_bytes = kNoFigure;   // of these, what reserve and limits leave to the run
  bool to_first_error = false;  // a violation ends the check
  u64 time_limit_s = kNoFigure;
  PeerSamples peers;  // none, unless they are asked for
  PeerNetwork network;
};

struct Forecast {
  double bytes_per_state = 0;  // on flash
  double per_second = 0;       // states, with writing and reading each of them once
  double edge_bytes = 0;       // of them, edges
  u64 ram_states = kNoFigure;
  u64 bit_states = kNoFigure;   // for which there is room in bits, where those are needed
  u64 disk_states = kNoFigure;  // kNoFigure: not known, or no files are kept

  u64 reached_in(u64 seconds) const;
};
Forecast make_forecast(const ForecastInput& input);

// A number without the digits that a forecast cannot know: two are kept.
u64 rounded(u64 value);

// The lines "sample" and "forecast".
void write_forecast(Output& out, const ForecastInput& input, u32 columns = kDefaultColumns);
// The members "sample" and "forecast".
void write_forecast_json(JsonWriter& json, const ForecastInput& input);

}  // namespace xmc
