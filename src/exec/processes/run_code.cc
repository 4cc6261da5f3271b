// The inner loop of the bytecode machine. Jumps through a table of labels instead of a switch: each
// instruction has its own indirect branch, which predictors like. Stack depth is bounded by the
// height of expressions (limits::kTreeDepth).
#include "exec/processes/bytecode.h"
#include "xmc/arith.h"
#include "xmc/check.h"
#include "xmc/limits.h"

#pragma GCC diagnostic ignored "-Wpedantic"

namespace xmc {

namespace {

inline u32 raw_field(const Instruction& i, const Word* state) {
  return static_cast<u32>(state[i.word] >> i.shift) & i.mask;
}

inline void write_field(Word& word, u32 shift, u32 mask, u32 raw) {
  word = (word & ~(u64{mask} << shift)) | (u64{raw & mask} << shift);
}

inline i32 read_element(const ArrayCode& a, u32 index, const Word* state) {
  u32 word = a.word;
  if (index >= a.per_word) {
    word += index / a.per_word;
    index %= a.per_word;
  }
  return static_cast<i32>(static_cast<u32>(state[word] >> (a.shift + index * a.width)) & a.mask) +
         a.offset;
}

inline void write_element(const ArrayCode& a, u32 index, i32 value, Word* state) {
  u32 word = a.word;
  if (index >= a.per_word) {
    word += index / a.per_word;
    index %= a.per_word;
  }
  write_field(state[word], a.shift + index * a.width, a.mask,
              arith::bits(arith::subtract(value, a.offset)));
}

inline bool fits(const ArrayCode& a, i32 value) { return a.type_lo <= value && value <= a.type_hi; }

}  // namespace

bool run_code(const CodeBlock& block, u32 entry, const Word* r, Word* n, i32& result) {
  // In the order of Code8.
  static const void* const kLabels[] = {&&end,
                                        &&constant,
                                        &&load,
                                        &&at,
                                        &&element,
                                        &&element_checked,
                                        &&table,
                                        &&table_checked,
                                        &&negate,
                                        &&bit_not,
                                        &&logical_not,
                                        &&multiply,
                                        &&divide,
                                        &&modulo,
                                        &&add,
                                        &&subtract,
                                        &&shift_left,
                                        &&shift_right,
                                        &&less,
                                        &&less_equal,
                                        &&greater,
                                        &&greater_equal,
                                        &&equal,
                                        &&not_equal,
                                        &&bit_and,
                                        &&bit_xor,
                                        &&bit_or,
                                        &&divide_checked,
                                        &&modulo_checked,
                                        &&add_constant,
                                        &&jump,
                                        &&jump_zero,
                                        &&jump_nonzero,
                                        &&jump_less,
                                        &&jump_less_equal,
                                        &&jump_greater,
                                        &&jump_greater_equal,
                                        &&jump_equal,
                                        &&jump_not_equal,
                                        &&call,
                                        &&leave,
                                        &&store,
                                        &&store_checked,
                                        &&store_element,
                                        &&store_element_checked_index,
                                        &&store_element_checked_value,
                                        &&store_element_checked,
                                        &&set};
  const Instruction* const code = block.code.data();
  const Instruction* pc = code + entry;
  i32 top = result;
  i32 stack[limits::kTreeDepth + 8];
  // A store that finds its value in the register pops one more than was pushed.
  stack[0] = 0;
  i32* sp = stack + 1;
  const Instruction* returns[limits::kTreeDepth + 8];
  const Instruction** rp = returns;

#define XMC_GO goto* kLabels[static_cast<u8>(pc->op)]
#define XMC_NEXT \
  do {           \
    ++pc;        \
    XMC_GO;      \
  } while (false)
#define XMC_PUSH(v) (*sp++ = top, top = (v))
#define XMC_BINARY(name, expression) \
  name : {                           \
    const i32 a = *--sp;             \
    const i32 b = top;               \
    top = (expression);              \
    XMC_NEXT;                        \
  }
#define XMC_JUMP_IF(name, op)                             \
  name:                                                   \
  if (static_cast<i32>(raw_field(*pc, r)) op pc->value) { \
    pc = code + pc->target;                               \
    XMC_GO;                                               \
  }                                                       \
  XMC_NEXT;

  XMC_GO;

end:
  result = top;
  return true;
constant:
  XMC_PUSH(pc->value);
  XMC_NEXT;
load:
  XMC_PUSH(arith::add(static_cast<i32>(raw_field(*pc, r)), pc->value));
  XMC_NEXT;
at:
  XMC_PUSH(static_cast<i32>(raw_field(*pc, r)) == pc->value ? 1 : 0);
  XMC_NEXT;
element_checked:
  if (static_cast<u32>(top) >= block.arrays[pc->target].size) return false;
element:
  top = read_element(block.arrays[pc->target], static_cast<u32>(top), r);
  XMC_NEXT;
table_checked:
  if (static_cast<u32>(top) >= block.tables[pc->target].size()) return false;
table:
  top = block.tables[pc->target][static_cast<u32>(top)];
  XMC_NEXT;
negate:
  top = arith::negate(top);
  XMC_NEXT;
bit_not:
  top = ~top;
  XMC_NEXT;
logical_not:
  top = top == 0 ? 1 : 0;
  XMC_NEXT;
divide_checked:
  if (top == 0) return false;
  XMC_BINARY(divide, arith::divide(a, b))
modulo_checked:
  if (top == 0) return false;
  XMC_BINARY(modulo, arith::modulo(a, b))
  XMC_BINARY(multiply, arith::multiply(a, b))
  XMC_BINARY(add, arith::add(a, b))
  XMC_BINARY(subtract, arith::subtract(a, b))
  XMC_BINARY(shift_left, arith::shift_left(a, b))
  XMC_BINARY(shift_right, arith::shift_right(a, b))
  XMC_BINARY(less, a < b ? 1 : 0)
  XMC_BINARY(less_equal, a <= b ? 1 : 0)
  XMC_BINARY(greater, a > b ? 1 : 0)
  XMC_BINARY(greater_equal, a >= b ? 1 : 0)
  XMC_BINARY(equal, a == b ? 1 : 0)
  XMC_BINARY(not_equal, a != b ? 1 : 0)
  XMC_BINARY(bit_and, a & b)
  XMC_BINARY(bit_xor, a ^ b)
  XMC_BINARY(bit_or, a | b)
add_constant:
  top = arith::add(top, pc->value);
  XMC_NEXT;
jump:
  pc = code + pc->target;
  XMC_GO;
jump_zero : {
  const i32 tested = top;
  top = *--sp;
  pc = tested == 0 ? code + pc->target : pc + 1;
  XMC_GO;
}
jump_nonzero : {
  const i32 tested = top;
  top = *--sp;
  pc = tested != 0 ? code + pc->target : pc + 1;
  XMC_GO;
}
  XMC_JUMP_IF(jump_less, <)
  XMC_JUMP_IF(jump_less_equal, <=)
  XMC_JUMP_IF(jump_greater, >)
  XMC_JUMP_IF(jump_greater_equal, >=)
  XMC_JUMP_IF(jump_equal, ==)
  XMC_JUMP_IF(jump_not_equal, !=)
call:
  *rp++ = pc + 1;
  pc = code + pc->target;
  XMC_GO;
leave:
  pc = *--rp;
  XMC_GO;
store_checked:
  if (!fits(block.arrays[pc->target], top)) return false;
store:
  write_field(n[pc->word], pc->shift, pc->mask, arith::bits(arith::subtract(top, pc->value)));
  top = *--sp;
  XMC_NEXT;
store_element_checked:
  if (!fits(block.arrays[pc->target], sp[-1])) return false;
store_element_checked_index:
  if (static_cast<u32>(top) >= block.arrays[pc->target].size) return false;
  goto store_element;
store_element_checked_value:
  if (!fits(block.arrays[pc->target], sp[-1])) return false;
store_element : {
  const i32 value = *--sp;
  write_element(block.arrays[pc->target], static_cast<u32>(top), value, n);
  top = *--sp;
  XMC_NEXT;
}
set:
  write_field(n[pc->word], pc->shift, pc->mask, static_cast<u32>(pc->value));
  XMC_NEXT;

#undef XMC_GO
#undef XMC_NEXT
#undef XMC_PUSH
#undef XMC_BINARY
#undef XMC_JUMP_IF
}

}  // namespace xmc
