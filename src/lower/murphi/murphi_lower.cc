#include "lower/murphi/murphi_lower.h"

#include <algorithm>
#include <new>

#include "lower/guards.h"
#include "lower/keep.h"
#include "lower/murphi/columns.h"
#include "lower/murphi/expr/expr.h"
#include "lower/murphi/routines.h"
#include "lower/murphi/rules.h"
#include "lower/murphi/symmetry.h"
#include "lower/murphi/text.h"
#include "lower/product.h"
#include "xmc/limits.h"

namespace xmc {

namespace murphi_lower {

namespace {

// Of the command line, whose quantifiers have registers of no frame.
class Expressions final : public AskedExpressions {
 public:
  Expressions(Code& code, const Layout& layout) : code_(code), scope_{.layout = layout} {}

  void branch(u32 expression, Label& to, bool when) override {
    murphi_lower::branch(code_, scope_, expression, to, when);
  }
  u32 value(u32 expression) override { return murphi_lower::value(code_, scope_, expression); }

 private:
  Code& code_;
  const Scope scope_;
};

void keep_lists(const Code& code, const RuleLists& lists, Arena& arena, ir::RuleProgram& program) {
  code.finish(arena, program);
  program.rules = keep(lists.rules, arena);
  // Code is in the order of the text, so that no two rules compare equal.
  std::sort(program.rules.begin(), program.rules.end(), [](const ir::Rule& a, const ir::Rule& b) {
    return a.priority != b.priority ? a.priority < b.priority : a.code < b.code;
  });
  program.starts = keep(lists.starts, arena);
  program.assumptions = keep(lists.assumptions, arena);
  program.covers = keep(code.cover_bodies(), arena);
  program.liveness = keep(lists.liveness, arena);
  program.parameters = keep(lists.parameters, arena);
  program.predicates = keep(lists.predicates, arena);
}

// Room for the longest chain of calls: each routine once, or as often as recursion goes.
Status finish_frames(const murphi::System& system, u32 widest, ir::RuleProgram& program) {
  u64 cells = widest;
  for (u32 i = 0; i < system.routines.size(); ++i) {
    const u64 times = system.routines[i].is_recursive ? limits::kCallDepth : 1;
    cells += times * program.routines[i].cells;
  }
  if (cells > limits::kLeaves) {
    return Status::fail(xmc::Code::model,
                        "local variables take more than %u values (limit kLeaves)",
                        limits::kLeaves);
  }
  program.body_cells = static_cast<u32>(std::max<u64>(cells, 1));
  return {};
}

Status lower(const murphi::System& system, Code& code, Diagnostics& diagnostics,
             const MurphiRequest& request, NameStore& names, Arena& arena,
             ir::RuleProgram& program) {
  const Layout layout = lay_out(system, request.dialect, arena);
  AutomatonShape shape;
  const Asked& asked = request.asked;
  const bool product = asked.automaton != nullptr;
  if (product) shape = shape_of(*asked.automaton, asked.as_cycles, arena);
  const auto leaf_places =
      make_columns(layout, product ? &shape.automaton : nullptr, names, arena, program);
  RuleLists lists(system, request.symmetry, arena);
  program.routines = arena.carve_array<ir::Routine>("program", system.routines.size());
  lower_routines(code, layout, program.routines);
  announce_asked(asked, shape, lists.predicates, program);
  lower_rules(code, layout, !product, lists);
  Expressions expressions(code, layout);
  lower_asked(asked, layout.asked_cells, expressions, code, shape, lists.predicates, arena,
              program);
  if (diagnostics.error_count() != 0) return diagnostics.status();
  if (code.overflow()) {
    return Status::fail(xmc::Code::model, "the rules of the model are too long for this program");
  }
  keep_lists(code, lists, arena, program);
  if (ir::instances_of(program.liveness) > limits::kMarks) {
    return Status::fail(xmc::Code::model,
                        "rulesets make more than %u liveness properties (limit kMarks)",
                        limits::kMarks);
  }
  share_guards(program);
  XMC_TRY(finish_frames(system, code.widest(), program));
  XMC_TRY(finish_program({}, arena, program));
  program.may_be_empty = layout.rumur();
  place_leaves(leaf_places, arena, program);
  if (lists.symmetric) XMC_TRY(find_symmetry(system, arena, program));
  return {};
}

}  // namespace

}  // namespace murphi_lower

Status lower_murphi(const murphi::System& system, const Source& source, Diagnostics& diagnostics,
                    const MurphiRequest& request, Arena& arena, ir::RuleProgram& program,
                    ModelText& text) {
  program = {};
  program.has_rules = true;
  NameStore names(arena);
  murphi_lower::Code code(source, diagnostics, arena, names);
  XMC_TRY(murphi_lower::lower(system, code, diagnostics, request, names, arena, program));
  describe_murphi(system, source, request, code.cover_places(), names, arena, program, text);
  return {};
}

}  // namespace xmc
