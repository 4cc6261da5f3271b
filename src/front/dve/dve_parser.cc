// The outermost level of a model: declarations, processes, the system line; then the checks that
// need all of it.
#include "front/dve/dve_parser.h"

#include "front/dve/dve_check.h"
#include "front/dve/dve_context.h"
#include "xmc/check.h"

namespace xmc::dve {

namespace {

bool parse_property_name(Context& context, Token& name) {
  if (!context.cursor.accept(Tok::kw_property)) return true;
  if (!context.cursor.expect_name(name, "the name of a process")) return false;
  const u32 symbol = context.resolve(name, Kind::process);
  if (symbol != kNone) context.system.property = context.symbols[symbol].index;
  return true;
}

// system async [property X];
void parse_system_line(Context& context) {
  Cursor& cursor = context.cursor;
  cursor.take();
  const Token kind = cursor.token();
  if (kind.kind == Tok::kw_sync) {
    context.error(span(kind), "synchronous systems are not supported; only 'system async' is");
    cursor.take();
  } else if (!cursor.expect(Tok::kw_async, "'async'")) {
    cursor.skip_part(0);
    return;
  }
  Token property;
  if (!parse_property_name(context, property) || !cursor.expect(Tok::semicolon, "';'")) {
    cursor.skip_part(0);
    return;
  }
  if (!cursor.at(Tok::end)) {
    const Token& rest = cursor.token();
    context.error(span(rest), "the system line must be the last one of a model");
  }
}

void parse_global_declaration(Context& context) {
  const Token& word = context.cursor.token();
  if (!context.system.processes.empty()) {
    context.error(span(word),
                  "global variables and channels must be declared before the first process");
  }
  const bool parsed =
      word.kind == Tok::kw_channel ? parse_channels(context) : parse_variables(context);
  if (!parsed) context.cursor.skip_part(0);
  // Recovery stops in front of a '}', which belongs to nothing out here.
  while (!parsed && context.cursor.accept(Tok::right_brace)) continue;
}

void report_stray(Context& context) {
  const Token& token = context.cursor.token();
  const std::string_view text = context.cursor.text(token);
  if (text == "bool" || text == "boolean") {
    if (!context.cursor.syntax_error()) return;
    context.error(span(token), "'%.*s' is not a type of DVE; use 'byte'", shown_bytes(text),
                  text.data());
    return;
  }
  context.cursor.fail_expected("a declaration, 'process' or 'system'");
}

void parse_top_level(Context& context) {
  Cursor& cursor = context.cursor;
  for (;;) {
    switch (cursor.token().kind) {
      case Tok::kw_const:
      case Tok::kw_byte:
      case Tok::kw_int:
      case Tok::kw_channel:
        parse_global_declaration(context);
        break;
      case Tok::kw_process:
        parse_process(context);
        break;
      case Tok::kw_system:
        parse_system_line(context);
        return;
      case Tok::end:
        cursor.fail_expected(context.system.processes.empty() ? "a process" : "'system async;'");
        return;
      default:
        report_stray(context);
        cursor.skip_to_top();
    }
  }
}

// P->x is allowed in the property process only, and which one that is says the last line.
void check_remote_uses(Context& context) {
  for (u32 p = 0; p < context.remote_uses.size(); ++p) {
    const RemoteUse& use = context.remote_uses[p];
    if (use.begin == kNone || p == context.system.property) continue;
    context.error(span(use),
                  "variables of another process can be read in the property process only");
  }
}

void check_system(Context& context, Arena& arena) {
  if (context.cursor.abandoned()) return;
  // After a mistake in the grammar whole processes may be missing; complaints about them would be
  // noise.
  if (context.cursor.syntax_errors() != 0) return;
  const System& system = context.system;
  resolve_forward_states(context);
  check_remote_uses(context);
  if (system.processes.empty()) {
    const u32 end = static_cast<u32>(context.source.text.size());
    context.error({end, end}, "a model needs at least one process");
  }
  if (context.diagnostics.error_count() != 0) return;
  if (system.property != kNone) {
    const Status checked =
        check_property(context.source, context.diagnostics, system, system.property);
    if (!checked.ok()) return;
  }
  warn_conflicting_effects(context.diagnostics, arena, system);
}

// Names of a finished system, for an expression from the command line.
void enter_names(Context& context) {
  const Token nowhere;
  const System& system = context.system;
  for (u32 i = 0; i < system.variables.size(); ++i) {
    const Variable& variable = system.variables[i];
    context.add_symbol({variable.name, variable.process, i, Kind::variable, false, false}, nowhere);
  }
  for (u32 i = 0; i < system.channels.size(); ++i) {
    context.add_symbol({system.channels[i].name, kGlobal, i, Kind::channel, false, false}, nowhere);
  }
  for (u32 p = 0; p < system.processes.size(); ++p) {
    const Process& process = system.processes[p];
    context.add_symbol({process.name, kGlobal, p, Kind::process, false, false}, nowhere);
    for (u32 s = 0; s < process.state_count; ++s) {
      const std::string_view name = system.states[process.first_state + s].name;
      context.add_symbol({name, p, s, Kind::state, false, false}, nowhere);
    }
  }
}

}  // namespace

Status parse(const Source& source, Diagnostics& diagnostics, Arena& arena, System& system) {
  XMC_CHECK(system.processes.empty());
  XMC_TRY(source.check_size());
  Context context(source, diagnostics, arena, system);
  parse_top_level(context);
  check_system(context, arena);
  return diagnostics.status();
}

Result<ExprId> parse_expression(const Source& source, Diagnostics& diagnostics, Arena& arena,
                                System& system) {
  XMC_TRY(source.check_size());
  Context context(source, diagnostics, arena, system);
  context.mode = Mode::command_line;
  enter_names(context);
  Operand operand;
  if (parse_operand(context, operand) && !context.cursor.at(Tok::end)) {
    const Token& rest = context.cursor.token();
    diagnostics.error(rest.begin, rest.end, "this does not continue the expression");
  }
  XMC_TRY(diagnostics.status());
  return operand.expr;
}

}  // namespace xmc::dve
