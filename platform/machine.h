// The machine under a long run: its power, its heat, and how much of it others may have.
#pragma once

#include "xmc/types.h"

namespace xmc {

// What sysfs says; a machine without sensors is cool and on mains.
class MachineSensors {
 public:
  // `root` is another folder in tests.
  explicit MachineSensors(const char* root = "/sys") : root_(root) {}
  // A battery gives power: no supply from outside is on, and there is one that could be or a
  // battery that is being discharged.
  bool on_battery() const;
  // The hottest thermal zone, in degrees Celsius; below every limit if there is none.
  int hottest_celsius() const;

 private:
  const char* root_;
};

// Processors that this process may run on.
u32 processor_count();

// Nice by so many; at 19 the device is used when nobody else wants it. What the system does not
// allow stays as it is.
void be_nice(u32 by);

}  // namespace xmc
