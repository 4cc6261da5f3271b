#include "engine/cycles/edges/pass_checkpoint.h"

#include "engine/search/file_names.h"
#include "engine/search/level_checkpoint.h"
#include "store/files/numbered_file.h"
#include "store/files/word_file.h"
#include "xmc/engine.h"

namespace xmc {

Status PassCheckpoint::write(Folder& folder, std::span<const u64> from, std::span<u8> buffer) {
  if (++number >= kRemovedBehind) {
    XMC_TRY(folder.remove(FileName(kBitsFile, number - kRemovedBehind).c_str()));
  }
  const FileName name(kBitsFile, number);
  XMC_LET(Device* const device, folder.open(name.c_str(), Folder::Open::create));
  WordWriter out;
  out.start(device, buffer);
  Status status = out.add(from);
  if (status.ok()) status = out.finish();
  folder.close(device);
  words = from.size();
  file = mark_of(out);
  return status;
}

Status PassCheckpoint::read(Folder& folder, std::span<u64> into, std::span<u8> buffer) const {
  const FileName name(kBitsFile, number);
  XMC_LET(Device* const device, folder.open(name.c_str(), Folder::Open::existing));
  Status status = not_of_checkpoint(name.c_str());
  if (words == into.size() && device->size_bytes() >= file.bytes) {
    WordReader in;
    in.start(device, name.c_str(), words, buffer);
    status = in.read(0, into);
  }
  folder.close(device);
  return status;
}

void PassCheckpoint::lines(Lines& io) {
  if (io.reads()) *this = {};
  if (!io.there("pass", phase != Phase::none)) return;
  u64 which = static_cast<u64>(phase);
  io.row("pass", which, states, passes, place, first, changed, accepting, target, number, words);
  io.refuse_outside(which, static_cast<u64>(Phase::trim), static_cast<u64>(Phase::around));
  if (io.status().ok()) phase = static_cast<Phase>(which);
  io.file(FileName(kBitsFile, number).c_str(), file);
}

}  // namespace xmc
