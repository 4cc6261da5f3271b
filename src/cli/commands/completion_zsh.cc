// Completion for zsh, from the option table: one specification of _arguments for each option, and
// for each command the names of those it takes.
#include "cli/commands/help.h"
#include "cli/options/option_words.h"

namespace xmc {

namespace {

// The first thought of a help text, for a specification in single quotes.
void add_brief_help(Output& out, std::string_view help) {
  for (const char c : piece_of(help, 0, help.find(';'))) {
    if (c == '\'') {
      out.add("'\\''");
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') out.add('\\');
      out.add(c);
    }
  }
}

void write_action(Output& out, const OptionInfo& info) {
  out.add(':').add(info.name).add(':');
  switch (info.kind) {
    case OptionKind::choice:
    case OptionKind::when:
    case OptionKind::language: {
      char before = '(';
      each_fixed_word(info, [&](std::string_view word) {
        out.add(before).add(word);
        before = ' ';
      });
      out.add(')');
      break;
    }
    case OptionKind::engine:
      out.add("_xmc_lite_engines");
      break;
    case OptionKind::path:
    case OptionKind::paths:
      out.add(info.metavar == "DIR" ? "_files -/" : "_files");
      break;
    default:
      out.add(' ');
      break;
  }
}

void write_spec(Output& out, const OptionInfo& info, bool letter) {
  const bool flag = info.kind == OptionKind::flag;
  out.add("    ");
  letter ? out.add('-').add(info.letter) : out.add(info.name);
  out.add(" '");
  if (may_repeat(info.kind)) out.add('*');
  if (info.letter != 0) {
    letter ? out.add("(--").add(info.name).add(')') : out.add("(-").add(info.letter).add(')');
  }
  letter ? out.add('-').add(info.letter) : out.add("--").add(info.name);
  out.add(flag ? "[" : letter ? "+[" : "=[");
  add_brief_help(out, info.help);
  out.add(']');
  if (!flag) write_action(out, info);
  out.add("'\n");
}

void write_command(Output& out, Command command) {
  const CommandInfo& info = info_of(command);
  out.add("    ").add(info.name).add(")\n      names=(");
  bool first = true;
  for (const OptionInfo& option : option_table()) {
    if (!option.used_by(command)) continue;
    out.add(first ? "" : " ").add(option.name);
    if (option.letter != 0) out.add(" -").add(option.letter);
    first = false;
  }
  out.add(")\n");
  if (info.operand == "DIR" || info.operand == "WORKDIR") {
    out.add("      operand=_files\\ -/ ;;\n");
  } else if (info.operand == "[COMMAND]") {
    out.add("      operand=_xmc_lite_commands ;;\n");
  } else if (info.operand.empty() || info.operand == "[FORMULA]") {
    out.add("      operand= ;;\n");
  } else {
    out.add("      operand=_files ;;\n");
  }
}

void write_zsh_commands(Output& out) {
  out.add("_xmc_lite_commands() {\n  local -a commands=(\n");
  for (const CommandInfo& info : kCommandTable) {
    out.add("    '").add(info.name).add(':');
    add_brief_help(out, info.help);
    out.add("'\n");
  }
  out.add("  )\n  _describe command commands\n}\n");
}

}  // namespace

void write_zsh_completion(Output& out) {
  out.add(
      "#compdef xmc-lite\n"
      "# Completion of xmc-lite for zsh. Made with: xmc-lite help --zsh\n");
  write_zsh_commands(out);
  out.add(
      "_xmc_lite_engines() {\n"
      "  compadd -- auto $(" XMC_ASK_FOR_ENGINES
      ")\n"
      "}\n"
      "_xmc_lite_first() {\n  _xmc_lite_commands\n  _files\n}\n"
      "_xmc_lite() {\n  local -A specs=(\n");
  for (const OptionInfo& info : option_table()) {
    write_spec(out, info, false);
    if (info.letter != 0) write_spec(out, info, true);
  }
  out.add(
      "  )\n"
      "  local command=check operand name\n"
      "  local -a names chosen\n"
      "  if (( CURRENT > 2 )); then\n"
      "    case ${words[2]} in\n      ");
  for (u32 i = 0; i < kCommands; ++i) out.add(i == 0 ? "" : "|").add(kCommandTable[i].name);
  out.add(
      ")\n"
      "        command=${words[2]}\n"
      "        shift words\n"
      "        (( CURRENT-- )) ;;\n"
      "    esac\n"
      "  fi\n"
      "  case $command in\n");
  for (u32 i = 0; i < kCommands; ++i) write_command(out, static_cast<Command>(i));
  out.add(
      "  esac\n"
      "  (( CURRENT == 2 )) && [[ $command == check && ${words[1]} != check ]] &&\n"
      "    operand=_xmc_lite_first\n"
      "  for name in $names; do chosen+=(${specs[$name]}); done\n"
      "  [[ -n $operand ]] && chosen+=(\"1:argument:$operand\")\n"
      "  _arguments $chosen\n"
      "}\n"
      "_xmc_lite \"$@\"\n");
}

}  // namespace xmc
