// StepCells: transitions carried out on unpacked states, one integer per field. Every index,
// divisor and stored value is checked, whether or not the range analysis proved it fine.
//
// The judge replays steps with it. With a CellWatch, steps are run on states that are known in
// part: the watch ends the execution at the first cell that it does not have.
#pragma once

#include "exec/processes/evaluate.h"
#include "exec/processes/explain.h"
#include "ir/ir.h"
#include "xmc/types.h"

namespace xmc {

// Who wants to know what a step reads and writes, by cells.
class CellWatch {
 public:
  // `result`: of the state that the step leads to, as far as it is made. False: withheld.
  virtual bool read(u32 cell, bool result) = 0;
  virtual void write(u32 cell) = 0;

 protected:
  ~CellWatch() = default;
};

enum class Truth : u8 { no, yes, error };

class StepCells {
 public:
  StepCells(const ir::Program& program, Cells source, CellWatch* watch = nullptr)
      : p_(program), source_(source), watch_(watch) {}

  // Of the transition with this number, in the source state.
  Truth guard(u32 index);
  // What a transition does to `n`, which begins as a copy of the source state. False: erroneous, or
  // withheld.
  bool effects(const ir::Transition& t, Cells n);
  // What sender and receiver of a rendezvous hand over, before the effects of both.
  bool transmit(const ir::Transition& t, const ir::Transition& u, Cells n);
  bool transmit_buffered(const ir::Transition& t, Cells n);
  // Whether a buffered channel has a message to receive, or room for another. False, too, when that
  // is withheld.
  bool can_transmit(const ir::Transition& t);
  bool evaluate(const FaultPlace& place, Cells in, ir::ExprId id, i32& v);

  u32 location_cell(u32 process) const {
    return p_.variables[p_.processes[process].location].first_initial;
  }
  bool withheld() const { return withheld_; }
  // The first failure of a step is the one that counts.
  const Fault& fault() const { return fault_; }
  void set_fault(const Fault& fault) { fault_ = fault; }

 private:
  void note(const Fault& fault) {
    if (fault_.kind == Fault::Kind::none) fault_ = fault;
  }
  bool watched_read(u32 cell, bool result);
  void write(Cells to, u32 cell, i32 value);
  bool store(const FaultPlace& place, const ir::Target& t, i32 value, Cells index_in, Cells to);
  bool receive(const ir::Transition& t, u32 value, i32 length, Cells n);
  i32 converted(const ir::Channel& c, u32 value, i32 v) const;

  const ir::Program& p_;
  Cells source_;
  CellWatch* watch_;
  Fault fault_;
  bool withheld_ = false;
};

}  // namespace xmc
