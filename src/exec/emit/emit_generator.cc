// A generator as C++ text: a function for the body of each rule, which two rules may share, and one
// that asks a rule by its number, for chains.
#include <algorithm>

#include "exec/emit/emit_body.h"
#include "exec/emit/emit_rules.h"
#include "xmc/check.h"

namespace xmc {

using ir::Action;
using ir::BodyOp;

// The first rule with that body.
u32 RulesEmitter::body_of(u32 index) const {
  u32 first = 0;
  while (p_.rules[first].code != p_.rules[index].code) ++first;
  return first;
}

void RulesEmitter::generator_body(u32 index) {
  const ir::Rule& rule = p_.rules[index];
  const u64 mark = arena_.scratch_mark();
  flat_.make(rule.code);
  flat_.reserve(p_.parameters.subspan(rule.first_parameter, rule.parameter_count));
  BodyEmitter body(p_, flat_, columns_, false, out_, arena_);
  body.set_generator(flat_, arena_);
  out_.format("\nXMC_RULE void body_%u(const Word* __restrict s, Sink& sink,\n", index);
  out_.add("    [[maybe_unused]] i64* cells");
  for (u32 i = 0; i < rule.parameter_count; ++i) out_.format(", [[maybe_unused]] i64 q%u", i);
  out_.add(
      ") {\n"
      "  [[maybe_unused]] i64* const fp = cells;\n  Word* __restrict n = nullptr;\n"
      "  [[maybe_unused]] StepWork& work = sink.work;\n"
      "  [[maybe_unused]] constexpr u32 calls = 0;\n  [[maybe_unused]] u32 tried = 0;\n"
      "  [[maybe_unused]] const Places places{kLeaf, kLeafCount, cells};\n");
  body.declare();
  for (u32 i = 0; i < rule.parameter_count; ++i) {
    out_.add("  ");
    body.reg(parameter(rule, i).cell);
    out_.format(" = q%u;\n", i);
  }
  body.label(0);
  body.actions(0, static_cast<u32>(body.all().size()), 0);
  body.otherwise(rule.first_step);
  out_.add("}\n");
  arena_.scratch_release(mark);
}

void RulesEmitter::call_body(u32 index) {
  const ir::Rule& rule = p_.rules[index];
  out_.format("body_%u(s, sink, cells", body_of(index));
  for (u32 i = 0; i < rule.parameter_count; ++i) out_.format(", %d", parameter(rule, i).low);
  out_.add(");");
}

void RulesEmitter::generator() {
  for (u32 i = 0; i < p_.rules.size(); ++i) {
    if (body_of(i) == i) generator_body(i);
  }
  out_.add(
      "\n[[maybe_unused]] void ask([[maybe_unused]] u32 rule, [[maybe_unused]] const Word* s,\n"
      "    [[maybe_unused]] Sink& sink, [[maybe_unused]] i64* cells) {\n  switch (rule) {\n");
  for (u32 i = 0; p_.chain_ends != 0 && i < p_.rules.size(); ++i) {
    // Of a later priority: what is said of an earlier one goes on.
    if (p_.rules[i].priority != p_.rules[0].priority) break;
    out_.format("    case %u: ", i);
    call_body(i);
    out_.add(" break;\n");
  }
  out_.add("    default: break;\n  }\n}\n");
  out_.add(
      "inline void try_all([[maybe_unused]] const Word* s, [[maybe_unused]] Sink& sink,\n"
      "    [[maybe_unused]] i64* cells) {\n"
      "  const auto go_on = [&](u32 rule, const Word* from) { ask(rule, from, sink, cells); };\n");
  for (u32 i = 0; i < p_.rules.size(); ++i) {
    if (i != 0 && p_.rules[i].priority != p_.rules[i - 1].priority)
      out_.add("  if (sink.any) return;\n");
    out_.add("  ");
    call_body(i);
    out_.add(" sink.follow(go_on);\n");
  }
  out_.add("}\n");
}

// --- Actions -------------------------------------------------------------------------------------

void BodyEmitter::set_generator(const FlatBodies& flat, Arena& arena) {
  flow_.emplace(flat.actions(), flat.targets(), arena);
}

void BodyEmitter::go_to(u32 target, u32 depth) {
  if (body_[target].op != BodyOp::disabled) {
    out_.format("goto L%u;", target);
  } else if (flow_.has_value()) {
    out_.add("return;");
  } else {
    out_.format("goto off%u;", depth);
  }
}

// Where an error leads to: each attempt has a place that says so.
void BodyEmitter::otherwise(u32 first_step) {
  out_.format("  [[maybe_unused]] bad%u: sink.failed(%u); return;\n", kNone, first_step);
  for (u32 i = 0; i < body_.size(); ++i) {
    if (body_[i].op != BodyOp::attempt) continue;
    out_.format("  [[maybe_unused]] bad%u: sink.failed(%u); ", i, body_[i].a);
    go_to(body_[i].b, 0);
    out_.add("\n");
  }
  out_.format("  [[maybe_unused]] bad%u: switch (tried) {", BodyFlow::kMixed);
  for (u32 i = 0; i < body_.size(); ++i) {
    if (body_[i].op == BodyOp::attempt) out_.format(" case %u: goto bad%u;\n", i + 1, i);
  }
  out_.format(" default: goto bad%u; }\n", kNone);
}

bool BodyEmitter::generator_action(u32 at, u32 depth) {
  const Action& x = body_[at];
  switch (x.op) {
    case BodyOp::attempt:
      out_.format("tried = %u;", at + 1);
      return true;
    case BodyOp::blame:
      out_.format("sink.failed(%u);", x.a);
      return true;
    case BodyOp::yield:
      if (x.b == kNone) {
        out_.format("sink.yield(%u);", x.a);
      } else {
        out_.format("sink.keep(%u, %u, n);", x.a, x.b);
      }
      return true;
    case BodyOp::jump_table:
      words("switch ($r) {", x);
      for (u32 i = 0; i < x.b; ++i) {
        out_.format(" case %u: ", i);
        go_to(targets_[x.a + i], depth);
      }
      out_.add(" default: __builtin_unreachable(); }");
      return true;
    case BodyOp::cut:
      out_.format("static_assert(%u > 0 && %u < 64); ", x.b, x.b);
      words("$r = arith64::cut($a, #b, #c == 1);", x);
      return true;
    case BodyOp::remove:
    case BodyOp::insert:
      queue_action(x);
      return true;
    default:
      return false;
  }
}

// Whether the first elements' leaves, `step` apart, are one column in one word.
bool BodyEmitter::is_packed(u32 leaf, u32 step, u32 count) const {
  const ColumnPlace first = columns_.find(BodyPlace::leaf(leaf));
  if (first.variable == kNone) return false;
  const ir::Variable& v = p_.variables[first.variable];
  for (u32 i = 1; i < count; ++i) {
    const ColumnPlace next = columns_.find(BodyPlace::leaf(i64{leaf} + i64{i} * step));
    if (next.variable != first.variable || next.element != first.element + i) return false;
  }
  const Slot slot = p_.leaves[leaf].slot;
  return v.slot.width != 0 && slot.shift + count * v.slot.width <= 64 &&
         p_.leaves[leaf + (count - 1) * step].slot.word == slot.word;
}

void BodyEmitter::queue_action(const Action& x) {
  const bool removes = x.op == BodyOp::remove;
  bool packed = true;
  for (u32 j = 0; j < x.c; ++j)
    packed = packed && (is_packed(x.a + j, x.c, x.b) || p_.leaves[x.a + j].slot.width == 0);
  if (!packed) {
    out_.format(removes ? "remove(kLeaf + %u, %u, %u, " : "insert(kLeaf + %u, %u, %u, ", x.a, x.b,
                x.c);
    return words("$r, n);", x);
  }
  for (u32 j = 0; j < x.c; ++j) {
    const Slot& slot = p_.leaves[x.a + j].slot;
    if (slot.width == 0) continue;
    slot_words(removes ? "remove_cell" : "insert_cell", slot);
    out_.format(", %u>(n, ", x.b);
    words("$r); ", x);
  }
}

}  // namespace xmc
