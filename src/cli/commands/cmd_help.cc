// `help`: help texts, the man page and the completions of shells, all of them made from the table
// of options.
#include "cli/commands/commands.h"
#include "cli/commands/help.h"
#include "cli/options/suggest.h"

namespace xmc {

namespace {

Status print(Session& session) {
  const Options& options = session.options;
  Output& out = session.out();
  constexpr struct {
    Opt option;
    void (*write)(Output& out);
  } kTexts[] = {{Opt::man, &write_man_page},
                {Opt::bash, &write_bash_completion},
                {Opt::zsh, &write_zsh_completion},
                {Opt::fish, &write_fish_completion}};
  for (const auto& text : kTexts) {
    if (!options.given(text.option)) continue;
    text.write(out);
    return {};
  }
  // "xmc-lite info --help" and "xmc-lite help info" say the same.
  if (options.command() != Command::help) {
    if (options.command() == Command::check) {
      options.help_all() ? write_help_all(out) : write_help(out);
    } else {
      write_help(out, options.command());
    }
    return {};
  }
  if (options.operand() == "all" || options.help_all()) {
    write_help_all(out);
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
  const std::string_view nearest = nearest_command(options.operand());
  if (!nearest.empty()) {
    return Status::fail(Code::usage, "there is no command '%.60s'; did you mean '%s'?",
                        options.operand().data(), nearest.data());
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
