// The outermost level of a model, and the checks that need all of it.
#include "front/promela/parser.h"

#include "front/promela/graph.h"
#include "front/promela/parse/context.h"
#include "xmc/check.h"

namespace xmc::promela {

namespace {

// In front of a word that begins a unit, behind a mistake.
void skip_unit(Cursor& cursor) {
  for (;;) {
    switch (cursor.token().kind) {
      case Tok::end:
      case Tok::kw_active:
      case Tok::kw_proctype:
      case Tok::kw_D_proctype:
      case Tok::kw_init:
      case Tok::kw_never:
      case Tok::kw_trace:
      case Tok::kw_notrace:
      case Tok::kw_ltl:
      case Tok::kw_inline:
      case Tok::kw_typedef:
        return;
      default:
        cursor.take();
    }
  }
}

void parse_units(Context& context) {
  Cursor& cursor = context.cursor;
  for (;;) {
    while (cursor.accept(Tok::semicolon)) continue;
    if (cursor.at(Tok::end) && cursor.bodies() == 0) return;
    const u32 symbols = context.symbols.scope();
    XMC_CHECK(symbols == 0);
    if (parse_unit(context)) continue;
    cursor.leave_bodies();
    if (cursor.at(Tok::end)) return;
    cursor.take();
    skip_unit(cursor);
  }
}

void check_whole(Context& context, const Source& source) {
  const System& system = context.system;
  bool has_process = false;
  for (u32 i = 0; i < system.proctypes.size(); ++i) {
    has_process = has_process || system.proctypes[i].active > 0;
  }
  const u32 end = static_cast<u32>(source.text.size());
  if (!has_process && context.diagnostics.error_count() == 0) {
    context.error({end, end}, "no process is active and there is no 'init': nothing can happen");
  }
  if (!system.uses_priorities) return;
  for (u32 i = 0; i < system.channels.size(); ++i) {
    if (system.channels[i].capacity > 0) continue;
    context.error(system.channels[i].place,
                  "priorities and rendezvous channels cannot be used together");
    return;
  }
}

}  // namespace

Status parse(const Source& source, const Surroundings& surroundings, Diagnostics& diagnostics,
             Arena& arena, System& system) {
  XMC_CHECK(system.proctypes.empty());
  XMC_TRY(source.check_size());
  Tokens tokens(arena, "tokens");
  preprocess(source, surroundings.definitions, surroundings.reader, surroundings.asked, diagnostics,
             arena, system.files, tokens);
  XMC_TRY(diagnostics.status());
  Context context(tokens, diagnostics, arena, system);
  parse_units(context);
  if (diagnostics.error_count() == 0) parse_formulas(context);
  if (diagnostics.error_count() == 0) resolve_pending(context);
  check_whole(context, source);
  if (diagnostics.error_count() == 0) build_graphs(context);
  if (diagnostics.error_count() == 0) check_trace(context);
  if (context.cursor.abandoned() && diagnostics.error_count() == 0) {
    context.error({0, 0}, "the model is too large");
  }
  return diagnostics.status();
}

}  // namespace xmc::promela
