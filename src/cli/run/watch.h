// Watch: the outside of a running search. The engine polls it once per batch; it looks at signals
// and the limits of time and space, prints progress, writes a row of --levels at the end of each
// level, and has the search rest. Nothing in here allocates.
#pragma once

#include "cli/run/output/levels_file.h"
#include "cli/run/output/page_file.h"
#include "cli/run/session.h"
#include "cli/run/work/rests.h"
#include "cli/run/work/space_limits.h"
#include "report/progress.h"
#include "xmc/run_control.h"

namespace xmc {

class Watch {
 public:
  explicit Watch(Session& session);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();

  // For runs with files.
  SpaceLimits& space() { return space_; }
  LevelsFile& levels() { return levels_; }
  // A page that is to be told of everything, too.
  void set_page(PageFile* page);
  // The options are complete: time begins.
  void start();
  // What a run does before its search, if that takes a while.
  void show_work(const LongWork& work);
  // The search begins, or goes on from a checkpoint: opens the file of --levels.
  Status open(const Manifest* checkpoint);
  RunControl control() { return {this, &Watch::poll}; }
  // Ends a line that was being redrawn and closes the file.
  Status close();

 private:
  static StopReason poll(void* self, const Progress& progress);
  void tell(const Progress& progress, u64 now_ns);
  void show(const Progress& progress, u64 now_ns, bool asked);
  // A signal, or the limit of time: also for steps that take long, on any thread.
  StopReason asked_for(u64 now_ns) const;
  static StopReason ask_in_step(void* self);
  StopReason check(u64 now_ns);
  StopReason rest(Progress progress, u64 now_ns);
  void say(const char* why);  // of a pause
  void end_redrawn_line();

  Session* session_;
  u64 start_ns_;
  u64 limit_ns_ = ~u64{0};
  SpaceLimits space_;
  Rests rests_;
  bool redraw_ = false;
  bool each_level_ = false;
  bool line_open_ = false;
  ProgressMeter meter_;
  LevelsFile levels_;
  PageFile* page_ = nullptr;
};

}  // namespace xmc
