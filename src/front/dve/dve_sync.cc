// sync c!, c!e, c!{e, f}, c?, c?x, c?{x, y[i]}
#include "front/dve/dve_context.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::dve {

namespace {

bool parse_sent(Context& context, Transition& transition) {
  const Token first = context.cursor.token();
  Operand value;
  if (!parse_operand(context, value)) return false;
  context.note_spot(value.expr, value.begin, value.end);
  context.add(context.system.sent, value.expr, "sent values", span(first));
  ++transition.value_count;
  return true;
}

bool parse_received(Context& context, Transition& transition) {
  const Token first = context.cursor.token();
  LValue target;
  if (!parse_lvalue(context, target)) return false;
  context.add(context.system.received, target, "received values", span(first));
  ++transition.value_count;
  return true;
}

bool parse_values(Context& context, Transition& transition) {
  Cursor& cursor = context.cursor;
  const bool send = transition.sync == Sync::send;
  if (cursor.at(Tok::semicolon)) return true;
  const bool list = cursor.accept(Tok::left_brace);
  do {
    if (transition.value_count == limits::kSyncValues) {
      const Token& token = cursor.token();
      if (!cursor.syntax_error()) return false;
      context.error(span(token), "a synchronisation carries at most %u values",
                    static_cast<unsigned>(limits::kSyncValues));
      return false;
    }
    const bool parsed =
        send ? parse_sent(context, transition) : parse_received(context, transition);
    if (!parsed) return false;
  } while (list && cursor.accept(Tok::comma));
  return !list || cursor.expect(Tok::right_brace, "',' or '}'");
}

// A typed channel carries what its types say, or nothing.
void check_typed(Context& context, const Channel& channel, ChannelUse& first,
                 const ChannelUse& use) {
  const int bytes = shown_bytes(channel.name);
  if (use.count != 0 && use.count != channel.value_count) {
    context.error(span(use), "%u value%s on channel '%.*s', which is declared with %u type%s",
                  static_cast<unsigned>(use.count), use.count == 1 ? "" : "s", bytes,
                  channel.name.data(), static_cast<unsigned>(channel.value_count),
                  channel.value_count == 1 ? "" : "s");
    return;
  }
  if (first.begin == kNone) first = use;
  if (use.count == first.count || first.mixed) return;
  first.mixed = true;
  context.warning(span(use), "channel '%.*s' is used with values and without", bytes,
                  channel.name.data());
  context.note(span(first), "this is its first use");
}

// All uses of an untyped channel carry the same number of values, and the first use says how many.
void check_count(Context& context, u32 number, const ChannelUse& use) {
  Channel& channel = context.system.channels[number];
  ChannelUse& first = context.channel_uses[number];
  if (channel.typed) {
    check_typed(context, channel, first, use);
    return;
  }
  if (first.begin == kNone) {
    first = use;
    channel.value_count = use.count;
  }
  if (use.count != first.count) {
    context.error(span(use), "%u value%s on channel '%.*s', which carries %u elsewhere",
                  static_cast<unsigned>(use.count), use.count == 1 ? "" : "s",
                  shown_bytes(channel.name), channel.name.data(),
                  static_cast<unsigned>(first.count));
    context.note(span(first), "this is its first use");
  }
}

}  // namespace

bool parse_sync(Context& context, Transition& transition) {
  Cursor& cursor = context.cursor;
  Token name;
  if (!cursor.expect_name(name, "the name of a channel")) return false;
  const u32 symbol = context.resolve(name, Kind::channel);
  if (cursor.accept(Tok::exclamation)) {
    transition.sync = Sync::send;
    transition.first_value = context.system.sent.size();
  } else if (cursor.accept(Tok::question)) {
    transition.sync = Sync::receive;
    transition.first_value = context.system.received.size();
  } else {
    return cursor.fail_expected("'!' or '?'");
  }
  transition.value_count = 0;
  if (!parse_values(context, transition)) return false;
  const u32 end = cursor.last_end();
  if (symbol != kNone) {
    transition.channel = context.symbols[symbol].index;
    check_count(context, transition.channel, {name.begin, end, transition.value_count, false});
  }
  return cursor.expect(Tok::semicolon, "';'");
}

}  // namespace xmc::dve
