// `check`: a run from beginning to end, and what is told of it. All ways out of a run meet here, so
// that verdict, outputs and the end of the work directory have one order.
#include "cli/commands/commands.h"
#include "cli/run/check/check_run.h"

namespace xmc {

int cmd_check(Session& session) { return check(session, nullptr); }

}  // namespace xmc
