#include "engine/cycles/windows/window_checkpoint.h"

#include "engine/search/file_names.h"
#include "engine/search/level_checkpoint.h"
#include "store/files/numbered_file.h"
#include "xmc/engine.h"

namespace xmc {

namespace {

struct FileLine {
  const char* file;
  const char* number;
  const char* windows;
  WindowCheckpoint::File WindowCheckpoint::*member;
};
constexpr FileLine kFileLines[] = {
    {kLiveFile, "window-before", "window-before-windows", &WindowCheckpoint::before},
    {kLiveFile, "window-live", "window-live-windows", &WindowCheckpoint::live},
    {kLeadFile, "window-lead", "window-lead-windows", &WindowCheckpoint::lead}};

struct NumberLine {
  const char* name;
  u64 WindowCheckpoint::*member;
};
constexpr NumberLine kNumberLines[] = {{"window-states", &WindowCheckpoint::states},
                                       {"window-each", &WindowCheckpoint::each},
                                       {"window-some-live", &WindowCheckpoint::some_live},
                                       {"window-passes", &WindowCheckpoint::passes},
                                       {"window-next-live", &WindowCheckpoint::next_live},
                                       {"window-next-lead", &WindowCheckpoint::next_lead},
                                       {"window-oldest-live", &WindowCheckpoint::oldest_live},
                                       {"window-oldest-lead", &WindowCheckpoint::oldest_lead}};

}  // namespace

void WindowCheckpoint::save_walk(Manifest& manifest) const {
  const Word words[] = {walk.first, walk.second, walk.power, walk.length, walk.number, walk.listed};
  manifest.add_words("window-walk", words);
  if (walk.listed == 0) return;
  manifest.add_file(FileName(kWalkFile, walk.number).c_str(), walk.bytes, walk.chain);
}

Status WindowCheckpoint::restore_walk(const Manifest& manifest) {
  Word words[6] = {};
  XMC_TRY(manifest.words("window-walk", words));
  walk = {words[0], words[1], words[2], words[3], words[4], words[5], 0, 0};
  if (walk.listed == 0) return {};
  Manifest::File entry;
  XMC_TRY(find_file(manifest, FileName(kWalkFile, walk.number).c_str(), entry));
  walk.bytes = entry.bytes;
  walk.chain = entry.chain;
  return {};
}

void WindowCheckpoint::save(Manifest& manifest) const {
  if (stage == Stage::none) return;
  manifest.add("window-stage", static_cast<u64>(stage));
  manifest.add("window-changed", changed ? 1 : 0);
  manifest.add("window-any", any ? 1 : 0);
  for (const NumberLine& line : kNumberLines) manifest.add(line.name, this->*line.member);
  manifest.add_words("window-named-live", named_live);
  manifest.add_words("window-named-lead", named_lead);
  for (const FileLine& line : kFileLines) {
    const File& of = this->*line.member;
    if (of.windows == 0) continue;
    manifest.add(line.number, of.number);
    manifest.add(line.windows, of.windows);
    manifest.add_plain(FileName(line.file, of.number).c_str(), of.bytes, of.sum);
  }
  if (stage == Stage::walk) save_walk(manifest);
}

Status WindowCheckpoint::restore(const Manifest& manifest) {
  *this = {};
  if (!manifest.has("window-stage")) return {};
  u64 which = 0;
  u64 flag = 0;
  XMC_TRY(restore_number(manifest, "window-stage", which));
  if (which == 0 || which > static_cast<u64>(Stage::walk)) {
    return Status::fail(Code::corrupt, "the checkpoint is of a search that does not exist");
  }
  stage = static_cast<Stage>(which);
  XMC_TRY(restore_number(manifest, "window-changed", flag));
  changed = flag != 0;
  XMC_TRY(restore_number(manifest, "window-any", flag));
  any = flag != 0;
  for (const NumberLine& line : kNumberLines) {
    XMC_TRY(restore_number(manifest, line.name, this->*line.member));
  }
  XMC_TRY(manifest.words("window-named-live", named_live));
  XMC_TRY(manifest.words("window-named-lead", named_lead));
  for (const FileLine& line : kFileLines) {
    if (!manifest.has(line.number)) continue;
    File& of = this->*line.member;
    XMC_TRY(restore_number(manifest, line.number, of.number));
    XMC_TRY(restore_number(manifest, line.windows, of.windows));
    Manifest::File entry;
    XMC_TRY(find_file(manifest, FileName(line.file, of.number).c_str(), entry));
    of.bytes = entry.bytes;
    of.sum = entry.chain;
  }
  return stage == Stage::walk ? restore_walk(manifest) : Status();
}

}  // namespace xmc
