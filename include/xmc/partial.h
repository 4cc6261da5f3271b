// PartialSteps: a model's steps one at a time, on states of which only some fields are known.
//
// Searches that work on whole sets ask which fields a step depends on, and what it does to them for
// each combination of their values. A run of a step reads fields in the order that its execution
// does. At the first field that is not known it ends with `needs`; the caller gives that field each
// of its values in turn and asks again. So a step is told apart by just what it reads: `a[i] = e`
// depends on i and then on one element, a guard that is false on what made it false.
//
// A field has the number that Model::fields gives it, and a value is the code in the packed state.
#pragma once

#include <span>

#include "xmc/types.h"

namespace xmc {

// What can be asked about a state.
enum class PartialQuestion : u8 {
  step,       // what step `index` of the system does
  enabled,    // whether it is there, erroneous or not; ends with `done` or `disabled`
  changes,    // whether it is there and leads elsewhere, or is erroneous; the same ends
  move,       // of a product: what move `index` of the property does, beside any step
  violated,   // whether predicate `index` is; `done`: it is
  accepting,  // whether the property accepts; `done`: it does
  halted,     // whether it is the error state that has no steps and is no deadlock
};

enum class PartialEnd : u8 {
  needs,     // PartialRun::field is not known
  disabled,  // there is no such step, or the answer is no
  done,      // the step leads to what is written
  fails,     // it is erroneous (--errors report)
  lost,      // it leads to the error state, all of which is written (--errors beem and stop)
};

struct FieldCode {
  u32 field = 0;
  u32 code = 0;
};

// What is known, and what comes of a run. All spans have an element for each field.
struct PartialRun {
  std::span<const u32> codes;
  std::span<const u8> known;

  std::span<u32> reads;  // fields that were read, known ones, each once
  u32 read_count = 0;
  std::span<FieldCode> writes;  // each field once
  u32 write_count = 0;
  u32 field = kNone;
};

// For who answers `changes`: whether what is written differs from what was there. Fields that are
// known and differ are enough; else each has to be known. `know(field)` counts it as read.
template <class Know>
PartialEnd find_change(const PartialRun& run, Know&& know) {
  const std::span<const FieldCode> writes = run.writes.first(run.write_count);
  for (const FieldCode& w : writes) {
    if (run.known[w.field] == 0 || run.codes[w.field] == w.code) continue;
    static_cast<void>(know(w.field));
    return PartialEnd::done;
  }
  for (const FieldCode& w : writes) {
    if (!know(w.field)) return PartialEnd::needs;
  }
  return PartialEnd::disabled;
}

struct PartialSteps {
  void* self = nullptr;   // null: the model has no steps of this kind
  u32 step_count = 0;     // of the system
  u32 move_count = 0;     // of the property; 0: it is no product
  bool may_halt = false;  // there may be such a state

  PartialEnd (*run)(void* self, PartialQuestion question, u32 index, PartialRun& run) = nullptr;
  // Marks every field that a run may read, whatever the values.
  void (*may_read)(void* self, PartialQuestion question, u32 index, std::span<u8> fields) = nullptr;
};

}  // namespace xmc
