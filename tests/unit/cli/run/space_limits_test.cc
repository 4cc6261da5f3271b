#include "cli/run/work/space_limits.h"

#include "child.h"

using namespace xmc;

namespace space_limits_test {

using child::parsed;

namespace {

constexpr u64 kSecond = 1'000'000'000;
constexpr u64 kMega = 1 << 20;
constexpr u64 kGiga = kMega << 10;

// A folder without files that takes space all the same.
class Card final : public FolderBase {
 public:
  Result<u64> free_bytes() override {
    ++asked;
    if (silent) return Status::fail(Code::io, "it does not say");
    return free;
  }
  Status sync() override { return {}; }

  // The run takes so much of what is free.
  void grow(u64 bytes) {
    use_.grow(bytes);
    free -= bytes;
  }
  void write(u64 bytes) {
    const std::vector<u8> data(static_cast<std::size_t>(bytes));
    REQUIRE(replace("root", data).ok());
  }

  void hold_space(u64 bytes) override {
    held = bytes;
    free -= bytes;
  }
  u64 held_bytes() const override { return full ? 0 : held; }
  bool ran_full() const override { return full; }

  u64 free = 100 * kGiga;
  u64 held = 0;
  bool full = false;
  bool silent = false;
  u32 asked = 0;

 private:
  Result<DeviceBase*> do_open(u32, const char*, Open) override {
    return Status::fail(Code::io, "it has none");
  }
  void do_close(u32) override {}
  Status do_remove(const char*) override { return {}; }
  Status do_replace(const char*, std::span<const u8>) override { return {}; }
  Result<u64> do_load(const char*, std::span<u8>) override { return u64{0}; }
};

struct Trial {
  explicit Trial(std::vector<std::string> words, u64 free = 100 * kGiga, u64 written_before = 0,
                 u64 ram_bytes = kMega)
      : words_(std::move(words)) {
    words_.insert(words_.begin(), "check");
    words_.push_back("m.dve");
    card.free = free;
    limits.start(parsed(words_), card, written_before, ram_bytes);
  }

  Card card;
  SpaceLimits limits;

 private:
  std::vector<std::string> words_;
};

}  // namespace

TEST_CASE("a run without files has no limits of space") {
  SpaceLimits limits;
  CHECK(limits.check(0) == StopReason::none);
  CHECK(limits.disk_reserve() == kNoFigure);
}

TEST_CASE("--disk-limit is for the work directory as it is, not for what came and went") {
  Trial trial({"--disk-limit", "10M"});
  trial.card.grow(10 * kMega - 1);
  CHECK(trial.limits.check(0) == StopReason::none);
  trial.card.write(20 * kMega);
  CHECK(trial.limits.check(0) == StopReason::none);
  trial.card.grow(1);
  CHECK(trial.limits.check(0) == StopReason::disk_limit);
}

TEST_CASE("--wear-limit is for all that was written, by earlier processes, too") {
  Trial trial({"--wear-limit", "10M"}, 100 * kGiga, 6 * kMega);
  CHECK(trial.limits.check(0) == StopReason::none);
  trial.card.write(4 * kMega - 1);
  CHECK(trial.limits.check(0) == StopReason::none);
  trial.card.write(1);
  CHECK(trial.limits.check(0) == StopReason::wear_limit);
}

TEST_CASE("the reserve stays free") {
  Trial trial({"--disk-reserve", "1G"}, 3 * kGiga);
  u64 steps = 0;
  for (; trial.limits.check(0) == StopReason::none; ++steps) trial.card.grow(kMega);
  CHECK(trial.limits.check(0) == StopReason::disk_reserve);
  CHECK(trial.card.free + trial.card.held == kGiga);
  CHECK(steps == 2048);
  CHECK(trial.card.asked < 20);  // half of the way at a time, within a second
}

TEST_CASE("others that take the reserve are noticed within a second") {
  Trial trial({}, 100 * kGiga);
  trial.card.grow(kMega);
  CHECK(trial.limits.check(5 * kSecond) == StopReason::none);
  trial.card.free = 10;
  CHECK(trial.limits.check(6 * kSecond - 1) == StopReason::none);
  CHECK(trial.limits.check(6 * kSecond) == StopReason::disk_reserve);
}

TEST_CASE("a device that ran full ends the run, whatever is free") {
  Trial trial({"--disk-reserve", "1G"}, 3 * kGiga, 0, 100 * kMega);
  CHECK(trial.card.held == 50 * kMega);
  CHECK(trial.limits.check(0) == StopReason::none);
  trial.card.full = true;
  CHECK(trial.limits.check(0) == StopReason::disk_reserve);
}

TEST_CASE("at least 16 MiB are held, and at most half of the reserve") {
  for (const auto& [reserve, ram, held] :
       {std::tuple{"1G", kMega, 16 * kMega}, std::tuple{"20M", kMega, 10 * kMega},
        std::tuple{"1G", 4 * kGiga, kGiga / 2}, std::tuple{"0", kGiga, u64{0}}}) {
    Trial trial({"--disk-reserve", reserve}, 3 * kGiga, 0, ram);
    CHECK(trial.card.held == held);
  }
}

TEST_CASE("a run that takes nothing goes on where nothing is free") {
  Trial trial({"--disk-reserve", "1G"}, kMega);
  CHECK(trial.limits.check(0) == StopReason::none);
  trial.card.grow(1);
  CHECK(trial.limits.check(0) == StopReason::disk_reserve);
}

TEST_CASE("the reserve by default, and where a file system does not say what is free") {
  CHECK(Trial({}).limits.disk_reserve() == 256 * kMega);
  CHECK(Trial({}, 100 * kMega).limits.disk_reserve() == 25 * kMega);
  CHECK(Trial({"--disk-reserve", "0"}).limits.disk_reserve() == 0);
  Trial trial({});
  trial.card.silent = true;
  trial.card.grow(kMega);
  CHECK(trial.limits.check(0) == StopReason::none);
}

TEST_CASE("what is left to a run, for the forecast") {
  const auto room = [](std::vector<std::string> words, u64 free) {
    words.insert(words.begin(), "plan");
    words.push_back("m.dve");
    return room_of(parsed(words), free);
  };
  CHECK(room({}, kGiga) == 768 * kMega);
  CHECK(room({"--disk-reserve", "2G"}, kGiga) == 0);
  CHECK(room({"--disk-limit", "5M"}, kGiga) == 5 * kMega);
  CHECK(room({"--disk-limit", "5M", "--wear-limit", "4M"}, kGiga) == 4 * kMega);
}

}  // namespace space_limits_test
