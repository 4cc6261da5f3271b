// The subcommands. Each takes the parsed command line from the session and gives the exit status.
#pragma once

#include "cli/run/session.h"

namespace xmc {

int cmd_check(Session& session);
int cmd_plan(Session& session);
int cmd_resume(Session& session);
int cmd_status(Session& session);
int cmd_fsck(Session& session);
int cmd_info(Session& session);
int cmd_simulate(Session& session);
int cmd_trace(Session& session);
int cmd_emit(Session& session);
int cmd_ltl(Session& session);
int cmd_probe(Session& session);
int cmd_clean(Session& session);
int cmd_version(Session& session);
int cmd_help(Session& session);

}  // namespace xmc
