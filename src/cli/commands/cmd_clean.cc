// `clean`: removes a work directory, or those of all processes of a shared one, but no file that is
// not ours.
#include "cli/commands/commands.h"
#include "cli/run/work/shared_work.h"
#include "cli/run/work/workdir.h"

namespace xmc {

namespace {

// Those of several processes one by one, and then what they are in.
Status remove_shared(WorkDir& work, const char* place, bool& foreign_left) {
  char path[kPathBytes];
  for (u32 rank = 0; rank < limits::kOwners; ++rank) {
    XMC_TRY(SharedWork::folder_of(place, rank, path));
    if (!folder_exists(path)) continue;
    bool left = false;
    XMC_TRY(work.open_existing(path));
    XMC_TRY(work.remove(left));
    foreign_left = foreign_left || left;
  }
  if (!foreign_left) static_cast<void>(remove_folder(place));  // others may have files there
  return {};
}

}  // namespace

int cmd_clean(Session& session) {
  WorkDir work;
  const char* const place = session.options.operand().data();
  bool foreign_left = false;
  const bool shared = SharedWork::is_at(place);
  Status status = shared ? remove_shared(work, place, foreign_left) : work.open_existing(place);
  if (status.ok() && !shared) status = work.remove(foreign_left);
  if (!status.ok()) return session.end_with(status);
  if (foreign_left) {
    session.err().add("note      files that are not ours stay in ").add(work.path()).add('\n');
  }
  return session.end_well();
}

}  // namespace xmc
