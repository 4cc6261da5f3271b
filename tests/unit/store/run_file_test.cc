#include "store/run_file.h"

#include <doctest/doctest.h>

#include <set>

#include "key_sets.h"
#include "platform/device_fault.h"
#include "platform/device_ram.h"
#include "store/block.h"
#include "store/run_filter.h"
#include "store/run_merge.h"
#include "store/run_reader.h"

using namespace xmc;

namespace {

struct Memory {
  explicit Memory(u64 bytes) : raw(bytes + 4096) {}
  std::span<u8> span() {
    const u64 base = reinterpret_cast<std::uintptr_t>(raw.data());
    const u64 skip = (4096 - base % 4096) % 4096;
    return std::span<u8>(raw).subspan(skip, raw.size() - 4096);
  }
  std::vector<u8> raw;
};

// One file on a RAM disk, and runs in it with their indexes.
struct Disk {
  explicit Disk(u64 bytes = 8 << 20) : memory(bytes), folder(memory.span()), buffer(64 << 10) {
    Result<Device*> opened = folder.open("runs", Folder::Open::create);
    REQUIRE(opened.ok());
    device = opened.value();
  }

  Run write(const KeySet& keys, u32 words, KeyCodec codec, u32 index_keys = 1 << 12) {
    indexes.emplace_back(u64{index_keys} * words);
    RunWriter writer;
    writer.start(device, "runs", words, codec, buffer.span(), indexes.back());
    const std::vector<Word> all = flat(keys);
    const u32 count = static_cast<u32>(keys.size());
    // In two parts, to see that it makes no difference.
    REQUIRE(writer.append(all.data(), count / 3).ok());
    REQUIRE(writer.append(all.data() + u64{count / 3} * words, count - count / 3).ok());
    Run run;
    REQUIRE(writer.finish(run).ok());
    REQUIRE(run.keys == keys.size());
    return run;
  }

  DeviceCounters::Flow flow() const { return device->counters().total(); }

  Memory memory;
  RamFolder folder;
  Memory buffer;
  Device* device = nullptr;
  std::vector<std::vector<Word>> indexes;
};

KeySet read_all(RunReader& reader) {
  KeySet out;
  Key key(reader.run().words);
  for (;;) {
    const Result<bool> more = reader.next(key.data());
    REQUIRE(more.ok());
    if (!more.value()) return out;
    out.push_back(key);
  }
}

KeySet read_all(const Run& run, u64 buffer_bytes = 64 << 10) {
  Memory buffer(buffer_bytes);
  RunReader reader;
  reader.start(run, buffer.span());
  return read_all(reader);
}

// Some of the keys, some neighbours of theirs and some others: what a filter may be asked for.
KeySet questions(const KeySet& keys, u32 words, u32 one_in, u64 seed) {
  std::mt19937_64 random(seed);
  KeySet out = {Key(words, 0), Key(words, ~Word{0})};
  for (const Key& key : keys) {
    if (random() % one_in != 0) continue;
    out.push_back(key);
    if (random() % 2 == 0) {
      const Word by = random() % 3 - 1;
      out.back()[random() % words] += by;
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

TEST_CASE("runs come back, whatever their shape") {
  for (const Shape shape : kShapes) {
    for (const u32 words : {1u, 2u, 3u, 9u, 80u}) {
      for (const KeyCodec codec : {KeyCodec::delta, KeyCodec::mask}) {
        for (const u32 count : {0u, 1u, 33u, 3000u}) {
          CAPTURE(static_cast<int>(shape));
          CAPTURE(words);
          CAPTURE(count);
          Disk disk;
          const KeySet keys = make_keys(shape, words, count, 1);
          const Run run = disk.write(keys, words, codec);
          CHECK(run.first_block == 0);
          CHECK(disk.device->size_bytes() == run.offset(run.blocks));
          CHECK(read_all(run) == keys);
          CHECK(read_all(run, 4096) == keys);
        }
      }
    }
  }
}

TEST_CASE("the device sees large appends and reads") {
  Disk disk;
  const KeySet keys = make_keys(Shape::sparse, 1, 100000, 2);
  const Run run = disk.write(keys, 1, KeyCodec::delta);
  const u64 pieces = (run.blocks + 15) / 16;
  CHECK(disk.flow().write_calls == pieces);
  CHECK(disk.flow().bytes_written == run.blocks * 4096);
  CHECK(read_all(run) == keys);
  CHECK(disk.flow().read_calls == pieces);
  CHECK(disk.flow().bytes_read == run.blocks * 4096);
  CHECK(disk.device->counters().by_purpose[static_cast<u32>(Purpose::states)].bytes_read ==
        disk.flow().bytes_read);
}

TEST_CASE("the index gives up every second entry when it is full") {
  const KeySet keys = make_keys(Shape::sparse, 2, 40000, 3);
  for (const u32 capacity : {2u, 3u, 7u, 64u, 100000u}) {
    Disk disk;
    const Run run = disk.write(keys, 2, KeyCodec::delta, capacity);
    const u64 stride = u64{1} << run.index.shift();
    CHECK(run.blocks > 100);
    CHECK(run.index.size() == (run.blocks + stride - 1) / stride);
    CHECK(run.index.size() <= capacity);
    if (stride > 1) CHECK((run.blocks + stride / 2 - 1) / (stride / 2) > capacity);
    // Each entry is the first key of its block.
    Memory block(4096);
    for (u32 i = 0; i < run.index.size(); ++i) {
      const ReadRequest request{run.offset(i * stride), block.span()};
      REQUIRE(disk.device->read({&request, 1}, Purpose::states).ok());
      Key first(2);
      load_first_key(block.span().data(), 2, first.data());
      REQUIRE(std::equal(first.begin(), first.end(), run.index.key(i)));
      const u32 found = run.index.find(first.data(), static_cast<u32>(i / 2));
      REQUIRE(found == i);
    }
  }
}

TEST_CASE("seeks find the first key that is not less") {
  for (const Shape shape : kShapes) {
    for (const u32 words : {1u, 2u, 3u, 9u}) {
      for (const u32 capacity : {2u, 5u, 10000u}) {
        for (const u64 skip : {u64{0}, u64{8192}, u64{1} << 20}) {
          const KeySet keys = make_keys(shape, words, 6000, capacity);
          Disk disk;
          const KeyCodec codec = skip == 0 ? KeyCodec::mask : KeyCodec::delta;
          const Run run = disk.write(keys, words, codec, capacity);
          Memory buffer(capacity == 5 ? 4096 : 32 << 10);
          for (const u32 one_in : {2u, 40u, 2000u}) {
            RunReader reader;
            reader.start(run, buffer.span(), skip);
            std::size_t least = 0;  // of the keys that were not passed
            std::mt19937_64 random(one_in);
            for (const Key& question : questions(keys, words, one_in, 4)) {
              REQUIRE(reader.seek_at_least(question.data()).ok());
              const std::size_t at = static_cast<std::size_t>(
                  std::lower_bound(keys.begin(), keys.end(), question) - keys.begin());
              least = std::max(least, at);
              // Looks at what comes, or goes on seeking.
              for (u64 n = random() % 3 * 20; n > 0; --n) {
                Key key(words);
                const Result<bool> more = reader.next(key.data());
                REQUIRE(more.ok());
                REQUIRE(more.value() == (least < keys.size()));
                if (!more.value()) break;
                REQUIRE(key == keys[least]);
                ++least;
              }
            }
            const KeySet rest = read_all(reader);
            REQUIRE(rest == KeySet(keys.begin() + static_cast<long>(least), keys.end()));
            REQUIRE(reader.exhausted());
          }
        }
      }
    }
  }
}

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
          Disk disk;
          const KeyCodec codec = one_in == 7 ? KeyCodec::mask : KeyCodec::delta;
          const Run run = disk.write(keys, words, codec, capacity);
          const KeySet asked = questions(keys, words, one_in, 6);
          const std::vector<Word> all = flat(asked);
          Memory buffer(16 << 10);
          RunReader reader;
          reader.start(run, buffer.span(), one_in == 900 ? 0 : RunReader::kSkipBytes);
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
        }
      }
    }
  }
}

TEST_CASE("a filter reads all in sequence for dense keys, and single blocks for sparse ones") {
  const KeySet keys = make_keys(Shape::sparse, 1, 400000, 8);
  Disk disk;
  const Run run = disk.write(keys, 1, KeyCodec::delta);
  REQUIRE(run.blocks > 400);
  Memory buffer(64 << 10);
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
  CHECK(dense.read_calls == (run.blocks + 15) / 16);
  // One key in 60 blocks, beyond what is worth reading through.
  const u32 step = static_cast<u32>(keys.size() / run.blocks * 60);
  const DeviceCounters::Flow sparse = read(step, 128 << 10);
  CHECK(sparse.bytes_read <= (run.blocks / 60 + 20) * 4096);
  // The same where a seek costs more than 60 blocks: again in sequence.
  CHECK(read(step, 1 << 20).bytes_read >= run.blocks * 4096 * 9 / 10);
}

TEST_CASE("a small index costs a few more reads per jump, not a pass over the run") {
  const KeySet keys = make_keys(Shape::sparse, 1, 400000, 8);
  Disk disk;
  const Run run = disk.write(keys, 1, KeyCodec::delta, 4);
  Memory buffer(64 << 10);
  RunReader reader;
  reader.start(run, buffer.span(), 16 << 10);
  const DeviceCounters::Flow before = disk.flow();
  const Key& wanted = keys[keys.size() * 7 / 8];
  REQUIRE(reader.seek_at_least(wanted.data()).ok());
  Key key(1);
  REQUIRE(reader.next(key.data()).value());
  CHECK(key == wanted);
  CHECK(disk.flow().bytes_read - before.bytes_read <= 12 * 4096);
}

TEST_CASE("merged runs have every key once") {
  for (const u32 words : {1u, 2u, 3u, 9u}) {
    for (const u32 sources : {1u, 2u, 3u, 7u, 32u}) {
      CAPTURE(words);
      CAPTURE(sources);
      Disk disk;
      std::vector<Run> runs;
      std::set<Key> all;
      for (u32 i = 0; i < sources; ++i) {
        // Every fourth is empty or tiny; others overlap because seeds repeat.
        const u32 count = i % 4 == 3 ? i / 4 : 2000;
        const KeySet keys = make_keys(kShapes[i % 5], words, count, i % 3);
        all.insert(keys.begin(), keys.end());
        runs.push_back(disk.write(keys, words, i % 2 == 0 ? KeyCodec::delta : KeyCodec::mask));
      }
      std::vector<Memory> buffers(sources, Memory(8 << 10));
      std::vector<RunReader> readers(sources);
      std::vector<RunReader*> pointers;
      for (u32 i = 0; i < sources; ++i) {
        readers[i].start(runs[i], buffers[i].span());
        pointers.push_back(&readers[i]);
      }
      Memory buffer(64 << 10);
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

TEST_CASE("runs are opened again from their numbers") {
  for (const u32 capacity : {2u, 9u, 4096u}) {
    Disk disk;
    const KeySet first = make_keys(Shape::fields, 2, 20000, 1);
    const KeySet second = make_keys(Shape::clustered, 2, 20000, 2);
    disk.write(first, 2, KeyCodec::mask);
    const Run run = disk.write(second, 2, KeyCodec::delta, capacity);
    CHECK(run.first_block > 0);
    for (const RunCheck check : {RunCheck::all, RunCheck::index}) {
      Run again;
      again.device = run.device;
      again.file = "runs";
      again.words = run.words;
      again.codec = run.codec;
      again.first_block = run.first_block;
      again.blocks = run.blocks;
      again.keys = run.keys;
      again.chain = run.chain;
      std::vector<Word> index(2 * capacity);
      Memory buffer(16 << 10);
      const u64 before = disk.flow().bytes_read;
      REQUIRE(open_run(again, index, buffer.span(), check).ok());
      const u64 blocks = check == RunCheck::all ? run.blocks : run.index.size();
      CHECK(disk.flow().bytes_read - before == blocks * 4096);
      CHECK(again.index.shift() == run.index.shift());
      REQUIRE(again.index.size() == run.index.size());
      CHECK(std::equal(index.begin(), index.begin() + 2 * run.index.size(), run.index.key(0)));
      CHECK(read_all(again) == second);
      // Other numbers are other runs.
      Run wrong = again;
      wrong.first_block -= 1;
      CHECK(open_run(wrong, index, buffer.span(), check).code() == Code::corrupt);
      wrong = again;
      wrong.codec = KeyCodec::mask;
      CHECK(open_run(wrong, index, buffer.span(), check).code() == Code::corrupt);
      wrong = again;
      wrong.blocks += 1 << wrong.index.shift();
      CHECK(open_run(wrong, index, buffer.span(), check).code() == Code::corrupt);
      wrong = again;
      wrong.chain += 1;
      if (check == RunCheck::all || capacity == 4096) {
        CHECK(open_run(wrong, index, buffer.span(), check).code() == Code::corrupt);
      }
    }
  }
}

TEST_CASE("a damaged block is noticed by whoever reads it") {
  Memory disk_memory(4 << 20), journal(1 << 20), buffer(64 << 10);
  RamFolder below(disk_memory.span());
  FaultFolder folder(below, journal.span());
  Result<Device*> device = folder.open("runs", Folder::Open::create);
  REQUIRE(device.ok());
  const KeySet keys = make_keys(Shape::sparse, 1, 20000, 9);
  std::vector<Word> index(1000);
  RunWriter writer;
  writer.start(device.value(), "runs", 1, KeyCodec::delta, buffer.span(), index);
  const std::vector<Word> all = flat(keys);
  REQUIRE(writer.append(all.data(), static_cast<u32>(all.size())).ok());
  Run run;
  REQUIRE(writer.finish(run).ok());
  REQUIRE(run.blocks > 20);
  REQUIRE(device.value()->sync().ok());

  u32 noticed = 0;
  for (u64 seed = 1; seed <= 60; ++seed) {
    FaultPlan plan;
    plan.seed = seed;
    plan.flip_read_at = 2;
    folder.arm(plan);
    Memory piece(4096);
    RunReader reader;
    reader.start(run, piece.span());
    const Word* found = nullptr;
    u32 count = 1;
    u64 seen = 0;
    Status status;
    while (status.ok() && count != 0) {
      status = reader.next_keys(found, count);
      // Nothing but true keys until then.
      for (u32 i = 0; status.ok() && i < count; ++i) REQUIRE(found[i] == all[seen++]);
    }
    // The flip may lie in the unused tail.
    if (status.ok()) {
      CHECK(seen == all.size());
      continue;
    }
    CHECK(status.code() == Code::corrupt);
    CHECK(status.message().find("block 1 of the file 'runs'") != std::string_view::npos);
    ++noticed;

    folder.arm(plan);
    std::vector<u64> fresh(all.size() / 64 + 1, ~u64{0});
    u64 hits = 0;
    reader.start(run, piece.span());
    const u32 asked = static_cast<u32>(all.size());
    CHECK(drop_known(reader, all.data(), asked, fresh.data(), &hits).code() == Code::corrupt);
    folder.arm(plan);
    Run again = run;
    std::vector<Word> other(1000);
    CHECK(open_run(again, other, piece.span(), RunCheck::all).code() == Code::corrupt);
    folder.arm(plan);
    reader.start(run, piece.span());
    RunReader* const one[] = {&reader};
    RunMerge merge;
    std::vector<Word> merged(all.size());
    status = merge.start(one);
    if (status.ok()) status = merge.next_keys(merged.data(), asked, count);
    CHECK(status.code() == Code::corrupt);
  }
  CHECK(noticed >= 50);
}

TEST_CASE("damage under a valid checksum is read without harm") {
  std::mt19937_64 random(5);
  for (u32 round = 0; round < 300; ++round) {
    const u32 words = round % 3 == 2 ? 9 : 1 + round % 3;
    const KeyCodec codec = random() % 2 == 0 ? KeyCodec::delta : KeyCodec::mask;
    Disk disk(1 << 20);
    const KeySet keys = make_keys(Shape::fields, words, 4000, round);
    const Run run = disk.write(keys, words, codec);
    Result<Device*> other = disk.folder.open("other", Folder::Open::create);
    REQUIRE(other.ok());
    Memory block(4096);
    for (u64 b = 0; b < run.blocks; ++b) {
      const ReadRequest request{run.offset(b), block.span()};
      REQUIRE(disk.device->read({&request, 1}, Purpose::states).ok());
      BlockFrame frame;
      REQUIRE(check_block(block.span(), frame, nullptr));
      for (u64 n = random() % 4; n > 0; --n) {
        // Anywhere behind the frame: the number of keys, lengths, records.
        const u64 at = 28 + random() % (random() % 2 == 0 ? 60 : frame.used_bytes - 28);
        block.span()[at] = static_cast<u8>(random());
      }
      seal_block(block.span(), frame);
      REQUIRE(other.value()->append(block.span(), Purpose::states).ok());
    }
    Run damaged = run;
    damaged.device = other.value();
    Memory buffer(16 << 10);
    RunReader reader;
    reader.start(damaged, buffer.span());
    Status status;
    u32 count = 1;
    while (status.ok() && count != 0) {
      const Word* found = nullptr;
      status = reader.next_keys(found, count);
    }
    CHECK((status.ok() || status.code() == Code::corrupt));
    reader.start(damaged, buffer.span());
    const std::vector<Word> asked = flat(questions(keys, words, 5, round));
    std::vector<u64> fresh(asked.size() / words / 64 + 1, ~u64{0});
    u64 hits = 0;
    status = drop_known(reader, asked.data(), static_cast<u32>(asked.size() / words), fresh.data(),
                        &hits);
    CHECK((status.ok() || status.code() == Code::corrupt));
  }
}

TEST_CASE("a block in the wrong place is noticed") {
  Disk disk;
  const KeySet keys = make_keys(Shape::sparse, 1, 20000, 9);
  const Run run = disk.write(keys, 1, KeyCodec::delta);
  Run shifted = run;
  shifted.first_block = 1;
  shifted.blocks = run.blocks - 1;
  Memory buffer(16 << 10);
  RunReader reader;
  reader.start(shifted, buffer.span());
  Key key(1);
  CHECK(reader.next(key.data()).status().code() == Code::corrupt);
}

TEST_CASE("a full disk is an error of the writer") {
  Disk disk(256 << 10);
  const std::vector<Word> all = flat(make_keys(Shape::sparse, 1, 200000, 9));
  std::vector<Word> index(1000);
  RunWriter writer;
  writer.start(disk.device, "runs", 1, KeyCodec::delta, disk.buffer.span(), index);
  Status status = writer.append(all.data(), static_cast<u32>(all.size()));
  CHECK(status.code() == Code::disk_full);
}
