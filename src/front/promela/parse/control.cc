// Constructs: selections, loops, blocks, jumps.
#include "front/promela/parse/context.h"
#include "front/promela/parse/fold.h"
#include "xmc/text.h"

namespace xmc::promela {

bool at_control(const Context& context) {
  switch (context.cursor.token().kind) {
    case Tok::kw_if:
    case Tok::kw_do:
    case Tok::kw_atomic:
    case Tok::kw_d_step:
    case Tok::left_brace:
    case Tok::kw_for:
    case Tok::kw_select:
    case Tok::kw_goto:
    case Tok::kw_break:
    case Tok::kw_else:
      return true;
    default:
      return false;
  }
}

namespace {

// What is computed is an ordinary statement, even if nothing but 1 can come out.
bool is_skip(const Context& context, const Node& node) {
  if (node.kind != NodeKind::basic || node.is_labelled) return false;
  const Action& action = context.system.actions[node.action];
  return action.kind == ActionKind::condition && is_written(context, action.value, 1);
}

bool is_print(const Context& context, const Node& node) {
  return node.kind == NodeKind::basic && !node.is_labelled &&
         context.system.actions[node.action].kind == ActionKind::print;
}

// Of several skips in the middle of an option only the first is kept: SPIN counts so.
void drop_skips(Context& context, const Sequence& sequence) {
  u32 in_a_row = 0;
  NodeId before = kNone;
  for (NodeId id = sequence.first; id != kNone; id = context.nodes[id].next) {
    const Node& node = context.nodes[id];
    const bool skips = is_skip(context, node);
    in_a_row = skips || is_print(context, node) ? in_a_row + 1 : 0;
    if (skips && in_a_row > 1 && id != sequence.first && id != sequence.last) {
      context.nodes[before].next = node.next;
    } else {
      before = id;
    }
  }
}

bool check_sequence(Context& context, const Sequence& sequence, Span place) {
  if (sequence.first != kNone) return true;
  context.error(place, "there is no statement in here; write 'skip'");
  return false;
}

bool is_else(const Context& context, const Node& node) {
  return node.kind == NodeKind::basic &&
         context.system.actions[node.action].kind == ActionKind::otherwise;
}

bool parse_else(Context& context, Sequence& sequence) {
  Action action;
  action.kind = ActionKind::otherwise;
  action.place = context.cursor.take().place;
  add_action(context, action, sequence);
  return true;
}

// At '::'. An option with `else` goes to the end of its list.
bool parse_option(Context& context, Sequence& options, NodeId& last) {
  Cursor& cursor = context.cursor;
  Node option;
  option.kind = NodeKind::option;
  option.span = cursor.take().place;
  cursor.accept_separators();
  Sequence inside;
  if (cursor.at(Tok::kw_else)) {
    if (!parse_else(context, inside)) return false;
  } else if (at_label(context)) {
    context.warning(cursor.here(), "no process is ever at a label in front of an option");
  }
  if (!parse_sequence(context, inside)) return false;
  if (!check_sequence(context, inside, option.span)) return true;
  if (context.setting != Setting::claim) drop_skips(context, inside);
  option.first = inside.first;
  if (is_else(context, context.nodes[inside.first])) {
    const Span place = context.nodes[inside.first].span;
    if (last != kNone) context.error(place, "a selection has one 'else' at most");
    Sequence alone;
    last = add_node(context, option, alone);
  } else {
    add_node(context, option, options);
  }
  return true;
}

// `if options fi`, `do options od`
bool parse_options(Context& context, NodeKind kind, Tok end, Sequence& sequence) {
  Cursor& cursor = context.cursor;
  Node node;
  node.kind = kind;
  node.span = cursor.take().place;
  const NodeId id = add_node(context, node, sequence);
  const Within<NodeId> loop(context.loop, kind == NodeKind::loop ? id : context.loop);
  cursor.accept_separators();
  Sequence options;
  NodeId last = kNone;
  if (!cursor.at(Tok::colons)) return cursor.fail_expected("'::'");
  while (cursor.at(Tok::colons)) {
    if (!parse_option(context, options, last)) return false;
  }
  if (!cursor.expect(end, kind == NodeKind::loop ? "'::' or 'od'" : "'::' or 'fi'")) return false;
  context.nodes[id].last = cursor.last();
  if (last != kNone && options.first != kNone) context.nodes[options.last].next = last;
  context.nodes[id].first = options.first != kNone ? options.first : last;
  return true;
}

bool parse_block(Context& context, NodeKind kind, Sequence& sequence) {
  Cursor& cursor = context.cursor;
  Node node;
  node.kind = kind;
  node.span = cursor.here();
  if (kind != NodeKind::block) cursor.take();
  if (!cursor.expect(Tok::left_brace, "'{'")) return false;
  const bool inner = context.in_indivisible || kind == NodeKind::indivisible;
  const Within<bool> indivisible(context.in_indivisible, inner);
  const InScope scope(context);
  Sequence inside;
  cursor.accept_separators();
  if (at_label(context)) {
    context.error(cursor.here(),
                  "a label stands in front of the block, not of its first statement");
  }
  if (!parse_sequence(context, inside) || !cursor.expect(Tok::right_brace, "'}'")) return false;
  if (!check_sequence(context, inside, node.span)) return true;
  node.first = inside.first;
  add_node(context, node, sequence);
  return true;
}

bool parse_goto(Context& context, Sequence& sequence) {
  Node node;
  node.kind = NodeKind::jump;
  node.span = context.cursor.take().place;
  Token label;
  if (!context.cursor.expect_name(label, "the name of a label")) return false;
  node.label = label.text;
  node.call = context.call;
  node.span = join(node.span, label.place);
  add_node(context, node, sequence);
  return true;
}

bool parse_break(Context& context, Sequence& sequence) {
  Node node;
  node.kind = NodeKind::jump;
  node.span = context.cursor.take().place;
  node.target = context.loop;
  if (context.loop == kNone) {
    context.error(node.span, "there is no loop that 'break' could leave");
    return true;
  }
  add_node(context, node, sequence);
  return true;
}

}  // namespace

bool parse_control(Context& context, Sequence& sequence) {
  switch (context.cursor.token().kind) {
    case Tok::kw_if:
      return parse_options(context, NodeKind::selection, Tok::kw_fi, sequence);
    case Tok::kw_do:
      return parse_options(context, NodeKind::loop, Tok::kw_od, sequence);
    case Tok::kw_atomic:
      return parse_block(context, NodeKind::atomic, sequence);
    case Tok::kw_d_step:
      return parse_block(context, NodeKind::indivisible, sequence);
    case Tok::left_brace:
      return parse_block(context, NodeKind::block, sequence);
    case Tok::kw_for:
      return parse_for(context, sequence);
    case Tok::kw_select:
      return parse_select(context, sequence);
    case Tok::kw_goto:
      return parse_goto(context, sequence);
    case Tok::kw_break:
      return parse_break(context, sequence);
    default:
      context.warning(context.cursor.here(),
                      "this 'else' is not the first statement of an option, and is executed "
                      "whenever nothing in front of it at its place can be; is a '::' missing?");
      return parse_else(context, sequence);
  }
}

}  // namespace xmc::promela
