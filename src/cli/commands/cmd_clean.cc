#include "cli/commands/commands.h"
#include "cli/run/workdir.h"

namespace xmc {

int cmd_clean(Session& session) {
  WorkDir work;
  Status status = work.open_existing(session.options.operand().data());
  bool foreign_left = false;
  if (status.ok()) status = work.remove(foreign_left);
  if (!status.ok()) return session.end_with(status);
  if (foreign_left) {
    session.err().add("note      files that are not ours stay in ").add(work.path()).add('\n');
  }
  return session.end_well();
}

}  // namespace xmc
