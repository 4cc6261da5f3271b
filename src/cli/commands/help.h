// Help in three shapes, all from the option table: for the terminal, as a man page, as completion
// for three shells. The files under ports/ are made with `help --man`, `--bash`, `--zsh` and
// `--fish`; a test compares them.
#pragma once

#include "cli/options/options.h"
#include "report/output.h"

// In a shell: the engines of the tool that is there, line by line. A completion asks for them when
// they are wanted, so that it names none itself. A macro: it is a part of longer texts.
#define XMC_ASK_FOR_ENGINES "xmc-lite version 2>/dev/null | sed -n 's/^  \\([^ ]*\\).*/\\1/p'"

namespace xmc {

struct ExitLine {
  u32 status;
  std::string_view text;
};
extern const ExitLine kExitLines[8];

void write_usage(Output& out);                  // two lines, after a mistake
void write_help(Output& out);                   // xmc-lite --help: one screen
void write_help_all(Output& out);               // xmc-lite --help all
void write_help(Output& out, Command command);  // xmc-lite COMMAND --help
void write_man_page(Output& out);
void write_bash_completion(Output& out);
void write_zsh_completion(Output& out);
void write_fish_completion(Output& out);

}  // namespace xmc
