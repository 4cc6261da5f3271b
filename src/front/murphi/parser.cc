// The outermost level of a model: sections, routines and rules in any order; then the checks that
// need all of it.
#include "front/murphi/parser.h"

#include "front/murphi/context.h"
#include "front/murphi/nodes.h"
#include "xmc/check.h"

namespace xmc::murphi {

namespace {

void start(Context& context) {
  // kErrorExpr; a second parse over the same system shares it.
  if (context.system.expressions.empty()) context.system.expressions.push(Expr{});
}

bool refuse_extern(Context& context) {
  if (!context.cursor.syntax_error()) return false;
  context.error(span(context.cursor.token()),
                "external procedures and functions are not supported; write it in Murphi");
  return false;
}

bool parse_item(Context& context) {
  Cursor& cursor = context.cursor;
  if (at_section(context)) return parse_section(context);
  if (cursor.at(Tok::kw_function) || cursor.at(Tok::kw_procedure)) return parse_routine(context);
  if (at_rule(context)) return parse_rule(context);
  if (cursor.at_word("externfun") || cursor.at_word("externproc")) return refuse_extern(context);
  // Behind a mistake in the grammar a stray word is its consequence.
  if (cursor.syntax_errors() != 0) return false;
  return cursor.fail_expected("a declaration, a rule, a startstate or a property");
}

void parse_top_level(Context& context) {
  Cursor& cursor = context.cursor;
  for (;;) {
    while (cursor.accept(Tok::semicolon)) continue;
    if (cursor.at(Tok::end)) return;
    const u32 begin = cursor.token().begin;
    if (parse_item(context)) continue;
    if (cursor.token().begin == begin) cursor.take();
    cursor.skip_item();
  }
}

bool has_rule(const System& system, RuleKind kind) {
  for (u32 i = 0; i < system.rules.size(); ++i) {
    if (system.rules[i].kind == kind) return true;
  }
  return false;
}

// rumur accepts both omissions.
void check_complete(Context& context) {
  if (context.cursor.abandoned() || context.cursor.syntax_errors() != 0) return;
  if (context.is_rumur()) return;
  const u32 end = static_cast<u32>(context.source.text.size());
  if (!has_rule(context.system, RuleKind::startstate)) {
    context.error({end, end}, "the model has no startstate, so there is nothing to begin with");
  }
  if (!has_rule(context.system, RuleKind::rule)) {
    context.error({end, end}, "the model has no rule, so nothing can happen");
  }
}

}  // namespace

Status parse(const Source& source, Diagnostics& diagnostics, Arena& arena, Dialect dialect,
             System& system) {
  XMC_CHECK(system.rules.empty());
  XMC_TRY(source.check_size());
  Context context(source, diagnostics, arena, system, dialect);
  start(context);
  parse_top_level(context);
  check_complete(context);
  return diagnostics.status();
}

Result<ExprId> parse_expression(const Source& source, Diagnostics& diagnostics, Arena& arena,
                                Dialect dialect, System& system) {
  XMC_TRY(source.check_size());
  Context context(source, diagnostics, arena, system, dialect);
  start(context);
  context.is_text = false;
  context.setting = Setting::watching;
  for (u32 i = 0; i < system.globals.size() && !context.symbols.full(); ++i) {
    const Global& global = system.globals[i];
    context.symbols.add(global.name, global.kind, global.index);
  }
  ExprId out = kErrorExpr;
  if (parse_condition(context, "this expression", out) && !context.cursor.at(Tok::end)) {
    const Token& rest = context.cursor.token();
    context.error(span(rest), "this does not continue the expression");
  }
  XMC_TRY(diagnostics.status());
  return out;
}

}  // namespace xmc::murphi
