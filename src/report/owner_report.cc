#include "report/owner_report.h"

#include <algorithm>

#include "xmc/text.h"

namespace xmc {

namespace {

struct Whole {
  OwnerShare all;
  double load = 1;       // largest over mean
  double left_home = 0;  // of the steps
};

double share_of(u64 part, u64 whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

Whole add_up(std::span<const OwnerShare> shares) {
  Whole whole;
  u64 largest = 0;
  for (const OwnerShare& one : shares) {
    whole.all.states += one.states;
    whole.all.steps += one.steps;
    whole.all.sent_states += one.sent_states;
    whole.all.sent_bytes += one.sent_bytes;
    whole.all.waited_us += one.waited_us;
    largest = std::max(largest, one.states);
  }
  whole.load = share_of(largest, whole.all.states) * static_cast<double>(shares.size());
  whole.left_home = share_of(whole.all.sent_states, whole.all.steps);
  return whole;
}

void write_sent(Row& out, const OwnerShare& share) {
  FixedText<32> bytes;
  out.format("%.1f%% of the steps left home, ", 100 * share_of(share.sent_states, share.steps));
  out.add(bytes.bytes(share.sent_bytes).view()).add(" sent, ");
  out.format("waited %.2f s", static_cast<double>(share.waited_us) * 1e-6);
}

void write_share(JsonWriter& json, const OwnerShare& share) {
  json.key("states").number(share.states);
  json.key("steps").number(share.steps);
  json.key("sent_states").number(share.sent_states);
  json.key("sent_bytes").number(share.sent_bytes);
  json.key("waited_s").real(static_cast<double>(share.waited_us) * 1e-6, 3);
}

}  // namespace

void write_owners(Row& out, const RunReport& report) {
  if (report.shares.empty()) return;
  const Whole whole = add_up(report.shares);
  out.raw("owners").to(kReportIndent).format("%u; ", static_cast<unsigned>(report.shares.size()));
  out.format("load %.2f (largest over mean); ", whole.load);
  write_sent(out, whole.all);
  out.add('\n');
}

void write_each_owner(Row& out, const RunReport& report) {
  for (u32 i = 0; i < report.shares.size(); ++i) {
    const OwnerShare& share = report.shares[i];
    FixedText<32> states;
    out.to(kReportIndent).format("%u: ", i).add(states.grouped(share.states).view());
    out.add(" states; ");
    write_sent(out, share);
    out.add('\n');
  }
}

void write_owners_json(JsonWriter& json, const RunReport& report) {
  json.key("owners");
  if (report.shares.empty()) {
    json.null();
    return;
  }
  const Whole whole = add_up(report.shares);
  json.begin_object();
  json.key("count").number(report.shares.size());
  json.key("load").real(whole.load, 3);
  json.key("left_home").real(whole.left_home, 4);
  write_share(json, whole.all);
  json.key("each").begin_array();
  for (const OwnerShare& share : report.shares) {
    json.begin_object();
    write_share(json, share);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace xmc
