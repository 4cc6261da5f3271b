// Devices as the simulated card knows them (device_sim.h). card_profiles.cc has their figures.
// Where these are from:
//
//   a1, a2   The floors of the SD application classes: 1500/500 and 4000/2000 requests of 4 KiB per
//            second, 10 MB/s sustained writing (SD 5.1 and 6.0). Latency is what is left of a
//            request beside its transfer. 40 MB/s reading is about the bus of a Pi 4 (15 cards
//            measured by J. Geerling read about 43 MB/s). The class promises random writes within
//            a small range; here a write elsewhere pays for its unit instead. No command queue:
//            hosts up to the Pi 4 have none.
//   sdhc, eee-ssd, sata
//            Read latency and read bandwidth of the SDHC card, the eee PC's disk and the HAMA SATA
//            disk of Edelkamp and Sulewski 2008, section 7. The paper has no figures for writing:
//            write latency is taken equal, and write bandwidth is assumed.
//   units    4 MiB, five of them open: flashbench on a Lexar 633x card. For sata 32 open units are
//            assumed: its controller maps finer than a card's.
//
// Cards differ by a factor of 7 in reading and 21 in writing on the same host: a profile is a
// stand-in, not a prediction. `xmc-lite probe` measures a real device.
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
