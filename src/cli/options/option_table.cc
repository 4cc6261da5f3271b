// The tables of options and commands, from include/xmc/options.def.
#include "cli/options/options.h"

namespace xmc {

namespace {

constexpr u32 bit(Command command) { return 1u << static_cast<u32>(command); }

constexpr u32 for_check = bit(Command::check);
constexpr u32 for_plan = bit(Command::plan);
constexpr u32 for_resume = bit(Command::resume);
constexpr u32 for_status = bit(Command::status);
constexpr u32 for_fsck = bit(Command::fsck);
constexpr u32 for_info = bit(Command::info);
constexpr u32 for_simulate = bit(Command::simulate);
constexpr u32 for_trace = bit(Command::trace);
constexpr u32 for_emit = bit(Command::emit);
constexpr u32 for_ltl = bit(Command::ltl);
constexpr u32 for_probe = bit(Command::probe);
constexpr u32 for_version = bit(Command::version);
constexpr u32 for_help = bit(Command::help);
constexpr u32 for_all = (1u << kCommands) - 1;

constexpr OptionInfo kTable[] = {
#define XMC_OPTION(id, name, letter, kind, metavar, standard, low, high, commands, group, help) \
  {name,                                                                                        \
   letter,                                                                                      \
   OptionKind::kind,                                                                            \
   metavar,                                                                                     \
   standard,                                                                                    \
   static_cast<u64>(low),                                                                       \
   static_cast<u64>(high##u),                                                                   \
   commands,                                                                                    \
   OptionGroup::group,                                                                          \
   help},
#include "xmc/options.def"
#undef XMC_OPTION
};
static_assert(sizeof kTable / sizeof kTable[0] == kOptions);

}  // namespace

const CommandInfo kCommandTable[kCommands] = {
    {"check", "MODEL", "search the states of a model for violations; may be left out"},
    {"plan", "MODEL",
     "show what check would do, and a forecast; nothing is searched or left behind"},
    {"resume", "WORKDIR", "go on with a stopped or interrupted check from its last checkpoint"},
    {"status", "WORKDIR", "show whether a check is running, its last checkpoint and its figures"},
    {"fsck", "WORKDIR", "verify the checkpoints, the model and every block of a work directory"},
    {"clean", "WORKDIR", "remove a work directory: our files only"},
    {"info", "MODEL", "show processes, variables, layout, transitions and properties"},
    {"simulate", "MODEL", "walk through a model, by dice or by a script"},
    {"trace", "WORKDIR|FILE [MODEL]", "replay a saved trace and write it in another format"},
    {"emit", "MODEL", "write C++ code for a checker of this model"},
    {"ltl", "[FORMULA]", "translate a formula of linear temporal logic to a Buchi automaton"},
    {"probe", "DIR", "measure what reading and writing in a directory takes; once per file system"},
    {"version", "", "print version, commit, compiler, target, I/O backend, codecs and engines"},
    {"help", "[COMMAND]", "print help"},
};

const char* const kGroupTitles[kGroups] = {
    "What to check", "Resources", "Search", "Walks and traces", "Output", "General",
};

std::span<const OptionInfo> option_table() { return kTable; }

}  // namespace xmc
