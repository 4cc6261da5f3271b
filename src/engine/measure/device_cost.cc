#include "engine/measure/device_cost.h"

namespace xmc {
namespace {

constexpr std::string_view kFirstLine = "xmc-lite probe 1\n";

struct Line {
  std::string_view name;
  double DeviceCost::*figure;
  double units;  // of the file in one of the figure
};

constexpr Line kLines[] = {
    {"scan_ps_per_byte", &DeviceCost::scan_ns_per_byte, 1000},
    {"scan_offset_ns", &DeviceCost::scan_offset_ns, 1},
    {"random_read_ns", &DeviceCost::random_read_ns, 1},
    {"write_ps_per_byte", &DeviceCost::write_ns_per_byte, 1000},
    {"write_offset_ns", &DeviceCost::write_offset_ns, 1},
};

Status damaged() {
  return Status::fail(Code::corrupt, "the file %s is not one of this version", kProbeFile);
}

// Takes "name digits\n" from the front of the text.
bool take_line(std::string_view& text, std::string_view name, u64& value) {
  if (!text.starts_with(name)) return false;
  text.remove_prefix(name.size());
  if (!text.starts_with(' ')) return false;
  std::size_t at = 1;
  value = 0;
  // Eighteen digits fit in 64 bits, and are more than any figure has.
  for (; at < text.size() && at <= 18 && text[at] >= '0' && text[at] <= '9'; ++at)
    value = value * 10 + static_cast<u64>(text[at] - '0');
  if (at == 1 || at >= text.size() || text[at] != '\n') return false;
  text.remove_prefix(at + 1);
  return true;
}

}  // namespace

void write_cost(const DeviceCost& cost, Text& out) {
  out.add(kFirstLine);
  for (const Line& line : kLines) {
    out.add(line.name).add(' ');
    out.number(static_cast<u64>(cost.*line.figure * line.units + 0.5)).add('\n');
  }
}

Result<DeviceCost> parse_cost(std::string_view text) {
  if (!text.starts_with(kFirstLine)) return damaged();
  text.remove_prefix(kFirstLine.size());
  DeviceCost cost;
  for (const Line& line : kLines) {
    u64 value = 0;
    if (!take_line(text, line.name, value)) return damaged();
    cost.*line.figure = static_cast<double>(value) / line.units;
  }
  if (!text.empty()) return damaged();
  cost.measured = true;
  return cost;
}

}  // namespace xmc
