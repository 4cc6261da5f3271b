// The probe on simulated cards, whose figures are known, and the arithmetic behind it.
#include "engine/measure/device_probe.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string>

#include "platform/device_fault.h"
#include "platform/device_ram.h"
#include "platform/device_sim.h"

using namespace xmc;

namespace device_probe_test {

namespace {

struct Memory {
  explicit Memory(u64 size)
      : bytes(size), data(static_cast<u8*>(aligned_alloc(4096, static_cast<std::size_t>(size)))) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { free(data); }
  std::span<u8> span() { return {data, static_cast<std::size_t>(bytes)}; }
  u64 bytes;
  u8* data;
};

struct Card {
  explicit Card(const CardProfile& profile) : sim(ram, profile, clock) {}
  Result<DeviceCost> probe(u64 buffer_bytes = kProbeBufferBytes) {
    Memory buffer(buffer_bytes);
    const ProbeClock time = {[](void* self) { return static_cast<Clock*>(self)->now_ns(); },
                             &clock};
    return probe_device(sim, time, buffer.span());
  }
  Memory memory{u64{20} << 20};
  RamFolder ram{memory.span()};
  Clock clock{Clock::Kind::manual};
  SimFolder sim;
};

bool near(double found, double expected) { return std::fabs(found - expected) <= expected * 0.15; }

void check_profile(const CardProfile& profile, u64 buffer_bytes) {
  CAPTURE(std::string(profile.name));
  CAPTURE(buffer_bytes);
  Card card(profile);
  const Result<DeviceCost> cost = card.probe(buffer_bytes);
  REQUIRE(cost.ok());
  CHECK(cost.value().measured);
  const double latency = static_cast<double>(profile.read_latency_ns);
  const double ns_per_byte = 1e9 / static_cast<double>(profile.read_bytes_per_s);
  CHECK(near(cost.value().scan_ns_per_byte, ns_per_byte));
  CHECK(near(cost.value().scan_offset_ns, latency));
  CHECK(near(cost.value().random_read_ns, latency + 4096 * ns_per_byte));
  CHECK(near(cost.value().write_ns_per_byte, 1e9 / static_cast<double>(profile.write_bytes_per_s)));
  // The append and the sync.
  CHECK(near(cost.value().write_offset_ns, 2 * static_cast<double>(profile.write_latency_ns)));
  CHECK(card.clock.now_ns() < 700'000'000);
  const u64 written = card.sim.counters().total().bytes_written;
  CHECK(written > 0);
  CHECK(written <= u64{2} << 20);
  // The data is gone.
  CHECK(!card.sim.open(kProbeDataFile, Folder::Open::existing).ok());
  CHECK(card.sim.open_count() == 0);
}

}  // namespace

TEST_CASE("the probe finds the figures of every simulated card") {
  for (const CardProfile& profile : card_profiles()) {
    check_profile(profile, kProbeBufferBytes);
    check_profile(profile, kProbeBufferLeast);
  }
}

TEST_CASE("the defaults are what the probe finds on a card of class A1") {
  Card card(*find_card_profile("a1"));
  const DeviceCost found = card.probe().value();
  const DeviceCost standard;
  CHECK(!standard.measured);
  CHECK(near(standard.scan_ns_per_byte, found.scan_ns_per_byte));
  CHECK(near(standard.scan_offset_ns, found.scan_offset_ns));
  CHECK(near(standard.random_read_ns, found.random_read_ns));
  CHECK(near(standard.write_ns_per_byte, found.write_ns_per_byte));
  CHECK(near(standard.write_offset_ns, found.write_offset_ns));
  CHECK(standard.scan_ns(1'000'000) == 564'000 + 25e6);
  CHECK(standard.write_ns(0) == 3'180'000);
}

TEST_CASE("a device that is far too slow is measured on small requests, and soon left alone") {
  // 256 KiB per second: a request of 1 MiB would take four seconds.
  const CardProfile slow = {"slow", 1'000'000, 1'000'000, 4 << 20, 256 << 10, 4 << 20, 5, 1};
  Card card(slow);
  const Result<DeviceCost> cost = card.probe();
  REQUIRE(cost.ok());
  CHECK(near(cost.value().write_ns_per_byte, 1e9 / (256 << 10)));
  CHECK(near(cost.value().scan_ns_per_byte, 1e9 / (4 << 20)));
  CHECK(card.clock.now_ns() < 2'000'000'000);
}

TEST_CASE("a probe that fails leaves no file behind") {
  Memory memory(u64{20} << 20);
  RamFolder ram(memory.span());
  Memory journal(u64{1} << 20);
  FaultFolder fault(ram, journal.span());
  Memory buffer(kProbeBufferBytes);
  Clock clock(Clock::Kind::manual);
  const ProbeClock time = {[](void* self) { return static_cast<Clock*>(self)->now_ns(); }, &clock};
  FaultPlan plan;
  plan.fail_write_at = 3;
  fault.arm(plan);
  CHECK(probe_device(fault, time, buffer.span()).status().code() == Code::io);
  CHECK(!fault.open(kProbeDataFile, Folder::Open::existing).ok());
  plan = {};
  plan.fail_read_at = 5;
  fault.arm(plan);
  CHECK(probe_device(fault, time, buffer.span()).status().code() == Code::io);
  CHECK(!fault.open(kProbeDataFile, Folder::Open::existing).ok());
  plan = {};
  plan.full_after_bytes = 1 << 20;
  fault.arm(plan);
  CHECK(probe_device(fault, time, buffer.span()).status().code() == Code::disk_full);
  CHECK(!fault.open(kProbeDataFile, Folder::Open::existing).ok());
  CHECK(fault.open_count() == 0);
  fault.arm({});
  CHECK(probe_device(fault, time, buffer.span()).ok());  // a clock that stands still is no trouble
}

TEST_CASE("the line fits, and has no negative parts") {
  const CostPoint exact[] = {{1000, 1500}, {4000, 3000}, {16000, 9000}};
  CostLine line = fit_line(exact);
  CHECK(std::fabs(line.offset_ns - 1000) < 0.001);
  CHECK(std::fabs(line.ns_per_byte - 0.5) < 1e-6);
  // An error of a tenth in the largest moves the offset little.
  const CostPoint off[] = {{1000, 1500}, {4000, 3000}, {16000, 9900}};
  line = fit_line(off);
  CHECK(near(line.offset_ns, 1000));
  CHECK(near(line.ns_per_byte, 0.5));
  const CostPoint bent[] = {{1000, 100}, {4000, 3000}, {16000, 30000}};
  line = fit_line(bent);
  CHECK(line.offset_ns == 0);
  CHECK(line.ns_per_byte > 0);
  const CostPoint falling[] = {{1000, 500}, {4000, 400}, {16000, 300}};
  line = fit_line(falling);
  CHECK(line.ns_per_byte == 0);
  CHECK(line.offset_ns > 300);
  CHECK(line.offset_ns < 500);
  const CostPoint zero[] = {{1000, 0}, {4000, 0}};
  CHECK(fit_line(zero).offset_ns <= 1);
}

TEST_CASE("the figures survive the file, and nothing else passes for them") {
  DeviceCost cost;
  cost.scan_ns_per_byte = 0.4567;
  cost.scan_offset_ns = 12345.4;
  cost.random_read_ns = 0;
  cost.write_ns_per_byte = 1234.5;
  cost.write_offset_ns = 9e9;
  FixedText<kCostTextBytes> text;
  write_cost(cost, text);
  CHECK(!text.cut());
  const Result<DeviceCost> read = parse_cost(text.view());
  REQUIRE(read.ok());
  CHECK(read.value().measured);
  CHECK(read.value().scan_ns_per_byte == 0.457);
  CHECK(read.value().scan_offset_ns == 12345);
  CHECK(read.value().random_read_ns == 0);
  CHECK(read.value().write_ns_per_byte == 1234.5);
  CHECK(read.value().write_offset_ns == 9e9);

  const std::string good(text.view());
  for (std::size_t length = 0; length < good.size(); ++length)
    CHECK(parse_cost({good.data(), length}).status().code() == Code::corrupt);
  for (std::string bad : {good + "x", "y" + good, good + good}) CHECK(!parse_cost(bad).ok());
  std::string later = good;
  later.replace(later.find("probe 1"), 7, "probe 2");
  CHECK(!parse_cost(later).ok());
  std::string huge = good;
  huge.insert(huge.find("9000000000"), "99999999999999999999");
  CHECK(!parse_cost(huge).ok());
}

}  // namespace device_probe_test
