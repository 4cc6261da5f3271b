// Completion for bash, from the option table.
#include "cli/help.h"

namespace xmc {

namespace {

void write_choices(Output& out, const OptionInfo& info) {
  out.add("    --").add(info.name);
  if (info.letter != 0) out.add("|-").add(info.letter);
  out.add(")\n      ");
  switch (info.kind) {
    case OptionKind::choice:
    case OptionKind::when:
      out.add("mapfile -t COMPREPLY < <(compgen -W \"");
      for (const char c : info.metavar) out.add(c == '|' ? ' ' : c);
      out.add("\" -- \"$current\")\n");
      break;
    case OptionKind::path:
    case OptionKind::paths:
      out.add("mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n");
      break;
    default:
      out.add("COMPREPLY=()\n");
      break;
  }
  out.add("      return ;;\n");
}

void write_names(Output& out, Command command) {
  constexpr u32 kColumns = 96;
  out.add("    ").add(info_of(command).name).add(")\n      options=\"");
  u32 column = 0;  // 0 before the first one
  for (const OptionInfo& info : option_table()) {
    if (!info.used_by(command)) continue;
    const u32 length = static_cast<u32>(info.name.size()) + 3;
    const bool wraps = column + length > kColumns;
    if (column != 0) out.add(wraps ? "\n        " : " ");
    column = (column == 0 ? 15 : wraps ? 8 : column) + length;
    out.add("--").add(info.name);
  }
  out.add("\" ;;\n");
}

}  // namespace

void write_bash_completion(Output& out) {
  out.add(
      "# Completion of xmc-lite for bash. Made with: xmc-lite help --bash\n"
      "_xmc_lite() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local command=check options\n"
      "  COMPREPLY=()\n"
      "  case ${COMP_WORDS[1]} in\n    ");
  for (u32 i = 0; i < kCommands; ++i) out.add(i == 0 ? "" : "|").add(kCommandTable[i].name);
  out.add(
      ")\n"
      "      [[ $COMP_CWORD -gt 1 ]] && command=${COMP_WORDS[1]} ;;\n"
      "  esac\n"
      "  case $previous in\n");
  for (const OptionInfo& info : option_table()) {
    if (info.kind != OptionKind::flag) write_choices(out, info);
  }
  out.add("  esac\n  case $command in\n");
  for (u32 i = 0; i < kCommands; ++i) write_names(out, static_cast<Command>(i));
  out.add(
      "  esac\n"
      "  if [[ $current == -* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n"
      "    return\n"
      "  fi\n"
      "  mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
      "    local words commands\n    commands=\"");
  for (u32 i = 0; i < kCommands; ++i) out.add(i == 0 ? "" : " ").add(kCommandTable[i].name);
  out.add(
      "\"\n"
      "    mapfile -t words < <(compgen -W \"$commands\" -- \"$current\")\n"
      "    COMPREPLY+=(\"${words[@]}\")\n"
      "  fi\n"
      "}\n"
      "complete -o filenames -F _xmc_lite xmc-lite\n");
}

}  // namespace xmc
