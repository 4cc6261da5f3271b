// What a run says before its search: the model, what is checked, the engine, the memory.
#include "cli/run/check_run.h"
#include "ir/ir.h"
#include "platform/terminal.h"
#include "report/counts.h"
#include "report/summary.h"
#include "store/keys/signature.h"
#include "xmc/text.h"

namespace xmc {

void CheckRun::print_plan(Output& out, bool all) {
  const u32 columns = terminal_width(planning_ ? kStandardOutput : kStandardError);
  write_model_line(out, model_.text, model_.model, columns);
  if (session_.native != nullptr && !model_.native) {
    out.add("note      the compiled code is for another choice of property, fairness, dialect or ")
        .add("reduction")
        .add(from_work_ ? ", or another layout" : "")
        .add("; this check runs the bytecode\n");
  }
  if (model_.elsewhere.given()) {
    print_automaton(out, columns);
  } else {
    print_property(out);
  }
  print_fairness(out, columns);
  print_reduction(out, columns);
  const u32 signature = static_cast<u32>(session_.options.number(Opt::signature));
  if (signature != 0 && Signature(signature).bytes() >= model_.model.state_bytes) {
    out.add("note      --signature saves nothing here: the states have no more bytes\n");
  }
  if (all) {
    Row(out, columns)
        .raw("engine")
        .to(kReportIndent)
        .add(engine_->name())
        .add(": ")
        .add(why_)
        .end();
  }
  PlanReport plan;
  plan.engine = engine_->name();
  plan.ram_limit = budget_.ram_limit();
  plan.fixed_bytes = budget_.fixed_bytes();
  plan.arena = &budget_.arena();
  plan.every_carve = all;
  write_plan(out, plan, columns);
  if (all && !work_.is_open() && !new_work_.planned) out.add("work      ").add(kNoWork).add('\n');
  if (all && (work_.is_open() || new_work_.planned)) {
    const char* const place = place_of_files();
    out.add("work      ").add(work_.path());
    if (!work_.is_open()) out.add(", made when a file is written,");
    out.add(" on ").add(file_system_name(place));
    if (files_.has_value()) out.add(", ").add(files_->backend().name());
    if (const Result<u64> free = free_space(place); free.ok()) {
      FixedText<32> amount;
      amount.bytes(free.value());
      out.add(", ").add(amount.view()).add(" free");
    }
    out.add('\n');
  }
}

void CheckRun::print_property(Output& out) const {
  out.add("property  ");
  if (goal_.kind == "buchi") {
    out.add("process ").add(goal_.text).add(": its accepting cycles are the bad behaviours");
  } else if (goal_.kind == "deadlock") {
    out.add(goal_.text).add(session_.options.given(Opt::deadlock) ? "" : " (default)");
  } else if (goal_.text.empty()) {
    out.add("none: every state is explored");
  } else {
    out.add(goal_.kind == "invariant" ? "invariant " : "reachable: ").add(goal_.text);
  }
  out.add('\n');
}

void CheckRun::print_automaton(Output& out, u32 columns) const {
  const ir::Process& process = model_.program->processes[model_.program->property];
  Row row(out, columns);
  row.raw("property").to(kReportIndent).add(goal_.text).add(": ");
  if (goal_.kind == "ltl") {
    row.add(model_.model.buchi ? "runs that violate it" : "prefixes that violate it");
  } else {
    row.add(model_.model.buchi ? "runs that it accepts" : "prefixes of what it accepts");
    row.add(" are bad; they");
  }
  row.format(" are found by an automaton of %u state%s and %u edge%s", process.location_count,
             process.location_count == 1 ? "" : "s", process.transition_count,
             process.transition_count == 1 ? "" : "s");
  row.end();
}

void CheckRun::print_fairness(Output& out, u32 columns) const {
  if (session_.options.text(Opt::fairness) == "none") return;
  if (!model_.fair) {
    out.add("note      --fairness changes nothing: a bad prefix goes on in some fair run\n");
    return;
  }
  const u32 processes = ir::system_processes(*model_.program);
  Row row(out, columns);
  row.raw("fairness").to(kReportIndent).add("weak: the product has a counter of ");
  row.format("%u process%s, each of which moves, or is disabled, again and again", processes,
             processes == 1 ? "" : "es");
  row.end();
}

namespace {

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

}  // namespace

void CheckRun::print_reduction(Output& out, u32 columns) const {
  const ReductionReport& reduction = session_.report.reduction;
  if (!steps_.why_not.empty() && (steps_.asked || session_.options.given(Opt::verbose))) {
    Row note(out, columns);
    note.raw("note").to(kReportIndent).add("no steps are left out: ").add(steps_.why_not);
    note.end();
  }
  if (reduction.kind == "off") {
    if (steps_.asked && session_.options.text(Opt::reduce) == "dead")
      out.add("note      --reduce dead changes nothing: ")
          .add(model_.dead == nullptr ? "rules have no locations\n" : "no value is dead\n");
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
  if (steps_.on) {
    row.add(reduction.kind == "all" ? "; " : ": ");
    write_count(row, reduction.steps, "step", "steps");
    row.format(", of which some are left out: as for %s", mode_name(steps_.rules.mode));
    if (reduction.visible != kNoFigure) row.format("; %llu visible", wide(reduction.visible));
    if (reduction.sticky != kNoFigure) row.format("; %llu sticky", wide(reduction.sticky));
  }
  row.end();
}

}  // namespace xmc
