#include "exec/emit/emit_processes.h"

#include "ir/steps.h"

namespace xmc {

namespace {

// Functions of small models are left to the compiler to inline; large ones would cost it minutes.
constexpr u32 kInlineTransitions = 64;

}  // namespace

void ProcessesEmitter::constants() {
  u32 most_moves = 1;
  if (p_.property != kNone) {
    for (u32 l = 0; l < p_.processes[p_.property].location_count; ++l) {
      const u32 here = ir::transitions_at(p_, p_.property, l).count;
      most_moves = here > most_moves ? here : most_moves;
    }
  }
  out_.format("constexpr bool kStepwise = %s;\n", stepwise_ ? "true" : "false");
  out_.format("constexpr u32 kWords = %u;\n", p_.state_words);
  out_.format("constexpr bool kProduct = %s;\n", p_.property != kNone ? "true" : "false");
  out_.format("constexpr u32 kPropertyMoves = %u;\n", p_.property_moves);
  out_.format("constexpr u32 kMostMoves = %u;\n", most_moves);
  out_.format("constexpr u32 kStutterStep = %u;\n", ir::stutter_step(p_));
  out_.format("constexpr bool kHasErrorState = %s;\n", p_.error_state ? "true" : "false");
  out_.add("constexpr Word kErrorWords[kWords] = {");
  for (u32 i = 0; i < p_.state_words; ++i) {
    out_.format("0x%llxu, ", p_.error_state ? wide(p_.error[i]) : 0ull);
  }
  out_.add("};\n");
  out_.format("#define XMC_PROCESS %s\n", p_.transitions.size() <= kInlineTransitions
                                              ? "static inline"
                                              : "[[gnu::noinline]] static");
}

// A test whether some process (or the property) is in a location with this flag.
void ProcessesEmitter::flagged(const char* name, u8 flag, bool only_property) {
  out_.format("inline bool %s([[maybe_unused]] const State& s) {\n", name);
  for (u32 q = 0; q < p_.processes.size(); ++q) {
    if ((q == p_.property) != only_property) continue;
    bool any = false;
    for (u32 l = 0; l < p_.processes[q].location_count; ++l)
      any = any || (ir::flags_of(p_, q, l) & flag);
    if (!any) continue;
    out_.add("  switch (");
    steps_.location_value(q, "s");
    out_.add(") {\n");
    for (u32 l = 0; l < p_.processes[q].location_count; ++l) {
      if (ir::flags_of(p_, q, l) & flag) out_.format("    case %u:\n", l);
    }
    out_.add("      return true;\n    default: break;\n  }\n");
  }
  out_.add("  return false;\n}\n");
}

void ProcessesEmitter::predicates_of_locations() {
  out_.add("inline bool is_error_state([[maybe_unused]] const State& s) {\n  return ");
  if (p_.error_state) {
    steps_.location_value(0, "s");
    out_.format(" == %u;\n}\n", p_.processes[0].location_count);
  } else {
    out_.add("false;\n}\n");
  }
  flagged("is_committed", ir::kCommitted, false);
  flagged("is_accepting", ir::kAcceptingLocation, true);
}

void ProcessesEmitter::property() {
  out_.add(
      "inline void find_moves([[maybe_unused]] const State& s, [[maybe_unused]] Sink& sink) {\n");
  if (p_.property == kNone) {
    out_.add("}\nbool move_property(u32, State&) { return true; }\n");
    return;
  }
  const ir::Process& x = p_.processes[p_.property];
  out_.add("  switch (");
  steps_.location_value(p_.property, "s");
  out_.add(") {\n");
  for (u32 l = 0; l < x.location_count; ++l) {
    const ir::Range r = ir::transitions_at(p_, p_.property, l);
    out_.format("    case %u:\n", l);
    for (u32 i = 0; i < r.count; ++i) {
      const u32 index = p_.order[r.first + i];
      const ir::Transition& t = p_.transitions[index];
      if (!t.reachable) continue;
      out_.add("      { [[maybe_unused]] bool fail = false; const bool open = ");
      if (t.guard == kNone) {
        out_.add("true");
      } else {
        exprs_.truth(t.guard, "s");
      }
      out_.format("; if (open || fail) sink.add_move(%u, fail); }\n", index - x.first_transition);
    }
    out_.add("      break;\n");
  }
  out_.add("    default: break;\n  }\n}\n");
  out_.add(
      "bool move_property(u32 move, [[maybe_unused]] State& n) {\n  [[maybe_unused]] bool fail = "
      "false;\n");
  out_.add("  switch (move) {\n");
  for (u32 m = 0; m < x.transition_count; ++m) {
    const ir::Transition& t = p_.transitions[x.first_transition + m];
    if (!t.reachable) continue;
    out_.format("    case %u: {\n", m);
    steps_.effects(t);
    out_.add("      break;\n    }\n");
  }
  out_.add("    default: break;\n  }\n  return !fail;\n}\n");
}

void ProcessesEmitter::process(u32 q) {
  const ir::Process& process = p_.processes[q];
  out_.format("\n// process %.*s\n", static_cast<int>(process.name.size()), process.name.data());
  out_.format(
      "template <class S>\n"
      "XMC_PROCESS void process_%u([[maybe_unused]] const State& s, [[maybe_unused]] S& sink) "
      "{\n",
      q);
  out_.add("  switch (");
  steps_.location_value(q, "s");
  out_.add(") {\n");
  for (u32 l = 0; l < process.location_count; ++l) {
    if (ir::transitions_at(p_, q, l).count == 0) continue;
    out_.format("    case %u: {\n", l);
    const bool committed = (ir::flags_of(p_, q, l) & ir::kCommitted) != 0;
    if (p_.has_commit && !committed) out_.add("      if (sink.committed) break;\n");
    steps_.location(q, l);
    out_.add("      break;\n    }\n");
  }
  out_.add("    default: break;\n  }\n}\n");
}

void ProcessesEmitter::program() {
  exprs_.tables();
  exprs_.shared_functions();
  predicates_of_locations();
  property();
  for (u32 q = 0; q < p_.processes.size(); ++q) {
    if (q != p_.property) process(q);
  }
  out_.add(
      "\ntemplate <class S>\n"
      "inline void expand_all([[maybe_unused]] const State& s, [[maybe_unused]] S& sink) {\n");
  for (u32 q = 0; q < p_.processes.size(); ++q) {
    if (q != p_.property) out_.format("  process_%u(s, sink);\n", q);
  }
  out_.add(
      "}\n\n[[maybe_unused]] inline void take_step(u32 step, [[maybe_unused]] const State& s, "
      "[[maybe_unused]] Sink& sink) {\n  switch (step) {\n");
  if (stepwise_) steps_.take_steps();
  out_.add("    default:\n      return;\n  }\n}\n");
}

}  // namespace xmc
