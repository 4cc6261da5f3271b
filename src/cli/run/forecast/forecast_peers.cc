#include "cli/run/forecast/forecast_peers.h"

#include "xmc/text.h"

namespace xmc {

namespace {

// Levels that speed-ups are told for. The widest of lamport.8, with 60 million states, has 2
// million.
constexpr u64 kLevels[] = {10'000, 100'000, 1'000'000};

const char* words_for(PeerLimit limit) {
  switch (limit) {
    case PeerLimit::nothing:
      return "nothing";
    case PeerLimit::sending:
      return "the work of sending";
    case PeerLimit::load:
      return "uneven load";
    case PeerLimit::network:
      return "the network";
    case PeerLimit::waiting:
      return "waiting at ends of levels";
  }
  return "";
}

const char* name_of(PeerLimit limit) {
  switch (limit) {
    case PeerLimit::nothing:
      return "nothing";
    case PeerLimit::sending:
      return "sending";
    case PeerLimit::load:
      return "load";
    case PeerLimit::network:
      return "network";
    case PeerLimit::waiting:
      return "waiting";
  }
  return "";
}

}  // namespace

void write_peers(Row& out, const Sample& sample, const PeerSamples& all,
                 const PeerNetwork& network) {
  out.raw("boards").to(kReportIndent);
  out.format("a network of %.0f Mbit/s, %.2f ms; ", network.bytes_per_second * 8e-6,
             network.latency_ns * 1e-6);
  out.format("%.2f microseconds for a state on one board\n",
             sample.per_second() > 0 ? 1e6 / sample.per_second() : 0);
  for (u32 i = 0; i < all.count; ++i) {
    const PeerSample& peers = all.each[i];
    out.to(kReportIndent).format("%u, ", peers.owners);
    out.format("divided by %u of %u fields: ", peers.fields, all.all_fields);
    out.format("%.1f%% of the steps leave home, ", 100 * peers.leaving);
    out.format("%.1f bytes sent for a state, ", sample.degree() * peers.leaving * all.sent_bytes);
    out.format("load %.2f, %.2f in a level (largest over mean)\n", peers.load, peers.level_load);
    for (const u64 states : kLevels) {
      const PeerForecast forecast =
          forecast_peers(sample, all, peers, network, static_cast<double>(states));
      FixedText<32> text;
      out.to(kReportIndent).add("  levels of ").add(text.grouped(states).view());
      out.format(" states: %.1f times as fast; ", forecast.speedup);
      out.add("limited by ").add(words_for(forecast.limit)).add('\n');
    }
  }
}

void write_peers_json(JsonWriter& json, const Sample& sample, const PeerSamples& all,
                      const PeerNetwork& network) {
  json.line_break().key("peers");
  if (all.count == 0 || sample.states == 0) {
    json.null();
    return;
  }
  json.begin_object().key("bytes_per_s").real(network.bytes_per_second, 0);
  json.key("latency_s").real(network.latency_ns * 1e-9, 9);
  json.key("share_s").real(all.share_ns * 1e-9, 12);
  json.key("each").begin_array();
  for (u32 i = 0; i < all.count; ++i) {
    const PeerSample& peers = all.each[i];
    json.begin_object().key("count").number(peers.owners).key("fields").number(peers.fields);
    json.key("left_home").real(peers.leaving, 4).key("load").real(peers.load, 3);
    json.key("level_load").real(peers.level_load, 3);
    json.key("sent_bytes_per_state")
        .real(forecast_peers(sample, all, peers, network, 1).sent_bytes, 3);
    json.key("levels").begin_array();
    for (const u64 states : kLevels) {
      const PeerForecast forecast =
          forecast_peers(sample, all, peers, network, static_cast<double>(states));
      json.begin_object().key("states").number(states);
      json.key("speedup").real(forecast.speedup, 3);
      json.key("limit").string(name_of(forecast.limit)).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

}  // namespace xmc
