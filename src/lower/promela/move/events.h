// What is sent and received, as the trace of the model follows it: behind the statement, a jump by
// the place of the trace, then what it has there. The message of a rendezvous is sent and received.
//
// The trace follows sends on a channel if it names one of them, and receives from it if it names
// one of those. A receive that leaves the message is no event, nor is an offer of a rendezvous that
// nobody takes.
#pragma once

#include <span>

#include "lower/promela/expr/channels.h"
#include "lower/promela/move/step.h"

namespace xmc::promela_lower {

// A message that was sent or received by the statement there.
struct Event {
  bool is_send = false;
  ChannelChoice channel;
  std::span<const Value> fields;
  Span where;
};

// The trace goes on, or does not.
void follow_event(Writer& w, const Step& step, const Event& event);
// Whether it is no mistake of the trace that no process moves any more.
Value trace_ends(Writer& w);

}  // namespace xmc::promela_lower
