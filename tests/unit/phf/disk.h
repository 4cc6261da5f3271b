// A RAM disk with a perfect hash on it, and sets of keys.
#pragma once

#include <doctest/doctest.h>

#include <random>
#include <unordered_map>
#include <vector>

#include "phf/phf.h"
#include "platform/device_ram.h"

namespace xmc::phf {

struct AlignedMemory {
  explicit AlignedMemory(u64 size) : raw(size + 4096), bytes(size) {}
  std::span<u8> span() {
    const u64 base = reinterpret_cast<std::uintptr_t>(raw.data());
    return std::span<u8>(raw).subspan((4096 - base % 4096) % 4096, bytes);
  }
  std::vector<u8> raw;
  u64 bytes;
};

// Emulated and sanitized builds make a few of the rounds: the native build makes them all.
inline u32 rounds(u32 wanted) {
#ifdef XMC_TEST_LIGHT
  return (wanted + 24) / 25;
#else
  return wanted;
#endif
}

using Keys = std::vector<Record>;

// Distinct hashes with values of so many bits, the same for a seed on every target.
inline Keys random_keys(u64 count, u32 value_bits, u64 seed) {
  std::mt19937_64 random(seed);
  Keys keys(count);
  for (Record& key : keys) {
    key.hash = random();
    key.value = static_cast<u32>(random() & ((u64{1} << value_bits) - 1));
  }
  return keys;
}

struct Disk {
  explicit Disk(u64 bytes = 8 << 20, u64 memory_bytes = 1 << 20)
      : store(bytes), folder(store.span()), memory(memory_bytes) {
    open(folder);
  }
  void open(Folder& from) {
    pages = opened(from, "pages");
    runs = opened(from, "runs");
  }
  static Device* opened(Folder& from, const char* name) {
    Result<Device*> device = from.open(name, Folder::Open::create);
    REQUIRE(device.ok());
    return device.value();
  }
  // Ready for another hash.
  void clear() {
    REQUIRE(pages->truncate(0).ok());
    REQUIRE(runs->truncate(0).ok());
  }

  Result<Outcome> build(const Keys& keys, const BuildConfig& config) {
    if (Status status = builder.start(config, pages, runs, memory.span()); !status.ok()) {
      return status;
    }
    for (const Record& key : keys) {
      if (Status status = builder.add(key.hash, key.value); !status.ok()) return status;
    }
    return builder.finish();
  }
  void must_build(const Keys& keys, const BuildConfig& config) {
    const Result<Outcome> outcome = build(keys, config);
    INFO(outcome.status().c_str());
    REQUIRE(outcome.ok());
    REQUIRE(outcome.value() == Outcome::built);
  }
  u64 seed() const { return pages->place(0).seed; }
  std::vector<u8> file() {
    AlignedMemory copy(pages->size_bytes());
    const ReadRequest request{0, copy.span()};
    REQUIRE(pages->read({&request, 1}, Purpose::index).ok());
    return {copy.span().begin(), copy.span().end()};
  }

  AlignedMemory store;
  RamFolder folder;
  AlignedMemory memory;
  Device* pages = nullptr;
  Device* runs = nullptr;
  Builder builder;
};

// Whether `answered`, which belongs to `keys` by its tags, is a bijection with the right values.
inline bool right_answers(const Keys& keys, std::span<const Query> answered) {
  std::vector<bool> seen(keys.size());
  for (const Query& query : answered) {
    if (query.index >= keys.size() || seen[query.index]) return false;
    seen[query.index] = true;
    if (query.value != keys[query.tag].value) return false;
  }
  return answered.size() == keys.size();
}

inline std::vector<Query> queries_of(const Keys& keys) {
  std::vector<Query> queries(keys.size());
  for (u32 i = 0; i < keys.size(); ++i) {
    queries[i].key = keys[i].hash;
    queries[i].tag = i;
  }
  return queries;
}

inline BuildConfig config_of(u32 value_bits, Codec codec = Codec::pilot, u32 fingerprint_bits = 0) {
  BuildConfig config;
  config.shape.value_bits = value_bits;
  config.shape.codec = codec;
  config.shape.fingerprint_bits = fingerprint_bits;
  return config;
}

}  // namespace xmc::phf
