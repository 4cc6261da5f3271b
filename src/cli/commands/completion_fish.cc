// Completion for fish, from the option table: one line for each command and each option.
#include "cli/commands/help.h"
#include "cli/options/option_words.h"

namespace xmc {

namespace {

// The first thought of a help text, in single quotes.
void add_brief(Output& out, std::string_view help) {
  out.add('\'');
  for (const char c : piece_of(help, 0, help.find(';'))) {
    if (c == '\'' || c == '\\') out.add('\\');
    out.add(c);
  }
  out.add('\'');
}

void write_commands_of(Output& out, const OptionInfo& info) {
  out.add(" -n '__xmc_lite_for");
  for (u32 i = 0; i < kCommands; ++i) {
    if (info.used_by(static_cast<Command>(i))) out.add(' ').add(kCommandTable[i].name);
  }
  out.add('\'');
}

void write_fish_option(Output& out, const OptionInfo& info) {
  out.add("complete -c xmc-lite");
  write_commands_of(out, info);
  out.add(" -l ").add(info.name);
  if (info.letter != 0) out.add(" -s ").add(info.letter);
  switch (info.kind) {
    case OptionKind::flag:
      break;
    case OptionKind::choice:
    case OptionKind::when:
    case OptionKind::language: {
      const char* before = " -x -a '";
      each_fixed_word(info, [&](std::string_view word) {
        out.add(before).add(word);
        before = " ";
      });
      out.add('\'');
      break;
    }
    case OptionKind::engine:
      out.add(" -x -a 'auto (__xmc_lite_engines)'");
      break;
    case OptionKind::path:
    case OptionKind::paths:
      out.add(info.metavar == "DIR" ? " -x -a '(__fish_complete_directories)'" : " -r -F");
      break;
    default:
      out.add(" -x");
      break;
  }
  out.add(" -d ");
  add_brief(out, info.help);
  out.add('\n');
}

// Files are offered for a model without being asked for.
void write_operand(Output& out, const CommandInfo& info) {
  const char* words = "";
  if (info.operand == "DIR" || info.operand == "WORKDIR") {
    words = " -a '(__fish_complete_directories)'";
  } else if (info.operand == "[COMMAND]") {
    words = " -a \"$__xmc_lite_commands all\"";
  } else if (!info.operand.empty() && info.operand != "[FORMULA]") {
    return;
  }
  out.add("complete -c xmc-lite -n '__xmc_lite_for ").add(info.name).add("' -f").add(words);
  out.add('\n');
}

}  // namespace

void write_fish_completion(Output& out) {
  out.add(
      "# Completion of xmc-lite for fish. Made with: xmc-lite help --fish\n"
      "set -g __xmc_lite_commands");
  for (const CommandInfo& info : kCommandTable) out.add(' ').add(info.name);
  out.add(
      "\n"
      "function __xmc_lite_engines\n"
      "    " XMC_ASK_FOR_ENGINES
      "\n"
      "end\n"
      "function __xmc_lite_first\n"
      "    test (count (commandline -opc)) -eq 1\n"
      "end\n"
      "function __xmc_lite_for\n"
      "    set -l words (commandline -opc)\n"
      "    if set -q words[2]; and contains -- $words[2] $__xmc_lite_commands\n"
      "        contains -- $words[2] $argv\n"
      "    else\n"
      "        contains -- check $argv\n"
      "    end\n"
      "end\n");
  for (const CommandInfo& info : kCommandTable) {
    out.add("complete -c xmc-lite -n __xmc_lite_first -a ").add(info.name).add(" -d ");
    add_brief(out, info.help);
    out.add('\n');
  }
  for (const CommandInfo& info : kCommandTable) write_operand(out, info);
  for (const OptionInfo& info : option_table()) write_fish_option(out, info);
}

}  // namespace xmc
