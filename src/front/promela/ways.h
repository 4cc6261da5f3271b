// Where control goes behind a statement: over the ends of constructs and jumps to the next place.
#pragma once

#include "front/promela/parse/context.h"

namespace xmc::promela {

struct Way {
  NodeId node = kNone;        // in front of which the place is; kNone: the end
  bool stays_atomic = false;  // the whole way is inside the text of atomics
  bool leaves_indivisible = false;
};

class Ways {
 public:
  Ways(Context& context, u32 proctype)
      : context_(context), nodes_(context.nodes), proctype_(proctype) {}

  // Parents, atomics and labels of all statements; reports unknown labels.
  void prepare(const Sequence& body);

  Way behind(NodeId node);
  Way jump(NodeId node);  // of a goto or break itself
  Way at(NodeId node);    // in front of it

 private:
  struct Around {
    NodeId parent = kNone;
    NodeId guarded = kNone;
    NodeId enclosing = kNone;
    bool in_atomic = false;
  };

  void keep_labelled_jumps();
  void mark(NodeId first, Around around);
  void resolve(Node& jump);
  bool step_up(NodeId& node, Way& way);
  Way arrive(NodeId node, Way way, NodeId from);
  Way leave(NodeId node, Way way, NodeId from);

  Context& context_;
  Nodes& nodes_;
  u32 proctype_;
};

}  // namespace xmc::promela
