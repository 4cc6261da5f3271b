// Which messages of a channel are the same ones before and behind a statement: the rest was
// received or sent by it.
#pragma once

#include <span>

#include "xmc/model_text.h"
#include "xmc/text.h"

namespace xmc {

// Messages in a channel; none where it is not there.
u32 messages_in(const ModelText& text, const ChannelText& channel, const Word* state);

// kept[j]: which message before is number j behind, or kNone if that is new. A statement sends, or
// receives; several of them at once receive from the front and send to the back. Where no such
// story fits, messages with equal contents are the same.
void match_messages(const ModelText& text, const ChannelText& channel, const Word* before,
                    const Word* behind, std::span<u32> kept);

// "q(3, ack)"
void add_message(const ModelText& text, const ChannelText& channel, u32 message, const Word* state,
                 Text& out);

}  // namespace xmc
