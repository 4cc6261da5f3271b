// Checkpoints: when a run leaves one, and what it adds to what the engine writes down.
//
// Lines of the run, all of them beginning with "run.", so that no engine's line is taken for one:
// tool, engine, model, hash, program (the lowered model: states of another one mean nothing),
// marker (its checksum), ram, resumes, checkpoints, and the sums of all processes so far: wall_ms,
// cpu_ms, bytes_read, bytes_written, random_reads, syncs, disk_peak, and for each purpose of
// device.h that had any bytes read.PURPOSE and written.PURPOSE.
#pragma once

#include <string_view>

#include "cli/run/output/levels_file.h"
#include "cli/run/output/page_file.h"
#include "cli/run/session.h"
#include "cli/run/work/run_marker.h"
#include "cli/run/work/workdir.h"
#include "platform/device_base.h"
#include "platform/device_file.h"
#include "store/checkpoint/manifest.h"
#include "store/checkpoint/root.h"
#include "xmc/arena.h"
#include "xmc/engine.h"

namespace xmc {

// The rule of --checkpoint, without a clock.
//  automatic  not in the first ten seconds and not twice within ten; then as long behind the last
//             checkpoint as makes its time 1% of the wait, but at most 30 minutes
//  interval   when the time has passed
//  level      at every end of a level
class CheckpointRhythm {
 public:
  enum class Mode : u8 { automatic, interval, level, never };
  static constexpr u64 kSecond = 1'000'000'000;
  static constexpr u64 kLeast = 10 * kSecond;
  static constexpr u64 kMost = 1800 * kSecond;
  static constexpr u64 kShare = 100;

  CheckpointRhythm() = default;
  CheckpointRhythm(Mode mode, u64 interval_ns, u64 start_ns)
      : mode_(mode), interval_ns_(interval_ns), last_ns_(start_ns) {}
  // "auto", "level", "off", or an interval of `seconds`.
  static CheckpointRhythm of_option(std::string_view word, u64 seconds, u64 start_ns);

  bool due(bool level_end, u64 now_ns) const;
  void committed(u64 begin_ns, u64 end_ns);

 private:
  Mode mode_ = Mode::never;
  u64 interval_ns_ = 0;
  u64 last_ns_ = 0;
  u64 cost_ns_ = 0;  // of the last one
};

// Sums over all processes that worked on a run.
struct RunTotals {
  u64 wall_ms = 0;
  u64 cpu_ms = 0;
  u64 bytes_read = 0;
  u64 bytes_written = 0;
  u64 random_reads = 0;
  u64 syncs = 0;
  u64 disk_peak = 0;
  u64 disk_final = 0;  // now
  u64 read_for[kPurposes] = {};
  u64 written_for[kPurposes] = {};
  u64 checkpoints = 0;
  u64 resumes = 0;
  u64 covered = 0;  // bits, at the last checkpoint
};
// Missing lines are zeros: they are for people.
RunTotals read_totals(const Manifest& manifest);

class Checkpoints final : public Checkpointer {
 public:
  struct Job {
    const char* engine = "";
    std::string_view model_file;
    u64 model_hash = 0;
    u64 program_hash = 0;
    const RunMarker* marker = nullptr;  // has its checksum when there is a directory
    FileFolder* files = nullptr;        // which is made with the first checkpoint at the latest
    u64 ram_bytes = 0;
    u64 threads = 1;
    LevelsFile* levels = nullptr;  // durable with each checkpoint
    PageFile* page = nullptr;      // told of each
    const u32* covered = nullptr;  // Model::covered
  };

  Checkpoints() = default;
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

  // The run goes on from this checkpoint: with its sequence and, unless the sums are those of
  // another process, with its sums.
  void go_on_from(const Root& root, const Manifest& manifest, bool with_sums = true);
  // The sums of a process that is no longer there.
  void add_totals_of(const Manifest& manifest);
  // Carves the manifest. All that is given here has to outlive the run.
  void plan(Session& session, FolderBase& folder, WorkDir& work, const Job& job, Arena& arena);
  // After plan(): the engine is another one.
  void set_engine(const char* name) { job_.engine = name; }

  bool due(bool level_end) override;
  Manifest& begin() override;
  Status commit() override;

  // There is one to go on from, of this process or of an earlier one.
  bool any() const { return sequence_ != 0; }
  RunTotals totals() const;
  // Of the processes before this one.
  const RunTotals& earlier() const { return earlier_; }

 private:
  void add_run_lines();
  Status sync_description();

  Session* session_ = nullptr;
  FolderBase* folder_ = nullptr;
  WorkDir* work_ = nullptr;
  Job job_;
  Manifest* manifest_ = nullptr;
  CheckpointRhythm rhythm_;
  RunTotals earlier_;
  u64 sequence_ = 0;
  u64 committed_ = 0;       // by this process
  u64 begin_ns_ = 0;        // of the one in progress
  bool described_ = false;  // marker and model are durable
};

}  // namespace xmc
