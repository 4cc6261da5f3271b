// A run whose work directory is shared by processes, DIR/rank-0, DIR/rank-1, ...: where each of
// them has its own, and how a run goes on from what any number of them have left.
#include <new>

#include "cli/run/check_run.h"
#include "cli/run/work/work_view.h"
#include "platform/memory.h"

namespace xmc {

namespace {

Status copy_file(const char* from, const char* to) {
  XMC_LET(const u64 size, file_bytes(from));
  if (size == 0) return {};
  XMC_LET(const std::span<u8> text, map_region(size));
  OutputFile file;
  Status status = read_file(from, text.first(static_cast<std::size_t>(size))).status();
  if (status.ok()) status = file.open(to);
  if (status.ok()) {
    file.write({reinterpret_cast<const char*>(text.data()), static_cast<std::size_t>(size)});
    status = file.close();
  }
  unmap_region(text);
  return status;
}

Status gather_all(ProcessPeers& peers, std::span<const u64> mine, std::span<u64> all) {
  if (peers.gather(mine, all).ok()) return {};
  return Status::fail(Code::stopped, "another process could not go on, or was told to stop");
}

// A search that was begun by more processes than now begin one in their place.
Status refuse_leftovers(const char* place, u32 count) {
  char path[kPathBytes];
  for (u32 rank = count; rank < limits::kOwners; ++rank) {
    XMC_TRY(SharedWork::folder_of(place, rank, path));
    if (!folder_exists(path)) continue;
    return Status::fail(Code::usage,
                        "%.120s holds the work of more processes; go on with it: mpiexec -n N "
                        "xmc-lite-mpi resume, or remove it: xmc-lite clean %.120s",
                        place, place);
  }
  return {};
}

}  // namespace

// Of one process, which several go on with: its folder becomes the part of the first of them. The
// first one that sees it moves it, and all wait for that.
Status CheckRun::divide_place(const char* place) {
  ProcessPeers* const peers = session_.surroundings.peers;
  char marker[kPathBytes];
  XMC_TRY(join_path(marker, place, WorkDir::kMarker));
  const bool seen = is_marker(marker);
  u64 all[limits::kOwners] = {};
  const u32 count = peers == nullptr ? 1 : peers->count();
  u32 mover = 0;
  if (count > 1) {
    const u64 mine[] = {seen ? u64{1} : u64{0}};
    XMC_TRY(gather_all(*peers, mine, {all, count}));
    while (mover < count && all[mover] == 0) ++mover;
  }
  Status status;
  if (seen && (count == 1 || mover == peers->me())) {
    char first[kPathBytes];
    WorkDir single;
    XMC_TRY(SharedWork::folder_of(place, 0, first));
    status = single.open_existing(place);
    if (status.ok()) status = single.move_to(first);
  }
  if (count == 1 || mover == count) return status;
  const u64 moved[] = {status.ok() ? u64{1} : u64{0}};
  XMC_TRY(gather_all(*peers, moved, {all, count}));
  if (!status.ok() || all[mover] != 0) return status;
  return Status::fail(Code::stopped, "another process could not go on, or was told to stop");
}

// "DIR/rank-3": processes may be on one machine, or have one file system.
Status CheckRun::find_place_of_process(const char*& path) {
  const ProcessPeers* const peers = session_.surroundings.peers;
  const bool alone = peers == nullptr || peers->count() == 1;
  if (alone && !(from_work_ && SharedWork::is_at(path))) return {};
  if (from_work_) XMC_TRY(divide_place(path));
  if (!alone && !from_work_ && WorkDir::look(path) == WorkDir::Kind::ours) {
    return Status::fail(Code::usage,
                        "%.160s holds the work of a single process; give another --work", path);
  }
  Text(shared_place_, kPathBytes).add(path);
  if (!alone && !from_work_) {
    XMC_TRY(refuse_leftovers(path, peers->count()));
    if (!planning_) XMC_TRY(make_folder(path));
  }
  XMC_TRY(SharedWork::folder_of(path, alone ? 0 : peers->me(), place_of_process_));
  path = place_of_process_;
  return {};
}

// Like find_run(), from what several processes have left.
Status CheckRun::find_shared_run() {
  const char* const own = place_of_process_;
  ProcessPeers* const peers = session_.surroundings.peers;
  const u32 me = peers == nullptr ? 0 : peers->me();
  if (folder_exists(own)) XMC_TRY(work_.open_existing(own));
  XMC_TRY(shared_.find(shared_place_, peers));
  const bool begins = shared_.sequence() == 0;
  XMC_LET(const u32 describer, shared_.describer());
  char source[kPathBytes];
  XMC_TRY(SharedWork::folder_of(shared_place_, describer, source));
  const bool has_own = begins ? describer == me : shared_.reads(me);
  if (!has_own) XMC_TRY(take_description(source));
  XMC_TRY(restore_kept());
  if (session_.follows()) session_.options.drop_outputs();  // those of another process
  XMC_TRY(check_kept_outputs());
  if (begins) {
    resumed_ = nullptr;
    for (const char* root : WorkDir::kCheckpoints) XMC_TRY(work_.remove_file_of(root));
    return {};
  }
  XMC_TRY(start_folder(work_.path()));
  root_.slot = shared_.slot();
  root_.sequence = shared_.sequence();
  XMC_TRY(read_shared_root(has_own, source));
  // A newer one that not all of them have.
  const RootSlot other = read_slot_of(1 - root_.slot);
  if (other.sequence > root_.sequence) XMC_TRY(discard_root(*folder_, 1 - root_.slot));
  return take_checkpoint();
}

RootSlot CheckRun::read_slot_of(u32 slot) {
  Manifest ignored;
  return read_root(*folder_, slot, ignored);
}

// That of this process, or of another one, of which the lines of the run are the same.
Status CheckRun::read_shared_root(bool own, const char* source) {
  if (own) {
    const RootSlot root = read_root(*folder_, root_.slot, *resumed_);
    root_.bytes = root.bytes;
    return root.why;
  }
  WorkView view;
  XMC_TRY(view.open(source));
  return read_root(view.folder(), root_.slot, *resumed_).why;
}

// A process that has no part of the run yet: what says which run it is, from another one. The model
// comes last, so that a copy that was cut short is none.
Status CheckRun::take_description(const char* source) {
  took_description_ = true;
  XMC_TRY(make_folder(place_of_process_));
  if (!work_.is_open()) XMC_TRY(work_.open_existing(place_of_process_));
  XMC_TRY(work_.remove_all());
  char from[kPathBytes];
  for (const char* name : {WorkDir::kMarker, WorkDir::kKept, WorkDir::kProperty, WorkDir::kModel}) {
    XMC_TRY(join_path(from, source, name));
    if (!file_exists(from)) continue;
    XMC_LET(const char* const to, work_.path_of(name));
    XMC_TRY(copy_file(from, to));
  }
  return {};
}

// What this process reads of the checkpoint, as the engine sees it.
Status CheckRun::plan_parts() {
  if (!shared_.divides_anew() || resumed_ == nullptr) return {};
  Arena& arena = budget_.arena();
  const ProcessPeers* const peers = session_.surroundings.peers;
  const u32 me = peers == nullptr ? 0 : peers->me();
  u32 count = 0;
  for (u32 rank = 0; rank < limits::kOwners; ++rank) count += shared_.reads(rank) ? 1u : 0;
  parts_ = arena.carve_array<OwnerPart>("parts of others", count);
  u32 at = 0;
  for (u32 rank = 0; rank < limits::kOwners; ++rank) {
    if (!shared_.reads(rank)) continue;
    if (rank == me) {
      parts_[at++] = {folder_, resumed_};
      continue;
    }
    char* const path = arena.carve_array<char>("parts of others", kPathBytes).data();
    XMC_TRY(SharedWork::folder_of(shared_place_, rank, path));
    WorkView* const view =
        ::new (arena.carve("parts of others", sizeof(WorkView), kLineBytes)) WorkView();
    Manifest* const lines =
        ::new (arena.carve("parts of others", sizeof(Manifest), kLineBytes)) Manifest();
    XMC_TRY(view->open(path));
    XMC_TRY(read_root(view->folder(), root_.slot, *lines).why);
    view->folder().bind(shared_.run_of(rank), 0);
    checkpoints_.add_totals_of(*lines);
    parts_[at++] = {&view->folder(), lines};
  }
  return {};
}

// Every process takes away what it sees and nobody works in; the last one finds the place empty.
void CheckRun::remove_shared_place() {
  if (shared_place_[0] == '\0') return;
  char path[kPathBytes];
  for (u32 rank = 0; rank < limits::kOwners; ++rank) {
    WorkDir left;
    bool foreign = false;
    if (!SharedWork::folder_of(shared_place_, rank, path).ok() || !folder_exists(path)) continue;
    if (left.open_existing(path).ok()) static_cast<void>(left.remove(foreign));
  }
  static_cast<void>(remove_folder(shared_place_));
}

}  // namespace xmc
