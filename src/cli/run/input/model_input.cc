#include "cli/run/input/model_input.h"

#include <algorithm>
#include <cerrno>

#include "cli/run/input/long_steps.h"
#include "ir/dead.h"
#include "platform/files.h"
#include "platform/signals.h"
#include "xmc/check.h"
#include "xmc/step_work.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// Diagnostics come in pieces, with their line breaks.
void on_diagnostic(void* self, std::string_view text) {
  static_cast<Session*>(self)->err().add(text);
}

// The name is wrong, rather than the device.
bool is_naming_error(int error) {
  return error == ENOENT || error == ENOTDIR || error == EISDIR || error == EACCES ||
         error == EPERM || error == ELOOP || error == ENAMETOOLONG;
}

Status as_usage(const Status& status) {
  if (!is_naming_error(status.os_error())) return status;
  return Status::fail(Code::usage, "%s", status.c_str());
}

Status too_long(const char* path, u64 bytes) {
  return Status::fail(Code::model, "%.200s has %llu bytes; a model has at most %u", path,
                      wide(bytes), limits::kSourceBytes);
}

// Into scratch that doubles: what a pipe will bring is not known before.
Status read_stream(const char* path, Arena& arena, ModelInput& out, const GoOn& go_on) {
  StreamFile file;
  if (const Status status = file.open(path); !status.ok()) return as_usage(status);
  u64 room = u64{64} << 10;
  u64 filled = 0;
  char* text = static_cast<char*>(arena.scratch("model text", room + 1));
  while (true) {
    const std::span<char> rest(text + filled, static_cast<std::size_t>(room - filled));
    XMC_LET(const u64 got, file.read({reinterpret_cast<u8*>(rest.data()), rest.size()}, go_on));
    if (got == 0) break;
    filled += got;
    if (filled < room) continue;
    if (room >= limits::kSourceBytes) return too_long(path, filled);
    const char* const before = text;
    arena.scratch_release(out.scratch_mark);
    room *= 2;
    // Scratch grows downwards, over what it was: the text moves to a lower place.
    text = static_cast<char*>(arena.scratch("model text", room + 1));
    std::copy(before, before + filled, text);
  }
  text[filled] = '\0';
  out.text = {text, static_cast<std::size_t>(filled)};
  return {};
}

// A file that the model includes, to stay, since scratch is in use meanwhile.
bool read_included(void* self, std::string_view name, std::string_view& text) {
  Arena& arena = *static_cast<Arena*>(self);
  char path[kPathBytes];
  Text copy(path, kPathBytes);
  copy.add(name);
  if (copy.cut() || folder_exists(path)) return false;
  const Result<u64> size = file_bytes(path);
  if (!size.ok() || size.value() > limits::kSourceBytes) return false;
  const std::span<char> bytes = arena.carve_array<char>("model text", size.value() + 1);
  const std::size_t room = bytes.size() - 1;
  const Result<u64> got = read_file(path, {reinterpret_cast<u8*>(bytes.data()), room});
  if (!got.ok()) return false;
  text = {bytes.data(), static_cast<std::size_t>(got.value())};
  return true;
}

// For a run that waits for its model.
Status still_wanted(void* self) {
  const Session& session = *static_cast<const Session*>(self);
  if (stop_requested()) {
    return Status::fail(Code::stopped, "stopped by signal %d while the model was being read",
                        stop_signal());
  }
  const Options& options = session.options;
  if (!options.given(Opt::time) ||
      session.wall_s() < static_cast<double>(options.number(Opt::time)))
    return {};
  return Status::fail(Code::stopped, "the time limit was reached while the model was being read");
}

}  // namespace

ErrorRule error_rule(std::string_view name) {
  if (name == "beem") return ErrorRule::beem;
  if (name == "stop") return ErrorRule::stop;
  XMC_CHECK(name == "report");
  return ErrorRule::report;
}

Status read_model_file(const char* path, Arena& arena, ModelInput& out, const GoOn& go_on) {
  if (folder_exists(path))
    return Status::fail(Code::usage, "%.200s is a directory, not a model", path);
  const Result<u64> size = file_bytes(path);
  if (!size.ok()) return as_usage(size.status());
  if (size.value() > limits::kSourceBytes) return too_long(path, size.value());
  out.file = path;
  out.scratch_mark = arena.scratch_mark();
  if (is_stream(path)) return read_stream(path, arena, out, go_on);
  char* const text = static_cast<char*>(arena.scratch("model text", size.value() + 1));
  const Result<u64> got =
      read_file(path, {reinterpret_cast<u8*>(text), static_cast<std::size_t>(size.value())});
  if (!got.ok()) return as_usage(got.status());
  text[got.value()] = '\0';
  out.text = {text, static_cast<std::size_t>(got.value())};
  return {};
}

// By --lang, or by the suffix of the file.
Status find_language(const Options& options, std::string_view file, const Language*& out) {
  const bool named = options.text(Opt::lang) != "auto";
  out = named ? language_by_name(options.text(Opt::lang)) : language_by_suffix(file);
  if (out != nullptr) return {};
  // Options take no name that is not in the table.
  XMC_CHECK(!named);
  FixedText<128> suffixes;
  FixedText<128> names;
  for (const Language& language : languages()) {
    names.add(names.size() == 0 ? "" : "|").add(language.name);
    for (const std::string_view suffix : language.suffixes)
      suffixes.add(suffixes.size() == 0 ? "" : ", ").add(suffix);
  }
  return Status::fail(Code::usage,
                      "the language of %.*s is not known by its suffix (%s); say --lang %s",
                      static_cast<int>(file.size() < 160 ? file.size() : 160), file.data(),
                      suffixes.c_str(), names.c_str());
}

Status read_model(Session& session, Arena& arena, ModelInput& out) {
  if (session.native != nullptr) {
    for (const Opt option : {Opt::define, Opt::max_procs}) {
      if (!session.options.given(option)) continue;
      return Status::fail(Code::usage, "a checker has --%s of when it was built; build another one",
                          info_of(option).name.data());
    }
    out.file = session.native->file;
    out.language = language_by_name(session.native->language);
    out.text = {session.native->text, session.native->text_bytes};
    out.scratch_mark = arena.scratch_mark();
    session.report.file = out.file;
    return read_property(session, arena, out);
  }
  session.report.file = session.options.operand();
  XMC_TRY(find_language(session.options, session.options.operand(), out.language));
  XMC_TRY(read_model_file(session.options.operand().data(), arena, out, {&session, &still_wanted}));
  XMC_TRY(gather_model(session.options, arena, out));
  return read_property(session, arena, out);
}

Status gather_model(const Options& options, Arena& arena, ModelInput& input) {
  if (input.language->gather == nullptr) {
    for (const Opt option : {Opt::define, Opt::max_procs}) {
      if (!options.given(option)) continue;
      return Status::fail(Code::usage, "--%s is for Promela models", info_of(option).name.data());
    }
    return {};
  }
  GatherRequest request;
  request.file = input.file;
  request.definitions = options.list(Opt::define);
  if (options.given(Opt::max_procs))
    request.max_processes = static_cast<u32>(options.number(Opt::max_procs));
  request.read = read_included;
  request.self = &arena;
  return input.language->gather(request, arena, input.text);
}

Status read_property(Session& session, Arena& arena, ModelInput& out) {
  const Options& options = session.options;
  if (options.given(Opt::ltl)) {
    out.property = {PropertyForm::ltl, {"--ltl", options.text(Opt::ltl)}};
    return {};
  }
  for (const Opt option : {Opt::hoa, Opt::never}) {
    if (!options.given(option)) continue;
    ModelInput file;
    XMC_TRY(read_model_file(options.c_str(option), arena, file, {&session, &still_wanted}));
    const std::span<char> text = arena.carve_array<char>("property text", file.text.size());
    std::copy(file.text.begin(), file.text.end(), text.begin());
    file.release(arena);
    out.property = {option == Opt::hoa ? PropertyForm::hoa : PropertyForm::never,
                    {file.file, {text.data(), text.size()}}};
    return {};
  }
  const NativeModel* const native = session.native;
  const bool chosen = std::any_of(std::begin(kGoals), std::end(kGoals),
                                  [&](Opt option) { return options.given(option); });
  if (native == nullptr || native->property_form == nullptr || chosen) return {};
  out.property = {property_form(native->property_form),
                  {native->property_name, {native->property, native->property_bytes}}};
  return {};
}

LoadRequest request_of(const Session& session, const ModelInput& input) {
  const Options& options = session.options;
  LoadRequest request;
  request.file = input.file;
  request.text = input.text;
  request.language = input.language;
  request.errors = error_rule(options.text(Opt::errors));
  if (options.given(Opt::property)) request.property = options.text(Opt::property);
  if (options.given(Opt::invariant)) request.invariant = options.text(Opt::invariant);
  if (options.given(Opt::reach)) request.reach = options.text(Opt::reach);
  request.ignore_property = options.given(Opt::invariant) || options.given(Opt::reach);
  request.elsewhere = input.property;
  request.fair = options.text(Opt::fairness) == "weak";
  request.rumur = options.text(Opt::dialect) == "rumur";
  request.symmetry = options.text(Opt::symmetry) == "exact";
  request.native = session.native;
  return request;
}

Status load(Session& session, const LoadRequest& request, Arena& arena, LoadedModel& out) {
  limit_steps(session.options.number(Opt::step_work));
  const Status status =
      told_stop(load_model(request, &on_diagnostic, &session, arena, out), out.text);
  static_cast<void>(session.err().flush());
  if (!status.ok()) return status;
  session.report.language = out.text.language;
  session.report.state_bits = out.model.state_bits;
  ReductionReport& reduction = session.report.reduction;
  reduction.kind = out.dead != nullptr && out.dead->cell_count != 0 ? "dead" : "off";
  if (out.dead != nullptr) {
    reduction.dead_values = out.dead->cell_count;
    reduction.resets = out.dead->reset_count;
    reduction.dropped = out.dead->dropped_count;
    reduction.bits_before = out.whole->state_bits;
  }
  session.report.fairness = out.fair ? "weak" : "none";
  const bool bad_prefixes = out.elsewhere.given();
  if (!request.fair || out.fair || bad_prefixes) return {};
  return Status::fail(Code::usage,
                      "--fairness is for properties of whole runs: a property process, --ltl, "
                      "--hoa or --never; every finite run goes on in some fair one, so that "
                      "deadlocks, assertions, --invariant and --reach do not depend on it");
}

Goal goal_of(const Options& options, const LoadedModel& model) {
  const std::string_view asked = options.text(Opt::deadlock);
  Goal goal;
  if (model.elsewhere.given()) {
    goal.kind = model.elsewhere.form == PropertyForm::ltl ? "ltl" : "buchi";
    goal.text = model.elsewhere.shown();
  } else if (model.model.buchi) {
    goal.kind = "buchi";
    goal.text = model.text.property;
  } else if (options.given(Opt::invariant)) {
    goal.kind = "invariant";
    goal.text = options.text(Opt::invariant);
  } else if (options.given(Opt::reach)) {
    goal.kind = "reachability";
    goal.text = options.text(Opt::reach);
  } else if (asked != "off") {
    goal.kind = "deadlock";
    goal.text = model.has_assertions ? "no deadlock, every assertion true" : "no deadlock";
  } else if (model.has_assertions) {
    goal.kind = "invariant";
    goal.text = "every assertion true";
  } else {
    goal.kind = "reachability";
  }
  const bool by_default = goal.kind == "deadlock";
  goal.deadlock = DeadlockRule::ignore;
  if (asked == "auto" && by_default)
    goal.deadlock = model.stuttering ? DeadlockRule::stuttering : DeadlockRule::stuck;
  if (asked == "stuck") goal.deadlock = DeadlockRule::stuck;
  if (asked == "stuttering") goal.deadlock = DeadlockRule::stuttering;
  return goal;
}

}  // namespace xmc
