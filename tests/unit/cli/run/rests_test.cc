// Rests: shares of time to the nanosecond, and sensors that change their mind.
#include "cli/run/work/rests.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "child.h"

namespace rests_test {

namespace {

using namespace xmc;

// Words of an option and its value.
using Words = std::vector<std::string>;

constexpr u64 kSecond = 1'000'000'000;

TEST_CASE("without a wish it never rests") {
  Rests rests;
  Words words = {"m.dve"};
  rests.start(child::parsed(words), 0);
  for (u64 s = 0; s < 100; ++s) CHECK(rests.due(s * kSecond).why == Rests::Why::none);
  CHECK(rests.rested_ns() == 0);
}

TEST_CASE("a duty of a quarter: three times as long as it worked") {
  Rests rests;
  Words words = {"m.dve", "--duty", "25"};
  rests.start(child::parsed(words), 0);
  u64 now = 0;
  u64 worked = 0;
  for (u32 i = 0; i < 1000; ++i) {
    now += 7'000'000;  // a batch
    worked += 7'000'000;
    for (Rests::Rest r = rests.due(now); r.why != Rests::Why::none; r = rests.due(now)) {
      CHECK(r.why == Rests::Why::duty);
      REQUIRE(r.ns > 0);
      now += r.ns;
    }
  }
  CHECK(rests.rested_ns() + worked == now);
  CHECK(static_cast<double>(worked) / static_cast<double>(now) ==
        doctest::Approx(0.25).epsilon(0.01));
}

TEST_CASE("heat and batteries: until both are over") {
  const child::Place place;
  const std::string root = place / "sys";
  const auto put = [&](const char* file, const char* text) {
    const std::filesystem::path path = root + "/class/" + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  };
  put("thermal/thermal_zone0/temp", "60000");
  put("power_supply/AC/type", "Mains");
  put("power_supply/AC/online", "1");
  Rests rests{MachineSensors(root.c_str())};
  Words words = {"m.dve", "--temp-max", "70", "--on-battery", "pause"};
  rests.start(child::parsed(words), 0);
  const auto why = [&](u64 second) { return rests.due(second * kSecond).why; };
  CHECK(why(0) == Rests::Why::none);
  put("thermal/thermal_zone0/temp", "70000");
  CHECK(why(1) == Rests::Why::none);  // not looked at again so soon
  CHECK(why(10) == Rests::Why::heat);
  put("thermal/thermal_zone0/temp", "66000");
  CHECK(why(20) == Rests::Why::heat);  // it would be hot again at once
  put("power_supply/AC/online", "0");
  put("thermal/thermal_zone0/temp", "64000");
  CHECK(why(30) == Rests::Why::battery);
  put("power_supply/AC/online", "1");
  CHECK(why(40) == Rests::Why::none);
  CHECK(rests.rested_ns() == 30 * kSecond);
}

}  // namespace

}  // namespace rests_test
