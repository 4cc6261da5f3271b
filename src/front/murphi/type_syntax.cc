// Types as they are written.
#include "front/murphi/nodes.h"
#include "front/murphi/types.h"
#include "xmc/check.h"

namespace xmc::murphi {

namespace {

// NAME, NAME, ... of an enum: each is a constant of the scope that the type stands in.
void declare_members(Context& context, TypeId type, u32 first, u32 count) {
  for (u32 i = 0; i < count; ++i) {
    context.system.members[first + i].type = type;
    Token name;
    name.kind = Tok::name;
    const Span place = context.source.span_of(context.system.members[first + i].name);
    name.begin = place.begin;
    name.end = place.end;
    context.declare(name, SymbolKind::constant, make_literal(context, type, i, place));
  }
}

bool parse_enum(Context& context, TypeId& out) {
  Cursor& cursor = context.cursor;
  const Token word = cursor.take();
  if (!cursor.expect(Tok::left_brace, "'{'")) return false;
  const u32 first = context.system.members.size();
  u32 count = 0;
  do {
    Token name;
    if (count > 0 && cursor.at(Tok::right_brace)) break;
    if (!cursor.expect_name(name, "the name of a value")) return false;
    context.add(context.system.members, Member{cursor.text(name), kNone}, "enum values",
                span(name));
    if (cursor.abandoned()) return false;
    ++count;
  } while (cursor.accept(Tok::comma));
  if (!cursor.expect(Tok::right_brace, "',' or '}'")) return false;
  out = make_enum(context, first, count, {word.begin, cursor.last_end()});
  declare_members(context, out, first, count);
  return true;
}

void push_field(Context& context, const Token& name, TypeId type, u32 first) {
  const std::string_view text = context.cursor.text(name);
  for (u32 i = first; i < context.fields.size(); ++i) {
    if (context.fields[i].name != text) continue;
    context.error(span(name), "the record already has a field '%.*s'", shown_bytes(text),
                  text.data());
    context.note(context.fields[i].place, "its first one is declared here");
    return;
  }
  Field field;
  field.name = text;
  field.place = span(name);
  field.type = type;
  context.add(context.fields, field, "fields of records", span(name));
}

bool parse_fields(Context& context, u32 first) {
  Cursor& cursor = context.cursor;
  while (cursor.accept(Tok::semicolon)) continue;
  while (cursor.at(Tok::name)) {
    const u32 names = context.names.size();
    TypeId type = kErrorType;
    if (!parse_names(context, "the name of a field") || !cursor.expect(Tok::colon, "',' or ':'") ||
        !parse_type(context, type)) {
      return false;
    }
    for (u32 i = names; i < context.names.size(); ++i) {
      push_field(context, context.names[i], type, first);
    }
    context.names.cut(names);
    while (cursor.accept(Tok::semicolon)) continue;
  }
  return true;
}

bool parse_record(Context& context, TypeId& out) {
  const Token word = context.cursor.take();
  const u32 first = context.fields.size();
  if (!parse_fields(context, first)) return false;
  if (!expect_end(context, Tok::kw_endrecord, word)) return false;
  const u32 in_system = context.system.fields.size();
  const u32 count = context.fields.size() - first;
  for (u32 i = 0; i < count && !context.cursor.abandoned(); ++i) {
    context.add(context.system.fields, context.fields[first + i], "fields of records", span(word));
  }
  context.fields.cut(first);
  if (context.cursor.abandoned()) return false;
  out = make_record(context, in_system, count, span(word));
  return true;
}

bool parse_array(Context& context, TypeId& out) {
  Cursor& cursor = context.cursor;
  const Token word = cursor.take();
  TypeId index = kErrorType;
  TypeId element = kErrorType;
  if (!cursor.expect(Tok::left_bracket, "'['") || !parse_type(context, index) ||
      !cursor.expect(Tok::right_bracket, "']'") || !cursor.expect(Tok::kw_of, "'of'")) {
    return false;
  }
  const u32 end = cursor.last_end();
  if (!parse_type(context, element)) return false;
  out = make_array(context, index, element, {word.begin, end});
  return true;
}

bool parse_scalarset(Context& context, TypeId& out) {
  Cursor& cursor = context.cursor;
  const Token word = cursor.take();
  ExprId size = kErrorExpr;
  if (!cursor.expect(Tok::left_paren, "'('") ||
      !parse_constant_integer(context, "the size of a scalarset", size) ||
      !cursor.expect(Tok::right_paren, "')'")) {
    return false;
  }
  i64 value = 0;
  out = kErrorType;
  if (is_literal(context, size, value)) {
    out = make_scalarset(context, value, {word.begin, cursor.last_end()});
  }
  return true;
}

// Whether a type can be a part of the union whose parts begin at `first`.
bool check_part(Context& context, TypeId type, u32 first, Span place) {
  const System& system = context.system;
  if (is_error(type)) return false;
  const TypeKind kind = system.types[type].kind;
  if (kind != TypeKind::enumeration && kind != TypeKind::scalarset && kind != TypeKind::boolean) {
    context.error(place, "a union is made of enums and scalarsets; this is of type %s",
                  describe(context, type));
    return false;
  }
  for (u32 i = first; i < system.parts.size(); ++i) {
    if (system.parts[i].type != type) continue;
    context.error(place, "the union already has the values of type %s", describe(context, type));
    return false;
  }
  return true;
}

bool parse_union(Context& context, TypeId& out) {
  Cursor& cursor = context.cursor;
  const Token word = cursor.take();
  if (!cursor.expect(Tok::left_brace, "'{'")) return false;
  const u32 first = context.system.parts.size();
  bool wrong = false;
  do {
    const u32 begin = cursor.token().begin;
    TypeId type = kErrorType;
    if (cursor.at(Tok::right_brace)) break;
    if (cursor.at(Tok::kw_union)) return cursor.fail_expected("an enum, a scalarset or their name");
    if (!parse_type(context, type)) return false;
    if (check_part(context, type, first, {begin, cursor.last_end()})) {
      context.add(context.system.parts, Part{type, 0}, "parts of unions", {begin, begin});
    } else {
      wrong = true;
    }
  } while (cursor.accept(Tok::comma));
  if (!cursor.expect(Tok::right_brace, "',' or '}'")) return false;
  const Span place{word.begin, cursor.last_end()};
  const u32 count = context.system.parts.size() - first;
  out = kErrorType;
  if (wrong || cursor.abandoned()) return true;
  if (count < 2) {
    context.error(place, "a union has at least two parts");
    return true;
  }
  out = make_union(context, first, count, place);
  return true;
}

bool parse_multiset(Context& context, TypeId& out) {
  Cursor& cursor = context.cursor;
  const Token word = cursor.take();
  ExprId size = kErrorExpr;
  TypeId element = kErrorType;
  if (!cursor.expect(Tok::left_bracket, "'['") ||
      !parse_constant_integer(context, "the size of a multiset", size) ||
      !cursor.expect(Tok::right_bracket, "']'") || !cursor.expect(Tok::kw_of, "'of'")) {
    return false;
  }
  const u32 end = cursor.last_end();
  if (!parse_type(context, element)) return false;
  i64 value = 0;
  out = kErrorType;
  if (is_literal(context, size, value)) {
    out = make_multiset(context, value, element, {word.begin, end});
  }
  return true;
}

// real(digits, exponent)
bool refuse_real(Context& context, TypeId& out) {
  Cursor& cursor = context.cursor;
  const Token word = cursor.take();
  context.error(span(word),
                "real types are not supported, nor are probabilistic rules; scale the "
                "values to an integer range");
  out = kErrorType;
  ExprId ignored = kErrorExpr;
  return cursor.expect(Tok::left_paren, "'('") && parse_expression(context, ignored) &&
         cursor.expect(Tok::comma, "','") && parse_expression(context, ignored) &&
         cursor.expect(Tok::right_paren, "')'");
}

bool parse_range(Context& context, TypeId& out) {
  Cursor& cursor = context.cursor;
  const u32 begin = cursor.token().begin;
  ExprId low = kErrorExpr;
  ExprId high = kErrorExpr;
  if (!parse_constant_integer(context, "a bound of a range", low) ||
      !cursor.expect(Tok::dot_dot, "'..'") ||
      !parse_constant_integer(context, "a bound of a range", high)) {
    return false;
  }
  i64 from = 0;
  i64 to = 0;
  out = kErrorType;
  if (is_literal(context, low, from) && is_literal(context, high, to)) {
    out = make_range(context, from, to, {begin, cursor.last_end()});
  }
  return true;
}

// Whether a bound may begin with the current name: the name of a type stands alone.
bool bound_ahead(const Context& context) {
  switch (context.cursor.peek().kind) {
    case Tok::dot_dot:
    case Tok::left_paren:
    case Tok::plus:
    case Tok::minus:
    case Tok::star:
    case Tok::slash:
    case Tok::percent:
    case Tok::shift_left:
    case Tok::shift_right:
    case Tok::question:
      return true;
    default:
      return false;
  }
}

bool parse_named_type(Context& context, TypeId& out) {
  Cursor& cursor = context.cursor;
  const Tok next = cursor.peek().kind;
  if (next == Tok::left_bracket && context.at_free_word("multiset")) {
    return parse_multiset(context, out);
  }
  if (next == Tok::left_paren && context.at_free_word("real")) return refuse_real(context, out);
  // Among parameters, one with the name of a type does not hide it: (t: t): t.
  const std::string_view text = cursor.text(cursor.token());
  u32 found = context.header == kNone ? kNone : context.symbols.find(text, SymbolKind::type);
  if (found == kNone) found = context.symbols.find(text);
  if (found != kNone && context.symbols[found].kind == SymbolKind::type) {
    cursor.take();
    out = context.symbols[found].index;
    return true;
  }
  if (bound_ahead(context)) return parse_range(context, out);
  const Token name = cursor.take();
  out = kErrorType;
  if (context.resolve(name, "type") == kNone) return true;
  const Symbol& symbol = context.symbols[found];
  if (symbol.kind == SymbolKind::unknown) return true;
  context.error(span(name), "'%.*s' is %s, not a type", shown_bytes(symbol.name),
                symbol.name.data(), kind_with_article(symbol.kind));
  context.note_declared(symbol);
  return true;
}

}  // namespace

bool parse_type(Context& context, TypeId& out) {
  const Nesting nesting = nested_block(context);
  if (!nesting.ok()) return false;
  switch (context.cursor.token().kind) {
    case Tok::kw_boolean:
      context.cursor.take();
      out = kBooleanType;
      return true;
    case Tok::kw_enum:
      return parse_enum(context, out);
    case Tok::kw_record:
      return parse_record(context, out);
    case Tok::kw_array:
      return parse_array(context, out);
    case Tok::kw_scalarset:
      return parse_scalarset(context, out);
    case Tok::kw_union:
      return parse_union(context, out);
    case Tok::name:
      return parse_named_type(context, out);
    case Tok::number:
    case Tok::minus:
    case Tok::plus:
    case Tok::left_paren:
      return parse_range(context, out);
    default:
      return context.cursor.fail_expected("a type");
  }
}

}  // namespace xmc::murphi
