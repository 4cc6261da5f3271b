#include "store/tables/fingerprint_sample.h"

#include <doctest/doctest.h>

#include <vector>

namespace xmc {
namespace fingerprint_sample_test {
namespace {

TEST_CASE("A fingerprint sample stays inside its memory when all have their low bits in common") {
  constexpr u32 kSlots = 64;
  constexpr u32 kGuard = 0xABCD'EF01;
  std::vector<u32> slots(kSlots);
  std::vector<u32> spare(kSlots / 2 + 8, kGuard);
  FingerprintSample sample;
  sample.start(slots, std::span(spare).first(kSlots / 2));
  for (u32 i = 1; i <= 5000; ++i) sample.add(i * 1024);
  CHECK(sample.size() < kSlots / 2);
  CHECK(sample.factor() >= 1024 * 64);
  for (u32 i = kSlots / 2; i < spare.size(); ++i) CHECK(spare[i] == kGuard);
  // What it covers it has.
  for (u32 i = 1; i <= 5000; ++i) {
    if (sample.covers(i * 1024)) CHECK(sample.has(i * 1024));
  }
}

}  // namespace

}  // namespace fingerprint_sample_test
}  // namespace xmc
