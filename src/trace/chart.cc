#include "trace/chart.h"

#include <algorithm>

#include "trace/chart_channels.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

ChartMemory plan_chart(const ModelText& text, u32 state_words, Arena& arena) {
  u64 all = 0;
  u32 most = 0;
  for (const ChannelText& c : text.channels) {
    all += c.capacity;
    most = std::max(most, c.capacity);
  }
  ChartMemory memory;
  memory.waiting = arena.carve_array<ChartMessage>("chart", all);
  memory.before = arena.carve_array<ChartMessage>("chart", most);
  memory.kept = arena.carve_array<u32>("chart", most);
  memory.lifelines = arena.carve_array<u32>("chart", text.processes.size() + 1);
  memory.inside = arena.carve_array<Word>("chart", state_words);
  return memory;
}

namespace {

using Label = FixedText<kChartLabelBytes>;

class ChartWalk {
 public:
  ChartWalk(const TraceView& view, ChartSink& sink)
      : view_(view), text_(*view.text), memory_(*view.chart), sink_(sink) {}

  Status run() {
    Replay& replay = *view_.replay;
    XMC_TRY(replay.start(view_.chooser));
    begin();
    while (replay.index() < view_.claim.steps) {
      XMC_TRY(replay.advance());
      sink_.step(replay.index());
      before_ = replay.previous();
      replay.unfold(before_, replay.label(), replay.label_repeat(), {this, &visit});
      loop(replay.index());
    }
    end();
    return {};
  }

 private:
  // Nobody has sent what is there in the beginning.
  void begin() {
    for (ChartMessage& m : memory_.waiting) m = {};
    loop(0);
  }

  void loop(u64 index) {
    if (view_.claim.loop_start == kNoLoop) return;
    if (index == view_.claim.loop_start) sink_.loop_start(index);
    if (index == view_.claim.steps) sink_.loop_end(index, view_.claim.loop_start);
  }

  u32 process_of(const TransitionText& t) const {
    return std::min<u32>(t.process, static_cast<u32>(text_.processes.size()));
  }

  // The last statement of a step that is possible leads to its successor.
  static void visit(void* self, u32 label, const Word* behind) {
    ChartWalk& walk = *static_cast<ChartWalk*>(self);
    if (behind == nullptr && walk.failing_) return walk.failing(label);
    walk.statement(label, walk.before_, behind != nullptr ? behind : walk.view_.replay->state());
    if (behind == nullptr) return;
    std::copy_n(behind, walk.memory_.inside.size(), walk.memory_.inside.begin());
    walk.before_ = walk.memory_.inside.data();
  }

  void failing(u32 label) {
    const StepText step = text_.step(text_.self, label);
    const TransitionText* const found = transition_of(text_, step.transition);
    if (found != nullptr) sink_.local(process_of(*found), found->text);
  }

  void statement(u32 label, const Word* before, const Word* behind) {
    const StepText step = text_.step(text_.self, label);
    const TransitionText* const first = transition_of(text_, step.transition);
    if (first == nullptr) return;  // only the property moves
    const TransitionText* const second = transition_of(text_, step.partner);
    const u32 partner = second != nullptr ? second->process : first->partner;
    events_ = 0;
    if (partner != kNone) rendezvous(*first, partner, before, behind);
    u32 at = 0;
    for (const ChannelText& channel : text_.channels) {
      compare(channel, memory_.waiting.subspan(at, channel.capacity), process_of(*first), before,
              behind);
      at += channel.capacity;
    }
    if (events_ == 0) sink_.local(process_of(*first), first->text);
  }

  // What is sent, and what the receiver knows by it.
  void rendezvous(const TransitionText& sender, u32 partner, const Word* before,
                  const Word* behind) {
    Label label;
    label.add(sender.message.empty() ? sender.text : sender.message);
    for (const VariableText& v : text_.variables) {
      if (v.process != partner || v.kind == VariableKind::location) continue;
      const i32 value = slot_value(v.slot, behind);
      if (!is_there(v, behind) || value == slot_value(v.slot, before)) continue;
      const std::size_t arrow = v.name.rfind("->");
      label.add("  ").add(arrow == std::string_view::npos ? v.name : piece_of(v.name, arrow + 2));
      label.add('=');
      add_value(label, v, value);
    }
    sink_.rendezvous(process_of(sender), partner, label.view());
    ++events_;
  }

  void compare(const ChannelText& channel, std::span<ChartMessage> waiting, u32 process,
               const Word* before, const Word* behind) {
    const u32 old_count = messages_in(text_, channel, before);
    const u32 new_count = messages_in(text_, channel, behind);
    if (old_count == 0 && new_count == 0) return;
    match_messages(text_, channel, before, behind, memory_.kept);
    const std::span<const u32> kept = memory_.kept.subspan(0, new_count);
    std::copy_n(waiting.begin(), old_count, memory_.before.begin());
    const bool is_gone = !is_there(text_.variables[channel.length], behind);
    for (u32 i = 0; i < old_count; ++i) {
      if (std::find(kept.begin(), kept.end(), i) != kept.end()) continue;
      Label label;
      add_message(text_, channel, i, before, label);
      taken(memory_.before[i], channel, process, is_gone, label.view());
    }
    for (u32 j = 0; j < new_count; ++j) {
      waiting[j] = kept[j] != kNone ? memory_.before[kept[j]] : ChartMessage{};
      if (kept[j] != kNone) continue;
      Label label;
      add_message(text_, channel, j, behind, label);
      waiting[j] = {++sent_, view_.replay->index(), 0, process};
      waiting[j].row = sink_.sent(process, sent_, label.view());
      ++events_;
    }
  }

  void taken(const ChartMessage& message, const ChannelText& channel, u32 process, bool is_gone,
             std::string_view label) {
    if (message.process == kNone) {
      sink_.local(process, label);
    } else if (is_gone) {
      sink_.left(message, channel.name, label);
      return;  // the step is not about it
    } else {
      sink_.received(process, message, label);
    }
    ++events_;
  }

  void end() {
    const TraceClaim& claim = view_.claim;
    if (claim.violation == Violation::model_error) {
      sink_.step(claim.steps + 1);
      failing_ = true;
      before_ = view_.replay->state();
      view_.replay->unfold(before_, claim.error_label, kNone, {this, &visit});
      unreceived(before_);
    } else {
      unreceived(view_.replay->state());
    }
    FixedText<2 * kFailureBytes> why;
    add_end(view_, why);
    if (why.size() != 0) sink_.note(why.view());
  }

  void unreceived(const Word* state) {
    u32 at = 0;
    for (const ChannelText& channel : text_.channels) {
      const u32 count = messages_in(text_, channel, state);
      for (u32 i = 0; i < count; ++i) {
        if (memory_.waiting[at + i].process == kNone) continue;
        Label label;
        add_message(text_, channel, i, state, label);
        sink_.left(memory_.waiting[at + i], channel.name, label.view());
      }
      at += channel.capacity;
    }
  }

  const TraceView& view_;
  const ModelText& text_;
  const ChartMemory& memory_;
  ChartSink& sink_;
  u64 sent_ = 0;
  const Word* before_ = nullptr;  // the present statement
  bool failing_ = false;          // it is one of the step that is erroneous
  u32 events_ = 0;                // of the present statement
};

class Measure final : public ChartSink {
 public:
  Measure(std::span<u32> lifelines, ChartSize& size) : lifelines_(lifelines), size_(size) {
    size_ = {};
    for (u32& line : lifelines_) line = kNone;
  }
  void step(u64) override {}
  void local(u32 process, std::string_view) override { row(process, {}); }
  void rendezvous(u32 from, u32 to, std::string_view label) override {
    row(from, label);
    lifelines_[to] = 0;
  }
  u64 sent(u32 process, u64, std::string_view label) override {
    row(process, label);
    return 0;
  }
  void received(u32 process, const ChartMessage&, std::string_view label) override {
    row(process, label);
  }
  void left(const ChartMessage&, std::string_view, std::string_view) override { ++size_.rows; }
  void loop_start(u64) override { ++size_.rows; }
  void loop_end(u64, u64) override { ++size_.rows; }
  void note(std::string_view) override { ++size_.rows; }

  void number(const ModelText& text) {
    for (u32 i = 0; i < lifelines_.size(); ++i) {
      if (lifelines_[i] == kNone) continue;
      if (size_.lifelines == kChartLifelines) {
        size_.others += size_.others == 0 ? 2 : 1;  // with the one that was there
        lifelines_[i] = size_.lifelines - 1;
        continue;
      }
      lifelines_[i] = size_.lifelines++;
      const u64 bytes = i < text.processes.size() ? text.processes[i].size() : 8;
      size_.name_bytes = std::max(size_.name_bytes, static_cast<u32>(bytes));
    }
  }

 private:
  void row(u32 process, std::string_view label) {
    lifelines_[process] = 0;
    ++size_.rows;
    size_.label_bytes = std::max(size_.label_bytes, static_cast<u32>(label.size()));
  }
  std::span<u32> lifelines_;
  ChartSize& size_;
};

}  // namespace

Status walk_chart(const TraceView& view, ChartSink& sink) { return ChartWalk(view, sink).run(); }

Status measure_chart(const TraceView& view, ChartSize& size) {
  XMC_CHECK(view.chart != nullptr);
  Measure measure(view.chart->lifelines, size);
  XMC_TRY(walk_chart(view, measure));
  measure.number(*view.text);
  return {};
}

}  // namespace xmc
