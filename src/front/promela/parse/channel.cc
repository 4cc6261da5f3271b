// Sending and receiving.
#include "front/promela/parse/context.h"
#include "front/promela/parse/fold.h"
#include "xmc/text.h"

namespace xmc::promela {

namespace {

bool parse_target(Context& context) {
  Designated designated;
  if (!parse_designated(context, designated)) return false;
  Pattern pattern;
  if (designated.is_special) {
    if (designated.special != kNone) {
      context.error(designated.place, "this cannot be received into");
    }
    context.gather(context.patterns, pattern);
    return true;
  }
  pattern.kind = PatternKind::store;
  const bool is_record = designated.is_known && designated.field.type.kind == TypeKind::record;
  const u32 count = is_record ? leaves_of(context, designated.field.type) : 1;
  for (u32 i = 0; i < count && !context.cursor.abandoned(); ++i) {
    pattern.target =
        is_record ? leaf_reference(context, designated, i) : simple_reference(context, designated);
    context.gather(context.patterns, pattern);
  }
  return true;
}

bool at_mtype_name(const Context& context) {
  if (!context.cursor.at(Tok::name)) return false;
  const u32 found = context.symbols.find(context.cursor.token().text);
  return found != kNone && context.symbols[found].kind == SymbolKind::mtype_name;
}

bool parse_pattern(Context& context) {
  Cursor& cursor = context.cursor;
  Pattern pattern;
  pattern.kind = PatternKind::match;
  if (cursor.at(Tok::kw_eval)) {
    cursor.take();
    if (!cursor.expect(Tok::left_paren, "'('") || !parse_expression(context, pattern.value) ||
        !cursor.expect(Tok::right_paren, "')'")) {
      return false;
    }
  } else if (cursor.at(Tok::minus) || cursor.at(Tok::number) || at_mtype_name(context)) {
    const Token sign = cursor.token();
    if (sign.kind == Tok::minus) cursor.take();
    if (!cursor.at(Tok::number) && !at_mtype_name(context)) return cursor.fail_expected("a number");
    if (!parse_primary(context, pattern.value)) return false;
    if (sign.kind == Tok::minus) {
      pattern.value = make_unary(context, Op::negate, pattern.value, sign.place);
    }
  } else {
    return parse_target(context);
  }
  context.gather(context.patterns, pattern);
  return true;
}

void check_twice(Context& context, u32 mark, Span place) {
  const System& system = context.system;
  for (u32 i = mark; i < context.patterns.size(); ++i) {
    for (u32 j = mark; j < i; ++j) {
      if (context.patterns[i].kind != PatternKind::store) continue;
      if (context.patterns[j].kind != PatternKind::store) continue;
      const Reference& one = system.references[context.patterns[i].target];
      const Reference& other = system.references[context.patterns[j].target];
      if (one.index_count + other.index_count > 0) continue;
      if (one.scope != other.scope || one.leaf != other.leaf || one.variable == kNone) continue;
      context.error(place, "one message is received twice into the same variable");
      return;
    }
  }
}

ExprId channel_of(Context& context, const Designated& channel) {
  const ExprId expr = load_of(context, channel);
  if (channel.is_known && !context.system.expressions[expr].is_channel) {
    context.error(channel.place, "this is no channel");
  }
  return expr;
}

}  // namespace

bool parse_patterns(Context& context, u32 mark) {
  Cursor& cursor = context.cursor;
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  if (cursor.accept(Tok::left_paren)) {
    return parse_patterns(context, mark) && cursor.expect(Tok::right_paren, "')'");
  }
  for (;;) {
    if (!parse_pattern(context)) return false;
    if (cursor.accept(Tok::left_paren)) {
      return parse_patterns(context, mark) && cursor.expect(Tok::right_paren, "')'");
    }
    if (!cursor.accept(Tok::comma)) return true;
  }
}

// More values than a message has are a mistake of the text; too few are one when they are sent. To
// a trace the others can be anything.
void check_field_count(Context& context, const Designated& channel, u32 count, Span place) {
  if (channel.channel == kNone) return;
  const bool is_trace = context.setting == Setting::trace;
  const ChannelForm& form = context.system.channels[channel.channel];
  if (count == form.field_count) return;
  if (count > form.field_count) {
    context.error(place, "the messages of this channel have %u value%s, not %u",
                  static_cast<unsigned>(form.field_count), form.field_count == 1 ? "" : "s",
                  static_cast<unsigned>(count));
  } else if (!is_trace) {
    context.warning(place, "the messages of this channel have %u values: an error at run time",
                    static_cast<unsigned>(form.field_count));
  }
}

bool parse_send(Context& context, const Designated& channel, Sequence& sequence) {
  Cursor& cursor = context.cursor;
  Action action;
  action.kind = ActionKind::send;
  action.is_special = cursor.take().kind == Tok::send_sorted;
  action.channel = channel_of(context, channel);
  const u32 mark = context.gathered.size();
  bool ok = parse_argument(context);
  if (ok && cursor.accept(Tok::left_paren)) {
    ok = parse_arguments(context) && cursor.expect(Tok::right_paren, "')'");
  } else if (ok && cursor.accept(Tok::comma)) {
    ok = parse_arguments(context);
  }
  if (!ok) {
    context.gathered.cut(mark);
    return false;
  }
  action.count = context.gathered.size() - mark;
  action.first = context.settle(context.system.arguments, context.gathered, mark, "arguments");
  action.place = join(channel.place, cursor.last());
  check_field_count(context, channel, action.count, action.place);
  add_action(context, action, sequence);
  return true;
}

bool parse_receive(Context& context, const Designated& channel, Sequence& sequence) {
  Cursor& cursor = context.cursor;
  Action action;
  action.kind = ActionKind::receive;
  action.is_special = cursor.take().kind == Tok::receive_any;
  action.channel = channel_of(context, channel);
  action.stays = cursor.accept(Tok::less);
  const u32 mark = context.patterns.size();
  if (!parse_patterns(context, mark) || (action.stays && !cursor.expect(Tok::greater, "'>'"))) {
    context.patterns.cut(mark);
    return false;
  }
  action.place = join(channel.place, cursor.last());
  check_twice(context, mark, action.place);
  action.count = context.patterns.size() - mark;
  action.first = context.settle(context.system.patterns, context.patterns, mark, "patterns");
  check_field_count(context, channel, action.count, action.place);
  add_action(context, action, sequence);
  return true;
}

}  // namespace xmc::promela
