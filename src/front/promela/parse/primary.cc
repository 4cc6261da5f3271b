// The smallest parts of expressions.
#include "front/promela/parse/context.h"
#include "front/promela/parse/fold.h"

namespace xmc::promela {

namespace {

// len, empty and their like: `word ( channel )`.
bool parse_channel_question(Context& context, Op op, ExprId& out) {
  Cursor& cursor = context.cursor;
  const Span begin = cursor.take().place;
  Designated channel;
  if (!cursor.expect(Tok::left_paren, "'('") || !parse_designated(context, channel) ||
      !cursor.expect(Tok::right_paren, "')'")) {
    return false;
  }
  Expr node;
  node.op = op;
  node.a = load_of(context, channel);
  node.place = join(begin, cursor.last());
  if (channel.is_known && !context.system.expressions[node.a].is_channel) {
    context.error(channel.place, "this asks for a channel");
  }
  out = make_node(context, node, node.a);
  return true;
}

// enabled(pid), get_priority(pid)
bool parse_process_question(Context& context, Op op, ExprId& out) {
  Cursor& cursor = context.cursor;
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  const Span begin = cursor.take().place;
  Expr node;
  node.op = op;
  if (!cursor.expect(Tok::left_paren, "'('") || !parse_expression(context, node.a) ||
      !cursor.expect(Tok::right_paren, "')'")) {
    return false;
  }
  node.place = join(begin, cursor.last());
  if (op == Op::priority_of) context.system.uses_priorities = true;
  out = make_node(context, node, node.a);
  return true;
}

bool parse_word(Context& context, Op op, ExprId& out) {
  Expr node;
  node.op = op;
  node.place = context.cursor.take().place;
  out = make_node(context, node, kNone);
  return true;
}

bool parse_poll(Context& context, const Designated& channel, ExprId& out) {
  Cursor& cursor = context.cursor;
  Expr node;
  node.op = Op::poll;
  node.a = load_of(context, channel);
  node.value = cursor.at(Tok::receive_any);
  cursor.take();
  cursor.take();
  const u32 mark = context.patterns.size();
  if (!parse_patterns(context, mark) || !cursor.expect(Tok::right_bracket, "']'")) {
    context.patterns.cut(mark);
    return false;
  }
  node.c = context.patterns.size() - mark;
  node.b = context.settle(context.system.patterns, context.patterns, mark, "patterns");
  node.place = join(channel.place, cursor.last());
  if (channel.is_known && !context.system.expressions[node.a].is_channel) {
    context.error(channel.place, "only a channel can be asked for its messages");
  }
  out = make_node(context, node, node.a);
  return true;
}

bool parse_named(Context& context, ExprId& out) {
  if (at_remote(context)) return parse_remote(context, out);
  const Token name = context.cursor.token();
  const u32 found = context.symbols.find(name.text);
  if (found != kNone && context.symbols[found].kind == SymbolKind::mtype_name) {
    context.cursor.take();
    const i32 value = context.system.mtype_names[context.symbols[found].index].value;
    out = make_literal(context, value, name.place);
    return true;
  }
  Designated designated;
  return parse_designated(context, designated) && parse_primary_from(context, designated, out);
}

}  // namespace

bool parse_primary_from(Context& context, const Designated& designated, ExprId& out) {
  Cursor& cursor = context.cursor;
  const bool asks = cursor.at(Tok::question) || cursor.at(Tok::receive_any);
  if (asks && cursor.peek().kind == Tok::left_bracket) return parse_poll(context, designated, out);
  out = load_of(context, designated);
  return true;
}

bool parse_primary(Context& context, ExprId& out) {
  Cursor& cursor = context.cursor;
  const Token token = cursor.token();
  switch (token.kind) {
    case Tok::number:
      cursor.take();
      out = make_literal(context, token.value, token.place);
      return true;
    case Tok::left_paren:
      return parse_parenthesis(context, out);
    case Tok::name:
      return parse_named(context, out);
    case Tok::kw_run:
      return parse_run(context, out);
    case Tok::kw_len:
      return parse_channel_question(context, Op::length, out);
    case Tok::kw_empty:
      return parse_channel_question(context, Op::is_empty, out);
    case Tok::kw_nempty:
      return parse_channel_question(context, Op::is_not_empty, out);
    case Tok::kw_full:
      return parse_channel_question(context, Op::is_full, out);
    case Tok::kw_nfull:
      return parse_channel_question(context, Op::is_not_full, out);
    case Tok::kw_timeout:
      return parse_word(context, Op::timeout, out);
    case Tok::kw_np_:
      return parse_word(context, Op::no_progress, out);
    case Tok::kw_enabled:
      return parse_process_question(context, Op::enabled, out);
    case Tok::kw_get_priority:
      return parse_process_question(context, Op::priority_of, out);
    case Tok::kw_pc_value:
      return refuse(context,
                    "pc_value is not supported: its numbers are those of SPIN's places; "
                    "write a remote reference to a label");
    case Tok::kw_c_expr:
      return refuse(context, "embedded C cannot be verified here; write the expression in Promela");
    case Tok::string:
      return refuse(context, "a text is no value");
    default:
      return cursor.fail_expected("an expression");
  }
}

}  // namespace xmc::promela
