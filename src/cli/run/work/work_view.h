// A work directory seen from outside, for status and fsck: nothing in it is changed.
#pragma once

#include "cli/run/work/run_marker.h"
#include "cli/run/work/workdir.h"
#include "platform/device_file.h"
#include "store/checkpoint/manifest.h"
#include "xmc/status.h"

namespace xmc {

// A folder that is looked at, whether or not a run has it locked. Code::usage when it is not a work
// directory.
class WorkView {
 public:
  WorkView();
  WorkView(const WorkView&) = delete;
  WorkView& operator=(const WorkView&) = delete;

  Status open(const char* path);
  const char* path() const { return path_; }
  FileFolder& folder() { return folder_; }
  // A small text file of lines; false when it is not there or damaged.
  bool read_lines(const char* name, Manifest& lines);
  // What the directory says about its run before there is a checkpoint. The texts stay until the
  // process ends.
  Status read_run(RunMarker& marker, Options& options);

 private:
  Result<std::span<char>> load_text(const char* name);

  const char* path_ = "";
  FileFolder folder_;
};

}  // namespace xmc
