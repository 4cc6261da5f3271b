#include "cli/options/units.h"

#include <doctest/doctest.h>

#include <string>

using namespace xmc;

namespace units_test {

namespace {

std::string size_of(std::string_view text) {
  const Result<u64> result = parse_size("ram", text);
  return result.ok() ? std::to_string(result.value()) : std::string(result.status().message());
}

std::string duration_of(std::string_view text) {
  const Result<u64> result = parse_duration("time", text);
  return result.ok() ? std::to_string(result.value()) : std::string(result.status().message());
}

std::string clock_of(std::string_view text) {
  const Result<u64> result = parse_clock("until", text);
  return result.ok() ? std::to_string(result.value()) : "refused";
}

}  // namespace

TEST_CASE("decimals, in thousandths") {
  const auto decimal_of = [](std::string_view text) {
    const Result<u64> result = parse_decimal("watts", text);
    return result.ok() ? std::to_string(result.value()) : "refused";
  };
  CHECK(decimal_of("4") == "4000");
  CHECK(decimal_of("2.5") == "2500");
  CHECK(decimal_of("0.125") == "125");
  CHECK(decimal_of("1.02") == "1020");
  for (const char* bad : {"", ".5", "1.", "1.2345", "1,5", "1.x", "-1", "99999999999999999999"}) {
    CAPTURE(bad);
    CHECK(decimal_of(bad) == "refused");
  }
}

TEST_CASE("times of day") {
  CHECK(clock_of("00:00") == "0");
  CHECK(clock_of("07:00") == "420");
  CHECK(clock_of("7:05") == "425");
  CHECK(clock_of("23:59") == "1439");
  for (const char* bad : {"", "7", "7:5", "24:00", "07:60", "07:0x", "07:00:00", "-7:00", "7h"}) {
    CAPTURE(bad);
    CHECK(clock_of(bad) == "refused");
  }
}

TEST_CASE("sizes") {
  CHECK(size_of("33554432") == "33554432");
  CHECK(size_of("0") == "0");
  CHECK(size_of("100B") == "100");
  CHECK(size_of("4K") == "4096");
  CHECK(size_of("4KiB") == "4096");
  CHECK(size_of("32M") == "33554432");
  CHECK(size_of("32MiB") == "33554432");
  CHECK(size_of("3G") == "3221225472");
  CHECK(size_of("3GiB") == "3221225472");
  CHECK(size_of("2T") == "2199023255552");
}

TEST_CASE("sizes that are refused") {
  CHECK(size_of("32MB") ==
        "--ram: 32MB could mean powers of ten or of two; write M or MiB, which are powers of two");
  CHECK(size_of("32kB").find("write K or KiB") != std::string::npos);
  CHECK(size_of("").find("is not a size") != std::string::npos);
  CHECK(size_of("M").find("is not a size") != std::string::npos);
  CHECK(size_of("-1M").find("is not a size") != std::string::npos);
  CHECK(size_of("+1M").find("is not a size") != std::string::npos);
  CHECK(size_of("1.5G").find("is not a size; units are") != std::string::npos);
  CHECK(size_of("32m").find("is not a size; units are") != std::string::npos);
  CHECK(size_of("32 M").find("is not a size; units are") != std::string::npos);
  CHECK(size_of("18446744073709551616").find("is too large") != std::string::npos);
  CHECK(size_of("16777216T").find("is too large") != std::string::npos);
  CHECK(size_of("16777215T") == "18446742974197923840");
}

TEST_CASE("durations") {
  CHECK(duration_of("90s") == "90");
  CHECK(duration_of("30m") == "1800");
  CHECK(duration_of("8h") == "28800");
  CHECK(duration_of("2d") == "172800");
  for (const char* wrong : {"", "90", "s", "1.5h", "90ms", "90S", "-1s", "1 h"}) {
    CAPTURE(wrong);
    CHECK(duration_of(wrong).find("is not a time with its unit") != std::string::npos);
  }
  CHECK(duration_of("213503982334602d").find("is too large") != std::string::npos);
}

TEST_CASE("counts") {
  CHECK(parse_count("states", "18446744073709551615").value() == ~u64{0});
  for (const char* wrong : {"", "x", "1x", "1e6", "-1", "0x10", "18446744073709551616"}) {
    CAPTURE(wrong);
    CHECK(parse_count("states", wrong).status().code() == Code::usage);
  }
}

TEST_CASE("edit distance") {
  CHECK(edit_distance("ram", "ram", 2) == 0);
  CHECK(edit_distance("rma", "ram", 2) == 1);
  CHECK(edit_distance("invarant", "invariant", 2) == 1);
  CHECK(edit_distance("invarinat", "invariant", 2) == 1);
  CHECK(edit_distance("deadlok", "deadlock", 2) == 1);
  CHECK(edit_distance("xyz", "ram", 2) == 3);
  CHECK(edit_distance("", "ram", 5) == 3);
  CHECK(edit_distance("ram", "", 5) == 3);
}

}  // namespace units_test
