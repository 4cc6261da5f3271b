// The work directory of a run. Rules, in the order a user meets them:
//  - a directory that is not ours (any file in it, no marker) is never touched, whatever the files
//  are called; the one file that a crash may leave without a marker is our lock, which says so;
//  - one that another process has locked, or that holds a checkpoint of a run that is not decided,
//  is refused with the hint what to do;
//  - one that an earlier run left with a verdict or without a checkpoint is taken over;
//  - only regular files on our list of names are ever deleted, and the directory itself only when
//  nothing else is left in it.
#pragma once

#include <span>
#include <string_view>

#include "platform/files.h"
#include "platform/lock.h"
#include "store/checkpoint/root.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class WorkDir {
 public:
  static constexpr const char* kMarker = "xmc-lite.run";
  static constexpr const char* kKept = "xmc-lite.options";
  static constexpr const char* kModel = "model.text";
  // The formula or automaton that is checked, of a run that has one.
  static constexpr const char* kProperty = "property.text";
  static constexpr const char* kTrace = "trace.steps";
  // How the run went, for the page of --report.
  static constexpr const char* kHistory = "page.history";
  // How the last run ended, as lines of a manifest: verdict, reason, exit. Not there while one is
  // running, and after one that was killed.
  static constexpr const char* kEnd = "ended";
  // Written by engines that can be resumed; one of them is enough to be worth keeping.
  static constexpr const char* kCheckpoints[] = {kRootFiles[0], kRootFiles[1]};
  // Whether a file in a work directory is one that this program makes.
  static bool is_ours(std::string_view name);

  enum class Kind : u8 { absent, empty, ours, foreign, not_a_folder };
  static Kind look(const char* path);

  // Refuses what open() would refuse, and changes nothing.
  Status look_at(const char* path, Kind& kind);
  // Makes or takes over the directory, and locks it.
  Status open(const char* path);
  // For resume, fsck and clean: an existing one of ours, with or without a checkpoint.
  Status open_existing(const char* path);
  bool is_open() const { return lock_.held(); }
  // The last call failed because another process has the directory (Code::io).
  bool in_use() const { return in_use_; }
  const char* path() const { return path_; }
  bool has_checkpoint();
  bool has(const char* name);
  // The run ended with an answer.
  bool has_verdict();

  Status write_file(const char* name, std::string_view contents);
  Status remove_file_of(const char* name);  // ok when it is not there
  // Removes our files; the directory stays, and its lock.
  Status remove_all() { return remove_files(true); }
  // Removes what a search left that is begun again: all but what says which run it is.
  Status remove_search();
  // The path of a file inside, valid until the next call.
  Result<const char*> path_of(const char* name);

  // Moves our files into another folder on the same file system, the marker last: until that is
  // there a move that was cut short goes on with the next call.
  Status move_to(const char* folder);

  // Gives up the lock; the files stay.
  void leave() { lock_.release(); }
  // Removes our files and then, if nothing else is in it, the directory. `foreign_left` says that
  // something was.
  Status remove(bool& foreign_left);

 private:
  Status set_path(const char* path);
  Status refuse_foreign(Kind kind) const;
  Status refuse_unfinished();
  Status make_and_lock();
  Status lock();
  Status remove_files(bool all);

  FolderLock lock_;
  bool in_use_ = false;
  char path_[kPathBytes] = {};
  char file_[kPathBytes] = {};
};

// Why a file system of this name (platform/files.h) is no place for work that has to fit --ram and
// outlast a power cut; null for an ordinary one.
const char* drawback_of(const char* file_system);

// The folder that "a/b" is in: "a"; "." for a name alone. `out` has kPathBytes bytes.
Status parent_folder(const char* path, char* out);

}  // namespace xmc
