// Runs of pages on a card that fails while they are merged.
#include "store/tiered/page_runs.h"

#include <doctest/doctest.h>

#include <vector>

#include "platform/device_fault.h"
#include "platform/device_ram.h"
#include "trial.h"

using namespace xmc;
using namespace xmc_test;

namespace page_runs_test {

namespace {

constexpr u32 kKeys = 64;

Status write_run(PageRuns& runs, u64 number, std::span<u8> buffer) {
  XMC_TRY(runs.begin_run(number, kKeys, buffer));
  for (u32 i = 0; i < kKeys; ++i) {
    u8 key[8] = {static_cast<u8>(i), static_cast<u8>(number)};
    XMC_TRY(runs.add(key, {i << 26, i}));
  }
  return runs.end_run();
}

Status write_and_merge(PageRuns& runs, std::span<u8> buffer) {
  for (u64 number = 1; number <= 3; ++number) {
    XMC_TRY(write_run(runs, number, buffer));
    XMC_TRY(runs.settle());
  }
  return {};
}

}  // namespace

// The failure comes at any call, the removal of what was merged among them. A file that is closed
// twice ends the process.
TEST_CASE("after a failure at any step runs close what is open, once") {
  u32 failed = 0;
  for (u64 cut_at = 1;; ++cut_at) {
    CAPTURE(cut_at);
    Region disk(1 << 20), journal(1 << 18);
    Region pages(PageRuns::kLeastPages * kPageBytes), transfer(PageRuns::kLeastTransfer);
    Region buffer(4 * kPageBytes);
    RamFolder below(disk.memory);
    FaultFolder folder(below, journal.memory);
    FaultPlan plan;
    plan.cut_at = cut_at;
    folder.arm(plan);
    PageRuns runs;
    runs.init(folder, "old", {8}, PageRuns::Form::single, {pages.memory, transfer.memory, {}}, {});
    const Status status = write_and_merge(runs, buffer.memory);
    const bool merging = folder.was_hit() && folder.hit().kind == FaultEvent::Kind::remove;
    runs.close();
    if (merging) CHECK(folder.open_count() == 0);
    if (status.ok()) {
      CHECK(folder.open_count() == 0);
      break;
    }
    failed += merging;
  }
  CHECK(failed >= 4);
}

}  // namespace page_runs_test
