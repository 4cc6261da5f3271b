// A stack with its rest in a file, against a vector.
#include "store/flash_stack.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "run_disk.h"

using namespace xmc;

namespace {

struct StackTrial {
  StackTrial(u32 entry_words, u64 window_bytes)
      : words(entry_words), disk(32 << 20), folder(disk.span()), window(window_bytes) {
    Result<Device*> opened = folder.open("stack", Folder::Open::create);
    REQUIRE(opened.ok());
    device = opened.value();
    stack.start(device, "stack", entry_words, window.span());
  }
  void push(u64 value) {
    std::vector<Word> entry(words);
    for (u32 w = 0; w < words; ++w) entry[w] = value * 0x9E37'79B9'7F4A'7C15u + w;
    REQUIRE(stack.push(entry.data()).ok());
    expected.push_back(entry);
  }
  void pop() {
    std::vector<Word> entry(words);
    REQUIRE(stack.pop(entry.data()).ok());
    REQUIRE(entry == expected.back());
    expected.pop_back();
  }
  u32 words;
  AlignedMemory disk;
  RamFolder folder;
  AlignedMemory window;
  Device* device = nullptr;
  FlashStack stack;
  std::vector<std::vector<Word>> expected;
};

}  // namespace

TEST_CASE("a flash stack is a stack") {
  u64 spills = 0;
  for (u32 seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const u32 words = 1 + random() % 9;
    const u64 window = FlashStack::least_bytes(words) + random() % 3 * 8192;
    StackTrial trial(words, window);
    for (u32 round = 0; round < 12; ++round) {
      // Up and down, all the way to the bottom now and then.
      for (u32 i = random() % 3000; i > 0; --i) trial.push(random());
      REQUIRE(trial.stack.size() == trial.expected.size());
      u32 down = random() % 4 == 0 ? ~0u : random() % 3000;
      for (; down > 0 && !trial.expected.empty(); --down) trial.pop();
      REQUIRE(trial.stack.empty() == trial.expected.empty());
    }
    spills += trial.stack.spills();
    if (seed % 2 == 0) {
      REQUIRE(trial.stack.clear().ok());
      trial.expected.clear();
      REQUIRE(trial.device->size_bytes() == 0);
      trial.push(seed);
    }
    while (!trial.expected.empty()) trial.pop();
    REQUIRE(trial.stack.empty());
  }
  REQUIRE(spills > 500);
}

TEST_CASE("a stack that goes up and down around the edge of its window moves nothing") {
  StackTrial trial(2, 2 * 4096);
  while (trial.stack.spills() == 0) trial.push(1);
  for (u32 i = 0; i < 2000; ++i) {
    trial.push(i);
    trial.push(i);
    trial.pop();
    trial.pop();
  }
  REQUIRE(trial.stack.spills() == 1);
  REQUIRE(trial.device->counters().total().read_calls == 0);
}

TEST_CASE("a damaged block of a stack is found out") {
  StackTrial trial(1, 2 * 4096);
  while (trial.stack.spills() < 2) trial.push(7);
  // Another block in its place.
  AlignedMemory block(4096);
  REQUIRE(trial.device->truncate(4096).ok());
  REQUIRE(trial.device->append(block.span().first(4096), Purpose::stack).ok());
  Word entry = 0;
  Status status;
  while (status.ok() && !trial.stack.empty()) status = trial.stack.pop(&entry);
  REQUIRE(status.code() == Code::corrupt);
}
