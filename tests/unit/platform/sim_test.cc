// The arithmetic of the simulated card, to the nanosecond, on a manual clock.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "platform/device_ram.h"
#include "platform/device_sim.h"
#include "support.h"

namespace xmc::test {
namespace sim_test {
namespace {

constexpr u64 kUnit = 64 * 4096;  // small, so that tests are

// 1 byte per nanosecond and easy latencies: every figure below can be checked in the head.
constexpr CardProfile kPlain = {"plain", 1'000, 2'000, 1'000'000'000, 1'000'000'000, kUnit, 5, 1};

struct Card {
  explicit Card(const CardProfile& profile = kPlain) : sim(ram, profile, clock) {}
  Device* create(const std::string& name) {
    return sim.open(name.c_str(), Folder::Open::create).value();
  }
  // The time of one append of so many blocks.
  u64 append(Device* device, u64 blocks) {
    const u64 before = clock.now_ns();
    REQUIRE(device->append(data.blocks(0, blocks), Purpose::other).ok());
    return clock.now_ns() - before;
  }
  u64 read(Device* device, const std::vector<u64>& at) {
    std::vector<ReadRequest> batch;
    for (std::size_t i = 0; i < at.size(); ++i)
      batch.push_back({at[i] * kBlockBytes, data.blocks(i, 1)});
    const u64 before = clock.now_ns();
    REQUIRE(device->read(batch, Purpose::other).ok());
    return clock.now_ns() - before;
  }

  Aligned memory{u64{16} << 20};
  Aligned data{u64{2} << 20};
  RamFolder ram{memory.span()};
  Clock clock{Clock::Kind::manual};
  SimFolder sim;
};

}  // namespace

TEST_CASE("reads cost a latency per round of the queue and the transfer") {
  Card card;
  Device* device = card.create("a");
  card.append(device, 64);
  CHECK(card.read(device, {0}) == 1'000 + 4096);
  CHECK(card.read(device, {5, 9, 1, 33, 7}) == 5 * 1'000 + 5 * 4096);
  CardProfile deep = kPlain;
  deep.queue_depth = 4;
  Card deep_card(deep);
  device = deep_card.create("a");
  CHECK(device->geometry().queue_depth == 4);
  deep_card.append(device, 64);
  CHECK(deep_card.read(device, {0}) == 1'000 + 4096);
  CHECK(deep_card.read(device, {5, 9, 1, 33}) == 1'000 + 4 * 4096);
  CHECK(deep_card.read(device, {5, 9, 1, 33, 7}) == 2 * 1'000 + 5 * 4096);
}

TEST_CASE("appending to one file never pays a rewrite") {
  Card card;
  Device* device = card.create("a");
  for (u64 i = 0; i < 40; ++i) CHECK(card.append(device, 16) == 2'000 + 16 * 4096);
  // One append over three units is still one latency.
  CHECK(card.append(device, 128) == 2'000 + 128 * 4096);
  CHECK(card.sim.card_counters().unit_rewrites == 0);
  CHECK(card.sim.card_counters().units_opened == 12);
  CHECK(card.sim.card_counters().written_bytes == device->size_bytes());
  CHECK(card.sim.card_counters().device_ns == card.clock.now_ns());
  CHECK(device->counters().wait_ns == card.clock.now_ns());
}

TEST_CASE("five files at once are free, the sixth costs a unit each time") {
  Card card;
  std::vector<Device*> files;
  for (u32 i = 0; i < 6; ++i) files.push_back(card.create("f" + std::to_string(i)));
  for (u32 round = 0; round < 3; ++round) {
    for (u32 i = 0; i < 5; ++i) CHECK(card.append(files[i], 1) == 2'000 + 4096);
  }
  CHECK(card.sim.card_counters().unit_rewrites == 0);
  // The sixth closes f0, the least recently written; f0 then closes f1, and so on: all six pay.
  for (u32 round = 0; round < 2; ++round) {
    CHECK(card.append(files[5], 1) == 2'000 + 4096 + kUnit);
    for (u32 i = 0; i < 5; ++i) CHECK(card.append(files[i], 1) == 2'000 + 4096 + kUnit);
  }
  CHECK(card.sim.card_counters().unit_rewrites == 12);
  CHECK(card.sim.card_counters().written_bytes == (15 + 12) * 4096 + 12 * kUnit);
}

TEST_CASE("a full unit makes room") {
  Card card;
  std::vector<Device*> files;
  for (u32 i = 0; i < 6; ++i) files.push_back(card.create("f" + std::to_string(i)));
  for (u32 i = 0; i < 5; ++i) card.append(files[i], 1);
  card.append(files[2], 63);  // to its end: closed by itself
  CHECK(card.append(files[5], 1) == 2'000 + 4096);
  CHECK(card.sim.card_counters().unit_rewrites == 0);
}

TEST_CASE("a write that does not continue its unit costs a rewrite") {
  Card card;
  Device* device = card.create("a");
  card.append(device, 32);
  REQUIRE(device->truncate(8 * kBlockBytes).ok());
  CHECK(card.append(device, 1) == 2'000 + 4096 + kUnit);
  CHECK(card.append(device, 1) == 2'000 + 4096);
  // Cut at a unit's start: that unit is erased and written anew.
  card.append(device, 54 + 10);
  REQUIRE(device->truncate(kUnit).ok());
  CHECK(card.append(device, 1) == 2'000 + 4096);
  CHECK(card.sim.card_counters().unit_rewrites == 1);
}

TEST_CASE("an old file is continued in the middle of a unit that is not open") {
  Aligned memory(u64{4} << 20);
  RamFolder ram(memory.span());
  Aligned data(4 * kBlockBytes);
  Device* old_file = ram.open("old", Folder::Open::create).value();
  REQUIRE(old_file->append(data.span(), Purpose::other).ok());
  ram.close(old_file);
  Clock clock(Clock::Kind::manual);
  SimFolder sim(ram, kPlain, clock);
  Device* device = sim.open("old", Folder::Open::existing).value();
  REQUIRE(device->append(data.span(), Purpose::other).ok());
  CHECK(clock.now_ns() == 2'000 + 4 * 4096 + kUnit);
  sim.close(device);
  device =
      sim.open("old", Folder::Open::existing).value();  // the card does not notice close and open
  REQUIRE(device->append(data.span(), Purpose::other).ok());
  CHECK(clock.now_ns() == 2 * (2'000 + 4 * 4096) + kUnit);
}

TEST_CASE("removing and discarding free open units at no cost") {
  Card card;
  std::vector<Device*> files;
  for (u32 i = 0; i < 6; ++i) files.push_back(card.create("f" + std::to_string(i)));
  for (u32 i = 0; i < 4; ++i) card.append(files[i], 1);
  card.append(files[4], 65);  // unit 0 full, unit 1 open
  const u64 before = card.clock.now_ns();
  card.sim.close(files[0]);
  REQUIRE(card.sim.remove("f0").ok());
  CHECK(card.clock.now_ns() == before);
  CHECK(card.append(files[5], 1) == 2'000 + 4096);
  CHECK(card.append(files[1], 1) == 2'000 + 4096);
  Device* again = card.create("f0");
  CHECK(card.append(again, 1) == 2'000 + 4096 + kUnit);
}

TEST_CASE("sync, replace and load have their price") {
  Card card;
  Device* device = card.create("a");
  REQUIRE(device->sync().ok());
  CHECK(card.clock.now_ns() == 2'000);
  const std::vector<u8> root(100, 1);
  REQUIRE(card.sim.replace("root", root).ok());
  CHECK(card.clock.now_ns() == 2'000 + (2'000 + 4096) + 2 * 2'000);
  std::vector<u8> loaded(100);
  REQUIRE(card.sim.load("root", loaded).ok());
  CHECK(card.clock.now_ns() == 2'000 + (2'000 + 4096) + 2 * 2'000 + 1'000 + 4096);
}

TEST_CASE("the card works while the caller computes: the longer of the two is what it takes") {
  // Ten rounds of computing for so long and one append of 16 blocks, twice buffered.
  const u64 append_ns = 2'000 + 16 * 4096;
  for (const u64 cpu_ns_per_round : {append_ns / 4, append_ns * 3}) {
    Card card;
    Device* device = card.create("a");
    for (u32 i = 0; i < 10; ++i) {
      card.clock.advance(cpu_ns_per_round);
      REQUIRE(device->finish_append().ok());
      REQUIRE(device->begin_append(card.data.blocks(i % 2 * 16, 16), Purpose::other).ok());
    }
    REQUIRE(device->finish_append().ok());
    const u64 cpu = 10 * cpu_ns_per_round;
    const u64 transfers = 10 * append_ns;
    // What cannot overlap: the first computation, or the last transfer.
    const u64 expected = cpu > transfers ? cpu + append_ns : transfers + cpu_ns_per_round;
    CHECK(card.clock.now_ns() == expected);
    CHECK(expected < cpu + transfers - 2 * append_ns);
    CHECK(card.sim.card_counters().device_ns == transfers);
    CHECK(device->counters().wait_ns == expected - cpu);
  }
}

TEST_CASE("the card does one thing after the other") {
  Card card;
  Device* a = card.create("a");
  Device* b = card.create("b");
  card.append(a, 8);
  const u64 start = card.clock.now_ns();
  const u64 append_ns = 2'000 + 16 * 4096;
  const u64 read_ns = 1'000 + 4096;
  REQUIRE(b->begin_append(card.data.blocks(16, 16), Purpose::other).ok());
  REQUIRE(a->begin_read({0, card.data.blocks(0, 1)}, Purpose::other).ok());
  CHECK(card.clock.now_ns() == start);
  // The read stands behind the append of another file.
  REQUIRE(a->finish_read().ok());
  CHECK(card.clock.now_ns() == start + append_ns + read_ns);
  REQUIRE(b->finish_append().ok());
  CHECK(card.clock.now_ns() == start + append_ns + read_ns);
  // A plain call waits for the card, too.
  REQUIRE(b->begin_append(card.data.blocks(16, 16), Purpose::other).ok());
  CHECK(card.read(a, {1}) == append_ns + read_ns);
  // Long after: the card was idle meanwhile, and saved nothing up.
  card.clock.advance(1'000'000);
  REQUIRE(b->finish_append().ok());
  CHECK(card.read(a, {1}) == read_ns);
  // Sync stands behind an append under way of the same file.
  REQUIRE(b->begin_append(card.data.blocks(16, 16), Purpose::other).ok());
  const u64 before = card.clock.now_ns();
  REQUIRE(b->sync().ok());
  CHECK(card.clock.now_ns() == before + append_ns + 2'000);
}

TEST_CASE("who touches the memory of a begun transfer is found out") {
  Card card;
  Device* device = card.create("a");
  fill_pattern(card.data.blocks(0, 1), 0, 1);
  REQUIRE(device->begin_append(card.data.blocks(0, 1), Purpose::other).ok());
  card.data.span()[7] ^= 1;
  REQUIRE(device->finish_append().ok());
  REQUIRE(device->begin_read({0, card.data.blocks(1, 1)}, Purpose::other).ok());
  CHECK(all_are(card.data.blocks(1, 1), 0));  // not there yet
  REQUIRE(device->finish_read().ok());
  CHECK(!has_pattern(card.data.blocks(1, 1), 0, 1));
}

TEST_CASE("transfer times are rounded up") {
  CardProfile odd = kPlain;
  odd.read_bytes_per_s = 3'000'000'000;
  odd.write_bytes_per_s = 7'000'000'000;
  Card card(odd);
  Device* device = card.create("a");
  CHECK(card.append(device, 1) == 2'000 + 586);   // 585.14...
  CHECK(card.read(device, {0}) == 1'000 + 1366);  // 1365.33...
}

TEST_CASE("a device without units pays no rewrites") {
  CardProfile disk = kPlain;
  disk.unit_bytes = 0;
  disk.open_units = 0;
  Card card(disk);
  for (u32 i = 0; i < 10; ++i)
    CHECK(card.append(card.create("f" + std::to_string(i)), 3) == 2'000 + 3 * 4096);
  CHECK(card.sim.card_counters().unit_rewrites == 0);
}

TEST_CASE("the profiles are the devices they are named after") {
  CHECK(card_profiles().size() == 5);
  CHECK(find_card_profile("floppy") == nullptr);
  for (const char* name : {"a1", "a2", "sdhc", "eee-ssd", "sata"}) {
    const CardProfile* profile = find_card_profile(name);
    REQUIRE(profile != nullptr);
    CHECK(profile->unit_bytes == u64{4} << 20);
    CHECK(profile->queue_depth == 1);
  }
  // Class A1 promises 1500 reads and 500 writes of 4 KiB per second.
  Card card(*find_card_profile("a1"));
  Device* device = card.create("a");
  CHECK(card.append(device, 1) == 2'000'000);
  CHECK(card.read(device, {0}) == 666'666);
  CHECK(find_card_profile("a1")->open_units == 5);
  Card eee(*find_card_profile("eee-ssd"));
  device = eee.create("a");
  eee.append(device, 256);
  const ReadRequest megabyte = {0, eee.data.blocks(0, 256)};
  const u64 before = eee.clock.now_ns();
  REQUIRE(device->read({&megabyte, 1}, Purpose::other).ok());
  CHECK(eee.clock.now_ns() - before == 510'000 + 45'590'261);  // 1 MiB at 23 MB/s
}

TEST_CASE("a virtual night takes no time") {
  Aligned memory(u64{1} << 20);
  RamFolder ram(memory.span());
  Clock clock(Clock::Kind::virtual_time);
  SimFolder sim(ram, *find_card_profile("sdhc"), clock);
  Device* device = sim.open("a", Folder::Open::create).value();
  Aligned data(kBlockBytes);
  REQUIRE(device->append(data.span(), Purpose::other).ok());
  const u64 real_start = monotonic_ns();
  for (u32 i = 0; i < 20'000; ++i) {
    const ReadRequest request = {0, data.span()};
    REQUIRE(device->read({&request, 1}, Purpose::index).ok());
  }
  CHECK(clock.now_ns() > u64{20'000} * 1'373'000);  // 27 s
  CHECK(monotonic_ns() - real_start < u64{10'000'000'000});
  CHECK(device->counters().wait_ns >= u64{20'000} * 1'373'000);
}

}  // namespace sim_test
}  // namespace xmc::test
