// The injector at work: a small commit protocol is cut at every step, with several seeds. The right
// protocol has to survive all of it, also when its appends are under way while it prepares the
// next; three wrong ones, each with one sync left out, have to be caught.
#include <doctest/doctest.h>

#include "platform/device_fault.h"
#include "platform/device_ram.h"
#include "support.h"

namespace xmc::test {
namespace power_cut_test {
namespace {

constexpr u64 kCommits = 4;

enum class Protocol {
  right,
  data_not_synced,
  name_not_synced,
  root_before_data,
  begun,             // appends in the background
  begun_not_synced,  // finished, which is not synced
};

// Appends two blocks per commit to "log"; the root holds the number of blocks that are committed.
Status run(FaultFolder& folder, Protocol protocol) {
  Result<Device*> log = folder.open("log", Folder::Open::create);
  if (!log.ok()) return log.status();
  if (protocol != Protocol::name_not_synced) XMC_TRY(folder.sync());
  Aligned data(2 * kBlockBytes);
  for (u64 commit = 1; commit <= kCommits; ++commit) {
    const u8 root[1] = {static_cast<u8>(2 * commit)};
    if (protocol == Protocol::root_before_data) XMC_TRY(folder.replace("root", root));
    fill_pattern(data.span(), log.value()->size_bytes(), 1);
    if (protocol == Protocol::begun || protocol == Protocol::begun_not_synced) {
      XMC_TRY(log.value()->begin_append(data.blocks(0, 1), Purpose::states));
      XMC_TRY(log.value()->begin_append(data.blocks(1, 1), Purpose::states));
    } else {
      XMC_TRY(log.value()->append(data.blocks(0, 1), Purpose::states));
      XMC_TRY(log.value()->append(data.blocks(1, 1), Purpose::states));
    }
    if (protocol == Protocol::begun_not_synced) XMC_TRY(log.value()->finish_append());
    const bool synced =
        protocol != Protocol::data_not_synced && protocol != Protocol::begun_not_synced;
    if (synced) XMC_TRY(log.value()->sync());
    if (protocol != Protocol::root_before_data) XMC_TRY(folder.replace("root", root));
  }
  folder.close(log.value());
  return {};
}

// Whether everything that the root promises is there.
bool intact(FaultFolder& folder) {
  u8 root[1] = {0};
  if (!folder.load("root", root).ok() || root[0] == 0) return true;  // nothing was promised
  Result<Device*> log = folder.open("log", Folder::Open::existing);
  if (!log.ok()) return false;
  Aligned data(u64{root[0]} * kBlockBytes);
  const ReadRequest request = {0, data.span()};
  return log.value()->read({&request, 1}, Purpose::states).ok() && has_pattern(data.span(), 0, 1);
}

struct Verdict {
  u64 cuts = 0;
  u64 damaged = 0;
};

Verdict cut_everywhere(Protocol protocol) {
  Verdict verdict;
  for (u64 seed = 1; seed <= 12; ++seed) {
    for (u64 step = 1;; ++step) {
      Aligned memory(u64{1} << 20);
      RamFolder ram(memory.span());
      Aligned journal(u64{1} << 18);
      FaultFolder folder(ram, journal.span());
      FaultPlan plan;
      plan.seed = seed;
      plan.cut_at = step;
      folder.arm(plan);
      if (run(folder, protocol).ok()) break;  // the run has fewer steps than that
      REQUIRE(!folder.powered());
      folder.restore_power();
      verdict.cuts += 1;
      if (!intact(folder)) verdict.damaged += 1;
    }
  }
  return verdict;
}

}  // namespace

TEST_CASE("a protocol that syncs before it commits survives every cut") {
  const Verdict verdict = cut_everywhere(Protocol::right);
  CHECK(verdict.cuts == 12 * (2 + kCommits * 4));
  CHECK(verdict.damaged == 0);
  const Verdict begun = cut_everywhere(Protocol::begun);
  CHECK(begun.cuts == verdict.cuts);
  CHECK(begun.damaged == 0);
}

TEST_CASE("protocols with one sync missing are caught") {
  CHECK(cut_everywhere(Protocol::data_not_synced).damaged > 0);
  CHECK(cut_everywhere(Protocol::name_not_synced).damaged > 0);
  CHECK(cut_everywhere(Protocol::root_before_data).damaged > 0);
  CHECK(cut_everywhere(Protocol::begun_not_synced).damaged > 0);
}

}  // namespace power_cut_test
}  // namespace xmc::test
