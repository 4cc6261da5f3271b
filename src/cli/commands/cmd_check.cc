// `check`: a run from beginning to end.
#include "cli/commands/commands.h"
#include "cli/run/check/check_run.h"

namespace xmc {

int cmd_check(Session& session) { return check(session, nullptr); }

}  // namespace xmc
