// What people read about a Murphi model: leaves with their full names, and instances of rules.
#pragma once

#include "front/murphi/ast.h"
#include "front/source.h"
#include "ir/ir.h"
#include "lower/murphi/murphi_lower.h"
#include "lower/name_store.h"

namespace xmc {

// What a cover is called, and its condition.
struct CoverPlace {
  std::string_view name;
  Span place;
};

void describe_murphi(const murphi::System& system, const Source& source,
                     const MurphiRequest& request, std::span<const CoverPlace> covers,
                     NameStore& names, Arena& arena, const ir::RuleProgram& program,
                     ModelText& text);

}  // namespace xmc
