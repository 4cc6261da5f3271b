// DeviceCost: what an access to the device takes, as the linear model that the papers on search
// with flash use (Edelkamp and Sulewski 2008; Evangelista 2008 chooses between scanning and
// delaying by it): a request of b bytes takes an offset and b times the cost of a byte.
//
// Cards of one class differ by a factor of 7 in reading and 21 in writing, so the figures are
// measured where a run takes place (device_probe.h). The defaults are a stand-in where that failed:
// the floor of SD application class A1, 1500 reads and 500 writes of 4 KiB per second and 10 MB/s
// sustained writing, with 40 MB/s reading, about what the bus of a small board gives.
#pragma once

#include <string_view>

#include "xmc/status.h"
#include "xmc/text.h"
#include "xmc/types.h"

namespace xmc {

// The figures of a work directory, kept there, and the data that they are measured on.
inline constexpr const char* kProbeFile = "probe";
inline constexpr const char* kProbeDataFile = "probe.tmp";

struct DeviceCost {
  double scan_ns_per_byte = 25;
  double scan_offset_ns = 564'000;
  double random_read_ns = 666'000;  // 4 KiB somewhere
  double write_ns_per_byte = 100;
  double write_offset_ns = 3'180'000;  // of an append and the sync that makes it durable
  bool measured = false;

  // One request, of a sequence of them.
  double scan_ns(u64 bytes) const {
    return scan_offset_ns + scan_ns_per_byte * static_cast<double>(bytes);
  }
  double write_ns(u64 bytes) const {
    return write_offset_ns + write_ns_per_byte * static_cast<double>(bytes);
  }
};

// The file `probe`: a line with its version, then a line for each figure, in whole picoseconds for
// a byte and whole nanoseconds for the rest.
inline constexpr u32 kCostTextBytes = 512;
void write_cost(const DeviceCost& cost, Text& out);
// Code::corrupt for anything but what write_cost() writes.
Result<DeviceCost> parse_cost(std::string_view text);

}  // namespace xmc
