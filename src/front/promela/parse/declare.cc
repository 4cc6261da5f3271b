// Declarations of variables, fields and parameters.
#include "front/promela/parse/declare.h"

#include "front/promela/parse/context.h"
#include "front/promela/parse/fold.h"
#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc::promela {

bool at_declaration(const Context& context) {
  const Cursor& cursor = context.cursor;
  switch (cursor.token().kind) {
    case Tok::kw_hidden:
    case Tok::kw_show:
    case Tok::kw_local:
    case Tok::kw_bit:
    case Tok::kw_bool:
    case Tok::kw_byte:
    case Tok::kw_pid:
    case Tok::kw_short:
    case Tok::kw_int:
    case Tok::kw_unsigned:
    case Tok::kw_chan:
    case Tok::kw_mtype:
      return true;
    case Tok::name: {
      const u32 found = context.symbols.find(cursor.token().text);
      return found != kNone && context.symbols[found].kind == SymbolKind::record;
    }
    default:
      return false;
  }
}

namespace {

// `NAME [: bits | [elements]]`
bool parse_declarator(Context& context, const Type& type, Field& out, Token& name) {
  Cursor& cursor = context.cursor;
  if (!cursor.expect_name(name, "a name")) return false;
  out.name = name.text;
  out.place = name.place;
  out.type = type;
  const bool is_unsigned = type.kind == TypeKind::simple && type.leaf.width == 0;
  i32 number = 0;
  if (is_unsigned) out.type.leaf.width = 1;
  if (cursor.accept(Tok::colon)) {
    if (!parse_constant(context, "a number of bits", number)) return false;
    if (!is_unsigned || number < 1 || number > 32) {
      context.error(cursor.last(), is_unsigned ? "'unsigned' has 1 to 32 bits"
                                               : "only 'unsigned' has a number of bits");
    } else {
      out.type.leaf.width = static_cast<u8>(number);
    }
  } else if (is_unsigned) {
    context.error(name.place, "'unsigned' needs its number of bits: %.*s : 4",
                  shown_bytes(name.text), name.text.data());
  }
  if (cursor.accept(Tok::left_bracket)) {
    if (!parse_constant(context, "the size of an array", number)) return false;
    if (number < 1 || number > static_cast<i32>(limits::kArrayElements)) {
      context.error(cursor.last(), "an array has 1 to %u elements, not %d",
                    static_cast<unsigned>(limits::kArrayElements), static_cast<int>(number));
      number = 1;
    }
    out.elements = static_cast<u32>(number);
    if (!cursor.expect(Tok::right_bracket, "']'")) return false;
  }
  const u64 leaves = u64{leaves_of(context, type)} * (out.elements == 0 ? 1 : out.elements);
  out.leaves = static_cast<u32>(leaves);
  if (leaves > limits::kLeaves) {
    context.report_full("simple values in one variable", limits::kLeaves, name.place);
    out.leaves = 1;
  }
  return true;
}

// Puts a variable into its frame, as new leaves at its end.
u32 add_variable(Context& context, const Token& name, Variable& variable) {
  System& system = context.system;
  const bool is_global = context.proctype == kNone;
  auto& leaves = is_global ? system.global_leaves : system.local_leaves;
  const u32 begin = is_global ? 0 : system.proctypes[context.proctype].first_leaf;
  variable.leaf = leaves.size() - begin;
  for (u32 i = 0; i < variable.leaves && !context.cursor.abandoned(); ++i) {
    context.add(leaves, leaf_of(context, variable, i), "simple values", name.place);
  }
  auto& variables = is_global ? system.globals : system.locals;
  const u32 id = context.add(variables, variable, "variables", name.place);
  if (!name.text.empty()) {
    context.declare(name, is_global ? SymbolKind::global : SymbolKind::local, id);
  }
  return id;
}

// A declaration behind the first statement is a statement itself, that sets the variable or, of an
// array, its first element.
void add_late(Context& context, u32 id, const InitialValue& initial, Sequence& sequence) {
  const Variable& variable = context.system.locals[id];
  Action action;
  action.place = variable.place;
  if (initial.channel != kNone) return;
  if (variable.type.kind == TypeKind::record) {
    action.kind = ActionKind::always;
  } else {
    action.kind = ActionKind::assign;
    Reference reference;
    reference.scope = Scope::local;
    reference.leaf = variable.leaf;
    reference.leaf_type = leaf_of(context, variable, 0);
    reference.variable = id;
    reference.place = variable.place;
    action.target = context.add(context.system.references, reference, "references", variable.place);
    action.value = initial.value;
    if (initial.item_count > 0) action.value = context.gathered[initial.first_item];
    if (action.value == kNone) action.value = make_literal(context, 0, variable.place);
  }
  add_action(context, action, sequence);
}

bool parse_variable(Context& context, const Type& type, bool is_hidden, Sequence* sequence) {
  Cursor& cursor = context.cursor;
  Variable variable;
  Token name;
  if (!parse_declarator(context, type, variable, name)) return false;
  variable.is_hidden = is_hidden;
  const bool is_global = context.proctype == kNone;
  variable.is_late = !is_global && !context.is_opening;
  InitialValue initial;
  const u32 mark = context.gathered.size();
  if (cursor.accept(Tok::assign) && !parse_initial(context, initial)) return false;
  variable.channel = initial.channel;
  if (initial.channel != kNone && variable.is_late) {
    context.warning(name.place, "this channel is created with its process, not here");
  }
  const u32 id = add_variable(context, name, variable);
  const Variable& added = is_global ? context.system.globals[id] : context.system.locals[id];
  add_initials(context, added, initial, is_global);
  if (added.is_late && sequence != nullptr) add_late(context, id, initial, *sequence);
  context.gathered.cut(mark);
  return true;
}

}  // namespace

u32 add_hidden_counter(Context& context, Span place) {
  Variable variable;
  variable.place = place;
  Token name;
  name.place = place;
  return add_variable(context, name, variable);
}

bool parse_declaration(Context& context, Sequence* sequence) {
  Cursor& cursor = context.cursor;
  bool is_hidden = false;
  while (cursor.at(Tok::kw_hidden) || cursor.at(Tok::kw_show) || cursor.at(Tok::kw_local)) {
    const Token word = cursor.take();
    if (word.kind != Tok::kw_hidden) continue;
    is_hidden = true;
    context.warning(word.place, "hidden variables are part of the state here");
  }
  Type type;
  if (!parse_type(context, type)) return false;
  if (type.kind == TypeKind::simple && type.leaf.names != 0) {
    const bool is_list = cursor.at(Tok::left_brace) ||
                         (cursor.at(Tok::assign) && cursor.peek().kind == Tok::left_brace);
    if (is_list) {
      cursor.accept(Tok::assign);
      return parse_mtype_names(context, type.leaf.names - 1u);
    }
  }
  do {
    if (!parse_variable(context, type, is_hidden, sequence)) return false;
  } while (cursor.accept(Tok::comma));
  return true;
}

bool parse_fields(Context& context, Record& record) {
  Cursor& cursor = context.cursor;
  while (cursor.at(Tok::kw_hidden) || cursor.at(Tok::kw_show)) cursor.take();
  Type type;
  if (!parse_type(context, type)) return false;
  do {
    Field field;
    Token name;
    if (!parse_declarator(context, type, field, name)) return false;
    InitialValue initial;
    const u32 mark = context.gathered.size();
    if (cursor.accept(Tok::assign) && !parse_initial(context, initial)) return false;
    if (initial.item_count > 0) context.error(name.place, "a field has one initial value");
    context.gathered.cut(mark);
    field.value = initial.value;
    field.channel = initial.channel;
    field.leaf = record.leaves;
    record.leaves += field.leaves;
    if (record.leaves > limits::kLeaves) {
      context.report_full("simple values in a typedef", limits::kLeaves, name.place);
      return false;
    }
    const bool inner =
        type.kind == TypeKind::record && context.system.records[type.record].has_array;
    record.has_array = record.has_array || field.elements > 0 || inner;
    context.gather(context.fields, field);
  } while (cursor.accept(Tok::comma));
  return true;
}

bool parse_parameters(Context& context, Proctype& proctype) {
  Cursor& cursor = context.cursor;
  Type type;
  bool has_type = false;
  while (!cursor.at(Tok::right_paren)) {
    while (cursor.at(Tok::kw_hidden) || cursor.at(Tok::kw_show)) cursor.take();
    if (at_declaration(context) || !has_type) {
      if (!parse_type(context, type)) return false;
      has_type = true;
    }
    Variable variable;
    Token name;
    if (!parse_declarator(context, type, variable, name)) return false;
    variable.is_parameter = true;
    const bool is_record = type.kind == TypeKind::record;
    if (variable.elements > 0 || (is_record && context.system.records[type.record].has_array)) {
      context.error(name.place, "an array is no parameter; pass its elements one by one");
    }
    if (cursor.at(Tok::assign)) {
      context.error(cursor.here(), "a parameter has no initial value; its process is given one");
      return false;
    }
    add_variable(context, name, variable);
    ++proctype.parameter_count;
    proctype.parameter_leaves += variable.leaves;
    if (!cursor.accept(Tok::comma) && !cursor.accept_separators()) break;
  }
  return true;
}

}  // namespace xmc::promela
