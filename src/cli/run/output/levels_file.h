// The file of --levels: a row for each finished level, in a file that grows with the search.
//
// A new run puts a new file with the header in the place of an old one when its search begins.
// Every checkpoint makes the rows before it durable. A run that goes on keeps those rows, drops
// what came after the checkpoint, and appends: the file is that of one undisturbed run, but for its
// seconds.
#pragma once

#include "platform/files.h"
#include "report/progress.h"
#include "store/checkpoint/manifest.h"

namespace xmc {

class LevelsFile {
 public:
  // `path` must stay valid until close.
  Status open(const char* path);
  // For a run that goes on from this checkpoint. A file that does not have its rows is begun anew.
  Status open_again(const char* path, const Manifest& checkpoint);
  bool is_open() const { return file_.is_open(); }
  void add(const Progress& progress, double seconds);
  // With a checkpoint. An error sticks until close.
  void sync();
  Status close() { return file_.is_open() ? file_.close() : Status(); }

 private:
  OutputFile file_;
  LevelTable table_;
  bool unsynced_ = false;
};

}  // namespace xmc
