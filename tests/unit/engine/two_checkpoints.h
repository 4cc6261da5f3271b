// The last two checkpoints of a run, as the root slots have them, and what a power cut may leave
// behind them.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "flash_trial.h"
#include "store/checkpoint/verify.h"

namespace xmc_test {

class TwoCheckpoints final : public Checkpointer {
 public:
  explicit TwoCheckpoints(u32 every) : every_(every) {}
  bool due(bool level_end) override {
    return every_ != 0 && ++asked_ % (level_end ? 2 * every_ : every_) == 0;
  }
  Manifest& begin() override {
    next_.clear();
    return next_;
  }
  Status commit() override {
    REQUIRE(before.assign(last.text()));
    REQUIRE(last.assign(next_.text()));
    ++count;
    return {};
  }
  Manifest last;
  Manifest before;
  u32 count = 0;

 private:
  Manifest next_;
  u32 every_;
  u32 asked_ = 0;
};

inline void verify(Folder& folder, const Manifest& manifest) {
  Region buffer(1 << 20);
  const Status status = verify_files(folder, manifest, buffer.memory);
  INFO(doctest::String(status.c_str()));
  REQUIRE(status.ok());
}

// What was written behind the checkpoint and never synced.
inline void add_debris(Folder& folder, const Manifest& manifest, Random& random) {
  Region debris(4096);
  std::fill(debris.memory.begin(), debris.memory.end(), u8{0x5A});
  Manifest::File file;
  for (u32 i = 0; manifest.file(i, file); ++i) {
    if (random() % 2 == 0) continue;
    const Result<Device*> device =
        folder.open(std::string(file.name).c_str(), Folder::Open::existing);
    REQUIRE(device.ok());
    REQUIRE(device.value()->append(debris.memory, Purpose::other).ok());
    folder.close(device.value());
  }
}

}  // namespace xmc_test
