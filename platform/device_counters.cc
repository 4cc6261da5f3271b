// The sum of a device's counters over all purposes, apart from the devices so that stores and tests
// can ask for it without one.
#include "xmc/device.h"

namespace xmc {

DeviceCounters::Flow DeviceCounters::total() const {
  Flow sum;
  for (const Flow& flow : by_purpose) {
    sum.bytes_read += flow.bytes_read;
    sum.bytes_written += flow.bytes_written;
    sum.read_calls += flow.read_calls;
    sum.write_calls += flow.write_calls;
    sum.random_reads += flow.random_reads;
  }
  return sum;
}

}  // namespace xmc
