// The checked form of a Promela model: names are resolved, constants folded, inlines and macros
// gone, and every process is a graph. It is made for execution and lowering:
//
//   - a variable is a range of leaves, simple values of a known width, in the frame of all globals
//     or in that of its process; a reference names its first leaf and the indexes that are added;
//   - a process type has places, which are what a state remembers of it, and for each place the
//     list of statements that may be executed there, in the order in which they are tried: escapes
//     in front, outermost first, `else` last of its selection;
//   - a statement (Action) says where it leads and whether its process keeps control behind it;
//   - a d_step is one Action with a graph of its own among the places, which are marked so.
//
// Everything lives in pools in the arena's scratch and dies after lowering.
#pragma once

#include <string_view>

#include "front/promela/text/preprocessor.h"
#include "front/source.h"
#include "xmc/operators.h"
#include "xmc/pool.h"
#include "xmc/types.h"

namespace xmc::promela {

using xmc::Span;

using ExprId = u32;   // index into System::expressions; kNone for "not there"
using RefId = u32;    // into System::references
using PlaceId = u32;  // into System::places
using ActionId = u32;

// How a value is cut when it is stored.
enum class LeafKind : u8 {
  bits,       // the lowest `width` bits, not negative
  short_int,  // 16 bits, signed
  integer,
};

struct Leaf {
  LeafKind kind = LeafKind::bits;
  u8 width = 8;
  bool is_channel = false;
  u16 names = 0;  // of an mtype: its list of names and 1; else 0
};

enum class TypeKind : u8 { simple, record };

struct Type {
  TypeKind kind = TypeKind::simple;
  Leaf leaf;
  u32 record = kNone;
};

// Of a typedef.
struct Record {
  std::string_view name;
  u32 first_field = 0;
  u32 field_count = 0;
  u32 leaves = 0;
  bool has_array = false;
};

// A field of a record, or what all variables have.
struct Field {
  std::string_view name;
  Span place;
  Type type;
  u32 elements = 0;      // 0: no array
  u32 leaf = 0;          // its first one, in the record or frame
  u32 leaves = 1;        // all of them
  ExprId value = kNone;  // of a field with an initial value
  u32 channel = kNone;   // of a field with a channel
};

struct Variable : Field {
  bool is_hidden = false;
  bool is_parameter = false;
  bool is_late = false;  // set by a statement where it is declared
};

struct MtypeList {
  std::string_view name;  // empty: the one without a name
  u32 count = 0;
};

struct MtypeName {
  std::string_view name;
  u32 list = 0;
  i32 value = 0;
};

// `[capacity] of { fields }`; 0 is a rendezvous channel.
struct ChannelForm {
  u32 capacity = 0;
  u32 first_field = 0;  // System::message_leaves
  u32 field_count = 0;
  Span place;
};

// Done when the model begins or a process is created, in this order.
struct Initial {
  u32 leaf = 0;
  u32 count = 1;         // leaves that get the value; a channel is one leaf
  ExprId value = kNone;  // kNone: a new channel
  u32 channel = kNone;
};

enum class Scope : u8 {
  global,
  local,
  remote,   // a local one of the process `pid`, if that is of type `proctype`; else 0
  nowhere,  // `_`: nothing is stored, 0 is read
};

struct Index {
  ExprId value = kNone;
  u32 bound = 0;   // 0 <= value < bound, or a run-time error
  u32 stride = 1;  // value * stride leaves are added
  Span place;
};

// One simple value.
struct Reference {
  Scope scope = Scope::global;
  Leaf leaf_type;
  u32 leaf = 0;
  u32 first_index = 0;  // System::indexes
  u32 index_count = 0;
  u32 variable = kNone;  // System::globals or locals
  u32 proctype = kNone;  // remote: System::proctypes
  ExprId pid = kNone;    // remote: kNone for the first process of the type
  Span place;
};

enum class Op : u8 {
  literal,                   // value; b: 1 when it was computed from others
  load,                      // a = reference
  XMC_OPERATORS_ON_NUMBERS,  // a, b
  logical_and,
  logical_or,   // short-circuit
  conditional,  // a ? b : c
  run,          // a = proctype, arguments b .. b + c; value = priority
  length,
  is_empty,
  is_not_empty,
  is_full,
  is_not_full,    // a = channel
  poll,           // a = channel, patterns b .. b + c; value: 1 looks at all messages
  timeout,        //
  own_pid,        //
  process_count,  // _nr_pr
  last_pid,       // _last
  own_priority,   // _priority
  no_progress,    // np_
  enabled,        // a = pid
  priority_of,    // a = pid
  at_label,       // a = pid or kNone, b = label, c = proctype
};

struct Expr {
  Op op = Op::literal;
  bool is_channel = false;
  u16 height = 1;  // of the tree; at most limits::kTreeDepth
  u32 a = kNone;
  u32 b = 0;
  u32 c = 0;
  Span place;
  i32 value = 0;
};

enum class PatternKind : u8 { store, match, any };

// One field of a receive or poll.
struct Pattern {
  PatternKind kind = PatternKind::any;
  RefId target = kNone;
  ExprId value = kNone;
};

enum class ActionKind : u8 {
  condition,     // value; executable when it is not 0
  otherwise,     // `else`
  always,        // goto and break in front, a late record
  assign,        // target = value
  send,          // channel, arguments first .. first + count
  receive,       // channel, patterns
  assertion,     // value
  print,         // text, arguments
  set_priority,  // channel = pid, value
  indivisible,   // a d_step: its body begins at `body`
  die,           // at the end, for the youngest process only
};

struct Action {
  ActionKind kind = ActionKind::condition;
  bool keeps_control = false;
  bool is_special = false;  // !! and ??
  bool stays = false;       // of a receive: the message is not removed
  ExprId value = kNone;
  ExprId channel = kNone;
  RefId target = kNone;
  u32 first = 0;
  u32 count = 0;
  PlaceId next = kNone;
  PlaceId body = kNone;
  Span place;
  std::string_view text;  // of a print
};

// An action as it stands in the list of a place.
struct Option {
  ActionId action = 0;
  u32 escape = 0;  // 0: none; else the number of the `unless` that it is the escape of
};

struct Place {
  u32 first_option = 0;  // System::options
  u32 option_count = 0;
  Span place;
  bool is_valid_end = false;    // an `end` label, or the end itself
  bool is_accepting = false;    //
  bool is_progress = false;     //
  bool is_last = false;         // the closing brace
  bool is_indivisible = false;  // inside a d_step: no state is ever here
};

struct Label {
  std::string_view name;
  Span place;
  PlaceId at = kNone;    // kNone: no process is ever there
  bool is_used = false;  // by a jump or a remote reference
};

// A claim and a trace have a graph, but no process is one.
enum class ProcessKind : u8 { proctype, init, never, trace };

inline bool can_run(ProcessKind kind) {
  return kind == ProcessKind::proctype || kind == ProcessKind::init;
}

struct Proctype {
  ProcessKind kind = ProcessKind::proctype;
  std::string_view name;
  Span place;
  u32 active = 0;  // processes of it in the beginning
  i32 priority = 1;
  ExprId provided = kNone;
  u32 first_variable = 0;  // System::locals, parameters first
  u32 variable_count = 0;
  u32 parameter_count = 0;   // of variables
  u32 parameter_leaves = 0;  // the first ones of the frame
  u32 first_leaf = 0;        // System::local_leaves
  u32 leaf_count = 0;
  u32 first_initial = 0;  // System::local_initials
  u32 initial_count = 0;
  u32 first_label = 0;  // System::labels
  u32 label_count = 0;
  u32 first_place = 0;
  u32 place_count = 0;
  PlaceId start = kNone;
};

enum class FormulaOp : u8 {
  expression,  // expr
  negation,
  always,
  eventually,
  next,  // a
  conjunction,
  disjunction,
  implies,
  equivalent,
  until,
  weak_until,
  release,  // a, b
};

struct Formula {
  FormulaOp op = FormulaOp::expression;
  u16 height = 1;
  u32 a = kNone;
  u32 b = kNone;
  ExprId expr = kNone;
};

struct Property {
  std::string_view name;
  Span place;
  u32 claim = kNone;    // a never claim: System::proctypes
  u32 formula = kNone;  // ltl: System::formulas
};

struct System {
  explicit System(Arena& arena);

  Files files;
  Pool<Record, 4, 256> records;
  Pool<Field, 5, 512> fields;
  Pool<MtypeList, 3, 64> mtype_lists;
  Pool<MtypeName, 5, 512> mtype_names;
  Pool<Variable, 5, 512> globals;
  Pool<Variable, 5, 512> locals;
  Pool<Leaf, 9, 1024> global_leaves;
  Pool<Leaf, 9, 1024> local_leaves;
  Pool<Initial, 6, 1024> global_initials;
  Pool<Initial, 6, 1024> local_initials;
  Pool<ChannelForm, 4, 512> channels;
  Pool<Leaf, 6, 1024> message_leaves;
  Pool<Reference, 7, 1024> references;
  Pool<Index, 6, 1024> indexes;
  Pool<Expr, 8, 1024> expressions;
  Pool<ExprId, 7, 1024> arguments;
  Pool<Pattern, 6, 1024> patterns;
  Pool<Proctype, 3, 256> proctypes;
  Pool<Action, 7, 1024> actions;
  Pool<Option, 8, 1024> options;
  Pool<Place, 7, 1024> places;
  Pool<Label, 5, 512> labels;
  Pool<Formula, 5, 256> formulas;
  Pool<Property, 3, 256> properties;
  // Sends and receives are followed by the graph of this one, which consists of them; behind one
  // that it does not have there it is at its end, if it is a `notrace`. A field of a send that is
  // not known can be anything.
  u32 trace = kNone;          // proctypes
  bool is_forbidden = false;  // notrace
  bool uses_priorities = false;
  bool uses_last = false;  // _last is read, so that it is part of the state
};

}  // namespace xmc::promela
