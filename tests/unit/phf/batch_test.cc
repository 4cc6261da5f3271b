// Batches: scans, single pages and the cache give what single queries give.
#include "disk.h"
#include "platform/device_sim.h"

namespace xmc::phf {
namespace batch_test {

namespace {

struct Asked {
  std::vector<Query> queries;
  ReaderStats stats;
};

Asked ask(Disk& disk, const std::vector<Query>& wanted, u64 cache_bytes, u64 window_bytes,
          ReadCosts costs) {
  AlignedMemory memory(Reader::least_bytes(disk.builder.layout(), window_bytes) + cache_bytes);
  Reader reader;
  REQUIRE(reader.open(disk.pages, memory.span(), window_bytes).ok());
  reader.set_costs(costs);
  Asked asked{wanted, {}};
  REQUIRE(reader.find_batch(asked.queries).ok());
  asked.stats = reader.stats();
  return asked;
}

}  // namespace

TEST_CASE("phf: batches equal single queries") {
  Disk disk(32 << 20, 4 << 20);
  const Keys keys = random_keys(200'000, 8, 31);
  disk.must_build(keys, config_of(8));
  const std::vector<u8> file = disk.file();
  Reader resident;
  REQUIRE(resident.open_resident(file, disk.seed()).ok());
  const u64 pages = disk.builder.layout().layer[0].pages;

  std::mt19937_64 random(1);
  for (const u64 count : {0, 1, 2, 10, 100, 1000, 20'000}) {
    std::vector<Query> wanted(count);
    for (u32 i = 0; i < count; ++i) wanted[i] = {keys[random() % keys.size()].hash, 0, 0, i};
    std::vector<Query> truth = wanted;
    for (Query& query : truth) REQUIRE(resident.find(query).ok());
    for (const u64 cache : {u64{0}, u64{3 * 4200}, u64{100 * 4200}}) {
      for (const u64 window : {u64{4096}, u64{20'000}, u64{128} << 10}) {
        for (const ReadCosts costs : {ReadCosts{1, 1}, ReadCosts{8, 1}, ReadCosts{1'000'000, 1}}) {
          CAPTURE(count);
          CAPTURE(cache);
          CAPTURE(window);
          CAPTURE(costs.single);
          const Asked asked = ask(disk, wanted, cache, window, costs);
          u32 wrong = 0;
          for (const Query& query : asked.queries) {
            wrong += query.index != truth[query.tag].index;
            wrong += query.value != truth[query.tag].value;
          }
          CHECK(wrong == 0);
          CHECK(asked.stats.queries == count);
          CHECK(asked.stats.pages_read <= pages);
          if (costs.single == 1) CHECK(asked.stats.pages_read <= count);
        }
      }
    }
  }
}

TEST_CASE("phf: few queries read single pages, many are a scan") {
  Disk disk(32 << 20, 4 << 20);
  const Keys keys = random_keys(400'000, 8, 32);
  disk.must_build(keys, config_of(8));
  const u64 pages = disk.builder.layout().layer[0].pages;
  const std::vector<Query> all = queries_of(keys);
  const std::vector<Query> few(all.begin(), all.begin() + 5);
  const ReadCosts costs{8, 1};
  const Asked some = ask(disk, few, 0, 128 << 10, costs);
  CHECK(some.stats.pages_read <= 5 * 8);
  const Asked every = ask(disk, all, 0, 128 << 10, costs);
  CHECK(every.stats.pages_read == pages);
  CHECK(every.stats.requests == (pages + 31) / 32);
}

TEST_CASE("phf: the cache holds all pages when it is large enough") {
  Disk disk(32 << 20, 4 << 20);
  const Keys keys = random_keys(100'000, 8, 33);
  disk.must_build(keys, config_of(8));
  const u64 pages = disk.builder.layout().layer[0].pages;
  AlignedMemory memory(Reader::least_bytes(disk.builder.layout()) +
                       PageCache::bytes_for((pages + 7) / 8 * 8, 4096));
  Reader reader;
  REQUIRE(reader.open(disk.pages, memory.span()).ok());
  REQUIRE(reader.cache_pages() >= pages);
  for (u32 round = 0; round < 3; ++round) {
    std::vector<Query> queries = queries_of(keys);
    REQUIRE(reader.find_batch(queries).ok());
    CHECK(right_answers(keys, queries));
    for (Query& query : queries) REQUIRE(reader.find(query).ok());
    CHECK(right_answers(keys, queries));
  }
  CHECK(reader.stats().pages_read == pages);
}

TEST_CASE("phf: a small cache serves what is asked often") {
  Disk disk(32 << 20, 4 << 20);
  const Keys keys = random_keys(200'000, 8, 34);
  disk.must_build(keys, config_of(8));
  AlignedMemory memory(Reader::least_bytes(disk.builder.layout()) + PageCache::bytes_for(16, 4096));
  Reader reader;
  REQUIRE(reader.open(disk.pages, memory.span()).ok());
  for (u32 round = 0; round < 100; ++round) {
    for (u32 i = 0; i < 4; ++i) {
      Query query{keys[i].hash, 0, 0, 0};
      REQUIRE(reader.find(query).ok());
      CHECK(query.value == keys[i].value);
    }
  }
  CHECK(reader.stats().pages_read == 4);
  CHECK(reader.stats().cache_hits == 396);
}

// On the simulated card time is exact: with measured costs a batch of any size takes about what the
// better of a scan and single reads takes.
TEST_CASE("phf: costs are measured and used") {
  for (const char* name : {"a1", "eee-ssd", "sata"}) {
    Disk disk(32 << 20, 4 << 20);
    const Keys keys = random_keys(400'000, 8, 35);
    disk.must_build(keys, config_of(8));
    disk.folder.close(disk.pages);
    Clock clock(Clock::Kind::manual);
    const CardProfile& profile = *find_card_profile(name);
    SimFolder card(disk.folder, profile, clock);
    Device* const pages = card.open("pages", Folder::Open::existing).value();
    AlignedMemory memory(Reader::least_bytes(disk.builder.layout()));
    Reader reader;
    REQUIRE(reader.open(pages, memory.span()).ok());
    REQUIRE(reader.measure_costs().ok());
    const ReadCosts measured = reader.costs();
    const u64 transfer = u64{4096} * 1'000'000'000 / profile.read_bytes_per_s;
    const u64 single = profile.read_latency_ns / profile.queue_depth + transfer;
    CAPTURE(name);
    CHECK(measured.single >= single * 9 / 10);
    CHECK(measured.single <= single * 11 / 10);
    CHECK(measured.next <= transfer * 13 / 10);

    for (const u64 count : {1, 10, 30, 100, 300, 1000}) {
      std::vector<u64> times;
      for (const ReadCosts costs : {measured, ReadCosts{1, 1}, ReadCosts{1'000'000, 1}}) {
        reader.set_costs(costs);
        std::vector<Query> queries = queries_of(keys);
        queries.resize(count);
        const u64 start = clock.now_ns();
        REQUIRE(reader.find_batch(queries).ok());
        times.push_back(clock.now_ns() - start);
      }
      CAPTURE(count);
      CHECK(times[0] <= std::min(times[1], times[2]) * 115 / 100);
    }
  }
}

}  // namespace batch_test
}  // namespace xmc::phf
