// Which values of a program's states its reduced form does not have.
#pragma once

#include "ir/ir.h"

namespace xmc::ir {

// A value that is not read any more before it is written: the reduced program has this one instead.
struct DeadCell {
  u32 cell = 0;  // index in Program::initial_values
  i32 value = 0;
};

// A process: the cell that says where it is, and what is dead at each of its values.
struct DeadPlaces {
  u32 cell = 0;
  u32 first = 0;  // DeadVariables::by_location
  u32 count = 0;
};

struct DeadVariables {
  std::span<const DeadCell> cells;
  std::span<const DeadPlaces> places;
  std::span<const Range> by_location;  // ranges of `cells`
  u32 cell_count = 0;                  // values that are dead somewhere
  u32 reset_count = 0;                 // assignments that the reduced program has for it
  u32 dropped_count = 0;               // assignments of the text that it does not need
};

}  // namespace xmc::ir
