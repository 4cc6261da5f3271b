// Names inside expressions and on the left of assignments: x, x[i], P.q, P->x, P->x[i].
#include "front/dve/dve_context.h"
#include "xmc/check.h"

namespace xmc::dve {

namespace {

// What is said about the way a variable is indexed, for reads and writes alike. False when it makes
// no sense.
bool check_index(Context& context, u32 symbol_id, const Token& name, const Operand* index) {
  Symbol& symbol = context.symbols[symbol_id];
  const Variable& variable = context.system.variables[symbol.index];
  const int bytes = shown_bytes(variable.name);
  if (index == nullptr) {
    if (!variable.is_array || symbol.warned) return true;
    symbol.warned = true;
    context.warning(span(name), "array '%.*s' is used without an index; this means '%.*s[0]'",
                    bytes, variable.name.data(), bytes, variable.name.data());
    return true;
  }
  if (!variable.is_array) {
    context.error(span(name), "'%.*s' is not an array", bytes, variable.name.data());
    return false;
  }
  i32 value = 0;
  if (!context.nodes.is_literal(index->expr, value)) return true;
  if (value >= 0 && static_cast<u32>(value) < variable.size) return true;
  if (context.mode == Mode::initialiser)
    return true;  // the initialiser has no value: an error soon
  context.warning(
      {index->begin, index->end},
      "index %d is outside '%.*s', which has %u element%s: an error if it is ever reached",
      static_cast<int>(value), bytes, variable.name.data(), static_cast<unsigned>(variable.size),
      variable.size == 1 ? "" : "s");
  return true;
}

// The node that reads a variable: a literal where the value is known now.
ExprId read_node(Context& context, u32 symbol_id, const Token& name, const Operand* index) {
  if (!check_index(context, symbol_id, name, index)) return context.nodes.literal(0);
  Symbol& symbol = context.symbols[symbol_id];
  const Variable& variable = context.system.variables[symbol.index];
  const bool initialiser = context.mode == Mode::initialiser;
  if (initialiser && !variable.is_constant && !symbol.initialised) {
    context.error(span(name), "'%.*s' has no initial value to be used here",
                  shown_bytes(variable.name), variable.name.data());
    return context.nodes.literal(0);
  }
  if (variable.is_constant || initialiser) {
    i32 at = 0;
    const bool known = index == nullptr || context.nodes.is_literal(index->expr, at);
    if (known && at >= 0 && static_cast<u32>(at) < variable.size) {
      return context.nodes.literal(
          context.system.values[variable.first_value + static_cast<u32>(at)]);
    }
  }
  if (index == nullptr) return context.nodes.make(Op::variable, symbol.index, 0);
  return context.nodes.make(Op::element, symbol.index, index->expr);
}

// An optional index, then the node. `symbol` is kNone after a reported mistake.
bool parse_indexed(Context& context, const Token& name, u32 symbol, Operand& out) {
  Operand index;
  const bool has_index = context.cursor.at(Tok::left_bracket);
  if (has_index && !parse_index(context, index)) return false;
  out.expr = symbol == kNone ? context.nodes.literal(0)
                             : read_node(context, symbol, name, has_index ? &index : nullptr);
  out.end = context.cursor.last_end();
  if (context.system.expressions[out.expr].op == Op::element) {
    context.note_spot(out.expr, out.begin, out.end);
  }
  return true;
}

ExprId in_state_node(Context& context, const Token& name, const Token& state) {
  if (context.mode == Mode::initialiser) {
    context.error({name.begin, state.end},
                  "an initial value cannot depend on the state of a process");
    return context.nodes.literal(0);
  }
  const std::string_view text = context.cursor.text(name);
  if (context.lookup(text) == kNone && context.mode == Mode::model) {
    return forward_state(context, name, state);
  }
  const u32 process = context.resolve(name, Kind::process);
  if (process == kNone) return context.nodes.literal(0);
  const u32 process_number = context.symbols[process].index;
  const std::string_view state_text = context.cursor.text(state);
  const u32 found = context.symbols.find(process_number, state_text);
  if (found == kNone || context.symbols[found].kind != Kind::state) {
    context.error(span(state), "process '%.*s' has no state '%.*s'", shown_bytes(text), text.data(),
                  shown_bytes(state_text), state_text.data());
    if (found != kNone && context.symbols[found].kind == Kind::variable) {
      context.note({name.begin, state.end}, "a variable of a process is written %.*s->%.*s",
                   shown_bytes(text), text.data(), shown_bytes(state_text), state_text.data());
    }
    return context.nodes.literal(0);
  }
  return context.nodes.make(Op::in_state, process_number, context.symbols[found].index);
}

// P.q
bool parse_in_state(Context& context, const Token& name, Operand& out) {
  Token state;
  context.cursor.take();
  if (!context.cursor.expect_name(state, "the name of a state")) return false;
  out.end = state.end;
  out.expr = in_state_node(context, name, state);
  return true;
}

void note_remote_use(Context& context, const Token& name, u32 end) {
  if (context.mode == Mode::command_line || context.process == kGlobal) return;
  RemoteUse& use = context.remote_uses[context.process];
  if (use.begin == kNone) use = {name.begin, end};
}

// P->x: P must be complete, so that x and whether it is an array are known.
bool parse_remote(Context& context, const Token& name, Operand& out) {
  Token variable;
  context.cursor.take();
  if (!context.cursor.expect_name(variable, "the name of a variable")) return false;
  const std::string_view text = context.cursor.text(name);
  const std::string_view variable_text = context.cursor.text(variable);
  if (context.mode == Mode::initialiser) {
    context.error({name.begin, variable.end},
                  "an initial value cannot use a variable of another process");
    return parse_indexed(context, variable, kNone, out);
  }
  if (context.lookup(text) == kNone) {
    context.error(span(name), "no process '%.*s' is declared before this use", shown_bytes(text),
                  text.data());
    return parse_indexed(context, variable, kNone, out);
  }
  const u32 process = context.resolve(name, Kind::process);
  if (process == kNone) return parse_indexed(context, variable, kNone, out);
  u32 found = context.symbols.find(context.symbols[process].index, variable_text);
  if (found == kNone || context.symbols[found].kind != Kind::variable) {
    context.error(span(variable), "process '%.*s' has no variable '%.*s'", shown_bytes(text),
                  text.data(), shown_bytes(variable_text), variable_text.data());
    if (found != kNone && context.symbols[found].kind == Kind::state) {
      context.note({name.begin, variable.end},
                   "whether the process is in this state is written %.*s.%.*s", shown_bytes(text),
                   text.data(), shown_bytes(variable_text), variable_text.data());
    }
    found = kNone;
  }
  note_remote_use(context, name, variable.end);
  return parse_indexed(context, variable, found, out);
}

}  // namespace

bool parse_reference(Context& context, Operand& out) {
  const Token name = context.cursor.take();
  XMC_CHECK(name.kind == Tok::name);
  out = {0, name.begin, name.end, Op::literal, false};
  if (context.cursor.at(Tok::dot)) return parse_in_state(context, name, out);
  if (context.cursor.at(Tok::arrow)) return parse_remote(context, name, out);
  return parse_indexed(context, name, context.resolve(name, Kind::variable), out);
}

bool parse_lvalue(Context& context, LValue& out) {
  Cursor& cursor = context.cursor;
  Token name;
  if (!cursor.expect_name(name, "the name of a variable")) return false;
  out = {};
  if (cursor.at(Tok::arrow) || cursor.at(Tok::dot)) {
    if (!cursor.syntax_error()) return false;
    context.error({name.begin, cursor.token().end},
                  "only the process' own and global variables can be assigned");
    return false;
  }
  const u32 symbol = context.resolve(name, Kind::variable);
  Operand index;
  const bool has_index = cursor.at(Tok::left_bracket);
  if (has_index && !parse_index(context, index)) return false;
  if (symbol == kNone || !check_index(context, symbol, name, has_index ? &index : nullptr))
    return true;
  const u32 number = context.symbols[symbol].index;
  const Variable& variable = context.system.variables[number];
  if (variable.is_constant) {
    context.error(span(name), "'%.*s' is a constant and cannot be assigned",
                  shown_bytes(variable.name), variable.name.data());
    context.note_declared(context.symbols[symbol]);
    return true;
  }
  out = {number, has_index ? index.expr : kNone, name.begin, cursor.last_end()};
  return true;
}

}  // namespace xmc::dve
