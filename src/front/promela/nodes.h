// The statements of a body as they are written, before they become a graph (graph.h).
//
// A node is a basic statement, a jump or a construct with sequences of nodes inside. Nodes of a
// sequence are linked by `next`.
#pragma once

#include <string_view>

#include "front/source.h"
#include "xmc/pool.h"
#include "xmc/types.h"

namespace xmc::promela {

using NodeId = u32;

enum class NodeKind : u8 {
  basic,        // action: System::actions
  jump,         // `goto`, with the name of its label; `break`, with its loop
  selection,    // `if`: first = first option
  loop,         // `do`: first = first option
  option,       // first = its sequence; the next option is `next`
  block,        // first = its sequence
  atomic,       //
  indivisible,  // `d_step`
  unless,       // first = main sequence, second = escape
  end,          // of one of these three inside of an atomic: `fi`, `od`; in no sequence
};

struct Node {
  NodeKind kind = NodeKind::basic;
  bool in_atomic = false;
  bool is_labelled = false;
  bool is_goto = false;   // a jump to `target`, not behind it
  bool is_built = false;  // its action is complete
  u32 action = kNone;
  NodeId next = kNone;
  NodeId first = kNone;
  NodeId second = kNone;
  NodeId parent = kNone;     // the construct around it
  NodeId guarded = kNone;    // the innermost `unless` whose main sequence it is in
  NodeId target = kNone;     // of a jump; kNone: the label is looked up
  NodeId enclosing = kNone;  // the d_step that it is in
  std::string_view label;    // of a jump
  u32 call = 0;              // of a jump: the call of an inline that it is in
  NodeId end = kNone;        // of a selection, loop or unless inside of an atomic
  u32 place = kNone;         // System::places, when it has become one
  Span span;
  Span last;  // of a selection, loop or unless: its last word
};

using Nodes = Pool<Node, 7, 1024>;

// Of the body being parsed.
struct LabelEntry {
  std::string_view name;
  Span span;
  NodeId node = kNone;
  u32 call = 0;
  bool is_observed = false;  // a remote reference names it
};

// A sequence while it is gathered.
struct Sequence {
  NodeId first = kNone;
  NodeId last = kNone;
};

}  // namespace xmc::promela
