// What stands on the outermost level of a model.
#include "front/promela/parse/context.h"
#include "front/promela/parse/fold.h"
#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc::promela {

namespace {

u32 begin_proctype(Context& context, const Proctype& proctype) {
  const u32 id = context.add(context.system.proctypes, proctype, "proctypes", proctype.place);
  Proctype& added = context.system.proctypes[id];
  added.first_variable = context.system.locals.size();
  added.first_leaf = context.system.local_leaves.size();
  added.first_initial = context.system.local_initials.size();
  added.first_label = context.labels.size();
  context.first_label = context.labels.size();
  return id;
}

void finish_proctype(Context& context, u32 id, const Sequence& body) {
  Proctype& proctype = context.system.proctypes[id];
  proctype.variable_count = context.system.locals.size() - proctype.first_variable;
  proctype.leaf_count = context.system.local_leaves.size() - proctype.first_leaf;
  proctype.initial_count = context.system.local_initials.size() - proctype.first_initial;
  proctype.label_count = context.labels.size() - proctype.first_label;
  context.add(context.bodies, body, "proctypes", proctype.place);
}

// `[priority n] [provided (e)] { sequence }`
bool parse_body(Context& context, u32 id) {
  Cursor& cursor = context.cursor;
  if (cursor.accept(Tok::kw_priority)) {
    context.system.uses_priorities = true;
    i32 priority = 1;
    if (!parse_constant(context, "a priority", priority)) return false;
    if (priority < 1 || priority > 255) {
      context.error(cursor.last(), "a priority is a number from 1 to 255");
      priority = 1;
    }
    context.system.proctypes[id].priority = priority;
  }
  if (cursor.accept(Tok::kw_provided)) {
    const Within<Setting> setting(context.setting, Setting::claim);
    ExprId provided = kNone;
    if (!cursor.expect(Tok::left_paren, "'('") || !parse_expression(context, provided) ||
        !cursor.expect(Tok::right_paren, "')'")) {
      return false;
    }
    context.system.proctypes[id].provided = provided;
  }
  if (!cursor.expect(Tok::left_brace, "'{'")) return false;
  Sequence body;
  context.is_opening = true;
  context.loop = kNone;
  context.call = 0;
  const bool ok = parse_sequence(context, body) && cursor.expect(Tok::right_brace, "'}'");
  context.is_opening = false;
  finish_proctype(context, id, body);
  return ok;
}

bool parse_proctype(Context& context) {
  Cursor& cursor = context.cursor;
  Proctype proctype;
  if (cursor.accept(Tok::kw_active)) {
    proctype.active = 1;
    if (cursor.accept(Tok::left_bracket)) {
      i32 number = 1;
      if (!parse_constant(context, "a number of processes", number) ||
          !cursor.expect(Tok::right_bracket, "']'")) {
        return false;
      }
      if (number < 1 || number > static_cast<i32>(limits::kPromelaNumbers)) {
        context.error(cursor.last(), "1 to %u processes can be active",
                      static_cast<unsigned>(limits::kPromelaNumbers));
        number = 1;
      }
      proctype.active = static_cast<u32>(number);
    }
  }
  if (!cursor.accept(Tok::kw_D_proctype) && !cursor.expect(Tok::kw_proctype, "'proctype'")) {
    return false;
  }
  Token name;
  if (!cursor.expect_name(name, "the name of a proctype")) return false;
  proctype.name = name.text;
  proctype.place = name.place;
  const u32 id = begin_proctype(context, proctype);
  context.declare(name, SymbolKind::proctype, id);
  const Within<u32> within(context.proctype, id);
  const InScope scope(context);
  if (!cursor.expect(Tok::left_paren, "'('")) return false;
  const bool ok = parse_parameters(context, context.system.proctypes[id]);
  return ok && cursor.expect(Tok::right_paren, "')'") && parse_body(context, id);
}

bool parse_init(Context& context) {
  Proctype proctype;
  proctype.kind = ProcessKind::init;
  proctype.name = ":init:";
  proctype.active = 1;
  proctype.place = context.cursor.take().place;
  for (u32 i = 0; i < context.system.proctypes.size(); ++i) {
    if (context.system.proctypes[i].kind != ProcessKind::init) continue;
    context.error(proctype.place, "there is one 'init' at most");
  }
  const u32 id = begin_proctype(context, proctype);
  const Within<u32> within(context.proctype, id);
  const InScope scope(context);
  return parse_body(context, id);
}

// "never_0", "ltl_1": the name of what has none.
std::string_view numbered_name(Context& context, const char* word, u32 number) {
  FixedText<24> text;
  text.format("%s_%u", word, static_cast<unsigned>(number));
  char* const bytes =
      static_cast<char*>(context.arena.scratch("names of properties", text.size(), 1));
  for (u32 i = 0; i < text.size(); ++i) bytes[i] = text.view()[i];
  return {bytes, text.size()};
}

bool parse_never(Context& context) {
  Cursor& cursor = context.cursor;
  Proctype proctype;
  proctype.kind = ProcessKind::never;
  proctype.place = cursor.take().place;
  if (cursor.at(Tok::name)) {
    proctype.name = cursor.take().text;
  } else {
    proctype.name = numbered_name(context, "never", context.unnamed_claims++);
  }
  const u32 id = begin_proctype(context, proctype);
  context.add(context.system.properties, Property{proctype.name, proctype.place, id, kNone},
              "properties", proctype.place);
  const Within<u32> within(context.proctype, id);
  const Within<Setting> setting(context.setting, Setting::claim);
  const InScope scope(context);
  return parse_body(context, id);
}

bool parse_trace(Context& context) {
  Cursor& cursor = context.cursor;
  System& system = context.system;
  Proctype proctype;
  proctype.kind = ProcessKind::trace;
  const Token word = cursor.take();
  proctype.name = word.kind == Tok::kw_trace ? "trace" : "notrace";
  proctype.place = word.place;
  if (system.trace != kNone) context.error(word.place, "there is one trace or notrace at most");
  const u32 id = begin_proctype(context, proctype);
  system.trace = id;
  system.is_forbidden = word.kind == Tok::kw_notrace;
  const Within<u32> within(context.proctype, id);
  const Within<Setting> setting(context.setting, Setting::trace);
  const InScope scope(context);
  return parse_body(context, id);
}

// The tokens between its braces are kept until all names are known.
bool parse_ltl(Context& context) {
  Cursor& cursor = context.cursor;
  Property property;
  property.place = cursor.take().place;
  if (cursor.at(Tok::name)) {
    property.name = cursor.take().text;
  } else {
    property.name = numbered_name(context, "ltl", context.unnamed_formulas++);
  }
  TokenRange range;
  if (!take_braces(context, range)) return false;
  const u32 id = context.add(context.system.properties, property, "properties", property.place);
  context.add(context.formulas, FormulaText{id, range}, "properties", property.place);
  return true;
}

}  // namespace

bool parse_unit(Context& context) {
  switch (context.cursor.token().kind) {
    case Tok::kw_active:
    case Tok::kw_proctype:
    case Tok::kw_D_proctype:
      return parse_proctype(context);
    case Tok::kw_init:
      return parse_init(context);
    case Tok::kw_never:
      return parse_never(context);
    case Tok::kw_ltl:
      return parse_ltl(context);
    case Tok::kw_inline:
      return parse_inline(context);
    case Tok::kw_typedef:
      return parse_typedef(context);
    case Tok::kw_trace:
    case Tok::kw_notrace:
      return parse_trace(context);
    case Tok::kw_c_code:
    case Tok::kw_c_decl:
    case Tok::kw_c_state:
    case Tok::kw_c_track:
    case Tok::kw_c_expr:
      return refuse(context,
                    "embedded C cannot be verified here; declare what it holds in "
                    "Promela");
    default:
      if (at_declaration(context)) return parse_declaration(context, nullptr);
      return context.cursor.fail_expected("a declaration, a proctype or a property");
  }
}

}  // namespace xmc::promela
