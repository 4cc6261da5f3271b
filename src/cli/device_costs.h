// What the device under a folder costs: measured with the real clock, and remembered in a work
// directory.
#pragma once

#include "engine/device_cost.h"
#include "report/output.h"
#include "xmc/arena.h"
#include "xmc/device.h"

namespace xmc {

// Measures now; the memory comes from the arena's scratch and goes back.
Result<DeviceCost> measure_device(Folder& folder, Arena& arena);

// The figures in the file `probe` of a work directory. Without a readable one they are measured and
// written there. No failure of it ends a run: the answer is then the defaults, and `notes` has a
// line about it, unless that is null.
DeviceCost device_cost_of(Folder& folder, Arena& arena, Output* notes);

}  // namespace xmc
