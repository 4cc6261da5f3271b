#include "cli/run/check/planned_run.h"

#include "cli/run/forecast/device_costs.h"
#include "cli/run/work/space_limits.h"
#include "engine/measure/sample.h"
#include "xmc/text.h"

namespace xmc {

Status find_place(const Asked& asked, const EngineTraits& engine, Arena& arena, WorkPlace& work,
                  const char* path) {
  PlannedRun& planned = *asked.planned;
  XMC_TRY(work.dir.look_at(path, planned.kind));
  if (planned.kind == WorkDir::Kind::absent) {
    XMC_TRY(parent_folder(path, planned.place));
  } else {
    Text(planned.place, kPathBytes).add(path);
  }
  if (!folder_exists(planned.place)) {
    return Status::fail(Code::io, "there is no directory %.100s to make %.100s in", planned.place,
                        path);
  }
  if (const Result<u64> free = free_space(planned.place); free.ok()) {
    planned.input.free_bytes = free.value();
    planned.input.room_bytes = room_of(asked.options(), free.value());
  }
  if (!engine.keeps_files) return {};
  XMC_TRY(start_folder(asked.session, work, planned.place));
  const bool ours = planned.kind == WorkDir::Kind::ours;
  const Result<DeviceCost> cost =
      look_up_cost(planned.place, *work.files, arena, ours, planned.from_file);
  if (cost.ok()) {
    planned.input.device = cost.value();
  } else if (cost.status().code() == Code::io) {
    work.files.reset();
    work.folder = nullptr;
    return cost.status();
  } else {
    Output& err = asked.session.err();
    err.add("note      the device is taken for an SD card of class A1: ");
    err.add(cost.status().message()).add('\n');
  }
  return {};
}

void take_forecast_sample(const Options& options, const Model& model, const SearchOptions& search,
                          Arena& arena, ForecastInput& input) {
  constexpr u32 kBoards[PeerSamples::kMost] = {4, 16, 64};
  if (options.given(Opt::peers)) {
    const u32 boards = static_cast<u32>(options.number(Opt::peers));
    input.peers.count = boards == 0 ? PeerSamples::kMost : 1;
    for (u32 i = 0; i < input.peers.count; ++i)
      input.peers.each[i].owners = boards == 0 ? kBoards[i] : boards;
    input.network.bytes_per_second = static_cast<double>(options.number(Opt::bandwidth)) * 1e6 / 8;
    input.network.latency_ns = static_cast<double>(options.number(Opt::latency)) * 1e3;
  }
  PeerSamples* const peers = input.peers.count == 0 ? nullptr : &input.peers;
  input.sample = take_sample(model, search, arena, {}, peers);
}

}  // namespace xmc
