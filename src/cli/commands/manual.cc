// The man page: sections by hand, OPTIONS and EXIT STATUS from the tables.
#include "cli/commands/help.h"
#include "report/target.h"

namespace xmc {

namespace {

// Text for roff: a minus that can be copied, and no control character at the start of a line.
void add_roff(Output& out, std::string_view text) {
  if (!text.empty() && (text[0] == '.' || text[0] == '\'')) out.add("\\&");
  for (const char c : text) {
    if (c == '-') {
      out.add("\\-");
    } else if (c == '\\') {
      out.add("\\e");
    } else {
      out.add(c);
    }
  }
}

void write_commands(Output& out) {
  out.add(".SH COMMANDS\n");
  for (const CommandInfo& info : kCommandTable) {
    out.add(".TP\n.B ");
    add_roff(out, info.name);
    if (!info.operand.empty()) {
      out.add("\\fR \\fI");
      add_roff(out, info.operand);
      out.add("\\fR");
    }
    out.add('\n');
    add_roff(out, info.help);
    out.add(".\n");
  }
}

void write_manual_option(Output& out, const OptionInfo& info) {
  out.add(".TP\n");
  if (info.letter != 0) out.add("\\fB\\-").add(info.letter).add("\\fR, ");
  out.add("\\fB\\-\\-");
  add_roff(out, info.name);
  out.add("\\fR");
  if (!info.metavar.empty()) {
    out.add(" \\fI");
    add_roff(out, info.metavar);
    out.add("\\fR");
  }
  out.add('\n');
  add_roff(out, info.help);
  out.add(".\n");
  if (!info.standard.empty()) {
    out.add("Default: ");
    add_roff(out, info.standard);
    out.add(".\n");
  }
  if (info.used_by(Command::check)) return;
  out.add("Only for:");
  for (u32 i = 0; i < kCommands; ++i) {
    if (info.used_by(static_cast<Command>(i))) out.add(' ').add(kCommandTable[i].name);
  }
  out.add(".\n");
}

void write_options(Output& out) {
  out.add(
      ".SH OPTIONS\n"
      "A value follows its option as the next argument or after an equals sign.\n"
      "Unknown or repeated options, values out of range, and options that a command does not use "
      "are errors.\n"
      "Sizes are bytes or have a unit: K, M, G, T (powers of two; also KiB, MiB, GiB, TiB).\n"
      "Times have a unit: s, m, h, d.\n"
      "An argument \\fB@\\fIFILE\\fR stands for the arguments in \\fIFILE\\fR, one per line.\n"
      "There a line that begins with # is a comment.\n"
      "Options that come after \\fB@\\fIFILE\\fR override those of the file.\n");
  for (u32 group = 0; group < kGroups; ++group) {
    out.add(".SS ").add(kGroupTitles[group]).add('\n');
    for (const OptionInfo& info : option_table()) {
      if (static_cast<u32>(info.group) == group) write_manual_option(out, info);
    }
  }
}

void write_exit_status(Output& out) {
  out.add(".SH EXIT STATUS\n");
  for (const ExitLine& line : kExitLines) {
    out.add(".TP\n.B ").number(line.status).add('\n');
    add_roff(out, line.text);
    out.add(".\n");
  }
  out.add(".PP\nNothing that was not proved exits with 0.\n");
}

constexpr const char* kBeginning =
    ".SH NAME\n"
    "xmc\\-lite \\- explicit\\-state model checker for machines with little memory\n"
    ".SH SYNOPSIS\n"
    ".B xmc\\-lite\n[\\fBcheck\\fR] [\\fIOPTIONS\\fR] \\fIMODEL\\fR\n.br\n"
    ".B xmc\\-lite\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENT\\fR]\n"
    ".SH DESCRIPTION\n"
    "Explores every reachable state of a model written in DVE and decides whether the asked "
    "property holds.\n"
    "The resident memory of the whole process, code and stack included, stays at or under\n"
    ".BR \\-\\-ram .\n"
    "All of it is set aside before the search begins; a budget that is too small is a message with "
    "the amount\n"
    "that would do, never a crash.\n"
    ".PP\n"
    "Without a property of its own a model is checked for deadlocks, failing assertions and "
    "run\\-time errors.\n"
    "A model with a property process (\\fBsystem async property X\\fR) is checked for accepting "
    "cycles of X.\n"
    "With \\fB\\-\\-ltl\\fR, \\fB\\-\\-hoa\\fR or \\fB\\-\\-never\\fR it is "
    "checked in the product with that automaton instead, see LINEAR TEMPORAL LOGIC.\n"
    "A counterexample is replayed by an independent interpreter before it is shown.\n"
    "Where a step or a predicate raises a run\\-time error, the line, the expression and the "
    "values "
    "that it read are shown.\n"
    "With \\fB\\-\\-errors beem\\fR and \\fBstop\\fR such a step leads to an error state, in which "
    "all "
    "variables are 0 and the first process is nowhere;\n"
    "there, and in what follows it, \\fB\\-\\-invariant\\fR, \\fB\\-\\-reach\\fR and assertions "
    "are "
    "not judged.\n"
    ".PP\n"
    "Verdict and trace go to standard output, progress and messages to standard error.\n"
    "With \\fB\\-\\-json \\-\\fR standard output has the JSON object only.\n"
    "A number of states that 64 bits do not hold is null there, and a string of all its digits "
    "under states_exact.\n"
    "A file that an option names is written beside its place and renamed when it is complete; "
    "\\fB\\-\\-levels\\fR takes its\n"
    "place when the search begins, and grows. A name that is the model, another input or another "
    "output, or that cannot be\n"
    "written, is refused before the search. Pipes and devices are written to as they are.\n"
    ".PP\n"
    "Engines that keep their states in files write checkpoints into the work directory.\n"
    "A run that a signal, a limit, a full disk, a crash or a power cut ended goes on from the last "
    "sound one with\n"
    "\\fBxmc\\-lite resume\\fR \\fIWORKDIR\\fR, also on another machine: the model and the "
    "options are in the directory.\n"
    "What says what is checked and how stays. \\fB\\-\\-ram\\fR, \\fB\\-\\-threads\\fR, limits "
    "and outputs are kept, outputs where\n"
    "the first command meant them, and may be given anew, from then on. Each resume has the whole "
    "of \\fB\\-\\-time\\fR;\n"
    "\\fB\\-\\-states\\fR and \\fB\\-\\-depth\\fR are for one command line. The file of "
    "\\fB\\-\\-levels\\fR is cut at the checkpoint and goes on.\n"
    "Before the first checkpoint resume begins the run again. A run that has reached its "
    "\\fB\\-\\-wear\\-limit\\fR is left as it is,\n"
    "with status 75, until a larger one is given.\n"
    "The figures of the result are those of all runs together.\n";

constexpr const char* kLogic =
    ".SH LINEAR TEMPORAL LOGIC\n"
    "\\fB\\-\\-ltl\\fR \\fIFORMULA\\fR says what every run must satisfy. It is negated, made "
    "an automaton of its\n"
    "counterexamples and searched for in the product with the model. \\fB\\-\\-hoa\\fR and "
    "\\fB\\-\\-never\\fR name files that have such an\n"
    "automaton already, from another tool: what it accepts are the bad behaviours, so that a run "
    "that it accepts is a violation.\n"
    ".PP\n"
    "Operators, what binds tightest first: ! X F G (also written \\(ti, <>, []); U R W M; & | ^ "
    "(also && ||); \\-> and <\\->.\n"
    "Propositions are expressions of the model: P.wait, a[i] < 3. Those with other operators stand "
    "in double quotes, as do\n"
    "the propositions of HOA files: \"P.a or P.b\". A proposition is read in the state before a "
    "step. A run that ends in a deadlock\n"
    "goes on in its last state for ever.\n"
    "Where a run is bad whatever follows, as with G, it ends there, with a violation of kind "
    "bad\\-prefix and without a\n"
    "search for cycles; engines that only look for cycles find one all the same.\n"
    "A trace shows where propositions become true and false.\n"
    "A process of the model that is a property is left out, and \\fB\\-\\-deadlock\\fR is off "
    "unless it is given.\n";

constexpr const char* kEnd =
    ".SH FILES\n"
    ".TP\n.I MODEL.xmc\n"
    "The work directory, in the current directory unless \\fB\\-\\-work\\fR names another.\n"
    "Without \\fB\\-\\-work\\fR it is made when the search writes its first file: one that stays "
    "in memory leaves none.\n"
    "What is asked is in its name, as in\n"
    ".I MODEL\\-p1.xmc\n"
    "for \\fB\\-\\-property p1\\fR and\n"
    ".I MODEL\\-deadlock\\-off.xmc\n"
    "(digits of a hash where the words are long), and a number where a run of the same question is "
    "at work:\n"
    ".IR MODEL+2.xmc .\n"
    "A stopped run is in the way of its own question only; a directory that\n"
    "\\fB\\-\\-work\\fR names and another run has is an error (74).\n"
    "It is locked while in use, removed after a verdict unless \\fB\\-\\-keep\\fR is given, and "
    "kept when the run is not\n"
    "decided. Only files made by this program are ever deleted in it:\n"
    "\\fIxmc\\-lite.run\\fR (what was run), \\fIxmc\\-lite.options\\fR (limits and outputs), "
    "\\fImodel.text\\fR, \\fIproperty.text\\fR (the formula or automaton), "
    "\\fIpage.history\\fR (of the page of \\fB\\-\\-report\\fR), "
    "\\fIroot.0\\fR and "
    "\\fIroot.1\\fR (the checkpoints),\n"
    "\\fIended\\fR (how the last run ended), \\fItrace.steps\\fR (the saved trace), "
    "\\fIlock\\fR, and the files of engines:\n"
    "\\fIqueue\\fR and others.\n"
    ".TP\n.I ~/.cache/xmc\\-lite/probe\\-*\n"
    "What reading and writing take on a file system, measured once with at most 2 MiB written.\n"
    ".SH SIGNALS\n"
    ".TP\n.B TERM, INT, HUP\n"
    "Write a checkpoint, if the engine keeps them, and report what is known. A second INT ends the "
    "process at once.\n"
    ".TP\n.B USR1\nPrint one progress line.\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B NO_COLOR\nNot empty: no colours.\n"
    ".TP\n.B XDG_CACHE_HOME\nUsed instead of \\fI~/.cache\\fR.\n"
    ".SH EXAMPLES\n"
    "Check a model for deadlocks within 32 MiB:\n"
    ".PP\n.nf\n"
    "    xmc\\-lite \\-\\-ram 32M mutex.dve\n"
    ".fi\n.PP\n"
    "Check an invariant, with the result and a counterexample for a waveform viewer:\n"
    ".PP\n.nf\n"
    "    xmc\\-lite \\-\\-invariant 'pos[0] < 4' \\-\\-json result.json \\-\\-trace ce.vcd "
    "model.dve\n"
    ".fi\n.PP\n"
    "Check that each request is answered at last:\n"
    ".PP\n.nf\n"
    "    xmc\\-lite \\-\\-ltl 'G (P.request \\-> F \"P.served or P.refused\")' model.dve\n"
    ".fi\n.PP\n"
    "See what a long run would do, and what RAM, disk and a night have room for:\n"
    ".PP\n.nf\n"
    "    xmc\\-lite plan \\-\\-work run \\-\\-time 8h model.dve\n"
    ".fi\n.PP\n"
    "Let it run for the night, and go on in the next one:\n"
    ".PP\n.nf\n"
    "    xmc\\-lite \\-\\-work run \\-\\-time 8h model.dve\n"
    "    xmc\\-lite status run\n"
    "    xmc\\-lite resume run\n"
    ".fi\n.PP\n"
    "Keep the trace and look at it later:\n"
    ".PP\n.nf\n"
    "    xmc\\-lite \\-\\-keep \\-\\-work run model.dve\n"
    "    xmc\\-lite trace run \\-\\-trace\\-style full \\-\\-vars P_0,turn\n"
    "    xmc\\-lite clean run\n"
    ".fi\n";

}  // namespace

void write_man_page(Output& out) {
  out.add(".\\\" Made with: xmc-lite help --man\n");
  out.add(".TH XMC\\-LITE 1 2026-11-15 \"xmc\\-lite ")
      .add(kToolVersion)
      .add("\" \"User Commands\"\n");
  out.add(kBeginning);
  write_commands(out);
  write_options(out);
  out.add(kLogic);
  write_exit_status(out);
  out.add(kEnd);
}

}  // namespace xmc
