// Finding the work of an earlier run: its limits and outputs, and the checkpoint to go on from.
#include "cli/run/check/earlier_run.h"

#include "cli/run/output/outputs.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// A run that has written all that it may is not restored just to write one more checkpoint.
Status check_wear(const Asked& asked, const WorkPlace& place, EarlierRun& earlier) {
  const Options& options = asked.options();
  const u64 written = read_totals(*earlier.lines).bytes_written + earlier.root.bytes;
  if (!options.given(Opt::wear_limit) || written < options.number(Opt::wear_limit)) return {};
  asked.session.report.resumable = true;
  asked.session.report.work = place.path();
  earlier.ended = "wear-limit";
  FixedText<32> amount;
  amount.bytes(written);
  return Status::fail(Code::stopped,
                      "the run has written %s, and its --wear-limit is %llu bytes; give a larger "
                      "--wear-limit",
                      amount.c_str(), wide(options.number(Opt::wear_limit)));
}

Status find_checkpoint(const Asked& asked, WorkPlace& place, EarlierRun& earlier) {
  XMC_TRY(start_folder(asked.session, place, place.dir.path()));
  XMC_LET(earlier.root, load_root(*place.folder, *earlier.lines));
  return take_checkpoint(asked, place, earlier);
}

}  // namespace

bool EarlierRun::was_divided() const {
  if (lines == nullptr) return false;
  if (shared.divides_anew()) return true;
  const Result<u64> owners = lines->number("owners");
  return (owners.ok() && owners.value() > 1) || lines->has("division");
}

// They are there before the arena, because --ram is one of them.
Status restore_kept(Options& options, WorkPlace& place, EarlierRun& earlier) {
  static char text[kKeptOptionBytes + 1];
  if (!place.dir.has(WorkDir::kKept)) return {};
  XMC_LET(const char* const path, place.dir.path_of(WorkDir::kKept));
  const Result<u64> got = read_file(path, {reinterpret_cast<u8*>(text), kKeptOptionBytes});
  Status status = got.status();
  if (got.ok()) status = read_kept(text, got.value(), earlier.kept_marker, options);
  if (status.ok() || status.code() == Code::usage) return status;
  return Status::fail(Code::corrupt,
                      "%.160s, which has the limits and outputs of the run, is damaged; to go on "
                      "without them, remove it",
                      path);
}

Status check_kept_outputs(Session& session) {
  const Status status = check_outputs(session);
  if (status.code() != Code::io) return status;
  // On another machine, perhaps.
  return Status::fail(Code::io, "%s; outputs are kept with the run, and may be given anew",
                      status.c_str());
}

Status take_checkpoint(const Asked& asked, const WorkPlace& place, EarlierRun& earlier) {
  XMC_LET(const u64 ram, earlier.lines->number("run.ram"));
  asked.session.options.restore_number(Opt::ram, ram);
  if (const Result<u64> threads = earlier.lines->number("run.threads"); threads.ok()) {
    asked.session.options.restore_number(Opt::threads, threads.value());
  }
  return check_wear(asked, place, earlier);
}

Status find_run(const Asked& asked, WorkPlace& place, EarlierRun& earlier) {
  const char* path = asked.options().operand().data();
  XMC_TRY(find_place_of_process(asked, place.shared, path));
  if (place.shared.given()) return find_shared_run(asked, place, earlier);
  WorkDir& dir = place.dir;
  XMC_TRY(dir.open_existing(path));
  XMC_TRY(restore_kept(asked.session.options, place, earlier));
  XMC_TRY(check_kept_outputs(asked.session));
  if (dir.has_checkpoint()) return find_checkpoint(asked, place, earlier);
  if (dir.has(WorkDir::kMarker) && dir.has(WorkDir::kModel) && !dir.has_verdict()) {
    earlier.lines = nullptr;
    return {};
  }
  return Status::fail(Code::usage,
                      "%.100s holds no checkpoint, so there is nothing to go on from; begin "
                      "again: xmc-lite check --work %.100s MODEL",
                      path, path);
}

}  // namespace xmc
