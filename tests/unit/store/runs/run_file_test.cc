#include "store/runs/run_file.h"

#include <doctest/doctest.h>

#include "key_sets.h"
#include "late_device.h"
#include "platform/device_fault.h"
#include "platform/device_ram.h"
#include "run_disk.h"
#include "store/files/block.h"
#include "store/runs/run_filter.h"
#include "store/runs/run_merge.h"
#include "store/runs/run_reader.h"
#include "xmc/limits.h"

using namespace xmc;

namespace run_file_test {

TEST_CASE("runs come back, whatever their shape") {
  for (const Shape shape : kShapes) {
    for (const u32 words : {1u, 2u, 3u, 9u, limits::kKeyWords}) {
      for (const KeyCodec codec : {KeyCodec::delta, KeyCodec::mask}) {
        for (const u32 count : {0u, 1u, 33u, 3000u}) {
          CAPTURE(static_cast<int>(shape));
          CAPTURE(words);
          CAPTURE(count);
          RunDisk disk;
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
  RunDisk disk;
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
    RunDisk disk;
    const Run run = disk.write(keys, 2, KeyCodec::delta, capacity);
    const u64 stride = u64{1} << run.index.shift();
    CHECK(run.blocks > 100);
    CHECK(run.index.size() == (run.blocks + stride - 1) / stride);
    CHECK(run.index.size() <= capacity);
    if (stride > 1) CHECK((run.blocks + stride / 2 - 1) / (stride / 2) > capacity);
    // Each entry is the first key of its block.
    AlignedMemory block(4096);
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
        const KeySet keys = make_keys(shape, words, 6000, capacity);
        for (const u64 skip : {u64{0}, u64{8192}, u64{1} << 20}) {
          RunDisk disk;
          const KeyCodec codec = skip == 0 ? KeyCodec::mask : KeyCodec::delta;
          const Run run = disk.write(keys, words, codec, capacity);
          AlignedMemory buffer(capacity == 5 ? 4096 : 32 << 10);
          for (const u32 one_in : {2u, 40u, 2000u}) {
            RunReader reader;
            reader.start(run, buffer.span(), skip, one_in != 40);
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
            REQUIRE(reader.finish().ok());
          }
        }
      }
    }
  }
}

TEST_CASE("pieces that follow each other are read ahead, and come when they are needed") {
  const KeySet keys = make_keys(Shape::sparse, 1, 100000, 8);
  RunDisk disk;
  const Run run = disk.write(keys, 1, KeyCodec::delta, 4096);
  LateDevice late(*disk.device);
  Run again = run;
  again.device = &late;
  AlignedMemory buffer(32 << 10);
  RunReader reader;
  reader.start(again, buffer.span(), 0, true);
  REQUIRE(read_all(reader) == keys);
  REQUIRE(reader.finish().ok());
  // All but the first two pieces, of four blocks each.
  REQUIRE(late.begun == (run.blocks + 3) / 4 - 2);
  // Single keys far from each other: nothing is read ahead for nothing.
  late.begun = 0;
  reader.start(again, buffer.span(), 0, true);
  for (std::size_t i = 0; i < keys.size(); i += 10000) {
    REQUIRE(reader.seek_at_least(keys[i].data()).ok());
  }
  REQUIRE(reader.finish().ok());
  REQUIRE(late.begun == 0);
  // An error comes with the keys that it concerns.
  late.fail_at = 2;
  reader.start(again, buffer.span(), 0, true);
  Key key(1);
  std::size_t got = 0;
  Result<bool> more = reader.next(key.data());
  for (; more.ok() && more.value(); more = reader.next(key.data())) REQUIRE(key == keys[got++]);
  REQUIRE(!more.ok());
  REQUIRE(more.status().code() == Code::io);
  REQUIRE(got > 0);
}

TEST_CASE("a small index costs a few more reads per jump, not a pass over the run") {
  const KeySet keys = make_keys(Shape::sparse, 1, 400000, 8);
  RunDisk disk;
  const Run run = disk.write(keys, 1, KeyCodec::delta, 4);
  AlignedMemory buffer(64 << 10);
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

TEST_CASE("runs are opened again from their numbers") {
  for (const u32 capacity : {2u, 9u, 4096u}) {
    RunDisk disk;
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
      AlignedMemory buffer(16 << 10);
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
  AlignedMemory disk_memory(4 << 20), journal(1 << 20), buffer(64 << 10);
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
    AlignedMemory piece(4096);
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
    RunDisk disk(1 << 20);
    const KeySet keys = make_keys(Shape::fields, words, 4000, round);
    const Run run = disk.write(keys, words, codec);
    Result<Device*> other = disk.folder.open("other", Folder::Open::create);
    REQUIRE(other.ok());
    AlignedMemory block(4096);
    for (u64 b = 0; b < run.blocks; ++b) {
      const ReadRequest request{run.offset(b), block.span()};
      REQUIRE(disk.device->read({&request, 1}, Purpose::states).ok());
      BlockFrame frame;
      REQUIRE(check_block(block.span(), frame, disk.device->place(request.offset), nullptr));
      for (u64 n = random() % 4; n > 0; --n) {
        // Anywhere behind the frame: the number of keys, lengths, records.
        const u64 at = 28 + random() % (random() % 2 == 0 ? 60 : frame.used_bytes - 28);
        block.span()[at] = static_cast<u8>(random());
      }
      seal_block(block.span(), frame, other.value()->place(run.offset(b)));
      REQUIRE(other.value()->append(block.span(), Purpose::states).ok());
    }
    Run damaged = run;
    damaged.device = other.value();
    AlignedMemory buffer(16 << 10);
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
  RunDisk disk;
  const KeySet keys = make_keys(Shape::sparse, 1, 20000, 9);
  const Run run = disk.write(keys, 1, KeyCodec::delta);
  Run shifted = run;
  shifted.first_block = 1;
  shifted.blocks = run.blocks - 1;
  AlignedMemory buffer(16 << 10);
  RunReader reader;
  reader.start(shifted, buffer.span());
  Key key(1);
  CHECK(reader.next(key.data()).status().code() == Code::corrupt);
}

TEST_CASE("a full disk is an error of the writer") {
  RunDisk disk(256 << 10);
  const std::vector<Word> all = flat(make_keys(Shape::sparse, 1, 200000, 9));
  std::vector<Word> index(1000);
  RunWriter writer;
  writer.start(disk.device, "runs", 1, KeyCodec::delta, disk.buffer.span(), index);
  Status status = writer.append(all.data(), static_cast<u32>(all.size()));
  CHECK(status.code() == Code::disk_full);
}

}  // namespace run_file_test
