#include "store/tiered/recent_states.h"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

#include "platform/device_ram.h"
#include "run_disk.h"

using namespace xmc;

namespace recent_states_test {

namespace {

struct Trial {
  explicit Trial(u32 words, u64 region_bytes, bool chained)
      : disk(16 << 20),
        write_buffer(KeyFile::kSlotBytes),
        read_buffer(KeyFile::kSlotBytes),
        region(region_bytes),
        folder(disk.span()) {
    const Result<Device*> device = folder.open("queue", Folder::Open::create);
    REQUIRE(device.ok());
    file.start(device.value(), "queue", Purpose::queue, words, write_buffer.span());
    RecentStates::Setup setup;
    setup.table = &table;
    setup.chained = chained;
    setup.region = region.span();
    setup.shape = {words, words * 8, true};
    setup.file = &file;
    setup.buffer = read_buffer.span();
    recent.init(setup);
  }

  AlignedMemory disk, write_buffer, read_buffer, region;
  RamFolder folder;
  KeyFile file;
  StateTable table;
  RecentStates recent;
};

}  // namespace

// Candidates come from few values, so that most of them are in the file before long; the table is
// often full, loses its older half or everything, and gets the newest part of the file back.
TEST_CASE("every state goes to the file once, however often the table is full") {
  u32 drops = 0;
  u32 forgets = 0;
  u32 recalls = 0;
  for (u32 seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const u32 words = 1 + seed % 3;
    Trial t(words, seed % 3 == 0 ? 32 << 10 : 256 << 10, seed % 4 == 3);
    const u64 values = 60'000;
    std::set<Word> model;
    std::vector<Word> state(words);
    const auto settle = [&] {
      u64 hits = 0;
      REQUIRE(t.recent.scan(0, t.recent.old_slots(), hits).ok());
      REQUIRE(t.recent
                  .settle([&](const Word* s) {
                    REQUIRE(model.insert(s[0]).second);
                    return t.file.append(s, 0);
                  })
                  .ok());
    };
    std::set<Word> met;
    for (u32 step = 0; step < 80; ++step) {
      for (u64 i = random() % 2000; i > 0; --i) {
        // Near to each other, and never the same twice in a row.
        const Word value = (u64{step} * 150 + random() % 20'000) % values;
        for (Word& w : state) w = value * 0x9E37'79B9'7F4A'7C15;
        met.insert(state[0]);
        for (;;) {
          const Result<u32> taken = t.recent.insert(state.data(), 1);
          REQUIRE(taken.ok());
          if (taken.value() == 1) break;
          if (t.recent.drop_older()) {
            ++drops;
            continue;
          }
          settle();
          t.recent.forget();
          ++forgets;
        }
      }
      settle();
      if (random() % 8 == 0) {
        t.recent.forget();
        const u64 old = t.recent.old_slots();
        REQUIRE(t.recent.recall().ok());
        recalls += t.recent.old_slots() < old;
      }
      REQUIRE(model == met);
      REQUIRE(t.file.keys() == met.size());
    }
  }
  CHECK(drops > 0);
  CHECK(forgets > 0);
  CHECK(recalls > 0);
}

}  // namespace recent_states_test
