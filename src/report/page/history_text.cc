// The text that a history is kept as.
#include <charconv>

#include "report/page/history.h"
#include "report/text_sum.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr std::string_view kHeader = "xmc-lite history 1\n";
constexpr std::string_view kChecksum = "checksum ";

class Lines {
 public:
  explicit Lines(Output& out) : out_(out) {}
  Lines& add(std::string_view text) {
    sum_.add(text);
    out_.add(text);
    return *this;
  }
  Lines& number(u64 value) {
    FixedText<24> text;
    return add(text.add(' ').number(value).view());
  }
  void end() {
    FixedText<40> text;
    text.add(kChecksum).format("%016llx\n", wide(sum_.value()));
    out_.add(text.view());
  }

 private:
  Output& out_;
  TextSum sum_;
};

// The next number of a line; false where there is none.
bool take_number(std::string_view& rest, u64& value) {
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const auto got = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (got.ec != std::errc()) return false;
  rest.remove_prefix(static_cast<std::size_t>(got.ptr - rest.data()));
  return true;
}

}  // namespace

void History::save(Output& out) const {
  Lines lines(out);
  lines.add(kHeader).add("run").number(run_).add("\nknown").number(known_from_ms_);
  lines.add("\nlevels").number(first_level_).number(level_step_).number(in_last_);
  for (u32 i = 0; i < bin_count_; ++i) lines.number(bins_[i]);
  lines.add("\ninterval").number(interval_ms_).add("\n");
  for (const Sample& s : samples()) {
    lines.add("sample");
    for (const u64 value : {s.ms, s.states, s.ram, s.disk, s.written, s.detections, s.partial,
                            s.delayed, s.left_low_ms, s.left_high_ms}) {
      lines.number(value);
    }
    lines.add("\n");
  }
  for (const Event& event : events()) {
    lines.add("event").number(static_cast<u64>(event.kind)).number(event.ms).add("\n");
  }
  lines.end();
}

bool History::take_levels(std::string_view rest) {
  if (!take_number(rest, first_level_) || !take_number(rest, level_step_)) return false;
  if (!take_number(rest, in_last_) || level_step_ == 0 || in_last_ > level_step_) return false;
  for (u64 states = 0; take_number(rest, states);) {
    if (bin_count_ == kLevels) return false;
    bins_[bin_count_++] = states;
  }
  return rest.empty() && (bin_count_ == 0) == (in_last_ == 0);
}

bool History::take_sample(std::string_view rest) {
  Sample s;
  for (u64* value : {&s.ms, &s.states, &s.ram, &s.disk, &s.written, &s.detections, &s.partial,
                     &s.delayed, &s.left_low_ms, &s.left_high_ms}) {
    if (!take_number(rest, *value)) return false;
  }
  if (sample_count_ == kSamples || s.ms < last_ms_) return false;
  add_sample(s);
  return rest.empty();
}

bool History::take_line(std::string_view line) {
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return false;
  const std::string_view name = piece_of(line, 0, blank);
  std::string_view rest = piece_of(line, blank);
  if (name == "run") return take_number(rest, run_);
  if (name == "known") return take_number(rest, known_from_ms_);
  if (name == "levels") return take_levels(rest);
  if (name == "interval") return take_number(rest, interval_ms_) && interval_ms_ != 0;
  if (name == "sample") return take_sample(rest);
  u64 kind = 0;
  u64 ms = 0;
  if (name != "event" || !take_number(rest, kind) || !take_number(rest, ms)) return false;
  if (kind > static_cast<u64>(EventKind::resume) || event_count_ == kEvents) return false;
  add_event(static_cast<EventKind>(kind), ms);
  return true;
}

bool History::load(std::string_view text, u64 run) {
  start(0, 0);
  const std::size_t last = text.rfind(kChecksum);
  if (last == std::string_view::npos || !text.starts_with(kHeader)) return false;
  TextSum sum;
  sum.add(piece_of(text, 0, last));
  FixedText<40> line;
  line.add(kChecksum).format("%016llx\n", wide(sum.value()));
  if (piece_of(text, last) != line.view()) return false;
  for (std::size_t begin = kHeader.size(); begin < last;) {
    const std::size_t end = text.find('\n', begin);
    if (!take_line(piece_of(text, begin, end - begin))) return false;
    begin = end + 1;
  }
  return run_ == run;
}

}  // namespace xmc
