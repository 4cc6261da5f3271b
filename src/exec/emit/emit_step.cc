#include "exec/emit/emit_step.h"

#include "xmc/check.h"

namespace xmc {

bool StepEmitter::target_may_fail(const ir::Target& t) const {
  return t.check_value || t.check_index || exprs_.may_fail(t.index);
}

bool StepEmitter::effects_may_fail(const ir::Transition& t) const {
  for (u32 k = 0; k < t.assignment_count; ++k) {
    const ir::Assignment& a = p_.assignments[t.first_assignment + k];
    if (exprs_.may_fail(a.value) || target_may_fail(a.target)) return true;
  }
  return false;
}

bool StepEmitter::values_may_fail(const ir::Transition& t) const {
  for (u32 k = 0; k < t.value_count; ++k) {
    const u32 at = t.first_value + k;
    if (t.sync == ir::Sync::send ? exprs_.may_fail(p_.sent[at]) : target_may_fail(p_.received[at]))
      return true;
  }
  return false;
}

void StepEmitter::comment(u32 t) {
  const TransitionText& shown = text_.transitions[t];
  out_.format("      // line %u: ", shown.line);
  for (const char c : shown.text) out_.add({c == '\\' ? "/" : &c, 1});
  out_.add("\n");
}

void StepEmitter::location_value(u32 process, const char* state) {
  exprs_.field(p_.variables[p_.processes[process].location].slot, state);
}

// Stores the i32 named `value`; the index of an element is read from `index_state`.
void StepEmitter::store(const ir::Target& target, const char* value, const char* index_state) {
  const ir::Variable& v = p_.variables[target.variable];
  const Slot slot = ir::element_slot(v, target.element);
  if (target.check_value) {
    out_.format("checked_value(%s, %d, %d, fail); ", value, v.type_lo, v.type_hi);
  }
  if (target.index == kNone) {
    if (slot.width == 0) {
      out_.format("static_cast<void>(%s);", value);
      return;
    }
    out_.format("put<%u, %u, %u>(n, %s - (%d));", slot.word, slot.shift, slot.width, value,
                slot.offset);
    return;
  }
  out_.format("put_element<%u, %u, %u, %u, %u>(n, ", v.slot.word, v.slot.shift, v.slot.width,
              v.per_word, v.size);
  out_.add(target.check_index ? "checked_index(" : "index_of(");
  exprs_.value(target.index, index_state);
  if (target.check_index) out_.format(", %u, fail", v.size);
  out_.format("), %s - (%d));", value, v.slot.offset);
}

void StepEmitter::effects(const ir::Transition& t) {
  const Slot& slot = p_.variables[p_.processes[t.process].location].slot;
  if (slot.width != 0 && t.source != t.target) {
    out_.format("        put<%u, %u, %u>(n, %d);\n", slot.word, slot.shift, slot.width,
                static_cast<i32>(t.target) - slot.offset);
  }
  for (u32 k = 0; k < t.assignment_count; ++k) {
    const ir::Assignment& a = p_.assignments[t.first_assignment + k];
    out_.add("        { const i32 v = ");
    exprs_.value(a.value, "n");
    out_.add("; ");
    store(a.target, "v", "n");
    out_.add(" }\n");
  }
}

void StepEmitter::convert(const ir::Channel& c, u32 value, ir::ExprId id, const char* state) {
  if (c.typed)
    out_.add(p_.channel_is_byte[c.first_type + value] != 0 ? "arith::to_byte(" : "arith::to_int(");
  exprs_.value(id, state);
  if (c.typed) out_.add(")");
}

void StepEmitter::transmit(const ir::Transition& t, const ir::Transition& u) {
  const ir::Channel& c = p_.channels[t.channel];
  for (u32 k = 0; k < t.value_count && k < u.value_count; ++k) {
    out_.add("        { const i32 v = ");
    convert(c, k, p_.sent[t.first_value + k], "n");
    out_.add("; ");
    store(p_.received[u.first_value + k], "v", "s");
    out_.add(" }\n");
  }
}

void StepEmitter::transmit_buffered(const ir::Transition& t) {
  const ir::Channel& c = p_.channels[t.channel];
  const Slot& length = p_.variables[c.length].slot;
  for (u32 k = 0; k < c.value_count; ++k) {
    const ir::Variable& v = p_.variables[c.first_cell + k];
    const auto cell = [&](const char* call) {
      out_.format("%s<%u, %u, %u, %u, %u>", call, v.slot.word, v.slot.shift, v.slot.width,
                  v.per_word, v.size);
    };
    if (t.sync == ir::Sync::send) {
      out_.add("        { [[maybe_unused]] const i32 v = ");
      if (k < t.value_count) {
        convert(c, k, p_.sent[t.first_value + k], "s");
      } else {
        out_.add("0");
      }
      out_.add("; ");
      // A cell without bits stores nothing, but the value may still be erroneous.
      if (v.slot.width != 0) cell("put_element");
      if (v.slot.width != 0) out_.format("(n, index_of(length), v - (%d));", v.slot.offset);
      out_.add(" }\n");
      continue;
    }
    if (v.slot.width == 0) {
      out_.format("        { const i32 v = %d; ", v.slot.offset);
    } else {
      out_.add("        { const i32 v = ");
      cell("element");
      out_.format("(s, 0) + (%d);\n          for (u32 i = 0; i + 1 < index_of(length); ++i) ",
                  v.slot.offset);
      cell("put_element");
      out_.add("(n, i, ");
      cell("element");
      out_.add("(s, i + 1));\n          ");
      cell("put_element");
      out_.format("(n, index_of(length - 1), %d); ", -v.slot.offset);
    }
    if (k < t.value_count) {
      store(p_.received[t.first_value + k], "v", "s");
    } else {
      out_.add("static_cast<void>(v);");
    }
    out_.add(" }\n");
  }
  out_.format("        put<%u, %u, %u>(n, length %s 1 - (%d));\n", length.word, length.shift,
              length.width, t.sync == ir::Sync::send ? "+" : "-", length.offset);
}

// Opens a block that is entered when the guard is true or erroneous; `fail` is declared outside.
void StepEmitter::open_guard(const ir::Transition& t) {
  if (t.guard == kNone) {
    out_.add("{\n");
  } else if (exprs_.may_fail(t.guard)) {
    out_.add("if (const bool open = ");
    exprs_.truth(t.guard, "s");
    out_.add("; open || fail) {\n");
  } else {
    out_.add("if (");
    exprs_.truth(t.guard, "s");
    out_.add(") {\n");
  }
}

void StepEmitter::end_step(u32 step, bool fails) {
  out_.add("        ");
  if (fails) out_.format("if (fail) sink.failed_step(%u); else ", step);
  out_.format("sink.step(n, %u);\n", step);
}

bool StepEmitter::single_fails(const ir::Transition& t) const {
  return exprs_.may_fail(t.guard) || effects_may_fail(t) ||
         (t.sync != ir::Sync::none && values_may_fail(t));
}

bool StepEmitter::pair_fails(const ir::Transition& t, const ir::Transition& u) const {
  return exprs_.may_fail(t.guard) || exprs_.may_fail(u.guard) || values_may_fail(t) ||
         values_may_fail(u) || effects_may_fail(t) || effects_may_fail(u);
}

// Evaluates a guard that is true or erroneous: into `fail`.
void StepEmitter::check_guard(const ir::Transition& t) {
  if (t.guard == kNone || !exprs_.may_fail(t.guard)) return;
  out_.add("      static_cast<void>(");
  exprs_.truth(t.guard, "s");
  out_.add(");\n");
}

// A step that is enabled, as a case.
void StepEmitter::take_single(u32 index) {
  const ir::Transition& t = p_.transitions[index];
  out_.format("    case %u: {\n      [[maybe_unused]] bool fail = false;\n", index);
  check_guard(t);
  if (t.sync != ir::Sync::none) {
    out_.add("      const i32 length = ");
    exprs_.field(p_.variables[p_.channels[t.channel].length].slot, "s");
    out_.add(";\n");
  }
  out_.add("        State n = s;\n");
  if (t.sync != ir::Sync::none) transmit_buffered(t);
  effects(t);
  end_step(index, single_fails(t));
  out_.add("      return;\n    }\n");
}

void StepEmitter::take_pair(u32 ti, u32 ui, u32 step) {
  const ir::Transition& t = p_.transitions[ti];
  const ir::Transition& u = p_.transitions[ui];
  out_.format("    case %u: {\n      [[maybe_unused]] bool fail = false;\n", step);
  check_guard(t);
  check_guard(u);
  out_.add("        State n = s;\n");
  transmit(t, u);
  effects(u);
  effects(t);
  end_step(step, pair_fails(t, u));
  out_.add("      return;\n    }\n");
}

void StepEmitter::take_steps() {
  for (u32 i = 0; i < p_.transitions.size(); ++i) {
    const ir::Transition& t = p_.transitions[i];
    if (t.process == p_.property || !t.reachable) continue;
    if (t.sync == ir::Sync::none || p_.channels[t.channel].capacity != 0) {
      take_single(i);
      continue;
    }
    if (t.sync != ir::Sync::send) continue;
    const ir::Channel& c = p_.channels[t.channel];
    for (u32 r = 0; r < c.receiver_count; ++r) {
      const u32 ui = p_.receivers[c.first_receiver + r];
      const ir::Transition& u = p_.transitions[ui];
      if (u.process != t.process && u.process != p_.property && u.reachable)
        take_pair(i, ui, t.first_pair + r);
    }
  }
}

void StepEmitter::single(u32 index) {
  const ir::Transition& t = p_.transitions[index];
  const bool on_buffer = t.sync != ir::Sync::none;
  comment(index);
  out_.add("      {\n        [[maybe_unused]] bool fail = false;\n");
  if (on_buffer) {
    const ir::Channel& c = p_.channels[t.channel];
    out_.add("        const i32 length = ");
    exprs_.field(p_.variables[c.length].slot, "s");
    out_.format(";\n        if (length %s %u)\n", t.sync == ir::Sync::send ? "<" : ">",
                t.sync == ir::Sync::send ? c.capacity : 0);
  }
  out_.add("        ");
  open_guard(t);
  out_.format("        if (sink.wants(%u)) {\n        State n = s;\n", index);
  if (on_buffer) transmit_buffered(t);
  effects(t);
  end_step(index, single_fails(t));
  out_.add("        }\n        }\n      }\n");
}

void StepEmitter::pair(u32 ti, u32 ui, u32 receiver) {
  const ir::Transition& t = p_.transitions[ti];
  const ir::Transition& u = p_.transitions[ui];
  const u32 step = t.first_pair + receiver;
  comment(ui);
  out_.add("      ");
  const bool committed = (ir::flags_of(p_, u.process, u.source) & ir::kCommitted) != 0;
  if (p_.has_commit && !committed) out_.add("if (!sink.committed) ");
  const bool sender_fails = exprs_.may_fail(t.guard);
  out_.format("{ [[maybe_unused]] bool fail = %s;\n        ",
              sender_fails ? "sender_failed" : "false");
  // An erroneous sender still needs a willing receiver: its guard is evaluated with a flag of its
  // own.
  if (u.guard != kNone && exprs_.may_fail(u.guard)) {
    out_.add("const auto willing = [&s](bool& fail) { return ");
    exprs_.truth(u.guard, "s");
    out_.add("; };\n        bool failed = false;\n        const bool open = willing(failed);\n");
    out_.add("        fail = fail || failed;\n        if (open || failed) {\n");
  } else if (u.guard != kNone) {
    out_.add("if (");
    exprs_.truth(u.guard, "s");
    out_.add(") {\n");
  } else {
    out_.add("{\n");
  }
  out_.format("        if (sink.wants(%u)) {\n        State n = s;\n", step);
  transmit(t, u);
  effects(u);
  effects(t);
  end_step(step, pair_fails(t, u));
  out_.add("        }\n        }\n      }\n");
}

// The receivers of a sender in one other process: by that process' location, in the order of the
// text.
void StepEmitter::receivers_of(u32 ti, u32 process) {
  const ir::Transition& t = p_.transitions[ti];
  const ir::Channel& c = p_.channels[t.channel];
  bool opened = false;
  for (u32 l = 0; l < p_.processes[process].location_count; ++l) {
    bool in_case = false;
    for (u32 r = 0; r < c.receiver_count; ++r) {
      const u32 ui = p_.receivers[c.first_receiver + r];
      const ir::Transition& u = p_.transitions[ui];
      if (u.process != process || u.source != l || !u.reachable) continue;
      if (!opened) {
        out_.add("      switch (");
        location_value(process, "s");
        out_.add(") {\n");
        opened = true;
      }
      if (!in_case) out_.format("      case %u: {\n", l);
      in_case = true;
      pair(ti, ui, r);
    }
    if (in_case) out_.add("      break; }\n");
  }
  if (opened) out_.add("      default: break;\n      }\n");
}

void StepEmitter::sender(u32 ti) {
  const ir::Transition& t = p_.transitions[ti];
  comment(ti);
  out_.add("      {\n      [[maybe_unused]] bool fail = false;\n      ");
  open_guard(t);
  if (exprs_.may_fail(t.guard)) out_.add("      const bool sender_failed = fail;\n");
  for (u32 b = 0; b < p_.processes.size(); ++b) {
    if (b != t.process && b != p_.property) receivers_of(ti, b);
  }
  out_.add("      }\n      }\n");
}

void StepEmitter::location(u32 process, u32 location) {
  const ir::Range r = ir::transitions_at(p_, process, location);
  for (u32 i = 0; i < r.count; ++i) {
    const u32 index = p_.order[r.first + i];
    const ir::Transition& t = p_.transitions[index];
    if (!t.reachable) continue;
    if (t.sync == ir::Sync::none || p_.channels[t.channel].capacity != 0) {
      single(index);
    } else if (t.sync == ir::Sync::send) {
      sender(index);
    }
  }
}

}  // namespace xmc
