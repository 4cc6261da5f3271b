// Builds that are interrupted go on from a checkpoint: the file is the same, and nothing is done
// twice.
#include <algorithm>

#include "disk.h"

namespace xmc::phf {
namespace resume_test {
namespace {

// A checkpoint with what belongs to it, as a caller keeps it.
struct SavedBuild {
  BuildCheckpoint checkpoint;
  std::vector<u64> ends;
  Keys spilled;

  void take(Builder& builder) {
    REQUIRE(builder.save_checkpoint(checkpoint).ok());
    ends.clear();
    spilled.clear();
    for (u32 i = 0; i < checkpoint.runs + checkpoint.spill_runs; ++i)
      ends.push_back(builder.run_end(i));
    for (u64 i = 0; i < checkpoint.spilled; ++i) spilled.push_back(builder.spilled(i));
  }
};

// One process after the other, each stopped somewhere, until the file is there.
struct Interrupted {
  Interrupted(const Keys& of, u64 memory_bytes, u64 seed)
      : keys(of), disk(4 << 20, memory_bytes), random(seed) {
    config = {};
    config.shape.value_bits = 8;
    config.owner = this;
    config.between_pages = [](void* self) {
      static_cast<Interrupted*>(self)->between_pages();
      return Status();
    };
    config.control.self = this;
    config.control.poll = [](void* self, const Progress&) {
      u64& left = static_cast<Interrupted*>(self)->pages_left;
      return left-- == 0 ? StopReason::signal : StopReason::none;
    };
  }
  void between_pages() {
    if (random() % 4 == 0) saved.take(*builder);
  }

  // `cut`: as after a power cut, nothing is said at the end. True when it is built.
  bool go(bool cut) {
    Builder one;
    builder = &one;
    pages_left = random() % 5;
    const SavedBuild from = saved;
    Status status =
        started ? one.resume(config, disk.pages, disk.runs, disk.memory.span(), from.checkpoint)
                : one.start(config, disk.pages, disk.runs, disk.memory.span());
    REQUIRE(status.ok());
    started = true;
    for (const u64 end : from.ends) REQUIRE(one.add_run(end));
    for (const Record& record : from.spilled) status = one.add_spilled(record);
    const u64 most = random() % 3 == 0 ? random() % keys.size() : keys.size();
    u64 next = from.checkpoint.keys;
    for (; next < keys.size() && next - from.checkpoint.keys < most; ++next) {
      if (status.ok()) status = one.add(keys[next].hash, keys[next].value);
    }
    REQUIRE(status.ok());
    ++count;
    added += one.stats().added_keys;
    bool built = false;
    if (next == keys.size()) {
      const Result<Outcome> outcome = one.finish();
      built = outcome.ok();
      if (built) REQUIRE(outcome.value() == Outcome::built);
      if (!built) REQUIRE(outcome.status().code() == Code::stopped);
      in_pages += built || from.checkpoint.pages == 0 ? 0 : 1;
    }
    written += one.stats().page_bytes;
    lost = lost || cut;
    if (!built && !cut && one.can_save_checkpoint()) saved.take(one);
    return built;
  }

  const Keys& keys;
  Disk disk;
  std::mt19937_64 random;
  BuildConfig config;
  Builder* builder = nullptr;
  SavedBuild saved;
  bool started = false;
  u64 pages_left = 0;
  u32 count = 0;
  u32 in_pages = 0;  // stops among pages of a build that had some before
  u64 added = 0;
  u64 written = 0;
  bool lost = false;
};

}  // namespace

TEST_CASE("phf: a build that is interrupted goes on") {
  u32 in_pages = 0;
  for (u64 seed = 1; seed <= rounds(16); ++seed) {
    CAPTURE(seed);
    const Keys keys = random_keys(40'000 + seed * 1000, 8, seed);
    PageShape shape;
    shape.value_bits = 8;
    const u64 least = plan(shape, keys.size(), 4096).build_bytes;
    // With runs, and all in memory.
    const u64 memory = seed % 4 == 0 ? 4 << 20 : least;
    Disk whole(4 << 20, memory);
    BuildConfig config;
    config.shape = shape;
    whole.must_build(keys, config);
    Interrupted build(keys, memory, seed);
    while (!build.go(seed % 3 == 0 && build.random() % 2 == 0)) REQUIRE(build.count < 500);
    REQUIRE(build.disk.file() == whole.file());
    in_pages += build.in_pages;
    if (build.lost || seed % 4 == 0) continue;
    // Each page is written once; keys that were in memory only are added again.
    REQUIRE(build.written == whole.file().size());
    REQUIRE(build.added <= keys.size() + u64{build.count} * (memory / 12));
  }
  CHECK(in_pages > 0);
}

TEST_CASE("phf: a checkpoint that does not fit its files is refused") {
  const Keys keys = random_keys(40'000, 8, 3);
  PageShape shape;
  shape.value_bits = 8;
  Interrupted build(keys, plan(shape, keys.size(), 4096).build_bytes, 5);
  while (build.saved.checkpoint.pages == 0) REQUIRE(!build.go(false));
  Builder again;
  BuildCheckpoint checkpoint = build.saved.checkpoint;
  ++checkpoint.pages;
  const auto resume = [&] {
    return again.resume(build.config, build.disk.pages, build.disk.runs, build.disk.memory.span(),
                        checkpoint);
  };
  REQUIRE(resume().code() == Code::corrupt);
  checkpoint = build.saved.checkpoint;
  REQUIRE(resume().ok());
  // Damaged runs are found when they are read.
  AlignedMemory copy(checkpoint.run_bytes);
  const ReadRequest request{0, copy.span()};
  REQUIRE(build.disk.runs->read({&request, 1}, Purpose::index).ok());
  for (u64 at = 100; at < copy.bytes; at += 4096) copy.span()[at] ^= 1;
  REQUIRE(build.disk.runs->truncate(0).ok());
  REQUIRE(build.disk.runs->append(copy.span(), Purpose::index).ok());
  for (const u64 end : build.saved.ends) REQUIRE(again.add_run(end));
  REQUIRE(again.finish().status().code() == Code::corrupt);
}

}  // namespace resume_test
}  // namespace xmc::phf
