// The root swap under power cuts: cut at every step, every fate of what was not synced, load_root
// gives the last checkpoint that was committed or the one that was being committed, and the data
// that it promises is there.
#include "store/checkpoint/root.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "platform/device_fault.h"
#include "platform/device_ram.h"
#include "store/checkpoint/verify.h"
#include "store/files/block.h"

using namespace xmc;

namespace root_test {

namespace {

constexpr u32 kBlock = 8192;
constexpr u64 kCommits = 5;

struct Memory {
  explicit Memory(u64 bytes) : raw(bytes + 4096) {}
  std::span<u8> span() {
    const u64 base = reinterpret_cast<std::uintptr_t>(raw.data());
    const u64 skip = (4096 - base % 4096) % 4096;
    return std::span<u8>(raw).subspan(skip, raw.size() - 4096);
  }
  std::vector<u8> raw;
};

// A file of blocks as an engine writes it.
struct Log {
  Device* device = nullptr;
  u64 chain = 0;
  Memory memory{kBlock};

  Status append(u64 number) {
    std::span<u8> block = memory.span();
    for (u32 i = 0; i < kBlock; ++i) block[i] = static_cast<u8>(number * 31 + i);
    const BlockPlace place = device->place(device->size_bytes());
    chain = extend_chain(chain, seal_block(block, {BlockKind::keys, 1, kBlock - 8, kBlock}, place));
    return device->append(block, Purpose::states);
  }
};

void describe(Manifest& manifest, const Log& log, u64 sequence) {
  manifest.clear();
  manifest.add("level", sequence);
  manifest.add_file("queue", log.device->size_bytes(), log.chain);
}

enum class Protocol { right, data_not_synced };

// One block per commit.
Status run(Folder& folder, u64& committed, Protocol protocol) {
  Manifest manifest;
  Log log;
  Result<Device*> device = folder.open("queue", Folder::Open::create);
  if (!device.ok()) return device.status();
  log.device = device.value();
  XMC_TRY(folder.sync());
  for (u64 sequence = 1; sequence <= kCommits; ++sequence) {
    XMC_TRY(log.append(sequence));
    if (protocol == Protocol::right) XMC_TRY(log.device->sync());
    describe(manifest, log, sequence);
    XMC_TRY(commit_root(folder, manifest, sequence));
    committed = sequence;
  }
  folder.close(log.device);
  return {};
}

struct Disk {
  Memory memory{1 << 20};
  RamFolder ram{memory.span()};
};

}  // namespace

TEST_CASE("slots take turns and the newest wins") {
  Disk disk;
  Manifest manifest;
  CHECK(load_root(disk.ram, manifest).status().code() == Code::usage);
  for (u64 sequence = 1; sequence <= 4; ++sequence) {
    manifest.clear();
    manifest.add("level", sequence * 10);
    REQUIRE(commit_root(disk.ram, manifest, sequence).ok());
    manifest.clear();
    const Result<Root> root = load_root(disk.ram, manifest);
    REQUIRE(root.ok());
    CHECK(root.value().sequence == sequence);
    CHECK(root.value().slot == sequence % 2);
    CHECK_FALSE(root.value().fell_back);
    CHECK(manifest.number("level").value() == sequence * 10);
  }
  REQUIRE(load_root(disk.ram, manifest, 0).ok());
  CHECK(manifest.number("level").value() == 30);
  CHECK(discard_root(disk.ram, 0).ok());
  CHECK(load_root(disk.ram, manifest).value().sequence == 3);
  CHECK(read_root(disk.ram, 0, manifest).state == RootSlot::State::absent);
  CHECK(discard_root(disk.ram, 1).ok());
  CHECK(load_root(disk.ram, manifest).status().code() == Code::usage);
}

TEST_CASE("one changed byte makes a slot unsound, and the other one is taken") {
  Disk disk;
  Manifest manifest;
  for (u64 sequence = 6; sequence <= 7; ++sequence) {
    manifest.clear();
    manifest.add("level", sequence);
    REQUIRE(commit_root(disk.ram, manifest, sequence).ok());
  }
  u8 good[256];
  const u64 size = disk.ram.load("root.1", good).value();
  for (u64 i = 0; i <= size; ++i) {
    std::vector<u8> bad(good, good + size);
    if (i < size) {
      bad[i] ^= 1;
    } else {
      bad.pop_back();
    }
    REQUIRE(disk.ram.replace("root.1", bad).ok());
    const Result<Root> root = load_root(disk.ram, manifest);
    CAPTURE(i);
    REQUIRE(root.ok());
    CHECK(root.value().sequence == 6);
    CHECK(root.value().fell_back);
    CHECK_FALSE(root.value().passed_over.why.ok());
    CHECK(manifest.number("level").value() == 6);
  }
  // An older slot that is damaged is no reason to tell of a fall.
  REQUIRE(disk.ram.replace("root.1", {good, static_cast<std::size_t>(size)}).ok());
  u8 older[256];
  const u64 older_size = disk.ram.load("root.0", older).value();
  older[older_size - 2] ^= 1;
  REQUIRE(disk.ram.replace("root.0", {older, static_cast<std::size_t>(older_size)}).ok());
  Result<Root> root = load_root(disk.ram, manifest);
  REQUIRE(root.ok());
  CHECK(root.value().sequence == 7);
  CHECK_FALSE(root.value().fell_back);
  // Both.
  good[30] ^= 1;
  REQUIRE(disk.ram.replace("root.1", {good, static_cast<std::size_t>(size)}).ok());
  CHECK(load_root(disk.ram, manifest).status().code() == Code::corrupt);
  REQUIRE(disk.ram.replace("root.1", {}).ok());
  CHECK(load_root(disk.ram, manifest).status().code() == Code::corrupt);
}

TEST_CASE("a slot of another version, or in the place of the other one, is not read") {
  Disk disk;
  Manifest manifest;
  manifest.add("level", 1);
  REQUIRE(commit_root(disk.ram, manifest, 1).ok());
  u8 bytes[256];
  const u64 size = disk.ram.load("root.1", bytes).value();
  REQUIRE(disk.ram.replace("root.0", {bytes, static_cast<std::size_t>(size)}).ok());
  CHECK(read_root(disk.ram, 0, manifest).state == RootSlot::State::unsound);
  ++bytes[20];
  REQUIRE(disk.ram.replace("root.1", {bytes, static_cast<std::size_t>(size)}).ok());
  const RootSlot slot = read_root(disk.ram, 1, manifest);
  CHECK(slot.state == RootSlot::State::unsound);
  CHECK(std::string(slot.why.message()).find("another version") != std::string::npos);
}

TEST_CASE("files that are too short or cannot be made the root unsound") {
  Disk disk;
  Manifest manifest;
  Log log;
  log.device = disk.ram.open("queue", Folder::Open::create).value();
  for (u64 sequence = 1; sequence <= 2; ++sequence) {
    REQUIRE(log.append(sequence).ok());
    describe(manifest, log, sequence);
    REQUIRE(commit_root(disk.ram, manifest, sequence).ok());
  }
  disk.ram.close(log.device);
  CHECK(load_root(disk.ram, manifest).value().sequence == 2);
  log.device = disk.ram.open("queue", Folder::Open::existing).value();
  REQUIRE(log.device->truncate(kBlock).ok());
  disk.ram.close(log.device);
  const Result<Root> root = load_root(disk.ram, manifest);
  REQUIRE(root.ok());
  CHECK(root.value().sequence == 1);
  CHECK(root.value().fell_back);
  CHECK(std::string(root.value().passed_over.why.message()).find("'queue' has 8192 bytes") !=
        std::string::npos);
  REQUIRE(disk.ram.remove("queue").ok());
  CHECK(load_root(disk.ram, manifest).status().code() == Code::corrupt);
  for (const char* name : {"../x", "..", "root.0", ".", "a/b"}) {
    manifest.clear();
    manifest.add_file(name, 0, 0);
    REQUIRE(commit_root(disk.ram, manifest, 3).ok());
    CHECK(read_root(disk.ram, 1, manifest).state == RootSlot::State::unsound);
  }
}

namespace {

struct Fate {
  u64 cuts = 0;
  u64 wrong_root = 0;  // none, or neither of the last two
  u64 lost_data = 0;   // not all that the root promises is there
};

Fate cut_everywhere(Protocol protocol) {
  Fate fate;
  for (u64 seed = 1; seed <= 24; ++seed) {
    for (u64 step = 1;; ++step) {
      Disk disk;
      Memory journal(1 << 18);
      FaultFolder folder(disk.ram, journal.span());
      FaultPlan plan;
      plan.seed = seed;
      plan.cut_at = step;
      folder.arm(plan);
      u64 committed = 0;
      if (run(folder, committed, protocol).ok()) break;
      ++fate.cuts;
      folder.restore_power();
      Manifest manifest;
      const Result<Root> root = load_root(folder, manifest);
      if (!root.ok()) {
        if (committed != 0 || root.status().code() != Code::usage) ++fate.wrong_root;
        continue;
      }
      const u64 sequence = root.value().sequence;
      if (sequence < committed || sequence > committed + 1) ++fate.wrong_root;
      REQUIRE(manifest.number("level").value() == sequence);
      Memory buffer(kBlock);
      if (!verify_files(folder, manifest, buffer.span()).ok()) ++fate.lost_data;
    }
  }
  return fate;
}

}  // namespace

TEST_CASE("after a cut at any step one of the last two checkpoints is there, with its data") {
  const Fate fate = cut_everywhere(Protocol::right);
  CHECK(fate.cuts == 24 * (2 + kCommits * 3));
  CHECK(fate.wrong_root == 0);
  CHECK(fate.lost_data == 0);
}

TEST_CASE("a commit before the data is synced is found out") {
  const Fate fate = cut_everywhere(Protocol::data_not_synced);
  CHECK(fate.wrong_root > 0);
  CHECK(fate.lost_data > 0);
}

TEST_CASE("a card that lies about the flush costs one checkpoint, not the run") {
  u64 fell_back = 0;
  u64 verified_away = 0;
  for (u64 seed = 1; seed <= 24; ++seed) {
    Disk disk;
    Memory journal(1 << 18);
    FaultFolder folder(disk.ram, journal.span());
    FaultPlan plan;
    plan.seed = seed;
    folder.arm(plan);
    Log log;
    log.device = folder.open("queue", Folder::Open::create).value();
    REQUIRE(folder.sync().ok());
    Manifest manifest;
    for (u64 sequence = 1; sequence <= 3; ++sequence) {
      REQUIRE(log.append(sequence).ok());
      REQUIRE(log.append(sequence + 100).ok());
      if (sequence < 3) REQUIRE(log.device->sync().ok());
      describe(manifest, log, sequence);
      REQUIRE(commit_root(folder, manifest, sequence).ok());
    }
    folder.cut_power_now();
    folder.restore_power();
    Result<Root> root = load_root(folder, manifest);
    REQUIRE(root.ok());
    CAPTURE(seed);
    Memory buffer(kBlock);
    if (root.value().fell_back) {
      ++fell_back;
    } else {
      const Status status = verify_files(folder, manifest, buffer.span());
      if (status.ok()) continue;
      CHECK(status.code() == Code::corrupt);
      ++verified_away;
      root = load_root(folder, manifest, root.value().slot);
    }
    REQUIRE(root.ok());
    CHECK(root.value().sequence == 2);
    CHECK(verify_files(folder, manifest, buffer.span()).ok());
  }
  CHECK(fell_back > 0);
  CHECK(verified_away > 0);
}

TEST_CASE("a commit that fails leaves the root before it") {
  for (u64 at = 1; at <= 2; ++at) {
    Disk disk;
    Memory journal(1 << 18);
    FaultFolder folder(disk.ram, journal.span());
    Manifest manifest;
    manifest.add("level", 1);
    REQUIRE(commit_root(folder, manifest, 1).ok());
    FaultPlan plan;
    plan.fail_write_at = at == 1 ? 1 : 0;
    plan.full_after_bytes = at == 2 ? 10 : ~u64{0};
    folder.arm(plan);
    manifest.add("more", 2);
    const Status status = commit_root(folder, manifest, 2);
    CHECK(status.code() == (at == 1 ? Code::io : Code::disk_full));
    folder.arm({});
    CHECK(load_root(folder, manifest).value().sequence == 1);
    CHECK_FALSE(manifest.has("more"));
  }
}

TEST_CASE("verification finds the block") {
  Disk disk;
  Log log;
  log.device = disk.ram.open("queue", Folder::Open::create).value();
  Memory raw(20 * kBlock);
  for (u64 i = 0; i < 20; ++i) {
    REQUIRE(log.append(i).ok());
    const std::span<u8> block = log.memory.span();
    std::copy(block.begin(), block.end(), raw.span().begin() + static_cast<long>(i * kBlock));
  }
  Manifest::File file = {"queue", log.device->size_bytes(), log.chain};
  Memory buffer(kBlock);
  Result<BlockReport> report = verify_blocks(*log.device, file, buffer.span());
  REQUIRE(report.ok());
  CHECK(report.value().sound());
  CHECK(report.value().blocks == 20);
  CHECK(verify_blocks(*log.device, file, buffer.span().first(4096)).status().code() ==
        Code::budget);
  file.chain ^= 1;
  CHECK(verify_blocks(*log.device, file, buffer.span()).value().chain_broken);
  file.chain ^= 1;
  disk.ram.close(log.device);
  const auto verify_raw = [&](const char* name) {
    Device* device = disk.ram.open(name, Folder::Open::create).value();
    REQUIRE(device->append(raw.span(), Purpose::states).ok());
    disk.ram.close(device);
    device = disk.ram.open(name, Folder::Open::existing).value();
    const BlockReport found = verify_blocks(*device, file, buffer.span()).value();
    disk.ram.close(device);
    return found;
  };
  const auto with_damage = [&](u64 at) {
    raw.span()[at] ^= 4;
    const BlockReport found = verify_raw("queue");
    raw.span()[at] ^= 4;
    return found;
  };
  CHECK(verify_raw("queue").sound());
  CHECK(verify_raw("copy").damaged == 20);  // sound blocks, of another file
  BlockReport found = with_damage(7 * kBlock + 100);
  CHECK(found.damaged == 1);
  CHECK(found.first_damaged == 7);
  CHECK(found.first_offset == 7 * kBlock);
  CHECK(found.blocks == 20);
  CHECK_FALSE(found.lost);
  found = with_damage(7 * kBlock + 9);  // the magic number
  CHECK(found.damaged == 1);
  CHECK(found.first_damaged == 7);
  CHECK(found.lost);
  CHECK(with_damage(3 * kBlock + kBlock - 1).sound());  // behind what is used
  // A misdirected write: block 4 once more in the place of block 11.
  Memory kept(kBlock);
  const auto block = [&](u64 i) { return raw.span().subspan(i * kBlock, kBlock); };
  std::ranges::copy(block(11), kept.span().begin());
  std::ranges::copy(block(4), block(11).begin());
  found = verify_raw("queue");
  CHECK(found.damaged == 1);
  CHECK(found.first_damaged == 11);
  std::ranges::copy(kept.span(), block(11).begin());
  disk.ram.bind(7, 0);
  CHECK(verify_raw("queue").damaged == 20);  // of another run
}

}  // namespace root_test
