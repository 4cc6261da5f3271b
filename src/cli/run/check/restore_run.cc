// Going on from the work of an earlier run: its options, a checkpoint that is verified, and the
// model that it was begun with.
#include "cli/run/check/earlier_run.h"
#include "cli/run/input/saved_input.h"
#include "engine/registry.h"
#include "ir/ir.h"
#include "platform/signals.h"
#include "store/checkpoint/verified_root.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// The whole file, with room for one more byte behind it: it is taken apart in place.
Result<std::span<char>> read_to_stay(const char* path, const char* name, Arena& arena) {
  XMC_LET(const u64 size, file_bytes(path));
  const std::span<char> text = arena.carve_array<char>(name, size + 1);
  const std::size_t room = text.size() - 1;
  XMC_LET(const u64 got, read_file(path, {reinterpret_cast<u8*>(text.data()), room}));
  return text.first(static_cast<std::size_t>(got));
}

Status restore_marker(Options& options, WorkPlace& place, u64 kept_marker, Arena& arena) {
  XMC_LET(const char* const path, place.dir.path_of(WorkDir::kMarker));
  XMC_LET(const std::span<char> text, read_to_stay(path, "options of the run", arena));
  XMC_TRY(read_marker(text.data(), text.size(), place.marker, options));
  XMC_LET(const char* const kept, place.dir.path_of(WorkDir::kKept));
  if (kept_marker != place.marker.checksum && place.dir.has(WorkDir::kKept)) {
    return Status::fail(Code::corrupt, "%.200s belongs to another run", kept);
  }
  // Now, not with the next checkpoint: what restores the run may be stopped, too.
  if (!options.gives_kept()) return {};
  return write_kept(kept, place.marker.checksum, options, true);
}

// Nothing of the search is worth keeping before the first checkpoint; which run it is is.
Status begin_again(Session& session, WorkPlace& place, EngineUse& use) {
  if (!session.options.given(Opt::quiet)) {
    session.err().add("note      ").add(place.dir.path());
    session.err().add(" holds no checkpoint yet: the run begins again\n");
  }
  XMC_TRY(place.dir.remove_search());
  return find_engine_of(session.options, use);
}

// Everything that the checkpoint names is read and checked; if any of it is damaged, the checkpoint
// before is taken, when all of that is sound.
Status verify_checkpoint(const WorkPlace& place, EarlierRun& earlier, Arena& arena, Watch& watch) {
  struct Verifying {
    Watch* watch;
    LongWork work;
  } verifying = {&watch, {}};
  const GoOn go_on = {&verifying,
                      [](void* self) {
                        auto& now = *static_cast<Verifying*>(self);
                        now.watch->show_work(now.work);
                        if (!stop_requested()) return Status();
                        return Status::fail(Code::stopped,
                                            "told to stop while the checkpoint was verified, which "
                                            "stays as it is");
                      },
                      &verifying.work};
  const Status status = verify_root(*place.folder, *earlier.lines, earlier.root, arena, go_on);
  if (status.code() == Code::stopped) earlier.ended = "signal";
  return status;
}

void print_resume(Output& err, const WorkPlace& place, const EarlierRun& earlier) {
  const Root& root = earlier.root;
  if (root.fell_back) {
    err.add("note      the last checkpoint is not sound: ").add(root.passed_over.why.message());
    err.add("; the one before it is used\n");
  }
  const Status& passed_over = earlier.shared.passed_over();
  if (!passed_over.ok()) {
    err.add("note      the last checkpoint is not sound: ").add(passed_over.message());
    err.add("; an earlier one is used\n");
  }
  err.add("resume    ").add(place.path());
  err.format(": checkpoint %llu", wide(root.sequence));
  if (const Result<u64> level = earlier.lines->number("level"); level.ok())
    err.format(" (level %llu)", wide(level.value()));
  err.add(" is sound");
  FixedText<64> text;
  if (const Result<u64> states = earlier.lines->number("states"); states.ok())
    err.add("; ").add(text.grouped(states.value()).view()).add(" states");
  text.clear();
  text.seconds(static_cast<double>(read_totals(*earlier.lines).wall_ms) * 1e-3);
  err.add("; ").add(text.view()).add(" of work so far\n");
}

// It stays in memory: the report shows a formula, and traces are saved with it.
Status read_saved_property(WorkPlace& place, Arena& arena, PropertyText& out) {
  const RunMarker& marker = place.marker;
  out = {};
  if (marker.property_form.empty()) return {};
  XMC_LET(const char* const path, place.dir.path_of(WorkDir::kProperty));
  XMC_LET(const std::span<char> text, read_to_stay(path, "property text", arena));
  out.form = property_form(marker.property_form);
  out.source = {marker.property_name, {text.data(), text.size()}};
  if (hash_of_text(out.source.text) == marker.property_hash && out.given()) return {};
  return Status::fail(Code::corrupt, "%.200s is not the property that the run was begun with",
                      path);
}

// A checker goes on with its own model only.
Status check_same_run(const NativeModel* native, const WorkPlace& place, std::string_view text) {
  const RunMarker& marker = place.marker;
  if (hash_of_text(text) == marker.model_hash) return {};
  const int length = static_cast<int>(marker.model.size() < 100 ? marker.model.size() : 100);
  if (native != nullptr) {
    return Status::fail(Code::usage,
                        "%.100s holds the work of another model, %.*s; this checker is for %.60s",
                        place.dir.path(), length, marker.model.data(), native->file);
  }
  return Status::fail(Code::corrupt,
                      "the model text in %.100s is damaged: its hash is %016llx, not "
                      "%016llx",
                      place.dir.path(), wide(hash_of_text(text)), wide(marker.model_hash));
}

}  // namespace

Status restore_run(const Asked& asked, WorkPlace& place, EarlierRun& earlier, Arena& arena,
                   Watch& watch, Checkpoints& checkpoints, EngineUse& use) {
  Session& session = asked.session;
  XMC_TRY(restore_marker(session.options, place, earlier.kept_marker, arena));
  session.report.file = place.marker.model;
  if (earlier.lines == nullptr) return begin_again(session, place, use);
  bind_folder(place);
  session.report.resumable = true;
  session.report.work = place.path();
  // That of several processes was found by verifying it.
  if (!place.shared.given()) XMC_TRY(verify_checkpoint(place, earlier, arena, watch));
  Word checksum[1] = {};
  XMC_TRY(earlier.lines->words("run.marker", checksum));
  if (checksum[0] != place.marker.checksum) {
    return Status::fail(Code::corrupt, "the checkpoint of %.200s is not that of its options",
                        place.dir.path());
  }
  XMC_LET(const std::string_view name, earlier.lines->value("run.engine"));
  XMC_LET(use.engine, find_engine(name));
  use.why = "that of the run";
  checkpoints.go_on_from(earlier.root, *earlier.lines, !earlier.took_description);
  const RunTotals& totals = checkpoints.earlier();
  session.add_earlier(static_cast<double>(totals.wall_ms) * 1e-3,
                      static_cast<double>(totals.cpu_ms) * 1e-3);
  if (!asked.given(Opt::quiet)) print_resume(session.err(), place, earlier);
  return place.dir.remove_file_of(WorkDir::kEnd);
}

const Language* language_of_run(const Options& options, const RunMarker& marker) {
  const Language* const named = language_by_name(options.text(Opt::lang));
  return named != nullptr ? named : saved_language(marker.model);
}

Status read_saved_model(Session& session, WorkPlace& place, Arena& arena, ModelInput& input) {
  if (session.native != nullptr) {
    XMC_TRY(read_model(session, arena, input));
  } else {
    XMC_LET(const char* const path, place.dir.path_of(WorkDir::kModel));
    XMC_TRY(read_model_file(path, arena, input));
    input.language = language_of_run(session.options, place.marker);
  }
  XMC_TRY(check_same_run(session.native, place, input.text));
  input.file = session.report.file = place.marker.model;
  return read_saved_property(place, arena, input.property);
}

Status check_same_program(const WorkPlace& place, const Manifest& lines, u64 program_hash) {
  Word program[1] = {};
  XMC_TRY(lines.words("run.program", program));
  if (program[0] == program_hash) return {};
  const Result<std::string_view> tool = lines.value("run.tool");
  const std::string_view by = tool.ok() ? tool.value() : "another version";
  return Status::fail(Code::usage,
                      "%.100s was begun by %.*s, which packs the states of this model in another "
                      "way; resume it with that version, or clean it and begin again",
                      place.dir.path(), static_cast<int>(by.size() < 60 ? by.size() : 60),
                      by.data());
}

}  // namespace xmc
