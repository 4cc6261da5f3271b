// What the device under a folder costs: measured with the real clock, and remembered. A measurement
// writes up to 2 MiB, so there is one for each file system: the user's cache has a file for it
// (platform/user_cache.h), and a work directory has a copy that goes with it.
#pragma once

#include "engine/measure/device_cost.h"
#include "report/json.h"
#include "report/output.h"
#include "xmc/arena.h"
#include "xmc/device.h"

namespace xmc {

// Measures now; the memory comes from the arena's scratch and goes back.
Result<DeviceCost> measure_device(Folder& folder, Arena& arena);

// The figures that were measured before on the file system of `path`, and keeping them. No cache is
// no failure.
Result<DeviceCost> remembered_cost(const char* path);
void remember_cost(const char* path, const DeviceCost& cost);

// The figures in the file `probe` of a work directory. Without a readable one they are those that
// were measured before on its file system, or measured now, and written there. No failure of it
// ends a run: the answer is then the defaults, and `notes` has a line about it, unless that is
// null. `path` is null for a folder that is on no file system.
DeviceCost device_cost_of(const char* path, Folder& folder, Arena& arena, Output* notes);

// Nothing of that name is at `path` that the measurement would overwrite: in a directory that is
// not ours it may be somebody's file.
Status check_probe_place(const char* path);

// The same as device_cost_of() for a folder at `path` that has to stay as it is. `ours`: it is a
// work directory, so that a file `probe` in it is one; `from_file` says that it, or the cache, was
// used.
Result<DeviceCost> look_up_cost(const char* path, Folder& folder, Arena& arena, bool ours,
                                bool& from_file);

// The figures as members of an object.
void write_cost_json(JsonWriter& json, const DeviceCost& cost);

}  // namespace xmc
