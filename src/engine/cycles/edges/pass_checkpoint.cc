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
  bytes = out.bytes();
  chain = out.chain();
  return status;
}

Status PassCheckpoint::read(Folder& folder, std::span<u64> into, std::span<u8> buffer) const {
  const FileName name(kBitsFile, number);
  XMC_LET(Device* const device, folder.open(name.c_str(), Folder::Open::existing));
  Status status = not_of_checkpoint(name.c_str());
  if (words == into.size() && device->size_bytes() >= bytes) {
    WordReader in;
    in.start(device, name.c_str(), words, buffer);
    status = in.read(0, into);
  }
  folder.close(device);
  return status;
}

void PassCheckpoint::save(Manifest& manifest) const {
  if (phase == Phase::none) return;
  const Word line[] = {static_cast<u64>(phase),
                       states,
                       passes,
                       place,
                       first,
                       changed,
                       accepting,
                       target,
                       number,
                       words};
  manifest.add_words("pass", line);
  manifest.add_file(FileName(kBitsFile, number).c_str(), bytes, chain);
}

Status PassCheckpoint::restore(const Manifest& manifest) {
  *this = {};
  if (!manifest.has("pass")) return {};
  Word line[10] = {};
  XMC_TRY(manifest.words("pass", line));
  if (line[0] == 0 || line[0] > static_cast<u64>(Phase::around)) {
    return Status::fail(Code::corrupt, "the checkpoint is of a search that does not exist");
  }
  phase = static_cast<Phase>(line[0]);
  states = line[1];
  passes = line[2];
  place = line[3];
  first = line[4] != 0;
  changed = line[5] != 0;
  accepting = line[6];
  target = line[7];
  number = line[8];
  words = line[9];
  Manifest::File file;
  XMC_TRY(find_file(manifest, FileName(kBitsFile, number).c_str(), file));
  bytes = file.bytes;
  chain = file.chain;
  return {};
}

}  // namespace xmc
