// The fault injector itself: it has to lose what may be lost, and nothing else.
#include <doctest/doctest.h>

#include <cerrno>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "platform/device_fault.h"
#include "platform/device_ram.h"
#include "support.h"

namespace xmc::test {
namespace fault_test {
namespace {

struct Rig {
  explicit Rig(std::size_t journal_bytes = 1 << 20)
      : journal(journal_bytes), fault(ram, journal.span()) {}
  Device* create(const char* name) { return fault.open(name, Folder::Open::create).value(); }
  // A file whose name and first blocks are durable.
  Device* durable(const char* name, u64 blocks) {
    Device* device = create(name);
    REQUIRE(append(device, blocks).ok());
    REQUIRE(device->sync().ok());
    REQUIRE(fault.sync().ok());
    return device;
  }
  Status append(Device* device, u64 blocks, u64 tag = 1) {
    Aligned data(blocks * kBlockBytes);
    fill_pattern(data.span(), device->size_bytes(), tag);
    return device->append(data.span(), Purpose::states);
  }
  // One letter per block of the file: '+' as written, '0' zeros, '/' torn, '?' anything else; "-"
  // without the file.
  std::string contents(const char* name, u64 tag = 1) {
    Result<Device*> device = fault.open(name, Folder::Open::existing);
    if (!device.ok()) return "-";
    std::string letters;
    Aligned block(kBlockBytes);
    for (u64 at = 0; at < device.value()->size_bytes(); at += kBlockBytes) {
      const ReadRequest request = {at, block.span()};
      REQUIRE(device.value()->read({&request, 1}, Purpose::states).ok());
      letters += letter(block.span(), at, tag);
    }
    fault.close(device.value());
    return letters;
  }
  static char letter(std::span<const u8> block, u64 at, u64 tag) {
    if (has_pattern(block, at, tag)) return '+';
    if (all_are(block, 0)) return '0';
    for (std::size_t cut = 512; cut < kBlockBytes; cut += 512) {
      if (has_pattern(block.first(cut), at, tag) && all_are(block.subspan(cut), 0)) return '/';
    }
    return '?';
  }

  Aligned memory{u64{8} << 20};
  RamFolder ram{memory.span()};
  Aligned journal;
  FaultFolder fault;
};

// What is left of a file with two synced and ten unsynced blocks.
std::string after_cut(Survival survival, u64 seed) {
  Rig rig;
  Device* device = rig.durable("data", 2);
  FaultPlan plan;
  plan.seed = seed;
  plan.survival = survival;
  plan.cut_at = 4;
  rig.fault.arm(plan);
  CHECK(rig.append(device, 3).ok());
  CHECK(rig.append(device, 1).ok());
  CHECK(rig.append(device, 4).ok());
  const Status cut = rig.append(device, 2);
  CHECK(cut.code() == Code::io);
  CHECK(!rig.fault.powered());
  rig.fault.restore_power();
  return rig.contents("data");
}

}  // namespace

TEST_CASE("without power every call fails until it is restored") {
  Rig rig;
  Device* device = rig.durable("data", 2);
  FaultPlan plan;
  plan.cut_at = 1;
  rig.fault.arm(plan);
  CHECK(!rig.append(device, 1).ok());
  Aligned block(kBlockBytes);
  const ReadRequest request = {0, block.span()};
  CHECK(device->read({&request, 1}, Purpose::states).code() == Code::io);
  CHECK(!rig.append(device, 1).ok());
  CHECK(!device->truncate(0).ok());
  CHECK(!device->discard(0, kBlockBytes).ok());
  CHECK(!rig.fault.open("other", Folder::Open::create).ok());
  CHECK(!rig.fault.replace("root", block.span()).ok());
  CHECK(!rig.fault.load("root", block.span()).ok());
  CHECK(!rig.fault.remove("other").ok());
  CHECK(!rig.fault.free_bytes().ok());
  CHECK(!rig.fault.sync().ok());
  CHECK(!device->sync().ok());
  rig.fault.restore_power();
  CHECK(rig.fault.open_count() == 0);
  CHECK(rig.contents("data").substr(0, 2) == "++");
  device = rig.fault.open("data", Folder::Open::existing).value();
  CHECK(rig.append(device, 1).ok());
}

TEST_CASE("synced data survives every cut, unsynced data as the plan says") {
  CHECK(after_cut(Survival::dropped, 1) == "++");
  CHECK(after_cut(Survival::kept, 1) == "++++++++++++");
  std::set<std::string> torn_blocks;
  std::set<std::string> torn_sectors;
  std::set<std::string> reordered;
  std::set<std::string> any;
  for (u64 seed = 1; seed <= 60; ++seed) {
    torn_blocks.insert(after_cut(Survival::torn_blocks, seed));
    torn_sectors.insert(after_cut(Survival::torn_sectors, seed));
    reordered.insert(after_cut(Survival::reordered, seed));
    any.insert(after_cut(Survival::any, seed));
  }
  for (const std::string& left : torn_blocks)
    CHECK(left.find_first_not_of('+') == std::string::npos);
  CHECK(torn_blocks.size() >= 8);
  bool split = false;
  bool split_last = false;
  for (const std::string& left : torn_sectors) {
    const std::size_t odd = left.find_first_not_of('+');
    CHECK((odd == std::string::npos || (odd + 1 == left.size() && left[odd] == '/')));
    split = split || odd != std::string::npos;
    split_last = split_last || left == "+++++++++++/";
  }
  CHECK(split);
  CHECK(split_last);
  bool hole = false;
  for (const std::string& left : reordered) {
    CHECK(left.substr(0, 2) == "++");
    CHECK(left.back() == '+');
    CHECK(left.find_first_not_of("+0") == std::string::npos);
    hole = hole || left.find('0') != std::string::npos;
  }
  CHECK(hole);
  CHECK(reordered.size() >= 30);
  CHECK(any.count("++") == 1);
  CHECK(any.count("++++++++++++") == 1);
  CHECK(any.size() > 10);
  for (const std::string& left : any) CHECK(left.find('?') == std::string::npos);
}

TEST_CASE("one seed, one outcome") {
  for (u64 seed = 1; seed < 20; ++seed)
    CHECK(after_cut(Survival::any, seed) == after_cut(Survival::any, seed));
}

TEST_CASE("a cut in sync loses no more than one before it") {
  std::set<std::string> outcomes;
  for (u64 seed = 1; seed < 40; ++seed) {
    Rig rig;
    Device* device = rig.durable("data", 1);
    FaultPlan plan;
    plan.seed = seed;
    plan.survival = Survival::torn_blocks;
    plan.cut_at = 2;
    rig.fault.arm(plan);
    CHECK(rig.append(device, 2).ok());
    CHECK(!device->sync().ok());
    rig.fault.restore_power();
    outcomes.insert(rig.contents("data"));
  }
  CHECK(outcomes == std::set<std::string>{"+", "++", "+++"});
}

TEST_CASE("names are durable after a sync of the folder only") {
  std::set<std::string> created;
  std::set<std::string> removed;
  for (u64 seed = 1; seed < 20; ++seed) {
    Rig rig;
    rig.fault.close(rig.durable("old", 1));
    FaultPlan plan;
    plan.seed = seed;
    plan.survival = Survival::torn_blocks;
    rig.fault.arm(plan);
    Device* fresh = rig.create("new");
    CHECK(rig.append(fresh, 1).ok());
    CHECK(fresh->sync().ok());
    rig.fault.close(fresh);
    CHECK(rig.fault.remove("old").ok());
    CHECK(rig.contents("old") == "-");
    CHECK(rig.contents("new") == "+");
    rig.fault.cut_power_now();
    rig.fault.restore_power();
    created.insert(rig.contents("new"));
    removed.insert(rig.contents("old"));
  }
  CHECK(created == std::set<std::string>{"-", "+"});
  CHECK(removed == std::set<std::string>{"-", "+"});

  Rig rig;
  rig.fault.close(rig.durable("old", 1));
  rig.fault.close(rig.durable("new", 1));
  CHECK(rig.fault.remove("old").ok());
  CHECK(rig.fault.sync().ok());
  rig.fault.cut_power_now();
  rig.fault.restore_power();
  CHECK(rig.contents("old") == "-");
  CHECK(rig.contents("new") == "+");
}

TEST_CASE("a cut while a file is created leaves it or not") {
  std::set<std::string> outcomes;
  for (u64 seed = 1; seed < 20; ++seed) {
    Rig rig;
    FaultPlan plan;
    plan.seed = seed;
    plan.survival = Survival::torn_blocks;
    plan.cut_at = 1;
    rig.fault.arm(plan);
    CHECK(!rig.fault.open("new", Folder::Open::create).ok());
    rig.fault.restore_power();
    outcomes.insert(rig.contents("new"));
  }
  CHECK(outcomes == std::set<std::string>{"-", ""});
}

TEST_CASE("replace is old or new, never in between") {
  std::set<u64> outcomes;
  for (u64 seed = 1; seed < 20; ++seed) {
    Rig rig;
    const std::vector<u8> old_root(100, 1);
    const std::vector<u8> new_root(200, 2);
    REQUIRE(rig.fault.replace("root", old_root).ok());
    FaultPlan plan;
    plan.seed = seed;
    plan.survival = Survival::torn_sectors;
    plan.cut_at = 1;
    rig.fault.arm(plan);
    CHECK(!rig.fault.replace("root", new_root).ok());
    rig.fault.restore_power();
    std::vector<u8> loaded(300);
    const Result<u64> bytes = rig.fault.load("root", loaded);
    REQUIRE(bytes.ok());
    outcomes.insert(bytes.value());
    const u8 expected = bytes.value() == 100 ? 1 : 2;
    loaded.resize(static_cast<std::size_t>(bytes.value()));
    CHECK(all_are(loaded, expected));
  }
  CHECK(outcomes == std::set<u64>{100, 200});
}

TEST_CASE("every step is counted, so that a test can cut at each") {
  Rig rig;
  rig.fault.arm({});
  Device* device = rig.create("a");   // 1
  CHECK(rig.append(device, 1).ok());  // 2
  CHECK(device->sync().ok());         // 3
  CHECK(device->truncate(0).ok());    // 4
  rig.fault.close(device);
  CHECK(rig.fault.replace("r", std::vector<u8>(1)).ok());  // 5
  CHECK(rig.fault.remove("a").ok());                       // 6
  CHECK(rig.fault.sync().ok());                            // 7
  CHECK(rig.fault.steps() == 7);
}

TEST_CASE("unsynced data outlives a close, and is read through it") {
  Rig rig;
  Device* device = rig.durable("data", 1);
  CHECK(rig.append(device, 3).ok());
  rig.fault.close(device);
  CHECK(rig.contents("data") == "++++");
  device = rig.fault.open("data", Folder::Open::existing).value();
  CHECK(rig.append(device, 2).ok());
  CHECK(device->truncate(5 * kBlockBytes).ok());  // inside the last append
  CHECK(rig.append(device, 1).ok());
  rig.fault.close(device);
  CHECK(rig.contents("data") == "++++++");
  FaultPlan plan;
  plan.survival = Survival::dropped;
  rig.fault.arm(plan);
  rig.fault.cut_power_now();
  rig.fault.restore_power();
  CHECK(rig.contents("data") == "+");
}

TEST_CASE("an append that was cut in two is continued where it was cut") {
  Rig rig;
  Device* device = rig.durable("data", 1);
  CHECK(rig.append(device, 4).ok());
  CHECK(device->truncate(3 * kBlockBytes).ok());
  CHECK(rig.append(device, 1).ok());
  CHECK(device->sync().ok());
  rig.fault.close(device);
  CHECK(rig.contents("data") == "++++");
}

TEST_CASE("a sync makes room in the journal") {
  Rig rig(9 * kBlockBytes);
  Device* device = rig.durable("data", 1);
  Device* other = rig.durable("other", 1);
  CHECK(rig.append(other, 2).ok());
  for (u32 i = 0; i < 20; ++i) {
    CHECK(rig.append(device, 2).ok());
    CHECK(device->sync().ok());
  }
  CHECK(rig.append(device, 4).ok());
  FaultPlan plan;
  plan.survival = Survival::dropped;
  rig.fault.arm(plan);
  rig.fault.cut_power_now();
  rig.fault.restore_power();
  CHECK(rig.contents("data") == std::string(41, '+'));
  CHECK(rig.contents("other") == "+");
}

TEST_CASE("a journal that is full is written back, and nothing is lost or mixed up") {
  Rig rig(8 * kBlockBytes + 100);
  Device* a = rig.durable("a", 1);
  Device* b = rig.durable("b", 1);
  for (u32 i = 0; i < 30; ++i) {
    CHECK(rig.append(a, 1 + i % 3).ok());
    CHECK(rig.append(b, 1).ok());
    if (i % 7 == 0) CHECK(b->sync().ok());
  }
  CHECK(rig.append(a, 20).ok());  // more than the journal
  const std::string whole(1 + 60 + 20, '+');
  rig.fault.close(a);
  rig.fault.close(b);
  CHECK(rig.contents("a") == whole);
  CHECK(rig.contents("b") == std::string(31, '+'));
  rig.fault.cut_power_now();
  rig.fault.restore_power();
  CHECK(rig.contents("b").find('?') == std::string::npos);
}

TEST_CASE("EIO comes when it was ordered, once") {
  Rig rig;
  Device* device = rig.durable("data", 4);
  FaultPlan plan;
  plan.fail_read_at = 3;
  plan.fail_write_at = 2;
  plan.fail_sync_at = 2;
  rig.fault.arm(plan);
  Aligned block(kBlockBytes);
  const ReadRequest request = {0, block.span()};
  for (u32 i = 1; i <= 5; ++i) {
    const Status status = device->read({&request, 1}, Purpose::states);
    CHECK(status.ok() == (i != 3));
    if (i == 3) CHECK(status.os_error() == EIO);
  }
  CHECK(rig.append(device, 1).ok());
  CHECK(rig.append(device, 1).code() == Code::io);
  CHECK(device->size_bytes() == 5 * kBlockBytes);
  CHECK(rig.append(device, 1).ok());
  CHECK(device->sync().ok());
  CHECK(device->sync().code() == Code::io);
  CHECK(device->sync().code() == Code::io);  // stays failed
}

TEST_CASE("a begun append fails at every k-th write, and nothing of it stays") {
  constexpr u64 kAppends = 6;
  for (u64 k = 1; k <= kAppends; ++k) {
    CAPTURE(k);
    Rig rig;
    Device* device = rig.durable("data", 2);
    FaultPlan plan;
    plan.fail_write_at = k;
    rig.fault.arm(plan);
    Aligned data(2 * kBlockBytes);
    u64 failed_at = 0;
    Status status;
    for (u64 i = 1; i <= kAppends && status.ok(); ++i) {
      fill_pattern(data.span(), device->size_bytes(), 1);
      const u64 before = device->size_bytes();
      REQUIRE(device->begin_append(data.span(), Purpose::states).ok());
      CHECK(device->size_bytes() == before + 2 * kBlockBytes);
      status = device->finish_append();
      failed_at = i;
    }
    CHECK(failed_at == k);
    CHECK(status.os_error() == EIO);
    CHECK(device->size_bytes() == 2 * k * kBlockBytes);
    CHECK(rig.append(device, 1).code() == Code::io);
    CHECK(device->sync().code() == Code::io);
    rig.fault.close(device);
    CHECK(rig.contents("data") == std::string(2 * k, '+'));
  }
}

TEST_CASE("the power fails with an append under way") {
  std::set<std::string> outcomes;
  for (u64 seed = 1; seed <= 60; ++seed) {
    // In the step of the append itself, and after it, before anybody finished it.
    for (const u64 cut_at : {u64{1}, u64{0}}) {
      Rig rig;
      Device* device = rig.durable("data", 2);
      FaultPlan plan;
      plan.seed = seed;
      plan.cut_at = cut_at;
      rig.fault.arm(plan);
      Aligned data(4 * kBlockBytes);
      fill_pattern(data.span(), device->size_bytes(), 1);
      REQUIRE(device->begin_append(data.span(), Purpose::states).ok());
      if (cut_at == 0) {
        rig.fault.cut_power_now();
        CHECK(device->sync().code() == Code::io);
      } else {
        CHECK(device->finish_append().code() == Code::io);
        CHECK(device->size_bytes() == 2 * kBlockBytes);
      }
      CHECK(!rig.fault.powered());
      rig.fault.restore_power();
      const std::string left = rig.contents("data");
      CHECK(left.substr(0, 2) == "++");
      CHECK(left.size() <= 6);
      CHECK(left.find('?') == std::string::npos);
      outcomes.insert(left);
      // What is left can be written on after a cut back to what was synced.
      device = rig.fault.open("data", Folder::Open::existing).value();
      CHECK(device->truncate(2 * kBlockBytes).ok());
      CHECK(rig.append(device, 1).ok());
    }
  }
  CHECK(outcomes.count("++") == 1);
  CHECK(outcomes.count("++++++") == 1);
  CHECK(outcomes.size() > 5);
}

TEST_CASE("the disk is full after so many bytes") {
  Rig rig;
  Device* device = rig.durable("data", 1);
  FaultPlan plan;
  plan.full_after_bytes = 5 * kBlockBytes;
  rig.fault.arm(plan);
  CHECK(rig.append(device, 3).ok());
  CHECK(rig.fault.free_bytes().value() == 2 * kBlockBytes);
  const Status full = rig.append(device, 3);
  CHECK(full.code() == Code::disk_full);
  CHECK(full.os_error() == ENOSPC);
  CHECK(device->size_bytes() == 4 * kBlockBytes);
  CHECK(rig.append(device, 2).ok());
  CHECK(rig.fault.replace("root", std::vector<u8>(1)).code() == Code::disk_full);
}

TEST_CASE("one bit of one read comes back wrong") {
  Rig rig;
  Device* device = rig.durable("data", 4);
  FaultPlan plan;
  plan.flip_read_at = 2;
  rig.fault.arm(plan);
  Aligned block(kBlockBytes);
  const ReadRequest request = {kBlockBytes, block.span()};
  for (u32 i = 1; i <= 3; ++i) {
    REQUIRE(device->read({&request, 1}, Purpose::states).ok());
    CHECK(has_pattern(block.span(), kBlockBytes, 1) == (i != 2));
  }
}

}  // namespace fault_test
}  // namespace xmc::test
