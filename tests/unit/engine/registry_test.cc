#include "engine/registry.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>

using namespace xmc;

namespace registry_test {

TEST_CASE("auto and ram are there") {
  const Result<Engine*> ram = find_engine("ram");
  REQUIRE(ram.ok());
  CHECK(std::strcmp(ram.value()->name(), "ram") == 0);
  REQUIRE(find_engine("auto").ok());
}

TEST_CASE("auto goes on in files where that is possible") {
  Model safety;
  Model product;
  product.buchi = true;
  CHECK(std::strcmp(choose_engine(safety, true).engine->name(), "auto") == 0);
  CHECK(std::strcmp(choose_engine(safety, false).engine->name(), "ram") == 0);
  CHECK(std::strcmp(choose_engine(product, true).engine->name(), "min-cex") == 0);
  CHECK(std::strcmp(choose_engine(product, false).engine->name(), "ram") == 0);
  safety.live_count = 1;
  CHECK(std::strcmp(choose_engine(safety, true).engine->name(), "live") == 0);
  safety.live_count = 0;
  CHECK(std::string(choose_engine(product, true).why) != choose_engine(safety, true).why);
}

// One that was asked for has touched its memory, whatever comes after it.
TEST_CASE("memory of the engines that none has used") {
  REQUIRE(find_engine("ram").ok());
  CHECK(unused_engine_bytes() < engine_bytes());
  const u64 before = unused_engine_bytes();
  REQUIRE(find_engine("min-cex").ok());
  CHECK(unused_engine_bytes() == 0);
  CHECK(unused_engine_bytes() <= before);
  REQUIRE(find_engine("ram").ok());
  CHECK(unused_engine_bytes() == 0);
}

TEST_CASE("all names of the command line are known") {
  const char* names[] = {"ram",   "mono", "local",   "part",       "cached",   "disk",  "serial",
                         "hddd",  "dddd", "diagram", "double-dfs", "min-cex",  "iddfs", "trim",
                         "owcty", "map",  "ioemc",   "symbolic",   "explicit", "live"};
  CHECK(engines().size() == std::size(names));
  for (const char* name : names) {
    const Result<Engine*> engine = find_engine(name);
    CAPTURE(name);
    REQUIRE(engine.ok());
    CHECK(std::strcmp(engine.value()->name(), name) == 0);
  }
}

TEST_CASE("a row of the list is what its engine says of itself") {
  for (const EngineInfo& info : all_engines()) {
    CAPTURE(info.traits->name);
    CHECK(&info.make()->traits() == info.traits);
    CHECK(info.traits->keeps_files == !info.traits->files.empty());
  }
}

TEST_CASE("other names are usage errors") {
  for (const char* name : {"", "Ram", "ram ", "dfs",
                           "a-very-long-name-that-does-not-exist-and-is-cut-in-the-message"}) {
    const Status status = find_engine(name).status();
    CHECK(status.code() == Code::usage);
    CHECK(std::string(status.message()).find("available: auto, ram, ") != std::string::npos);
  }
}

}  // namespace registry_test
