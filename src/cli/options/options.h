// The command line: subcommands, the option table made from options.def, and strict parsing.
// Unknown, repeated, out-of-range options and options that a subcommand does not use are errors, so
// that a typing mistake never becomes a different run. Only what an option file says (@FILE) may be
// given again.
#pragma once

#include <span>
#include <string_view>

#include "report/json.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

enum class Command : u8 {
  check,
  plan,
  resume,
  status,
  fsck,
  clean,
  info,
  simulate,
  trace,
  emit,
  ltl,
  probe,
  version,
  help
};
inline constexpr u32 kCommands = 14;

struct CommandInfo {
  std::string_view name;
  // "MODEL", or "" for none; "[COMMAND]" may be left out, and so may the second of "FILE [MODEL]"
  std::string_view operand;
  std::string_view help;
};
extern const CommandInfo kCommandTable[kCommands];
inline const CommandInfo& info_of(Command command) {
  return kCommandTable[static_cast<u32>(command)];
}

enum class OptionKind : u8 {
  flag,
  number,
  decimal,
  size,
  duration,
  clock,
  choice,
  when,
  engine,
  language,
  text,
  path,
  paths,
  names
};
inline bool may_repeat(OptionKind kind) {
  return kind == OptionKind::paths || kind == OptionKind::names;
}
enum class OptionGroup : u8 { checks, resources, search, walks, output, general };
inline constexpr u32 kGroups = 6;
extern const char* const kGroupTitles[kGroups];

enum class Opt : u8 {
#define XMC_OPTION(id, ...) id,
#include "xmc/options.def"
#undef XMC_OPTION
};

// What to check: a run has one of them at most.
inline constexpr Opt kGoals[] = {Opt::property, Opt::ltl,       Opt::hoa,
                                 Opt::never,    Opt::invariant, Opt::reach};

struct OptionInfo {
  std::string_view name;
  char letter;
  OptionKind kind;
  std::string_view metavar;
  std::string_view standard;  // the default, as a user would write it
  u64 low;
  u64 high;
  u32 commands;  // bit per Command
  OptionGroup group;
  std::string_view help;

  bool used_by(Command command) const { return (commands >> static_cast<u32>(command) & 1) != 0; }
};
std::span<const OptionInfo> option_table();
inline const OptionInfo& info_of(Opt option) { return option_table()[static_cast<u32>(option)]; }

struct OptionValue {
  bool given = false;
  bool from_file = false;  // by @FILE: what comes later replaces it
  std::string_view text;   // as written, or the default
  u64 number = 0;          // of number, decimal, size, duration and clock; of `when` 0 for a word
  bool restored = false;   // given to an earlier process of the run
};

// How often --trace may be given: one file per format, and as many again.
inline constexpr u32 kTraceFiles = 10;
// And --define.
inline constexpr u32 kDefinitions = 64;
// Arguments read from @FILE.
inline constexpr u32 kArgumentFileBytes = 16 << 10;
// And of --board.
inline constexpr u32 kBoardBytes = 1 << 10;
// Limits and outputs that a work directory keeps, the names of outputs in full.
inline constexpr u32 kKeptOptionBytes = 16 << 10;

inline constexpr u32 kOptions = 0
#define XMC_OPTION(...) +1
#include "xmc/options.def"
#undef XMC_OPTION
    ;

class Options {
 public:
  Command command() const { return command_; }
  bool given(Opt option) const { return value_[static_cast<u32>(option)].given; }
  std::string_view text(Opt option) const { return value_[static_cast<u32>(option)].text; }
  // For OS calls. All texts stem from argv, @FILE or literals, so they end with a zero.
  const char* c_str(Opt option) const { return text(option).data(); }
  u64 number(Opt option) const { return value_[static_cast<u32>(option)].number; }
  std::string_view operand() const { return operand_; }
  const char* argument_file() const { return argument_file_; }  // the FILE of @FILE, or null
  bool help_all() const { return help_all_; }                   // --help all
  std::string_view second_operand() const { return second_operand_; }
  std::span<const std::string_view> traces() const { return {traces_, trace_count_}; }
  std::span<const std::string_view> definitions() const {
    return {definitions_, definition_count_};
  }
  // All values of an option that may be repeated.
  std::span<const std::string_view> list(Opt option) const {
    return option == Opt::trace ? traces() : definitions();
  }

  // Reads the whole line (argv[0] left out). After a failure the options before the wrong word are
  // there. `operand_needed` is false for checkers built from a model.
  Status parse(std::span<char* const> arguments, bool operand_needed);

  // An option of a run that is resumed, as it was given then. What the command line says wins.
  // The value ends with a zero and stays where it is.
  Status restore(std::string_view name, std::string_view value);
  // The same for a number whose text nobody asks for.
  void restore_number(Opt option, u64 number);
  // What the run has made of an option of the run: a resumed one has it as well.
  void settle(Opt option, std::string_view word);
  // Whether it says what is checked and how: the same for all processes of a run.
  static bool is_of_run(Opt option);
  // Whether it is a limit or an output that later processes take over unless they are given
  // another: all that resume takes but --states and --depth, which say how far one process looks.
  static bool is_kept(Opt option);
  // Given to this process, and not by an earlier one or by what a checker was built with.
  bool given_now(Opt option) const {
    return given(option) && !value_[static_cast<u32>(option)].restored;
  }
  // Forgets the files that were to be written.
  void drop_outputs();
  // Whether the command line has one of those.
  bool gives_kept() const;

  // The effective options of the subcommand, as members of a JSON object.
  void echo(JsonWriter& json) const;

 private:
  Status take(std::string_view argument);
  Status take_option(std::string_view name, bool letter, bool has_value, std::string_view value);
  Status set(Opt option, std::string_view value);
  Status replace(Opt option);
  void reset(Opt option);
  static Status check_first_word(const char* word);
  Status take_operand(std::string_view argument);
  Status take_argument_file(const char* path);
  Status take_lines(char* contents, u32 size);
  Status take_board();
  Status unknown(std::string_view name, bool letter) const;
  Status finish(bool operand_needed);
  Status missing_operand() const;
  Status check_combinations() const;
  Status check_engine_options() const;
  Status check_edge_options() const;

  Command command_ = Command::check;
  OptionValue value_[kOptions];
  std::string_view operand_;
  std::string_view second_operand_;
  std::string_view traces_[kTraceFiles];
  u32 trace_count_ = 0;
  std::string_view definitions_[kDefinitions];
  u32 definition_count_ = 0;
  bool only_operands_ = false;  // after "--"
  Opt pending_ = Opt::help;     // option whose value is the next argument
  bool has_pending_ = false;
  bool file_used_ = false;
  const char* argument_file_ = nullptr;
  bool in_file_ = false;
  bool in_board_ = false;
  bool help_all_ = false;
};

}  // namespace xmc
