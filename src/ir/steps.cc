#include "ir/steps.h"

#include <algorithm>

#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::ir {

namespace {

// Most receivers of a channel that one location of `process` offers.
u64 most_receivers(const Program& p, u32 channel, u32 process) {
  u64 most = 0;
  const Process& q = p.processes[process];
  for (u32 l = 0; l < q.location_count; ++l) {
    const Range r = transitions_at(p, process, l);
    u64 here = 0;
    for (u32 i = 0; i < r.count; ++i) {
      const Transition& t = p.transitions[p.order[r.first + i]];
      here += t.sync == Sync::receive && t.channel == channel ? 1 : 0;
    }
    most = std::max(most, here);
  }
  return most;
}

bool is_rendezvous(const Program& p, const Transition& t) {
  return t.sync != Sync::none && p.channels[t.channel].capacity == 0;
}

// Steps that one location of a process can start, receivers of its sends included.
u64 steps_at(const Program& p, u32 process, u32 location) {
  u64 steps = 0;
  const Range r = transitions_at(p, process, location);
  for (u32 i = 0; i < r.count; ++i) {
    const Transition& t = p.transitions[p.order[r.first + i]];
    if (!is_rendezvous(p, t)) {
      ++steps;
    } else if (t.sync == Sync::send) {
      for (u32 b = 0; b < p.processes.size(); ++b) {
        if (b != process && b != p.property) steps += most_receivers(p, t.channel, b);
      }
    }
  }
  return steps;
}

// Instances of rules, or what the lowering has numbered; then those of startstates, whose errors
// have labels, too.
Status number_instances(RuleProgram& p) {
  u64 steps = p.generates ? p.step_count : 0;
  if (steps > limits::kSteps)
    return Status::fail(Code::model, "the model has more than %u steps (limit kSteps)",
                        limits::kSteps);
  const std::span<Rule> numbered = p.generates ? std::span<Rule>() : p.rules;
  for (Rule& r : numbered) {
    r.first_step = static_cast<u32>(steps);
    steps += r.step_count;
    if (steps <= limits::kSuccessors) continue;
    return Status::fail(Code::model, "rulesets make more than %u rules (limit kSuccessors)",
                        limits::kSuccessors);
  }
  const u64 rules = steps;
  const u64 most = p.generates ? u64{p.max_successors} + p.chain_ends : rules;
  for (Rule& r : p.starts) {
    r.first_step = static_cast<u32>(steps);
    steps += r.step_count;
    if (steps <= limits::kSteps) continue;
    return Status::fail(Code::model, "rulesets make more than %u startstates (limit kSteps)",
                        limits::kSteps);
  }
  u32 instances = 0;
  for (Rule& r : p.liveness) {
    r.first_step = instances;
    instances += r.step_count;
  }
  u64 moves = 1;  // of the automaton, and most of them from one location
  p.property_moves = 1;
  if (p.property != kNone) {
    const Process& property = p.processes[p.property];
    p.property_moves = std::max(property.transition_count, 1u);
    for (u32 l = 0; l < property.location_count; ++l)
      moves = std::max<u64>(moves, transitions_at(p, p.property, l).count);
  }
  p.step_count = static_cast<u32>(steps + 1);
  if (u64{p.step_count} * p.property_moves >= kNone)
    return Status::fail(Code::model, "the model has more than %u step labels", kNone);
  // Initial states take the same buffers as successors.
  const u64 starts = steps - rules;
  // A generator writes to one that it then gives up.
  const u64 tried = p.generates ? 1 : 0;
  const u64 successors = std::max({most * moves + tried, starts, moves});
  if (successors > limits::kSuccessors) {
    return Status::fail(Code::model,
                        "a state may have %llu successors, more than %u (limit kSuccessors)",
                        wide(successors), limits::kSuccessors);
  }
  p.max_successors = static_cast<u32>(successors);
  return {};
}

}  // namespace

u64 most_steps(const Program& p) {
  u64 steps = 0;
  for (u32 i = 0; i < p.processes.size(); ++i) {
    if (i == p.property) continue;
    u64 most = 0;
    for (u32 l = 0; l < p.processes[i].location_count; ++l)
      most = std::max(most, steps_at(p, i, l));
    steps += most;
  }
  return steps;
}

Status number_steps(Program& p) {
  if (p.has_rules) return number_instances(static_cast<RuleProgram&>(p));
  u64 steps = p.transitions.size();
  for (Transition& t : p.transitions) {
    if (!is_rendezvous(p, t) || t.sync != Sync::send) continue;
    t.first_pair = static_cast<u32>(steps);
    steps += p.channels[t.channel].receiver_count;
    if (steps > limits::kSteps) {
      return Status::fail(
          Code::model, "the model has more than %u pairs of senders and receivers (limit kSteps)",
          limits::kSteps);
    }
  }
  p.step_count = static_cast<u32>(steps + 1);
  p.property_moves = 1;
  if (p.property != kNone)
    p.property_moves = std::max(p.processes[p.property].transition_count, 1u);
  if (u64{p.step_count} * p.property_moves >= kNone) {
    return Status::fail(Code::model, "the model has more than %u step labels", kNone);
  }

  u64 successors = std::max<u64>(most_steps(p), 1);
  if (p.property != kNone) {
    u64 moves = 0;
    for (u32 l = 0; l < p.processes[p.property].location_count; ++l) {
      moves = std::max<u64>(moves, transitions_at(p, p.property, l).count);
    }
    successors *= moves;
  }
  if (successors > limits::kSuccessors) {
    return Status::fail(Code::model,
                        "a state may have %llu successors, more than %u (limit kSuccessors)",
                        wide(successors), limits::kSuccessors);
  }
  p.max_successors = static_cast<u32>(std::max<u64>(successors, 1));
  return {};
}

StepText decode_step(const Program& p, u32 label) {
  StepText text;
  const u32 step = label / p.property_moves;
  XMC_CHECK(step < p.step_count);
  if (p.property != kNone) {
    // Words of the automaton's edges follow those of rules.
    const u32 before = p.has_rules ? stutter_step(p) : 0;
    text.property = before + p.processes[p.property].first_transition + label % p.property_moves;
  }
  if (step == stutter_step(p)) return text;
  if (p.has_rules || step < p.transitions.size()) {
    text.transition = step;
    return text;
  }
  for (u32 i = 0; i < p.transitions.size(); ++i) {
    const Transition& t = p.transitions[i];
    if (t.first_pair == kNone || step < t.first_pair) continue;
    const Channel& c = p.channels[t.channel];
    if (step - t.first_pair >= c.receiver_count) continue;
    text.transition = i;
    text.partner = p.receivers[c.first_receiver + step - t.first_pair];
    return text;
  }
  check_failed("a label of this program", __FILE__, __LINE__);
}

StepText decode_step_of(const void* program, u32 label) {
  return decode_step(*static_cast<const Program*>(program), label);
}

}  // namespace xmc::ir
