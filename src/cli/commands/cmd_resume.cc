// `resume`: the same run as `check`, from a work directory and its last checkpoint.
#include "cli/commands/commands.h"
#include "cli/run/check/check_run.h"

namespace xmc {

int cmd_resume(Session& session) {
  Manifest manifest;
  return check(session, &manifest);
}

}  // namespace xmc
