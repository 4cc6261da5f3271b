#include <doctest/doctest.h>

#include <algorithm>

#include "platform/memory.h"
#include "support.h"

namespace xmc::test {
namespace memory_test {

TEST_CASE("a region is zeroed, aligned and costs nothing until it is touched") {
  constexpr u64 kBytes = u64{64} << 20;
  const u64 before = current_rss_bytes();
  Result<std::span<u8>> region = map_region(kBytes);
  REQUIRE(region.ok());
  REQUIRE(region.value().size() == kBytes);
  CHECK(reinterpret_cast<std::uintptr_t>(region.value().data()) % page_bytes() == 0);
  CHECK(current_rss_bytes() < before + (u64{8} << 20));
  CHECK(region.value()[12345] == 0);
  for (u64 at = 0; at < kBytes; at += page_bytes())
    region.value()[static_cast<std::size_t>(at)] = 1;
  CHECK(current_rss_bytes() >= before + kBytes - (u64{8} << 20));
  CHECK(peak_rss_bytes() + (u64{2} << 20) >= current_rss_bytes());
  const u64 peak = peak_rss_bytes();
  unmap_region(region.value());
  CHECK(current_rss_bytes() < peak - (u64{48} << 20));
  // The peak stays, within the batches that the kernel counts pages in.
  CHECK(peak_rss_bytes() + (u64{2} << 20) >= peak);
}

TEST_CASE("impossible regions are refused with a budget error") {
  CHECK(map_region(0).status().code() == Code::budget);
  CHECK(map_region(~u64{0}).status().code() == Code::budget);
  CHECK(map_region(u64{1} << 62).status().code() == Code::budget);
}

TEST_CASE("dropped pages are not resident, and read as zero") {
  constexpr u64 kBytes = u64{32} << 20;
  Result<std::span<u8>> region = map_region(kBytes);
  REQUIRE(region.ok());
  std::fill(region.value().begin(), region.value().end(), u8{1});
  const u64 before = current_rss_bytes();
  drop_pages(region.value());
  CHECK(current_rss_bytes() < before - (u64{24} << 20));
  CHECK(region.value()[kBytes - 1] == 0);
  unmap_region(region.value());
}

TEST_CASE("huge pages are advice") {
  Result<std::span<u8>> region = map_region(u64{4} << 20);
  REQUIRE(region.ok());
  advise_huge(region.value());
  region.value()[0] = 7;
  CHECK(region.value()[0] == 7);
  unmap_region(region.value());
  advise_huge({});
}

TEST_CASE("the image is code and data of this program") {
  static const u8 constant_data[300'000] = {1};
  const volatile u8* keep = constant_data;
  CHECK(keep[0] == 1);
  CHECK(image_bytes() > 300'000);
  CHECK(image_bytes() < u64{1} << 30);
  CHECK(image_bytes() % page_bytes() == 0);
  CHECK(page_bytes() >= 4096);
}

}  // namespace memory_test
}  // namespace xmc::test
