// Devices that fail and pages that are damaged: an error, never a wrong answer.
#include "disk.h"
#include "platform/device_fault.h"

namespace xmc::phf {
namespace fault_test {

namespace {

struct FaultDisk {
  FaultDisk() : below(store.span()), folder(below, journal.span()) {}

  Result<Outcome> build(const Keys& keys, const FaultPlan& fault) {
    folder.arm(FaultPlan());
    pages = Disk::opened(folder, "pages");
    runs = Disk::opened(folder, "runs");
    REQUIRE(folder.sync().ok());
    folder.arm(fault);
    Builder builder;
    Status status = builder.start(config_of(8), pages, runs, memory.span());
    for (const Record& key : keys) {
      if (status.ok()) status = builder.add(key.hash, key.value);
    }
    return status.ok() ? builder.finish() : Result<Outcome>(status);
  }
  void close() {
    folder.close(pages);
    folder.close(runs);
  }
  // Whether the file is a finished one.
  bool finished() {
    AlignedMemory block(4096);
    FileLayout layout;
    return Reader::read_layout(pages, block.span(), layout).ok();
  }

  AlignedMemory store{16 << 20};
  AlignedMemory journal{4 << 20};
  RamFolder below;
  FaultFolder folder;
  AlignedMemory memory{1 << 20};
  Device* pages = nullptr;
  Device* runs = nullptr;
};

bool expected(Code code) { return code == Code::io || code == Code::corrupt; }

}  // namespace

TEST_CASE("phf: a failed write, read or sync is the answer of the build") {
  const Keys keys = random_keys(120'000, 8, 41);
  for (u64 FaultPlan::*what : {&FaultPlan::fail_write_at, &FaultPlan::fail_read_at,
                               &FaultPlan::fail_sync_at, &FaultPlan::flip_read_at}) {
    FaultDisk disk;
    u64 failures = 0;
    for (u64 k = 1;; ++k) {
      FaultPlan fault;
      fault.*what = k;
      const Result<Outcome> outcome = disk.build(keys, fault);
      disk.folder.arm(FaultPlan());
      CHECK(disk.finished() == outcome.ok());
      disk.close();
      if (outcome.ok()) break;
      CHECK(expected(outcome.status().code()));
      ++failures;
      REQUIRE(k < 1000);
    }
    CHECK(failures >= 2);
  }
}

TEST_CASE("phf: a full disk") {
  const Keys keys = random_keys(120'000, 8, 42);
  FaultDisk disk;
  for (u64 space = 0; space < 1'000'000; space += 100'000) {
    FaultPlan fault;
    fault.full_after_bytes = space;
    const Result<Outcome> outcome = disk.build(keys, fault);
    CHECK(outcome.status().code() == Code::disk_full);
    disk.folder.arm(FaultPlan());
    CHECK(!disk.finished());
    disk.close();
  }
}

TEST_CASE("phf: after a power cut a file is finished or refused") {
  const Keys keys = random_keys(60'000, 8, 43);
  u32 finished = 0, unfinished = 0;
  for (const Survival survival : {Survival::dropped, Survival::kept, Survival::torn_blocks,
                                  Survival::torn_sectors, Survival::reordered}) {
    FaultDisk disk;
    for (u64 k = 1; k < 40; ++k) {
      FaultPlan fault;
      fault.cut_at = k;
      fault.survival = survival;
      fault.seed = k;
      const Result<Outcome> outcome = disk.build(keys, fault);
      if (!disk.folder.powered()) {
        disk.folder.restore_power();
      } else {
        disk.close();
      }
      disk.folder.arm(FaultPlan());
      Result<Device*> again = disk.folder.open("pages", Folder::Open::existing);
      if (!again.ok()) continue;
      disk.pages = again.value();
      Reader reader;
      AlignedMemory memory(1 << 20);
      const Status opened = reader.load_resident(disk.pages, memory.span());
      if (opened.ok()) {
        std::vector<Query> queries = queries_of(keys);
        REQUIRE(reader.find_batch(queries).ok());
        CHECK(right_answers(keys, queries));
        ++finished;
      } else {
        CHECK(opened.code() == Code::corrupt);
        CHECK(!outcome.ok());
        ++unfinished;
      }
      disk.folder.close(disk.pages);
    }
  }
  CHECK(finished > 0);
  CHECK(unfinished > 0);
}

TEST_CASE("phf: any damaged byte of a page is found") {
  Disk disk(8 << 20, 1 << 20);
  const Keys keys = random_keys(20'000, 8, 44);
  disk.must_build(keys, config_of(8));
  const std::vector<u8> file = disk.file();
  std::mt19937_64 random(3);
  for (u32 round = 0; round < 300; ++round) {
    std::vector<u8> damaged = file;
    const u64 at = random() % damaged.size();
    damaged[at] = static_cast<u8>(damaged[at] ^ (1u << random() % 8));
    // The first bytes of the last page are before the footer, but pages of 4096 have none.
    Reader reader;
    CHECK(reader.open_resident(damaged, disk.seed()).code() == Code::corrupt);
  }
  AlignedMemory buffer(65536);
  FileLayout layout;
  CHECK(verify_file(disk.pages, buffer.span(), layout).ok());
  const u64 size = file.size();
  for (const u64 at : {u64{0}, size / 2, size - 8192, size - 1}) {
    std::vector<u8> damaged = file;
    damaged[at] ^= 1;
    disk.clear();
    AlignedMemory copy(damaged.size());
    std::copy(damaged.begin(), damaged.end(), copy.span().begin());
    REQUIRE(disk.pages->append(copy.span(), Purpose::index).ok());
    CHECK(verify_file(disk.pages, buffer.span(), layout).code() == Code::corrupt);
  }
  // A page in the wrong place.
  std::vector<u8> swapped = file;
  std::swap_ranges(swapped.begin(), swapped.begin() + 4096, swapped.begin() + 4096);
  Reader reader;
  CHECK(reader.open_resident(swapped, disk.seed()).code() == Code::corrupt);
  // Too short, too long.
  const std::span<const u8> whole = file;
  CHECK(reader.open_resident(whole.subspan(4096), disk.seed()).code() == Code::corrupt);
  CHECK(reader.open_resident(whole.first(100), disk.seed()).code() == Code::corrupt);
  // Of another file.
  CHECK(reader.open_resident(whole, disk.seed()).ok());
  CHECK(reader.open_resident(whole, disk.seed() ^ 1).code() == Code::corrupt);
}

TEST_CASE("phf: damage and errors are found by the query that reads the page") {
  const Keys keys = random_keys(120'000, 8, 45);
  FaultDisk disk;
  REQUIRE(disk.build(keys, FaultPlan()).ok());
  for (const u64 cache : {0, 40'000}) {
    for (u64 FaultPlan::*what : {&FaultPlan::fail_read_at, &FaultPlan::flip_read_at}) {
      disk.folder.arm(FaultPlan());
      FileLayout layout;
      AlignedMemory block(4096);
      REQUIRE(Reader::read_layout(disk.pages, block.span(), layout).ok());
      AlignedMemory memory(Reader::least_bytes(layout, 16384) + cache);
      for (const u64 count : {1, 3, 50, 5000}) {
        for (u64 k = 1;; ++k) {
          CAPTURE(cache);
          CAPTURE(count);
          CAPTURE(k);
          disk.folder.arm(FaultPlan());
          Reader reader;
          REQUIRE(reader.open(disk.pages, memory.span(), 16384).ok());
          std::vector<Query> queries = queries_of(keys);
          queries.resize(count);
          FaultPlan fault;
          fault.*what = k;
          disk.folder.arm(fault);
          const Status status = reader.find_batch(queries);
          if (disk.folder.reads() < k) {
            CHECK(status.ok());
            break;
          }
          if (status.ok()) {
            // The bit was one of a page between two wanted ones.
            for (const Query& query : queries) CHECK(query.value == keys[query.tag].value);
          } else {
            CHECK(expected(status.code()));
          }
          // The next batch is not the worse for it.
          disk.folder.arm(FaultPlan());
          queries = queries_of(keys);
          queries.resize(count);
          REQUIRE(reader.find_batch(queries).ok());
          for (const Query& query : queries) CHECK(query.value == keys[query.tag].value);
        }
      }
    }
  }
}

}  // namespace fault_test
}  // namespace xmc::phf
