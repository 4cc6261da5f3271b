#include "cli/help.h"
#include "xmc/text.h"

namespace xmc {

const ExitLine kExitLines[8] = {
    {0, "holds: the search was complete and found no violation"},
    {1, "violated: a counterexample was found, replayed and confirmed"},
    {2, "not decided, and nothing to resume: a limit, a signal, or a RAM budget that is too small"},
    {64, "the command line is wrong"},
    {65, "the model or the property is wrong; messages name file, line and column"},
    {70, "internal error"},
    {74, "I/O error or damaged file"},
    {75, "stopped with a valid checkpoint"},
};

namespace {

constexpr u32 kHelpColumn = 34;
constexpr u32 kWidth = 100;

// Words of `text` from `column` on, in lines of at most kWidth.
void write_wrapped(Output& out, std::string_view text, u32 column) {
  u32 at = column;
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    const std::string_view word = piece_of(text, 0, blank);
    if (at > column && at + 1 + word.size() > kWidth) {
      out.add('\n').spaces(column);
      at = column;
    } else if (at > column) {
      out.add(' ');
      ++at;
    }
    out.add(word);
    at += static_cast<u32>(word.size());
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  }
  out.add('\n');
}

void write_option(Output& out, const OptionInfo& info) {
  u32 column = 0;
  const auto put = [&](std::string_view text) {
    out.add(text);
    column += static_cast<u32>(text.size());
  };
  const char letter[] = {'-', info.letter, ',', ' '};
  put("  ");
  put(info.letter != 0 ? std::string_view(letter, 4) : std::string_view("    "));
  put("--");
  put(info.name);
  if (!info.metavar.empty()) {
    put(" ");
    put(info.metavar);
  }
  if (column + 2 > kHelpColumn) {
    out.add('\n');
    column = 0;
  }
  out.spaces(kHelpColumn - column);
  write_wrapped(out, info.help, kHelpColumn);
  if (!info.standard.empty())
    out.spaces(kHelpColumn).add("(default ").add(info.standard).add(")\n");
}

void write_options(Output& out, Command command) {
  for (u32 group = 0; group < kGroups; ++group) {
    bool titled = false;
    for (const OptionInfo& info : option_table()) {
      if (static_cast<u32>(info.group) != group || !info.used_by(command)) continue;
      if (!titled) out.add('\n').add(kGroupTitles[group]).add(":\n");
      titled = true;
      write_option(out, info);
    }
  }
}

void write_call(Output& out, Command command) {
  const CommandInfo& info = info_of(command);
  out.add("xmc-lite ").add(command == Command::check ? "[check]" : info.name).add(" [OPTIONS]");
  if (!info.operand.empty()) out.add(' ').add(info.operand);
  out.add('\n');
}

}  // namespace

void write_usage(Output& out) {
  out.add("usage: ");
  write_call(out, Command::check);
  out.add("       xmc-lite --help\n");
}

void write_help(Output& out) {
  out.add(
      "xmc-lite checks finite models exhaustively within a fixed amount of memory.\n\nusage:\n");
  for (u32 i = 0; i < kCommands; ++i) {
    out.add("  ");
    write_call(out, static_cast<Command>(i));
  }
  out.add("\nCommands (xmc-lite COMMAND --help tells more):\n");
  for (const CommandInfo& info : kCommandTable) {
    out.add("  ").add(info.name).spaces(12 - static_cast<u32>(info.name.size()));
    out.add(info.help).add('\n');
  }
  out.add("\nOptions of check:\n");
  write_options(out, Command::check);
  out.add("\n  @FILE stands for the arguments in FILE, one per line.\n");
  out.add("\nExit status:\n");
  for (const ExitLine& line : kExitLines) {
    out.format("  %2u  ", line.status).add(line.text).add('\n');
  }
}

void write_help(Output& out, Command command) {
  out.add("usage: ");
  write_call(out, command);
  out.add('\n').add(info_of(command).help).add('\n');
  write_options(out, command);
}

}  // namespace xmc
