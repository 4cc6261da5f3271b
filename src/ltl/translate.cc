#include "ltl/translate.h"

#include "ltl/formula/join.h"
#include "ltl/formula/simplify.h"
#include "ltl/reduce/reduce.h"
#include "ltl/tableau/tableau.h"

namespace xmc::ltl {

namespace {

Status translate_in_scratch(Formulas& formulas, Formula formula, bool negated,
                            std::span<const std::string_view> propositions, Arena& arena,
                            Automaton& out) {
  // Each part has its own share, so that a formula that is hard to simplify can be translated.
  Effort rewriting(limits::kTranslationSteps / 4);
  const u64 mark = arena.scratch_mark();
  Formula simple = Simplifier(formulas, arena, rewriting).simplify(formula, negated);
  arena.scratch_release(mark);
  simple = join_eventualities(formulas, simple, arena);
  XMC_TRY(formulas.status());
  Effort building(limits::kTranslationSteps / 2);
  Graph graph;
  XMC_TRY(make_tableau(formulas, simple, arena, building, graph));
  Effort reducing(limits::kTranslationSteps / 4);
  return make_small(graph, propositions, arena, reducing, out);
}

}  // namespace

Status translate(Formulas& formulas, Formula formula, bool negated,
                 std::span<const std::string_view> propositions, Arena& arena, Automaton& out) {
  const u64 mark = arena.scratch_mark();
  const Status status = translate_in_scratch(formulas, formula, negated, propositions, arena, out);
  arena.scratch_release(mark);
  return status;
}

Status translate_text(std::string_view text, bool negated, Arena& arena, Automaton& out,
                      TextRange& where) {
  const u64 mark = arena.scratch_mark();
  Formulas formulas(arena);
  Propositions propositions;
  Formula formula = 0;
  Status status = parse_formula(text, formulas, propositions, formula, where);
  if (status.ok()) {
    where = {};
    status = translate(formulas, formula, negated, propositions.texts(), arena, out);
    if (status.ok()) out.places = places_of(propositions.texts(), text, arena);
  }
  arena.scratch_release(mark);
  return status;
}

}  // namespace xmc::ltl
