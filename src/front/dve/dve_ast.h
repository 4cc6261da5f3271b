// The checked syntax tree of a DVE model: names are resolved, constants folded into literals,
// initial values computed. Everything lives in pools in the arena's scratch and dies after
// lowering.
//
// Expressions are hash-consed: equal subtrees are one node. plc, a 1.9 MB text, repeats some of its
// terms 740 times; shared, its tree needs thousands of nodes instead of a million, which is what
// lets it through in 16 MiB. A node therefore has no position; whatever can be wrong with an
// expression is found while parsing it, and forward references (P.q) keep the position of their
// first use until they are resolved at the end.
#pragma once

#include <string_view>

#include "xmc/operators.h"
#include "xmc/pool.h"
#include "xmc/types.h"

namespace xmc::dve {

using ExprId = u32;  // index into System::expressions; kNone for "not there"

enum class Op : u8 {
  literal,        // a = the value (as u32 bits of an i32)
  variable,       // a = variable; scalars, and arrays named without index (element 0)
  element,        // a = variable, b = index
  in_state,       // a = process, b = state number within the process
  XMC_OPERATORS,  // a, b
};

struct Expr {
  Op op;
  u32 a = 0;
  u32 b = 0;
};

struct Variable {
  std::string_view name;
  u32 process = kNone;  // kNone: global
  u32 line = 0;
  bool is_constant = false;  // only constant arrays remain in expressions: scalars became literals
  bool is_byte = true;       // else int
  bool is_array = false;
  u32 size = 1;         // elements
  u32 first_value = 0;  // initial values: System::values[first_value .. + size)
};

struct Channel {
  std::string_view name;
  u32 line = 0;
  bool typed = false;
  u32 capacity = 0;     // 0: rendezvous
  u32 value_count = 0;  // values per synchronisation (untyped: as its uses agree)
  u32 first_type = 0;   // typed: System::types[first_type .. + value_count), true = byte
};

struct State {
  std::string_view name;
  bool committed = false;
  bool accepting = false;
};

struct LValue {
  u32 variable = kNone;
  ExprId index = kNone;  // kNone: the scalar, or element 0 of an array
  u32 text_begin = 0;    // byte range in the source
  u32 text_end = 0;
};

struct Assignment {
  LValue target;
  ExprId value = kNone;
  u32 text_end = 0;  // of the value; the assignment begins with its target
};

enum class Sync : u8 { none, send, receive };

struct Transition {
  u32 process = 0;
  u32 source = 0;  // state numbers within the process
  u32 target = 0;
  ExprId guard = kNone;
  Sync sync = Sync::none;
  u32 channel = kNone;
  u32 first_value = 0;  // send: System::sent; receive: System::received
  u32 value_count = 0;  // may be 0 on a typed channel that carries values: nothing is stored then
  u32 first_assignment = 0;
  u32 assignment_count = 0;
  u32 line = 0;
  u32 text_begin = 0;  // byte range of the transition in the source, from its source state to '}'
  u32 text_end = 0;
  u32 guard_begin = 0;  // and of the guard
  u32 guard_end = 0;
};

// Where the text has an operation that may fail (an index, a division) or a value that is sent.
// They are in order of their ends.
struct Spot {
  ExprId expr = kNone;
  u32 begin = 0;
  u32 end = 0;
};

struct Assertion {
  u32 process = 0;
  u32 state = 0;
  ExprId condition = kNone;
  u32 line = 0;
  u32 text_begin = 0;  // byte range of the condition in the source
  u32 text_end = 0;
};

struct Process {
  std::string_view name;
  u32 line = 0;
  u32 first_state = 0, state_count = 0;
  u32 initial = 0;  // state number
  u32 first_variable = 0, variable_count = 0;
  u32 first_transition = 0, transition_count = 0;
};

struct System {
  explicit System(Arena& arena);

  Pool<Expr, 10> expressions;
  Pool<Variable, 6> variables;  // globals and locals in order of declaration
  Pool<i32, 8> values;
  Pool<Channel, 4> channels;
  Pool<u8, 4> types;
  Pool<Process, 4> processes;
  Pool<State, 7> states;
  Pool<Transition, 7> transitions;
  Pool<ExprId, 7> sent;
  Pool<LValue, 6> received;
  Pool<Assignment, 7> assignments;
  Pool<Assertion, 4> assertions;
  Pool<Spot, 7> spots;
  u32 property = kNone;  // process number of the property, or kNone
};

}  // namespace xmc::dve
