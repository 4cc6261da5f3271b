#include "report/summary.h"

#include "report/counts.h"
#include "report/lookups.h"
#include "report/owner_report.h"
#include "report/row.h"
#include "xmc/bytes.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// One part of the memory: "+ 29.5 states".
void part(Row& out, u64 bytes, std::string_view name) {
  FixedText<96> text;
  text.format("+ %.1f ", static_cast<double>(bytes) / (1024.0 * 1024.0)).add(name);
  out.whole(text.view());
}

void bytes_text(Row& out, u64 bytes) {
  FixedText<32> text;
  text.bytes(bytes);
  out.whole(text.view());
}

void write_time(Row& out, const RunReport& report) {
  FixedText<64> text;
  text.seconds(report.wall_s);
  out.raw("time").to(kReportIndent).add(text.view()).add(", cpu ");
  text.clear();
  text.seconds(report.cpu_s);
  out.add(text.view());
  if (report.peak_rss != kNoFigure && report.ram_limit != kNoFigure) {
    out.add("; RAM ");
    bytes_text(out, report.peak_rss);
    out.add(" at the peak of ");
    bytes_text(out, report.ram_limit);
  }
  const u64 used = report.outcome.stats.ram_used;
  if (used != kNoFigure) {
    out.add(", ");
    bytes_text(out, used);
    out.add(" for the search");
    if (used >= 1024) out.format(" (%llu bytes)", wide(used));
  }
  out.add('\n');
  write_lookups(out, report.outcome.stats);
  const u64 windows = report.outcome.stats.bit_windows;
  if (windows == kNoFigure) return;
  const u64 bits = (report.outcome.stats.states + 7) / 8;
  out.raw("bits").to(kReportIndent);
  bytes_text(out, bits);
  out.format(" for one bit per state do not fit: they were on flash, in %llu windows\n",
             wide(windows));
}

// For boards that say what they take, and what their flash bears.
void write_cost(Row& out, const RunReport& report) {
  const double energy = joules(report);
  if (energy >= 0) {
    out.raw("energy").to(kReportIndent);
    if (energy < 1000) out.format("about %.1f J", energy);
    if (energy >= 1000) out.format("about %.1f kJ (%.2f Wh)", energy / 1e3, energy / 3600);
    out.format(" at %.1f W", static_cast<double>(report.milliwatts) / 1e3);
    if (const double states = states_per_joule(report); states >= 0) {
      FixedText<32> rate;
      out.add("; ").add(rate.grouped(static_cast<u64>(states)).view()).add(" states per joule");
    }
    out.add('\n');
  }
  if (const double share = endurance_share(report); share >= 0) {
    FixedText<32> written;
    FixedText<32> life;
    out.raw("wear").to(kReportIndent);
    out.add(written.bytes(report.bytes_written).view()).add(" written, ");
    out.format("%.2g%% of the ", share * 100).add(life.bytes(report.endurance).view());
    out.add(" that the flash bears\n");
  }
}

// Of the model that was searched, which may be a reduced one.
void write_searched(Row& out, const RunReport& report) {
  write_counts(out, report.outcome);
  const std::string_view kind = report.reduction.kind;
  if (!kind.empty() && kind != "off") out.add(" (--reduce ").add(kind).add(")");
}

void write_word(Row& out, std::string_view word, const char* colour_code, bool colour) {
  if (colour) out.unseen("\x1b[").unseen(colour_code).unseen("m");
  out.raw(word);
  if (colour) out.unseen("\x1b[0m");
}

void write_holds(Row& out, const RunReport& report, bool colour) {
  write_word(out, "holds", "1;32", colour);
  out.to(kReportIndent);
  if (report.property_kind == "invariant") out.add("invariant ");
  if (report.property_kind == "buchi") out.add("property ");
  if (report.property_kind == "reachability" && !report.property_text.empty())
    out.add("not reachable: ");
  out.add(report.property_text.empty() ? "every state explored" : report.property_text);
  out.add(assumption(report)).add("; search complete: ");
  write_searched(out, report);
  out.add('\n');
}

void write_violation(Row& out, const RunReport& report) {
  const SearchOutcome& found = report.outcome;
  switch (found.violation) {
    case Violation::deadlock:
      out.add("deadlock");
      break;
    case Violation::model_error:
      out.add(report.verdict.kind == "assertion" ? "assertion fails"
              : report.verdict.kind == "trace"   ? "trace fails"
                                                 : "run-time error");
      break;
    case Violation::accepting_cycle:
      out.add("accepting cycle").add(assumption(report));
      break;
    case Violation::predicate:
      if (report.predicate == nullptr) {
        out.add(report.verdict.kind);
        break;
      }
      if (report.predicate->kind == PredicateText::Kind::assertion) {
        out.format("assertion at line %u %s: ", report.predicate->line,
                   report.message.empty() ? "fails" : "has no value");
      } else if (report.predicate->kind == PredicateText::Kind::bad_prefix) {
        out.add(report.message.empty() ? "bad prefix" : "a proposition has no value");
        break;
      } else if (report.predicate->kind == PredicateText::Kind::claim_end) {
        out.add("the claim comes to its end: ");
      } else if (report.predicate->kind == PredicateText::Kind::goal) {
        out.add("goal reached: ");
      } else {
        out.add(report.message.empty() ? "invariant is false: " : "invariant has no value: ");
      }
      out.add(report.predicate->text);
      break;
    case Violation::uncovered:
      out.add("never true: ").add(report.predicate->text);
      break;
    case Violation::liveness:
      out.add("cannot become true any more: ").add(report.predicate->text);
      break;
    case Violation::none:
      out.add(report.verdict.kind);
      break;
  }
  out.add("; ");
  if (found.cycle_steps == 0) {
    out.add("after ");
    write_count(out, trace_prefix(found), "step", "steps");
  } else {
    write_count(out, found.prefix_steps, "step", "steps");
    out.add(", then a loop of ");
    write_count(out, found.cycle_steps, "step", "steps");
  }
}

void write_violated(Row& out, const RunReport& report, bool colour) {
  write_word(out, "violated", "1;31", colour);
  out.to(kReportIndent);
  if (report.property_kind == "ltl") out.add(report.property_text).add(": ");
  write_violation(out, report);
  if (report.outcome.minimal) out.add("; shortest possible");
  if (report.replayed) out.add("; replayed and confirmed");
  out.end();
  if (!report.message.empty()) out.to(kReportIndent).add(report.message).end();
}

void write_search(Row& out, const RunReport& report) {
  out.raw("search").to(kReportIndent);
  if (report.verdict.complete) {
    out.add("complete: ");
  } else if (report.outcome.stop == StopReason::none) {
    out.add("ended at the first violation: ");
  } else {
    out.add("not complete: ");
  }
  write_searched(out, report);
  out.end();
}

void write_why(Row& out, const RunReport& report) {
  FixedText<64> text;
  switch (report.outcome.stop) {
    case StopReason::signal:
      out.format("stopped by signal %d", report.signal);
      break;
    case StopReason::time_limit:
      // With both limits it is the one of --time that is reached after that time.
      if (report.until.data() != nullptr &&
          (report.time_limit_s == kNoFigure ||
           report.wall_s < static_cast<double>(report.time_limit_s))) {
        out.add("it is ").add(report.until).add(", as --until says");
        break;
      }
      text.seconds(static_cast<double>(report.time_limit_s));
      out.add("the time limit of ").add(text.view()).add(" was reached");
      break;
    case StopReason::state_limit:
      text.grouped(report.state_limit);
      out.add("the limit of ").add(text.view()).add(" states was reached");
      break;
    case StopReason::depth_limit:
      text.grouped(report.depth_limit);
      out.add("the depth limit of ").add(text.view()).add(" was reached");
      break;
    case StopReason::disk_limit:
      text.bytes(report.disk_limit);
      out.add("the work directory has grown to its limit of ").add(text.view());
      break;
    case StopReason::disk_reserve:
      text.bytes(report.disk_reserve);
      out.add("no more is free on the disk than the reserve of ").add(text.view());
      break;
    case StopReason::wear_limit:
      text.bytes(report.wear_limit);
      out.add("the limit of ").add(text.view()).add(" written was reached");
      break;
    case StopReason::ram:
      text.bytes(report.ram_limit == kNoFigure ? 0 : report.ram_limit);
      out.add("the RAM budget of ").add(text.view()).add(" is full");
      break;
    case StopReason::cycles:
      out.add("all states were visited, but accepting cycles were not looked for");
      break;
    case StopReason::step_limit:
      out.add(report.long_step.empty() ? std::string_view("a step of the model takes too long")
                                       : report.long_step);
      break;
    case StopReason::collisions:
      out.add("the cache forgot too many states");
      break;
    case StopReason::peer:
      out.add("another owner of the states failed or was lost");
      break;
    case StopReason::none:
      if (report.verdict.reason == "signature") {
        out.add("all was explored, but by signatures, which may leave states out;");
        break;
      }
      out.add(report.message.empty() ? std::string_view("the search was not complete")
                                     : report.message);
      break;
  }
}

// An amount that --ram understands: "45M", never less than `bytes`.
void write_ram_amount(Row& out, u64 bytes) {
  FixedText<32> text;
  text.number(divide_up(bytes, u64{1} << 20)).add('M');
  out.add(text.view());
}

void write_resume_advice(Row& out, const RunReport& report) {
  out.to(kReportIndent).add("to continue: ");
  if (report.outcome.stop == StopReason::disk_reserve) out.add("make room, then: ");
  out.add("xmc-lite resume ").add(report.work);
  if (report.outcome.stop == StopReason::ram && report.ram_advice != kNoFigure) {
    out.add(" --ram ");
    write_ram_amount(out, report.ram_advice);
    out.add(" or more");
  }
  // A limit that is kept with the run would end the next process at once.
  if (report.outcome.stop == StopReason::wear_limit) out.add(" with a larger --wear-limit");
  if (report.outcome.stop == StopReason::disk_limit) out.add(" with a larger --disk-limit");
  out.add('\n');
}

// Engine ram: what is known of the states that wait says more than that the budget is full.
void write_more_ram(Row& out, const RunReport& report) {
  if (report.ram_for_files != kNoFigure) {
    out.to(kReportIndent).add("to decide it: --ram ");
    write_ram_amount(out, report.ram_for_files);
    out.format(" or more, to go on in files (%llu bytes at least)\n", wide(report.ram_for_files));
    return;
  }
  if (report.engine == "ram") {
    out.to(kReportIndent)
        .add(report.engine_is_choice
                 ? "to decide it: --work DIR, a place for files to go on in with this RAM\n"
                 : "to decide it: --engine auto, which goes on in files with this RAM\n");
  }
  if (report.ram_likely != kNoFigure) {
    out.to(kReportIndent).add("to get further: --ram ");
    write_ram_amount(out, report.ram_likely);
    out.format(" or more, by the states that wait (%llu bytes at least)\n",
               wide(report.ram_advice));
  } else if (report.ram_advice != kNoFigure) {
    out.to(kReportIndent).add("to get further: --ram ");
    write_ram_amount(out, report.ram_advice);
    out.format(" or more (%llu bytes; a lower bound, since the number of states is not known)\n",
               wide(report.ram_advice));
  }
}

void write_advice(Row& out, const RunReport& report) {
  const bool with_more_ram = report.outcome.stop == StopReason::ram && report.resumable;
  if (report.verdict.exit == Exit::stopped || with_more_ram) {
    write_resume_advice(out, report);
    return;
  }
  const char* engine_note = "; there is no checkpoint, so a new run starts from the beginning\n";
  switch (report.outcome.stop) {
    case StopReason::signal:
      out.to(kReportIndent).add("to decide it: run it again").add(engine_note);
      break;
    case StopReason::time_limit:
      out.to(kReportIndent).add("to decide it: a larger --time").add(engine_note);
      break;
    case StopReason::state_limit:
      out.to(kReportIndent).add("to decide it: a larger --states, or none").add(engine_note);
      break;
    case StopReason::depth_limit:
      out.to(kReportIndent).add("to decide it: a larger --depth, or none").add(engine_note);
      break;
    case StopReason::disk_limit:
      out.to(kReportIndent).add("to decide it: a larger --disk-limit, or none").add(engine_note);
      break;
    case StopReason::disk_reserve:
      out.to(kReportIndent)
          .add("to decide it: make room, or a smaller --disk-reserve")
          .add(engine_note);
      break;
    case StopReason::wear_limit:
      out.to(kReportIndent).add("to decide it: a larger --wear-limit, or none").add(engine_note);
      break;
    case StopReason::ram:
      write_more_ram(out, report);
      break;
    case StopReason::cycles:
      out.to(kReportIndent).add("to decide it: leave out --full, or use --engine ram\n");
      break;
    case StopReason::step_limit:
      out.to(kReportIndent)
          .add(
              "to decide it: shorten the loops of that step, split an atomic sequence into "
              "several, "
              "or take a larger --step-work")
          .add(report.resumable ? "\n" : engine_note);
      break;
    case StopReason::collisions:
      out.to(kReportIndent).add("to decide it: a larger --ram, or --engine serial or disk\n");
      break;
    case StopReason::peer:
      out.to(kReportIndent).add("to decide it: run it again").add(engine_note);
      break;
    case StopReason::none:
      if (report.verdict.reason == "signature")
        out.to(kReportIndent).add("to decide it: leave out --signature\n");
      break;
  }
}

void write_omission_bound(Row& out, const RunReport& report) {
  if (report.omission_bound < 0) return;
  out.to(kReportIndent)
      .format("a state was left out with a probability of at most %.2g\n", report.omission_bound);
}

// Of a search that was stopped when it had found a violation.
void write_rest(Row& out, const RunReport& report) {
  out.to(kReportIndent);
  write_why(out, report);
  out.end();
  if (report.verdict.exit == Exit::stopped) write_resume_advice(out, report);
}

void write_undecided(Row& out, const RunReport& report, bool colour) {
  write_word(out, "not decided", "1;33", colour);
  out.indent(kReportIndent);
  out.add(": ");
  write_why(out, report);
  if (has_states(report.outcome)) {
    out.add(" after ");
    write_searched(out, report);
    if (report.outcome.violation == Violation::none) out.add("; no violation so far");
  }
  out.end();
  if (!report.verdict.found.empty()) {
    out.to(kReportIndent).add("a violation was found (").add(report.verdict.found);
    out.add("); its path is not there yet").end();
  }
  write_omission_bound(out, report);
  write_advice(out, report);
}

}  // namespace

void write_model_line(Output& to, std::string_view language, const ModelText& text,
                      const Model& model, u32 columns) {
  Row out(to, columns);
  out.raw("model").to(kReportIndent).add(text.file).add(": ");
  out.add(language).add(", ");
  if (!text.processes.empty()) {
    write_count(out, text.processes.size(), "process", "processes");
    out.add(", ");
  }
  u64 variables = 0;
  for (const VariableText& variable : text.variables) {
    if (variable.kind != VariableKind::location) ++variables;
  }
  write_count(out, variables, "variable", "variables");
  out.add(", ");
  write_count(out, model.state_bytes, "byte", "bytes");
  FixedText<32> bits;
  bits.format("(%u bits)", model.state_bits);
  out.add(" per state ").whole(bits.view()).end();
}

void write_plan(Output& to, const PlanReport& plan, u32 columns) {
  constexpr u64 kSmall = u64{64} << 10;
  Row out(to, columns);
  out.raw("plan").to(kReportIndent).add("engine ").add(plan.engine).add("; RAM ");
  bytes_text(out, plan.ram_limit);
  out.format(" (%llu bytes) = ", wide(plan.ram_limit));
  out.format("%.1f code and stack", static_cast<double>(plan.fixed_bytes) / (1024.0 * 1024.0));
  u64 small = plan.arena->free_bytes();
  for (const Arena::Carve& carve : plan.arena->carves()) {
    if (carve.bytes < kSmall) {
      small += carve.bytes;
      continue;
    }
    out.add(" ");
    part(out, carve.bytes, carve.name);
  }
  out.add(" ");
  part(out, small, "small parts and spare");
  out.end();
  if (!plan.every_carve) return;
  for (const Arena::Carve& carve : plan.arena->carves()) {
    to.spaces(kReportIndent).format("%12llu bytes  ", wide(carve.bytes)).add(carve.name).add('\n');
  }
  to.spaces(kReportIndent).format("%12llu bytes  not carved\n", wide(plan.arena->free_bytes()));
}

void write_verdict(Output& to, const RunReport& report, bool colour, bool brief, u32 columns) {
  Row out(to, columns);
  switch (report.verdict.answer) {
    case Answer::holds:
      write_holds(out, report, colour);
      break;
    case Answer::violated:
      write_violated(out, report, colour);
      if (!brief) write_search(out, report);
      if (report.outcome.stop != StopReason::none) write_rest(out, report);
      break;
    case Answer::undecided:
      write_undecided(out, report, colour);
      break;
  }
  if (!brief) write_time(out, report);
  if (!brief) write_owners(out, report);
  if (!brief) write_cost(out, report);
}

}  // namespace xmc
