// The intermediate representation: guarded commands over bit-packed variables.
//
// A Program is what a language is lowered to and what every execution (bytecode, interpreter,
// emitted code) starts from. All of it is plain arrays in the arena; references are indexes.
// Expressions form a directed acyclic graph in topological order: an operand has a smaller index
// than its user, so passes are loops and not recursions.
//
// Everything that changes is a Variable: model variables, the location of each process, and the
// length and the cells of buffered channels. A variable is a vector of `size` equal fields; element
// i sits at
//     word slot.word + i / per_word, shift slot.shift + (i % per_word) * slot.width.
#pragma once

#include <span>
#include <string_view>

#include "ir/body.h"
#include "ir/symmetry.h"
#include "xmc/check.h"
#include "xmc/model_text.h"
#include "xmc/operators.h"
#include "xmc/types.h"

namespace xmc::ir {

using ExprId = u32;

enum class Op : u8 {
  constant,       // a = value
  load,           // a = variable, b = element: both known
  element,        // a = variable, b = index expression
  table,          // a = table, b = index expression: an array that never changes
  at,             // a = process, b = location
  XMC_OPERATORS,  // a, b
};

inline bool is_leaf(Op op) { return op == Op::constant || op == Op::load || op == Op::at; }
inline bool has_index(Op op) { return op == Op::element || op == Op::table; }
using xmc::is_comparison;
using xmc::is_logical;
using xmc::is_unary;
inline bool is_binary(Op op) { return op >= Op::multiply; }

struct Expr {
  Op op = Op::constant;
  bool may_fail : 1 =
      false;               // an index or division inside can be erroneous; from the range analysis
  bool check : 1 = false;  // this very node is one that has to check
  u16 depth = 0;           // height above the leaves, at most limits::kTreeDepth
  u32 a = 0;
  u32 b = 0;
};

struct Table {
  std::span<const i32> values;
  std::string_view name;
  u32 process = kNone;  // owner; kNone for globals
};

enum class Role : u8 { number, location, channel_length, channel_cell };

struct Variable {
  std::string_view name;
  Role role = Role::number;
  bool is_array = false;
  u32 process = kNone;  // owner; kNone for globals and channels
  u32 size = 1;
  u32 first_initial = 0;  // Program::initial_values[first_initial .. + size)
  i32 type_lo = 0;        // what an assignment may store; anything else is a run-time error
  i32 type_hi = 0;
  i32 lo = 0;  // what the range analysis proved it to hold
  i32 hi = 0;
  Slot slot = {};    // of element 0
  u32 per_word = 1;  // elements per word
};

inline Slot element_slot(const Variable& v, u32 element) {
  Slot s = v.slot;
  s.word = static_cast<u16>(s.word + element / v.per_word);
  s.shift = static_cast<u8>(s.shift + element % v.per_word * s.width);
  return s;
}

// Where a value goes. With index == kNone the element is known.
struct Target {
  u32 variable = kNone;
  u32 element = 0;
  ExprId index = kNone;
  bool check_value = true;  // the range analysis could not prove that every value fits the type
  bool check_index = true;
};

struct Assignment {
  Target target;
  ExprId value = kNone;
};

enum class Sync : u8 { none, send, receive };

struct Transition {
  u32 process = 0;
  u32 source = 0;
  u32 target = 0;
  ExprId guard = kNone;  // kNone: true
  Sync sync = Sync::none;
  u32 channel = kNone;
  u32 first_value = 0;  // send: Program::sent, receive: Program::received
  u32 value_count = 0;
  u32 first_assignment = 0;
  u32 assignment_count = 0;
  u32 first_pair =
      kNone;              // sender of a rendezvous: label of its pair with the channel's receiver 0
  bool reachable = true;  // the range analysis could not exclude it
};

struct Channel {
  std::string_view name;
  bool typed = false;
  u32 capacity = 0;  // 0: rendezvous
  u32 value_count = 0;
  u32 first_type = 0;      // typed: Program::channel_is_byte[first_type ..)
  u32 length = kNone;      // buffered: the variables
  u32 first_cell = kNone;  // cells of value i: variable first_cell + i, an array of `capacity`
  u32 first_receiver =
      0;  // rendezvous: Program::receivers[first_receiver ..), in order of process, then text
  u32 receiver_count = 0;
};

struct Process {
  std::string_view name;
  u32 location = 0;  // variable
  u32 initial = 0;
  u32 location_count = 0;
  u32 first_location = 0;  // Program::location_names, location_flags, by_location
  u32 first_transition = 0;
  u32 transition_count = 0;
};

enum LocationFlag : u8 { kCommitted = 1, kAcceptingLocation = 2, kReachable = 4 };

struct Range {
  u32 first = 0;
  u32 count = 0;
};

struct Predicate {
  PredicateText::Kind kind;
  u32 process = kNone;  // an assertion or bad_prefix is judged in one location of a process
  u32 location = 0;
  // Must be non-zero; goal: violated when non-zero. In a program with rules, an action: the first
  // one of its body.
  ExprId condition = kNone;
};

// What the text says where a step can be erroneous, for the words of a run-time error.
struct Note {
  enum class Part : u8 { guard, assignment, sent, received, predicate } part = Part::guard;
  u32 index = 0;        // transition, or index in assignments, sent, received or predicates
  ExprId expr = kNone;  // the index or division; kNone: the whole part
  u32 line = 0;         // 0: of the command line
  std::string_view text;
  std::string_view constants;  // that it names, with their values: "N=3 M=4"
};

// A plain record of tables, one member for each.
struct Program {
  std::span<Expr> exprs;
  std::span<Table> tables;
  std::span<Variable> variables;
  std::span<i32> initial_values;
  std::span<Channel> channels;
  std::span<u8> channel_is_byte;
  std::span<Process> processes;
  std::span<std::string_view> location_names;
  std::span<u8> location_flags;
  std::span<Range> by_location;  // ranges of `order`
  std::span<u32> order;          // transitions grouped by source location, in text order
  std::span<Transition> transitions;
  std::span<ExprId> sent;
  std::span<Target> received;
  std::span<Assignment> assignments;
  std::span<u32> receivers;
  std::span<Predicate> predicates;
  std::span<const Note> notes;
  std::span<const ExprId> propositions;  // of an automaton from elsewhere, for people

  u32 property = kNone;        // process that is the automaton (automaton.h), or kNone
  bool buchi = false;          // its accepting cycles are violations; else predicates say what is
  bool weak_property = false;  // every cycle of its components that can accept is accepting
  // Its cycles have to be weakly fair to the processes: a state has a counter for that
  // (counter_slot() in layout.h), which no transition reads or writes.
  bool fair = false;
  bool has_rules = false;        // it is a RuleProgram
  std::span<u32> cycle_classes;  // its locations' components; 0: one that cannot accept
  bool has_commit = false;
  bool may_error = false;  // some step can be erroneous
  bool error_state =
      false;  // the layout can represent the error state (process 0 at location_count)

  u32 state_words = 0;
  u32 state_bits = 0;
  u32 state_bytes = 0;
  std::span<Word> initial;
  std::span<Word> error;  // the error state, if error_state
  u32 max_successors = 0;

  u32 model_exprs = 0;  // the rest of `exprs` belongs to predicates of the command line

  // Step labels, see steps.h.
  u32 step_count = 0;
  u32 property_moves = 1;  // moves of the property that a label can name (1 without a property)
  u64 hash = 0;            // of everything that execution depends on
};

// The program of a language with statements: rules instead of processes and transitions. One with
// processes does not pay for these tables, down to the memory that its search has.
struct RuleProgram : Program {
  std::span<Action> actions;
  std::span<Rule> rules;   // by priority, then in the order of the text
  std::span<Rule> starts;  // what makes initial states of the state in which all is undefined
  std::span<Parameter> parameters;
  std::span<Routine> routines;
  std::span<Leaf> leaves;
  std::span<const BodyNote> body_notes;
  std::span<u32> assumptions;  // bodies with a result: where it is 0, there is no such state
  // Bodies whose results have to be other than 0 somewhere; kNone: actions say where.
  std::span<u32> covers;
  // Bodies with a result, whose instances have to stay reachable with one that is not 0.
  std::span<Rule> liveness;
  bool may_be_empty = false;  // without an initial state there is nothing to check, and no error
  u32 body_cells = 0;         // the array of registers
  const Symmetry* symmetry = nullptr;  // null: there is none, or it is not wanted
  // Rules make their successors one by one (`attempt`, `yield`), with step labels of their own. One
  // that keeps control behind a step is asked alone for what follows: the states between are
  // nobody's. Rules of a later priority are asked if those before them have made nothing. The
  // lowering numbers the steps (`step_count` of them, before number_steps() adds to it), and bounds
  // the successors of a state: `max_successors` without control behind them, `chain_ends` of
  // sequences that keep it. Without `starts`, `initial` is the initial state.
  bool generates = false;
  u32 chain_ends = 0;           // 0: nothing keeps control
  std::span<u32> jump_targets;  // of `jump_table`: actions
  // Bodies with a result, or kNone. Where it is not 0, a state without steps is an end and no
  // deadlock; and a state is accepting, whatever the automaton says.
  u32 valid_end = kNone;
  u32 accepts = kNone;
  // Where the system has no step, the automaton of a product moves alone: a finite run is judged as
  // if its last state repeated. Else it is no run.
  bool stutters = true;
  u32 model_actions = 0;     // the rest of `actions` belongs to predicates of the command line
  u32 asked_predicates = 0;  // those of the command line, which come first
};

inline const RuleProgram& with_rules(const Program& p) {
  XMC_CHECK(p.has_rules);
  return static_cast<const RuleProgram&>(p);
}

inline const Symmetry* symmetry_of(const Program& p) {
  return p.has_rules ? with_rules(p).symmetry : nullptr;
}

// Those that move by themselves: all but the automaton.
inline u32 system_processes(const Program& p) {
  return static_cast<u32>(p.processes.size()) - (p.property != kNone ? 1 : 0);
}
inline u32 flags_of(const Program& p, u32 process, u32 location) {
  return p.location_flags[p.processes[process].first_location + location];
}
inline Range transitions_at(const Program& p, u32 process, u32 location) {
  return p.by_location[p.processes[process].first_location + location];
}

}  // namespace xmc::ir
