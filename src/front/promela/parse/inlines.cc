// Inlines: their bodies are kept as tokens and read again at each call, as a block.
#include "front/promela/parse/context.h"
#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc::promela {

namespace {

void check_fields(Context& context, const Routine& routine) {
  const Tokens& tokens = context.cursor.tokens();
  for (u32 i = routine.body.first; i + 1 < routine.body.end; ++i) {
    if (tokens[i].kind != Tok::dot) continue;
    for (u32 j = 0; j < routine.count; ++j) {
      const Token& field = tokens[i + 1];
      if (field.text != tokens[routine.formals + 2 * j].text) continue;
      context.error(field.place, "a field has the name of a parameter of this inline");
      return;
    }
  }
}

}  // namespace

bool take_braces(Context& context, TokenRange& out) {
  Cursor& cursor = context.cursor;
  if (!cursor.expect(Tok::left_brace, "'{'")) return false;
  out.first = cursor.position();
  u32 open = 1;
  for (;;) {
    if (cursor.at(Tok::end)) return cursor.fail_expected("'}'");
    if (cursor.at(Tok::left_brace)) ++open;
    if (cursor.at(Tok::right_brace) && --open == 0) break;
    cursor.take();
  }
  out.end = cursor.position();
  cursor.take();
  return true;
}

bool parse_inline(Context& context) {
  Cursor& cursor = context.cursor;
  cursor.take();
  Token name;
  Routine routine;
  if (!cursor.expect_name(name, "the name of an inline") ||
      !cursor.expect(Tok::left_paren, "'('")) {
    return false;
  }
  routine.name = name.text;
  routine.place = name.place;
  routine.formals = cursor.position();
  while (cursor.at(Tok::name)) {
    cursor.take();
    ++routine.count;
    if (!cursor.accept(Tok::comma)) break;
  }
  if (!cursor.expect(Tok::right_paren, "a name or ')'") || !take_braces(context, routine.body)) {
    return false;
  }
  check_fields(context, routine);
  const u32 id = context.add(context.routines, routine, "inlines", name.place);
  context.declare(name, SymbolKind::routine, id);
  return true;
}

bool at_call(const Context& context) {
  if (!context.cursor.at(Tok::name)) return false;
  const u32 found = context.symbols.find(context.cursor.token().text);
  return found != kNone && context.symbols[found].kind == SymbolKind::routine;
}

namespace {

bool opens(Tok kind) {
  return kind == Tok::left_paren || kind == Tok::left_bracket || kind == Tok::left_brace;
}

bool closes(Tok kind) {
  return kind == Tok::right_paren || kind == Tok::right_bracket || kind == Tok::right_brace;
}

// Behind '(': keeps the tokens of each actual parameter.
bool take_actuals(Context& context, u32& first, u32& count) {
  Cursor& cursor = context.cursor;
  count = 0;
  if (cursor.accept(Tok::right_paren)) return true;
  // Ranges are added when all are known: an actual parameter may hold no call, but the pool is
  // shared with the calls around this one.
  for (;;) {
    TokenRange range{cursor.saved(), 0, true};
    u32 open = 0;
    while (open > 0 || (!cursor.at(Tok::comma) && !cursor.at(Tok::right_paren))) {
      if (cursor.at(Tok::end)) return cursor.fail_expected("')'");
      if (opens(cursor.token().kind)) ++open;
      if (closes(cursor.token().kind) && open > 0) --open;
      if (!cursor.save_actual(cursor.take())) return false;
    }
    range.end = cursor.saved();
    const u32 id = cursor.add_actual(range);
    if (count++ == 0) first = id;
    if (!cursor.accept(Tok::comma)) break;
  }
  return cursor.expect(Tok::right_paren, "')'");
}

}  // namespace

bool parse_call(Context& context, RefId result, Sequence& sequence) {
  Cursor& cursor = context.cursor;
  const Token name = cursor.take();
  const u32 id = context.symbols[context.symbols.find(name.text)].index;
  u32 first = 0;
  u32 count = 0;
  if (!cursor.expect(Tok::left_paren, "'('") || !take_actuals(context, first, count)) return false;
  const Routine routine = context.routines[id];
  if (routine.is_open) {
    context.error(name.place, "an inline does not call itself");
    return true;
  }
  if (count != routine.count) {
    context.error(name.place, "inline %.*s has %u parameter%s and gets %u", shown_bytes(name.text),
                  name.text.data(), static_cast<unsigned>(routine.count),
                  routine.count == 1 ? "" : "s", static_cast<unsigned>(count));
    return true;
  }
  Node node;
  node.kind = NodeKind::block;
  node.span = join(name.place, cursor.last());
  context.is_opening = false;
  const Within<u32> call(context.call,
                         context.add(context.calls, context.call, "calls of inlines", name.place));
  const Within<RefId> target(context.result, result);
  const Within<bool> open(context.routines[id].is_open, true);
  const InScope scope(context);
  cursor.open_body(routine.body, routine.formals, first, count);
  Sequence inside;
  if (!parse_sequence(context, inside)) return false;
  if (!cursor.close_body()) return cursor.fail_expected("the end of the inline");
  if (inside.first == kNone) {
    context.error(name.place, "there is no statement in this inline");
    return true;
  }
  node.first = inside.first;
  add_node(context, node, sequence);
  return true;
}

}  // namespace xmc::promela
