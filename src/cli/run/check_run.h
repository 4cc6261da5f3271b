// One run of `check`, `resume` or `plan`, in its order: options, arena, model, work directory,
// plan, seal, search, replay, verdict, output. After the seal nothing allocates, the output
// included.
//
// A run begins with options and a model file, or with the work directory of an earlier one; what
// differs is in check_work.cc, and ends with a loaded model and an engine. `plan` goes as far as
// the seal (cmd_plan.cc). Its steps are its methods, more than forty of them: each is called once,
// in that order.
#pragma once

#include <optional>

#include "cli/run/budget.h"
#include "cli/run/checkpoints.h"
#include "cli/run/device_costs.h"
#include "cli/run/forecast.h"
#include "cli/run/model_input.h"
#include "cli/run/page_file.h"
#include "cli/run/run_marker.h"
#include "cli/run/session.h"
#include "cli/run/watch.h"
#include "cli/run/workdir.h"
#include "platform/device_file.h"
#include "trace/fair_cycle.h"
#include "trace/replay.h"
#include "trace/saved.h"
#include "trace/trace_view.h"

namespace xmc {

class CheckRun {
 public:
  // `resumed` is where the manifest of the checkpoint goes that the run goes on from; null for a
  // new run.
  explicit CheckRun(Session& session, Manifest* resumed = nullptr)
      : session_(session), watch_(session), resumed_(resumed), from_work_(resumed != nullptr) {}
  CheckRun(const CheckRun&) = delete;
  CheckRun& operator=(const CheckRun&) = delete;

  int run();
  // Everything except the search.
  int forecast();

 private:
  Status prepare();
  Status find_engine_by_name();
  Status load_input();
  void take_choice(bool files);
  Status take_fairness();
  Status check_minimal() const;
  Status check_liveness() const;
  Status plan();
  u32 threads_that_fit(u32 wanted, u64 each_bytes);
  void plan_threads();
  void plan_owners();
  SearchOptions search_options();
  void print_plan(Output& out, bool all);
  void print_property(Output& out) const;
  void print_automaton(Output& out, u32 columns) const;
  void print_fairness(Output& out, u32 columns) const;
  void note_drawback();
  Status search();
  Status close_loop();
  void judge_covers();
  Status judge();
  Status write_traces();
  void note_totals();
  void tell_notice();
  // --report (check_page.cc)
  void plan_page();
  void fill_page(Page& page);
  Status finish_page(std::string_view why);
  SavedTrace saved_head() const;
  TraceView view();

  // The work directory of a new run.
  Status open_work(const ModelInput& input);
  Status open_folder();
  Status start_folder(const char* path);
  void bind_folder();
  // That of an earlier one: before the arena, its limits, outputs and checkpoint; then everything
  // else. Without a checkpoint the run begins again.
  Status find_run();
  Status find_checkpoint();
  Status check_wear();
  Status restore_kept();
  Status restore_run();
  Status restore_marker();
  Status begin_again();
  Status verify_checkpoint();
  Status read_saved_model(ModelInput& input);
  Status read_saved_property(PropertyText& out);
  Status check_same_run(std::string_view text);
  Status check_same_program();
  LoadRequest load_request(const ModelInput& input) const;
  void print_resume();
  void plan_checkpoints();
  // Removed after a verdict, kept with what is needed to go on otherwise.
  void close_work();
  void write_end();

  // For `plan`.
  Status find_place(const char* path);
  void print_place(Row& out);
  void print_device(Row& out);
  void print_checkpoints(Row& out);
  void print_limits(Row& out);
  void write_place_json(JsonWriter& json);
  static void write_plan_json(void* self, JsonWriter& json);

  Session& session_;
  Budget budget_;
  WorkDir work_;
  std::optional<FileFolder> files_;  // of the work directory, for engines that keep files
  FolderBase* folder_ = nullptr;     // they, or what the surroundings put in front of them
  DeviceCost device_;                // of the folder, for engines that want it measured
  Watch watch_;
  Manifest* resumed_;     // null: the search begins with the initial states
  const bool from_work_;  // model and options come from a work directory
  u64 kept_marker_ = 0;   // the marker that the limits and outputs there belong to
  // Why the run ends before its search, when that is not a failure.
  std::string_view early_reason_;
  RunMarker marker_;  // of the run that is resumed
  Root root_;         // of its checkpoint
  Checkpoints checkpoints_;
  PageFile* page_ = nullptr;  // of --report, in the arena
  LoadedModel model_;
  Goal goal_;
  Engine* engine_ = nullptr;
  bool auto_engine_ = false;  // chosen by us, so ours to change
  bool explicit_ = false;     // but not to sets of states
  const char* why_ = "";      // it is this engine
  struct {
    u32 count = 1;                           // that the search uses
    void* executors[limits::kThreads] = {};  // of the others, from 1 on
    Peers* owners[limits::kThreads] = {};    // where the search is divided
    u32 owner_count = 0;
  } threads_;
  struct {
    Replay replay;
    FairCycle fair_cycle;
    EnginePath path;
    FixedText<kFailureBytes> failure;  // why the last step or the predicate is erroneous
  } shown_;
  u64 free_before_engine_ = 0;

  bool planning_ = false;
  struct {
    WorkDir::Kind kind = WorkDir::Kind::absent;
    char place[kPathBytes] = {};  // a directory that is there, on the device of the work directory
    bool from_file = false;       // the device was measured by an earlier run
    ForecastInput input;
  } forecast_;
};

}  // namespace xmc
