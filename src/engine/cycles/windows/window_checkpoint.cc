#include "engine/cycles/windows/window_checkpoint.h"

#include "engine/search/file_names.h"
#include "store/files/numbered_file.h"

namespace xmc {

namespace {

struct FileNames {
  const char* file;
  const char* number;
  const char* windows;
};

void file_lines(Lines& io, const FileNames& names, WindowCheckpoint::File& file) {
  if (!io.there(names.number, file.windows != 0)) return;
  io.number(names.number, file.number);
  io.number(names.windows, file.windows);
  io.plain(FileName(names.file, file.number).c_str(), file.mark);
}

void walk_lines(Lines& io, WindowCheckpoint::Walk& walk) {
  io.row("window-walk", walk.first, walk.second, walk.power, walk.length, walk.number, walk.listed);
  if (walk.listed != 0) io.file(FileName(kWalkFile, walk.number).c_str(), walk.mark);
}

}  // namespace

void WindowCheckpoint::lines(Lines& io) {
  if (io.reads()) *this = {};
  if (!io.there("window-stage", stage != Stage::none)) return;
  io.choice("window-stage", stage, Stage::trim, Stage::walk);
  io.number("window-changed", changed);
  io.number("window-any", any);
  io.number("window-states", states);
  io.number("window-each", each);
  io.number("window-some-live", some_live);
  io.number("window-passes", passes);
  io.number("window-next-live", next_live);
  io.number("window-next-lead", next_lead);
  io.number("window-oldest-live", oldest_live);
  io.number("window-oldest-lead", oldest_lead);
  io.words("window-named-live", named_live);
  io.words("window-named-lead", named_lead);
  file_lines(io, {kLiveFile, "window-before", "window-before-windows"}, before);
  file_lines(io, {kLiveFile, "window-live", "window-live-windows"}, live);
  file_lines(io, {kLeadFile, "window-lead", "window-lead-windows"}, lead);
  if (stage == Stage::walk) walk_lines(io, walk);
}

}  // namespace xmc
