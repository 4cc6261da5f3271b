// WorkPlace: the work directory of a run, and what says in it which run it is. It may be made
// later, with the first file: until then its name is a choice, and what goes into it stays in
// memory.
#pragma once

#include <optional>

#include "cli/run/check/asked.h"
#include "cli/run/work/run_marker.h"
#include "cli/run/work/work_name.h"
#include "cli/run/work/workdir.h"
#include "platform/device_base.h"
#include "platform/device_file.h"

namespace xmc {

// Of a plan without a work directory.
inline constexpr const char* kNoWork = "none: the search stays in memory";

inline constexpr const char* kCurrentFolder = ".";

// The directory that processes share, and that of this process in it; empty: there is none.
struct SharedPlace {
  char all[kPathBytes] = {};
  char own[kPathBytes] = {};

  bool given() const { return all[0] != '\0'; }
};

struct WorkPlace {
  explicit WorkPlace(const Options& of_run) : options(of_run) {}
  WorkPlace(const WorkPlace&) = delete;
  WorkPlace& operator=(const WorkPlace&) = delete;

  bool is_made() const { return dir.is_open(); }
  bool is_made_later() const { return planned && !is_made(); }
  bool is_wanted() const { return planned || is_made(); }
  // As people know it.
  const char* path() const { return shared.given() ? shared.all : dir.path(); }
  // A directory that is there, on the device of the files.
  const char* path_of_device() const;

  const Options& options;
  WorkDir dir;
  WorkName name;         // of a new run: the default one
  bool planned = false;  // it is made with the first file
  std::string_view model_text;
  std::string_view property_text;
  RunMarker marker;
  SharedPlace shared;
  std::optional<FileFolder> files;  // for engines that keep files
  FolderBase* folder = nullptr;     // they, or what the surroundings put in front of them
};

// The first name that no other process works in, and it is taken. Behind the beginning of a search
// nothing is refused any more: names that others have taken in the meantime, with whatever is in
// them, are left alone.
Status open_free_name(WorkPlace& place, bool at_the_beginning);
// Model, options and property, for resume.
Status describe_work(WorkPlace& place);
Status start_folder(Session& session, WorkPlace& place, const char* path);
// From here on blocks are those of this run, and new ones are told from what an earlier process
// left in their places.
void bind_folder(WorkPlace& place);

}  // namespace xmc
