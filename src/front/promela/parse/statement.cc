// Sequences, and the statements that are no constructs.
#include "front/promela/parse/context.h"
#include "front/promela/parse/fold.h"
#include "xmc/text.h"

namespace xmc::promela {

NodeId add_node(Context& context, const Node& node, Sequence& sequence) {
  const NodeId id = context.add(context.nodes, node, "statements", node.span);
  if (context.cursor.abandoned()) return id;
  if (sequence.first == kNone) {
    sequence.first = id;
  } else {
    context.nodes[sequence.last].next = id;
  }
  sequence.last = id;
  return id;
}

NodeId add_action(Context& context, const Action& action, Sequence& sequence) {
  const bool changes = action.kind == ActionKind::assign || action.kind == ActionKind::send ||
                       action.kind == ActionKind::receive ||
                       action.kind == ActionKind::set_priority;
  if (changes && context.setting == Setting::claim) {
    context.error(action.place, "a never claim only looks; it changes nothing");
  }
  Node node;
  node.action = context.add(context.system.actions, action, "statements", action.place);
  node.span = action.place;
  return add_node(context, node, sequence);
}

namespace {

bool at_sequence_end(const Context& context) {
  switch (context.cursor.token().kind) {
    case Tok::end:
    case Tok::right_brace:
    case Tok::colons:
    case Tok::kw_fi:
    case Tok::kw_od:
      return true;
    default:
      return false;
  }
}

bool refuse_c(Context& context) {
  return refuse(context, "embedded C cannot be verified here; write these statements in Promela");
}

bool parse_assignment(Context& context, const Designated& target, Sequence& sequence) {
  Cursor& cursor = context.cursor;
  const Token mark = cursor.take();
  Action action;
  action.kind = ActionKind::assign;
  const bool is_priority =
      target.special != kNone && context.system.expressions[target.special].op == Op::own_priority;
  if (target.special != kNone && !is_priority) {
    context.error(target.place, "this cannot be assigned to");
  }
  action.target = simple_reference(context, target);
  if (mark.kind == Tok::assign) {
    if (at_call(context)) return parse_call(context, action.target, sequence);
    if (!parse_expression(context, action.value)) return false;
  } else {
    const Op op = mark.kind == Tok::increment ? Op::add : Op::subtract;
    const ExprId one = make_literal(context, 1, mark.place);
    action.value = make_binary(context, op, load_of(context, target), one);
  }
  action.place = join(target.place, cursor.last());
  if (is_priority) {
    Expr self;
    self.op = Op::own_pid;
    self.place = target.place;
    action.kind = ActionKind::set_priority;
    action.channel = make_node(context, self, kNone);
  }
  add_action(context, action, sequence);
  return true;
}

bool add_condition(Context& context, Span begin, ExprId expr, Sequence& sequence) {
  Action action;
  action.value = expr;
  action.place = join(begin, context.cursor.last());
  if (context.system.expressions[expr].is_channel) {
    context.error(action.place, "a channel is no condition");
  }
  add_action(context, action, sequence);
  return true;
}

// A statement that begins with a variable: what follows it decides.
bool parse_named_statement(Context& context, Sequence& sequence) {
  Cursor& cursor = context.cursor;
  const Span begin = cursor.here();
  Designated designated;
  if (!parse_designated(context, designated)) return false;
  ExprId expr = kNone;
  switch (cursor.token().kind) {
    case Tok::assign:
    case Tok::increment:
    case Tok::decrement:
      return parse_assignment(context, designated, sequence);
    case Tok::exclamation:
    case Tok::send_sorted:
      return parse_send(context, designated, sequence);
    case Tok::question:
    case Tok::receive_any:
      if (cursor.peek().kind != Tok::left_bracket) {
        return parse_receive(context, designated, sequence);
      }
      break;
    default:
      break;
  }
  return parse_primary_from(context, designated, expr) && parse_expression_from(context, expr) &&
         add_condition(context, begin, expr, sequence);
}

bool parse_condition(Context& context, Sequence& sequence) {
  const Span begin = context.cursor.here();
  ExprId expr = kNone;
  return parse_expression(context, expr) && add_condition(context, begin, expr, sequence);
}

bool parse_assertion(Context& context, Sequence& sequence) {
  Action action;
  action.kind = ActionKind::assertion;
  const Span begin = context.cursor.take().place;
  if (!parse_expression(context, action.value)) return false;
  action.place = join(begin, context.cursor.last());
  add_action(context, action, sequence);
  return true;
}

// printf ( text, values ) and printm ( value )
bool parse_print(Context& context, Sequence& sequence) {
  Cursor& cursor = context.cursor;
  Action action;
  action.kind = ActionKind::print;
  const Token word = cursor.take();
  if (!cursor.expect(Tok::left_paren, "'('")) return false;
  const u32 mark = context.gathered.size();
  if (word.kind == Tok::kw_printf) {
    action.text = cursor.token().text;
    if (!cursor.expect(Tok::string, "a text")) return false;
  }
  bool ok = word.kind == Tok::kw_printf ? !cursor.accept(Tok::comma) || parse_arguments(context)
                                        : parse_argument(context);
  ok = ok && cursor.expect(Tok::right_paren, "')'");
  if (!ok) {
    context.gathered.cut(mark);
    return false;
  }
  action.count = context.gathered.size() - mark;
  action.first = context.settle(context.system.arguments, context.gathered, mark, "arguments");
  action.place = join(word.place, cursor.last());
  add_action(context, action, sequence);
  return true;
}

bool parse_set_priority(Context& context, Sequence& sequence) {
  Cursor& cursor = context.cursor;
  Action action;
  action.kind = ActionKind::set_priority;
  const Span begin = cursor.take().place;
  if (!cursor.expect(Tok::left_paren, "'('") || !parse_expression(context, action.channel) ||
      !cursor.expect(Tok::comma, "','") || !parse_expression(context, action.value) ||
      !cursor.expect(Tok::right_paren, "')'")) {
    return false;
  }
  context.system.uses_priorities = true;
  action.place = join(begin, cursor.last());
  add_action(context, action, sequence);
  return true;
}

bool parse_return(Context& context, Sequence& sequence) {
  Action action;
  action.kind = ActionKind::assign;
  const Span begin = context.cursor.take().place;
  if (!parse_expression(context, action.value)) return false;
  action.place = join(begin, context.cursor.last());
  action.target = context.result;
  if (context.result == kNone) {
    context.error(action.place,
                  "'return' gives a value to nobody: the inline's call is no "
                  "assignment");
    return true;
  }
  add_action(context, action, sequence);
  return true;
}

bool parse_basic(Context& context, Sequence& sequence) {
  context.has_run = false;
  switch (context.cursor.token().kind) {
    case Tok::kw_assert:
      return parse_assertion(context, sequence);
    case Tok::kw_printf:
    case Tok::kw_printm:
      return parse_print(context, sequence);
    case Tok::kw_set_priority:
      return parse_set_priority(context, sequence);
    case Tok::kw_return:
      return parse_return(context, sequence);
    case Tok::kw_c_code:
    case Tok::kw_c_decl:
    case Tok::kw_c_state:
    case Tok::kw_c_track:
      return refuse_c(context);
    case Tok::name: {
      if (at_call(context)) return parse_call(context, kNone, sequence);
      const u32 found = context.symbols.find(context.cursor.token().text);
      const bool is_mtype = found != kNone && context.symbols[found].kind == SymbolKind::mtype_name;
      if (!is_mtype && !at_remote(context)) return parse_named_statement(context, sequence);
      return parse_condition(context, sequence);
    }
    default:
      return parse_condition(context, sequence);
  }
}

void add_label(Context& context, const Token& name) {
  for (u32 i = context.first_label; i < context.labels.size(); ++i) {
    const LabelEntry& other = context.labels[i];
    if (other.name != name.text || other.call != context.call) continue;
    context.error(name.place, "label '%.*s' is here twice", shown_bytes(name.text),
                  name.text.data());
    context.note(other.span, "it is here, too");
    return;
  }
  LabelEntry entry;
  entry.name = name.text;
  entry.span = name.place;
  entry.call = context.call;
  context.add(context.labels, entry, "labels", name.place);
  context.add(context.system.labels, Label{name.text, name.place, kNone}, "labels", name.place);
}

bool parse_labelled(Context& context, Sequence& sequence) {
  Cursor& cursor = context.cursor;
  const u32 first = context.labels.size();
  while (at_label(context)) {
    add_label(context, cursor.take());
    cursor.take();
  }
  const u32 end = context.labels.size();
  const bool is_bare =
      cursor.at(Tok::semicolon) || cursor.at(Tok::arrow) || at_sequence_end(context);
  if (is_bare) {
    Action skip;
    skip.place = cursor.last();
    skip.value = make_literal(context, 1, skip.place);
    add_action(context, skip, sequence);
  } else if (at_declaration(context)) {
    context.error(cursor.here(), "a label stands in front of a statement, not of a declaration");
    return false;
  } else if (!(at_control(context) ? parse_control(context, sequence)
                                   : parse_basic(context, sequence))) {
    return false;
  }
  if (sequence.last == kNone) return true;
  for (u32 i = first; i < end; ++i) {
    context.labels[i].node = sequence.last;
    context.nodes[sequence.last].is_labelled = true;
  }
  return true;
}

// What stands for a part of `unless`: a plain block is just its sequence.
NodeId part_of_unless(const Context& context, const Sequence& part) {
  const Node& node = context.nodes[part.first];
  const bool is_block = node.kind == NodeKind::block && part.first == part.last;
  return is_block && !node.is_labelled ? node.first : part.first;
}

// A label in front of a block stays in front of the whole.
void add_unless(Context& context, const Sequence& main, const Sequence& escape,
                Sequence& sequence) {
  Node unless;
  unless.kind = NodeKind::unless;
  unless.span = context.nodes[main.first].span;
  unless.last = context.cursor.last();
  unless.second = part_of_unless(context, escape);
  const Node& node = context.nodes[main.first];
  const bool is_container = node.kind == NodeKind::block || node.kind == NodeKind::atomic ||
                            node.kind == NodeKind::indivisible;
  if (node.is_labelled && is_container && main.first == main.last) {
    unless.first = node.first;
    Sequence alone;
    if (node.kind != NodeKind::block) {
      Node inner = node;
      inner.is_labelled = false;
      unless.first = add_node(context, inner, alone);
      alone = {};
    }
    const NodeId id = add_node(context, unless, alone);
    context.nodes[main.first].kind = NodeKind::block;
    context.nodes[main.first].first = id;
    if (sequence.first == kNone) {
      sequence = main;
    } else {
      context.nodes[sequence.last].next = main.first;
      sequence.last = main.last;
    }
    return;
  }
  unless.first = part_of_unless(context, main);
  add_node(context, unless, sequence);
}

bool parse_step(Context& context, Sequence& sequence) {
  Cursor& cursor = context.cursor;
  if (at_declaration(context)) return parse_declaration(context, &sequence);
  if (cursor.at(Tok::kw_xr) || cursor.at(Tok::kw_xs)) {
    do {
      cursor.take();
      Designated channel;
      if (!parse_designated(context, channel)) return false;
    } while (cursor.at(Tok::comma));
    return true;
  }
  context.is_opening = false;
  Sequence own;
  if (!parse_statement(context, own)) return false;
  if (own.first == kNone) return true;
  if (!cursor.at(Tok::kw_unless)) {
    if (sequence.first == kNone) {
      sequence.first = own.first;
    } else {
      context.nodes[sequence.last].next = own.first;
    }
    sequence.last = own.last;
    return true;
  }
  const Span place = cursor.take().place;
  if (context.in_indivisible) context.error(place, "a d_step has no 'unless' in it");
  Sequence escape;
  if (!parse_statement(context, escape)) return false;
  if (escape.first != kNone) add_unless(context, own, escape, sequence);
  return true;
}

}  // namespace

bool at_label(const Context& context) {
  const Cursor& cursor = context.cursor;
  if (!cursor.at(Tok::name) || cursor.peek().kind != Tok::colon) return false;
  const u32 found = context.symbols.find(cursor.token().text);
  return found == kNone || context.symbols[found].kind != SymbolKind::proctype;
}

bool parse_statement(Context& context, Sequence& sequence) {
  const Nesting nesting = nested_block(context);
  return nesting.ok() && parse_labelled(context, sequence);
}

bool parse_sequence(Context& context, Sequence& out) {
  Cursor& cursor = context.cursor;
  cursor.accept_separators();
  while (!at_sequence_end(context)) {
    if (!parse_step(context, out)) return false;
    const bool after_brace = cursor.last_kind() == Tok::right_brace;
    if (!cursor.accept_separators() && !at_sequence_end(context) && !after_brace) {
      return cursor.fail_expected("';' or '->'");
    }
  }
  return true;
}

}  // namespace xmc::promela
