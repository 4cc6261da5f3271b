// Completion for bash, from the option table.
#include "cli/commands/help.h"
#include "cli/options/option_words.h"

namespace xmc {

namespace {

// Words between quotes, in lines of a length that can be read.
class Words {
 public:
  Words(Output& out, std::string_view name) : out_(out) {
    out.add("      ").add(name).add("=\"");
    column_ = 8 + static_cast<u32>(name.size());
  }
  void add(std::string_view before, std::string_view word) {
    const u32 length = static_cast<u32>(before.size() + word.size()) + 1;
    const bool wraps = column_ + length > 96;
    if (!first_) out_.add(wraps ? "\n        " : " ");
    column_ = (wraps ? 8 : column_) + length;
    out_.add(before).add(word);
    first_ = false;
  }
  void end() { out_.add('"'); }

 private:
  Output& out_;
  u32 column_;
  bool first_ = true;
};

// What is offered for the value, from $current on; nothing for numbers and free text.
void write_value(Output& out, const OptionInfo& info) {
  out.add("    --").add(info.name);
  if (info.letter != 0) out.add("|-").add(info.letter);
  out.add(")\n");
  switch (info.kind) {
    case OptionKind::choice:
    case OptionKind::when:
    case OptionKind::language: {
      Words words(out, "words");
      each_fixed_word(info, [&](std::string_view word) { words.add("", word); });
      words.end();
      out.add(" ;;\n");
      break;
    }
    case OptionKind::engine:
      out.add("      words=\"auto $(_xmc_lite_engines)\" ;;\n");
      break;
    case OptionKind::path:
    case OptionKind::paths:
      out.add(info.metavar == "DIR" ? "      files=-d ;;\n" : "      files=-f ;;\n");
      break;
    default:
      out.add("      return ;;\n");
      break;
  }
}

void write_names(Output& out, Command command) {
  out.add("    ").add(info_of(command).name).add(")\n");
  Words names(out, "options");
  for (const OptionInfo& info : option_table()) {
    if (info.used_by(command)) names.add("--", info.name);
  }
  names.end();
  const std::string_view operand = info_of(command).operand;
  if (operand == "DIR" || operand == "WORKDIR") {
    out.add("\n      files=-d");
  } else if (operand == "[COMMAND]") {
    out.add("\n      files='' words=\"$commands all\"");
  } else if (operand.empty() || operand == "[FORMULA]") {
    out.add("\n      files=''");
  }
  out.add(" ;;\n");
}

}  // namespace

void write_bash_completion(Output& out) {
  out.add(
      "# Completion of xmc-lite for bash. Made with: xmc-lite help --bash\n"
      "_xmc_lite_engines() {\n"
      "  " XMC_ASK_FOR_ENGINES
      "\n"
      "}\n"
      "_xmc_lite() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local command=check options words='' files='' commands\n"
      "  commands=\"");
  for (u32 i = 0; i < kCommands; ++i) out.add(i == 0 ? "" : " ").add(kCommandTable[i].name);
  out.add(
      "\"\n"
      "  COMPREPLY=()\n"
      "  # In --ram=8M the equals sign is a word of its own.\n"
      "  if [[ $current == = ]]; then\n"
      "    current=''\n"
      "  elif [[ $previous == = ]]; then\n"
      "    previous=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  fi\n"
      "  [[ $COMP_CWORD -gt 1 && \" $commands \" == *\" ${COMP_WORDS[1]} \"* ]] &&\n"
      "    command=${COMP_WORDS[1]}\n"
      "  case $previous in\n");
  for (const OptionInfo& info : option_table()) {
    if (info.kind != OptionKind::flag) write_value(out, info);
  }
  out.add(
      "  esac\n"
      "  if [[ $words ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
      "    return\n"
      "  elif [[ $files ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen \"$files\" -- \"$current\")\n"
      "    return\n"
      "  fi\n"
      "  files=-f\n"
      "  case $command in\n");
  for (u32 i = 0; i < kCommands; ++i) write_names(out, static_cast<Command>(i));
  out.add(
      "  esac\n"
      "  case $current in\n"
      "    -*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\") ;;\n"
      "    @*) mapfile -t COMPREPLY < <(compgen -P @ -f -- \"${current#@}\") ;;\n"
      "    *)\n"
      "      [[ $COMP_CWORD -eq 1 ]] && words=$commands\n"
      "      [[ $files ]] && mapfile -t COMPREPLY < <(compgen \"$files\" -- \"$current\")\n"
      "      mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W \"$words\" -- "
      "\"$current\") ;;\n"
      "  esac\n"
      "}\n"
      "complete -o filenames -F _xmc_lite xmc-lite\n");
}

}  // namespace xmc
