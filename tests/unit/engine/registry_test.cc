#include "engine/registry.h"

#include <doctest/doctest.h>

#include <cstring>
#include <set>
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

TEST_CASE("all names of the command line are known, and a message has room for them") {
  const std::string message = std::string(find_engine("nosuch").status().message()) + ",";
  std::set<std::string> names;
  for (const EngineInfo& info : all_engines()) {
    const std::string name = info.traits->name;
    CAPTURE(name);
    const Result<Engine*> engine = find_engine(name);
    REQUIRE(engine.ok());
    CHECK(engine.value()->name() == name);
    CHECK(names.insert(name).second);
    CHECK(message.find(" " + name + ",") != std::string::npos);
  }
  CHECK(engines().size() + 1 == all_engines().size());
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
