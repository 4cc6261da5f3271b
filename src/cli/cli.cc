// The way into the tool, for its own main() and for those of checkers, tests and MPI jobs: hooks
// first, then the command line, then the function of the command.
#include <new>

#include "cli/commands/commands.h"
#include "cli/commands/help.h"
#include "cli/run/input/long_steps.h"
#include "cli/run/output/outputs.h"
#include "cli/run/session.h"
#include "platform/signals.h"
#include "xmc/native.h"

namespace xmc {

namespace {

int dispatch(Session& session) {
  if (session.options.given(Opt::help)) return cmd_help(session);
  if (session.options.given(Opt::version)) return cmd_version(session);
  switch (session.options.command()) {
    case Command::check:
      return cmd_check(session);
    case Command::plan:
      return cmd_plan(session);
    case Command::resume:
      return cmd_resume(session);
    case Command::status:
      return cmd_status(session);
    case Command::fsck:
      return cmd_fsck(session);
    case Command::info:
      return cmd_info(session);
    case Command::simulate:
      return cmd_simulate(session);
    case Command::trace:
      return cmd_trace(session);
    case Command::emit:
      return cmd_emit(session);
    case Command::ltl:
      return cmd_ltl(session);
    case Command::probe:
      return cmd_probe(session);
    case Command::clean:
      return cmd_clean(session);
    case Command::version:
      return cmd_version(session);
    case Command::help:
      return cmd_help(session);
  }
  return static_cast<int>(Exit::internal);
}

// A built checker knows whose language its model is in.
Status take_dialect(Session& session) {
  const NativeModel* const native = session.native;
  if (native == nullptr || native->dialect == nullptr || native->dialect[0] == '\0') return {};
  return session.options.restore(info_of(Opt::dialect).name, native->dialect);
}

}  // namespace

int run_cli_in(const Surroundings& surroundings, int argc, char** argv, const NativeModel* native) {
  // Hooks refer to the session until the process ends, so it is never destroyed.
  alignas(Session) static unsigned char storage[sizeof(Session)];
  Session& session = *::new (static_cast<void*>(storage)) Session(native, surroundings);
  install_failure_hook(session);
  ignore_broken_pipes();
  watch_steps_for_signals();
  if (argc < 2 && native == nullptr) {
    write_usage(session.err());
    session.report.verdict.exit = Exit::usage;
    return session.end();
  }
  const std::size_t count = argc > 1 ? static_cast<std::size_t>(argc - 1) : 0;
  Status status = session.options.parse({argv + 1, count}, native == nullptr);
  if (session.follows()) session.options.drop_outputs();
  if (status.ok()) status = take_dialect(session);
  if (status.ok()) status = check_outputs(session);
  if (!status.ok()) return session.end_with(status);
  const Command command = session.options.command();
  const bool shared = command == Command::check || command == Command::resume;
  return session.follows() && !shared ? session.end_well() : dispatch(session);
}

}  // namespace xmc
