#include "front/promela/ways.h"

#include "front/promela/parse/fold.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc::promela {

namespace {

bool has_meaning(std::string_view label) {
  return label.starts_with("end") || label.starts_with("accept") || label.starts_with("progress");
}

}  // namespace

// A jump whose label somebody looks at is a place: a skip stands in front of it and has the label.
void Ways::keep_labelled_jumps() {
  const Proctype& proctype = context_.system.proctypes[proctype_];
  for (u32 i = 0; i < proctype.label_count; ++i) {
    const LabelEntry& entry = context_.labels[proctype.first_label + i];
    if (entry.node == kNone || nodes_[entry.node].kind != NodeKind::jump) continue;
    if (!has_meaning(entry.name) && !entry.is_observed) continue;
    Node& node = nodes_[entry.node];
    const Node jump = node;
    Action skip;
    skip.place = node.span;
    skip.value = make_literal(context_, 1, node.span);
    node.kind = NodeKind::basic;
    node.action = context_.add(context_.system.actions, skip, "statements", node.span);
    node.target = kNone;
    node.next = context_.add(context_.nodes, jump, "statements", jump.span);
  }
}

void Ways::mark(NodeId first, Around around) {
  for (NodeId id = first; id != kNone; id = nodes_[id].next) {
    Node& node = nodes_[id];
    node.parent = around.parent;
    node.guarded = around.guarded;
    node.enclosing = around.enclosing;
    node.in_atomic = around.in_atomic;
    // Inside a d_step both are just blocks.
    const bool divides = node.kind == NodeKind::atomic || node.kind == NodeKind::indivisible;
    if (around.enclosing != kNone && divides) node.kind = NodeKind::block;
    if (node.kind == NodeKind::jump && node.target == kNone) resolve(node);
    Around inside = around;
    inside.parent = id;
    if (node.kind == NodeKind::atomic) inside.in_atomic = true;
    if (node.kind == NodeKind::indivisible) inside.enclosing = id;
    if (node.kind == NodeKind::unless) {
      mark(node.second, inside);
      inside.guarded = id;
    }
    if (node.first != kNone) mark(node.first, inside);
    if (node.in_atomic && node.enclosing == kNone) add_end(node);
  }
}

// Only within an atomic it can be a place. Escapes are looked at where a loop ends, and not where
// an `if` or an `unless` does.
void Ways::add_end(Node& construct) {
  const NodeKind kind = construct.kind;
  const bool is_loop = kind == NodeKind::loop;
  if (!is_loop && kind != NodeKind::selection && kind != NodeKind::unless) return;
  Node end;
  end.kind = NodeKind::end;
  end.in_atomic = true;
  end.next = construct.next;
  end.parent = construct.parent;
  end.guarded = is_loop ? construct.guarded : kNone;
  end.span = construct.last;
  construct.end = context_.add(nodes_, end, "statements", end.span);
}

// The label in the call of an inline that the jump is in, or in one around it.
void Ways::resolve(Node& jump) {
  const Proctype& proctype = context_.system.proctypes[proctype_];
  for (u32 call = jump.call;; call = context_.calls[call]) {
    for (u32 i = 0; i < proctype.label_count; ++i) {
      const LabelEntry& entry = context_.labels[proctype.first_label + i];
      if (entry.name != jump.label || entry.call != call) continue;
      jump.target = entry.node;
      jump.is_goto = true;
      context_.system.labels[proctype.first_label + i].is_used = true;
      if (jump.target != kNone) return;
    }
    if (call == 0) break;
  }
  context_.error(jump.span, "there is no label '%.*s' in this process", shown_bytes(jump.label),
                 jump.label.data());
}

void Ways::prepare(const Sequence& body) {
  keep_labelled_jumps();
  mark(body.first, {});
}

// What comes behind a statement in the text: the next one, the end of the construct around it, or
// the loop that goes round; kNone at the end of the body.
NodeId Ways::after(NodeId node) const {
  for (;;) {
    const Node& at = nodes_[node];
    if (at.next != kNone && at.kind != NodeKind::option) return at.next;
    if (at.parent == kNone) return kNone;
    const bool in_option = nodes_[at.parent].kind == NodeKind::option;
    node = in_option ? nodes_[at.parent].parent : at.parent;
    if (in_option && nodes_[node].kind == NodeKind::loop) return node;
    if (nodes_[node].end != kNone) return nodes_[node].end;
  }
}

// Where a jump leads to; kNone is the end, and stands for a mistake, too.
NodeId Ways::target_of(NodeId jump) {
  const Node& node = nodes_[jump];
  if (node.enclosing != kNone && nodes_[node.target].enclosing != node.enclosing) {
    context_.error(node.span, "a jump leads out of a d_step");
    return kNone;
  }
  if (node.is_goto) return node.target;
  const NodeId end = nodes_[node.target].end;
  return end != kNone ? end : after(node.target);
}

// Whether an atomic ends with it. Only the outermost atomics count.
bool Ways::is_last(NodeId node) const {
  for (;;) {
    const Node& at = nodes_[node];
    if (at.next != kNone || at.parent == kNone) return false;
    const Node& around = nodes_[at.parent];
    if (around.kind == NodeKind::atomic && !around.in_atomic) return true;
    if (around.kind != NodeKind::atomic && around.kind != NodeKind::block) return false;
    node = at.parent;
  }
}

// Whether control is kept behind it, as far as it is up to this one alone.
bool Ways::is_inside(NodeId node) const {
  if (node == kNone || !nodes_[node].in_atomic) return false;
  switch (nodes_[node].kind) {
    case NodeKind::jump:
      return nodes_[nodes_[node].target].in_atomic;
    case NodeKind::basic:
    case NodeKind::indivisible:
    case NodeKind::end:
      return !is_last(node);
    default:
      return true;
  }
}

// Notes where a way leaves a d_step, and reports where it enters one.
bool Ways::cross(NodeId node, NodeId from, Way& way) {
  const NodeId inside = from == kNone ? kNone : nodes_[from].enclosing;
  if (nodes_[node].enclosing == inside) return true;
  if (nodes_[node].enclosing != kNone) {
    context_.error(nodes_[from != kNone ? from : node].span,
                   "a jump leads into a d_step from outside");
    return false;
  }
  way.leaves_indivisible = true;
  return true;
}

// From `node` on. Who goes over more ends and jumps than there are statements goes round.
Way Ways::follow(NodeId node, NodeId from, bool is_seen) {
  Way way;
  way.stays_atomic = from != kNone && nodes_[from].in_atomic;
  bool was_inside = is_inside(from);
  for (u32 steps = 0; steps <= nodes_.size() && node != kNone; ++steps) {
    const Node& at = nodes_[node];
    way.stays_atomic = way.stays_atomic && at.in_atomic;
    if (!cross(node, from, way)) return {};
    way.node = node;
    if (at.kind == NodeKind::unless) {
      node = at.first;
      continue;
    }
    if (at.kind != NodeKind::jump && at.kind != NodeKind::end) return way;
    const NodeId next = at.kind == NodeKind::jump ? target_of(node) : after(node);
    if (was_inside && !is_inside(next)) {
      // An escape may be taken there, too.
      if (is_seen || at.guarded != kNone) return way;
      was_inside = is_inside(node);
    }
    node = next;
  }
  if (node != kNone) {
    context_.error(nodes_[from != kNone ? from : node].span,
                   "the jumps behind this go round without a statement");
  }
  way.node = kNone;
  way.stays_atomic = false;
  way.leaves_indivisible = from != kNone && nodes_[from].enclosing != kNone;
  return way;
}

Way Ways::behind(NodeId node, bool is_seen) { return follow(after(node), node, is_seen); }

Way Ways::jump(NodeId node, bool is_seen) { return follow(target_of(node), node, is_seen); }

Way Ways::at(NodeId node) { return follow(node, kNone, false); }

}  // namespace xmc::promela
