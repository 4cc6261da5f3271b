#include "cli/run/work/workdir.h"

#include <algorithm>
#include <iterator>

#include "cli/run/work/run_marker.h"
#include "engine/measure/device_cost.h"
#include "engine/registry.h"
#include "lang/language.h"
#include "platform/held_space.h"
#include "report/verdict.h"
#include "xmc/check.h"
#include "xmc/engine.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// Every file that this program makes in a work directory, beside those of engines.
constexpr EngineFile kOurFiles[] = {
    {WorkDir::kMarker}, {WorkDir::kKept},    {WorkDir::kModel},          {WorkDir::kTrace},
    {WorkDir::kEnd},    {FolderLock::kName}, {WorkDir::kCheckpoints[0]}, {WorkDir::kCheckpoints[1]},
    {kProbeFile},       {kProbeDataFile},    {WorkDir::kProperty},       {WorkDir::kHistory},
};

bool is_number(std::string_view text) {
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
  }
  return !text.empty();
}

// Without what stands in front of the files of one owner of several: "1-queue", "2.1-queue".
std::string_view without_owner(std::string_view name) {
  const std::size_t dash = name.find('-');
  if (dash == std::string_view::npos) return name;
  std::string_view prefix = piece_of(name, 0, dash);
  const std::size_t dot = prefix.find('.');
  const bool divided = dot == std::string_view::npos || is_number(piece_of(prefix, 0, dot));
  if (dot != std::string_view::npos) prefix.remove_prefix(dot + 1);
  if (!divided || !is_number(prefix)) return name;
  return piece_of(name, dash + 1);
}

bool matches(const EngineFile& our, std::string_view name) {
  const std::string_view own = our.name;
  if (!name.starts_with(own)) return false;
  name.remove_prefix(own.size());
  return name.empty() || (our.numbered && name[0] == '.' && is_number(piece_of(name, 1)));
}

struct Contents {
  bool any = false;
  bool marker = false;
  bool beside_lock = false;  // anything but a lock
};

bool note_entry(void* self, const char* name) {
  auto* const contents = static_cast<Contents*>(self);
  const std::string_view entry = name;
  contents->any = true;
  if (entry == WorkDir::kMarker) contents->marker = true;
  if (entry != FolderLock::kName) contents->beside_lock = true;
  return true;
}

struct Removal {
  const char* folder;
  bool all;  // also what says which run it is
  Status status;
};

struct Move {
  const char* from;
  const char* to;
  Status status;
};

Status move_file(const Move& move, const char* name) {
  char from[kPathBytes];
  char to[kPathBytes];
  XMC_TRY(join_path(from, move.from, name));
  XMC_TRY(join_path(to, move.to, name));
  return is_regular_file(from) ? rename_file(from, to) : Status();
}

bool move_entry(void* self, const char* name) {
  Move& move = *static_cast<Move*>(self);
  const std::string_view entry = name;
  const bool stays = entry == WorkDir::kMarker || entry == FolderLock::kName;
  if (!stays && WorkDir::is_ours(entry)) move.status = move_file(move, name);
  return move.status.ok();
}

bool is_of_run(std::string_view name) {
  return name == WorkDir::kMarker || name == WorkDir::kKept || name == WorkDir::kModel ||
         name == WorkDir::kProperty;
}

bool remove_entry(void* self, const char* name) {
  Removal& removal = *static_cast<Removal*>(self);
  const std::string_view entry = name;
  // The marker goes last but one, so that what is left is known to be ours; the lock goes when it
  // is released.
  if (entry == WorkDir::kMarker || entry == FolderLock::kName) return true;
  if (!WorkDir::is_ours(entry) || (!removal.all && is_of_run(entry))) return true;
  char path[kPathBytes];
  removal.status = join_path(path, removal.folder, name);
  // We make no links, folders or pipes.
  if (removal.status.ok() && is_regular_file(path)) removal.status = remove_file(path);
  return removal.status.ok();
}

}  // namespace

bool WorkDir::is_ours(std::string_view name) {
  // What Folder::replace was writing when the power failed.
  constexpr std::string_view kAside = ".new";
  if (name.ends_with(kAside)) name.remove_suffix(kAside.size());
  if (name == HeldSpace::kName) return true;
  const auto is_one = [&](const EngineFile& our) { return matches(our, name); };
  if (std::any_of(std::begin(kOurFiles), std::end(kOurFiles), is_one)) return true;
  name = without_owner(name);
  return std::any_of(all_engines().begin(), all_engines().end(), [&](const EngineInfo& engine) {
    const std::span<const EngineFile> files = engine.traits->files;
    return std::any_of(files.begin(), files.end(), is_one);
  });
}

WorkDir::Kind WorkDir::look(const char* path) {
  if (!file_exists(path)) return Kind::absent;
  if (!folder_exists(path)) return Kind::not_a_folder;
  Contents contents;
  // What cannot be listed is not ours to write to, unless it has just been removed.
  if (!list_folder(path, &note_entry, &contents).ok()) {
    return file_exists(path) ? Kind::foreign : Kind::absent;
  }
  if (!contents.any) return Kind::empty;
  char marker[kPathBytes];
  if (contents.marker && join_path(marker, path, kMarker).ok()) {
    if (is_marker(marker)) return Kind::ours;
    // Its run is removing it; the marker goes last but one, so this ends.
    if (!file_exists(marker)) return look(path);
  }
  // Ours without a marker: between taking the lock and writing the marker, or after removing it.
  if (contents.beside_lock) return Kind::foreign;
  const bool ours = FolderLock::is_ours(path) || FolderLock::holder(path).running;
  return ours ? Kind::ours : Kind::foreign;
}

Result<const char*> WorkDir::path_of(const char* name) {
  const Status status = join_path(file_, path_, name);
  if (!status.ok()) return status;
  return static_cast<const char*>(file_);
}

bool WorkDir::has(const char* name) {
  const Result<const char*> path = path_of(name);
  return path.ok() && file_exists(path.value());
}

bool WorkDir::has_checkpoint() { return has(kCheckpoints[0]) || has(kCheckpoints[1]); }

bool WorkDir::has_verdict() {
  const Result<const char*> path = path_of(kEnd);
  u8 text[256];
  const Result<u64> got = path.ok() ? read_file(path.value(), text) : path.status();
  Manifest end;
  if (!got.ok()) return false;
  const std::size_t size = static_cast<std::size_t>(got.value());
  if (!end.assign({reinterpret_cast<const char*>(text), size})) return false;
  const Result<u64> exit = end.number("exit");
  return exit.ok() && exit.value() <= static_cast<u64>(Exit::violated);
}

Status WorkDir::set_path(const char* path) {
  Text name(path_, kPathBytes);
  name.add(path);
  if (!name.cut()) return {};
  return Status::fail(Code::usage, "the path of the work directory is longer than %u bytes",
                      kPathBytes);
}

Status WorkDir::refuse_foreign(Kind kind) const {
  if (kind == Kind::not_a_folder)
    return Status::fail(Code::usage, "the work directory %.160s is a file", path_);
  if (kind != Kind::foreign) return {};
  return Status::fail(Code::usage,
                      "%.160s has files in it and is not a work directory of xmc-lite; "
                      "give an empty or new one with --work",
                      path_);
}

Status WorkDir::refuse_unfinished() {
  if (!has_checkpoint() || has_verdict()) return {};
  return Status::fail(Code::usage,
                      "%.120s holds a run that can be continued: xmc-lite resume %.60s, "
                      "or remove it: xmc-lite clean %.60s",
                      path_, path_, path_);
}

Status WorkDir::look_at(const char* path, Kind& kind) {
  XMC_TRY(set_path(path));
  kind = look(path);
  in_use_ = false;
  XMC_TRY(refuse_foreign(kind));
  if (kind == Kind::absent) return {};
  if (const FolderLock::Holder holder = FolderLock::holder(path); holder.running) {
    in_use_ = true;
    return Status::fail(Code::io,
                        "%.160s is in use: held by pid %llu; wait for it, or give another "
                        "directory with --work",
                        path, wide(holder.pid));
  }
  return refuse_unfinished();
}

Status WorkDir::open(const char* path) {
  XMC_TRY(set_path(path));
  XMC_TRY(refuse_foreign(look(path)));
  if (const Status status = make_and_lock(); !status.ok()) {
    if (!in_use_) return status;
    return Status::fail(Code::io, "%s; wait for it, or give another directory with --work",
                        status.c_str());
  }
  if (const Status status = refuse_unfinished(); !status.ok()) {
    lock_.release();
    return status;
  }
  // What an earlier run left is of no use to this one.
  return remove_files(true);
}

Status WorkDir::open_existing(const char* path) {
  XMC_TRY(set_path(path));
  const Kind kind = look(path);
  if (kind == Kind::absent) return Status::fail(Code::usage, "there is no %.200s", path);
  if (kind != Kind::ours && kind != Kind::empty) {
    return Status::fail(Code::usage, "%.200s is not a work directory of xmc-lite", path);
  }
  return lock();
}

// The run before may take its directory away between the two.
Status WorkDir::make_and_lock() {
  constexpr u32 kAttempts = 100;
  Status status;
  for (u32 attempt = 0; attempt < kAttempts; ++attempt) {
    XMC_TRY(make_folder(path_));
    status = lock();
    if (status.ok() || in_use_ || folder_exists(path_)) break;
  }
  return status;
}

// That another process is at work is no mistake of the command line.
Status WorkDir::lock() {
  const Status status = lock_.acquire(path_);
  in_use_ = status.code() == Code::usage;
  return in_use_ ? Status::fail(Code::io, "%s", status.c_str()) : status;
}

Status WorkDir::write_file(const char* name, std::string_view contents) {
  XMC_LET(const char* const path, path_of(name));
  OutputFile file;
  XMC_TRY(file.open(path));
  file.write(contents);
  return file.close();
}

Status WorkDir::remove_file_of(const char* name) {
  const Result<const char*> path = path_of(name);
  return path.ok() ? remove_file(path.value()) : path.status();
}

// Checkpoints first: none may promise a file that is gone.
Status WorkDir::remove_files(bool all) {
  for (const char* name : kCheckpoints) XMC_TRY(remove_file_of(name));
  Removal removal = {path_, all, {}};
  XMC_TRY(list_folder(path_, &remove_entry, &removal));
  XMC_TRY(removal.status);
  return all ? remove_file_of(kMarker) : Status();
}

Status WorkDir::remove_search() {
  XMC_CHECK(!has_checkpoint());
  return remove_files(false);
}

Status WorkDir::move_to(const char* folder) {
  XMC_TRY(make_folder(folder));
  Move move = {path_, folder, {}};
  XMC_TRY(list_folder(path_, &move_entry, &move));
  XMC_TRY(move.status);
  XMC_TRY(sync_folder(folder));
  XMC_TRY(move_file(move, kMarker));
  XMC_TRY(sync_folder(folder));
  return sync_folder(path_);
}

Status WorkDir::remove(bool& foreign_left) {
  XMC_TRY(remove_files(true));
  lock_.release();
  const Kind left = look(path_);
  foreign_left = left == Kind::foreign;
  if (left != Kind::empty) return {};  // the next run may have it by now
  const Status status = remove_folder(path_);
  return look(path_) == Kind::empty ? status : Status();
}

const char* drawback_of(const char* file_system) {
  const std::string_view what(file_system);
  if (what == "tmpfs" || what == "ramfs")
    return "its files are in memory that --ram does not count";
  if (what == "vfat") return "a file ends at 4 GiB, and a power cut may damage finished ones";
  if (what == "nfs" || what == "cifs" || what == "smb2" || what == "smb" || what == "9p")
    return "another machine has the files, and data may pass through the page cache of this one";
  return nullptr;
}

Status parent_folder(const char* path, char* out) {
  std::string_view name = path;
  while (name.size() > 1 && name.ends_with('/')) name.remove_suffix(1);
  const std::size_t slash = name.rfind('/');
  name = slash == std::string_view::npos ? std::string_view(".") : piece_of(name, 0, slash);
  Text parent(out, kPathBytes);
  parent.add(name.empty() ? std::string_view("/") : name);
  return parent.cut() ? Status::fail(Code::usage, "the path of the work directory is too long")
                      : Status();
}

}  // namespace xmc
