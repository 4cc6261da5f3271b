#include "disk.h"
#include "xmc/bytes.h"
#include "xmc/hash.h"

namespace xmc::phf {
namespace phf_test {

namespace {

// All ways to ask give the same, right answers.
void check_all_ways(Disk& disk, const Keys& keys) {
  AlignedMemory memory(Reader::least_bytes(disk.builder.layout()) + (64 << 10));
  FileLayout layout;
  REQUIRE(verify_file(disk.pages, memory.span(), layout).ok());
  REQUIRE(layout.keys == keys.size());
  Reader reader;
  REQUIRE(reader.open(disk.pages, memory.span()).ok());
  std::vector<Query> queries = queries_of(keys);
  REQUIRE(reader.find_batch(queries).ok());
  CHECK(right_answers(keys, queries));
  const std::vector<u8> file = disk.file();
  Reader resident;
  REQUIRE(resident.open_resident(file, disk.seed()).ok());
  u64 others = 0;  // a check for each answer would take longer than to find it
  for (const Query& query : queries) {
    Query again{query.key, 0, 0, query.tag};
    const bool found = resident.find(again).ok();
    others += found && again.index == query.index && again.value == query.value ? 0 : 1;
  }
  REQUIRE(others == 0);
}

}  // namespace

TEST_CASE("phf: many keys in small memory") {
  Disk disk(32 << 20, 1 << 20);
  const Keys keys = random_keys(300'000, 8, 7);
  disk.must_build(keys, config_of(8));
  const BuildStats& stats = disk.builder.stats();
  CHECK(stats.runs > 1);
  CHECK(disk.builder.layout().layers > 1);
  CHECK(stats.page_bytes == disk.pages->size_bytes());
  CHECK(stats.run_bytes == disk.runs->counters().total().bytes_written);
  CHECK(stats.page_bytes == disk.pages->counters().total().bytes_written);
  // Three bits per key beside the values, headers and slack included; but for the second layer and
  // the footer. Runs take a little more than the 64 - 16 bits that are new in a hash.
  CHECK((stats.page_bytes - 3 * 4096) * 8 <= keys.size() * 11);
  CHECK(stats.run_bytes <= keys.size() * 8);
  check_all_ways(disk, keys);
}

TEST_CASE("phf: what fits in memory is written once") {
  Disk disk(32 << 20, 8 << 20);
  const Keys keys = random_keys(300'000, 8, 7);
  disk.must_build(keys, config_of(8));
  CHECK(disk.builder.stats().runs == 0);
  CHECK(disk.runs->size_bytes() == 0);
  // The same file as with runs.
  Disk small(32 << 20, 1 << 20);
  small.must_build(keys, config_of(8));
  CHECK(disk.file() == small.file());
  // In any order of the keys.
  Disk turned(32 << 20, 8 << 20);
  turned.must_build(Keys(keys.rbegin(), keys.rend()), config_of(8));
  CHECK(disk.file() == turned.file());
}

TEST_CASE("phf: page sizes, widths and fingerprints") {
  for (const Codec codec : {Codec::pilot, Codec::chd}) {
    if (codec_calls(codec) == nullptr) continue;
    for (const u32 page_bytes : {4096u, 8192u, 16384u, 65536u}) {
      for (const u32 value_bits : {0u, 1u, 9u, 16u, 31u, 32u}) {
        CAPTURE(page_bytes);
        CAPTURE(value_bits);
        Disk disk(8 << 20, 8 << 20);
        const Keys keys = random_keys(rounds(50'000), value_bits, 5);
        BuildConfig config = config_of(value_bits, codec, page_bytes == 8192 ? 8 : 0);
        config.shape.page_bytes = page_bytes;
        if (config.shape.too_large()) {
          CHECK(disk.build(keys, config).status().code() == Code::usage);
          continue;
        }
        disk.must_build(keys, config);
        check_all_ways(disk, keys);
      }
    }
  }
}

TEST_CASE("phf: overfull pages") {
  for (const Codec codec : {Codec::pilot, Codec::chd}) {
    if (codec_calls(codec) == nullptr) continue;
    for (const u32 crowd_bits : {1u, 3u, 8u, 20u, 30u}) {
      CAPTURE(crowd_bits);
      Disk disk(8 << 20, 4 << 20);
      Keys keys = random_keys(20'000, 9, 3);
      // Most of the keys in a small part of the range.
      for (u64 i = 0; i < keys.size(); ++i) {
        if (i % 5 != 0) keys[i].hash >>= crowd_bits;
      }
      disk.must_build(keys, config_of(9, codec));
      CHECK(disk.builder.layout().layers > 1);
      CHECK(disk.builder.stats().bumped_keys > 0);
      check_all_ways(disk, keys);
    }
  }
}

TEST_CASE("phf: a hash that comes twice") {
  for (const u64 memory : {u64{1} << 20, u64{8} << 20}) {
    Disk disk(16 << 20, memory);
    for (const u64 twin : {0, 1, 60'000, 119'999}) {
      disk.clear();
      Keys keys = random_keys(120'000, 8, 11);
      keys.push_back({keys[twin].hash, 1});
      const Result<Outcome> outcome = disk.build(keys, config_of(8));
      REQUIRE(outcome.ok());
      CHECK(outcome.value() == Outcome::collision);
      CHECK(disk.builder.stats().collision == keys[twin].hash);
      CHECK(disk.pages->size_bytes() == 0);
    }
    // Another seed of the caller's hash has other twins, if any.
    disk.clear();
    const Keys keys = random_keys(120'000, 8, 12);
    disk.must_build(keys, config_of(8));
    check_all_ways(disk, keys);
  }
}

TEST_CASE("phf: fingerprints tell strangers") {
  Disk disk(8 << 20, 4 << 20);
  const Keys keys = random_keys(50'000, 8, 21);
  disk.must_build(keys, config_of(8, Codec::pilot, 8));
  check_all_ways(disk, keys);
  const std::vector<u8> file = disk.file();
  Reader reader;
  REQUIRE(reader.open_resident(file, disk.seed()).ok());
  u32 unnoticed = 0;
  for (const Record& stranger : random_keys(25'600, 8, 22)) {
    Query query{stranger.hash, 0, 0, 0};
    REQUIRE(reader.find(query).ok());
    unnoticed += query.index != kForeign;
  }
  // One in 256: 100.
  CHECK(unnoticed > 50);
  CHECK(unnoticed < 200);
}

// The bytes of a file of the own codec are the same on every target.
TEST_CASE("phf: golden file") {
  Disk disk(8 << 20, 4 << 20);
  disk.must_build(random_keys(20'000, 9, 1), config_of(9));
  CHECK(hash_bytes(disk.file()) == 16529847325937021633u);
  disk.clear();
  BuildConfig config = config_of(2, Codec::pilot, 8);
  config.shape.page_bytes = 16384;
  config.hash_seed = 77;
  disk.must_build(random_keys(60'000, 2, 2), config);
  CHECK(hash_bytes(disk.file()) == 1823416480773353664u);
}

TEST_CASE("phf: the plan") {
  const PageShape shape = config_of(8).shape;
  CHECK(shape.capacity() > 3000);
  for (const u64 keys : {u64{0}, u64{1}, u64{5'000}, u64{200'000}}) {
    CAPTURE(keys);
    Disk disk(8 << 20, 1 << 20);
    disk.must_build(random_keys(keys, 8, 9), config_of(8));
    const Plan planned = plan(shape, keys, 4096);
    const FileLayout& layout = disk.builder.layout();
    CHECK(planned.pages == layout.layer[0].pages);
    CHECK(planned.bumped_keys >= layout.keys - layout.layer[0].keys);
    CHECK(planned.pinned_bytes >= layout.pinned_pages() * shape.page_bytes);
    CHECK(planned.file_bytes >= layout.file_bytes());
  }
  // A thousand million keys: 3 bits each beside the values, 0.02 bits of RAM.
  const Plan large = plan(shape, 1'000'000'000, 4096);
  CHECK(large.file_bytes * 8 <= u64{11} * 1'000'000'000);
  CHECK(large.pinned_bytes * 8 <= u64{1'000'000'000} / 50);
  CHECK(large.build_bytes <= 16 << 20);
}

TEST_CASE("phf: refusals name the number") {
  Disk disk(8 << 20, 1 << 20);
  BuildConfig config = config_of(8);
  config.shape.page_bytes = 5000;
  CHECK(disk.build({}, config).status().code() == Code::usage);
  config = config_of(33);
  CHECK(disk.build({}, config).status().code() == Code::usage);
  config = config_of(8);
  config.pinned_limit = 4096;
  const Result<Outcome> refused = disk.build(random_keys(100'000, 8, 1), config);
  CHECK(refused.status().code() == Code::budget);
  CHECK(refused.status().message().find("KiB") != std::string_view::npos);
  CHECK(disk.pages->size_bytes() == 0);

  Builder builder;
  const Status small =
      builder.start(config, disk.pages, disk.runs, disk.memory.span().first(65536));
  CHECK(small.code() == Code::budget);

  disk.clear();
  disk.must_build(random_keys(100'000, 8, 1), config_of(8));
  AlignedMemory memory(1 << 20);
  Reader reader;
  CHECK(reader.open(disk.pages, memory.span().first(8192)).code() == Code::budget);
  CHECK(reader.load_resident(disk.pages, memory.span().first(8192)).code() == Code::budget);
  REQUIRE(reader.load_resident(disk.pages, memory.span()).ok());
  CHECK(reader.layout().keys == 100'000);
}

TEST_CASE("phf: too many keys for the memory to sort") {
  Disk disk(64 << 20, BuildMemory::least_bytes(config_of(8).shape, 4096));
  const Result<Outcome> outcome = disk.build(random_keys(400'000, 8, 1), config_of(8));
  REQUIRE(!outcome.ok());
  CHECK(outcome.status().code() == Code::budget);
  // The plan knows how much it takes.
  Disk enough(64 << 20, plan(config_of(8).shape, 400'000, 4096).build_bytes);
  enough.must_build(random_keys(400'000, 8, 1), config_of(8));
}

TEST_CASE("phf: stops when it is told to") {
  Disk disk(32 << 20, 1 << 20);
  for (u64 stop_at : {0, 1, 2}) {
    struct Asked {
      u64 left;
    } asked{stop_at};
    BuildConfig config = config_of(8);
    config.control.self = &asked;
    config.control.poll = [](void* self, const Progress&) {
      return static_cast<Asked*>(self)->left-- == 0 ? StopReason::signal : StopReason::none;
    };
    disk.clear();
    const Result<Outcome> outcome = disk.build(random_keys(600'000, 8, 1), config);
    CHECK(outcome.status().code() == Code::stopped);
  }
}

}  // namespace phf_test
}  // namespace xmc::phf
