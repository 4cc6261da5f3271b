// --threads with little memory: there are as many as it has room for.
#include "child.h"
#include "cli/run/budget.h"
#include "platform/memory.h"
#include "xmc/bytes.h"

using namespace xmc;

namespace threads_test {

using child::Done;
using child::Place;

namespace {

// 390,625 states, more than a table in two mebibytes holds.
constexpr const char* kGrid =
    "byte a; byte b; byte c; byte d;\n"
    "process P { state s; init s; trans s -> s { guard a < 24; effect a = a + 1; },\n"
    "s -> s { guard b < 24; effect b = b + 1; }, s -> s { guard c < 24; effect c = c + 1; },\n"
    "s -> s { guard d < 24; effect d = d + 1; }; }\nsystem async;\n";

// A thousand million states without any order.
constexpr const char* kScattered =
    "int w = 1; int x = 1; int y = 1; int z = 1;\n"
    "process P { state s; init s; trans s -> s { effect x = (x * y + z) % 173; },\n"
    "s -> s { effect y = (y * z + x) % 179; }, s -> s { effect z = (z * x + w + 1) % 181; },\n"
    "s -> s { effect w = (w * x + y + z) % 167; }; }\n"
    "system async;\n";

// A budget does not count the code of such a build, so that there is room for every thread.
#if defined(__SANITIZE_ADDRESS__) || defined(XMC_SANITIZED)
constexpr bool kScarce = false;
#else
constexpr bool kScarce = true;
#endif

}  // namespace

TEST_CASE("explicit has fewer threads where the memory is small, and never ends because of them") {
  const Place folder;
  folder.write("m.dve", kGrid);
  // What --ram 4M leaves of the tool itself.
  const u64 least = image_bytes() + kMarginBytes + (u64{1900} << 10);
  const std::string ram = std::to_string(divide_up(least, 1 << 10)) + "K";
  for (const char* const threads : {"1", "2", "5", "8", "16"}) {
    const Done done = folder.run({"--ram", ram, "--engine", "explicit", "--threads", threads,
                                  "--deadlock", "off", "--json", "r.json", "--work", "w", "m.dve"});
    INFO(threads, " threads, --ram ", ram, ": ", done.err);
    CHECK(done.exit == 0);
    const nlohmann::json result = child::read_json(folder.path / "r.json");
    CHECK(result["stats"]["engine"] == "explicit");
    CHECK(result["stats"]["states"] == 390'625);
    const bool said = done.err.find("has room for") != std::string::npos;
    if (std::stoi(threads) <= 2) CHECK_FALSE(said);
    if (std::stoi(threads) >= 8 && kScarce) CHECK(said);
  }
}

TEST_CASE("part has no more threads than owners that are worth their memory") {
  const Place folder;
  folder.write("m.dve", kGrid);
  for (const u64 beside : {u64{1900}, u64{9000}}) {
    const u64 bytes = image_bytes() + kMarginBytes + (beside << 10);
    const std::string ram = std::to_string(divide_up(bytes, 1 << 10)) + "K";
    const Done done = folder.run({"--ram", ram, "--engine", "part", "--threads", "2", "--deadlock",
                                  "off", "--json", "r.json", "--work", "w", "m.dve"});
    INFO("--ram ", ram, ": ", done.err);
    CHECK(done.exit == 0);
    CHECK(child::read_json(folder.path / "r.json")["stats"]["states"] == 390'625);
    const bool said = done.err.find("has room for 1 thread, not 2") != std::string::npos;
    if (kScarce) CHECK(said == (beside < 5000));
  }
}

TEST_CASE("diagram divides the states among threads; a full one says what would help") {
  const Place folder;
  folder.write("m.dve", kGrid);
  for (const char* const threads : {"1", "2", "3"}) {
    const Done done = folder.run({"--ram", "16M", "--engine", "diagram", "--threads", threads,
                                  "--deadlock", "off", "--json", "r.json", "--work", "w", "m.dve"});
    INFO(threads, " threads: ", done.err);
    CHECK(done.exit == 0);
    const nlohmann::json result = child::read_json(folder.path / "r.json");
    CHECK(result["stats"]["engine"] == "diagram");
    CHECK(result["stats"]["states"] == 390'625);
    CHECK(result["stats"]["transitions"] == 1'500'000);
    CHECK(result["stats"]["levels"] == 97);
    REQUIRE(result["owners"].is_null() == (threads[0] == '1'));
    if (threads[0] == '1') continue;
    CHECK(result["owners"]["count"] == threads[0] - '0');
    CHECK(result["owners"]["states"] == 390'625);
  }
  folder.write("n.dve", kScattered);
  const u64 least = image_bytes() + kMarginBytes + (u64{2600} << 10);
  const std::string ram = std::to_string(divide_up(least, 1 << 10)) + "K";
  for (const char* const threads : {"1", "2"}) {
    const Done done = folder.run({"--ram", ram, "--engine", "diagram", "--threads", threads,
                                  "--deadlock", "off", "--json", "r.json", "--work", "w", "n.dve"});
    INFO(threads, " threads, --ram ", ram, ": ", done.out, done.err);
    CHECK(done.exit == 2);
    CHECK(child::has(done.out, "is full after"));
    CHECK(child::has(done.out, "to get further: --ram "));
    const nlohmann::json result = child::read_json(folder.path / "r.json");
    CHECK(result["verdict"] == "undecided");
  }
}

}  // namespace threads_test
