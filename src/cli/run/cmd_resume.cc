#include "cli/commands/commands.h"
#include "cli/run/check_run.h"

namespace xmc {

int cmd_resume(Session& session) {
  Manifest manifest;
  CheckRun run(session, &manifest);
  return run.run();
}

}  // namespace xmc
