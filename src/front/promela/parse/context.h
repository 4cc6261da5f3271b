// What the parts of the Promela parser share: the names, the tree, and small helpers that report
// and go on. After a mistake in the grammar a parser skips to the next unit.
#pragma once

#include "front/parsing.h"
#include "front/promela/nodes.h"
#include "front/promela/parse/cursor.h"
#include "front/promela/symbols.h"
#include "front/promela/system.h"
#include "front/stack.h"

namespace xmc::promela {

// An inline.
struct Routine {
  std::string_view name;
  Span place;
  TokenRange body;  // without its braces
  u32 formals = 0;  // the first token of their list
  u32 count = 0;
  bool is_open = false;  // a call of it is being read
};

// A `run`, or a reference to another process, whose type may be declared later.
struct Pending {
  enum class Kind : u8 { run, label, variable };
  Kind kind = Kind::run;
  u32 index = 0;  // an expression, or a reference for a variable
  Token type;
  Token name;  // the label or variable
};

// An ltl block: its tokens are parsed when all names are known.
struct FormulaText {
  u32 property = 0;
  TokenRange range;
};

// What may stand in the text at hand.
enum class Setting : u8 {
  constant,  // a size
  initial,   // the value of a declaration
  process,
  claim,  // looks and changes nothing
  trace,  // tells sends and receives
};

struct Context : Parsing<Cursor> {
  Context(const Tokens& tokens, Diagnostics& diagnostics, Arena& arena, System& system);

  Arena& arena;
  System& system;
  Symbols symbols;
  Nodes nodes;
  Pool<LabelEntry, 5, 512> labels;
  Pool<Routine, 4, 256> routines;
  Pool<Pending, 5, 1024> pending;
  Pool<u32, 6, 1024> calls;  // of inlines: the call around each one
  Pool<FormulaText, 3, 256> formulas;
  Pool<Sequence, 3, 256> bodies;  // of the system's proctypes
  Stack<ExprId> gathered;         // arguments being read
  Stack<Pattern> patterns;        // of the receive being read
  Stack<Index> indexes;           // of the references being read
  Stack<Field> fields;            // of the typedef being read
  Setting setting = Setting::process;
  u32 proctype = kNone;  // being parsed
  u32 first_label = 0;   // of its labels
  u32 unnamed_claims = 0;
  u32 unnamed_formulas = 0;
  u32 call = 0;             // the call of an inline being read, 0: none
  NodeId loop = kNone;      // the innermost one
  bool is_opening = false;  // no statement of the body has been read: declarations set values
  bool in_indivisible = false;
  bool has_run = false;  // in the expression being read
  RefId result = kNone;  // where `return` stores

  // Enters a name in the current scope; reports one that is already known.
  void declare(const Token& name, SymbolKind kind, u32 index);
  // The symbol of a name, or kNone, reported once: later uses are silent.
  u32 resolve(const Token& name, const char* wanted);

  // Moves what was gathered since `mark` into a pool of the system; its first place there.
  template <class P, class S>
  u32 settle(P& pool, S& stack, u32 mark, const char* what) {
    const u32 first = pool.size();
    for (u32 i = mark; i < stack.size(); ++i) add(pool, stack[i], what, cursor.last());
    stack.cut(mark);
    return first;
  }
  template <class S, class T>
  void gather(S& stack, const T& value) {
    if (stack.full()) return report_full("values in one list", stack.capacity(), cursor.here());
    stack.push(value);
  }
};

// What stands here is no part of the language as we have it: said once. False.
bool refuse(Context& context, const char* why);

Nesting nested_expression(Context& context);
Nesting nested_block(Context& context);

// Names that end with a construct.
class InScope {
 public:
  explicit InScope(Context& context) : context_(context) { context.symbols.open_scope(); }
  ~InScope() { context_.symbols.close_scope(); }
  InScope(const InScope&) = delete;
  InScope& operator=(const InScope&) = delete;

 private:
  Context& context_;
};

// expr.cc, primary.cc
bool parse_expression(Context& context, ExprId& out);
// Goes on behind a first operand that is read already.
bool parse_expression_from(Context& context, ExprId& left);
// A comparison and what binds tighter: an operand of formulas.
bool parse_comparison(Context& context, ExprId& out);
bool parse_parenthesis(Context& context, ExprId& out);
bool parse_primary(Context& context, ExprId& out);
bool parse_constant(Context& context, const char* what, i32& out);
// `( expression, expression )` and the like: gathers them, records as their leaves.
bool parse_arguments(Context& context);
bool parse_argument(Context& context);

// remote.cc
bool at_remote(Context& context);
bool parse_remote(Context& context, ExprId& out);
bool parse_run(Context& context, ExprId& out);
void resolve_pending(Context& context);

// reference.cc: a variable with indexes and fields.
bool is_special_name(std::string_view name);  // _pid and its like
struct Designated {
  Reference reference;
  Field field;              // what it is: its type and, without an index, its elements
  bool is_indexed = false;  // the last part has an index, or is no array
  bool is_known = false;
  bool is_special = false;  // _pid and its like
  ExprId special = kNone;
  u32 channel = kNone;  // known by its name
  Span place;
};
bool parse_designated(Context& context, Designated& out);
// Its value, or a poll of it.
bool parse_primary_from(Context& context, const Designated& designated, ExprId& out);
// Its simple value; reports a record.
RefId simple_reference(Context& context, const Designated& designated);
ExprId load_of(Context& context, const Designated& designated);
// One leaf of a record.
RefId leaf_reference(Context& context, const Designated& designated, u32 leaf);

// channel.cc
bool parse_patterns(Context& context, u32 mark);
bool parse_send(Context& context, const Designated& channel, Sequence& sequence);
bool parse_receive(Context& context, const Designated& channel, Sequence& sequence);
bool parse_channel_form(Context& context, u32& out);
void check_field_count(Context& context, const Designated& channel, u32 count, Span place);

// types.cc, declare.cc
bool at_declaration(const Context& context);
bool parse_declaration(Context& context, Sequence* sequence);
bool parse_type(Context& context, Type& out);
bool parse_typedef(Context& context);
bool parse_parameters(Context& context, Proctype& proctype);
// A local byte without a name, for `for` over a channel.
u32 add_hidden_counter(Context& context, Span place);
Leaf leaf_of(const Context& context, const Field& field, u32 leaf);
Leaf message_leaf_of(const Context& context, const Field& field, u32 leaf);  // a bit is one there
u32 leaves_of(const Context& context, const Type& type);

// statement.cc, control.cc, loops.cc, inlines.cc
bool parse_sequence(Context& context, Sequence& out);  // up to '}', '::', fi or od
bool parse_statement(Context& context, Sequence& sequence);
bool parse_control(Context& context, Sequence& sequence);
bool at_control(const Context& context);
bool at_label(const Context& context);  // `NAME :` comes next
bool parse_for(Context& context, Sequence& sequence);
bool parse_select(Context& context, Sequence& sequence);
bool parse_inline(Context& context);
// At '{': behind the '}' that closes it, and the tokens between them.
bool take_braces(Context& context, TokenRange& out);
bool at_call(const Context& context);
bool parse_call(Context& context, RefId result, Sequence& sequence);
NodeId add_node(Context& context, const Node& node, Sequence& sequence);
NodeId add_action(Context& context, const Action& action, Sequence& sequence);

// unit.cc, formula.cc, trace.cc
bool parse_unit(Context& context);
void check_trace(Context& context);
void parse_formulas(Context& context);

}  // namespace xmc::promela
