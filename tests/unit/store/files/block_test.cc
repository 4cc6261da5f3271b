// A block is sound only where it was written: in its run, its file, at its offset, and in the life
// of the place that it was written in.
#include "store/files/block.h"

#include <doctest/doctest.h>

#include "run_disk.h"

using namespace xmc;

namespace block_test {

namespace {

constexpr u32 kBlock = 8192;
constexpr BlockFrame kFrame = {BlockKind::words, 1, kBlock - 100, kBlock};

struct Sealed {
  explicit Sealed(const BlockPlace& place) : memory(kBlock) {
    for (u32 i = 0; i < kBlock; ++i) memory.span()[i] = static_cast<u8>(i * 7);
    seal_block(memory.span(), kFrame, place);
  }
  bool sound_at(const BlockPlace& place) {
    BlockFrame frame;
    return check_block(memory.span(), frame, place, nullptr);
  }
  AlignedMemory memory;
};

Device* make(RamFolder& folder, const char* name) {
  return folder.open(name, Folder::Open::create).value();
}

}  // namespace

TEST_CASE("a block is sound at its own place only") {
  AlignedMemory disk(1 << 20);
  RamFolder folder(disk.span());
  folder.bind(1, 0);
  Device* const queue = make(folder, "queue");
  Device* const visited = make(folder, "visited");
  Sealed block(queue->place(5 * kBlock));
  CHECK(block.sound_at(queue->place(5 * kBlock)));
  for (u64 i = 0; i < 100; ++i) {
    if (i != 5) CHECK_FALSE(block.sound_at(queue->place(i * kBlock)));
    CHECK_FALSE(block.sound_at(visited->place(i * kBlock)));
  }
}

TEST_CASE("a block of another run is not sound") {
  AlignedMemory disk(1 << 20);
  RamFolder one(disk.span());
  one.bind(1, 0);
  AlignedMemory second_disk(1 << 20);
  RamFolder other(second_disk.span());
  other.bind(2, 0);
  Sealed block(make(one, "queue")->place(0));
  CHECK_FALSE(block.sound_at(make(other, "queue")->place(0)));
}

TEST_CASE("what an earlier life of the place left is not sound, what a resume finds is") {
  AlignedMemory disk(1 << 20);
  RamFolder folder(disk.span());
  folder.bind(1, 100);
  Device* device = make(folder, "candidates");
  Sealed block(device->place(0));
  REQUIRE(device->append(block.memory.span(), Purpose::candidates).ok());
  REQUIRE(device->append(block.memory.span(), Purpose::candidates).ok());
  REQUIRE(device->truncate(kBlock).ok());
  CHECK(block.sound_at(device->place(0)));  // it was there before the cut, and is still
  REQUIRE(device->truncate(0).ok());
  CHECK_FALSE(block.sound_at(device->place(0)));
  folder.close(device);
  device = make(folder, "candidates");
  CHECK_FALSE(block.sound_at(device->place(0)));
  REQUIRE(device->append(block.memory.span(), Purpose::candidates).ok());
  folder.close(device);
  // The next process does not know the lives of the one before: what it finds is checked by the
  // chain of the checkpoint, what it writes by its own life.
  folder.bind(1, 7);
  device = folder.open("candidates", Folder::Open::existing).value();
  CHECK(block.sound_at(device->place(0)));
  Sealed later(device->place(kBlock));
  CHECK(later.sound_at(device->place(kBlock)));
  folder.bind(1, 8);
  folder.close(device);
  device = folder.open("candidates", Folder::Open::existing).value();
  CHECK_FALSE(later.sound_at(device->place(kBlock)));
}

}  // namespace block_test
