#include "cli/commands.h"
#include "cli/help.h"

namespace xmc {

namespace {

Status print(Session& session) {
  const Options& options = session.options;
  Output& out = session.out();
  if (options.given(Opt::man)) {
    write_man_page(out);
    return {};
  }
  if (options.given(Opt::bash)) {
    write_bash_completion(out);
    return {};
  }
  // "xmc-lite info --help" and "xmc-lite help info" say the same.
  if (options.command() != Command::help) {
    if (options.command() == Command::check) {
      write_help(out);
    } else {
      write_help(out, options.command());
    }
    return {};
  }
  if (options.operand().empty()) {
    write_help(out);
    return {};
  }
  for (u32 i = 0; i < kCommands; ++i) {
    if (kCommandTable[i].name != options.operand()) continue;
    write_help(out, static_cast<Command>(i));
    return {};
  }
  return Status::fail(Code::usage, "there is no command '%.60s'; see --help",
                      options.operand().data());
}

}  // namespace

int cmd_help(Session& session) {
  const Status status = print(session);
  if (!status.ok()) return session.end_with(status);
  return session.end_well();
}

}  // namespace xmc
