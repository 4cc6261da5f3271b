#include "store/runs/run_filter.h"

#include <doctest/doctest.h>

#include <set>

#include "key_sets.h"
#include "run_disk.h"
#include "store/runs/run_merge.h"

using namespace xmc;

namespace run_filter_test {

TEST_CASE("a filter drops just the known keys") {
  for (const Shape shape : kShapes) {
    for (const u32 words : {1u, 2u, 3u, 9u}) {
      for (const u32 capacity : {3u, 10000u}) {
        for (const u32 one_in : {1u, 7u, 900u}) {
          CAPTURE(static_cast<int>(shape));
          CAPTURE(words);
          CAPTURE(one_in);
          const KeySet keys = make_keys(shape, words, 8000, one_in);
          const std::set<Key> known(keys.begin(), keys.end());
          RunDisk disk;
          const KeyCodec codec = one_in == 7 ? KeyCodec::mask : KeyCodec::delta;
          const Run run = disk.write(keys, words, codec, capacity);
          const KeySet asked = questions(keys, words, one_in, 6);
          const std::vector<Word> all = flat(asked);
          AlignedMemory buffer(32 << 10);
          RunReader reader;
          reader.start(run, buffer.span(), one_in == 900 ? 0 : RunReader::kSkipBytes, words != 3);
          std::mt19937_64 random(one_in);
          // In batches that go on with the same reader, some keys being dropped before.
          u64 hits = 0;
          u64 expected_hits = 0;
          for (std::size_t from = 0; from < asked.size();) {
            const std::size_t count =
                std::min<std::size_t>(1 + random() % 1500, asked.size() - from);
            std::vector<u64> fresh(count / 64 + 1), expected;
            for (u64& bits : fresh) bits = one_in == 7 ? random() : ~u64{0};
            expected = fresh;
            for (std::size_t i = 0; i < count; ++i) {
              u64& bits = expected[i / 64];
              if ((bits >> i % 64 & 1) == 0 || known.count(asked[from + i]) == 0) continue;
              bits &= ~(u64{1} << i % 64);
              ++expected_hits;
            }
            REQUIRE(drop_known(reader, all.data() + from * words, static_cast<u32>(count),
                               fresh.data(), &hits)
                        .ok());
            REQUIRE(fresh == expected);
            from += count;
          }
          CHECK(hits == expected_hits);
          CHECK(hits > 0);
          CHECK(reader.finish().ok());
        }
      }
    }
  }
}

TEST_CASE("a filter reads all in sequence for dense keys, and single blocks for sparse ones") {
  const KeySet keys = make_keys(Shape::sparse, 1, 400000, 8);
  RunDisk disk;
  const Run run = disk.write(keys, 1, KeyCodec::delta);
  REQUIRE(run.blocks > 400);
  AlignedMemory buffer(64 << 10);
  const auto read = [&](u32 step, u64 skip_bytes) {
    std::vector<Word> asked;
    for (std::size_t i = 0; i < keys.size(); i += step) asked.push_back(keys[i][0]);
    std::vector<u64> fresh(asked.size() / 64 + 1, ~u64{0});
    RunReader reader;
    reader.start(run, buffer.span(), skip_bytes);
    u64 hits = 0;
    const DeviceCounters::Flow before = disk.flow();
    REQUIRE(
        drop_known(reader, asked.data(), static_cast<u32>(asked.size()), fresh.data(), &hits).ok());
    REQUIRE(hits == asked.size());
    DeviceCounters::Flow flow = disk.flow();
    flow.bytes_read -= before.bytes_read;
    flow.read_calls -= before.read_calls;
    return flow;
  };
  const DeviceCounters::Flow dense = read(10, 128 << 10);
  CHECK(dense.bytes_read == run.blocks * 4096);
  CHECK(dense.read_calls <= (run.blocks + 15) / 16 + 4);  // it begins small
  // One key in 60 blocks, beyond what is worth reading through.
  const u32 step = static_cast<u32>(keys.size() / run.blocks * 60);
  const DeviceCounters::Flow sparse = read(step, 128 << 10);
  CHECK(sparse.bytes_read <= (run.blocks / 60 + 2) * 4096);
  // The same where a seek costs more than 60 blocks: again in sequence.
  CHECK(read(step, 1 << 20).bytes_read >= run.blocks * 4096 * 9 / 10);
}

TEST_CASE("merged runs have every key once") {
  for (const u32 words : {1u, 2u, 3u, 9u}) {
    for (const u32 sources : {1u, 2u, 3u, 7u, 32u}) {
      CAPTURE(words);
      CAPTURE(sources);
      RunDisk disk;
      std::vector<Run> runs;
      std::set<Key> all;
      for (u32 i = 0; i < sources; ++i) {
        // Every fourth is empty or tiny; others overlap because seeds repeat.
        const u32 count = i % 4 == 3 ? i / 4 : 2000;
        const KeySet keys = make_keys(kShapes[i % 5], words, count, i % 3);
        all.insert(keys.begin(), keys.end());
        runs.push_back(disk.write(keys, words, i % 2 == 0 ? KeyCodec::delta : KeyCodec::mask));
      }
      std::vector<AlignedMemory> buffers;
      for (u32 i = 0; i < sources; ++i) buffers.emplace_back(8 << 10);
      std::vector<RunReader> readers(sources);
      std::vector<RunReader*> pointers;
      for (u32 i = 0; i < sources; ++i) {
        readers[i].start(runs[i], buffers[i].span());
        pointers.push_back(&readers[i]);
      }
      AlignedMemory buffer(64 << 10);
      std::vector<Word> index(2 * words);
      RunWriter writer;
      writer.start(disk.device, "runs", words, KeyCodec::mask, buffer.span(), index);
      REQUIRE(merge_runs(pointers, writer).ok());
      Run merged;
      REQUIRE(writer.finish(merged).ok());
      CHECK(merged.first_block > 0);
      CHECK(read_all(merged) == KeySet(all.begin(), all.end()));
    }
  }
}

}  // namespace run_filter_test
