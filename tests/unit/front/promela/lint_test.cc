// What `info --lint` says, and that it says nothing of a model without fault.
#include "lower/promela/lint/lint.h"

#include <fstream>

#include "golden.h"
#include "promela_parsed.h"

using namespace xmc;

namespace lint_test {

namespace {

std::string lint(const std::string& name, const std::string& model) {
  const test::ExactText text(model);
  std::vector<u8> region(std::size_t{16} << 20);
  Arena arena(region);
  const Source source{name, text.view()};
  std::string out;
  Diagnostics diagnostics(source, test::collect, &out);
  promela::System system(arena);
  REQUIRE(promela::parse(source, {}, diagnostics, arena, system).ok());
  promela_lower::lint_promela(system, 0, diagnostics, arena);
  return out;
}

}  // namespace

TEST_CASE("golden warnings of the lint") {
  for (const char* name : {"statements", "stores", "uses"}) {
    CAPTURE(name);
    const std::string path = std::string("tests/golden/lint/") + name;
    const std::string got = lint(std::string(name) + ".pml", test::read_file(path + ".pml"));
    if (std::getenv("XMC_UPDATE_GOLDEN") != nullptr)
      std::ofstream(path + ".expected", std::ios::binary) << got;
    CHECK(got == test::read_file(path + ".expected"));
  }
}

TEST_CASE("a model without fault has no warning") {
  CHECK(lint("clean.pml", test::read_file("tests/golden/lint/clean.pml")).empty());
}

// Without a bound of the processes there are no facts, but there are still statements.
TEST_CASE("processes without a bound") {
  const std::string said =
      lint("m.pml", "byte x; active proctype P() { do :: run P() :: x = 300 od; x++ }");
  CHECK(said.find("m.pml:1:60: warning: unreachable") != std::string::npos);
  CHECK(said.find("is always cut") == std::string::npos);
}

}  // namespace lint_test
