#include "cli/run/check/plan_lines.h"

#include "ir/ir.h"
#include "platform/machine.h"
#include "platform/terminal.h"
#include "report/counts.h"
#include "store/keys/signature.h"
#include "xmc/text.h"

namespace xmc {

namespace {

void print_property(const Options& options, const Goal& goal, Output& out) {
  out.add("property  ");
  if (goal.kind == "buchi") {
    out.add("process ").add(goal.text).add(": its accepting cycles are the bad behaviours");
  } else if (goal.kind == "deadlock") {
    out.add(goal.text).add(options.given(Opt::deadlock) ? "" : " (default)");
  } else if (goal.text.empty()) {
    out.add("none: every state is explored");
  } else {
    out.add(goal.kind == "invariant" ? "invariant " : "reachable: ").add(goal.text);
  }
  out.add('\n');
}

void print_automaton(const LoadedModel& model, const Goal& goal, Output& out, u32 columns) {
  const ir::Process& process = model.program->processes[model.program->property];
  Row row(out, columns);
  row.raw("property").to(kReportIndent).add(goal.text).add(": ");
  if (goal.kind == "ltl") {
    row.add(model.model.buchi ? "runs that violate it" : "prefixes that violate it");
  } else {
    row.add(model.model.buchi ? "runs that it accepts" : "prefixes of what it accepts");
    row.add(" are bad; they");
  }
  row.format(" are found by an automaton of %u state%s and %u edge%s", process.location_count,
             process.location_count == 1 ? "" : "s", process.transition_count,
             process.transition_count == 1 ? "" : "s");
  row.end();
}

void print_fairness(const Options& options, const LoadedModel& model, Output& out, u32 columns) {
  if (options.text(Opt::fairness) == "none") return;
  if (!model.fair) {
    out.add("note      --fairness changes nothing: a bad prefix goes on in some fair run\n");
    return;
  }
  const u32 processes = ir::system_processes(*model.program);
  Row row(out, columns);
  row.raw("fairness").to(kReportIndent).add("weak: the product has a counter of ");
  row.format("%u process%s, each of which moves, or is disabled, again and again", processes,
             processes == 1 ? "" : "es");
  row.end();
}

const char* mode_name(StubbornMode mode) {
  switch (mode) {
    case StubbornMode::deadlock:
      return "deadlocks";
    case StubbornMode::shortest:
      return "shortest paths";
    case StubbornMode::reach:
      return "reachability";
    case StubbornMode::ltl:
      return "runs";
  }
  return "";
}

void print_steps(const StepChoice& steps, const ReductionReport& reduction, Row& row) {
  write_count(row, reduction.steps, "step", "steps");
  row.format(", of which some are left out: as for %s", mode_name(steps.rules.mode));
  if (reduction.visible != kNoFigure) row.format("; %llu visible", wide(reduction.visible));
  if (reduction.sticky != kNoFigure) row.format("; %llu sticky", wide(reduction.sticky));
}

void print_reduction(const Session& session, const Question& question, Output& out, u32 columns) {
  const ReductionReport& reduction = session.report.reduction;
  const StepChoice& steps = question.steps;
  if (!steps.why_not.empty() && (steps.asked || session.options.given(Opt::verbose))) {
    Row note(out, columns);
    note.raw("note").to(kReportIndent).add("no steps are left out: ").add(steps.why_not);
    note.end();
  }
  if (reduction.kind == "off") {
    if (steps.asked && session.options.text(Opt::reduce) == "dead")
      out.add("note      --reduce dead changes nothing: ")
          .add(question.model.dead == nullptr ? "rules have no locations\n" : "no value is dead\n");
    return;
  }
  Row row(out, columns);
  row.raw("reduce").to(kReportIndent).add(reduction.kind);
  if (reduction.kind != "steps") {
    row.add(": ");
    write_count(row, reduction.dead_values, "value", "values");
    row.add(" dead somewhere, ");
    write_count(row, reduction.resets, "reset", "resets");
    row.add(", ");
    write_count(row, reduction.dropped, "assignment", "assignments");
    row.format(" left out; %llu bits per state before", wide(reduction.bits_before));
  }
  if (steps.on) {
    row.add(reduction.kind == "all" ? "; " : ": ");
    print_steps(steps, reduction, row);
  }
  row.end();
}

void print_work(WorkPlace& place, Output& out) {
  out.add("work      ");
  if (!place.is_wanted()) {
    out.add(kNoWork).add('\n');
    return;
  }
  const char* const folder = place.path_of_device();
  out.add(place.dir.path());
  if (!place.is_made()) out.add(", made when a file is written,");
  out.add(" on ").add(file_system_name(folder));
  if (place.files.has_value()) out.add(", ").add(place.files->backend().name());
  if (const Result<u64> free = free_space(folder); free.ok()) {
    FixedText<32> amount;
    amount.bytes(free.value());
    out.add(", ").add(amount.view()).add(" free");
  }
  out.add('\n');
}

}  // namespace

PlanReport plan_report(const EngineUse& use, Budget& budget) {
  PlanReport plan;
  plan.engine = use.engine->name();
  plan.ram_limit = budget.ram_limit();
  plan.fixed_bytes = budget.fixed_bytes();
  plan.arena = &budget.arena();
  return plan;
}

void print_plan(const Asked& asked, const Question& question, const EngineUse& use, Budget& budget,
                WorkPlace& place, bool all, Output& out) {
  const Session& session = asked.session;
  const LoadedModel& model = question.model;
  const u32 columns = terminal_width(asked.planning() ? kStandardOutput : kStandardError);
  write_model_line(out, model.title, model.text, model.model, columns);
  if (session.native != nullptr && !model.native) {
    out.add("note      the compiled code is for another choice of property, fairness, dialect or ")
        .add("reduction")
        .add(asked.from_work ? ", or another layout" : "")
        .add("; this check runs the bytecode\n");
  }
  if (model.elsewhere.given()) {
    print_automaton(model, question.goal, out, columns);
  } else {
    print_property(session.options, question.goal, out);
  }
  print_fairness(session.options, model, out, columns);
  print_reduction(session, question, out, columns);
  const u32 signature = static_cast<u32>(session.options.number(Opt::signature));
  if (signature != 0 && Signature(signature).bytes() >= model.model.state_bytes) {
    out.add("note      --signature saves nothing here: the states have no more bytes\n");
  }
  if (all) {
    Row(out, columns)
        .raw("engine")
        .to(kReportIndent)
        .add(use.engine->name())
        .add(": ")
        .add(use.why)
        .end();
  }
  PlanReport plan = plan_report(use, budget);
  plan.every_carve = all;
  write_plan(out, plan, columns);
  if (all) print_work(place, out);
}

void note_drawback(const char* folder, const char* work, Output& err) {
  const char* const name = file_system_name(folder);
  const char* const drawback = drawback_of(name);
  if (folder[0] == '\0' || drawback == nullptr) return;
  err.add("note      ").add(work).add(" is on ").add(name).add(": ").add(drawback).add('\n');
}

}  // namespace xmc
