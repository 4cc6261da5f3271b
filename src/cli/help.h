// Help in three shapes, all from the option table: for the terminal, as a man page, as completion
// for bash. The files under ports/ are made with `help --man` and `help --bash`; a test compares
// them.
#pragma once

#include "cli/options.h"
#include "report/output.h"

namespace xmc {

struct ExitLine {
  u32 status;
  std::string_view text;
};
extern const ExitLine kExitLines[8];

void write_usage(Output& out);                  // two lines, after a mistake
void write_help(Output& out);                   // xmc-lite --help
void write_help(Output& out, Command command);  // xmc-lite COMMAND --help
void write_man_page(Output& out);
void write_bash_completion(Output& out);

}  // namespace xmc
