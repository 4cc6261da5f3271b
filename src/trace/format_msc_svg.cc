// The trace as a message sequence chart that a browser shows: lifelines from top to bottom, a row
// for each event. A rendezvous is level; a message that waits in a channel leaves where it is sent
// and arrives where it is received, so its line says how long it was under way. The file is one
// picture without scripts, fonts or anything else from outside.
#include <algorithm>

#include "report/page/html.h"
#include "trace/chart.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// Pixels. Letters have one width, so that room can be counted.
constexpr u32 kRow = 26;
constexpr u32 kTop = 64;
constexpr u32 kBottom = 40;
constexpr u32 kLeft = 60;
constexpr u32 kRight = 300;  // texts beside the last lifeline
constexpr u32 kLoopLeft = 10;
constexpr u32 kLeastSpacing = 130;
constexpr u32 kMostSpacing = 300;
constexpr u32 kLetterTenths = 63;
constexpr u32 kBesideMark = 8;
constexpr u32 kBack = 16;  // of a message to oneself

constexpr std::string_view kStyle =
    "<style>text{font:10.5px monospace;fill:#222}.h{font-weight:bold}.n{fill:#777}"
    ".t{paint-order:stroke;stroke:#fff;stroke-width:3px}.l{stroke:#bbb}.b{fill:#f4f4f4;stroke:#888}"
    ".r{stroke:#1a5fb4}.q{stroke:#26803a;stroke-dasharray:5 3}.x{stroke:#a51d2d;stroke-dasharray:2 "
    "3}.o{stroke:#b5651d;stroke-dasharray:8 4}.e{fill:#a51d2d}line,path{fill:none;stroke-width:1.3}"
    "</style>\n<defs><marker id=\"a\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" "
    "markerWidth=\"8\" "
    "markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" style=\"fill:#333\"/></marker>"
    "</defs>\n";

class SvgChart final : public ChartSink {
 public:
  SvgChart(const TraceView& view, const ChartSize& size, Output& out)
      : lifelines_(view.chart->lifelines), size_(size), html_(out) {
    const u32 letters = std::max(size.name_bytes, size.label_bytes) + 5;
    spacing_ = std::clamp(letters * kLetterTenths / 10, kLeastSpacing, kMostSpacing);
    first_row_ = size.rows > kChartRows ? size.rows - kChartRows : 0;
    width_ = kLeft + size.lifelines * spacing_ + kRight;
    height_ = kTop + static_cast<u32>(size.rows - first_row_) * kRow + kBottom;
  }

  void header(const TraceView& view) {
    html_.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"").number(width_);
    html_.raw("\" height=\"").number(height_).raw("\" viewBox=\"0 0 ").number(width_).raw(" ");
    html_.number(height_).raw("\">\n<title>").text(view.text->file).raw("</title>\n").raw(kStyle);
    html_.raw("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    for (u32 i = 0; i < size_.lifelines; ++i) line("l", x(i), kTop - 22, x(i), height_ - kBottom);
    each_lifeline(view, size_, [&](u32 i, std::string_view name) { name_box(i, name); });
    u32 room = kLeft;
    if (size_.others != 0) {
      FixedText<96> note;
      note.format("(others): %u processes, a chart has %u lifelines", size_.others,
                  kChartLifelines);
      words("n", room, 12, note.view(), width_);
      room += 400;
    }
    if (first_row_ == 0) return;
    FixedText<128> note;
    note.format("the first %llu rows are left out, a picture has %u; FILE.msc.txt has all",
                wide(first_row_), kChartRows);
    words("n", room, 12, note.view(), width_);
  }
  void footer() { html_.raw("</svg>\n"); }

  void step(u64 index) override {
    step_ = index;
    step_is_new_ = true;
  }

  void local(u32 process, std::string_view text) override {
    const u32 y = begin_row(true);
    if (!shows_row()) return;
    const u32 at = x(lifelines_[process]);
    html_.raw("<rect class=\"b\" x=\"").number(at - 3).raw("\" y=\"").number(y - 3);
    html_.raw("\" width=\"6\" height=\"6\"/>\n");
    words("t", at + kBesideMark, y + 4, text, room_beside(lifelines_[process]));
  }

  void rendezvous(u32 from, u32 to, std::string_view label) override {
    const u32 y = begin_row(true);
    if (!shows_row()) return;
    const u32 a = x(lifelines_[from]);
    const u32 b = x(lifelines_[to]);
    if (a == b) return back("r", a, y, y + kRow / 3);
    line("r", a, y, b, y, true);
    const u32 length = std::max(a, b) - std::min(a, b);
    words("t\" text-anchor=\"middle", (a + b) / 2, y - 4, label, length - kBesideMark);
  }

  u64 sent(u32 process, u64 number, std::string_view label) override {
    const u32 y = begin_row(true);
    const u64 row = next_row_ - 1;
    if (!shows_row()) return row;
    const u32 at = x(lifelines_[process]);
    html_.raw("<circle r=\"3\" cx=\"").number(at).raw("\" cy=\"").number(y).raw("\"/>\n");
    FixedText<kChartLabelBytes + 32> text;
    text.add('#').number(number).add(' ').add(label);
    words("t", at + kBesideMark, y - 3, text.view(), room_beside(lifelines_[process]));
    return row;
  }

  void received(u32 process, const ChartMessage& message, std::string_view) override {
    const u32 y = begin_row(true);
    if (!shows_row()) return;
    const u32 from = x(lifelines_[message.process]);
    const u32 to = x(lifelines_[process]);
    if (from == to) {
      back("q", to, y_of(message.row), y);
    } else {
      line("q", from, y_of(message.row), to, y, true);
    }
    FixedText<32> text;
    text.add('#').number(message.number);
    words("t", to + kBesideMark, y + 4, text.view(), spacing_);
  }

  void left(const ChartMessage& message, std::string_view channel, std::string_view) override {
    const u32 y = begin_row(false);
    if (!shows_row()) return;
    const u32 from = x(lifelines_[message.process]);
    line("x", from, y_of(message.row), from - spacing_ / 6, y, true);
    FixedText<kChartLabelBytes + 64> text;
    text.add(channel).add(": #").number(message.number).add(" is not received up to here");
    words("e t", from + kBesideMark, y + 4, text.view(), width_);
  }

  void loop_start(u64) override {
    const u32 y = begin_row(false);
    loop_row_ = next_row_ - 1;
    if (!shows_row()) return;
    line("o", kLoopLeft, y, width_ - kRight, y);
    words("t", kLeft, y - 4, "loop starts here", width_);
  }
  void loop_end(u64, u64 start) override {
    const u32 y = begin_row(false);
    line("o", kLoopLeft, y, width_ - kRight, y);
    line("o", kLoopLeft, y, kLoopLeft, y_of(loop_row_), true);
    FixedText<64> text;
    text.add("back to behind step ").number(start);
    words("t", kLeft, y - 4, text.view(), width_);
  }
  void note(std::string_view text) override {
    words("e h", kLeft, begin_row(false) + 4, text, width_ - kLeft);
  }

 private:
  u32 x(u32 lifeline) const { return kLeft + lifeline * spacing_ + spacing_ / 2; }
  u32 y_of(u64 row) const {
    if (row < first_row_) return kTop - kRow / 2;  // from above
    return kTop + static_cast<u32>(row - first_row_) * kRow;
  }
  bool shows_row() const { return next_row_ > first_row_; }
  u32 room_beside(u32 lifeline) const {
    return (lifeline + 1 == size_.lifelines ? kRight + spacing_ / 2 : spacing_) - 2 * kBesideMark;
  }

  u32 begin_row(bool of_step) {
    const u32 y = y_of(next_row_++);
    if (!of_step || !step_is_new_) return y;
    step_is_new_ = false;
    FixedText<32> number;
    number.number(step_);
    if (shows_row())
      words("n\" text-anchor=\"end", kLeft - kBesideMark, y + 4, number.view(), kLeft);
    return y;
  }

  void name_box(u32 lifeline, std::string_view name) {
    const u32 wide = spacing_ - 10;
    html_.raw("<rect class=\"b\" x=\"").number(x(lifeline) - wide / 2).raw("\" y=\"");
    html_.number(kTop - 44).raw("\" width=\"").number(wide).raw("\" height=\"22\" rx=\"3\"/>\n");
    words("h\" text-anchor=\"middle", x(lifeline), kTop - 29, name, wide);
  }

  void line(std::string_view kind, u32 x1, u32 y1, u32 x2, u32 y2, bool has_head = false) {
    html_.raw("<line class=\"").raw(kind).raw("\" x1=\"").number(x1).raw("\" y1=\"").number(y1);
    html_.raw("\" x2=\"").number(x2).raw("\" y2=\"").number(y2).raw("\"");
    html_.raw(has_head ? " marker-end=\"url(#a)\"/>\n" : "/>\n");
  }
  void back(std::string_view kind, u32 at, u32 from, u32 to) {
    html_.raw("<path class=\"").raw(kind).raw("\" d=\"M").number(at).raw(" ").number(from);
    html_.raw("h-").number(kBack).raw("V").number(to).raw("H").number(at);
    html_.raw("\" marker-end=\"url(#a)\"/>\n");
  }
  // What has no room is cut; a pointer that rests on it shows all.
  void words(std::string_view kind, u32 at, u32 y, std::string_view text, u32 room) {
    const u32 letters = room * 10 / kLetterTenths;
    html_.raw("<text class=\"").raw(kind).raw("\" x=\"").number(at).raw("\" y=\"").number(y);
    html_.raw("\">");
    if (text.size() <= letters) {
      html_.text(text);
    } else {
      html_.text(piece_of(text, 0, letters > 3 ? letters - 3 : 0)).raw("...");
      html_.raw("<title>").text(text).raw("</title>");
    }
    html_.raw("</text>\n");
  }

  std::span<const u32> lifelines_;
  const ChartSize& size_;
  Html html_;
  u32 spacing_ = 0;
  u32 width_ = 0;
  u32 height_ = 0;
  u64 first_row_ = 0;
  u64 next_row_ = 0;
  u64 loop_row_ = 0;
  u64 step_ = 0;
  bool step_is_new_ = false;
};

}  // namespace

Status write_svg_chart(const TraceView& view, Output& out) {
  ChartSize size;
  XMC_TRY(measure_chart(view, size));
  SvgChart chart(view, size, out);
  chart.header(view);
  XMC_TRY(walk_chart(view, chart));
  chart.footer();
  return out.status();
}

}  // namespace xmc
