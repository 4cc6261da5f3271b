// One run of `check`, in its order: options, arena, model, work directory, plan, seal, search,
// replay, verdict, output. After the seal nothing allocates, the output included.
#pragma once

#include <optional>

#include "cli/budget.h"
#include "cli/device_costs.h"
#include "cli/model_input.h"
#include "cli/session.h"
#include "cli/watch.h"
#include "cli/workdir.h"
#include "platform/device_file.h"
#include "trace/replay.h"
#include "trace/saved.h"
#include "trace/trace_view.h"

namespace xmc {

class CheckRun {
 public:
  explicit CheckRun(Session& session) : session_(session), watch_(session) {}
  CheckRun(const CheckRun&) = delete;
  CheckRun& operator=(const CheckRun&) = delete;

  int run();

 private:
  Status prepare();
  Status load_input();
  Status open_work(const ModelInput& input);
  Status open_folder();
  Status plan();
  void print_plan();
  Status search();
  Status judge();
  Status write_traces();
  void close_work();
  SavedTrace saved_head() const;
  TraceView view();

  Session& session_;
  Budget budget_;
  WorkDir work_;
  std::optional<FileFolder> folder_;  // of the work directory, for engines that keep files
  DeviceCost device_;                 // of the folder, for engines that want it measured
  Watch watch_;
  LoadedModel model_;
  Goal goal_;
  Engine* engine_ = nullptr;
  bool auto_engine_ = false;  // chosen by us, so ours to change
  Replay replay_;
  EnginePath path_;
  u64 free_before_engine_ = 0;
};

}  // namespace xmc
