// The device probe: a few hundred milliseconds of writing and reading that give the figures of
// DeviceCost. Requests of three sizes are timed in turn; the median for each size keeps a pause of
// the device or of the host out, and the line through the medians is fitted by least squares of the
// relative errors, since the error of a long request would otherwise drown the offset. Where the
// noise is larger than what the bytes take, a slope comes out as 0: add up whole requests
// (DeviceCost::scan_ns), not bytes.
//
// A file of its own is appended to (each append with its sync), scanned, read at random places, and
// removed, whatever happens. The time bounds the work: a slow device writes little, and then the
// reads stay in what was written.
#pragma once

#include <span>

#include "engine/measure/device_cost.h"
#include "xmc/device.h"

namespace xmc {

// Time, handed in: engines do not know the OS, and tests have a virtual clock.
struct ProbeClock {
  u64 (*now_ns)(void* self) = nullptr;
  void* self = nullptr;
};

// All that a probe writes: six requests of each size. A card lives on it: a check of a small model
// writes no more itself.
struct ProbeLimits {
  u64 append_bytes = u64{256} << 10;  // the largest request that is written
  u64 file_bytes = 6 * (u64{16 + 64 + 256} << 10);
  u64 time_ns = 450'000'000;  // half of it for writing; a slow device may take a quarter more
};

// Memory for it, from 64 KiB on; the largest request that is read has this size.
inline constexpr u64 kProbeBufferBytes = u64{1} << 20;
inline constexpr u64 kProbeBufferLeast = u64{64} << 10;

// The buffer starts on a block and has a power of two of bytes.
Result<DeviceCost> probe_device(Folder& folder, const ProbeClock& clock, std::span<u8> buffer,
                                const ProbeLimits& limits = {});

// Offset and slope of the line through points (bytes, ns), by least squares of the relative errors.
// Neither is negative.
struct CostLine {
  double offset_ns = 0;
  double ns_per_byte = 0;
};
struct CostPoint {
  u64 bytes = 0;
  u64 ns = 0;
};
CostLine fit_line(std::span<const CostPoint> points);

}  // namespace xmc
