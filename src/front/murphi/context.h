// What the parts of the Murphi parser share: the names, the tree, and small helpers that report and
// go on.
#pragma once

#include "front/murphi/ast.h"
#include "front/murphi/cursor.h"
#include "front/murphi/symbols.h"
#include "front/parsing.h"
#include "front/stack.h"

namespace xmc::murphi {

// What the text at hand may do.
enum class Setting : u8 {
  constant,  // a bound, a size, the value of a constant
  watching,  // a guard, a property, an alias of rules: reads the state and changes nothing
  body,      // of a rule, startstate or routine
};

// A routine may change a global variable. There are few of both: a list will do.
struct Write {
  u32 routine = kNone;
  VariableId variable = kNone;
};

struct Context : Parsing<Cursor> {
  Context(const Source& source, Diagnostics& diagnostics, Arena& arena, System& system,
          Dialect dialect);

  const Source& source;
  System& system;
  Dialect dialect;
  Symbols symbols;
  Stack<VariableId> bindings;  // of the rulesets, aliases and chooses that are open
  u64 instances = 1;           // combinations of their values
  Stack<Token> names;          // of the declaration being read
  Stack<Field> fields;         // of the records being read
  Pool<Write, 5, 1024> writes;
  bool is_sharing_noted = false;
  FixedText<160> type_texts[2];  // for describe(): not on the stack of a parser that recurses
  u32 type_text_index = 0;
  Setting setting = Setting::body;
  u32 routine = kNone;  // the routine being parsed
  u32 header = kNone;   // the one whose parameters are being parsed
  bool is_text = true;  // else an expression from elsewhere, whose names are declared in the text
  u32 next_leaf = 0;    // free in the frame
  u32 peak_leaf = 0;

  bool is_rumur() const { return dialect == Dialect::rumur; }
  std::string_view text(Span place) const {
    return piece_of(source.text, place.begin, place.end - place.begin);
  }

  // Enters a name in the current scope; reports one that is already there.
  void declare(const Token& name, SymbolKind kind, u32 index);
  // Adds a variable and its name; one with leaves gets them in the frame, or among the globals.
  VariableId declare_variable(const Token& name, Variable variable);
  // The symbol of a name, or kNone, reported once: later uses are silent.
  u32 resolve(const Token& name, const char* wanted);
  // Whether a name that is a keyword in some dialects is one here.
  bool at_free_word(std::string_view word) const {
    return cursor.at_word(word) && symbols.find(cursor.text(cursor.token())) == kNone;
  }

  void note_declared(const Symbol& symbol);
  // None where it would point into another text.
  [[gnu::format(printf, 3, 4)]] void note(Span place, const char* pattern, ...);
};

const char* kind_with_article(SymbolKind kind);

Nesting nested_expression(Context& context);
Nesting nested_block(Context& context);

// Names and leaves that end with a construct.
class Scope {
 public:
  explicit Scope(Context& context) : context_(context), leaf_(context.next_leaf) {
    context.symbols.open_scope();
  }
  ~Scope() {
    context_.symbols.close_scope();
    context_.next_leaf = leaf_;
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  Context& context_;
  u32 leaf_;
};

// expr.cc
bool parse_expression(Context& context, ExprId& out);
// An expression that must be boolean; `what` says whose.
bool parse_condition(Context& context, const char* what, ExprId& out);
// One whose value must be known; kErrorExpr after a mistake in meaning.
bool parse_constant(Context& context, const char* what, ExprId& out);
bool parse_constant_integer(Context& context, const char* what, ExprId& out);

// designator.cc
bool parse_designator(Context& context, ExprId& out);  // at a name
// Whether `index` chooses an element of `multiset`; reported if not.
bool check_choice(Context& context, ExprId index, ExprId multiset);

// call.cc
// At the name of a routine; as a statement, its value is not wanted.
bool parse_call(Context& context, bool as_statement, ExprId& out);

// quantifier.cc
// `NAME: type` or `NAME := from to to by step`; the name is entered in the current scope.
bool parse_quantifier(Context& context, Role role, VariableId& out);
bool at_quantifier(const Context& context);
bool parse_quantified(Context& context, ExprId& out);  // at forall or exists
bool parse_choice(Context& context, VariableId& out);  // `NAME: multiset`
bool parse_count(Context& context, ExprId& out);       // at multisetcount
bool parse_alias(Context& context, VariableId& out);   // `NAME: expression`

// type_syntax.cc
bool parse_type(Context& context, TypeId& out);

// section.cc
// `NAME, NAME, ...`, which are pushed to context.names.
bool parse_names(Context& context, const char* what);
bool at_section(const Context& context);
bool parse_section(Context& context);  // at const, type or var

// statement.cc, control.cc, multiset_syntax.cc
bool parse_statements(Context& context, StmtId& out);
bool parse_statement(Context& context, StmtId& out);
bool parse_control(Context& context, StmtId& out);
bool parse_multiset_statement(Context& context, StmtId& out);
// Declarations, `begin` and statements.
bool parse_body(Context& context, StmtId& out);
// `end` or its relative for a construct that began at `begin`.
bool expect_end(Context& context, Tok relative, const Token& begin);

// routine.cc
bool parse_routine(Context& context);  // at procedure or function

// rule.cc
bool at_rule(const Context& context);
bool parse_rule(Context& context);  // a rule, startstate, property, or a group of them

}  // namespace xmc::murphi
