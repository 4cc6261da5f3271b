// The trace as a message sequence chart for a terminal: time runs down, a column for each process.
//
//   step       P               Q
//              |               |
//      1       * x = 1         |
//      2       |-----c!x------>|
//      3       |--> #1 q(3)    |
//      4       |...#1 q(3)....>|
//
// A message that waits in a channel has two rows, joined by its number: who sends it does not say
// who will take it.
#include <algorithm>

#include "trace/chart.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr u32 kStepColumns = 7;
constexpr u32 kLeastBetween = 16;
constexpr u32 kMostBetween = 40;
constexpr u32 kLeastBar = 40;
constexpr u32 kArrowColumns = 8;  // of a number, a head and blanks, beside what is sent
constexpr u32 kRowBytes = kStepColumns + kChartLifelines * kMostBetween + kChartLabelBytes;

std::string_view shortened(std::string_view text, u32 room, Text& out) {
  if (text.size() <= room) return text;
  out.clear();
  constexpr std::string_view kDots = "...";
  if (room > kDots.size()) out.add(piece_of(text, 0, room - kDots.size())).add(kDots);
  return out.view();
}

class TextChart final : public ChartSink {
 public:
  TextChart(const TraceView& view, const ChartSize& size, Output& out)
      : lifelines_(view.chart->lifelines), size_(size), out_(out) {
    const u32 widest = std::max(size.name_bytes + 2, size.label_bytes + kArrowColumns);
    spacing_ = std::clamp(widest, kLeastBetween, kMostBetween);
  }

  void header(const TraceView& view) {
    begin_row(" step ");
    for (u32 i = 0; i < size_.lifelines; ++i) row_[center(i)] = ' ';
    each_lifeline(view, size_, [&](u32 line, std::string_view name) {
      FixedText<kMostBetween> cut;
      const std::string_view shown = shortened(name, spacing_ - 2, cut);
      put(center(line) - static_cast<u32>(shown.size()) / 2, shown);
    });
    end_row();
    begin_row({});
    end_row();
    if (size_.others == 0) return;
    FixedText<128> text;
    text.format("(others): %u processes, a chart has %u lifelines", size_.others, kChartLifelines);
    note(text.view());
  }

  void step(u64 index) override {
    step_ = index;
    step_is_new_ = true;
  }

  void local(u32 process, std::string_view text) override {
    begin_row_of_step();
    const u32 at = center(lifelines_[process]);
    row_[at] = '*';
    beside(lifelines_[process], at + 2, text);
    end_row();
  }

  void rendezvous(u32 from, u32 to, std::string_view label) override {
    begin_row_of_step();
    arrow(lifelines_[from], lifelines_[to], '-', label);
    end_row();
  }

  u64 sent(u32 process, u64 number, std::string_view label) override {
    begin_row_of_step();
    FixedText<kChartLabelBytes + 32> text;
    text.add("--> #").number(number).add(' ').add(label);
    beside(lifelines_[process], center(lifelines_[process]) + 1, text.view());
    end_row();
    return 0;
  }

  void received(u32 process, const ChartMessage& message, std::string_view label) override {
    begin_row_of_step();
    FixedText<kChartLabelBytes + 32> text;
    text.add('#').number(message.number).add(' ').add(label);
    arrow(lifelines_[message.process], lifelines_[process], '.', text.view());
    end_row();
  }

  void left(const ChartMessage& message, std::string_view channel,
            std::string_view label) override {
    begin_row({});
    FixedText<2 * kChartLabelBytes + 64> text;
    text.add("--> ").add(channel).add(": #").number(message.number).add(' ').add(label);
    text.add(" of step ").number(message.step).add(" is not received up to here");
    put(center(lifelines_[message.process]) + 1, text.view());
    end_row();
  }

  void loop_start(u64) override { bar("loop starts here"); }
  void loop_end(u64, u64 start) override {
    FixedText<64> text;
    text.add("back to behind step ").number(start);
    bar(text.view());
  }
  void note(std::string_view text) override {
    begin_row({});
    end_row();
    out_.add("    !  ").add(text).add('\n');
  }

 private:
  u32 center(u32 line) const { return kStepColumns + line * spacing_ + spacing_ / 2; }

  void begin_row(std::string_view before) {
    used_ = kStepColumns;
    std::fill_n(row_, kRowBytes, ' ');
    put(0, before);
    for (u32 i = 0; i < size_.lifelines; ++i) put(center(i), "|");
  }
  void begin_row_of_step() {
    FixedText<32> number;
    if (step_is_new_) number.format("%5llu", wide(step_));
    step_is_new_ = false;
    begin_row(number.view());
  }
  void put(u32 at, std::string_view text) {
    for (const char c : text) {
      if (at == kRowBytes) break;
      row_[at++] = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    used_ = std::max(used_, at);
  }
  void end_row() {
    while (used_ > 0 && row_[used_ - 1] == ' ') --used_;
    out_.add(std::string_view(row_, used_)).add('\n');
  }

  // Up to the next lifeline; the last one has room.
  void beside(u32 line, u32 at, std::string_view text) {
    FixedText<kMostBetween> cut;
    const bool is_last = line + 1 == size_.lifelines;
    put(at, is_last ? text : shortened(text, center(line + 1) - at - 1, cut));
  }

  void arrow(u32 from, u32 to, char line, std::string_view label) {
    if (from == to) {
      FixedText<kChartLabelBytes + 64> self;
      self.add("<").add(line).add(line).add(' ').add(label);
      return beside(to, center(to) + 1, self.view());
    }
    const u32 left = center(std::min(from, to)) + 1;
    const u32 end = center(std::max(from, to));
    for (u32 at = left; at < end; ++at) {
      if (row_[at] == ' ') row_[at] = line;
    }
    row_[from < to ? end - 1 : left] = from < to ? '>' : '<';
    FixedText<kChartLifelines * kMostBetween> cut;
    const std::string_view shown = shortened(label, end - left - 4, cut);
    put(left + (end - left - static_cast<u32>(shown.size())) / 2, shown);
  }

  void bar(std::string_view text) {
    begin_row({});
    const u32 end = kStepColumns + std::max(size_.lifelines * spacing_, kLeastBar);
    for (u32 at = kStepColumns; at < end; ++at) row_[at] = '=';
    used_ = end;
    put(kStepColumns + 3, " ");
    put(kStepColumns + 4, text);
    put(kStepColumns + 4 + static_cast<u32>(text.size()), " ");
    end_row();
  }

  std::span<const u32> lifelines_;
  const ChartSize& size_;
  Output& out_;
  u32 spacing_ = 0;
  u64 step_ = 0;
  bool step_is_new_ = false;
  u32 used_ = 0;
  char row_[kRowBytes];
};

}  // namespace

Status write_text_chart(const TraceView& view, Output& out) {
  ChartSize size;
  XMC_TRY(measure_chart(view, size));
  TextChart chart(view, size, out);
  chart.header(view);
  XMC_TRY(walk_chart(view, chart));
  return out.status();
}

}  // namespace xmc
