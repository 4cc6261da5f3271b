#include "cli/run/forecast/forecast.h"

#include "report/result_json.h"
#include "store/files/key_file.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr u64 kMebibyte = u64{1} << 20;
// Of an edge in its file: 10 to 17 in four BEEM products.
constexpr double kEdgeBits = 13;

u64 whole(double value) {
  constexpr double kMost = 1e18;
  return value < 0 ? 0 : static_cast<u64>(value > kMost ? kMost : value);
}

// Queues are read in slots and written without a sync for each of them.
double transfer_ns_per_byte(const DeviceCost& device) {
  return device.scan_ns(KeyFile::kSlotBytes) / KeyFile::kSlotBytes +
         device.write_ns(kMebibyte) / static_cast<double>(kMebibyte);
}

const char* violation_text(Violation violation) {
  switch (violation) {
    case Violation::deadlock:
      return "a deadlock";
    case Violation::predicate:
      return "a state that violates the property";
    case Violation::model_error:
      return "a run-time error of the model";
    case Violation::accepting_cycle:
    case Violation::uncovered:
    case Violation::liveness:
    case Violation::none:
      break;
  }
  return "";
}

void add_grouped(Row& out, u64 value) {
  FixedText<32> text;
  out.add(text.grouped(value).view());
}

void write_sample(Row& out, const Sample& sample) {
  out.raw("sample").to(kReportIndent);
  if (sample.states == 0) {
    out.add("none: --ram leaves too little for it\n");
    return;
  }
  add_grouped(out, sample.states);
  out.add(" states in ");
  add_grouped(out, sample.levels);
  out.format(" level%s, %.2f s: ", sample.levels == 1 ? "" : "s",
             static_cast<double>(sample.elapsed_ns) * 1e-9);
  add_grouped(out, sample.expansions);
  out.format(" of them expanded, %.1f steps each, ", sample.degree());
  add_grouped(out, rounded(whole(sample.per_second())));
  out.add(" per second\n");
  if (sample.violation != Violation::none)
    out.to(kReportIndent).add("among them is ").add(violation_text(sample.violation)).add('\n');
}

void write_disk(Row& out, const ForecastInput& input, const Forecast& forecast) {
  if (forecast.disk_states == kNoFigure) {
    out.to(kReportIndent)
        .add(input.use.in_order + input.use.in_partitions == 0
                 ? "the disk is not used for states\n"
                 : "what the disk takes is not known\n");
    return;
  }
  const bool more = input.use.besides[0] != '\0';
  out.to(kReportIndent).add(more ? "the disk takes at most " : "the disk takes about ");
  add_grouped(out, rounded(forecast.disk_states));
  out.format(" states, %.1f bytes each", forecast.bytes_per_state);
  if (more) out.add("; on top: ").add(input.use.besides);
  out.add('\n');
}

// What searches for accepting cycles take on top of the states.
void write_cycles(Row& out, const ForecastInput& input, const Forecast& forecast) {
  if (input.use.edges) {
    out.to(kReportIndent)
        .format("of %.1f steps %.1f could be on an accepting cycle: ", input.sample.degree(),
                input.sample.cycle_steps);
    out.format("%.1f of these bytes are edges, %.0f bits each\n", forecast.edge_bytes, kEdgeBits);
  }
  if (forecast.bit_states == kNoFigure) return;
  out.to(kReportIndent)
      .format("%u bit%s of RAM per state to find cycles: at most ", input.use.ram_bits,
              input.use.ram_bits == 1 ? "" : "s");
  add_grouped(out, rounded(forecast.bit_states));
  out.add(" states\n");
}

void write_reach(Row& out, const Forecast& forecast, const char* what, u64 seconds) {
  out.to(kReportIndent).add(what).add(" reaches at most ");
  add_grouped(out, rounded(forecast.reached_in(seconds)));
  out.add(" states\n");
}

}  // namespace

u64 rounded(u64 value) {
  u64 unit = 1;
  while (value / unit >= 100) unit *= 10;
  return value / unit * unit;
}

u64 Forecast::reached_in(u64 seconds) const {
  return whole(per_second * static_cast<double>(seconds));
}

Forecast make_forecast(const ForecastInput& input) {
  const Sample& sample = input.sample;
  Forecast forecast;
  if (sample.states == 0) return forecast;
  if (input.use.edges) forecast.edge_bytes = sample.cycle_steps * kEdgeBits / 8;
  forecast.bytes_per_state = input.use.in_order * sample.in_order +
                             input.use.in_partitions * sample.in_partitions + forecast.edge_bytes;
  if (input.use.ram_bits > 0) forecast.bit_states = input.table_bytes * 8 / input.use.ram_bits;
  forecast.ram_states = whole(static_cast<double>(input.table_bytes) / sample.in_table);
  if (forecast.bytes_per_state > 0 && input.room_bytes != kNoFigure)
    forecast.disk_states = whole(static_cast<double>(input.room_bytes) / forecast.bytes_per_state);
  if (sample.per_second() > 0) {
    const double ns = input.use.expansions * 1e9 / sample.per_second() +
                      forecast.bytes_per_state * transfer_ns_per_byte(input.device);
    forecast.per_second = 1e9 / ns;
  }
  return forecast;
}

void write_forecast(Output& to, const ForecastInput& input, u32 columns) {
  Row out(to, columns);
  const Sample& sample = input.sample;
  write_sample(out, sample);
  if (sample.states == 0) return;
  if (input.peers.count != 0) write_peers(out, sample, input.peers, input.network);
  out.raw("forecast").to(kReportIndent);
  if (sample.violation != Violation::none && input.to_first_error) {
    out.add("the check ends at this violation\n");
    return;
  }
  if (sample.complete) {
    out.add("the sample is the whole search: ");
    add_grouped(out, sample.states);
    out.add(sample.states == 1 ? " state, " : " states, ");
    add_grouped(out, sample.transitions);
    out.add(sample.transitions == 1 ? " transition\n" : " transitions\n");
    return;
  }
  const Forecast forecast = make_forecast(input);
  out.add("the number of states is not known; this is what there is room and time for\n");
  out.to(kReportIndent).add("RAM alone takes about ");
  add_grouped(out, rounded(forecast.ram_states));
  out.format(" states as a table, %.1f bytes each\n", sample.in_table);
  write_disk(out, input, forecast);
  write_cycles(out, input, forecast);
  out.to(kReportIndent).add("at ");
  add_grouped(out, rounded(whole(forecast.per_second)));
  out.add(forecast.bytes_per_state > 0
              ? " states per second, each written and read once at the speed of the device"
              : " states per second");
  if (input.use.expansions > 1) out.format(" and expanded %u times", input.use.expansions);
  out.add(":\n");
  write_reach(out, forecast, "an hour", kHourSeconds);
  write_reach(out, forecast, "a night of 8 hours", kNightSeconds);
  if (input.time_limit_s != kNoFigure)
    write_reach(out, forecast, "the time of --time", input.time_limit_s);
}

void write_forecast_json(JsonWriter& json, const ForecastInput& input) {
  const Sample& sample = input.sample;
  json.line_break().key("sample");
  if (sample.states == 0) {
    json.null().line_break().key("forecast").null();
    write_peers_json(json, sample, input.peers, input.network);
    return;
  }
  json.begin_object().key("states").number(sample.states);
  json.key("expansions").number(sample.expansions).key("transitions").number(sample.transitions);
  json.key("levels").number(sample.levels).key("complete").boolean(sample.complete);
  json.key("violation").boolean(sample.violation != Violation::none);
  json.key("wall_s").real(static_cast<double>(sample.elapsed_ns) * 1e-9, 6);
  json.key("states_per_s").real(sample.per_second(), 0).key("degree").real(sample.degree(), 3);
  json.key("table_bytes_per_state").real(sample.in_table, 3);
  json.key("queue_bytes_per_state").real(sample.in_order, 3);
  json.key("partition_bytes_per_state").real(sample.in_partitions, 3).end_object();
  const Forecast forecast = make_forecast(input);
  json.line_break().key("forecast").begin_object();
  json.key("disk_bytes_per_state").real(forecast.bytes_per_state, 3);
  figure(json, "ram_states", forecast.ram_states);
  figure(json, "disk_states", forecast.disk_states);
  json.key("edge_bytes_per_state").real(forecast.edge_bytes, 3);
  figure(json, "bit_states", forecast.bit_states);
  json.key("on_top").string(input.use.besides);
  json.key("states_per_s").real(forecast.per_second, 0);
  json.key("hour_states").number(forecast.reached_in(kHourSeconds));
  json.key("night_states").number(forecast.reached_in(kNightSeconds)).end_object();
  write_peers_json(json, sample, input.peers, input.network);
}

}  // namespace xmc
