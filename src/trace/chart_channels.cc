#include "trace/chart_channels.h"

#include "trace/trace_view.h"
#include "xmc/check.h"

namespace xmc {

namespace {

const VariableText& cell(const ModelText& text, const ChannelText& c, u32 message, u32 field) {
  return text.variables[c.cells + message * c.message_stride + field * c.field_stride];
}

class Matcher {
 public:
  Matcher(const ModelText& text, const ChannelText& channel, const Word* before, const Word* behind,
          std::span<u32> kept)
      : text_(text),
        channel_(channel),
        before_(before),
        behind_(behind),
        kept_(kept),
        old_count_(messages_in(text, channel, before)),
        new_count_(messages_in(text, channel, behind)) {
    XMC_CHECK(new_count_ <= kept.size());
  }

  void run() {
    if (only_sent() || only_received() || first_in_first_out()) return;
    by_contents();
  }

 private:
  bool same(u32 old_message, u32 new_message) const {
    for (u32 f = 0; f < channel_.fields; ++f) {
      if (slot_value(cell(text_, channel_, old_message, f).slot, before_) !=
          slot_value(cell(text_, channel_, new_message, f).slot, behind_))
        return false;
    }
    return true;
  }

  // All old ones are there, in order. The earliest that fits is the same one: equal messages are
  // sent behind each other.
  bool only_sent() {
    u32 next = 0;
    for (u32 j = 0; j < new_count_; ++j)
      kept_[j] = next < old_count_ && same(next, j) ? next++ : kNone;
    return next == old_count_;
  }

  // All new ones were there, in order. The latest that fits is the same one: of equal messages the
  // oldest is taken.
  bool only_received() {
    u32 left = old_count_;
    for (u32 j = new_count_; j-- > 0;) {
      while (left > 0 && !same(left - 1, j)) --left;
      if (left == 0) return false;
      kept_[j] = --left;
    }
    return true;
  }

  bool first_in_first_out() {
    for (u32 taken = 1; taken < old_count_; ++taken) {
      const u32 rest = old_count_ - taken;
      if (rest > new_count_) continue;
      u32 j = 0;
      while (j < rest && same(taken + j, j)) ++j;
      if (j < rest) continue;
      for (u32 k = 0; k < new_count_; ++k) kept_[k] = k < rest ? taken + k : kNone;
      return true;
    }
    return false;
  }

  void by_contents() {
    for (u32 j = 0; j < new_count_; ++j) {
      kept_[j] = kNone;
      for (u32 i = 0; i < old_count_ && kept_[j] == kNone; ++i) {
        if (same(i, j) && !is_kept(i, j)) kept_[j] = i;
      }
    }
  }
  bool is_kept(u32 old_message, u32 up_to) const {
    for (u32 j = 0; j < up_to; ++j) {
      if (kept_[j] == old_message) return true;
    }
    return false;
  }

  const ModelText& text_;
  const ChannelText& channel_;
  const Word* before_;
  const Word* behind_;
  std::span<u32> kept_;
  u32 old_count_;
  u32 new_count_;
};

}  // namespace

u32 messages_in(const ModelText& text, const ChannelText& channel, const Word* state) {
  const VariableText& length = text.variables[channel.length];
  if (!is_there(length, state)) return 0;
  const i32 count = slot_value(length.slot, state);
  XMC_CHECK(count >= 0 && static_cast<u32>(count) <= channel.capacity);
  return static_cast<u32>(count);
}

void match_messages(const ModelText& text, const ChannelText& channel, const Word* before,
                    const Word* behind, std::span<u32> kept) {
  Matcher(text, channel, before, behind, kept).run();
}

void add_message(const ModelText& text, const ChannelText& channel, u32 message, const Word* state,
                 Text& out) {
  out.add(channel.name).add('(');
  for (u32 f = 0; f < channel.fields; ++f) {
    if (f != 0) out.add(", ");
    const VariableText& variable = cell(text, channel, message, f);
    add_value(out, variable, slot_value(variable.slot, state));
  }
  out.add(')');
}

}  // namespace xmc
