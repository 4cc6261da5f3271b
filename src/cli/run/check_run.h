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
#include "cli/run/forecast/device_costs.h"
#include "cli/run/forecast/forecast.h"
#include "cli/run/input/model_input.h"
#include "cli/run/input/step_price.h"
#include "cli/run/output/page_file.h"
#include "cli/run/session.h"
#include "cli/run/watch.h"
#include "cli/run/work/run_marker.h"
#include "cli/run/work/shared_work.h"
#include "cli/run/work/work_name.h"
#include "cli/run/work/workdir.h"
#include "exec/models/stubborn.h"
#include "platform/device_file.h"
#include "trace/chart.h"
#include "trace/fair_cycle.h"
#include "trace/replay.h"
#include "trace/saved.h"
#include "trace/trace_view.h"

namespace xmc {

// Of a plan without a work directory.
inline constexpr const char* kNoWork = "none: the search stays in memory";

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
  Status give_unused_code();
  Status load_input();
  void take_choice(bool files);
  Status take_smaller_engine(const SearchOptions& search);
  Status take_fairness();
  Status measure_memory();
  Status check_minimal() const;
  Status check_liveness() const;
  // Steps that are left out (step_reduction.cc).
  Status decide_steps();
  std::string_view why_no_steps();
  StubbornMode stubborn_mode() const;
  Status make_tables(bool only_with_room);
  StepJudgement judge_first_states();
  u64 sample_bytes() const;
  Status make_step_tables();
  void leave_steps_out();
  void note_steps();
  u64 program_hash() const { return model_.program->hash ^ steps_.hash; }
  Status plan();
  u32 threads_that_fit(u32 wanted, u64 each_bytes);
  bool was_divided() const;
  Status plan_threads();
  void make_threads();
  bool owners_fit(u32 count);
  void plan_owners(u32 count);
  // With other processes (plan_peers.cc), and what they have left (shared_run.cc).
  Status plan_peers(ProcessPeers& peers);
  Status add_up_processes();
  int end_following();
  Status divide_place(const char* place);
  Status find_place_of_process(const char*& path);
  Status find_shared_run();
  Status read_shared_root(bool own, const char* source);
  RootSlot read_slot_of(u32 slot);
  Status take_description(const char* source);
  Status plan_parts();
  void remove_shared_place();
  SearchOptions search_options();
  void print_plan(Output& out, bool all);
  void print_property(Output& out) const;
  void print_automaton(Output& out, u32 columns) const;
  void print_fairness(Output& out, u32 columns) const;
  void print_reduction(Output& out, u32 columns) const;
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

  // The work directory of a new run (new_work.cc).
  Status open_work(const ModelInput& input);
  bool makes_work_at_once(const ModelInput& input);
  Status find_free_name(const char*& path);
  Status open_free_name(bool at_the_beginning);
  void note_question(const ModelInput& input, bool later);
  Status describe_work();
  Status make_work_now(char* path);
  const char* place_of_files() const;
  Status open_folder();
  Status start_folder(const char* path);
  void bind_folder();
  // That of an earlier one: before the arena, its limits, outputs and checkpoint; then everything
  // else. Without a checkpoint the run begins again.
  Status find_run();
  Status find_checkpoint();
  Status take_checkpoint();
  Status check_kept_outputs();
  Status check_wear();
  Status restore_kept();
  Status restore_run();
  Status restore_marker();
  Status begin_again();
  Status verify_checkpoint();
  const Language* language_of_run() const;
  Status read_saved_model(ModelInput& input);
  Status read_saved_property(PropertyText& out);
  Status check_same_run(std::string_view text);
  Status check_same_program();
  LoadRequest load_request(const ModelInput& input) const;
  void print_resume();
  void plan_checkpoints();
  const char* place_of_work() const {
    return shared_place_[0] != '\0' ? shared_place_ : work_.path();
  }
  // Removed after a verdict, kept with what is needed to go on otherwise.
  void close_work();
  void write_end();

  // For `plan`.
  void take_forecast_sample(const SearchOptions& search);
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
  // Of a new run, whose directory may be made later: its default name, and what goes into it.
  WorkName work_name_;
  struct {
    bool planned = false;  // it is made with the first file
    std::string_view model;
    std::string_view property;
  } new_work_;
  char shared_place_[kPathBytes] = {};  // of several processes, and that of this one in it
  char place_of_process_[kPathBytes] = {};
  SharedWork shared_;  // that the run goes on from
  bool took_description_ = false;
  std::span<OwnerPart> parts_;
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
  struct {
    bool on = false;
    bool asked = false;  // by the command line, in so many words
    ir::StepTables tables;
    StubbornRules rules;  // with `on` all that a run decides of its steps: plain numbers
    u64 hash = 0;         // of all that the choice of steps depends on
    std::string_view why_not;
  } steps_;
  Engine* engine_ = nullptr;
  bool auto_engine_ = false;  // chosen by us, so ours to change
  bool explicit_ = false;     // but not to sets of states
  const char* why_ = "";      // it is this engine
  struct {
    u32 count = 1;                           // that the search uses
    void* executors[limits::kThreads] = {};  // of the others, from 1 on
    Peers* owners[limits::kThreads] = {};    // where the search is divided
    u32 owner_count = 0;
    std::span<OwnerShare> shares;  // of all owners, here and elsewhere
  } threads_;
  struct {
    Replay replay;
    FairCycle fair_cycle;
    ChartMemory chart;  // if one is asked for
    EnginePath path;
    FixedText<kFailureBytes> failure;  // why the last step or the predicate is erroneous
  } shown_;
  u64 free_before_engine_ = 0;
  u64 cold_given_ = 0;  // code of other languages and commands, which the arena has

  bool planning_ = false;
  struct {
    WorkDir::Kind kind = WorkDir::Kind::absent;
    char place[kPathBytes] = {};  // a directory that is there, on the device of the work directory
    bool from_file = false;       // the device was measured by an earlier run
    ForecastInput input;
  } forecast_;
};

}  // namespace xmc
