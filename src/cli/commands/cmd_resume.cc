#include "cli/commands/commands.h"
#include "cli/run/check/check_run.h"

namespace xmc {

int cmd_resume(Session& session) {
  Manifest manifest;
  return check(session, &manifest);
}

}  // namespace xmc
