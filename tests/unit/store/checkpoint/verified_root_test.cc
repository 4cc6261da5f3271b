// The rule by which a run goes on from one of its two checkpoints.
#include "store/checkpoint/verified_root.h"

#include <doctest/doctest.h>

#include <string>

#include "platform/device_fault.h"
#include "platform/device_ram.h"
#include "store/checkpoint/verify.h"
#include "trial.h"

using namespace xmc;
using namespace xmc_test;

namespace verified_root_test {

namespace {

// Two checkpoints of a file of pages: the older one has the first page, the newer one both.
struct Run {
  Region disk{1 << 20}, journal{1 << 18}, page{kPageBytes}, scratch{1 << 20};
  RamFolder below{disk.memory};
  FaultFolder folder{below, journal.memory};
  Arena arena{scratch.memory};
  Manifest manifest;

  Run() {
    Device* const device = folder.open("hash.0", Folder::Open::create).value();
    u64 sum = 0;
    for (u64 sequence = 1; sequence <= 2; ++sequence) {
      page.memory[0] = static_cast<u8>(sequence);
      REQUIRE(device->append(page.memory, Purpose::index).ok());
      sum = extend_plain_checksum(sum, page.memory);
      REQUIRE(device->sync().ok());
      REQUIRE(folder.sync().ok());
      manifest.clear();
      manifest.add_plain("hash.0", sequence * kPageBytes, sum);
      REQUIRE(commit_root(folder, manifest, sequence).ok());
    }
    folder.close(device);
  }
  // What a later process finds on the card.
  void put(u8 first, u8 second) {
    Device* const device = folder.open("hash.0", Folder::Open::create).value();
    for (const u8 value : {first, second}) {
      page.memory[0] = value;
      REQUIRE(device->append(page.memory, Purpose::index).ok());
    }
    folder.close(device);
  }
  Status verify(Root& root) {
    root = load_root(folder, manifest).value();
    return verify_root(folder, manifest, root, arena);
  }
  bool has_slot(u32 slot) {
    u8 byte[1 << 14];
    return folder.load(kRootFiles[slot], byte).ok();
  }
};

}  // namespace

TEST_CASE("a sound checkpoint is gone on from, and both stay") {
  Run run;
  Root root;
  REQUIRE(run.verify(root).ok());
  CHECK(root.sequence == 2);
  CHECK_FALSE(root.fell_back);
  CHECK(run.has_slot(0));
  CHECK(run.has_slot(1));
}

TEST_CASE("damage that the older checkpoint does not have costs the newer one") {
  Run run;
  run.put(1, 7);
  Root root;
  REQUIRE(run.verify(root).ok());
  CHECK(root.sequence == 1);
  CHECK(root.fell_back);
  CHECK(root.passed_over.why.message().find("hash.0") != std::string_view::npos);
  CHECK_FALSE(run.has_slot(0));
  CHECK(run.has_slot(1));
}

TEST_CASE("a page that cannot be read is as good as damaged") {
  Run run;
  FaultPlan plan;
  plan.fail_read_at = 4;  // behind the roots, the newer of which is read twice
  run.folder.arm(plan);
  Root root;
  REQUIRE(run.verify(root).ok());
  CHECK(root.sequence == 1);
  CHECK(root.passed_over.why.code() == Code::io);
}

TEST_CASE("damage that both have is an error, and leaves both slots as they are") {
  Run run;
  run.put(7, 2);
  Root root;
  const Status status = run.verify(root);
  CHECK(status.code() == Code::corrupt);
  CHECK(status.message().find("hash.0") != std::string_view::npos);
  CHECK(run.has_slot(0));
  CHECK(run.has_slot(1));
}

}  // namespace verified_root_test
