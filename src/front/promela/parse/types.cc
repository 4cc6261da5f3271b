// Types, typedefs, mtypes, and the leaves that they are made of.
#include "front/promela/parse/context.h"
#include "front/promela/parse/declare.h"
#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc::promela {

u32 leaves_of(const Context& context, const Type& type) {
  return type.kind == TypeKind::simple ? 1 : context.system.records[type.record].leaves;
}

namespace {

// The field that a leaf belongs to, however deep inside.
const Field& innermost(const Context& context, const Field& field, u32 leaf) {
  const Field* current = &field;
  while (current->type.kind == TypeKind::record) {
    const Record& record = context.system.records[current->type.record];
    leaf %= record.leaves;
    u32 i = record.field_count;
    while (i > 1 && context.system.fields[record.first_field + i - 1].leaf > leaf) --i;
    current = &context.system.fields[record.first_field + i - 1];
    leaf -= current->leaf;
  }
  return *current;
}

}  // namespace

// Bits of arrays are bytes in a variable: models are used to that.
Leaf leaf_of(const Context& context, const Field& field, u32 leaf) {
  const Field& inner = innermost(context, field, leaf);
  Leaf out = inner.type.leaf;
  if (inner.elements > 0 && out.kind == LeafKind::bits && out.width == 1) out.width = 8;
  return out;
}

Leaf message_leaf_of(const Context& context, const Field& field, u32 leaf) {
  return innermost(context, field, leaf).type.leaf;
}

namespace {

u32 find_list(const Context& context, std::string_view name) {
  for (u32 i = 0; i < context.system.mtype_lists.size(); ++i) {
    if (context.system.mtype_lists[i].name == name) return i;
  }
  return kNone;
}

// `mtype` or `mtype : NAME`; the list, which begins here if there is none.
bool parse_mtype_list(Context& context, u32& list) {
  Cursor& cursor = context.cursor;
  const Span place = cursor.take().place;
  std::string_view name;
  if (cursor.accept(Tok::colon)) {
    Token token;
    if (!cursor.expect_name(token, "the name of an mtype")) return false;
    name = token.text;
  }
  list = find_list(context, name);
  if (list == kNone) {
    list = context.add(context.system.mtype_lists, MtypeList{name, 0}, "mtypes", place);
  }
  return true;
}

Leaf bits(u8 width) {
  Leaf leaf;
  leaf.width = width;
  return leaf;
}

}  // namespace

// At '{': names, of which the last one has the lowest number.
bool parse_mtype_names(Context& context, u32 list) {
  Cursor& cursor = context.cursor;
  cursor.take();
  const u32 first = context.system.mtype_names.size();
  while (!cursor.at(Tok::right_brace)) {
    Token name;
    if (!cursor.expect_name(name, "a name")) return false;
    cursor.accept(Tok::comma);
    const u32 id = context.add(context.system.mtype_names, MtypeName{name.text, list, 0},
                               "names of mtypes", name.place);
    context.declare(name, SymbolKind::mtype_name, id);
  }
  cursor.take();
  MtypeList& names = context.system.mtype_lists[list];
  const u32 count = context.system.mtype_names.size() - first;
  for (u32 i = 0; i < count; ++i) {
    context.system.mtype_names[first + i].value = static_cast<i32>(names.count + count - i);
  }
  names.count += count;
  if (names.count > limits::kPromelaNumbers) {
    context.error(cursor.last(), "more than %u names in an mtype",
                  static_cast<unsigned>(limits::kPromelaNumbers));
  }
  return true;
}

bool parse_type(Context& context, Type& out) {
  Cursor& cursor = context.cursor;
  const Token token = cursor.token();
  out = {};
  switch (token.kind) {
    case Tok::kw_bit:
    case Tok::kw_bool:
      out.leaf = bits(1);
      break;
    case Tok::kw_byte:
    case Tok::kw_pid:
      break;
    case Tok::kw_short:
      out.leaf.kind = LeafKind::short_int;
      out.leaf.width = 16;
      break;
    case Tok::kw_int:
      out.leaf.kind = LeafKind::integer;
      out.leaf.width = 32;
      break;
    case Tok::kw_unsigned:
      out.leaf = bits(0);
      break;
    case Tok::kw_chan:
      out.leaf.is_channel = true;
      break;
    case Tok::kw_mtype: {
      u32 list = 0;
      if (!parse_mtype_list(context, list)) return false;
      out.leaf.names = static_cast<u16>(list + 1);
      return true;
    }
    case Tok::name: {
      const u32 found = context.resolve(token, "type");
      if (found == kNone) break;
      if (context.symbols[found].kind == SymbolKind::record) {
        out.kind = TypeKind::record;
        out.record = context.symbols[found].index;
      } else {
        context.error(token.place, "'%.*s' is no type", shown_bytes(token.text), token.text.data());
      }
      break;
    }
    default:
      return cursor.fail_expected("a type");
  }
  cursor.take();
  return true;
}

bool parse_typedef(Context& context) {
  Cursor& cursor = context.cursor;
  cursor.take();
  Token name;
  if (!cursor.expect_name(name, "the name of a type") || !cursor.expect(Tok::left_brace, "'{'")) {
    return false;
  }
  const u32 mark = context.fields.size();
  Record record;
  record.name = name.text;
  bool ok = true;
  cursor.accept_separators();
  while (ok && !cursor.at(Tok::right_brace)) {
    ok = parse_fields(context, record);
    if (ok && !cursor.accept_separators() && !cursor.at(Tok::right_brace)) {
      ok = cursor.fail_expected("';' or '}'");
    }
  }
  record.field_count = context.fields.size() - mark;
  if (ok && record.field_count == 0) context.error(name.place, "a typedef has at least one field");
  record.first_field = context.settle(context.system.fields, context.fields, mark, "fields");
  if (record.leaves == 0) record.leaves = 1;
  if (!ok || record.field_count == 0) return ok && cursor.accept(Tok::right_brace);
  cursor.take();
  context.declare(name, SymbolKind::record,
                  context.add(context.system.records, record, "typedefs", name.place));
  return true;
}

}  // namespace xmc::promela
