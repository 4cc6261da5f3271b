#include "engine/levels/old_queues.h"

#include <algorithm>
#include <new>

#include "engine/search/file_names.h"
#include "engine/search/level_checkpoint.h"

namespace xmc {

std::span<u8> OldQueues::memory_of(std::size_t i) const {
  return memory_.subspan(static_cast<std::size_t>(i * kBytes), static_cast<std::size_t>(kBytes));
}

Status OldQueues::open(std::span<const OwnerPart> parts, std::span<u8> memory,
                       const Search& search) {
  parts_ = parts;
  memory_ = memory;
  words_ = search.model.state_words;
  if (memory.size() < parts.size() * kBytes) {
    return Status::fail(Code::budget,
                        "the states of %u owners cannot be divided anew in this memory; use a "
                        "larger --ram",
                        static_cast<unsigned>(parts.size()));
  }
  while (opened_ < parts.size()) {
    ::new (static_cast<void*>(memory_of(opened_).data())) Queue();
    XMC_TRY(open_queue(opened_++));
  }
  return {};
}

Status OldQueues::open_queue(std::size_t i) {
  Queue& old = queue(i);
  const OwnerPart& part = parts_[i];
  const std::span<u8> buffers = memory_of(i).last(std::size_t{kBuffers});
  Lines io = Lines::of(*part.lines);
  FileMark mark;
  io.version("levels", 1);
  io.number("next", old.expanded);
  io.file(kQueueFile, mark);
  XMC_TRY(io.status());
  XMC_LET(old.device, part.folder->open(kQueueFile, Folder::Open::existing));
  XMC_TRY(reopen_key_file(mark, old.file, old.device, kQueueFile, Purpose::queue, words_,
                          buffers.first(KeyFile::kSlotBytes)));
  old.reader.start(old.file, buffers.last(KeyFile::kSlotBytes));
  return old.look();
}

Status OldQueues::Queue::look() {
  XMC_LET(waiting, reader.next(key));
  return {};
}

Result<bool> OldQueues::next(u64 level, bool expanded, Word* state) {
  for (std::size_t i = 0; i < opened_; ++i) {
    Queue& old = queue(i);
    if (!old.waiting || old.reader.level() != level) continue;
    if ((old.reader.index() < old.expanded) != expanded) continue;
    std::copy_n(old.key, words_, state);
    XMC_TRY(old.look());
    return true;
  }
  return false;
}

void OldQueues::close() {
  for (std::size_t i = 0; i < opened_; ++i) {
    if (queue(i).device != nullptr) parts_[i].folder->close(queue(i).device);
  }
  opened_ = 0;
}

}  // namespace xmc
