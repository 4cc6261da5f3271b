// `run`, and references to places and variables of other processes. Their types may be declared
// later in the text: they are looked up when all of it is read.
#include "front/promela/parse/context.h"
#include "front/promela/parse/fold.h"
#include "xmc/text.h"

namespace xmc::promela {

bool at_remote(Context& context) {
  const Cursor& cursor = context.cursor;
  if (!cursor.at(Tok::name) || is_special_name(cursor.token().text)) return false;
  const Tok next = cursor.peek().kind;
  if (next == Tok::at_sign) return true;
  const u32 found = context.symbols.find(cursor.token().text);
  const bool is_type = found != kNone && context.symbols[found].kind == SymbolKind::proctype;
  if (!is_type && found != kNone) return false;
  return next == Tok::colon || next == Tok::left_bracket;
}

namespace {

void add_pending(Context& context, Pending::Kind kind, u32 index, const Token& type,
                 const Token& name) {
  context.add(context.pending, Pending{kind, index, type, name}, "uses of process types",
              type.place);
}

// Behind "TYPE [pid] :".
bool parse_remote_variable(Context& context, const Token& type, ExprId pid, ExprId& out) {
  Cursor& cursor = context.cursor;
  Reference reference;
  Token name;
  if (!cursor.expect_name(name, "the name of a variable")) return false;
  if (cursor.accept(Tok::left_bracket)) {
    Index index;
    if (!parse_expression(context, index.value) || !cursor.expect(Tok::right_bracket, "']'")) {
      return false;
    }
    index.place = span_of(context, index.value);
    reference.first_index = context.add(context.system.indexes, index, "indexes", index.place);
    reference.index_count = 1;
  }
  reference.scope = Scope::remote;
  reference.pid = pid;
  reference.place = join(type.place, cursor.last());
  Expr node;
  node.op = Op::load;
  node.a = context.add(context.system.references, reference, "references", reference.place);
  node.place = reference.place;
  add_pending(context, Pending::Kind::variable, node.a, type, name);
  out = make_node(context, node, pid);
  return true;
}

}  // namespace

bool parse_remote(Context& context, ExprId& out) {
  Cursor& cursor = context.cursor;
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  const Token type = cursor.take();
  ExprId pid = kNone;
  if (cursor.accept(Tok::left_bracket)) {
    if (!parse_expression(context, pid) || !cursor.expect(Tok::right_bracket, "']'")) return false;
  }
  if (cursor.accept(Tok::colon)) return parse_remote_variable(context, type, pid, out);
  if (!cursor.at(Tok::at_sign)) {
    context.resolve(type, "name");
    out = make_literal(context, 0, type.place);
    return true;
  }
  cursor.take();
  Token label;
  if (!cursor.expect_name(label, "the name of a label")) return false;
  Expr node;
  node.op = Op::at_label;
  node.a = pid;
  node.place = join(type.place, label.place);
  out = make_node(context, node, pid);
  add_pending(context, Pending::Kind::label, out, type, label);
  return true;
}

bool parse_run(Context& context, ExprId& out) {
  Cursor& cursor = context.cursor;
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  const Span begin = cursor.take().place;
  Token type;
  if (!cursor.expect_name(type, "the name of a proctype")) return false;
  if (context.setting != Setting::process || context.in_indivisible) {
    context.error(begin, context.in_indivisible ? "a d_step starts no processes"
                                                : "'run' cannot stand here: it has an effect");
  }
  if (context.has_run) context.error(begin, "an expression starts at most one process");
  context.has_run = true;
  const u32 mark = context.gathered.size();
  if (!cursor.expect(Tok::left_paren, "'('")) return false;
  if (!cursor.at(Tok::right_paren) && !parse_arguments(context)) {
    context.gathered.cut(mark);
    return false;
  }
  Expr node;
  node.op = Op::run;
  node.c = context.gathered.size() - mark;
  node.b = context.settle(context.system.arguments, context.gathered, mark, "arguments");
  if (!cursor.expect(Tok::right_paren, "')'")) return false;
  if (cursor.accept(Tok::kw_priority)) {
    context.system.uses_priorities = true;
    if (!parse_constant(context, "a priority", node.value)) return false;
  }
  node.place = join(begin, cursor.last());
  out = make_node(context, node, kNone);
  add_pending(context, Pending::Kind::run, out, type, type);
  return true;
}

namespace {

u32 find_proctype(Context& context, const Token& type) {
  const u32 found = context.resolve(type, "proctype");
  if (found == kNone || context.symbols[found].kind == SymbolKind::unknown) return kNone;
  if (context.symbols[found].kind == SymbolKind::proctype) return context.symbols[found].index;
  context.error(type.place, "'%.*s' is no proctype", shown_bytes(type.text), type.text.data());
  return kNone;
}

void resolve_run(Context& context, const Pending& pending, u32 id) {
  Expr& node = context.system.expressions[pending.index];
  const Proctype& proctype = context.system.proctypes[id];
  node.a = id;
  if (node.value == 0) node.value = proctype.priority;
  if (node.c == proctype.parameter_leaves) return;
  context.error(node.place, "proctype %.*s has %u parameter%s and gets %u",
                shown_bytes(proctype.name), proctype.name.data(),
                static_cast<unsigned>(proctype.parameter_leaves),
                proctype.parameter_leaves == 1 ? "" : "s", static_cast<unsigned>(node.c));
}

void resolve_label(Context& context, const Pending& pending, u32 id) {
  Expr& node = context.system.expressions[pending.index];
  const Proctype& proctype = context.system.proctypes[id];
  node.c = id;
  for (u32 i = 0; i < proctype.label_count; ++i) {
    const u32 label = proctype.first_label + i;
    if (context.labels[label].name != pending.name.text) continue;
    node.b = label;
    context.labels[label].is_observed = true;
    return;
  }
  context.error(pending.name.place, "proctype %.*s has no label '%.*s'", shown_bytes(proctype.name),
                proctype.name.data(), shown_bytes(pending.name.text), pending.name.text.data());
}

void resolve_variable(Context& context, const Pending& pending, u32 id) {
  Reference& reference = context.system.references[pending.index];
  const Proctype& proctype = context.system.proctypes[id];
  reference.proctype = id;
  for (u32 i = 0; i < proctype.variable_count; ++i) {
    const Variable& variable = context.system.locals[proctype.first_variable + i];
    if (variable.name != pending.name.text) continue;
    reference.variable = proctype.first_variable + i;
    reference.leaf = variable.leaf;
    reference.leaf_type = leaf_of(context, variable, 0);
    if (variable.type.kind == TypeKind::record) {
      context.error(pending.name.place, "a record of another process has no value");
    }
    if (reference.index_count == 1) {
      context.system.indexes[reference.first_index].bound =
          variable.elements == 0 ? 1 : variable.elements;
    }
    return;
  }
  context.error(pending.name.place, "proctype %.*s has no variable '%.*s'",
                shown_bytes(proctype.name), proctype.name.data(), shown_bytes(pending.name.text),
                pending.name.text.data());
}

}  // namespace

void resolve_pending(Context& context) {
  for (u32 i = 0; i < context.pending.size(); ++i) {
    const Pending& pending = context.pending[i];
    const u32 id = find_proctype(context, pending.type);
    if (id == kNone) continue;
    if (pending.kind == Pending::Kind::run) resolve_run(context, pending, id);
    if (pending.kind == Pending::Kind::label) resolve_label(context, pending, id);
    if (pending.kind == Pending::Kind::variable) resolve_variable(context, pending, id);
  }
}

}  // namespace xmc::promela
