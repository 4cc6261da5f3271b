#include "cli/run/work/shared_work.h"

#include <algorithm>

#include "cli/run/work/work_view.h"
#include "platform/memory.h"
#include "platform/signals.h"
#include "store/checkpoint/verify.h"
#include "xmc/text.h"

namespace xmc {

namespace {

static_assert(limits::kOwners <= 64);  // parts are bits of a word

constexpr u64 bit(u32 rank) { return u64{1} << rank; }

u64 number_or(const Manifest& manifest, const char* name, u64 otherwise) {
  const Result<u64> number = manifest.number(name);
  return number.ok() ? number.value() : otherwise;
}

// Of the owners of the states, some may have been threads of one process.
u32 processes_of(const Manifest& manifest) {
  const u64 here = std::max<u64>(number_or(manifest, "owners-here", 1), 1);
  return static_cast<u32>(
      std::clamp<u64>(number_or(manifest, "owners", 1) / here, 1, limits::kOwners));
}

// With as little memory as the blocks need, which nothing else has by now.
Status verify_in_memory(Folder& folder, const Manifest& manifest) {
  const GoOn go_on = {nullptr, [](void*) {
                        if (!stop_requested()) return Status();
                        return Status::fail(Code::stopped,
                                            "told to stop while the checkpoint was verified, which "
                                            "stays as it is");
                      }};
  for (u64 bytes = u64{256} << 10;; bytes *= 2) {
    XMC_LET(const std::span<u8> memory, map_region(bytes));
    const Status status = verify_files(folder, manifest, memory, go_on);
    unmap_region(memory);
    if (status.code() != Code::budget) return status;
  }
}

}  // namespace

Status SharedWork::folder_of(const char* place, u32 rank, char* out) {
  FixedText<16> name;
  name.add("rank-").number(rank);
  return join_path(out, place, name.c_str());
}

bool SharedWork::is_at(const char* place) {
  char path[kPathBytes];
  for (u32 rank = 0; rank < limits::kOwners; ++rank) {
    if (folder_of(place, rank, path).ok() && folder_exists(path)) return true;
  }
  return false;
}

Status SharedWork::find(const char* place, ProcessPeers* peers) {
  place_ = place;
  peers_ = peers;
  if (peers != nullptr) {
    me_ = peers->me();
    count_ = peers->count();
  }
  for (u32 rank = 0; rank < limits::kOwners; ++rank) XMC_TRY(look_at(rank));
  for (u64 below = ~u64{0};; below = sequence_) {
    XMC_TRY(find_newest(below));
    if (sequence_ == 0) return check_nothing_lost();
    XMC_TRY(share_out());
    bool sound = true;
    XMC_TRY(verify_mine(sound));
    if (sound) return {};
  }
}

// A folder that is something else is not seen.
Status SharedWork::look_at(u32 rank) {
  char path[kPathBytes];
  XMC_TRY(folder_of(place_, rank, path));
  Seen& seen = seen_[rank];
  seen = {};
  WorkView view;
  if (!folder_exists(path) || !view.open(path).ok()) return {};
  seen.there = true;
  RunMarker marker;
  Options options;
  XMC_TRY(options.parse({}, false));
  char model[kPathBytes];
  XMC_TRY(join_path(model, path, WorkDir::kModel));
  seen.described = view.read_run(marker, options).ok() && file_exists(model);
  seen.run = marker.run;
  Manifest manifest;
  for (u32 slot = 0; slot < kRootSlots && seen.described; ++slot) {
    const RootSlot root = read_root(view.folder(), slot, manifest);
    // Behind the first checkpoint there was always one that all of them had.
    if (root.state != RootSlot::State::absent && root.sequence != 1) had_one_ = true;
    if (root.state != RootSlot::State::sound) continue;
    seen.sequence[slot] = root.sequence;
    seen.processes[slot] = processes_of(manifest);
  }
  return {};
}

Status SharedWork::gather(u64 mine, u64* all) {
  all[0] = mine;
  if (count_ == 1) return {};
  const u64 values[] = {mine};
  if (peers_->gather(values, {all, count_}).ok()) return {};
  return Status::fail(Code::stopped, "another process could not go on, or was told to stop");
}

// The parts of a checkpoint that this process sees.
u64 SharedWork::mask_of(u64 sequence, u32 processes) const {
  u64 mask = 0;
  for (u32 rank = 0; rank < processes; ++rank) {
    const u32 slot = static_cast<u32>(sequence % kRootSlots);
    const Seen& seen = seen_[rank];
    if (seen.sequence[slot] == sequence && seen.processes[slot] == processes) mask |= bit(rank);
  }
  return mask;
}

// The newest checkpoint below that one which has all its parts.
Status SharedWork::find_newest(u64 below) {
  u64 all[limits::kOwners];
  for (;; below = sequence_) {
    u64 newest = 0;
    u64 processes = 0;
    for (const Seen& seen : seen_) {
      for (const u64 sequence : seen.sequence)
        newest = sequence < below ? std::max(newest, sequence) : newest;
    }
    XMC_TRY(gather(newest, all));
    sequence_ = *std::max_element(all, all + count_);
    if (sequence_ == 0) return {};
    for (const Seen& seen : seen_) {
      if (seen.sequence[slot()] == sequence_)
        processes = std::max<u64>(processes, seen.processes[slot()]);
    }
    XMC_TRY(gather(processes, all));
    made_by_ = static_cast<u32>(*std::max_element(all, all + count_));
    XMC_TRY(check_all_there());
    XMC_TRY(gather(mask_of(sequence_, made_by_), all));
    u64 parts = 0;
    for (u32 i = 0; i < count_; ++i) parts |= all[i];
    if (parts == ~u64{0} >> (64 - made_by_)) return {};
  }
}

// A run begins again when it never had a checkpoint, and for no other reason.
Status SharedWork::check_nothing_lost() {
  u64 all[limits::kOwners];
  XMC_TRY(gather(seen_[0].described ? 1 : 0, all));
  if (*std::max_element(all, all + count_) == 0) {
    return Status::fail(Code::usage,
                        "%.100s holds no checkpoint, so there is nothing to go on from; begin "
                        "again: xmc-lite clean %.100s",
                        place_, place_);
  }
  XMC_TRY(gather(had_one_ ? 1 : 0, all));
  if (!passed_over_.ok()) return passed_over_;
  if (*std::max_element(all, all + count_) == 0) return {};
  return Status::fail(Code::corrupt,
                      "no checkpoint in %.160s is whole: some of its parts are missing or damaged",
                      place_);
}

// What a process has not committed is passed over; that its folder is missing is a mistake.
Status SharedWork::check_all_there() {
  u64 all[limits::kOwners];
  u64 mine = 0;
  for (u32 rank = 0; rank < made_by_; ++rank) mine |= seen_[rank].there ? bit(rank) : 0;
  XMC_TRY(gather(mine, all));
  u64 there = 0;
  for (u32 i = 0; i < count_; ++i) there |= all[i];
  for (u32 rank = 0; rank < made_by_; ++rank) {
    if ((there & bit(rank)) != 0) continue;
    return Status::fail(Code::usage,
                        "%.100s holds the work of %u processes, but none of those that are to go "
                        "on sees rank-%u of it; copy that folder to one of their machines",
                        place_, made_by_, rank);
  }
  return {};
}

Status SharedWork::share_out() {
  u64 all[limits::kOwners];
  XMC_TRY(gather(mask_of(sequence_, made_by_), all));
  mine_ = 0;
  for (u32 rank = 0; rank < made_by_; ++rank) {
    u32 taker = rank;
    if (rank >= count_ || (all[rank] & bit(rank)) == 0) {
      for (taker = 0; (all[taker] & bit(rank)) == 0;) ++taker;
    }
    if (taker == me_) mine_ |= bit(rank);
  }
  return {};
}

Status SharedWork::verify(u32 rank) {
  char path[kPathBytes];
  XMC_TRY(folder_of(place_, rank, path));
  WorkView view;
  Manifest manifest;
  XMC_TRY(view.open(path));
  view.folder().bind(seen_[rank].run, 0);
  const RootSlot root = read_root(view.folder(), slot(), manifest);
  if (root.state != RootSlot::State::sound) return root.why;
  const Status status = verify_in_memory(view.folder(), manifest);
  if (status.ok() || status.code() == Code::stopped) return status;
  return Status::fail(Code::corrupt, "rank-%u: %s", rank, status.c_str());
}

Status SharedWork::verify_mine(bool& sound) {
  Status status;
  for (u32 rank = 0; rank < made_by_ && status.ok(); ++rank) {
    if (reads(rank)) status = verify(rank);
  }
  if (status.code() == Code::stopped) return status;
  u64 all[limits::kOwners];
  XMC_TRY(gather(status.ok() ? 1 : 0, all));
  sound = *std::min_element(all, all + count_) != 0;
  if (sound) return {};
  passed_over_ = !status.ok() ? status
                              : Status::fail(Code::corrupt, "a part of checkpoint %llu is damaged",
                                             wide(sequence_));
  return {};
}

Result<u32> SharedWork::describer() const {
  for (u32 rank = 0; rank < limits::kOwners; ++rank) {
    if (seen_[rank].described && (sequence_ == 0 || mask_of(sequence_, made_by_) >> rank & 1))
      return rank;
  }
  return Status::fail(Code::usage,
                      "nothing in %.100s says what the run is; copy one of its rank folders to "
                      "this machine",
                      place_);
}

}  // namespace xmc
