#include "cli/run/checkpoints.h"

#include <algorithm>
#include <new>

#include "platform/clock.h"
#include "platform/signals.h"
#include "report/target.h"
#include "report/verdict.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

namespace {

u64 milliseconds(double seconds) { return static_cast<u64>(seconds * 1e3); }

using LineName = FixedText<40>;

const char* purpose_line(LineName& text, const char* what, u32 purpose) {
  text.add("run.").add(what).add('.').add(kPurposeNames[purpose]);
  return text.c_str();
}

void add_hash(Manifest& manifest, const char* name, u64 hash) {
  const Word words[] = {hash};
  manifest.add_words(name, words);
}

}  // namespace

CheckpointRhythm CheckpointRhythm::of_option(std::string_view word, u64 seconds, u64 start_ns) {
  const Mode mode = word == "auto"    ? Mode::automatic
                    : word == "level" ? Mode::level
                    : word == "off"   ? Mode::never
                                      : Mode::interval;
  return CheckpointRhythm(mode, seconds * kSecond, start_ns);
}

bool CheckpointRhythm::due(bool level_end, u64 now_ns) const {
  const u64 since_ns = now_ns - last_ns_;
  switch (mode_) {
    case Mode::automatic:
      return since_ns >= std::clamp(cost_ns_ * kShare, kLeast, kMost);
    case Mode::interval:
      return since_ns >= interval_ns_;
    case Mode::level:
      return level_end;
    case Mode::never:
      return false;
  }
  return false;
}

void CheckpointRhythm::committed(u64 begin_ns, u64 end_ns) {
  XMC_CHECK(begin_ns <= end_ns);
  cost_ns_ = end_ns - begin_ns;
  last_ns_ = end_ns;
}

RunTotals read_totals(const Manifest& manifest) {
  RunTotals totals;
  totals.wall_ms = manifest.number_or_zero("run.wall_ms");
  totals.cpu_ms = manifest.number_or_zero("run.cpu_ms");
  totals.bytes_read = manifest.number_or_zero("run.bytes_read");
  totals.bytes_written = manifest.number_or_zero("run.bytes_written");
  totals.random_reads = manifest.number_or_zero("run.random_reads");
  totals.syncs = manifest.number_or_zero("run.syncs");
  totals.disk_peak = manifest.number_or_zero("run.disk_peak");
  totals.checkpoints = manifest.number_or_zero("run.checkpoints");
  totals.resumes = manifest.number_or_zero("run.resumes");
  totals.covered = manifest.number_or_zero("run.covered");
  for (u32 p = 0; p < kPurposes; ++p) {
    LineName read;
    LineName written;
    totals.read_for[p] = manifest.number_or_zero(purpose_line(read, "read", p));
    totals.written_for[p] = manifest.number_or_zero(purpose_line(written, "written", p));
  }
  return totals;
}

void Checkpoints::go_on_from(const Root& root, const Manifest& manifest, bool with_sums) {
  sequence_ = root.sequence;
  earlier_ = {};
  if (with_sums) earlier_ = read_totals(manifest);
  ++earlier_.resumes;
  // Its sums were taken before it was written itself.
  earlier_.bytes_written += root.bytes;
  earlier_.written_for[static_cast<u32>(Purpose::checkpoint)] += root.bytes;
  ++earlier_.syncs;
  described_ = true;
  set_interrupt_exit_status(static_cast<int>(Exit::stopped));
}

void Checkpoints::add_totals_of(const Manifest& manifest) {
  const RunTotals other = read_totals(manifest);
  earlier_.cpu_ms += other.cpu_ms;
  earlier_.bytes_read += other.bytes_read;
  earlier_.bytes_written += other.bytes_written;
  earlier_.random_reads += other.random_reads;
  earlier_.syncs += other.syncs;
  earlier_.disk_peak += other.disk_peak;
  for (u32 p = 0; p < kPurposes; ++p) {
    earlier_.read_for[p] += other.read_for[p];
    earlier_.written_for[p] += other.written_for[p];
  }
}

void Checkpoints::plan(Session& session, FolderBase& folder, WorkDir& work, const Job& job,
                       Arena& arena) {
  session_ = &session;
  folder_ = &folder;
  work_ = &work;
  job_ = job;
  manifest_ = ::new (arena.carve("checkpoint", sizeof(Manifest), alignof(Manifest))) Manifest();
  const Options& options = session.options;
  rhythm_ = CheckpointRhythm::of_option(options.text(Opt::checkpoint),
                                        options.number(Opt::checkpoint), monotonic_ns());
}

bool Checkpoints::due(bool level_end) {
  const u64 now_ns = monotonic_ns();
  const bool due_now = rhythm_.due(level_end, now_ns);
  // What the engine does from here on to be able to commit is a part of the price.
  begin_ns_ = due_now ? now_ns : 0;
  return due_now;
}

Manifest& Checkpoints::begin() {
  if (begin_ns_ == 0) begin_ns_ = monotonic_ns();
  manifest_->clear();
  return *manifest_;
}

// Marker and model are written when the run starts and made durable with its first checkpoint, so
// that the many runs without one cost a card nothing.
Status Checkpoints::sync_description() {
  if (described_) return {};
  for (const char* name : {WorkDir::kMarker, WorkDir::kKept, WorkDir::kModel, WorkDir::kProperty}) {
    if (name == WorkDir::kProperty && !work_->has(name)) continue;
    XMC_LET(const char* const path, work_->path_of(name));
    XMC_TRY(sync_file(path));
  }
  described_ = true;
  return {};
}

RunTotals Checkpoints::totals() const {
  RunTotals totals = earlier_;
  totals.checkpoints += committed_;
  if (folder_ == nullptr) return totals;
  // The session's times have the earlier ones in them.
  totals.wall_ms = milliseconds(session_->wall_s());
  totals.cpu_ms = milliseconds(session_->cpu_s());
  const DeviceCounters counters = folder_->counters();
  const DeviceCounters::Flow flow = counters.total();
  totals.bytes_read += flow.bytes_read;
  totals.bytes_written += flow.bytes_written;
  totals.random_reads += flow.random_reads;
  totals.syncs += counters.syncs;
  totals.disk_peak = std::max(totals.disk_peak, folder_->disk_use().peak_bytes);
  totals.disk_final = folder_->disk_use().now_bytes;
  for (u32 p = 0; p < kPurposes; ++p) {
    totals.read_for[p] += counters.by_purpose[p].bytes_read;
    totals.written_for[p] += counters.by_purpose[p].bytes_written;
  }
  return totals;
}

void Checkpoints::add_run_lines() {
  const RunTotals now = totals();
  FixedText<64> tool;
  tool.add(kToolName).add(' ').add(kToolVersion);
  manifest_->add_text("run.tool", tool.view());
  manifest_->add_text("run.engine", job_.engine);
  // For people; resume takes the name from the marker, which has it whole.
  manifest_->add_text("run.model", piece_of(job_.model_file, 0, 1024));
  add_hash(*manifest_, "run.hash", job_.model_hash);
  add_hash(*manifest_, "run.program", job_.program_hash);
  add_hash(*manifest_, "run.marker", job_.marker->checksum);
  manifest_->add("run.ram", job_.ram_bytes);
  manifest_->add("run.threads", job_.threads);
  manifest_->add("run.resumes", now.resumes);
  manifest_->add("run.checkpoints", now.checkpoints + 1);
  manifest_->add("run.time", wall_seconds());
  if (job_.covered != nullptr) manifest_->add("run.covered", *job_.covered);
  manifest_->add("run.wall_ms", now.wall_ms);
  manifest_->add("run.cpu_ms", now.cpu_ms);
  manifest_->add("run.bytes_read", now.bytes_read);
  manifest_->add("run.bytes_written", now.bytes_written);
  manifest_->add("run.random_reads", now.random_reads);
  manifest_->add("run.syncs", now.syncs);
  manifest_->add("run.disk_peak", now.disk_peak);
  for (u32 p = 0; p < kPurposes; ++p) {
    LineName read;
    LineName written;
    if (now.read_for[p] != 0) manifest_->add(purpose_line(read, "read", p), now.read_for[p]);
    if (now.written_for[p] != 0) {
      manifest_->add(purpose_line(written, "written", p), now.written_for[p]);
    }
  }
}

Status Checkpoints::commit() {
  XMC_CHECK(manifest_ != nullptr);
  XMC_CHECK(begin_ns_ != 0);
  XMC_TRY(job_.files->make());
  XMC_TRY(sync_description());
  if (job_.levels != nullptr) job_.levels->sync();
  if (job_.page != nullptr) job_.page->committing();
  // Names first: a root must not promise a file that a cut could take back.
  XMC_TRY(folder_->sync());
  add_run_lines();
  XMC_TRY(commit_root(*folder_, *manifest_, sequence_ + 1));
  ++sequence_;
  ++committed_;
  rhythm_.committed(begin_ns_, monotonic_ns());
  begin_ns_ = 0;
  set_interrupt_exit_status(static_cast<int>(Exit::stopped));
  if (job_.page != nullptr) job_.page->committed();
  return {};
}

}  // namespace xmc
