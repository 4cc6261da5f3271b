// A stack with its rest in a file, against a vector.
#include "store/files/flash_stack.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "run_disk.h"

using namespace xmc;

namespace flash_stack_test {

namespace {

struct StackTrial {
  StackTrial(u32 entry_words, u64 window_bytes, const FlashStack::Division& division = {0, 50})
      : words(entry_words), disk(32 << 20), folder(disk.span()), window(window_bytes) {
    Result<Device*> opened = folder.open("stack", Folder::Open::create);
    REQUIRE(opened.ok());
    device = opened.value();
    stack.start(device, "stack", entry_words, window.span(), division);
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

TEST_CASE("a flash stack is a stack, however much of its window moves at a time") {
  u64 spills = 0;
  for (u32 seed = 1; seed <= 90; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const u32 words = 1 + random() % 9;
    const u64 least = FlashStack::least_bytes(words);
    const u64 window = least + random() % 3 * 8192;
    FlashStack::Division division;
    if (seed % 3 == 0) division = {least / 2, 1 + static_cast<u32>(random() % 99)};
    StackTrial trial(words, window + (seed % 3 == 0 ? random() % 8 * least / 2 : 0), division);
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

TEST_CASE("a stack goes on from a checkpoint, and the last two of them stay good") {
  u64 copies = 0;
  u64 restored = 0;
  for (u32 seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const u32 words = 1 + random() % 5;
    StackTrial trial(words, FlashStack::least_bytes(words) + random() % 2 * 8192);
    struct Saved {
      std::string name = "stack";
      FlashStack::Filed filed;
      std::vector<std::vector<Word>> entries;
      std::vector<Word> window;
    } last, before;
    AlignedMemory buffer(WordFile::kBlockBytes);
    bool saved = false;
    std::string name = "stack";
    for (u32 round = 0; round < 40; ++round) {
      for (u32 i = random() % 1500; i > 0; --i) trial.push(random());
      for (u32 i = random() % 1500; i > 0 && !trial.expected.empty(); --i) trial.pop();
      const auto words_file = [&](const std::vector<Word>& contents, WordReader& in) {
        Device* const file = trial.folder.open("window", Folder::Open::create).value();
        WordWriter out;
        out.start(file, buffer.span());
        REQUIRE(out.add(contents).ok());
        REQUIRE(out.finish().ok());
        in.start(file, "window", contents.size(), buffer.span());
        return file;
      };
      WordReader in;
      if (random() % 3 != 0) {
        before = last;
        last.window.assign(trial.stack.window().begin(), trial.stack.window().end());
        REQUIRE(trial.stack.note(last.filed, buffer.span()).ok());
        if (trial.stack.wants_copy()) {
          trial.folder.close(trial.device);
          name = "stack." + std::to_string(++copies);
          Device* const old = trial.folder.open(last.name.c_str(), Folder::Open::existing).value();
          trial.device = trial.folder.open(name.c_str(), Folder::Open::create).value();
          // It reads from the old one while it copies.
          REQUIRE(old->size_bytes() >= last.filed.bytes);
          FlashStack again;
          Device* const window = words_file(last.window, in);
          REQUIRE(again.restore(old, "old", words, trial.window.span(), last.filed, in, 0).ok());
          REQUIRE(again.copy_to(trial.device, "new").ok());
          REQUIRE(again.reload(in, 0).ok());
          trial.folder.close(window);
          trial.folder.close(old);
          REQUIRE(again.note(last.filed, buffer.span()).ok());
          REQUIRE(last.filed.bytes == last.filed.blocks * last.filed.block_bytes);
          trial.stack = again;
        }
        last.name = name;
        last.entries = trial.expected;
        saved = true;
      } else if (saved) {
        // A power cut; now and then the newer checkpoint is lost, too.
        if (random() % 3 == 0 && before.filed.block_bytes > 0) last = before;
        trial.folder.close(trial.device);
        name = last.name;
        trial.device = trial.folder.open(name.c_str(), Folder::Open::existing).value();
        Device* const window = words_file(last.window, in);
        REQUIRE(trial.stack
                    .restore(trial.device, "stack", words, trial.window.span(), last.filed, in, 0)
                    .ok());
        trial.folder.close(window);
        trial.expected = last.entries;
        ++restored;
      }
      REQUIRE(trial.stack.size() == trial.expected.size());
    }
    while (!trial.expected.empty()) trial.pop();
  }
  CHECK(restored > 50);
  CHECK(copies > 0);
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

// What a lost write leaves: the block that the place had before, sound and of the right place.
TEST_CASE("an older block of the same place is not taken for the one that was pushed") {
  StackTrial trial(2, 2 * 4096);
  while (trial.stack.spills() < 3) trial.push(1);
  AlignedMemory older(4096);
  const ReadRequest second{4096, older.span()};
  REQUIRE(trial.device->read({&second, 1}, Purpose::stack).ok());
  while (!trial.expected.empty()) trial.pop();
  while (trial.device->size_bytes() < 3 * 4096) trial.push(2);
  AlignedMemory third(4096);
  const ReadRequest request{2 * 4096, third.span()};
  REQUIRE(trial.device->read({&request, 1}, Purpose::stack).ok());
  REQUIRE(trial.device->truncate(4096).ok());
  REQUIRE(trial.device->append(older.span(), Purpose::stack).ok());
  REQUIRE(trial.device->append(third.span(), Purpose::stack).ok());
  Word entry[2];
  Status status;
  std::size_t right = 0;
  while (status.ok() && !trial.stack.empty()) {
    status = trial.stack.pop(entry);
    if (!status.ok()) break;
    REQUIRE(entry[0] == trial.expected.back()[0]);
    trial.expected.pop_back();
    ++right;
  }
  CHECK(status.code() == Code::corrupt);
  CHECK(right > 0);
}

}  // namespace flash_stack_test
