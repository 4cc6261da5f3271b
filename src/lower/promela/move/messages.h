// Sends and receives on buffered channels. On one without a buffer both are blocked: a rendezvous
// is made by two processes (rendezvous.h).
#pragma once

#include <span>

#include "lower/promela/expr/channels.h"
#include "lower/promela/move/step.h"

namespace xmc::promela_lower {

void send(Writer& w, Step& step, const Action& a, const ChannelChoice& c, Label& blocked);
void receive(Writer& w, Step& step, const Action& a, const ChannelChoice& c, Label& blocked);

// Whether the message has as many fields as the channel; else that is an error.
bool check_count(Writer& w, const Action& a, const ChannelChoice& c);
// The values of a send, as it has them, and as the channel keeps them.
std::span<Value> sent_values(Writer& w, Step& step, const Action& a);
void cut_fields(Writer& w, const promela::ChannelForm& form, std::span<Value> values);
// Of a receive: the fields are in registers.
void store_fields(Writer& w, const Scope& scope, const Action& a, std::span<const Value> values);

}  // namespace xmc::promela_lower
