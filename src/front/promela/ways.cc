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
  }
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

// To the construct that the last statement of a sequence is in, behind which the way goes on; false
// when it goes on in front of that one.
bool Ways::step_up(NodeId& node, Way& way) {
  NodeId parent = nodes_[node].parent;
  XMC_CHECK(parent != kNone);
  const bool in_option = nodes_[parent].kind == NodeKind::option;
  if (in_option) parent = nodes_[parent].parent;
  if (nodes_[parent].kind == NodeKind::indivisible) way.leaves_indivisible = true;
  way.stays_atomic = way.stays_atomic && nodes_[parent].in_atomic;
  node = parent;
  return !(in_option && nodes_[parent].kind == NodeKind::loop);
}

Way Ways::leave(NodeId node, Way way, NodeId from) {
  for (;;) {
    if (nodes_[node].next != kNone && nodes_[node].kind != NodeKind::option) {
      return arrive(nodes_[node].next, way, from);
    }
    if (nodes_[node].parent == kNone) {
      way.node = kNone;
      way.stays_atomic = false;
      return way;
    }
    if (!step_up(node, way)) return arrive(node, way, from);
  }
}

// Jumps are followed. Who goes over more of them than there are statements goes round.
Way Ways::arrive(NodeId node, Way way, NodeId from) {
  const NodeId inside = from == kNone ? kNone : nodes_[from].enclosing;
  for (u32 steps = 0; steps <= nodes_.size(); ++steps) {
    const Node& next = nodes_[node];
    way.stays_atomic = way.stays_atomic && next.in_atomic;
    if (next.enclosing != inside) {
      if (next.enclosing != kNone) {
        const Span place = nodes_[from != kNone ? from : node].span;
        context_.error(place, "a jump leads into a d_step from outside");
        return {};
      }
      way.leaves_indivisible = true;
    }
    if (next.kind == NodeKind::unless) {
      node = next.first;
    } else if (next.kind != NodeKind::jump) {
      way.node = node;
      return way;
    } else {
      if (next.enclosing != kNone && nodes_[next.target].enclosing != next.enclosing) {
        context_.error(next.span, "a jump leads out of a d_step");
        return {};
      }
      if (next.is_goto) {
        node = next.target;
        continue;
      }
      // Behind the loop: up to a sibling, or to what stands around it.
      NodeId up = next.target;
      bool goes_behind = true;
      way.stays_atomic = way.stays_atomic && nodes_[up].in_atomic;
      while (goes_behind && nodes_[up].next == kNone) {
        if (nodes_[up].parent == kNone) {
          way.node = kNone;
          way.stays_atomic = false;
          way.leaves_indivisible = inside != kNone;
          return way;
        }
        goes_behind = step_up(up, way);
      }
      node = goes_behind ? nodes_[up].next : up;
    }
  }
  const Span place = from == kNone ? nodes_[node].span : nodes_[from].span;
  context_.error(place, "the jumps behind this go round without a statement");
  return {};
}

Way Ways::behind(NodeId node) {
  Way way;
  way.stays_atomic = nodes_[node].in_atomic;
  return leave(node, way, node);
}

Way Ways::jump(NodeId node) {
  Way way;
  way.stays_atomic = nodes_[node].in_atomic;
  return arrive(node, way, node);
}

Way Ways::at(NodeId node) { return arrive(node, {}, kNone); }

}  // namespace xmc::promela
