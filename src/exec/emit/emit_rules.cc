#include "exec/emit/emit_rules.h"

#include <algorithm>

#include "exec/emit/emit_body.h"
#include "ir/operands.h"
#include "xmc/scratch.h"

namespace xmc {

using ir::Action;
using ir::BodyOp;

RulesEmitter::RulesEmitter(const ir::Program& program, const ModelText& text, Arena& arena,
                           EmitWriter& out)
    : p_(ir::with_rules(program)),
      text_(text),
      arena_(arena),
      out_(out),
      flat_(p_, arena),
      columns_(p_, arena) {}

void RulesEmitter::constants() {
  out_.format("constexpr u32 kWords = %u;\n", p_.state_words);
  out_.format("[[maybe_unused]] constexpr i64 kLeafCount = %u;\n",
              static_cast<u32>(p_.leaves.size()));
  if (p_.generates) out_.format("constexpr u32 kChainEnds = %u;\n", p_.chain_ends);
}

void RulesEmitter::leaves() {
  out_.add("[[maybe_unused]] constexpr LeafSlot kLeaf[] = {");
  for (const ir::Leaf& l : p_.leaves) {
    out_.format("{%u, %u, %u, %d},\n", l.slot.word, l.slot.shift, l.slot.width, l.slot.offset);
  }
  out_.add("{0, 0, 0, 0}};\n");
}

// A routine that no body has in its place.
void RulesEmitter::routine(u32 index) {
  if (!flat_.is_called(index)) return;
  const u64 mark = arena_.scratch_mark();
  flat_.make(p_.routines[index].code, true);
  BodyEmitter body(p_, flat_, columns_, true, out_, arena_);
  body.set_unfinished("return Left::abandoned;");
  out_.format(
      "\n[[gnu::noinline]] Left routine_%u([[maybe_unused]] const Word* s, [[maybe_unused]] Word* "
      "n,\n    i64* fp, i64* cells, [[maybe_unused]] u32 calls, [[maybe_unused]] StepWork& work) "
      "{\n",
      index);
  out_.add("  [[maybe_unused]] const Places places{kLeaf, kLeafCount, cells};\n");
  body.declare();
  body.label(0);
  body.actions(0, static_cast<u32>(body.all().size()), 0);
  out_.add("  [[maybe_unused]] bad0: return Left::failed;\n");
  out_.add("  [[maybe_unused]] off0: return Left::abandoned;\n}\n");
  arena_.scratch_release(mark);
}

void RulesEmitter::predicate(u32 index) {
  const u64 mark = arena_.scratch_mark();
  flat_.make(p_.predicates[index].condition);
  BodyEmitter body(p_, flat_, columns_, false, out_, arena_);
  body.set_unfinished("return false;");
  out_.format(
      "\nXMC_RULE bool predicate_%u([[maybe_unused]] const Word* s, [[maybe_unused]] i64* cells,\n"
      "    [[maybe_unused]] StepWork& work) {\n",
      index - p_.asked_predicates);
  out_.add(
      "  [[maybe_unused]] i64* const fp = cells;\n  [[maybe_unused]] Word* n = nullptr;\n"
      "  [[maybe_unused]] constexpr u32 calls = 0;\n"
      "  [[maybe_unused]] const Places places{kLeaf, kLeafCount, cells};\n");
  body.declare();
  body.label(0);
  body.actions(0, static_cast<u32>(body.all().size()), 0);
  out_.add("  [[maybe_unused]] bad0:\n  [[maybe_unused]] off0: return false;\n}\n");
  arena_.scratch_release(mark);
}

// The last place, `bound` at most, that the loop over a parameter and those inside can begin at:
// nothing before it asks for them, and control goes past it only in one way.
u32 RulesEmitter::split_before(const BodyEmitter& body, const ir::Rule& rule, u32 first,
                               u32 bound) const {
  const std::span<const Action> all = body.all();
  const auto asks = [&](u32 reg) {
    for (u32 i = first; i < rule.parameter_count; ++i) {
      if (parameter(rule, i).cell == reg) return true;
    }
    return false;
  };
  u32 split = 0;
  for (; split < bound; ++split) {
    const Action& x = all[split];
    const ir::Operands has = ir::operands_of(x.op);
    if (has.reads_r && asks(x.r)) break;
    if (has.reads_a && asks(x.a)) break;
    if (has.reads_b && asks(x.b)) break;
  }
  for (u32 i = 0; i < all.size();) {
    const Action& x = all[i];
    const bool jumps = ir::is_jump(x.op) && all[x.a].op != BodyOp::disabled;
    if (jumps && i < split && x.a >= split) {
      split = i;
      i = 0;
    } else if (jumps && i >= split && x.a < split) {
      split = x.a;
      i = 0;
    } else {
      ++i;
    }
  }
  return split;
}

// Registers that are set before the loop and changed in it are the same for each turn.
void RulesEmitter::keep_registers(const BodyEmitter& body, u32 split, bool restore) {
  const std::span<const Action> all = body.all();
  const auto writes = [&](u32 at, u32 reg) {
    return ir::operands_of(all[at].op).writes_r && all[at].r == reg;
  };
  const auto is_written = [&](u32 from, u32 to, u32 reg) {
    for (u32 i = from; i < to; ++i) {
      if (writes(i, reg)) return true;
    }
    return false;
  };
  for (u32 i = 0; i < split; ++i) {
    if (!ir::operands_of(all[i].op).writes_r) continue;
    const u32 r = all[i].r;
    if (is_written(0, i, r) || !is_written(split, static_cast<u32>(all.size()), r)) continue;
    out_.format(restore ? "  r%u = kept_%u_%u;\n" : "  const i64 kept_%u_%u = r%u;\n",
                restore ? r : split, restore ? split : r, r);
  }
}

void RulesEmitter::open_loops(const ir::Rule& rule, BodyEmitter& body, u32 depth, u32 split) {
  const ir::Parameter& q = parameter(rule, depth);
  u32 inner = 1;
  for (u32 i = depth + 1; i < rule.parameter_count; ++i) inner *= parameter(rule, i).count;
  // The instances of one parameter are as many turns of a loop; a rule has no other one.
  if (depth + 1 < rule.parameter_count || depth > 0)
    out_.format("  if (!work.spend(%u)) return;\n", q.count);
  out_.format("  for (u32 d%u = 0; d%u < %u; ++d%u) {\n", depth + 1, depth + 1, q.count, depth + 1);
  out_.format("  t%u = t%u + d%u * %uu;\n  ", depth + 1, depth, depth + 1, inner);
  body.reg(q.cell);
  out_.format(" = %d + i64{d%u} * %d;\n", q.low, depth + 1, q.step);
  keep_registers(body, split, true);
}

void RulesEmitter::rule(u32 index) {
  const ir::Rule& rule = p_.rules[index];
  if (rule.step_count == 0) return;
  const u64 mark = arena_.scratch_mark();
  flat_.make(rule.code);
  flat_.reserve(p_.parameters.subspan(rule.first_parameter, rule.parameter_count));
  BodyEmitter body(p_, flat_, columns_, false, out_, arena_);
  body.set_priorities(p_.rules.front().priority != p_.rules.back().priority);
  const u32 depth = rule.parameter_count;
  const std::span<u32> splits = scratch_array<u32>(arena_, "emitter", depth + 1);
  splits[depth] = body.begin();
  for (u32 d = depth; d-- > 0;)
    splits[d] = body.has_memory() ? 0 : split_before(body, rule, d, splits[d + 1]);

  const TransitionText& shown = text_.transitions[rule.first_step];
  out_.format("\n// line %u: ", shown.line);
  for (const char c : shown.text) out_.add({c == '\\' ? "/" : &c, 1});
  out_.format(
      "\nXMC_RULE void rule_%u(const Word* __restrict s, Sink& sink, [[maybe_unused]] i64* cells) "
      "{\n",
      index);
  out_.add(
      "  [[maybe_unused]] i64* const fp = cells;\n  Word* __restrict n = nullptr;\n"
      "  [[maybe_unused]] StepWork& work = sink.work;\n"
      "  [[maybe_unused]] constexpr u32 calls = 0;\n"
      "  [[maybe_unused]] const Places places{kLeaf, kLeafCount, cells};\n");
  out_.format("  constexpr u32 t0 = %u;\n", rule.first_step);
  for (u32 d = 1; d <= depth; ++d) out_.format("  u32 t%u = 0;\n", d);
  body.declare();

  u32 at = 0;
  for (u32 d = 0; d < depth; ++d) {
    if (at < splits[d]) {
      body.label(at);
      body.actions(at, splits[d], d);
    }
    at = splits[d];
    out_.add("  {\n");
    keep_registers(body, at, false);
    open_loops(rule, body, d, at);
  }
  body.label(at);
  body.actions(at, static_cast<u32>(body.all().size()), depth);
  u32 instances = 1;
  for (u32 d = depth;; --d) {
    out_.format("  goto off%u;\n  [[maybe_unused]] bad%u: sink.failed(t%u, %u);\n", d, d, d,
                instances);
    out_.format("  [[maybe_unused]] off%u:;\n", d);
    if (d == 0) break;
    out_.add("  }\n  }\n");
    instances *= parameter(rule, d - 1).count;
  }
  out_.add("}\n");
  arena_.scratch_release(mark);
}

void RulesEmitter::program() {
  leaves();
  for (u32 i = 0; i < p_.routines.size(); ++i) routine(i);
  for (u32 i = p_.asked_predicates; i < p_.predicates.size(); ++i) predicate(i);
  for (u32 i = 0; i < p_.rules.size() && !p_.generates; ++i) rule(i);

  out_.add(
      "\ninline u32 violated([[maybe_unused]] const Word* s, [[maybe_unused]] i64* cells,\n"
      "    [[maybe_unused]] StepWork& work) {\n");
  for (u32 i = 0; i + p_.asked_predicates < p_.predicates.size(); ++i) {
    const ir::Predicate& q = p_.predicates[p_.asked_predicates + i];
    out_.add("  if (");
    if (q.process != kNone) {
      const Slot& at = p_.variables[p_.processes[q.process].location].slot;
      out_.format("(s[%u] >> %u & %lluu) == %u && ", at.word, at.shift, (1ull << at.width) - 1,
                  q.location - static_cast<u32>(at.offset));
    }
    out_.format("!predicate_%u(s, cells, work)) return %u;\n", i, i);
  }
  out_.add("  return kNone;\n}\n");
  if (p_.generates) return generator();
  out_.add(
      "inline void try_all([[maybe_unused]] const Word* s, [[maybe_unused]] Sink& sink,\n"
      "    [[maybe_unused]] i64* cells) {\n");
  for (u32 i = 0; i < p_.rules.size(); ++i) {
    if (i != 0 && p_.rules[i].priority != p_.rules[i - 1].priority)
      out_.add("  sink.guards_only = sink.any;\n");
    if (p_.rules[i].step_count != 0) out_.format("  rule_%u(s, sink, cells);\n", i);
  }
  out_.add("}\n");
}

}  // namespace xmc
