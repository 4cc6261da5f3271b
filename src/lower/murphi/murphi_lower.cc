#include "lower/murphi/murphi_lower.h"

#include <algorithm>
#include <new>

#include "lower/guards.h"
#include "lower/murphi/lowering.h"
#include "lower/murphi/symmetry.h"
#include "lower/murphi/text.h"
#include "lower/product.h"
#include "xmc/limits.h"

namespace xmc {

namespace murphi_lower {

Lowering::Lowering(const murphi::System& system, const Source& source, Diagnostics& diagnostics,
                   const MurphiRequest& request, Arena& arena, ir::RuleProgram& program)
    : s_(system),
      source_(source),
      diagnostics_(diagnostics),
      request_(request),
      arena_(arena),
      p_(program),
      names_(arena),
      code_(source, arena, names_),
      columns_(arena, "columns"),
      rules_(arena, "rules"),
      starts_(arena, "rules"),
      parameters_(arena, "rules"),
      predicates_(arena, "rules"),
      assumptions_(arena, "rules"),
      liveness_(arena, "rules"),
      covers_(arena, "rules"),
      symmetric_(request.symmetry) {}

void Lowering::refuse(Span place, const char* what) {
  diagnostics_.error(place.begin, place.end, "%s is not supported yet", what);
}

namespace {

template <class T, class Pool>
std::span<T> keep(const Pool& pool, Arena& arena) {
  const std::span<T> out = arena.carve_array<T>("program", pool.size());
  for (u32 i = 0; i < pool.size(); ++i) out[i] = pool[i];
  return out;
}

}  // namespace

// Room for the longest chain of calls: each routine once, or as often as recursion goes.
Status Lowering::finish_frames() {
  u64 cells = most_cells_;
  for (u32 i = 0; i < s_.routines.size(); ++i) {
    const u64 times = s_.routines[i].is_recursive ? limits::kCallDepth : 1;
    cells += times * p_.routines[i].cells;
  }
  if (cells > limits::kLeaves) {
    return Status::fail(xmc::Code::model,
                        "local variables take more than %u values (limit kLeaves)",
                        limits::kLeaves);
  }
  p_.body_cells = static_cast<u32>(std::max<u64>(cells, 1));
  return {};
}

Status Lowering::run() {
  cells_ = arena_.carve_array<u32>("program", s_.variables.size());
  aliases_ = arena_.carve_array<Place>("program", s_.variables.size());
  std::fill(cells_.begin(), cells_.end(), kNone);
  if (request_.automaton != nullptr)
    shape_ = shape_of(*request_.automaton, request_.as_cycles, arena_);
  make_columns();
  lay_out_routines();
  lower_routines();
  lower_rules();
  if (diagnostics_.error_count() != 0) return diagnostics_.status();
  if (code_.overflow()) {
    return Status::fail(xmc::Code::model, "the rules of the model are too long for this program");
  }
  code_.finish(arena_, p_);
  p_.rules = keep<ir::Rule>(rules_, arena_);
  // Code is in the order of the text, so that no two rules compare equal.
  std::sort(p_.rules.begin(), p_.rules.end(), [](const ir::Rule& a, const ir::Rule& b) {
    return a.priority != b.priority ? a.priority < b.priority : a.code < b.code;
  });
  p_.starts = keep<ir::Rule>(starts_, arena_);
  p_.assumptions = keep<u32>(assumptions_, arena_);
  p_.covers = keep<u32>(covers_, arena_);
  p_.liveness = keep<ir::Rule>(liveness_, arena_);
  p_.parameters = keep<ir::Parameter>(parameters_, arena_);
  p_.predicates = keep<ir::Predicate>(predicates_, arena_);
  if (ir::instances_of(p_.liveness) > limits::kMarks) {
    return Status::fail(xmc::Code::model,
                        "rulesets make more than %u liveness properties (limit kMarks)",
                        limits::kMarks);
  }
  share_guards(p_);
  XMC_TRY(finish_frames());
  XMC_TRY(finish_program({}, arena_, p_));
  p_.may_be_empty = rumur();
  place_leaves();
  if (symmetric_) XMC_TRY(find_symmetry(s_, arena_, p_));
  return {};
}

}  // namespace murphi_lower

Status lower_murphi(const murphi::System& system, const Source& source, Diagnostics& diagnostics,
                    const MurphiRequest& request, Arena& arena, ir::RuleProgram& program,
                    ModelText& text) {
  program = {};
  program.has_rules = true;
  void* const memory =
      arena.scratch("lowering", sizeof(murphi_lower::Lowering), alignof(murphi_lower::Lowering));
  auto& lowering =
      *::new (memory) murphi_lower::Lowering(system, source, diagnostics, request, arena, program);
  XMC_TRY(lowering.run());
  describe_murphi(system, source, request, lowering.cover_places(), lowering.names(), arena,
                  program, text);
  return {};
}

}  // namespace xmc
