#include "cli/check_run.h"
#include "cli/commands.h"

namespace xmc {

int cmd_resume(Session& session) {
  Manifest manifest;
  CheckRun run(session, &manifest);
  return run.run();
}

}  // namespace xmc
