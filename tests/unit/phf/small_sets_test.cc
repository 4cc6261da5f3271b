// Small sets of every size, by both codecs: bijective, values right.
#include "disk.h"
#include "phf/cmph_heap.h"

namespace xmc::phf {
namespace small_sets_test {

namespace {

// Sizes around everything that a page does: none, few, one page, overfull, several.
u64 size_for(std::mt19937_64& random, u32 round) {
  if (round < 300) return round;
  switch (random() % 16) {
    case 0:
      return random() % 6000;
    case 1:
    case 2:
    case 3:
      return random() % 1000;
    default:
      return random() % 100;
  }
}

void try_set(Disk& disk, const Keys& keys, const BuildConfig& config) {
  disk.clear();
  disk.must_build(keys, config);
  const std::vector<u8> file = disk.file();
  Reader reader;
  REQUIRE(reader.open_resident(file, disk.seed()).ok());
  std::vector<Query> queries = queries_of(keys);
  bool found = true;  // a check for each would take longer than to find it
  for (Query& query : queries) found = reader.find(query).ok() && found;
  REQUIRE(found);
  REQUIRE(right_answers(keys, queries));
}

void try_sets(Codec codec, u32 wanted) {
  Disk disk(2 << 20, 4 << 20);
  for (u32 round = 0; round < wanted; ++round) {
    std::mt19937_64 random(round + 1);
    const u32 value_bits = static_cast<u32>(random() % 33);
    const u32 fingerprint_bits = random() % 4 == 0 ? 8 : 0;
    const Keys keys = random_keys(size_for(random, round), value_bits, random());
    CAPTURE(round);
    CAPTURE(keys.size());
    CAPTURE(value_bits);
    try_set(disk, keys, config_of(value_bits, codec, fingerprint_bits));
  }
}

}  // namespace

TEST_CASE("phf: small sets, pilot") { try_sets(Codec::pilot, rounds(50'000)); }

TEST_CASE("phf: small sets, chd") {
  if (codec_calls(Codec::chd) == nullptr) return;
  try_sets(Codec::chd, rounds(50'000));
  MESSAGE("CMPH took ", cmph_heap_peak(), " bytes at most");
}

// CMPH does not ask whether it got its memory: a region that is too small ends the call, not the
// process.
TEST_CASE("phf: chd in too little memory") {
  const CodecCalls* const chd = codec_calls(Codec::chd);
  if (chd == nullptr) return;
  std::vector<u64> keys;
  for (const Record& key : random_keys(2000, 0, 1)) keys.push_back(key.hash);
  std::vector<u8> out(2000);
  u32 built = 0;
  for (u64 bytes = 0; bytes <= chd->scratch_bytes(2000); bytes += 999) {
    AlignedMemory scratch(bytes);
    const u32 function = chd->build(keys, 0, out, scratch.span());
    CHECK((function == kNone || chd->plausible(std::span(out).first(function), 2000)));
    built += function != kNone;
  }
  CHECK(built > 0);
}

}  // namespace small_sets_test
}  // namespace xmc::phf
