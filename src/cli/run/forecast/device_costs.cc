#include "cli/run/forecast/device_costs.h"

#include "engine/measure/device_probe.h"
#include "platform/clock.h"
#include "platform/file_backend.h"
#include "platform/files.h"
#include "platform/user_cache.h"

namespace xmc {
namespace {

u64 real_time(void*) { return monotonic_ns(); }

std::span<const u8> bytes_of(std::string_view text) {
  return {reinterpret_cast<const u8*>(text.data()), text.size()};
}

Result<DeviceCost> load_cost(Folder& folder) {
  u8 contents[kCostTextBytes];
  XMC_LET(const u64 bytes, folder.load(kProbeFile, contents));
  return parse_cost({reinterpret_cast<const char*>(contents), static_cast<std::size_t>(bytes)});
}

Status save_cost(Folder& folder, const DeviceCost& cost) {
  FixedText<kCostTextBytes> text;
  write_cost(cost, text);
  return folder.replace(kProbeFile, bytes_of(text.view()));
}

// Of the file with the figures of the file system of `path`. What is measured depends on the
// backend, too.
Status remembered_path(const char* path, char* out) {
  char folder[kPathBytes];
  XMC_TRY(user_cache_folder(folder));
  XMC_LET(const u64 id, file_system_id(path));
  FixedText<64> name;
  name.format("probe-%016llx-", wide(id));
  name.add(file_backend(IoBackend::automatic)->name());
  return join_path(out, folder, name.c_str());
}

// Whoever reads it meanwhile finds the old text or the new one.
Status write_remembered(const char* path, std::string_view text) {
  char aside[kPathBytes];
  Text name(aside, kPathBytes);
  name.add(path).add(".new");
  if (name.cut()) return Status::fail(Code::usage, "the path is too long");
  OutputFile file;
  XMC_TRY(file.open(aside));
  file.write(text);
  XMC_TRY(file.close());
  return rename_file(aside, path);
}

}  // namespace

Result<DeviceCost> remembered_cost(const char* path) {
  char file[kPathBytes];
  u8 contents[kCostTextBytes];
  XMC_TRY(remembered_path(path, file));
  XMC_LET(const u64 bytes, read_file(file, contents));
  return parse_cost({reinterpret_cast<const char*>(contents), static_cast<std::size_t>(bytes)});
}

void remember_cost(const char* path, const DeviceCost& cost) {
  char file[kPathBytes];
  FixedText<kCostTextBytes> text;
  write_cost(cost, text);
  if (remembered_path(path, file).ok()) static_cast<void>(write_remembered(file, text.view()));
}

Result<DeviceCost> measure_device(Folder& folder, Arena& arena) {
  u64 bytes = kProbeBufferBytes;
  while (bytes > kProbeBufferLeast && bytes + kPageBytes > arena.free_bytes()) bytes /= 2;
  if (bytes + kPageBytes > arena.free_bytes())
    return Status::fail(Code::budget, "too little memory to measure the device");
  const u64 mark = arena.scratch_mark();
  const std::span<u8> buffer(static_cast<u8*>(arena.scratch("device probe", bytes, kPageBytes)),
                             static_cast<std::size_t>(bytes));
  const Result<DeviceCost> cost = probe_device(folder, {&real_time, nullptr}, buffer);
  arena.scratch_release(mark);
  return cost;
}

DeviceCost device_cost_of(const char* path, Folder& folder, Arena& arena, Output* notes) {
  if (const Result<DeviceCost> known = load_cost(folder); known.ok()) return known.value();
  Result<DeviceCost> cost = Status::fail(Code::unsupported, "nothing is remembered");
  if (path != nullptr) cost = remembered_cost(path);
  if (!cost.ok()) {
    cost = measure_device(folder, arena);
    if (cost.ok() && path != nullptr) remember_cost(path, cost.value());
  }
  Status status = cost.status();
  if (status.ok()) status = save_cost(folder, cost.value());
  if (!status.ok() && notes != nullptr) {
    notes->add(cost.ok() ? "note      the figures of the device are not kept: "
                         : "note      the device is taken for an SD card of class A1: ");
    notes->add(status.message()).add('\n');
  }
  return cost.ok() ? cost.value() : DeviceCost();
}

Status check_probe_place(const char* path) {
  char data[kPathBytes];
  XMC_TRY(join_path(data, path, kProbeDataFile));
  if (!file_exists(data)) return {};
  return Status::fail(Code::usage, "%.200s is there already; remove it, or give another directory",
                      data);
}

Result<DeviceCost> look_up_cost(const char* path, Folder& folder, Arena& arena, bool ours,
                                bool& from_file) {
  from_file = false;
  if (ours) {
    if (const Result<DeviceCost> known = load_cost(folder); known.ok()) {
      from_file = true;
      return known;
    }
  }
  if (const Result<DeviceCost> known = remembered_cost(path); known.ok()) {
    from_file = true;
    return known;
  }
  if (const Status status = check_probe_place(path); !status.ok()) return status;
  const Result<DeviceCost> cost = measure_device(folder, arena);
  if (cost.ok()) remember_cost(path, cost.value());
  return cost;
}

void write_cost_json(JsonWriter& json, const DeviceCost& cost) {
  json.key("scan_ns_per_byte").real(cost.scan_ns_per_byte, 3);
  json.key("scan_offset_ns").real(cost.scan_offset_ns, 0);
  json.key("random_read_ns").real(cost.random_read_ns, 0);
  json.key("write_ns_per_byte").real(cost.write_ns_per_byte, 3);
  json.key("write_offset_ns").real(cost.write_offset_ns, 0);
}

}  // namespace xmc
