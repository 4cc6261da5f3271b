// Declarations of variables and channels.
#include "front/dve/dve_context.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::dve {

namespace {

// [ number ]: reports what is not a number in lowest..highest, and then goes on with `lowest`.
bool parse_size(Context& context, const char* what, u32 lowest, u32 highest, u32& out) {
  Cursor& cursor = context.cursor;
  out = lowest;
  cursor.take();
  const Token token = cursor.token();
  if (token.kind == Tok::name) {
    context.error(span(token), "the %s must be a number; a name is not allowed", what);
    cursor.take();
    return cursor.expect(Tok::right_bracket, "']'");
  }
  if (!cursor.expect(Tok::number, "a number")) return false;
  const u32 value = static_cast<u32>(token.value);
  if (value < lowest || value > highest) {
    context.error(span(token), "the %s is %u; it must be from %u to %u", what,
                  static_cast<unsigned>(value), static_cast<unsigned>(lowest),
                  static_cast<unsigned>(highest));
  } else {
    out = value;
  }
  return cursor.expect(Tok::right_bracket, "']'");
}

// One initial value; what has no value or does not fit the type is reported and counts as 0.
bool parse_value(Context& context, const Variable& variable, bool kept, i32& out) {
  Operand operand;
  context.mode = Mode::initialiser;
  const u32 errors = context.diagnostics.error_count();
  const bool parsed = parse_operand(context, operand);
  context.mode = Mode::model;
  out = 0;
  if (!parsed) return false;
  if (!context.nodes.is_literal(operand.expr, out)) {
    if (context.diagnostics.error_count() == errors && !context.cursor.abandoned()) {
      context.error(span(operand), "this initial value divides by zero or reads outside an array");
    }
    return true;
  }
  const i32 lowest = variable.is_byte ? 0 : -32768;
  const i32 highest = variable.is_byte ? 255 : 32767;
  if (kept && (out < lowest || out > highest)) {
    context.error(span(operand), "%d does not fit %s, which holds %d to %d", static_cast<int>(out),
                  variable.is_byte ? "a byte" : "an int", static_cast<int>(lowest),
                  static_cast<int>(highest));
    out = 0;
  }
  return true;
}

bool parse_value_list(Context& context, const Variable& variable) {
  Cursor& cursor = context.cursor;
  u32 count = 0;
  u32 surplus_begin = kNone;
  do {
    const u32 begin = cursor.token().begin;
    const bool kept = count < variable.size;
    i32 value = 0;
    if (!parse_value(context, variable, kept, value)) return false;
    if (kept) {
      context.system.values[variable.first_value + count] = value;
    } else if (surplus_begin == kNone) {
      surplus_begin = begin;
    }
    ++count;
  } while (cursor.accept(Tok::comma));
  if (surplus_begin != kNone) {
    context.warning({surplus_begin, cursor.last_end()},
                    "%u values for the %u element%s of '%.*s'; the surplus is dropped",
                    static_cast<unsigned>(count), static_cast<unsigned>(variable.size),
                    variable.size == 1 ? "" : "s", shown_bytes(variable.name),
                    variable.name.data());
  }
  return cursor.expect(Tok::right_brace, "',' or '}'");
}

bool parse_initialiser(Context& context, const Variable& variable, const Token& name) {
  Cursor& cursor = context.cursor;
  const Token first = cursor.token();
  if (cursor.accept(Tok::left_brace)) {
    if (!variable.is_array) {
      context.error(span(first), "'%.*s' is not an array; write one value without braces",
                    shown_bytes(variable.name), variable.name.data());
    }
    return parse_value_list(context, variable);
  }
  if (variable.is_array) {
    context.error(span(name), "the initial values of an array are written { ... }");
  }
  i32 value = 0;
  if (!parse_value(context, variable, true, value)) return false;
  context.system.values[variable.first_value] = value;
  return true;
}

bool parse_declarator(Context& context, bool is_constant, bool is_byte) {
  Cursor& cursor = context.cursor;
  Token name;
  if (!cursor.expect_name(name, "the name of a variable")) return false;
  Variable variable;
  variable.name = cursor.text(name);
  variable.process = context.process;
  variable.line = name.line;
  variable.is_constant = is_constant;
  variable.is_byte = is_byte;
  variable.is_array = cursor.at(Tok::left_bracket);
  if (variable.is_array &&
      !parse_size(context, "size of an array", 1, limits::kArrayElements, variable.size)) {
    return false;
  }
  variable.first_value = context.system.values.size();
  for (u32 i = 0; i < variable.size && !cursor.abandoned(); ++i) {
    context.add(context.system.values, 0, "array elements", span(name));
  }
  const u32 errors = context.diagnostics.error_count();
  const u32 number = context.add(context.system.variables, variable, "variables", span(name));
  const u32 symbol = context.declare(name, Kind::variable, number);
  const bool fresh = context.diagnostics.error_count() == errors;
  if (cursor.abandoned()) return false;
  if (!cursor.accept(Tok::assign)) {
    if (is_constant) {
      context.warning(span(name), "constant '%.*s' is given no value and is 0",
                      shown_bytes(variable.name), variable.name.data());
    }
    return true;
  }
  const bool parsed = parse_initialiser(context, variable, name);
  if (fresh) context.symbols[symbol].initialised = true;
  return parsed;
}

bool parse_type(Context& context, bool& is_byte) {
  is_byte = context.cursor.at(Tok::kw_byte);
  if (is_byte || context.cursor.at(Tok::kw_int)) {
    context.cursor.take();
    return true;
  }
  return context.cursor.fail_expected("'byte' or 'int'");
}

bool parse_channel(Context& context, Channel channel) {
  Cursor& cursor = context.cursor;
  Token name;
  if (!cursor.expect_name(name, "the name of a channel")) return false;
  channel.name = cursor.text(name);
  channel.line = name.line;
  if (cursor.at(Tok::left_bracket)) {
    if (!channel.typed) {
      context.error({name.begin, cursor.token().end},
                    "a channel with a buffer must have types: channel {byte} %.*s[...]",
                    shown_bytes(channel.name), channel.name.data());
    }
    const u32 values = channel.value_count > 0 ? channel.value_count : 1;
    const u32 highest = limits::kArrayElements / values;
    if (!parse_size(context, "capacity of a channel", 0, highest, channel.capacity)) return false;
  } else if (channel.typed) {
    context.error(span(name),
                  "a channel with types needs a capacity: %.*s[0] for one without buffer",
                  shown_bytes(channel.name), channel.name.data());
  }
  const u32 number = context.add(context.system.channels, channel, "channels", span(name));
  context.add(context.channel_uses, ChannelUse{}, "channels", span(name));
  context.declare(name, Kind::channel, number);
  return true;
}

bool parse_channel_types(Context& context, Channel& channel) {
  Cursor& cursor = context.cursor;
  channel.typed = true;
  channel.first_type = context.system.types.size();
  do {
    const Token type = cursor.token();
    bool is_byte = true;
    if (!parse_type(context, is_byte)) return false;
    if (channel.value_count == limits::kSyncValues) {
      context.error(span(type), "a channel carries at most %u values",
                    static_cast<unsigned>(limits::kSyncValues));
      return false;
    }
    context.add(context.system.types, u8{is_byte}, "channel types", span(type));
    ++channel.value_count;
  } while (cursor.accept(Tok::comma));
  return cursor.expect(Tok::right_brace, "',' or '}'");
}

}  // namespace

bool parse_variables(Context& context) {
  Cursor& cursor = context.cursor;
  const bool is_constant = cursor.accept(Tok::kw_const);
  bool is_byte = true;
  if (!parse_type(context, is_byte)) return false;
  do {
    if (!parse_declarator(context, is_constant, is_byte)) return false;
  } while (cursor.accept(Tok::comma));
  return cursor.expect(Tok::semicolon, "',' or ';'");
}

bool parse_channels(Context& context) {
  Cursor& cursor = context.cursor;
  const Token word = cursor.take();
  XMC_CHECK(word.kind == Tok::kw_channel);
  Channel channel;
  if (cursor.accept(Tok::left_brace) && !parse_channel_types(context, channel)) return false;
  do {
    if (!parse_channel(context, channel)) return false;
  } while (cursor.accept(Tok::comma));
  return cursor.expect(Tok::semicolon, "',' or ';'");
}

}  // namespace xmc::dve
