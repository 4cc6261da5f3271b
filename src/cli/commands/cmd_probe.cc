// `probe`: what the device under a folder costs, measured once for each file system and kept for
// later runs.
#include "cli/commands/commands.h"
#include "cli/run/budget.h"
#include "cli/run/forecast/device_costs.h"
#include "platform/device_file.h"
#include "platform/signals.h"
#include "report/result_json.h"
#include "xmc/text.h"

namespace xmc {

namespace {

struct Probed {
  const char* path;
  FileFolder* folder;
  DeviceCost cost;
  bool before = false;  // measured by an earlier call
};

u64 written_by(const Probed& probed) { return probed.folder->counters().total().bytes_written; }

void write_line(Output& out, const char* what, double offset_ns, double ns_per_byte) {
  out.format("%-20s %10.3f ms %10.3f ms %10.1f MB/s\n", what, offset_ns * 1e-6,
             ns_per_byte * 1048576 * 1e-6, ns_per_byte > 0 ? 1000 / ns_per_byte : 0);
}

void write_text(Output& out, const Probed& probed) {
  const DeviceCost& cost = probed.cost;
  out.add("device    ").add(probed.path).add(" on ").add(file_system_name(probed.path));
  if (!probed.before)
    out.add(probed.folder->direct() ? ", direct I/O" : ", through the page cache");
  out.add(", ").add(probed.folder->backend().name()).add('\n');
  out.add("                        a request     each MiB\n");
  write_line(out, "scan", cost.scan_offset_ns, cost.scan_ns_per_byte);
  write_line(out, "append and sync", cost.write_offset_ns, cost.write_ns_per_byte);
  out.format("%-20s %10.3f ms %13s %10.0f per second\n", "random read, 4 KiB",
             cost.random_read_ns * 1e-6, "",
             cost.random_read_ns > 0 ? 1e9 / cost.random_read_ns : 0);
  if (probed.before) {
    out.add("measured before; --anew measures again\n");
  } else {
    FixedText<32> amount;
    amount.bytes(written_by(probed));
    out.add("measured now, with ").add(amount.view()).add(" written\n");
  }
}

void write_probe_json(void* self, JsonWriter& json) {
  const Probed& probed = *static_cast<const Probed*>(self);
  json.begin_object().key("schema").number(1).line_break().key("tool");
  write_tool_json(json);
  json.line_break().key("probe").begin_object();
  json.key("folder").string(probed.path);
  json.key("file_system").string(file_system_name(probed.path));
  json.key("backend").string(probed.folder->backend().name());
  json.key("direct");
  if (probed.before) {
    json.null();
  } else {
    json.boolean(probed.folder->direct());
  }
  json.key("measured_now").boolean(!probed.before);
  json.key("bytes_written").number(written_by(probed));
  json.line_break();
  write_cost_json(json, probed.cost);
  json.end_object().end_object();
}

Status probe(Session& session, Budget& budget) {
  XMC_TRY(session.open_json_stream());
  XMC_TRY(budget.open(session));
  const char* const path = session.options.operand().data();
  if (!folder_exists(path)) return Status::fail(Code::usage, "there is no directory %.200s", path);
  FileFolder folder(*file_backend(IoBackend::automatic));
  XMC_TRY(folder.start(path));
  Probed probed = {path, &folder, {}};
  Result<DeviceCost> cost = Status::fail(Code::unsupported, "to be measured");
  if (!session.options.given(Opt::anew)) cost = remembered_cost(path);
  probed.before = cost.ok();
  if (!probed.before) {
    XMC_TRY(check_probe_place(path));
    cost = measure_device(folder, budget.arena());
    if (!cost.ok()) return cost.status();
    remember_cost(path, cost.value());
  }
  probed.cost = cost.value();
  if (!folder.notice().empty()) session.err().add("note      ").add(folder.notice()).add('\n');
  if (session.options.given(Opt::json))
    XMC_TRY(session.write_json_object(&write_probe_json, &probed));
  if (session.options.text(Opt::json) != "-") write_text(session.out(), probed);
  return {};
}

}  // namespace

int cmd_probe(Session& session) {
  // A signal must not leave the file behind; the measurement is over soon.
  install_signal_handlers();
  Budget budget;
  const Status status = probe(session, budget);
  if (!status.ok()) return session.end_with(status);
  return session.end_well();
}

}  // namespace xmc
