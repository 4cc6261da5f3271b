#include "store/files/edge_file.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "run_disk.h"
#include "store/checkpoint/verify.h"
#include "store/tables/state_bits.h"

using namespace xmc;

namespace edge_file_test {

namespace {

struct Record {
  u64 level = 0;
  bool accepting = false;
  std::vector<u64> targets;
};

struct EdgeDisk {
  explicit EdgeDisk(u32 buffers = 2, u32 seek_point_count = 16)
      : memory(24 << 20),
        folder(memory.span()),
        write_memory(buffers * EdgeFile::kBlockBytes),
        read_memory(buffers * EdgeFile::kBlockBytes),
        seek_points(seek_point_count) {
    Result<Device*> opened = folder.open("edges", Folder::Open::create);
    REQUIRE(opened.ok());
    device = opened.value();
    file.start(device, "edges", write_memory.span(), seek_points);
  }
  void append(const Record& record) {
    records.push_back(record);
    REQUIRE(file.append(record.level, record.accepting, record.targets).ok());
  }
  AlignedMemory memory;
  RamFolder folder;
  AlignedMemory write_memory, read_memory;
  std::vector<EdgeFile::SeekPoint> seek_points;
  Device* device = nullptr;
  EdgeFile file;
  std::vector<Record> records;
};

// Groups in either order, pieces put together again.
void check_blocks(EdgeDisk& disk, bool down) {
  EdgeReader reader;
  reader.start(disk.file, disk.read_memory.span());
  std::vector<Record> found(disk.records.size());
  const u64 blocks = disk.file.blocks();
  for (u64 k = 0; k < blocks; ++k) {
    const u64 b = down ? blocks - 1 - k : k;
    REQUIRE(reader.load(b, down ? b - 1 : b + 1).ok());
    const u32 groups = reader.block().groups();
    for (u32 j = 0; j < groups; ++j) {
      REQUIRE(reader.decode(down ? groups - 1 - j : j).ok());
      const EdgeGroup& group = reader.group();
      for (u32 i = 0; i < group.records; ++i) {
        const EdgeGroup::Record& r = group.record[down ? group.records - 1 - i : i];
        Record& to = found[r.state];
        REQUIRE(r.goes_on == (r.count > 0 && !disk.records[r.state].targets.empty() &&
                              group.targets(r)[0] != disk.records[r.state].targets[0]));
        to.level = r.level;
        to.accepting = r.accepting;
        const auto targets = group.targets(r);
        to.targets.insert(down ? to.targets.begin() : to.targets.end(), targets.begin(),
                          targets.end());
      }
    }
  }
  for (std::size_t s = 0; s < found.size(); ++s) {
    CAPTURE(s);
    REQUIRE(found[s].targets == disk.records[s].targets);
    if (found[s].targets.empty()) continue;
    REQUIRE(found[s].level == disk.records[s].level);
    REQUIRE(found[s].accepting == disk.records[s].accepting);
  }
}

void check_state(EdgeDisk& disk, EdgeReader& reader, u64 s) {
  CAPTURE(s);
  std::vector<u64> targets;
  REQUIRE(reader
              .read(s,
                    [&](const EdgeGroup::Record&, std::span<const u64> piece) {
                      targets.insert(targets.end(), piece.begin(), piece.end());
                    })
              .ok());
  REQUIRE(targets == disk.records[s].targets);
  u64 level = 0;
  REQUIRE(reader.level_of(s, level).ok());
  REQUIRE(level == disk.records[s].level);
}

void check_levels(EdgeDisk& disk) {
  EdgeReader reader;
  reader.start(disk.file, disk.read_memory.span());
  u64 wanted = 0;
  for (u64 s = 0; s <= disk.records.size(); ++s) {
    const u64 level = s < disk.records.size() ? disk.records[s].level : wanted + 2;
    for (; wanted <= level; ++wanted) {
      u64 first = 0;
      REQUIRE(reader.level_begin(wanted, first).ok());
      REQUIRE(first == s);
      if (wanted + 3 < level) wanted = level - 3;  // of a large gap only the end
    }
  }
}

void check_all(EdgeDisk& disk, std::mt19937_64& random) {
  u64 edges = 0;
  for (const Record& record : disk.records) edges += record.targets.size();
  REQUIRE(disk.file.states() == disk.records.size());
  REQUIRE(disk.file.edges() == edges);
  check_blocks(disk, false);
  check_blocks(disk, true);
  check_levels(disk);
  EdgeReader reader;
  reader.start(disk.file, disk.read_memory.span());
  for (u32 i = 0; i < 300 && !disk.records.empty(); ++i) {
    check_state(disk, reader, random() % disk.records.size());
  }
}

std::vector<u64> random_targets(std::mt19937_64& random, u64 count, u64 near, u64 range) {
  std::vector<u64> targets;
  for (u64 i = 0; i < count; ++i) {
    targets.push_back(near > range ? near - range + random() % (2 * range)
                                   : random() % (2 * range));
  }
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

}  // namespace

TEST_CASE("edge files give back what was appended, in both directions and one by one") {
  std::mt19937_64 random(7);
  for (u32 round = 0; round < 12; ++round) {
    CAPTURE(round);
    EdgeDisk disk(1 + round % 2);
    u64 level = 0;
    const u64 range = u64{1} << (3 + random() % 50);
    for (u32 s = 0; s < 40000 && disk.file.blocks() < 40; ++s) {
      if (random() % 50 == 0) level += random() % 20 == 0 ? random() % 100000 : random() % 3;
      const bool dead = random() % 4 < round % 4;
      const u64 most = random() % 200 == 0 ? 900 : 6;
      Record record{level, random() % 2 == 0, {}};
      if (!dead) record.targets = random_targets(random, random() % most, 100 * s, range);
      disk.append(record);
      if (random() % 15000 == 0) REQUIRE(disk.file.flush().ok());
    }
    check_all(disk, random);
  }
}

TEST_CASE("an empty edge file, one state, a long run of states that lead nowhere") {
  std::mt19937_64 random(1);
  EdgeDisk disk;
  check_all(disk, random);
  disk.append({0, true, {0}});
  check_all(disk, random);
  for (u32 i = 0; i < 100000; ++i) disk.append({1 + i / 50000, false, {}});
  disk.append({2, false, {0, ~u64{0} >> 4}});
  CHECK(disk.file.blocks() == 1);
  CHECK(disk.file.used_bytes() < 100);
  check_all(disk, random);
}

TEST_CASE("a reopened edge file goes on, and its blocks are known to fsck") {
  std::mt19937_64 random(3);
  EdgeDisk disk(2, 17);
  const auto fill = [&](u32 count) {
    for (u32 i = 0; i < count; ++i) {
      const u64 s = disk.records.size();
      disk.append({s / 1000, s % 3 == 0, random_targets(random, 40, s, 1 << 20)});
    }
  };
  fill(20000);
  REQUIRE(disk.file.flush().ok());
  const u64 bytes = disk.file.bytes();
  const u64 chain = disk.file.chain();
  const std::vector<Record> before = disk.records;
  fill(3000);
  REQUIRE(disk.file.flush().ok());
  CHECK(disk.file.stride() > 1);

  Manifest::File whole;
  whole.bytes = disk.file.bytes();
  whole.chain = disk.file.chain();
  AlignedMemory buffer(EdgeFile::kBlockBytes);
  Result<BlockReport> report = verify_blocks(*disk.device, whole, buffer.span());
  REQUIRE(report.ok());
  CHECK(report.value().sound());
  CHECK(report.value().blocks == whole.bytes / EdgeFile::kBlockBytes);

  disk.records = before;
  EdgeFile again;
  REQUIRE(
      again.reopen(disk.device, "edges", disk.write_memory.span(), disk.seek_points, bytes, chain)
          .ok());
  disk.file = again;
  CHECK(disk.file.level() == before.back().level);
  check_all(disk, random);
  fill(5000);
  check_all(disk, random);
}

TEST_CASE("a damaged block is an error") {
  EdgeDisk disk;
  for (u64 s = 0; s < 30000; ++s) disk.append({0, false, {s, s + 1000000 * (s % 7 + 1)}});
  REQUIRE(disk.file.flush().ok());
  AlignedMemory copy(EdgeFile::kBlockBytes);
  const ReadRequest request{0, copy.span().first(EdgeFile::kBlockBytes)};
  REQUIRE(disk.device->read({&request, 1}, Purpose::other).ok());
  EdgeBlockHeader header;
  const std::span<u8> block = copy.span().first(EdgeFile::kBlockBytes);
  REQUIRE(open_edge_block(block, disk.device->place(0), header));
  block[5000] ^= 1;
  CHECK(!open_edge_block(block, disk.device->place(0), header));
  // Decoding what no checksum protects ends, with or without an error.
  std::mt19937_64 random(5);
  EdgeBlockReader reader;
  EdgeGroup group;
  for (u32 round = 0; round < 3000; ++round) {
    block[EdgeBlockHeader::kBytes + random() % 20000] = static_cast<u8>(random());
    if (!reader.start(block, header)) {
      REQUIRE(disk.device->read({&request, 1}, Purpose::other).ok());
      continue;
    }
    for (u32 g = 0; g < reader.groups(); ++g) static_cast<void>(reader.decode(g, group));
  }
}

TEST_CASE("marked states are numbered in order") {
  std::mt19937_64 random(11);
  for (const u64 states : {1u, 63u, 64u, 65u, 2048u, 5000u, 100000u}) {
    for (const u32 rarity : {1u, 3u, 400u}) {
      CAPTURE(states);
      AlignedMemory memory(StateBits::bytes_for(states));
      AlignedMemory counts(MarkedNumbers::bytes_for(states));
      StateBits bits;
      bits.start(memory.span(), states, true);
      CHECK(bits.count() == states);
      std::vector<u64> marked;
      for (u64 s = 0; s < states; ++s) {
        if (random() % rarity != 0) {
          bits.clear(s);
        } else {
          marked.push_back(s);
        }
      }
      MarkedNumbers numbers;
      numbers.start(counts.span(), bits);
      REQUIRE(numbers.marked() == marked.size());
      for (u64 i = 0; i < marked.size(); ++i) {
        REQUIRE(numbers.state(i) == marked[i]);
        REQUIRE(numbers.number(marked[i]) == i);
      }
      CHECK(numbers.number(states) == marked.size());
      u64 at = bits.next(0, states);
      for (const u64 s : marked) {
        REQUIRE(at == s);
        at = bits.next(s + 1, states);
      }
      CHECK(at == states);
      bits.clear_range(states / 3, states - states / 5);
      CHECK(!bits.any(states / 3, states - states / 5));
      u64 left = 0;
      for (const u64 s : marked) left += s < states / 3 || s >= states - states / 5 ? 1 : 0;
      CHECK(bits.count() == left);
    }
  }
}

}  // namespace edge_file_test
