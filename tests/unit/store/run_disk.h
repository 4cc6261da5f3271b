// A RAM disk with runs in it, for their tests.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "key_sets.h"
#include "platform/device_ram.h"
#include "store/runs/run_file.h"
#include "store/runs/run_reader.h"

namespace xmc {

// Zeros that cost nothing until they are touched.
struct AlignedMemory {
  explicit AlignedMemory(u64 size)
      : bytes(static_cast<std::size_t>(size)),
        raw(static_cast<u8*>(std::calloc(1, bytes + 4096)), &std::free) {}
  std::span<u8> span() {
    const auto base = reinterpret_cast<std::uintptr_t>(raw.get());
    return {raw.get() + (4096 - base % 4096) % 4096, bytes};
  }
  std::size_t bytes;
  std::unique_ptr<u8, void (*)(void*)> raw;
};

// One file on a RAM disk, and runs in it with their indexes.
struct RunDisk {
  explicit RunDisk(u64 bytes = 8 << 20) : memory(bytes), folder(memory.span()), buffer(64 << 10) {
    Result<Device*> opened = folder.open("runs", Folder::Open::create);
    REQUIRE(opened.ok());
    device = opened.value();
  }

  Run write(const KeySet& keys, u32 words, KeyCodec codec, u32 index_keys = 1 << 12) {
    indexes.emplace_back(u64{index_keys} * words);
    RunWriter writer;
    writer.start(device, "runs", words, codec, buffer.span(), indexes.back());
    const std::vector<Word> all = flat(keys);
    const u32 count = static_cast<u32>(keys.size());
    // In two parts, to see that it makes no difference.
    REQUIRE(writer.append(all.data(), count / 3).ok());
    REQUIRE(writer.append(all.data() + u64{count / 3} * words, count - count / 3).ok());
    Run run;
    REQUIRE(writer.finish(run).ok());
    REQUIRE(run.keys == keys.size());
    return run;
  }

  DeviceCounters::Flow flow() const { return device->counters().total(); }

  AlignedMemory memory;
  RamFolder folder;
  AlignedMemory buffer;
  Device* device = nullptr;
  std::vector<std::vector<Word>> indexes;
};

inline KeySet read_all(RunReader& reader) {
  KeySet out;
  Key key(reader.run().words);
  for (;;) {
    const Result<bool> more = reader.next(key.data());
    REQUIRE(more.ok());
    if (!more.value()) return out;
    out.push_back(key);
  }
}

inline KeySet read_all(const Run& run, u64 buffer_bytes = 64 << 10) {
  AlignedMemory buffer(buffer_bytes);
  RunReader reader;
  reader.start(run, buffer.span());
  return read_all(reader);
}

// Some of the keys, some neighbours of theirs and some others: what a filter may be asked for.
inline KeySet questions(const KeySet& keys, u32 words, u32 one_in, u64 seed) {
  std::mt19937_64 random(seed);
  KeySet out = {Key(words, 0), Key(words, ~Word{0})};
  for (const Key& key : keys) {
    if (random() % one_in != 0) continue;
    out.push_back(key);
    if (random() % 2 == 0) {
      const Word by = random() % 3 - 1;
      out.back()[random() % words] += by;
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace xmc
