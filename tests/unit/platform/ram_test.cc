// The chunk store under the RAM folder.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "platform/device_ram.h"
#include "support.h"

namespace xmc::test {
namespace ram_test {

TEST_CASE("memory that ends is a full disk, and comes back") {
  Aligned memory(16 * kBlockBytes);
  RamFolder folder(memory.span());
  const u64 free_at_first = folder.free_bytes().value();
  CHECK(free_at_first == 15 * kBlockBytes);  // one chunk's worth goes to the table
  Device* device = folder.open("a", Folder::Open::create).value();
  Aligned data(16 * kBlockBytes);
  REQUIRE(device->append(data.blocks(0, 10), Purpose::other).ok());
  const Status full = device->append(data.blocks(0, 6), Purpose::other);
  CHECK(full.code() == Code::disk_full);
  CHECK(device->size_bytes() == 10 * kBlockBytes);
  CHECK(folder.free_bytes().value() == 5 * kBlockBytes);
  CHECK(folder.replace("root", data.blocks(0, 6)).code() == Code::disk_full);
  CHECK(folder.free_bytes().value() == 5 * kBlockBytes);
  REQUIRE(device->append(data.blocks(0, 5), Purpose::other).ok());
  REQUIRE(device->truncate(3 * kBlockBytes).ok());
  CHECK(folder.free_bytes().value() == 12 * kBlockBytes);
  CHECK(folder.disk_use().now_bytes == 3 * kBlockBytes);
  folder.close(device);
  CHECK(folder.remove("a").ok());
  CHECK(folder.free_bytes().value() == free_at_first);
  CHECK(folder.disk_use().now_bytes == 0);
  CHECK(folder.disk_use().peak_bytes == 15 * kBlockBytes);
}

TEST_CASE("discarded ranges are found out by whoever still reads them") {
  Aligned memory(64 * kBlockBytes);
  RamFolder folder(memory.span());
  Device* device = folder.open("a", Folder::Open::create).value();
  Aligned data(4 * kBlockBytes);
  REQUIRE(device->append(data.span(), Purpose::other).ok());
  REQUIRE(device->discard(kBlockBytes, kBlockBytes).ok());
  const ReadRequest request = {0, data.span()};
  REQUIRE(device->read({&request, 1}, Purpose::other).ok());
  CHECK(all_are(data.blocks(0, 1), 0));
  CHECK(all_are(data.blocks(1, 1), 0xDD));
  CHECK(all_are(data.blocks(2, 2), 0));
}

TEST_CASE("chunks larger than a block are filled and cut in the middle") {
  Aligned memory(u64{40} << 20);  // chunks of three blocks
  RamFolder folder(memory.span());
  Device* device = folder.open("a", Folder::Open::create).value();
  Aligned data(50 * kBlockBytes);
  u64 blocks = 0;
  for (u64 round = 0; round < 60; ++round) {
    const u64 count = 1 + round % 7;
    fill_pattern(data.blocks(0, count), blocks * kBlockBytes, 3);
    REQUIRE(device->append(data.blocks(0, count), Purpose::other).ok());
    blocks += count;
    if (round % 5 == 4) {
      blocks -= 2;
      REQUIRE(device->truncate(blocks * kBlockBytes).ok());
    }
  }
  for (u64 at = 0; at < blocks; ++at) {
    const u64 shuffled = at * 37 % blocks;
    const ReadRequest request = {shuffled * kBlockBytes, data.blocks(0, 1)};
    REQUIRE(device->read({&request, 1}, Purpose::other).ok());
    CHECK(has_pattern(data.blocks(0, 1), shuffled * kBlockBytes, 3));
  }
}

TEST_CASE("a file that was emptied does not write into its old memory") {
  Aligned memory(64 * kBlockBytes);
  RamFolder folder(memory.span());
  Device* a = folder.open("a", Folder::Open::create).value();
  Device* b = folder.open("b", Folder::Open::create).value();
  Aligned data(kBlockBytes);
  REQUIRE(a->append(data.span(), Purpose::other).ok());
  REQUIRE(a->truncate(0).ok());
  fill_pattern(data.span(), 0, 1);
  REQUIRE(b->append(data.span(), Purpose::other).ok());
  fill_pattern(data.span(), 0, 2);
  REQUIRE(a->append(data.span(), Purpose::other).ok());
  const ReadRequest request = {0, data.span()};
  REQUIRE(b->read({&request, 1}, Purpose::other).ok());
  CHECK(has_pattern(data.span(), 0, 1));
  REQUIRE(a->read({&request, 1}, Purpose::other).ok());
  CHECK(has_pattern(data.span(), 0, 2));
}

TEST_CASE("a small file opened as a device is cut to whole blocks") {
  Aligned memory(64 * kBlockBytes);
  RamFolder folder(memory.span());
  REQUIRE(folder.replace("root", std::vector<u8>(5000, 9)).ok());
  Device* device = folder.open("root", Folder::Open::existing).value();
  CHECK(device->size_bytes() == kBlockBytes);
  Aligned data(2 * kBlockBytes);
  REQUIRE(device->append(data.blocks(0, 1), Purpose::other).ok());
  const ReadRequest request = {0, data.span()};
  REQUIRE(device->read({&request, 1}, Purpose::other).ok());
  CHECK(all_are(data.blocks(0, 1), 9));
  CHECK(all_are(data.blocks(1, 1), 0));
}

TEST_CASE("the directory has an end") {
  Aligned memory(256 * kBlockBytes);
  RamFolder folder(memory.span());
  for (u32 i = 0; i < RamStore::kFiles; ++i) {
    REQUIRE(folder.replace(("f" + std::to_string(i)).c_str(), std::vector<u8>(1)).ok());
  }
  CHECK(folder.open("one-more", Folder::Open::create).status().code() == Code::disk_full);
}

}  // namespace ram_test
}  // namespace xmc::test
