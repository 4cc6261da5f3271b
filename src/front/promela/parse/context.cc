#include "front/promela/parse/context.h"

#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::promela {

Context::Context(const Tokens& tokens, Diagnostics& diagnostics_in, Arena& arena_in,
                 System& system_in)
    : Parsing(diagnostics_in, tokens, diagnostics_in, arena_in),
      arena(arena_in),
      system(system_in),
      symbols(arena),
      nodes(arena, "statements"),
      labels(arena, "labels"),
      routines(arena, "inlines"),
      pending(arena, "uses of process types"),
      calls(arena, "calls of inlines"),
      formulas(arena, "formulas"),
      bodies(arena, "bodies"),
      gathered(arena, "arguments"),
      patterns(arena, "patterns"),
      indexes(arena, "indexes"),
      fields(arena, "fields") {
  calls.push(0);
}

namespace {

const char* kind_with_article(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::global:
    case SymbolKind::local:
      return "a variable";
    case SymbolKind::mtype_name:
      return "a value of an mtype";
    case SymbolKind::record:
      return "a typedef";
    case SymbolKind::routine:
      return "an inline";
    case SymbolKind::proctype:
      return "a proctype";
    default:
      return "a name";
  }
}

}  // namespace

void Context::declare(const Token& name, SymbolKind kind, u32 index) {
  const u32 found = symbols.find(name.text);
  if (found != kNone) {
    Symbol& symbol = symbols[found];
    if (symbol.kind == SymbolKind::unknown) {  // used too early and reported then
      symbol.kind = kind;
      symbol.index = index;
      return;
    }
    error(name.place, "'%.*s' is already the name of %s; a name hides no other one",
          shown_bytes(name.text), name.text.data(), kind_with_article(symbol.kind));
    note(symbol.place, "'%.*s' is declared here", shown_bytes(name.text), name.text.data());
    return;
  }
  if (symbols.is_full()) return report_full("names", Symbols::Entries::capacity(), name.place);
  symbols.add({name.text, kind, index, 0, name.place, kNone});
}

u32 Context::resolve(const Token& name, const char* wanted) {
  const u32 found = symbols.find(name.text);
  if (found != kNone) return found;
  error(name.place, "unknown %s '%.*s'", wanted, shown_bytes(name.text), name.text.data());
  if (!symbols.is_full()) symbols.add_unknown(name.text);
  return kNone;
}

bool refuse(Context& context, const char* why) {
  if (!context.cursor.syntax_error()) return false;
  context.error(context.cursor.here(), "%s", why);
  return false;
}

Nesting nested_expression(Context& context) {
  return {context, context.depth, limits::kExpressionDepth, "expressions"};
}

Nesting nested_block(Context& context) {
  return {context, context.blocks, limits::kBlockDepth, "statements or calls of inlines"};
}

}  // namespace xmc::promela
