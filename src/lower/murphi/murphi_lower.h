// A checked Murphi tree as a program with rules.
#pragma once

#include <string_view>

#include "front/murphi/ast.h"
#include "front/murphi/lexer.h"
#include "front/source.h"
#include "ir/ir.h"
#include "lower/asked.h"
#include "xmc/arena.h"
#include "xmc/model_text.h"
#include "xmc/status.h"

namespace xmc {

struct MurphiRequest {
  murphi::Dialect dialect = murphi::Dialect::cmurphi;
  bool symmetry = false;  // scalarsets are to be found for --symmetry
  Asked asked;
  std::string_view property_text;
  std::string_view invariant_text;
  std::string_view reach_text;
};

// Fills in the program and its words. What is not supported is refused where it stands.
Status lower_murphi(const murphi::System& system, const Source& source, Diagnostics& diagnostics,
                    const MurphiRequest& request, Arena& arena, ir::RuleProgram& program,
                    ModelText& text);

}  // namespace xmc
