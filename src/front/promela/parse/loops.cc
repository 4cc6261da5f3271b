// `for` and `select`, which are written out as the statements that they stand for.
#include "front/promela/parse/context.h"
#include "front/promela/parse/fold.h"
#include "xmc/text.h"

namespace xmc::promela {

namespace {

void add_assignment(Context& context, RefId target, ExprId value, Span place, Sequence& sequence) {
  Action action;
  action.kind = ActionKind::assign;
  action.target = target;
  action.value = value;
  action.place = place;
  add_action(context, action, sequence);
}

void add_increment(Context& context, const Designated& variable, Sequence& sequence) {
  const ExprId one = make_literal(context, 1, variable.place);
  const ExprId sum = make_binary(context, Op::add, load_of(context, variable), one);
  add_assignment(context, simple_reference(context, variable), sum, variable.place, sequence);
}

void add_condition(Context& context, ExprId value, Span place, Sequence& sequence) {
  Action action;
  action.value = value;
  action.place = place;
  add_action(context, action, sequence);
}

void add_option(Context& context, const Sequence& inside, Span place, Sequence& options) {
  Node option;
  option.kind = NodeKind::option;
  option.first = inside.first;
  option.span = place;
  add_node(context, option, options);
}

// `break`, alone or behind `else`.
void add_exit(Context& context, NodeId loop, bool has_else, Span place, Sequence& options) {
  Sequence inside;
  if (has_else) {
    Action otherwise;
    otherwise.kind = ActionKind::otherwise;
    otherwise.place = place;
    add_action(context, otherwise, inside);
  }
  Node jump;
  jump.kind = NodeKind::jump;
  jump.target = loop;
  jump.span = place;
  add_node(context, jump, inside);
  add_option(context, inside, place, options);
}

// Behind the ')': the statements between braces, in the option that the caller has begun.
bool parse_for_body(Context& context, NodeId loop, Sequence& inside) {
  Cursor& cursor = context.cursor;
  cursor.accept_separators();
  if (!cursor.expect(Tok::left_brace, "'{'")) return false;
  const Within<NodeId> within(context.loop, loop);
  const InScope scope(context);
  return parse_sequence(context, inside) && cursor.expect(Tok::right_brace, "'}'");
}

NodeId add_loop(Context& context, Span place, Sequence& sequence) {
  Node node;
  node.kind = NodeKind::loop;
  node.span = node.last = place;
  return add_node(context, node, sequence);
}

// The rest of the option that begins with `inside`, and the way out.
bool finish_for(Context& context, const Designated& counter, Sequence inside, Span place,
                NodeId loop) {
  Sequence options;
  if (!parse_for_body(context, loop, inside)) return false;
  add_increment(context, counter, inside);
  add_option(context, inside, place, options);
  add_exit(context, loop, true, place, options);
  context.nodes[loop].first = options.first;
  return true;
}

// for (variable : from .. to) body
bool parse_range_for(Context& context, const Designated& variable, Span place, ExprId from,
                     ExprId to, Sequence& sequence) {
  add_assignment(context, simple_reference(context, variable), from, place, sequence);
  const NodeId loop = add_loop(context, place, sequence);
  Sequence inside;
  const ExprId test = make_binary(context, Op::less_equal, load_of(context, variable), to);
  add_condition(context, test, place, inside);
  return finish_for(context, variable, inside, place, loop);
}

Designated counter_of(Context& context, Span place) {
  Designated counter;
  const u32 id = add_hidden_counter(context, place);
  counter.field = context.system.locals[id];
  counter.reference.scope = Scope::local;
  counter.reference.variable = id;
  counter.reference.leaf = counter.field.leaf;
  counter.is_known = true;
  counter.is_indexed = true;
  counter.place = place;
  return counter;
}

// The messages of a channel go once around it, through `message`.
void add_rotation(Context& context, const Designated& message, const Designated& channel,
                  Span place, Sequence& inside) {
  const u32 count =
      message.field.type.kind == TypeKind::record ? leaves_of(context, message.field.type) : 1;
  Action receive;
  receive.kind = ActionKind::receive;
  receive.channel = load_of(context, channel);
  receive.place = place;
  receive.count = count;
  receive.first = context.system.patterns.size();
  for (u32 i = 0; i < count; ++i) {
    Pattern pattern;
    pattern.kind = PatternKind::store;
    pattern.target = leaf_reference(context, message, i);
    context.add(context.system.patterns, pattern, "patterns", place);
  }
  add_action(context, receive, inside);
  const u32 mark = context.gathered.size();
  for (u32 i = 0; i < count; ++i) {
    Expr node;
    node.op = Op::load;
    node.a = leaf_reference(context, message, i);
    node.place = place;
    context.gather(context.gathered, make_node(context, node, kNone));
  }
  Action send;
  send.kind = ActionKind::send;
  send.channel = load_of(context, channel);
  send.place = place;
  send.count = count;
  send.first = context.settle(context.system.arguments, context.gathered, mark, "arguments");
  add_action(context, send, inside);
  check_field_count(context, channel, count, place);
}

// for (message in channel) body
bool parse_channel_for(Context& context, const Designated& message, const Designated& channel,
                       Span place, Sequence& sequence) {
  if (context.proctype == kNone) return false;
  const Designated counter = counter_of(context, place);
  const ExprId zero = make_literal(context, 0, place);
  add_assignment(context, simple_reference(context, counter), zero, place, sequence);
  const NodeId loop = add_loop(context, place, sequence);
  Expr length;
  length.op = Op::length;
  length.a = load_of(context, channel);
  length.place = place;
  const ExprId size = make_node(context, length, length.a);
  const ExprId test = make_binary(context, Op::less, load_of(context, counter), size);
  Sequence inside;
  add_condition(context, test, place, inside);
  if (message.is_known && !message.is_special) {
    add_rotation(context, message, channel, place, inside);
  }
  return finish_for(context, counter, inside, place, loop);
}

bool parse_for_in(Context& context, const Designated& variable, Span place, Sequence& sequence) {
  Cursor& cursor = context.cursor;
  Designated whole;
  if (!parse_designated(context, whole) || !cursor.expect(Tok::right_paren, "')'")) return false;
  const bool is_array = whole.is_known && whole.field.elements > 0 && !whole.is_indexed;
  if (is_array) {
    const ExprId from = make_literal(context, 0, place);
    const ExprId to =
        make_literal(context, static_cast<i32>(whole.field.elements) - 1, whole.place);
    return parse_range_for(context, variable, place, from, to, sequence);
  }
  if (whole.is_known && !whole.field.type.leaf.is_channel) {
    context.error(whole.place, "'for' goes through an array or a channel");
  }
  return parse_channel_for(context, variable, whole, place, sequence);
}

}  // namespace

bool parse_for(Context& context, Sequence& sequence) {
  Cursor& cursor = context.cursor;
  const Span begin = cursor.take().place;
  Designated variable;
  if (!cursor.expect(Tok::left_paren, "'('") || !parse_designated(context, variable)) return false;
  if (cursor.at_word("in")) {
    cursor.take();
    return parse_for_in(context, variable, begin, sequence);
  }
  ExprId from = kNone;
  ExprId to = kNone;
  if (!cursor.expect(Tok::colon, "':' or 'in'") || !parse_expression(context, from) ||
      !cursor.expect(Tok::dots, "'..'") || !parse_expression(context, to) ||
      !cursor.expect(Tok::right_paren, "')'")) {
    return false;
  }
  return parse_range_for(context, variable, join(begin, cursor.last()), from, to, sequence);
}

namespace {

// One assignment for each value.
void add_choices(Context& context, const Designated& variable, i32 from, i32 to, Span place,
                 Sequence& sequence) {
  Sequence options;
  for (i32 value = from; value <= to; ++value) {
    Sequence inside;
    const ExprId literal = make_literal(context, value, place);
    add_assignment(context, simple_reference(context, variable), literal, place, inside);
    add_option(context, inside, place, options);
  }
  Node node;
  node.kind = NodeKind::selection;
  node.first = options.first;
  node.span = node.last = place;
  add_node(context, node, sequence);
}

bool is_plain_number(const Token& token) {
  return token.kind == Tok::number && token.text[0] >= '0' && token.text[0] <= '9';
}

constexpr i64 kWrittenOut = 32;  // a `select` over at most so many values more is one step

}  // namespace

bool parse_select(Context& context, Sequence& sequence) {
  Cursor& cursor = context.cursor;
  const Span begin = cursor.take().place;
  Designated variable;
  if (!cursor.expect(Tok::left_paren, "'('")) return false;
  const Token name = cursor.token();
  if (!parse_designated(context, variable) || !cursor.expect(Tok::colon, "':'")) return false;
  const bool is_name = variable.place.end == name.place.end;
  const Token low = cursor.token();
  const bool low_plain = is_plain_number(low) && cursor.peek().kind == Tok::dots;
  ExprId from = kNone;
  if (!parse_expression(context, from) || !cursor.expect(Tok::dots, "'..'")) return false;
  const Token high = cursor.token();
  const bool high_plain = is_plain_number(high) && cursor.peek().kind == Tok::right_paren;
  ExprId to = kNone;
  if (!parse_expression(context, to) || !cursor.expect(Tok::right_paren, "')'")) return false;
  const Span place = join(begin, cursor.last());
  const i64 distance = i64{high.value} - i64{low.value};
  if (is_name && low_plain && high_plain && distance >= 0 && distance <= kWrittenOut) {
    add_choices(context, variable, low.value, high.value, place, sequence);
    return true;
  }
  add_assignment(context, simple_reference(context, variable), from, place, sequence);
  const NodeId loop = add_loop(context, place, sequence);
  Sequence inside;
  Sequence options;
  const ExprId test = make_binary(context, Op::less, load_of(context, variable), to);
  add_condition(context, test, place, inside);
  add_increment(context, variable, inside);
  add_option(context, inside, place, options);
  add_exit(context, loop, false, place, options);
  context.nodes[loop].first = options.first;
  return true;
}

}  // namespace xmc::promela
