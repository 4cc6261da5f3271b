// What the parts of the DVE parser share: the names, the tree, and small helpers that report and go
// on.
#pragma once

#include "front/dve/dve_ast.h"
#include "front/dve/dve_cursor.h"
#include "front/dve/dve_nodes.h"
#include "front/dve/dve_symbols.h"
#include "front/parsing.h"

namespace xmc::dve {

// P.q where P is not declared yet; its node is completed at the end of the text.
struct ForwardState {
  std::string_view process;
  std::string_view state;
  ExprId node = kNone;
};

// The first synchronisation on a channel: later ones must carry as many values.
struct ChannelUse {
  u32 begin = kNone;  // kNone: not used yet
  u32 end = 0;
  u32 count = 0;
  bool mixed = false;  // typed: uses with and without values were already pointed out
};

// Where a process first reads a variable of another one (P->x).
struct RemoteUse {
  u32 begin = kNone;
  u32 end = 0;
};

enum class Mode : u8 {
  model,        // guards, effects, sent values, assertions
  initialiser,  // only values that are known before the first step
  command_line  // an expression over a finished model
};

struct Context : Parsing<Cursor> {
  Context(const Source& source, Diagnostics& diagnostics, Arena& arena, System& system);

  const Source& source;
  System& system;
  Symbols symbols;
  Nodes nodes;
  Pool<ForwardState, 6> forwards;
  u32 forward_processes = 0;
  Pool<ChannelUse, 4> channel_uses;  // one per channel
  Pool<RemoteUse, 4> remote_uses;    // one per process
  u32 process = kGlobal;             // the process being parsed
  Mode mode = Mode::model;

  // Enters a name in the current scope; reports a name that is already there (and returns its
  // symbol).
  u32 declare(const Token& name, Kind kind, u32 index);
  // Looks a name up in the current process, then among the globals. kNone when it is in neither.
  u32 lookup(std::string_view name) const;
  // The symbol of `name` when it is of this kind; else reports what is wrong, and kNone.
  u32 resolve(const Token& name, Kind kind);
  // The number of a state of the current process; reports and gives 0 when it has none of that
  // name.
  u32 resolve_state(const Token& name);

  // Remembers where the text has a node, for the words of a run-time error.
  void note_spot(ExprId expr, u32 begin, u32 end);
  void note_declared(const Symbol& symbol);
  // Enters a symbol of any scope that is known not to be there.
  u32 add_symbol(const Symbol& symbol, const Token& where);
  // Reports a name once; later uses of it are silent.
  void report_unknown(const Token& name, Kind wanted);
};

const char* kind_name(Kind kind);

// dve_expr.cc
struct Operand {
  ExprId expr = 0;
  u32 begin = 0;  // byte range of its text
  u32 end = 0;
  Op shape = Op::literal;       // outermost operator if it stands without parentheses, else literal
  bool leads_with_not = false;  // starts with a 'not' that takes in only part of it
};
bool parse_operand(Context& context, Operand& out);
bool parse_index(Context& context, Operand& out);  // at '['

// dve_reference.cc
bool parse_reference(Context& context, Operand& out);
bool parse_lvalue(Context& context,
                  LValue& out);  // out.variable is kNone after a reported mistake in meaning

// dve_precedence.cc
void warn_if_tables_disagree(Context& context, Op op, const Token& mark, const Operand& left,
                             const Operand& right);

// dve_declare.cc
bool parse_variables(Context& context);
bool parse_channels(Context& context);

// dve_process.cc
void parse_process(Context& context);

// dve_transition.cc
bool parse_transitions(Context& context);

// dve_sync.cc
bool parse_sync(Context& context, Transition& transition);

// dve_forward.cc
ExprId forward_state(Context& context, const Token& process, const Token& state);
void resolve_forward_states(Context& context);

}  // namespace xmc::dve
