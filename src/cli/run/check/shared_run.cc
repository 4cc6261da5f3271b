// A run whose work directory is shared by processes, DIR/rank-0, DIR/rank-1, ...: where each of
// them has its own, and how a run goes on from what any number of them have left.
#include <new>

#include "cli/run/check/earlier_run.h"
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

// Of one process, which several go on with: its folder becomes the part of the first of them. The
// first one that sees it moves it, and all wait for that.
Status divide_place(ProcessPeers* peers, const char* place) {
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

RootSlot read_slot_of(FolderBase& folder, u32 slot) {
  Manifest ignored;
  return read_root(folder, slot, ignored);
}

// That of this process, or of another one, of which the lines of the run are the same.
Status read_shared_root(const WorkPlace& place, bool own, const char* source, EarlierRun& earlier) {
  if (own) {
    const RootSlot root = read_root(*place.folder, earlier.root.slot, *earlier.lines);
    earlier.root.bytes = root.bytes;
    return root.why;
  }
  WorkView view;
  XMC_TRY(view.open(source));
  return read_root(view.folder(), earlier.root.slot, *earlier.lines).why;
}

// A process that has no part of the run yet: what says which run it is, from another one. The model
// comes last, so that a copy that was cut short is none.
Status take_description(WorkPlace& place, const char* source) {
  WorkDir& dir = place.dir;
  XMC_TRY(make_folder(place.shared.own));
  if (!dir.is_open()) XMC_TRY(dir.open_existing(place.shared.own));
  XMC_TRY(dir.remove_all());
  char from[kPathBytes];
  for (const char* name : {WorkDir::kMarker, WorkDir::kKept, WorkDir::kProperty, WorkDir::kModel}) {
    XMC_TRY(join_path(from, source, name));
    if (!file_exists(from)) continue;
    XMC_LET(const char* const to, dir.path_of(name));
    XMC_TRY(copy_file(from, to));
  }
  return {};
}

}  // namespace

// "DIR/rank-3": processes may be on one machine, or have one file system.
Status find_place_of_process(const Asked& asked, SharedPlace& place, const char*& path) {
  ProcessPeers* const peers = asked.session.surroundings.peers;
  const bool alone = peers == nullptr || peers->count() == 1;
  if (alone && !(asked.from_work && SharedWork::is_at(path))) return {};
  if (asked.from_work) XMC_TRY(divide_place(peers, path));
  if (!alone && !asked.from_work && WorkDir::look(path) == WorkDir::Kind::ours) {
    return Status::fail(Code::usage,
                        "%.160s holds the work of a single process; give another --work", path);
  }
  Text(place.all, kPathBytes).add(path);
  if (!alone && !asked.from_work) {
    XMC_TRY(refuse_leftovers(path, peers->count()));
    if (!asked.planning()) XMC_TRY(make_folder(path));
  }
  XMC_TRY(SharedWork::folder_of(path, alone ? 0 : peers->me(), place.own));
  path = place.own;
  return {};
}

Status find_shared_run(const Asked& asked, WorkPlace& place, EarlierRun& earlier) {
  SharedWork& shared = earlier.shared;
  const char* const own = place.shared.own;
  ProcessPeers* const peers = asked.session.surroundings.peers;
  const u32 me = peers == nullptr ? 0 : peers->me();
  if (folder_exists(own)) XMC_TRY(place.dir.open_existing(own));
  XMC_TRY(shared.find(place.shared.all, peers));
  const bool begins = shared.sequence() == 0;
  XMC_LET(const u32 describer, shared.describer());
  char source[kPathBytes];
  XMC_TRY(SharedWork::folder_of(place.shared.all, describer, source));
  const bool has_own = begins ? describer == me : shared.reads(me);
  earlier.took_description = !has_own;
  if (!has_own) XMC_TRY(take_description(place, source));
  XMC_TRY(restore_kept(asked.session.options, place, earlier));
  // Those of another process.
  if (asked.session.follows()) asked.session.options.drop_outputs();
  XMC_TRY(check_kept_outputs(asked.session));
  if (begins) {
    earlier.lines = nullptr;
    for (const char* root : WorkDir::kCheckpoints) XMC_TRY(place.dir.remove_file_of(root));
    return {};
  }
  XMC_TRY(start_folder(asked.session, place, place.dir.path()));
  earlier.root.slot = shared.slot();
  earlier.root.sequence = shared.sequence();
  XMC_TRY(read_shared_root(place, has_own, source, earlier));
  // A newer one that not all of them have.
  const RootSlot other = read_slot_of(*place.folder, 1 - earlier.root.slot);
  if (other.sequence > earlier.root.sequence) {
    XMC_TRY(discard_root(*place.folder, 1 - earlier.root.slot));
  }
  return take_checkpoint(asked, place, earlier);
}

Status plan_parts(const Session& session, const WorkPlace& place, const EarlierRun& earlier,
                  Arena& arena, Checkpoints& checkpoints, std::span<const OwnerPart>& out) {
  constexpr const char* kParts = "parts of others";
  const SharedWork& shared = earlier.shared;
  if (!shared.divides_anew() || earlier.lines == nullptr) return {};
  const ProcessPeers* const peers = session.surroundings.peers;
  const u32 me = peers == nullptr ? 0 : peers->me();
  u32 count = 0;
  for (u32 rank = 0; rank < limits::kOwners; ++rank) count += shared.reads(rank) ? 1u : 0;
  const std::span<OwnerPart> parts = arena.carve_array<OwnerPart>(kParts, count);
  u32 at = 0;
  for (u32 rank = 0; rank < limits::kOwners; ++rank) {
    if (!shared.reads(rank)) continue;
    if (rank == me) {
      parts[at++] = {place.folder, earlier.lines};
      continue;
    }
    char* const path = arena.carve_array<char>(kParts, kPathBytes).data();
    XMC_TRY(SharedWork::folder_of(place.shared.all, rank, path));
    WorkView* const view = ::new (arena.carve(kParts, sizeof(WorkView), kLineBytes)) WorkView();
    Manifest* const lines = ::new (arena.carve(kParts, sizeof(Manifest), kLineBytes)) Manifest();
    XMC_TRY(view->open(path));
    XMC_TRY(read_root(view->folder(), earlier.root.slot, *lines).why);
    view->folder().bind(shared.run_of(rank), 0);
    checkpoints.add_totals_of(*lines);
    parts[at++] = {&view->folder(), lines};
  }
  out = parts;
  return {};
}

void remove_shared_place(const SharedPlace& place) {
  if (!place.given()) return;
  char path[kPathBytes];
  for (u32 rank = 0; rank < limits::kOwners; ++rank) {
    WorkDir left;
    bool foreign = false;
    if (!SharedWork::folder_of(place.all, rank, path).ok() || !folder_exists(path)) continue;
    if (left.open_existing(path).ok()) static_cast<void>(left.remove(foreign));
  }
  static_cast<void>(remove_folder(place.all));
}

}  // namespace xmc
