// Rules, startstates and properties, and the rulesets, aliases and chooses around them. A group
// only lends its variables to the rules inside, each of which keeps the list of them.
#include "front/murphi/nodes.h"
#include "front/murphi/types.h"
#include "xmc/check.h"

namespace xmc::murphi {

namespace {

constexpr u64 kMostInstances = ~u64{0};

u64 multiply(u64 a, u64 b) {
  if (a == 0 || b == 0) return 0;
  return a > kMostInstances / b ? kMostInstances : a * b;
}

// How many values a variable of a group takes.
u64 value_count(const Context& context, const Variable& variable) {
  const Type& type = context.system.types[variable.type];
  i64 from = 0;
  i64 to = 0;
  i64 step = 1;
  if (variable.role == Role::alias) return 1;
  if (!variable.is_interval) return static_cast<u64>(type.high - type.low + 1);
  if (!is_literal(context, variable.from, from) || !is_literal(context, variable.to, to)) return 1;
  if (variable.step != kNone && !is_literal(context, variable.step, step)) return 1;
  if (step > 0 ? from > to : from < to) return 0;
  const u64 distance = step > 0 ? static_cast<u64>(to) - static_cast<u64>(from)
                                : static_cast<u64>(from) - static_cast<u64>(to);
  const u64 stride = step > 0 ? static_cast<u64>(step) : u64{0} - static_cast<u64>(step);
  return distance / stride + 1;
}

// CMurphi's rule: in a label the two would look alike.
void check_shadow(Context& context) {
  const Token& name = context.cursor.token();
  if (context.is_rumur() || name.kind != Tok::name) return;
  const std::string_view text = context.cursor.text(name);
  for (u32 i = 0; i < context.bindings.size(); ++i) {
    const Variable& outer = context.system.variables[context.bindings[i]];
    if (outer.name != text) continue;
    context.error(span(name), "'%.*s' is already bound by an outer ruleset, alias or choose",
                  shown_bytes(text), text.data());
    context.note(outer.place, "'%.*s' is declared here", shown_bytes(text), text.data());
    return;
  }
}

void bind(Context& context, VariableId id) {
  const Variable& variable = context.system.variables[id];
  context.add(context.bindings, id, "open rulesets", variable.place);
  context.instances = multiply(context.instances, value_count(context, variable));
}

void add_rule(Context& context, Rule rule, u32 begin) {
  System& system = context.system;
  rule.place = {begin, context.cursor.last_end()};
  rule.first_binding = system.bindings.size();
  for (u32 i = 0; i < context.bindings.size() && !context.cursor.abandoned(); ++i) {
    context.add(system.bindings, context.bindings[i], "rule parameters", rule.place);
    ++rule.binding_count;
  }
  rule.instances = context.instances;
  rule.frame_leaves = context.peak_leaf;
  context.add(system.rules, rule, "rules", rule.place);
}

void take_name(Context& context, Rule& rule) {
  if (!context.cursor.at(Tok::string)) return;
  const Token string = context.cursor.take();
  if (rule.name.empty()) rule.name = context.cursor.string_of(string);
}

// What begins a guard and no statement.
bool starts_guard(Tok kind) {
  switch (kind) {
    case Tok::number:
    case Tok::left_paren:
    case Tok::exclamation:
    case Tok::minus:
    case Tok::kw_forall:
    case Tok::kw_exists:
    case Tok::kw_isundefined:
    case Tok::kw_true:
    case Tok::kw_false:
      return true;
    default:
      return false;
  }
}

// A number in front of a rule is its priority, unless it begins the guard, as in 1 < x.
void take_priority(Context& context, Rule& rule) {
  Cursor& cursor = context.cursor;
  if (!cursor.at(Tok::number)) return;
  const Tok next = cursor.peek().kind;
  const bool section = next == Tok::kw_const || next == Tok::kw_type || next == Tok::kw_var;
  const bool operand = starts_guard(next) && next != Tok::minus;
  if (section || operand || next == Tok::string || next == Tok::name || next == Tok::kw_begin) {
    rule.priority = cursor.take().value;
  }
}

bool parse_guard(Context& context, ExprId& out) {
  Cursor& cursor = context.cursor;
  if (!cursor.guard_ahead() && !starts_guard(cursor.token().kind)) return true;
  const Within setting(context.setting, Setting::watching);
  return parse_condition(context, "a guard", out) &&
         cursor.expect(Tok::guard_arrow, "'==>' behind the guard");
}

bool parse_simple_rule(Context& context) {
  const Token word = context.cursor.take();
  const Scope scope(context);
  Rule rule;
  context.peak_leaf = context.next_leaf;
  take_priority(context, rule);
  take_name(context, rule);
  if (!parse_guard(context, rule.guard) || !parse_body(context, rule.body) ||
      !expect_end(context, Tok::kw_endrule, word)) {
    return false;
  }
  add_rule(context, rule, word.begin);
  return true;
}

bool parse_startstate(Context& context) {
  const Token word = context.cursor.take();
  const Scope scope(context);
  Rule rule;
  rule.kind = RuleKind::startstate;
  context.peak_leaf = context.next_leaf;
  take_name(context, rule);
  if (!parse_body(context, rule.body) || !expect_end(context, Tok::kw_endstartstate, word)) {
    return false;
  }
  add_rule(context, rule, word.begin);
  return true;
}

bool parse_property(Context& context, RuleKind kind) {
  const Token word = context.cursor.take();
  const Within setting(context.setting, Setting::watching);
  Rule rule;
  rule.kind = kind;
  context.peak_leaf = context.next_leaf;
  take_name(context, rule);
  if (!parse_condition(context, "a property", rule.guard)) return false;
  take_name(context, rule);
  add_rule(context, rule, word.begin);
  return true;
}

// The rules of a group up to its end.
bool parse_group_rules(Context& context, Tok relative, const Token& word) {
  Cursor& cursor = context.cursor;
  if (!cursor.expect_do()) return false;
  while (cursor.accept(Tok::semicolon)) continue;
  while (at_rule(context)) {
    const u32 begin = cursor.token().begin;
    if (!parse_rule(context)) {
      if (cursor.token().begin == begin) cursor.take();
      cursor.skip_item();
    }
    while (cursor.accept(Tok::semicolon)) continue;
  }
  return expect_end(context, relative, word);
}

bool parse_group_heads(Context& context, Tok kind) {
  Cursor& cursor = context.cursor;
  const Within setting(context.setting, Setting::watching);
  do {
    VariableId id = kNone;
    check_shadow(context);
    const bool parsed = kind == Tok::kw_endruleset ? parse_quantifier(context, Role::parameter, id)
                        : kind == Tok::kw_endalias ? parse_alias(context, id)
                                                   : parse_choice(context, id);
    if (!parsed) return false;
    bind(context, id);
    if (cursor.abandoned()) return false;
    cursor.accept(Tok::semicolon);
  } while (at_quantifier(context));
  return true;
}

bool parse_group(Context& context, Tok relative) {
  const Nesting nesting = nested_block(context);
  if (!nesting.ok()) return false;
  const Token word = context.cursor.take();
  const Scope scope(context);
  const u32 bound = context.bindings.size();
  const u64 instances = context.instances;
  const bool parsed =
      parse_group_heads(context, relative) && parse_group_rules(context, relative, word);
  context.bindings.cut(bound);
  context.instances = instances;
  return parsed;
}

bool refuse_pctl(Context& context) {
  if (!context.cursor.syntax_error()) return false;
  context.error(span(context.cursor.token()),
                "probabilistic properties are not supported; only invariants and their like are");
  return false;
}

bool parse_worded(Context& context) {
  const Cursor& cursor = context.cursor;
  if (cursor.at_word("choose")) return parse_group(context, Tok::kw_endchoose);
  if (cursor.at_word("pctl")) return refuse_pctl(context);
  return parse_property(context, cursor.at_word("assume")  ? RuleKind::assume
                                 : cursor.at_word("cover") ? RuleKind::cover
                                                           : RuleKind::liveness);
}

}  // namespace

bool at_rule(const Context& context) {
  const Cursor& cursor = context.cursor;
  switch (cursor.token().kind) {
    case Tok::kw_alias:
    case Tok::kw_assert:
    case Tok::kw_invariant:
    case Tok::kw_rule:
    case Tok::kw_ruleset:
    case Tok::kw_startstate:
      return true;
    default:
      return cursor.at_word("assume") || cursor.at_word("choose") || cursor.at_word("cover") ||
             cursor.at_word("liveness") || cursor.at_word("pctl");
  }
}

bool parse_rule(Context& context) {
  switch (context.cursor.token().kind) {
    case Tok::kw_rule:
      return parse_simple_rule(context);
    case Tok::kw_startstate:
      return parse_startstate(context);
    case Tok::kw_assert:
    case Tok::kw_invariant:
      return parse_property(context, RuleKind::invariant);
    case Tok::kw_ruleset:
      return parse_group(context, Tok::kw_endruleset);
    case Tok::kw_alias:
      return parse_group(context, Tok::kw_endalias);
    default:
      return parse_worded(context);
  }
}

}  // namespace xmc::murphi
