#include "probe.h"

#include <algorithm>

namespace xmc_test {

namespace {

void note(void* self, const FaultEvent& event) {
  Probe& probe = *static_cast<Probe*>(self);
  const auto which = static_cast<u8>(class_of(event));
  if (event.kind == FaultEvent::Kind::read) {
    probe.reads.push_back(which);
    return;
  }
  probe.steps.push_back(which);
  const bool write =
      event.kind == FaultEvent::Kind::append || event.kind == FaultEvent::Kind::replace;
  if (write) probe.writes.push_back(which);
  if (event.kind == FaultEvent::Kind::sync) probe.syncs.push_back(which);
}

// What a naive search knows.
std::string compare(const Job& job, const ProcessEnd& end) {
  const Subject& subject = *job.subject;
  const SearchOutcome& got = end.outcome;
  if (!end.status.ok()) return end.status.c_str();
  if (got.stop != StopReason::none) return "it stopped by itself";
  if (!end.path_fault.empty()) return end.path_fault;
  if ((got.violation != Violation::none) != subject.bad) return "its verdict is wrong";
  const u64 length = got.prefix_steps + got.cycle_steps;
  const bool length_known = subject.bad && got.minimal && subject.shortest != kNoFigure;
  if (length_known && length != subject.shortest) return "a shorter counterexample exists";
  if (!got.complete) return {};
  const auto differs = [](u64 a, u64 b) { return a != kNoFigure && a != b; };
  if (got.stats.states != subject.figures.states) return "its states are wrong";
  if (differs(got.stats.transitions, subject.figures.transitions)) return "its transitions are";
  if (differs(got.stats.deadlocks, subject.figures.deadlocks)) return "its deadlocks are wrong";
  return {};
}

}  // namespace

Probe probe_job(const Job& job, u32 checkpoints, bool careless) {
  Probe probe;
  probe.careless = careless;
  ProcessPlan plan;
  plan.careless = careless;
  plan.every = ~u32{0};
  {
    Card card;
    const ProcessEnd end = run_process(job, card, plan);
    probe.every = std::max(1u, end.asked / checkpoints);
  }
  Card card;
  card.folder().watch(&probe, &note);
  plan.every = probe.every;
  const ProcessEnd end = run_process(job, card, plan);
  probe.outcome = end.outcome;
  probe.polls = end.polls;
  probe.bytes = card.folder().bytes_taken();
  probe.fault = compare(job, end);
  return probe;
}

}  // namespace xmc_test
