// Names in expressions, and the fields and elements behind them.
#include "front/murphi/nodes.h"
#include "front/murphi/types.h"
#include "xmc/check.h"

namespace xmc::murphi {

namespace {

ExprId variable_node(Context& context, const Token& name, VariableId id) {
  const Variable& variable = context.system.variables[id];
  if (variable.role == Role::alias) {
    // An alias of a constant is one: it can stand in bounds.
    i64 value = 0;
    if (is_literal(context, variable.value, value)) {
      return make_literal(context, variable.type, value, span(name));
    }
  }
  if (is_error(variable.type)) return kErrorExpr;
  Expr node;
  node.op = Op::variable;
  node.a = id;
  node.type = variable.type;
  node.place = span(name);
  return make_node(context, node, kNone, kNone);
}

ExprId name_node(Context& context, const Token& name) {
  const u32 found = context.resolve(name, "name");
  if (found == kNone) return kErrorExpr;
  const Symbol& symbol = context.symbols[found];
  const std::string_view text = symbol.name;
  switch (symbol.kind) {
    case SymbolKind::constant: {
      const Expr& constant = context.system.expressions[symbol.index];
      if (is_error(constant.type)) return kErrorExpr;
      return make_literal(context, constant.type, constant.value, span(name));
    }
    case SymbolKind::variable:
      return variable_node(context, name, symbol.index);
    case SymbolKind::type:
      context.error(span(name), "'%.*s' is a type, not a value", shown_bytes(text), text.data());
      context.note_declared(symbol);
      return kErrorExpr;
    case SymbolKind::routine:
      context.error(span(name), "'%.*s' is a procedure or function; a call of it has parentheses",
                    shown_bytes(text), text.data());
      return kErrorExpr;
    default:
      return kErrorExpr;
  }
}

u32 find_field(const System& system, const Type& record, std::string_view name) {
  for (u32 i = record.first; i < record.first + record.count; ++i) {
    if (system.fields[i].name == name) return i;
  }
  return kNone;
}

ExprId field_node(Context& context, ExprId object, const Token& name) {
  const System& system = context.system;
  const TypeId id = type_of(context, object);
  if (is_error(id)) return kErrorExpr;
  const Type& type = system.types[id];
  const std::string_view text = context.cursor.text(name);
  if (type.kind != TypeKind::record) {
    context.error(place_of(context, object), "this is of type %s, so it has no field '%.*s'",
                  describe(context, id), shown_bytes(text), text.data());
    return kErrorExpr;
  }
  Expr node;
  node.op = Op::field;
  node.a = object;
  node.b = find_field(system, type, text);
  node.place = join(place_of(context, object), span(name));
  if (node.b == kNone) {
    context.error(span(name), "type %s has no field '%.*s'", describe(context, id),
                  shown_bytes(text), text.data());
    context.note(type.place, "the record is declared here");
    return kErrorExpr;
  }
  node.type = system.fields[node.b].type;
  if (is_error(node.type)) return kErrorExpr;
  return make_node(context, node, object, kNone);
}

ExprId element_node(Context& context, ExprId object, ExprId index) {
  const System& system = context.system;
  const TypeId id = type_of(context, object);
  if (is_error(id)) return kErrorExpr;
  const Type& type = system.types[id];
  if (type.kind == TypeKind::multiset) {
    if (!check_choice(context, index, object)) return kErrorExpr;
  } else if (type.kind != TypeKind::array) {
    context.error(place_of(context, object), "this is of type %s, so it has no elements",
                  describe(context, id));
    return kErrorExpr;
  } else {
    index = convert(context, index, type.index, "this index");
  }
  if (is_error(type_of(context, index))) return kErrorExpr;
  Expr node;
  node.op = Op::element;
  node.type = type.element;
  node.a = object;
  node.b = index;
  node.place = {place_of(context, object).begin, context.cursor.last_end()};
  return make_node(context, node, object, index);
}

bool parse_index(Context& context, ExprId& index) {
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  context.cursor.take();
  return parse_expression(context, index) && context.cursor.expect(Tok::right_bracket, "']'");
}

}  // namespace

bool check_choice(Context& context, ExprId index, ExprId multiset) {
  const System& system = context.system;
  const Expr& node = system.expressions[index];
  if (is_error(node.type) || is_error(type_of(context, multiset))) return false;
  if (node.op != Op::variable || system.variables[node.a].role != Role::choice) {
    context.error(node.place,
                  "an element of a multiset is chosen by a variable of choose, "
                  "multisetcount or multisetremovepred");
    return false;
  }
  const Variable& choice = system.variables[node.a];
  if (same_place(context, choice.value, multiset)) return true;
  context.error(node.place, "'%.*s' chooses an element of another multiset",
                shown_bytes(choice.name), choice.name.data());
  context.note(choice.place, "'%.*s' is declared here", shown_bytes(choice.name),
               choice.name.data());
  return false;
}

bool parse_designator(Context& context, ExprId& out) {
  Cursor& cursor = context.cursor;
  Token name;
  if (!cursor.expect_name(name, "a name")) return false;
  out = name_node(context, name);
  for (;;) {
    if (cursor.accept(Tok::dot)) {
      Token field;
      if (!cursor.expect_name(field, "the name of a field")) return false;
      out = field_node(context, out, field);
    } else if (cursor.at(Tok::left_bracket)) {
      ExprId index = kErrorExpr;
      if (!parse_index(context, index)) return false;
      out = element_node(context, out, index);
    } else {
      return true;
    }
  }
}

}  // namespace xmc::murphi
