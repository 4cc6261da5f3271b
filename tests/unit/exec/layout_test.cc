// The width of states: what fits the limit is checked, and what does not is refused in words.
#include <doctest/doctest.h>

#include <string>

#include "fixture.h"
#include "xmc/limits.h"

using namespace xmc;
using namespace xmc::test;

namespace layout_test {

namespace {

// Every element takes all values of a byte, eight of them a word of the state.
std::string model_of(u32 bytes) {
  return "byte a[" + std::to_string(bytes) +
         "]; process P { int i; state s; init s;"
         " trans s -> s { guard i < " +
         std::to_string(bytes - 1) + "; effect a[i] = 255 - a[i], i = i + 1; }; } system async;";
}

}  // namespace

TEST_CASE("a state may be as wide as the limit, and what is wider says so") {
  const Loaded fits(model_of(limits::kStateWords * 8 - 8));
  REQUIRE(fits.status.ok());
  CHECK(fits.model.program->state_words == limits::kStateWords);
  const Loaded too_wide(model_of(limits::kStateWords * 8 + 1));
  REQUIRE_FALSE(too_wide.status.ok());
  CHECK(std::string(too_wide.status.message()) ==
        "a state needs more than 1024 bytes (limit kStateWords); use smaller arrays");
}

}  // namespace layout_test
