// Offsets of time zones against the C library's, for every zone that is installed.
#include "platform/local_time.h"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <time.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "platform/clock.h"

namespace local_time_test {

namespace {

using namespace xmc;

i64 offset_by_library(const std::string& zone, i64 when) {
  ::setenv("TZ", zone.c_str(), 1);
  ::tzset();
  const time_t at = static_cast<time_t>(when);
  tm there = {};
  REQUIRE(::localtime_r(&at, &there) != nullptr);
  return there.tm_gmtoff;
}

// TZ is the test's until the end of its life.
struct ZoneGuard {
  ~ZoneGuard() {
    ::unsetenv("TZ");
    ::tzset();
  }
};

TEST_CASE("rules of both hemispheres, with quotes, odd offsets and days of the year") {
  const ZoneGuard guard;
  std::mt19937_64 rng(1);
  for (const char* rule :
       {"UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "<+0330>-3:30",
        "AEST-10AEDT,M10.1.0,M4.1.0/3", "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1",
        "IST-2IDT,M3.4.4/26,M10.5.0", "ABC3DEF2,J60/1,J300/0:30", "ABC3DEF,59,300/4:00:01",
        "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"}) {
    CAPTURE(rule);
    for (u32 i = 0; i < 400; ++i) {
      const i64 when = static_cast<i64>(rng() % (60ull * 365 * 86400)) + 86400;
      CAPTURE(when);
      i64 offset = 1;
      REQUIRE(offset_by_rule(rule, when, offset));
      REQUIRE(offset == offset_by_library(rule, when));
    }
  }
  i64 offset = 0;
  for (const char* bad : {"", "CE-1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0",
                          "CET-1CEST,M13.5.0,M1.1.0", "CET-1CEST,M3.5.0,M10.5.0/3 ", "<CET-1"}) {
    CAPTURE(bad);
    CHECK_FALSE(offset_by_rule(bad, 0, offset));
  }
}

TEST_CASE("files of all zones that are here, past and future") {
  const ZoneGuard guard;
  const std::string root = "/usr/share/zoneinfo/";
  std::mt19937_64 rng(2);
  u32 zones = 0;
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root, none)) {
    const std::string name = entry.path().string().substr(root.size());
    if (!entry.is_regular_file() || name.starts_with("right/") || name.starts_with("posix/"))
      continue;
    if (name.find('.') != std::string::npos || name.starts_with("leap")) continue;
    if (rng() % 4 != 0) continue;
    CAPTURE(name);
    ++zones;
    for (u32 i = 0; i < 40; ++i) {
      const i64 when = static_cast<i64>(rng() % (90ull * 365 * 86400)) - i64{30} * 365 * 86400;
      CAPTURE(when);
      const i64 wanted = offset_by_library(name, when);
      REQUIRE(utc_offset(when) == wanted);
    }
  }
  MESSAGE(zones << " zones");
}

TEST_CASE("what is no time zone is UTC") {
  const ZoneGuard guard;
  ::setenv("TZ", "No/Such_Place", 1);
  CHECK(utc_offset(1'700'000'000) == 0);
  i64 offset = 0;
  const std::vector<u8> junk(500, 0x54);
  CHECK_FALSE(offset_by_file(junk, 0, offset));
  std::vector<u8> header(44, 0xFF);
  for (u32 i = 0; i < 5; ++i) header[i] = static_cast<u8>("TZif2"[i]);
  CHECK_FALSE(offset_by_file(header, 0, offset));
}

TEST_CASE("the next time that a time of day comes is within a day") {
  const ZoneGuard guard;
  ::setenv("TZ", "<+0330>-3:30", 1);
  for (u32 minute = 0; minute < 1440; minute += 7) {
    const u64 now = wall_seconds();
    const u64 left = seconds_until(minute);
    REQUIRE(left >= 1);
    REQUIRE(left <= 86400);
    const u64 then = (now + left + 12'600) % 86400;
    CHECK((then + 86400 - minute * 60) % 86400 <= 1);
  }
}

}  // namespace

}  // namespace local_time_test
