// What the device under a folder costs: measured with the real clock, and remembered in a work
// directory.
#pragma once

#include "engine/device_cost.h"
#include "report/json.h"
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

// Nothing of that name is at `path` that the measurement would overwrite: in a directory that is
// not ours it may be somebody's file.
Status check_probe_place(const char* path);

// The same as device_cost_of() for a folder at `path` that has to stay as it is. `ours`: it is a
// work directory, so that a file `probe` in it is one; `from_file` says that it was used.
Result<DeviceCost> look_up_cost(const char* path, Folder& folder, Arena& arena, bool ours,
                                bool& from_file);

// The figures as members of an object.
void write_cost_json(JsonWriter& json, const DeviceCost& cost);

}  // namespace xmc
