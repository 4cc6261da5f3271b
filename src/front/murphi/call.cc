// Calls of procedures and functions. The places of the arguments are taken before they are parsed,
// so that those of one call stand together whatever calls are among them.
#include "front/murphi/nodes.h"
#include "front/murphi/types.h"
#include "xmc/check.h"

namespace xmc::murphi {

namespace {

// The routine of a call, or kNone, reported.
u32 resolve_routine(Context& context, const Token& name, bool as_statement) {
  const u32 found = context.resolve(name, "procedure or function");
  if (found == kNone) return kNone;
  const Symbol& symbol = context.symbols[found];
  const std::string_view text = symbol.name;
  if (symbol.kind == SymbolKind::unknown) return kNone;
  if (symbol.kind != SymbolKind::routine) {
    context.error(span(name), "'%.*s' is %s, not a procedure or function", shown_bytes(text),
                  text.data(), kind_with_article(symbol.kind));
    context.note_declared(symbol);
    return kNone;
  }
  if (symbol.index == context.header) {
    context.error(span(name), "'%.*s' cannot be called where its parameters are declared",
                  shown_bytes(text), text.data());
    return kNone;
  }
  const Routine& routine = context.system.routines[symbol.index];
  if (!routine.is_function && !as_statement) {
    context.error(span(name), "'%.*s' is a procedure and has no value", shown_bytes(text),
                  text.data());
    context.note_declared(symbol);
    return kNone;
  }
  if (routine.is_function && as_statement && !context.is_rumur()) {
    context.error(span(name), "'%.*s' is a function, and its value is not used; assign it",
                  shown_bytes(text), text.data());
    context.note_declared(symbol);
    return kNone;
  }
  return symbol.index;
}

// The actual of a `var` parameter.
ExprId refer(Context& context, u32 routine, const Variable& formal, ExprId actual) {
  const TypeId type = type_of(context, actual);
  if (is_error(type)) return kErrorExpr;
  const VariableId root = changeable_root(context, actual, "passed to a 'var' parameter");
  if (root == kNone) return kErrorExpr;
  if (!same_type(context, type, formal.type)) {
    context.error(place_of(context, actual),
                  "a 'var' parameter takes a variable of its own type %s; this is of type %s",
                  describe(context, formal.type), describe(context, type));
    context.note(formal.place, "the parameter is declared here");
    return kErrorExpr;
  }
  // What a routine does that is still being read is not known: the worst is assumed.
  if (!formal.is_written && routine != context.routine) return actual;
  if (context.setting == Setting::watching && context.system.variables[root].role == Role::global) {
    report_watching(context, routine, place_of(context, actual));
  }
  note_written(context, root);
  return actual;
}

// The actual of another one. Apart from the parser's recursion: its text takes room on the stack.
[[gnu::noinline]] ExprId pass(Context& context, u32 routine, const Variable& formal,
                              ExprId actual) {
  FixedText<300> what;
  what.format("parameter '%.*s'", shown_bytes(formal.name), formal.name.data());
  const ExprId passed = convert(context, actual, formal.type, what.c_str());
  if (passed == actual) warn_shared_argument(context, routine, formal, actual);
  return passed;
}

bool parse_undefined(Context& context, TypeId type, ExprId& out) {
  if (!context.at_free_word("undefined")) return false;
  const Token word = context.cursor.take();
  Expr node;
  node.op = Op::undefined;
  node.type = type;
  node.place = span(word);
  out = make_node(context, node, kNone, kNone);
  return true;
}

bool parse_argument(Context& context, u32 routine, VariableId formal_id, ExprId& out) {
  if (formal_id == kNone) return parse_expression(context, out);
  const Variable& formal = context.system.variables[formal_id];
  if (formal.role == Role::value && parse_undefined(context, formal.type, out)) return true;
  if (!parse_expression(context, out)) return false;
  if (formal.role == Role::reference) {
    out = refer(context, routine, formal, out);
    return true;
  }
  out = pass(context, routine, formal, out);
  return true;
}

// All arguments, those too many included. False after a mistake in the grammar.
bool parse_arguments(Context& context, u32 id, u32 first, u32& count, bool& wrong) {
  Cursor& cursor = context.cursor;
  const System& system = context.system;
  const u32 wanted = id == kNone ? 0 : system.routines[id].parameter_count;
  count = 0;
  if (cursor.accept(Tok::right_paren)) return true;
  do {
    const bool known = count < wanted;
    const VariableId formal =
        known ? system.parameters[system.routines[id].first_parameter + count] : kNone;
    ExprId argument = kErrorExpr;
    if (!parse_argument(context, id, formal, argument)) return false;
    wrong = wrong || is_error(type_of(context, argument));
    if (known && !cursor.abandoned()) context.system.arguments[first + count] = argument;
    ++count;
  } while (cursor.accept(Tok::comma));
  return cursor.expect(Tok::right_paren, "',' or ')'");
}

bool check_count(Context& context, const Routine& routine, u32 count, Span place) {
  if (count == routine.parameter_count) return true;
  context.error(place, "'%.*s' takes %u argument%s, not %u", shown_bytes(routine.name),
                routine.name.data(), static_cast<unsigned>(routine.parameter_count),
                routine.parameter_count == 1 ? "" : "s", static_cast<unsigned>(count));
  context.note(routine.place, "'%.*s' is declared here", shown_bytes(routine.name),
               routine.name.data());
  return false;
}

u32 reserve_arguments(Context& context, u32 count, Span place) {
  const u32 first = context.system.arguments.size();
  for (u32 i = 0; i < count && !context.cursor.abandoned(); ++i) {
    context.add(context.system.arguments, kErrorExpr, "arguments", place);
  }
  return first;
}

ExprId highest_argument(const Context& context, u32 first, u32 count) {
  const System& system = context.system;
  ExprId highest = kNone;
  for (u32 i = first; i < first + count; ++i) {
    const ExprId argument = system.arguments[i];
    if (highest == kNone ||
        system.expressions[argument].height > system.expressions[highest].height) {
      highest = argument;
    }
  }
  return highest;
}

}  // namespace

bool parse_call(Context& context, bool as_statement, ExprId& out) {
  Cursor& cursor = context.cursor;
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  Token name;
  if (!cursor.expect_name(name, "the name of a procedure or function")) return false;
  const u32 id = resolve_routine(context, name, as_statement);
  if (!cursor.expect(Tok::left_paren, "'('")) return false;
  const u32 wanted = id == kNone ? 0 : context.system.routines[id].parameter_count;
  const u32 first = reserve_arguments(context, wanted, span(name));
  u32 count = 0;
  bool wrong = false;
  if (!parse_arguments(context, id, first, count, wrong)) return false;
  out = kErrorExpr;
  if (id == kNone) return true;
  const Routine& routine = context.system.routines[id];
  Expr node;
  node.place = {name.begin, cursor.last_end()};
  if (!check_count(context, routine, count, node.place) || wrong) return true;
  note_call(context, id, node.place);
  node.op = Op::call;
  node.a = id;
  node.b = first;
  node.c = count;
  node.type = routine.is_function ? routine.result : kErrorType;
  out = make_node(context, node, highest_argument(context, first, count), kNone);
  return true;
}

}  // namespace xmc::murphi
