#include "front/promela/graph.h"

#include "front/promela/parse/fold.h"
#include "front/promela/ways.h"
#include "front/stack.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc::promela {

namespace {

class Graph {
 public:
  Graph(Context& context, Stack<NodeId>& found, Stack<NodeId>& work, u32 proctype)
      : context_(context),
        nodes_(context.nodes),
        system_(context.system),
        found_(found),
        work_(work),
        ways_(context, proctype),
        proctype_(proctype) {}

  void build();

 private:
  PlaceId place_of(NodeId node);
  PlaceId place_of(const Way& way, NodeId from);
  void add_end();
  void flatten(NodeId node);
  void list_escapes(u32 own);
  void add_options(NodeId first, u32 escape);
  void fill(NodeId node);
  bool may_meet(const Action& send) const;
  bool is_seen(NodeId node) const;
  ActionId action_of(NodeId node);
  void add_option(NodeId node, u32 escape);
  void mark_labels();

  Context& context_;
  Nodes& nodes_;
  System& system_;
  Stack<NodeId>& found_;
  Stack<NodeId>& work_;
  Ways ways_;
  u32 proctype_;
  PlaceId end_ = kNone;
};

void Graph::add_end() {
  Place place;
  place.is_last = true;
  place.is_valid_end = true;
  place.place = system_.proctypes[proctype_].place;
  place.first_option = system_.options.size();
  if (can_run(system_.proctypes[proctype_].kind)) {
    Action die;
    die.kind = ActionKind::die;
    die.place = place.place;
    const ActionId id = context_.add(system_.actions, die, "statements", die.place);
    context_.add(system_.options, Option{id, 0}, "options", die.place);
    place.option_count = 1;
  }
  end_ = context_.add(system_.places, place, "places", place.place);
}

PlaceId Graph::place_of(NodeId node) {
  if (nodes_[node].place != kNone) return nodes_[node].place;
  Place place;
  place.place = nodes_[node].span;
  place.is_indivisible = nodes_[node].enclosing != kNone;
  nodes_[node].place = context_.add(system_.places, place, "places", place.place);
  context_.gather(work_, node);
  return nodes_[node].place;
}

// Out of a d_step a way leads to the place behind it.
PlaceId Graph::place_of(const Way& way, NodeId from) {
  const NodeId inside = from == kNone ? kNone : nodes_[from].enclosing;
  if (inside == kNone) return way.node == kNone ? end_ : place_of(way.node);
  if (!way.leaves_indivisible) return way.node == kNone ? end_ : place_of(way.node);
  return place_of(ways_.behind(inside, is_seen(inside)), kNone);
}

// The statements that can be the first one of `node`, in the order of the text.
void Graph::flatten(NodeId node) {
  const Node& construct = nodes_[node];
  switch (construct.kind) {
    case NodeKind::selection:
    case NodeKind::loop:
      for (NodeId option = construct.first; option != kNone; option = nodes_[option].next) {
        flatten(nodes_[option].first);
      }
      return;
    case NodeKind::block:
    case NodeKind::atomic:
    case NodeKind::unless:
      return flatten(construct.first);
    default:
      context_.gather(found_, node);
  }
}

// Whether the channel of a send may be one of a rendezvous.
bool Graph::may_meet(const Action& send) const {
  for (u32 i = 0; i < system_.channels.size(); ++i) {
    const ChannelForm& form = system_.channels[i];
    if (form.capacity == 0 && form.field_count == send.count) return true;
  }
  return false;
}

// Whether others may see the process behind that statement before control has left an atomic.
bool Graph::is_seen(NodeId node) const {
  const Proctype& proctype = system_.proctypes[proctype_];
  if (!can_run(proctype.kind) || nodes_[node].enclosing != kNone) return false;
  if (proctype.provided != kNone || system_.uses_priorities) return true;
  if (nodes_[node].kind != NodeKind::basic) return false;
  const Action& action = system_.actions[nodes_[node].action];
  return action.kind == ActionKind::send && may_meet(action);
}

ActionId Graph::action_of(NodeId id) {
  if (nodes_[id].is_built) return nodes_[id].action;
  nodes_[id].is_built = true;
  const Node node = nodes_[id];
  ActionId action = node.action;
  if (node.kind != NodeKind::basic) {
    Action made;
    const bool is_body = node.kind == NodeKind::indivisible;
    made.kind = is_body ? ActionKind::indivisible : ActionKind::always;
    made.place = node.span;
    action = context_.add(system_.actions, made, "statements", node.span);
    nodes_[id].action = action;
  }
  const bool seen = is_seen(id);
  const Way way = node.kind == NodeKind::jump ? ways_.jump(id, seen) : ways_.behind(id, seen);
  const PlaceId next = place_of(way, id);
  system_.actions[action].next = next;
  system_.actions[action].keeps_control = way.stays_atomic;
  if (node.kind == NodeKind::indivisible) {
    const PlaceId body = place_of(node.first);
    system_.actions[action].body = body;
  }
  return action;
}

void Graph::add_option(NodeId node, u32 escape) {
  const Option option{action_of(node), escape};
  context_.add(system_.options, option, "options", nodes_[node].span);
}

void Graph::add_options(NodeId first, u32 escape) {
  const u32 mark = found_.size();
  flatten(first);
  for (u32 i = mark; i < found_.size(); ++i) add_option(found_[i], escape);
  found_.cut(mark);
}

// Gathers every `unless` around the statements from `own` on, such that the last one comes first.
void Graph::list_escapes(u32 own) {
  const u32 end = found_.size();
  for (u32 i = own; i < end; ++i) {
    if (nodes_[found_[i]].enclosing != kNone) continue;  // a d_step is not interrupted
    NodeId unless = nodes_[found_[i]].guarded;
    for (; unless != kNone; unless = nodes_[unless].guarded) {
      bool is_there = false;
      for (u32 j = end; j < found_.size(); ++j) is_there = is_there || found_[j] == unless;
      if (!is_there) context_.gather(found_, unless);
    }
  }
}

// The list of a place: escapes, then what stands there.
void Graph::fill(NodeId node) {
  const PlaceId id = nodes_[node].place;
  const u32 own = found_.size();
  flatten(node);
  const u32 escapes = found_.size();
  list_escapes(own);
  // What leads on is made first: its actions must not stand between the options of this place.
  for (u32 i = own; i < escapes; ++i) action_of(found_[i]);
  const u32 end = found_.size();
  for (u32 i = escapes; i < end; ++i) {
    const u32 mark = found_.size();
    flatten(nodes_[found_[i]].second);
    for (u32 j = mark; j < found_.size(); ++j) action_of(found_[j]);
    found_.cut(mark);
  }
  const u32 first = system_.options.size();
  for (u32 i = end; i > escapes; --i) add_options(nodes_[found_[i - 1]].second, found_[i - 1] + 1);
  for (u32 i = own; i < escapes; ++i) add_option(found_[i], 0);
  system_.places[id].first_option = first;
  system_.places[id].option_count = system_.options.size() - first;
  found_.cut(own);
}

void Graph::mark_labels() {
  const Proctype& proctype = system_.proctypes[proctype_];
  for (u32 i = 0; i < proctype.label_count; ++i) {
    const LabelEntry& entry = context_.labels[proctype.first_label + i];
    if (entry.is_observed) system_.labels[proctype.first_label + i].is_used = true;
    if (entry.node == kNone) continue;
    const PlaceId at = nodes_[entry.node].place;
    system_.labels[proctype.first_label + i].at = at;
    if (at == kNone) continue;
    Place& place = system_.places[at];
    place.is_valid_end = place.is_valid_end || entry.name.starts_with("end");
    place.is_accepting = place.is_accepting || entry.name.starts_with("accept");
    place.is_progress = place.is_progress || entry.name.starts_with("progress");
  }
}

void Graph::build() {
  const Sequence body = context_.bodies[proctype_];
  Proctype& proctype = system_.proctypes[proctype_];
  ways_.prepare(body);
  if (context_.diagnostics.error_count() > 0) return;
  proctype.first_place = system_.places.size();
  add_end();
  proctype.start = body.first == kNone ? end_ : place_of(ways_.at(body.first), kNone);
  while (work_.size() > 0 && !context_.cursor.abandoned()) {
    const NodeId node = work_[work_.size() - 1];
    work_.cut(work_.size() - 1);
    fill(node);
  }
  work_.cut(0);
  proctype.place_count = system_.places.size() - proctype.first_place;
  mark_labels();
}

}  // namespace

void build_graphs(Context& context) {
  Stack<NodeId> found(context.arena, "statements of a place");
  Stack<NodeId> work(context.arena, "places to be filled");
  for (u32 i = 0; i < context.system.proctypes.size() && !context.cursor.abandoned(); ++i) {
    Graph(context, found, work, i).build();
  }
}

}  // namespace xmc::promela
