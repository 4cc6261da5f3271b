#include "front/dve/dve_context.h"

#include "xmc/check.h"

namespace xmc::dve {

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::variable:
      return "variable";
    case Kind::channel:
      return "channel";
    case Kind::process:
      return "process";
    case Kind::state:
      return "state";
    default:
      return "name";
  }
}

namespace {

const char* kind_with_article(Kind kind) {
  switch (kind) {
    case Kind::variable:
      return "a variable";
    case Kind::channel:
      return "a channel";
    case Kind::process:
      return "a process";
    case Kind::state:
      return "a state";
    default:
      return "a name";
  }
}

}  // namespace

Context::Context(const Source& source_in, Diagnostics& diagnostics_in, Arena& arena,
                 System& system_in)
    : Parsing(diagnostics_in, source_in, diagnostics_in),
      source(source_in),
      system(system_in),
      symbols(arena),
      nodes(arena, system_in),
      forwards(arena, "forward references"),
      channel_uses(arena, "channel uses"),
      remote_uses(arena, "remote uses") {}

u32 Context::add_symbol(const Symbol& symbol, const Token& where) {
  if (symbols.full()) {
    report_full("names", Symbols::Entries::capacity(), span(where));
    return 0;
  }
  return symbols.add(symbol);
}

void Context::note_spot(ExprId expr, u32 begin, u32 end) {
  // Initial values are known by now. When there are too many spots, some errors have fewer words.
  if (mode == Mode::initialiser || system.spots.full()) return;
  system.spots.push({expr, begin, end});
}

void Context::note_declared(const Symbol& symbol) {
  note(source.span_of(symbol.name), "'%.*s' is declared here", shown_bytes(symbol.name),
       symbol.name.data());
}

u32 Context::declare(const Token& name, Kind kind, u32 index) {
  const std::string_view text = cursor.text(name);
  const u32 scope = kind == Kind::process ? kGlobal : process;
  const u32 found = symbols.find(scope, text);
  if (found == kNone) return add_symbol({text, scope, index, kind, false, false}, name);
  Symbol& symbol = symbols[found];
  if (symbol.kind == Kind::unknown) {  // used too early and reported then
    symbol = {text, scope, index, kind, false, false};
    return found;
  }
  error(span(name), "'%.*s' is already the name of %s", shown_bytes(text), text.data(),
        kind_with_article(symbol.kind));
  note_declared(symbol);
  // Which of the two later uses mean is anyone's guess: they are not complained about.
  if (symbol.kind != kind) symbol.kind = Kind::unknown;
  return found;
}

u32 Context::lookup(std::string_view name) const {
  if (process != kGlobal) {
    const u32 local = symbols.find(process, name);
    if (local != kNone) return local;
  }
  return symbols.find(kGlobal, name);
}

void Context::report_unknown(const Token& name, Kind wanted) {
  const std::string_view text = cursor.text(name);
  error(span(name), "unknown %s '%.*s'", kind_name(wanted), shown_bytes(text), text.data());
  if (mode == Mode::command_line) {
    if (wanted == Kind::variable) {
      note(span(name), "a local variable is written PROCESS->%.*s", shown_bytes(text), text.data());
    }
    return;
  }
  const u32 scope = wanted == Kind::state ? process : kGlobal;
  if (symbols.find(scope, text) == kNone) {
    add_symbol({text, scope, 0, Kind::unknown, false, false}, name);
  }
}

u32 Context::resolve(const Token& name, Kind kind) {
  const std::string_view text = cursor.text(name);
  const u32 found = lookup(text);
  if (found == kNone) {
    report_unknown(name, kind);
    return kNone;
  }
  const Symbol& symbol = symbols[found];
  if (symbol.kind == kind) return found;
  if (symbol.kind == Kind::unknown) return kNone;
  error(span(name), "'%.*s' is %s, not %s", shown_bytes(text), text.data(),
        kind_with_article(symbol.kind), kind_with_article(kind));
  if (symbol.kind == Kind::state && kind == Kind::variable) {
    const std::string_view owner = system.processes[process].name;
    note(span(name), "whether the process is in this state is written %.*s.%.*s",
         shown_bytes(owner), owner.data(), shown_bytes(text), text.data());
  } else if (symbol.kind == Kind::process && kind == Kind::variable) {
    note(span(name),
         "whether the process is in a state is written %.*s.STATE, its variables "
         "%.*s->VARIABLE",
         shown_bytes(text), text.data(), shown_bytes(text), text.data());
  } else if (mode != Mode::command_line) {
    note_declared(symbol);
  }
  return kNone;
}

u32 Context::resolve_state(const Token& name) {
  XMC_CHECK(process != kGlobal);
  const std::string_view text = cursor.text(name);
  const u32 found = symbols.find(process, text);
  if (found == kNone) {
    report_unknown(name, Kind::state);
    return 0;
  }
  const Symbol& symbol = symbols[found];
  if (symbol.kind == Kind::state) return symbol.index;
  if (symbol.kind == Kind::unknown) return 0;
  error(span(name), "'%.*s' is %s, not a state", shown_bytes(text), text.data(),
        kind_with_article(symbol.kind));
  return 0;
}

}  // namespace xmc::dve
