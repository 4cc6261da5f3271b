// Sections of declarations: const, type and var, at the outermost level and in bodies.
#include "front/murphi/nodes.h"
#include "front/murphi/types.h"
#include "xmc/check.h"

namespace xmc::murphi {

namespace {

bool parse_constants(Context& context, u32 first) {
  ExprId value = kErrorExpr;
  if (!parse_constant(context, "the value of a constant", value)) return false;
  for (u32 i = first; i < context.names.size(); ++i) {
    context.declare(context.names[i], SymbolKind::constant, value);
  }
  return true;
}

bool parse_types(Context& context, u32 first) {
  const u32 before = context.system.types.size();
  TypeId type = kErrorType;
  if (!parse_type(context, type)) return false;
  // Only a type that stands in this declaration itself gets its name; `t: s` is a second name.
  if (type >= before) context.system.types[type].name = context.cursor.text(context.names[first]);
  for (u32 i = first; i < context.names.size(); ++i) {
    context.declare(context.names[i], SymbolKind::type, type);
  }
  return true;
}

bool parse_variables(Context& context, u32 first) {
  Variable variable;
  if (!parse_type(context, variable.type)) return false;
  variable.role = context.symbols.scope() == 0 ? Role::global : Role::local;
  for (u32 i = first; i < context.names.size(); ++i) {
    context.declare_variable(context.names[i], variable);
  }
  return true;
}

bool parse_declaration(Context& context, Tok section) {
  const u32 first = context.names.size();
  if (!parse_names(context, "a name") || !context.cursor.expect(Tok::colon, "',' or ':'")) {
    return false;
  }
  const bool parsed = section == Tok::kw_const  ? parse_constants(context, first)
                      : section == Tok::kw_type ? parse_types(context, first)
                                                : parse_variables(context, first);
  context.names.cut(first);
  return parsed;
}

// In the outermost scope a name can only go on with the section, whatever follows it.
bool at_broken_declaration(const Context& context) {
  const Cursor& cursor = context.cursor;
  return context.symbols.scope() == 0 && cursor.at(Tok::name) && !at_rule(context) &&
         !cursor.at_word("externfun") && !cursor.at_word("externproc");
}

// Behind the next ';', or in front of what can follow a declaration.
void skip_declaration(Context& context) {
  Cursor& cursor = context.cursor;
  while (!cursor.at_outer_word() && !cursor.at(Tok::kw_begin)) {
    if (cursor.accept(Tok::semicolon)) return;
    cursor.take();
  }
}

}  // namespace

bool parse_names(Context& context, const char* what) {
  do {
    Token name;
    if (!context.cursor.expect_name(name, what)) return false;
    context.add(context.names, name, "names of one declaration", span(name));
  } while (context.cursor.accept(Tok::comma));
  return true;
}

bool at_section(const Context& context) {
  const Cursor& cursor = context.cursor;
  return cursor.at(Tok::kw_const) || cursor.at(Tok::kw_type) || cursor.at(Tok::kw_var);
}

bool parse_section(Context& context) {
  Cursor& cursor = context.cursor;
  const Tok section = cursor.take().kind;
  while (cursor.accept(Tok::semicolon)) continue;
  while (cursor.at_declaration() || at_broken_declaration(context)) {
    const u32 names = context.names.size();
    const u32 fields = context.fields.size();
    if (!parse_declaration(context, section)) {
      context.names.cut(names);
      context.fields.cut(fields);
      skip_declaration(context);
    }
    while (cursor.accept(Tok::semicolon)) continue;
  }
  return true;
}

}  // namespace xmc::murphi
