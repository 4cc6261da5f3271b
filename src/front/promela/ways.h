// Where control goes behind a statement: over the ends of constructs and jumps to the next place.
//
// A way that leaves an atomic, or comes to its last statement, goes over an end or a jump that is a
// place for whoever loses control there: the sender of a rendezvous, who has given it to the
// receiver, and a process that may not go on. For all others it is no place: they cannot be seen
// there. As SPIN has it, of several in a row the first one counts from which the way does not go on
// inside.
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

  // `is_seen`: of a statement behind which the process can be seen inside of an atomic.
  Way behind(NodeId node, bool is_seen);
  Way jump(NodeId node, bool is_seen);  // of a goto or break itself
  Way at(NodeId node);                  // in front of it

 private:
  struct Around {
    NodeId parent = kNone;
    NodeId guarded = kNone;
    NodeId enclosing = kNone;
    bool in_atomic = false;
  };

  void keep_labelled_jumps();
  void mark(NodeId first, Around around);
  void add_end(Node& construct);
  void resolve(Node& jump);
  NodeId after(NodeId node) const;
  NodeId target_of(NodeId jump);
  bool is_last(NodeId node) const;
  bool is_inside(NodeId node) const;
  bool cross(NodeId node, NodeId from, Way& way);
  Way follow(NodeId node, NodeId from, bool is_seen);

  Context& context_;
  Nodes& nodes_;
  u32 proctype_;
};

}  // namespace xmc::promela
