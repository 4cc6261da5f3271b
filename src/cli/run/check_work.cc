// The work directory of a run: how a resumed run begins from one, and what is left of it at the
// end. new_work.cc has how a new run makes one.
#include "cli/run/check_run.h"
#include "cli/run/input/reduction.h"
#include "cli/run/input/saved_input.h"
#include "cli/run/output/outputs.h"
#include "engine/registry.h"
#include "ir/ir.h"
#include "platform/signals.h"
#include "platform/unique.h"
#include "report/verdict.h"
#include "store/checkpoint/verified_root.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

// From here on blocks are those of this run, and new ones are told from what an earlier process
// left in their places.
void CheckRun::bind_folder() { folder_->bind(marker_.run, static_cast<u16>(unique_number())); }

// Limits and outputs that were given to the processes before this one. They are there before the
// arena, because --ram is one of them.
Status CheckRun::restore_kept() {
  static char text[kKeptOptionBytes + 1];
  if (!work_.has(WorkDir::kKept)) return {};
  XMC_LET(const char* const path, work_.path_of(WorkDir::kKept));
  const Result<u64> got = read_file(path, {reinterpret_cast<u8*>(text), kKeptOptionBytes});
  Status status = got.status();
  if (got.ok()) status = read_kept(text, got.value(), kept_marker_, session_.options);
  if (status.ok() || status.code() == Code::usage) return status;
  return Status::fail(Code::corrupt,
                      "%.160s, which has the limits and outputs of the run, is damaged; to go on "
                      "without them, remove it",
                      path);
}

Status CheckRun::find_run() {
  const char* path = session_.options.operand().data();
  XMC_TRY(find_place_of_process(path));
  if (shared_place_[0] != '\0') return find_shared_run();
  XMC_TRY(work_.open_existing(path));
  XMC_TRY(restore_kept());
  XMC_TRY(check_kept_outputs());
  if (work_.has_checkpoint()) return find_checkpoint();
  if (work_.has(WorkDir::kMarker) && work_.has(WorkDir::kModel) && !work_.has_verdict()) {
    resumed_ = nullptr;
    return {};
  }
  return Status::fail(Code::usage,
                      "%.100s holds no checkpoint, so there is nothing to go on from; begin "
                      "again: xmc-lite check --work %.100s MODEL",
                      path, path);
}

Status CheckRun::check_kept_outputs() {
  const Status status = check_outputs(session_);
  if (status.code() != Code::io) return status;
  // On another machine, perhaps.
  return Status::fail(Code::io, "%s; outputs are kept with the run, and may be given anew",
                      status.c_str());
}

Status CheckRun::find_checkpoint() {
  XMC_TRY(start_folder(work_.path()));
  XMC_LET(root_, load_root(*folder_, *resumed_));
  return take_checkpoint();
}

Status CheckRun::take_checkpoint() {
  XMC_LET(const u64 ram, resumed_->number("run.ram"));
  session_.options.restore_number(Opt::ram, ram);
  if (const Result<u64> threads = resumed_->number("run.threads"); threads.ok()) {
    session_.options.restore_number(Opt::threads, threads.value());
  }
  return check_wear();
}

// A run that has written all that it may is not restored just to write one more checkpoint.
Status CheckRun::check_wear() {
  const Options& options = session_.options;
  const u64 written = read_totals(*resumed_).bytes_written + root_.bytes;
  if (!options.given(Opt::wear_limit) || written < options.number(Opt::wear_limit)) return {};
  session_.report.resumable = true;
  session_.report.work = place_of_work();
  early_reason_ = "wear-limit";
  FixedText<32> amount;
  amount.bytes(written);
  return Status::fail(Code::stopped,
                      "the run has written %s, and its --wear-limit is %llu bytes; give a larger "
                      "--wear-limit",
                      amount.c_str(), wide(options.number(Opt::wear_limit)));
}

Status CheckRun::restore_marker() {
  XMC_LET(const char* const path, work_.path_of(WorkDir::kMarker));
  XMC_LET(const u64 size, file_bytes(path));
  const std::span<char> text = budget_.arena().carve_array<char>("options of the run", size + 1);
  const std::size_t room = text.size() - 1;
  XMC_LET(const u64 got, read_file(path, {reinterpret_cast<u8*>(text.data()), room}));
  XMC_TRY(read_marker(text.data(), got, marker_, session_.options));
  XMC_LET(const char* const kept, work_.path_of(WorkDir::kKept));
  if (kept_marker_ != marker_.checksum && work_.has(WorkDir::kKept)) {
    return Status::fail(Code::corrupt, "%.200s belongs to another run", kept);
  }
  // Now, not with the next checkpoint: what restores the run may be stopped, too.
  if (!session_.options.gives_kept()) return {};
  return write_kept(kept, marker_.checksum, session_.options, true);
}

// Nothing of the search is worth keeping before the first checkpoint; which run it is is.
Status CheckRun::begin_again() {
  if (!session_.options.given(Opt::quiet)) {
    session_.err().add("note      ").add(work_.path());
    session_.err().add(" holds no checkpoint yet: the run begins again\n");
  }
  XMC_TRY(work_.remove_search());
  return find_engine_by_name();
}

Status CheckRun::restore_run() {
  XMC_TRY(restore_marker());
  if (resumed_ == nullptr) {
    session_.report.file = marker_.model;
    return begin_again();
  }
  session_.report.file = marker_.model;
  bind_folder();
  XMC_TRY(verify_checkpoint());
  Word checksum[1] = {};
  XMC_TRY(resumed_->words("run.marker", checksum));
  if (checksum[0] != marker_.checksum) {
    return Status::fail(Code::corrupt, "the checkpoint of %.200s is not that of its options",
                        work_.path());
  }
  XMC_LET(const std::string_view name, resumed_->value("run.engine"));
  XMC_LET(engine_, find_engine(name));
  why_ = "that of the run";
  checkpoints_.go_on_from(root_, *resumed_, !took_description_);
  const RunTotals& earlier = checkpoints_.earlier();
  session_.add_earlier(static_cast<double>(earlier.wall_ms) * 1e-3,
                       static_cast<double>(earlier.cpu_ms) * 1e-3);
  if (!session_.options.given(Opt::quiet)) print_resume();
  return work_.remove_file_of(WorkDir::kEnd);
}

// Everything that the checkpoint names is read and checked; if any of it is damaged, the checkpoint
// before is taken, when all of that is sound.
Status CheckRun::verify_checkpoint() {
  struct Asked {
    Watch* watch;
    LongWork work;
  } asked = {&watch_, {}};
  const GoOn go_on = {&asked,
                      [](void* self) {
                        auto& verifying = *static_cast<Asked*>(self);
                        verifying.watch->show_work(verifying.work);
                        if (!stop_requested()) return Status();
                        return Status::fail(Code::stopped,
                                            "told to stop while the checkpoint was verified, which "
                                            "stays as it is");
                      },
                      &asked.work};
  session_.report.resumable = true;
  session_.report.work = place_of_work();
  if (shared_place_[0] != '\0') return {};  // it was found by verifying it
  const Status status = verify_root(*folder_, *resumed_, root_, budget_.arena(), go_on);
  if (status.code() == Code::stopped) early_reason_ = "signal";
  return status;
}

void CheckRun::print_resume() {
  Output& err = session_.err();
  if (root_.fell_back) {
    err.add("note      the last checkpoint is not sound: ").add(root_.passed_over.why.message());
    err.add("; the one before it is used\n");
  }
  if (!shared_.passed_over().ok()) {
    err.add("note      the last checkpoint is not sound: ").add(shared_.passed_over().message());
    err.add("; an earlier one is used\n");
  }
  err.add("resume    ").add(place_of_work());
  err.format(": checkpoint %llu", wide(root_.sequence));
  if (const Result<u64> level = resumed_->number("level"); level.ok())
    err.format(" (level %llu)", wide(level.value()));
  err.add(" is sound");
  FixedText<64> text;
  if (const Result<u64> states = resumed_->number("states"); states.ok())
    err.add("; ").add(text.grouped(states.value()).view()).add(" states");
  const RunTotals earlier = read_totals(*resumed_);
  text.clear();
  text.seconds(static_cast<double>(earlier.wall_ms) * 1e-3);
  err.add("; ").add(text.view()).add(" of work so far\n");
}

// A checker goes on with its own model only.
Status CheckRun::check_same_run(std::string_view text) {
  if (hash_of_text(text) == marker_.model_hash) return {};
  const int length = static_cast<int>(marker_.model.size() < 100 ? marker_.model.size() : 100);
  if (session_.native != nullptr) {
    return Status::fail(Code::usage,
                        "%.100s holds the work of another model, %.*s; this checker is for %.60s",
                        work_.path(), length, marker_.model.data(), session_.native->file);
  }
  return Status::fail(Code::corrupt,
                      "the model text in %.100s is damaged: its hash is %016llx, not "
                      "%016llx",
                      work_.path(), wide(hash_of_text(text)), wide(marker_.model_hash));
}

const Language* CheckRun::language_of_run() const {
  const Language* const named = language_by_name(session_.options.text(Opt::lang));
  return named != nullptr ? named : saved_language(marker_.model);
}

Status CheckRun::read_saved_model(ModelInput& input) {
  Arena& arena = budget_.arena();
  if (session_.native != nullptr) {
    XMC_TRY(read_model(session_, arena, input));
  } else {
    XMC_LET(const char* const path, work_.path_of(WorkDir::kModel));
    XMC_TRY(read_model_file(path, arena, input));
    input.language = language_of_run();
  }
  XMC_TRY(check_same_run(input.text));
  input.file = session_.report.file = marker_.model;
  return read_saved_property(input.property);
}

// It stays in memory: the report shows a formula, and traces are saved with it.
Status CheckRun::read_saved_property(PropertyText& out) {
  out = {};
  if (marker_.property_form.empty()) return {};
  XMC_LET(const char* const path, work_.path_of(WorkDir::kProperty));
  XMC_LET(const u64 size, file_bytes(path));
  const std::span<char> text = budget_.arena().carve_array<char>("property text", size + 1);
  const std::size_t room = text.size() - 1;
  XMC_LET(const u64 got, read_file(path, {reinterpret_cast<u8*>(text.data()), room}));
  out.form = property_form(marker_.property_form);
  out.source = {marker_.property_name, {text.data(), static_cast<std::size_t>(got)}};
  if (hash_of_text(out.source.text) == marker_.property_hash && out.given()) return {};
  return Status::fail(Code::corrupt, "%.200s is not the property that the run was begun with",
                      path);
}

LoadRequest CheckRun::load_request(const ModelInput& input) const {
  LoadRequest request = request_of(session_, input);
  ask_reduction(session_.options, request);
  request.as_cycles = engine_->traits().only_cycles;
  // `auto` goes on with states, whatever it began with.
  const EngineTraits& traits = engine_->traits();
  request.partial = traits.steps_sets && (resumed_ == nullptr || traits.only_checkpoints);
  request.memory = marker_.memory;
  if (!from_work_) return request;
  request.as_begun = true;
  request.for_emit = marker_.emitted;
  const bool one_layout = marker_.emitted || request.errors != ErrorRule::report;
  if (!one_layout) request.native = nullptr;
  return request;
}

// The stored states are those of a program; another version may lower the same text differently.
Status CheckRun::check_same_program() {
  Word program[1] = {};
  XMC_TRY(resumed_->words("run.program", program));
  if (program[0] == program_hash()) return {};
  const Result<std::string_view> tool = resumed_->value("run.tool");
  const std::string_view by = tool.ok() ? tool.value() : "another version";
  return Status::fail(Code::usage,
                      "%.100s was begun by %.*s, which packs the states of this model in another "
                      "way; resume it with that version, or clean it and begin again",
                      work_.path(), static_cast<int>(by.size() < 60 ? by.size() : 60), by.data());
}

void CheckRun::plan_checkpoints() {
  Checkpoints::Job job;
  job.engine = engine_->name();
  job.model_file = marker_.model;
  job.model_hash = model_.text_hash;
  job.program_hash = program_hash();
  job.marker = &marker_;
  job.files = &*files_;
  job.ram_bytes = budget_.ram_limit();
  job.threads = session_.options.number(Opt::threads);
  job.levels = &watch_.levels();
  job.page = page_;
  job.covered = model_.model.covered;
  if (resumed_ != nullptr && job.covered != nullptr) {
    *model_.model.covered = static_cast<u32>(checkpoints_.earlier().covered);
  }
  checkpoints_.plan(session_, *folder_, work_, job, budget_.arena());
  watch_.space().start(session_.options, *folder_, checkpoints_.earlier().bytes_written,
                       budget_.ram_limit());
}

// For status, and for the next run that finds the directory.
void CheckRun::write_end() {
  const Verdict& verdict = session_.report.verdict;
  FixedText<128> text;
  text.add("verdict ").add(verdict.answer_text).add('\n');
  text.add("reason ").add(verdict.reason.empty() ? "none" : verdict.reason).add('\n');
  text.format("exit %u\n", static_cast<unsigned>(verdict.exit));
  if (work_.write_file(WorkDir::kEnd, text.view()).ok()) return;
  // Without it status says "interrupted", which is nearly true.
  static_cast<void>(work_.remove_file_of(WorkDir::kEnd));
}

void CheckRun::close_work() {
  if (!work_.is_open()) return;
  const Exit exit = session_.report.verdict.exit;
  const bool decided = exit == Exit::holds || exit == Exit::violated;
  // A new run that was refused leaves nothing; work of an earlier one is never taken away.
  const bool refused = !from_work_ && (exit == Exit::usage || exit == Exit::model);
  if (!refused && (!decided || session_.options.given(Opt::keep))) {
    // The lock first: on a full disk its block is the one that the end is written to.
    work_.leave();
    // A resume that was refused changed nothing.
    const bool searched = resumed_ == nullptr && exit != Exit::usage && exit != Exit::io;
    if (!from_work_ || checkpoints_.any() || searched) write_end();
  } else {
    bool foreign_left = false;
    const Status status = work_.remove(foreign_left);
    if (!status.ok()) session_.err().add("note      ").add(status.message()).add('\n');
    remove_shared_place();
    if (foreign_left && !session_.options.given(Opt::quiet))
      session_.err().add("note      files that are not ours stay in ").add(work_.path()).add('\n');
  }
  static_cast<void>(session_.err().flush());
}

}  // namespace xmc
