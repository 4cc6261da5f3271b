// The bytecode: a stack machine with the top in a register, and the common guard shapes (a field
// against a constant) fused into one instruction with its jump. Instructions read fields straight
// from the packed state.
//
// Snippets are entered at a pc and left by `end` with the top as their value, or by failing. `r` is
// the state that is read, `n` the one that is written: guards read the source state, effects read
// and write the copy, the store of a received value reads the source (for its index) and writes the
// copy.
#pragma once

#include <span>

#include "ir/ir.h"
#include "xmc/types.h"

namespace xmc {

enum class Code8 : u8 {
  end,
  constant,  // push value
  load,      // push ((r[word] >> shift) & mask) + value
  at,        // push ((r[word] >> shift) & mask) == value
  element,   // top = array target [top]
  element_checked,
  table,  // top = table target [top]
  table_checked,
  negate,
  bit_not,
  logical_not,
  multiply,
  divide,
  modulo,
  add,
  subtract,
  shift_left,
  shift_right,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  bit_and,
  bit_xor,
  bit_or,
  divide_checked,
  modulo_checked,
  add_constant,  // top += value
  jump,          // to target
  jump_zero,     // pop; to target if it was 0
  jump_nonzero,
  jump_less,
  jump_less_equal,
  jump_greater,
  jump_greater_equal,
  jump_equal,
  jump_not_equal,
  // to target if ((r[word] >> shift) & mask) compared with value holds
  call,  // the subroutine at target; it pushes one value
  leave,
  store,          // pop into the field; no check
  store_checked,  // fails if outside type of array `target`
  store_element,  // pop index, pop value
  store_element_checked_index,
  store_element_checked_value,
  store_element_checked,
  set,  // field = value (raw)
};

struct Instruction {
  Code8 op = Code8::end;
  u8 shift = 0;
  u16 word = 0;
  u32 target = 0;  // pc, or index of an array or table
  u32 mask = 0;    // of the raw field
  i32 value = 0;
};
static_assert(sizeof(Instruction) == 16);

// A variable as instructions see it.
struct ArrayCode {
  u16 word = 0;
  u8 shift = 0;
  u8 width = 0;
  u32 size = 0;
  u32 per_word = 1;
  u32 mask = 0;
  i32 offset = 0;
  i32 type_lo = 0;
  i32 type_hi = 0;
};

struct TransitionCode {
  u32 guard = kNone;    // pc; kNone: true
  u32 effect = kNone;   // pc: location and assignments
  u32 first_value = 0;  // CodeBlock::values: pcs of sent values, or of stores of received ones
};

struct CodeBlock {
  std::span<const Instruction> code;
  std::span<const ArrayCode> arrays;  // by variable
  std::span<const std::span<const i32>> tables;
  std::span<const TransitionCode> transitions;
  std::span<const u32> values;
  std::span<const u32> predicates;  // pcs
};

// Runs one snippet. `top` is the value that a store snippet finds on the stack. False: it failed.
bool run_code(const CodeBlock& code, u32 pc, const Word* r, Word* n, i32& top);

}  // namespace xmc
