#include "cli/workdir.h"

#include "engine/device_cost.h"
#include "engine/engine.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr const char* kOurFiles[] = {
    WorkDir::kMarker,
    WorkDir::kModel,
    WorkDir::kTrace,
    WorkDir::kCheckpoints[0],
    WorkDir::kCheckpoints[1],
    kQueueFile,
    kUncheckedFile,
    kVisitedFile,
    kPendingFile,
    kCandidatesFile,
    kProbeFile,
    kProbeDataFile,
};

struct Contents {
  bool any = false;
  bool marker = false;
  bool foreign = false;
};

bool note_entry(void* self, const char* name) {
  auto* const contents = static_cast<Contents*>(self);
  const std::string_view entry = name;
  contents->any = true;
  if (entry == WorkDir::kMarker) contents->marker = true;
  bool ours = entry == FolderLock::kName;
  for (const char* known : kOurFiles) ours = ours || entry == known;
  if (!ours) contents->foreign = true;
  return true;
}

}  // namespace

std::span<const char* const> WorkDir::our_files() { return kOurFiles; }

WorkDir::Kind WorkDir::look(const char* path) {
  if (!file_exists(path)) return Kind::absent;
  if (!folder_exists(path)) return Kind::not_a_folder;
  Contents contents;
  // What cannot be listed is not ours to write to.
  if (!list_folder(path, &note_entry, &contents).ok()) return Kind::foreign;
  if (!contents.any) return Kind::empty;
  // Ours without a marker: a run that ended between taking the lock and writing the marker.
  return contents.marker || !contents.foreign ? Kind::ours : Kind::foreign;
}

Result<const char*> WorkDir::path_of(const char* name) {
  const Status status = join_path(file_, path_, name);
  if (!status.ok()) return status;
  return static_cast<const char*>(file_);
}

bool WorkDir::has_checkpoint() {
  for (const char* name : kCheckpoints) {
    const Result<const char*> path = path_of(name);
    if (path.ok() && file_exists(path.value())) return true;
  }
  return false;
}

Status WorkDir::open(const char* path) {
  Text name(path_, kPathBytes);
  name.add(path);
  if (name.cut())
    return Status::fail(Code::usage, "the path of the work directory is longer than %u bytes",
                        kPathBytes);
  switch (look(path)) {
    case Kind::not_a_folder:
      return Status::fail(Code::usage, "the work directory %.160s is a file", path);
    case Kind::foreign:
      return Status::fail(Code::usage,
                          "%.160s has files in it and is not a work directory of xmc-lite; "
                          "give an empty or new one with --work",
                          path);
    case Kind::absent:
      XMC_TRY(make_folder(path));
      break;
    case Kind::empty:
    case Kind::ours:
      break;
  }
  if (const Status status = lock_.acquire(path); !status.ok()) {
    if (status.code() != Code::usage) return status;
    return Status::fail(Code::usage, "%s; wait for it, or give another directory with --work",
                        status.c_str());
  }
  if (has_checkpoint()) {
    lock_.release();
    return Status::fail(Code::usage,
                        "%.120s holds a run that can be continued: xmc-lite resume %.60s, "
                        "or remove it: xmc-lite clean %.60s",
                        path, path, path);
  }
  // What an undecided run left is of no use to this one.
  if (const Result<const char*> old = path_of(kTrace); old.ok()) XMC_TRY(remove_file(old.value()));
  return {};
}

Status WorkDir::open_existing(const char* path) {
  Text name(path_, kPathBytes);
  name.add(path);
  const Kind kind = look(path);
  if (kind == Kind::absent) return Status::fail(Code::usage, "there is no %.200s", path);
  if (kind != Kind::ours && kind != Kind::empty) {
    return Status::fail(Code::usage, "%.200s is not a work directory of xmc-lite", path);
  }
  return lock_.acquire(path);
}

Status WorkDir::write_file(const char* name, std::string_view contents) {
  const Result<const char*> path = path_of(name);
  if (!path.ok()) return path.status();
  OutputFile file;
  XMC_TRY(file.open(path.value()));
  file.write(contents);
  return file.close();
}

Status WorkDir::remove(bool& foreign_left) {
  for (const char* name : kOurFiles) {
    const Result<const char*> path = path_of(name);
    if (!path.ok()) return path.status();
    XMC_TRY(remove_file(path.value()));
  }
  lock_.release();
  foreign_left = look(path_) != Kind::empty;
  return foreign_left ? Status() : remove_folder(path_);
}

Status default_work_path(std::string_view model_file, std::span<char> out) {
  if (const std::size_t slash = model_file.rfind('/'); slash != std::string_view::npos) {
    model_file.remove_prefix(slash + 1);
  }
  for (const std::string_view suffix : {std::string_view(".dve"), std::string_view(".m")}) {
    if (model_file.size() > suffix.size() && model_file.ends_with(suffix)) {
      model_file.remove_suffix(suffix.size());
      break;
    }
  }
  Text path(out.data(), static_cast<u32>(out.size()));
  path.add(model_file).add(".xmc");
  if (path.cut())
    return Status::fail(Code::usage,
                        "the name of the model is too long for a work directory; give --work");
  return {};
}

}  // namespace xmc
