// The checked syntax tree of a Murphi model: names are resolved, constants folded, every expression
// has its type and its place in the text. It is made for lowering:
//
//   - a simple value is a number: a boolean is 0 or 1, a member of an enum or scalarset counts from
//     0, a value of a union counts through its parts, and Op::to_union and Op::from_union stand
//     wherever a value changes between the two countings;
//   - a type says how many simple values ("leaves") it holds, in which order they lie, and how many
//     bits they take packed, with one code more in each leaf for "undefined";
//   - a variable has its first leaf: among all globals, or in the frame of its rule or routine;
//   - a rule keeps the rulesets, aliases and chooses around it as a list of variables, outermost
//     first.
//
// Everything lives in pools in the arena's scratch and dies after lowering.
#pragma once

#include <string_view>

#include "front/source.h"
#include "xmc/operators.h"
#include "xmc/pool.h"
#include "xmc/types.h"

namespace xmc::murphi {

using TypeId = u32;      // index into System::types
using ExprId = u32;      // into System::expressions; kNone for "not there"
using StmtId = u32;      // into System::statements; kNone for "no more"
using VariableId = u32;  // into System::variables

enum class TypeKind : u8 {
  error,    // of what was wrong and reported; fits everything, so that nothing is reported twice
  integer,  // of an arithmetic expression; variables only have ranges
  boolean,
  range,
  enumeration,
  scalarset,
  union_of,
  record,
  array,
  multiset,
  choice,  // of a variable that chooses an element of a multiset
};

// The first types of every system.
inline constexpr TypeId kErrorType = 0;
inline constexpr TypeId kIntegerType = 1;
inline constexpr TypeId kBooleanType = 2;

struct Type {
  TypeKind kind = TypeKind::error;
  bool has_scalarset = false;  // some leaf is of a scalarset, or of a union with one
  bool has_multiset = false;
  u32 depth = 0;          // of arrays, records and multisets in one another
  std::string_view name;  // of the declaration that it stands in directly; else empty
  Span place;
  i64 low = 0;             // values of a simple type as numbers
  i64 high = -1;           //
  TypeId index = kNone;    // array
  TypeId element = kNone;  // array, multiset; choice: the multiset's type
  u32 first = 0;           // enum: members; union: parts; record: fields
  u32 count = 0;           // of these; multiset: how many elements it can hold
  u32 leaves = 1;          // multiset: the elements, each with a boolean behind it: present
  u64 bits = 0;
};

struct Member {  // of an enum
  std::string_view name;
  TypeId type = kNone;
};

struct Part {  // of a union; parts are in the order in which their types were declared
  TypeId type = kNone;
  u32 first_value = 0;
};

struct Field {
  std::string_view name;
  Span place;
  TypeId type = kNone;
  u32 leaf = 0;  // of the record's
};

enum class Role : u8 {
  global,
  local,
  value,      // parameter of a routine: a copy, read-only
  reference,  // its `var` parameter
  loop,       // of for, forall and exists
  parameter,  // of a ruleset
  alias,      // `value` is the place or the value that it stands for
  choice,     // of choose and its relatives; `value` is the multiset
};

struct Variable {
  std::string_view name;
  Span place;
  TypeId type = kNone;
  Role role = Role::global;
  bool is_written = false;   // reference: the routine changes it
  bool is_interval = false;  // loop, parameter: `from` to `to`, not all values of the type
  u32 leaf = 0;              // its first leaf: global, local, value, loop, choice, and an alias
                             // that is no place
  ExprId from = kNone;
  ExprId to = kNone;
  ExprId step = kNone;  // kNone: 1
  ExprId value = kNone;
};

enum class Op : u8 {
  literal,        // value
  undefined,      // the word, as a source of an assignment or an argument
  variable,       // a = variable
  field,          // a = record, b = number of the field in System::fields
  element,        // a = array, b = index; or a = multiset, b = its choice
  call,           // a = routine, b = first of System::arguments, c = how many
  to_union,       // a = value of a part
  from_union,     // a = value of a union; a run-time error when it is of another part
  XMC_OPERATORS,  // a, b
  conditional,    // a ? b : c
  forall,         // a = variable, b = body
  exists,         //
  is_undefined,   // a = designator
  is_member,      // a = value, b = type
  count,          // of multisetcount: a = choice, b = condition
};

struct Expr {
  Op op = Op::literal;
  u16 height = 1;  // of the tree; at most limits::kTreeDepth
  TypeId type = kErrorType;
  u32 a = 0;
  u32 b = 0;
  u32 c = 0;
  Span place;
  i64 value = 0;
};

enum class StmtOp : u8 {
  assign,      // a = target, b = source
  undefine,    // a = target
  clear,       // a = target
  if_chain,    // b = first clause
  switch_on,   // a = selector, b = first clause
  clause,      // a = condition of an if, kNone for else; or labels a .. a + c of System::labels,
               // c = 0 for else; b = body; the next one is `next`
  for_loop,    // a = variable, b = body
  while_loop,  // a = condition, b = body
  alias,       // a = variable, b = body
  call,        // a = the call
  fail,        // of `error`: text
  check,       // of `assert`: a = condition, text
  assume,      // a = condition, text
  cover,       // a = condition, text
  put,         // a = value, kNone for text
  give_back,   // of `return`: a = value or kNone
  add,         // of multisetadd: a = element, b = multiset
  remove,      // of multisetremove: a = choice (an expression), b = multiset
  remove_if,   // of multisetremovepred: a = choice (a variable), b = condition
};

struct Stmt {
  StmtOp op = StmtOp::put;
  u32 a = kNone;
  u32 b = kNone;
  u32 c = 0;
  StmtId next = kNone;
  Span place;
  std::string_view text;
};

struct Routine {
  std::string_view name;
  Span place;
  bool is_function = false;
  bool is_recursive = false;
  bool has_return = false;
  bool writes_state = false;  // it, or what it calls, changes a global variable
  TypeId result = kNone;
  u32 first_parameter = 0;  // System::parameters
  u32 parameter_count = 0;
  u32 frame_leaves = 0;  // values, locals and loop variables
  StmtId body = kNone;
};

enum class RuleKind : u8 { rule, startstate, invariant, assume, cover, liveness };

struct Rule {
  RuleKind kind = RuleKind::rule;
  std::string_view name;  // empty: none was given
  Span place;
  i64 priority = 0;
  ExprId guard = kNone;  // kNone: true; of a property, what it says
  StmtId body = kNone;
  u32 first_binding = 0;  // System::bindings: variables of rulesets, aliases and chooses around it
  u32 binding_count = 0;
  u32 frame_leaves = 0;
  u64 instances = 1;  // combinations of ruleset parameters and elements of multisets
};

enum class SymbolKind : u8 {
  constant,  // index: a literal expression
  type,
  variable,
  routine,
  unknown,  // was used and reported; later uses are silent
};

// A name of the outermost scope, for expressions from outside the text.
struct Global {
  std::string_view name;
  SymbolKind kind = SymbolKind::unknown;
  u32 index = 0;
};

struct System {
  explicit System(Arena& arena);

  Pool<Type, 6, 1024> types;
  Pool<Member, 6, 1024> members;
  Pool<Part, 4, 1024> parts;
  Pool<Field, 6, 1024> fields;
  Pool<Variable, 6, 1024> variables;
  Pool<Expr, 8> expressions;
  Pool<ExprId, 7, 1024> arguments;
  Pool<ExprId, 7, 512> labels;
  Pool<Stmt, 7> statements;
  Pool<Routine, 4, 512> routines;
  Pool<VariableId, 6, 512> parameters;
  Pool<Rule, 5, 2048> rules;
  Pool<VariableId, 6, 2048> bindings;
  Pool<Global, 6, 1024> globals;
  u32 state_leaves = 0;  // of all global variables
  u64 state_bits = 0;
};

}  // namespace xmc::murphi
