// Procedures and functions. A routine is known in its own body; there are no other forward calls,
// so that what a routine changes is known before it is called.
#include "front/murphi/nodes.h"
#include "front/murphi/types.h"
#include "xmc/check.h"

namespace xmc::murphi {

namespace {

// [var] NAME, NAME, ...: type
bool parse_formal(Context& context, u32 routine) {
  Cursor& cursor = context.cursor;
  const u32 first = context.names.size();
  Variable variable;
  variable.role = cursor.accept(Tok::kw_var) ? Role::reference : Role::value;
  if (!parse_names(context, "the name of a parameter") ||
      !cursor.expect(Tok::colon, "',' or ':'") || !parse_type(context, variable.type)) {
    return false;
  }
  for (u32 i = first; i < context.names.size(); ++i) {
    const Token name = context.names[i];
    const VariableId id = context.declare_variable(name, variable);
    context.add(context.system.parameters, id, "parameters", span(name));
    if (cursor.abandoned()) return false;
    ++context.system.routines[routine].parameter_count;
  }
  context.names.cut(first);
  return true;
}

bool parse_header(Context& context, u32 id) {
  Cursor& cursor = context.cursor;
  Routine& routine = context.system.routines[id];
  routine.first_parameter = context.system.parameters.size();
  if (!cursor.expect(Tok::left_paren, "'('")) return false;
  while (!cursor.at(Tok::right_paren)) {
    if (!parse_formal(context, id)) return false;
    while (cursor.accept(Tok::semicolon)) continue;
    if (!cursor.at(Tok::name) && !cursor.at(Tok::kw_var)) break;
  }
  if (!cursor.expect(Tok::right_paren, "';' or ')'")) return false;
  if (routine.is_function) {
    if (!cursor.expect(Tok::colon, "':' and the type of the result")) return false;
    if (!parse_type(context, routine.result)) return false;
  }
  while (cursor.accept(Tok::semicolon)) continue;
  return true;
}

bool parse_rest(Context& context, u32 id, const Token& word) {
  Cursor& cursor = context.cursor;
  const Scope parameters(context);
  context.header = id;
  const bool header = parse_header(context, id);
  context.header = kNone;
  if (!header) return false;
  context.routine = id;
  const Scope locals(context);
  Routine& routine = context.system.routines[id];
  if (!parse_body(context, routine.body)) return false;
  if (!cursor.accept(Tok::kw_endprocedure) && !expect_end(context, Tok::kw_endfunction, word)) {
    return false;
  }
  routine.frame_leaves = context.peak_leaf;
  if (routine.is_function && !routine.has_return && cursor.syntax_errors() == 0) {
    context.error(routine.place, "function '%.*s' has no return", shown_bytes(routine.name),
                  routine.name.data());
  }
  return true;
}

}  // namespace

bool parse_routine(Context& context) {
  Cursor& cursor = context.cursor;
  const Token word = cursor.take();
  const bool function = word.kind == Tok::kw_function;
  Token name;
  if (!cursor.expect_name(name, function ? "the name of a function" : "the name of a procedure")) {
    return false;
  }
  Routine routine;
  routine.name = cursor.text(name);
  routine.place = span(name);
  routine.is_function = function;
  routine.result = kErrorType;
  const u32 id =
      context.add(context.system.routines, routine, "procedures and functions", span(name));
  if (cursor.abandoned()) return false;
  context.declare(name, SymbolKind::routine, id);
  const u32 names = context.names.size();
  context.peak_leaf = context.next_leaf = 0;
  const bool parsed = parse_rest(context, id, word);
  context.routine = kNone;
  context.names.cut(names);
  return parsed;
}

}  // namespace xmc::murphi
