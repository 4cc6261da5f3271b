// Variables with their indexes and fields.
#include "front/promela/parse/context.h"
#include "front/promela/parse/fold.h"
#include "xmc/text.h"

namespace xmc::promela {

bool is_special_name(std::string_view name) {
  return name == "_pid" || name == "_nr_pr" || name == "_last" || name == "_priority";
}

namespace {

// _pid and its like, and `_`.
bool parse_special(Context& context, Designated& out) {
  const Token name = context.cursor.token();
  Expr node;
  if (name.text == "_pid") {
    node.op = Op::own_pid;
  } else if (name.text == "_nr_pr") {
    node.op = Op::process_count;
  } else if (name.text == "_last") {
    node.op = Op::last_pid;
    context.system.uses_last = true;
  } else if (name.text == "_priority") {
    node.op = Op::own_priority;
    context.system.uses_priorities = true;
  } else if (name.text != "_") {
    return false;
  }
  context.cursor.take();
  node.place = name.place;
  out.place = name.place;
  out.is_special = true;
  out.is_known = true;
  out.reference.scope = Scope::nowhere;
  out.reference.place = name.place;
  if (name.text != "_") out.special = make_node(context, node, kNone);
  return true;
}

// An index that is the array itself in some place is refused by others too: the order of both reads
// would matter.
void check_self_index(Context& context, const Designated& designated, u32 before) {
  const System& system = context.system;
  for (u32 i = before; i < system.references.size(); ++i) {
    const Reference& inner = system.references[i];
    if (inner.scope != designated.reference.scope) continue;
    if (inner.variable != designated.reference.variable) continue;
    context.error(inner.place, "an array is not indexed with itself; use a variable in between");
    return;
  }
}

// At '['.
bool parse_index(Context& context, Designated& out) {
  Cursor& cursor = context.cursor;
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  cursor.take();
  Index index;
  const u32 before = context.system.references.size();
  if (!parse_expression(context, index.value) || !cursor.expect(Tok::right_bracket, "']'")) {
    return false;
  }
  if (!out.is_known) return true;
  index.place = span_of(context, index.value);
  if (out.field.elements == 0) {
    context.error(index.place, "'%.*s' is no array", shown_bytes(out.field.name),
                  out.field.name.data());
    return true;
  }
  check_self_index(context, out, before);
  index.bound = out.field.elements;
  index.stride = leaves_of(context, out.field.type);
  i32 value = 0;
  if (is_literal(context, index.value, value) && value >= 0 &&
      static_cast<u32>(value) < index.bound) {
    out.reference.leaf += static_cast<u32>(value) * index.stride;
  } else {
    context.gather(context.indexes, index);
  }
  out.is_indexed = true;
  return true;
}

u32 find_field(const Context& context, const Record& record, std::string_view name) {
  for (u32 i = 0; i < record.field_count; ++i) {
    if (context.system.fields[record.first_field + i].name == name) return record.first_field + i;
  }
  return kNone;
}

// Behind '.'.
bool parse_field(Context& context, Designated& out) {
  Token name;
  if (!context.cursor.expect_name(name, "the name of a field")) return false;
  if (!out.is_known) return true;
  if (out.field.type.kind != TypeKind::record) {
    context.error(name.place, "'%.*s' has no fields", shown_bytes(out.field.name),
                  out.field.name.data());
    out.is_known = false;
    return true;
  }
  const Record& record = context.system.records[out.field.type.record];
  const u32 field = find_field(context, record, name.text);
  if (field == kNone) {
    context.error(name.place, "typedef %.*s has no field '%.*s'", shown_bytes(record.name),
                  record.name.data(), shown_bytes(name.text), name.text.data());
    out.is_known = false;
    return true;
  }
  out.field = context.system.fields[field];
  out.channel = out.field.channel;
  out.reference.leaf += out.field.leaf;
  return true;
}

void begin_with(Context& context, const Token& name, Designated& out) {
  const u32 found = context.resolve(name, "name");
  if (found == kNone) return;
  const Symbol& symbol = context.symbols[found];
  if (symbol.kind == SymbolKind::unknown) return;
  if (symbol.kind != SymbolKind::global && symbol.kind != SymbolKind::local) {
    context.error(name.place, "'%.*s' is no variable", shown_bytes(name.text), name.text.data());
    return;
  }
  const bool is_global = symbol.kind == SymbolKind::global;
  const Variable& variable =
      is_global ? context.system.globals[symbol.index] : context.system.locals[symbol.index];
  if (context.setting == Setting::constant) {
    context.error(name.place, "a variable is no constant");
  }
  out.is_known = true;
  out.field = variable;
  out.channel = variable.channel;
  out.reference.scope = is_global ? Scope::global : Scope::local;
  out.reference.variable = symbol.index;
  out.reference.leaf = variable.leaf;
}

}  // namespace

bool parse_designated(Context& context, Designated& out) {
  Cursor& cursor = context.cursor;
  if (cursor.at(Tok::name) && parse_special(context, out)) return true;
  Token name;
  if (!cursor.expect_name(name, "the name of a variable")) return false;
  begin_with(context, name, out);
  const u32 mark = context.indexes.size();
  bool ok = true;
  for (;;) {
    out.is_indexed = out.field.elements == 0;
    if (cursor.at(Tok::left_bracket)) ok = parse_index(context, out);
    if (!ok || !cursor.accept(Tok::dot)) break;
    ok = parse_field(context, out);
    if (!ok) break;
  }
  out.place = join(name.place, cursor.last());
  out.reference.place = out.place;
  out.reference.index_count = context.indexes.size() - mark;
  out.reference.first_index =
      context.settle(context.system.indexes, context.indexes, mark, "indexes");
  return ok;
}

RefId leaf_reference(Context& context, const Designated& designated, u32 leaf) {
  Reference reference = designated.reference;
  reference.leaf += leaf;
  reference.leaf_type = leaf_of(context, designated.field, leaf);
  return context.add(context.system.references, reference, "references", designated.place);
}

RefId simple_reference(Context& context, const Designated& designated) {
  if (!designated.is_known || designated.is_special) {
    return context.add(context.system.references, designated.reference, "references",
                       designated.place);
  }
  if (designated.field.type.kind == TypeKind::record) {
    context.error(designated.place, "a record has no value of its own; name a field of it");
  } else if (!designated.is_indexed) {
    context.warning(designated.place, "an array without an index: element 0 is meant");
  }
  return leaf_reference(context, designated, 0);
}

ExprId load_of(Context& context, const Designated& designated) {
  if (designated.is_special && designated.special != kNone) return designated.special;
  // What a trace sends to is not looked at there.
  if (designated.is_special && context.setting != Setting::trace) {
    context.error(designated.place, "'_' has no value; it can only be stored to");
  }
  if (!designated.is_known) return make_literal(context, 0, designated.place);
  Expr node;
  node.op = Op::load;
  node.a = simple_reference(context, designated);
  node.is_channel = context.system.references[node.a].leaf_type.is_channel;
  node.place = designated.place;
  return make_node(context, node, kNone);
}

}  // namespace xmc::promela
