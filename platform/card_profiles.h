// Devices as the simulated card knows them. The figures and where they are from:
// platform/README.md.
#pragma once

#include <span>
#include <string_view>

#include "xmc/types.h"

namespace xmc {

struct CardProfile {
  const char* name = "";
  u64 read_latency_ns = 0;   // per request
  u64 write_latency_ns = 0;  // per request
  u64 read_bytes_per_s = 1;
  u64 write_bytes_per_s = 1;
  u64 unit_bytes = 0;   // erase unit; 0: the device hides its units and rewriting costs nothing
  u32 open_units = 0;   // units that can be appended to in turn; at most kOpenUnitsLimit
  u32 queue_depth = 1;  // reads served at once
};

inline constexpr u32 kOpenUnitsLimit = 64;

std::span<const CardProfile> card_profiles();
// Null when there is none of that name.
const CardProfile* find_card_profile(std::string_view name);

}  // namespace xmc
