#include "cli/run/output/outputs.h"

#include "cli/run/work/work_name.h"
#include "cli/run/work/workdir.h"
#include "lang/language.h"
#include "xmc/text.h"

namespace xmc {

namespace {

struct Named {
  const char* option = "";
  const char* path = "";
};

// Where a name leads: a file that is there, or a name in a folder.
struct Place {
  FileIdentity file;
  FileIdentity folder;
  char folder_path[kPathBytes];
  char path[kPathBytes];

  Status find(const char* named) {
    XMC_TRY(follow_links(named, path));
    XMC_TRY(parent_folder(path, folder_path));
    file = identity_of(path);
    folder = identity_of(folder_path);
    return {};
  }
  std::string_view name() const {
    const std::string_view whole = path;
    return piece_of(whole, whole.rfind('/') + 1);
  }
  bool same_as(const Place& other) const {
    if (file.exists || other.file.exists) return file.regular && file.same_as(other.file);
    return folder.same_as(other.folder) && name() == other.name();
  }
};

// Streams may be shared, and there is nothing in them to lose.
bool is_file(const char* path) { return std::string_view(path) != "-" && !is_stream(path); }

class OutputList {
 public:
  explicit OutputList(const Options& options) {
    if (options.given(Opt::json)) add("--json", options.c_str(Opt::json));
    if (options.given(Opt::levels)) add("--levels", options.c_str(Opt::levels));
    if (options.given(Opt::report)) add("--report", options.c_str(Opt::report));
    if (options.given(Opt::output)) add("--output", options.c_str(Opt::output));
    for (const std::string_view path : options.traces()) add("--trace", path.data());
  }
  u32 count() const { return count_; }
  const Named& operator[](u32 i) const { return named_[i]; }

 private:
  void add(const char* option, const char* path) { named_[count_++] = {option, path}; }

  Named named_[kTraceFiles + 4];
  u32 count_ = 0;
};

Status refuse_input(const Named& output, const Place& place, const Named& input) {
  Place other;
  if (input.path == nullptr || input.path[0] == '\0' || !other.find(input.path).ok()) return {};
  if (!other.file.regular || !place.same_as(other)) return {};
  return Status::fail(Code::usage,
                      "%s %.120s is the %s %.80s, which would be lost; give another FILE",
                      output.option, output.path, input.option, input.path);
}

// The folder of a run is its own, there or not yet.
Status refuse_work(const Session& session, const Named& output, const Place& place) {
  if (!WorkDir::is_ours(place.name())) return {};
  const Options& options = session.options;
  bool inside = WorkDir::look(place.folder_path) == WorkDir::Kind::ours;
  WorkName by_default;
  const char* work = nullptr;
  if (options.given(Opt::work)) {
    work = options.c_str(Opt::work);
  } else if (options.command() == Command::check) {
    by_default.choose(session.native != nullptr ? session.native->file : options.operand(),
                      options);
    work = by_default.numbered(1);
  }
  if (work != nullptr && identity_of(work).same_as(place.folder)) inside = true;
  if (!inside) return {};
  return Status::fail(Code::usage,
                      "%s %.160s is a file of the work directory itself; give another FILE",
                      output.option, output.path);
}

Status check_one(const Session& session, const Named& output) {
  if (!is_file(output.path)) return OutputFile::try_beside(output.path);
  const Options& options = session.options;
  Place place;
  XMC_TRY(place.find(output.path));
  const std::string_view operand = info_of(options.command()).operand;
  const bool operand_is_file = operand != "WORKDIR" && operand != "[FORMULA]";
  const Named inputs[] = {
      {"model", session.native == nullptr && operand_is_file ? options.operand().data() : nullptr},
      {"argument file", options.argument_file()},
      {"script", options.given(Opt::script) ? options.c_str(Opt::script) : nullptr},
      {"automaton", options.given(Opt::hoa) ? options.c_str(Opt::hoa) : nullptr},
      {"claim", options.given(Opt::never) ? options.c_str(Opt::never) : nullptr}};
  for (const Named& input : inputs) XMC_TRY(refuse_input(output, place, input));
  if (place.file.regular && language_by_suffix(output.path) != nullptr) {
    return Status::fail(Code::usage,
                        "%s %.160s has the name of a model and is there already; give another FILE",
                        output.option, output.path);
  }
  XMC_TRY(refuse_work(session, output, place));
  return OutputFile::try_beside(output.path);
}

}  // namespace

Status check_not_same(const char* option, const char* output, const char* input) {
  if (!is_file(output)) return {};
  Place place;
  XMC_TRY(place.find(output));
  return refuse_input({option, output}, place, {"file", input});
}

// A page is written again and again.
Status check_report(const Options& options) {
  if (!options.given(Opt::report) || is_file(options.c_str(Opt::report))) return {};
  return Status::fail(Code::usage, "--report %.160s is no file, and a page is written many times",
                      options.c_str(Opt::report));
}

Status check_outputs(Session& session) {
  XMC_TRY(check_report(session.options));
  const OutputList outputs(session.options);
  for (u32 i = 0; i < outputs.count(); ++i) {
    Status status = check_one(session, outputs[i]);
    Place first;
    for (u32 j = 0; status.ok() && j < i; ++j) {
      Place second;
      if (!is_file(outputs[i].path) || !is_file(outputs[j].path)) continue;
      XMC_TRY(first.find(outputs[i].path));
      XMC_TRY(second.find(outputs[j].path));
      if (!first.same_as(second)) continue;
      status = Status::fail(Code::usage, "%s %.120s and %s %.120s are one file; give two",
                            outputs[j].option, outputs[j].path, outputs[i].option, outputs[i].path);
    }
    if (status.ok()) continue;
    if (outputs[i].path == session.options.c_str(Opt::json)) session.refuse_json();
    return status;
  }
  session.accept_json();
  return {};
}

bool is_place_of_result(const char* path) {
  if (!is_file(path)) return true;
  if (language_by_suffix(path) != nullptr) return false;
  const FileIdentity there = identity_of(path);
  if (!there.exists) return true;
  u8 first[1] = {};
  const Result<u64> got = there.regular ? read_beginning(path, first) : Result<u64>(u64{0});
  return there.regular && got.ok() && (got.value() == 0 || first[0] == '{');
}

}  // namespace xmc
