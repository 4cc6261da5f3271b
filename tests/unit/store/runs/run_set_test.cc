// Runs that are merged when there are too many, against a plain set; and a merge that is stopped.
#include <doctest/doctest.h>

#include <set>

#include "run_disk.h"
#include "store/runs/run_set.h"

using namespace xmc;

namespace run_set_test {

namespace {

struct SetOnDisk {
  explicit SetOnDisk(u32 key_words, const GoOn& go_on = {}) : words(key_words) {
    set.init(folder, memory.span(), words, RunReader::kSkipBytes, go_on);
  }
  // Adds a run; what the set has already is left out.
  Status add(const KeySet& keys, u64& hits) {
    std::vector<Word> all = flat(keys);
    std::vector<u64> fresh(keys.size() / 64 + 1, ~u64{0});
    const u32 count = static_cast<u32>(keys.size());
    XMC_TRY(set.drop_known(all.data(), count, fresh.data(), hits));
    XMC_TRY(set.begin_run(KeyCodec::delta));
    for (u32 i = 0; i < count; ++i) {
      if ((fresh[i / 64] >> (i % 64) & 1) != 0) XMC_TRY(set.append(all.data() + u64{i} * words, 1));
    }
    XMC_TRY(set.end_run());
    return set.full() ? set.merge({}) : Status();
  }

  u32 words;
  AlignedMemory disk{16 << 20};
  RamFolder folder{disk.span()};
  AlignedMemory memory{2 * RunSet::kLeastMemory};
  RunSet set;
};

// Forty pieces of a set; half of each is in the piece before, too.
std::vector<KeySet> pieces(u32 words) {
  const KeySet all = make_keys(Shape::sparse, words, 40000, 7);
  std::vector<KeySet> out(40);
  for (std::size_t k = 0; k < all.size(); ++k) {
    out[k % 40].push_back(all[k]);
    out[(k + 1) % 40].push_back(all[k]);
  }
  return out;
}

}  // namespace

TEST_CASE("runs that are merged have what was added, once") {
  for (u32 words : {1u, 2u, 3u}) {
    SetOnDisk disk(words);
    std::set<Key> expected;
    u64 known = 0;
    u64 hits = 0;
    for (const KeySet& keys : pieces(words)) {
      for (const Key& key : keys) known += expected.insert(key).second ? 0 : 1;
      REQUIRE(disk.add(keys, hits).ok());
      REQUIRE(hits == known);
      REQUIRE(disk.set.keys() == expected.size());
      REQUIRE(disk.set.runs() < RunSet::kMostRuns);
    }
    CHECK(disk.set.rewritten_keys() > expected.size() / 2);
    CHECK(disk.set.clear().ok());
  }
}

// Where a merge ends early it leaves a file that belongs to no run.
TEST_CASE("comparisons and merges end where they are told to") {
  u32 in_merge = 0;
  const std::vector<KeySet> parts = pieces(2);
  for (u32 at = 1; at <= 300; at += 7) {
    u32 left = at;
    const GoOn go_on{&left, [](void* self) {
                       u32& n = *static_cast<u32*>(self);
                       return --n == 0 ? Status::fail(Code::stopped, "stop") : Status();
                     }};
    SetOnDisk disk(2, go_on);
    u64 hits = 0;
    Status status;
    for (u32 i = 0; i < parts.size() && status.ok(); ++i) status = disk.add(parts[i], hits);
    in_merge += disk.set.full() ? 1 : 0;
    REQUIRE(status.code() == Code::stopped);
    REQUIRE(disk.set.clear().ok());
    for (const char* name : RunSet::kNames) {
      CHECK(!disk.folder.open(name, Folder::Open::existing).ok());
    }
  }
  CHECK(in_merge > 3);
}

}  // namespace run_set_test
