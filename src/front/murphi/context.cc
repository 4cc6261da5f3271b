#include "front/murphi/context.h"

#include <cstdarg>

#include "front/murphi/nodes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::murphi {

Context::Context(const Source& source_in, Diagnostics& diagnostics_in, Arena& arena,
                 System& system_in, Dialect dialect_in)
    : Parsing(diagnostics_in, source_in, diagnostics_in, dialect_in),
      source(source_in),
      system(system_in),
      dialect(dialect_in),
      symbols(arena),
      bindings(arena, "open rulesets"),
      names(arena, "declared names"),
      fields(arena, "record fields"),
      writes(arena, "writes of routines") {}

const char* kind_with_article(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::constant:
      return "a constant";
    case SymbolKind::type:
      return "a type";
    case SymbolKind::variable:
      return "a variable";
    case SymbolKind::routine:
      return "a procedure or function";
    default:
      return "a name";
  }
}

void Context::note(Span place, const char* pattern, ...) {
  if (!is_text) return;  // it would point into another text
  va_list args;
  va_start(args, pattern);
  diagnostics.report(Diagnostics::Severity::note, place.begin, place.end, pattern, args);
  va_end(args);
}

void Context::note_declared(const Symbol& symbol) {
  if (!is_text) return;
  note(source.span_of(symbol.name), "'%.*s' is declared here", shown_bytes(symbol.name),
       symbol.name.data());
}

void Context::declare(const Token& name, SymbolKind kind, u32 index) {
  const std::string_view text = cursor.text(name);
  const u32 found = symbols.find(text);
  if (found != kNone && symbols[found].scope == symbols.scope()) {
    Symbol& symbol = symbols[found];
    if (symbol.kind == SymbolKind::unknown) {  // used too early and reported then
      symbol.kind = kind;
      symbol.index = index;
      symbol.name = text;  // the model is refused anyway
      return;
    }
    error(span(name), "'%.*s' is already the name of %s", shown_bytes(text), text.data(),
          kind_with_article(symbol.kind));
    note_declared(symbol);
    // Which of the two later uses mean is anyone's guess: they are not complained about.
    symbol.kind = SymbolKind::unknown;
    return;
  }
  if (symbols.full()) {
    report_full("names", Symbols::Entries::capacity(), span(name));
    return;
  }
  symbols.add(text, kind, index);
  if (symbols.scope() == 0 && is_text) {
    add(system.globals, Global{text, kind, index}, "global names", span(name));
  }
}

namespace {

// Whether a variable that is no global takes up room in the frame: references, aliases of places
// and ruleset parameters do not.
bool has_frame_leaves(const Context& context, const Variable& variable) {
  i64 value = 0;
  switch (variable.role) {
    case Role::local:
    case Role::value:
    case Role::loop:
    case Role::choice:
      return true;
    case Role::alias:
      return !is_place(context, variable.value) && !is_literal(context, variable.value, value);
    default:
      return false;
  }
}

}  // namespace

VariableId Context::declare_variable(const Token& name, Variable variable) {
  variable.name = cursor.text(name);
  variable.place = span(name);
  const Type& type = system.types[variable.type];
  const bool global = variable.role == Role::global;
  if (global || has_frame_leaves(*this, variable)) {
    u32& next = global ? system.state_leaves : next_leaf;
    variable.leaf = next;
    if (type.leaves > limits::kLeaves - next) {
      report_full(global ? "simple values in the state" : "simple values in local variables",
                  limits::kLeaves, span(name));
    } else {
      next += type.leaves;
    }
    if (global) system.state_bits += type.bits;
    if (next_leaf > peak_leaf) peak_leaf = next_leaf;
  }
  const VariableId id = add(system.variables, variable, "variables", span(name));
  declare(name, SymbolKind::variable, id);
  return id;
}

u32 Context::resolve(const Token& name, const char* wanted) {
  const std::string_view text = cursor.text(name);
  const u32 found = symbols.find(text);
  if (found != kNone) return found;
  error(span(name), "unknown %s '%.*s'", wanted, shown_bytes(text), text.data());
  if (const u32 similar = symbols.find_similar(text); similar != kNone) {
    const std::string_view other = symbols[similar].name;
    if (is_text)
      note(source.span_of(other), "names are case-sensitive, and '%.*s' is declared here",
           shown_bytes(other), other.data());
  }
  if (!symbols.full()) symbols.add_unknown(text);
  return kNone;
}

Nesting nested_expression(Context& context) {
  return {context, context.depth, limits::kExpressionDepth, "expressions"};
}

Nesting nested_block(Context& context) {
  return {context, context.blocks, limits::kBlockDepth, "statements, types or rulesets"};
}

}  // namespace xmc::murphi
