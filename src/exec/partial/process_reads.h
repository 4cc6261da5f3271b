// Which fields a run of a program's step can read: those of all expressions that it may evaluate,
// and where it is asked whether the step changes anything, those that it may write.
#pragma once

#include <span>

#include "ir/ir.h"
#include "xmc/model.h"
#include "xmc/partial.h"

namespace xmc {

// Where the value of a cell is in the packed state.
struct CellPlace {
  u32 field = kNone;  // kNone: the value never changes
  i32 offset = 0;     // value of code 0
  u32 codes = 0;      // how many there are
};

class ProcessReads {
 public:
  ProcessReads(const ir::Program& program, ErrorRule errors, std::span<const CellPlace> places,
               std::span<u8> fields)
      : p_(program), errors_(errors), places_(places), fields_(fields) {}

  void of(PartialQuestion question, u32 index);

 private:
  void cell(u32 cell) {
    if (places_[cell].field != kNone) fields_[places_[cell].field] = 1;
  }
  void variable(u32 id) {
    const ir::Variable& v = p_.variables[id];
    for (u32 k = 0; k < v.size; ++k) cell(v.first_initial + k);
  }
  void location(u32 process) { variable(p_.processes[process].location); }
  void expr(ir::ExprId id);
  void transition(const ir::Transition& t);
  void targets(const ir::Transition& t);

  const ir::Program& p_;
  ErrorRule errors_;
  std::span<const CellPlace> places_;  // by cell
  std::span<u8> fields_;
};

}  // namespace xmc
