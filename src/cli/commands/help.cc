#include "cli/commands/help.h"
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
    {75, "stopped with a valid checkpoint; with --full a violation may be known and told by then"},
};

namespace {

constexpr u32 kHelpColumn = 28;
constexpr u32 kWidth = 80;

// What most runs need, each in one line: with the lines around them they fit a screen of 24.
constexpr struct {
  Opt option;
  std::string_view help;
} kCommon[] = {
    {Opt::invariant, "check that EXPR is true in every reachable state"},
    {Opt::reach, "look for a reachable state where EXPR is true"},
    {Opt::ltl, "check that every run satisfies FORMULA, as 'G F P.q'"},
    {Opt::ram, "hard limit for the whole process; default 32M"},
    {Opt::work, "work directory; default MODEL.xmc"},
    {Opt::time, "stop after 90s, 30m, 8h or 2d; resume goes on later"},
    {Opt::threads, "use N threads; 0: all cores"},
    {Opt::engine, "search engine; the default, auto, is meant to be enough"},
    {Opt::full, "explore everything, also behind a violation"},
    {Opt::json, "write the result as JSON; - for standard output"},
    {Opt::trace, "write the counterexample, as its suffix says"},
    {Opt::quiet, "print the verdict and the trace only"},
    {Opt::verbose, "print the memory plan and where time and bytes went"},
};

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

// "  -q, --quiet", and how many columns that takes.
u32 write_name(Output& out, const OptionInfo& info) {
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
  return column;
}

void write_option(Output& out, const OptionInfo& info) {
  u32 column = write_name(out, info);
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
  out.add("       xmc-lite COMMAND [OPTIONS] [ARGUMENT]\n");
}

void write_help(Output& out) {
  constexpr u32 kColumn = 24;
  write_usage(out);
  out.add("\nSearches every state of a model within a fixed amount of memory.\n\n");
  for (const auto& common : kCommon) {
    const u32 column = write_name(out, info_of(common.option));
    out.spaces(kColumn - column).add(common.help).add('\n');
  }
  out.add("\n  Commands:");
  u32 column = 11;
  for (const CommandInfo& info : kCommandTable) {
    if (column + 1 + info.name.size() > kWidth) {
      out.add("\n").spaces(11);
      column = 11;
    }
    out.add(' ').add(info.name);
    column += 1 + static_cast<u32>(info.name.size());
  }
  out.add(
      "\n  Exit status: 0 holds, 1 violated, 2 and 75 not done, the rest are errors.\n"
      "  xmc-lite --help all: every option; xmc-lite COMMAND --help: of one command.\n");
}

void write_help_all(Output& out) {
  out.add(
      "xmc-lite checks finite models exhaustively within a fixed amount of memory.\n\nusage:\n");
  for (u32 i = 0; i < kCommands; ++i) {
    out.add("  ");
    write_call(out, static_cast<Command>(i));
  }
  out.add("\nCommands (xmc-lite COMMAND --help tells more):\n");
  for (const CommandInfo& info : kCommandTable) {
    out.add("  ").add(info.name).spaces(12 - static_cast<u32>(info.name.size()));
    write_wrapped(out, info.help, 14);
  }
  out.add("\nOptions of check:\n");
  write_options(out, Command::check);
  out.add(
      "\n  @FILE stands for the arguments in FILE, one per line; a line that begins with\n"
      "  # is a comment. Options that come after it override those of the file.\n");
  out.add("\nExit status:\n");
  for (const ExitLine& line : kExitLines) {
    out.format("  %2u  ", line.status);
    write_wrapped(out, line.text, 6);
  }
}

void write_help(Output& out, Command command) {
  out.add("usage: ");
  write_call(out, command);
  out.add('\n');
  write_wrapped(out, info_of(command).help, 0);
  write_options(out, command);
}

}  // namespace xmc
