// Runs every model of tests/golden/diagnostics: NAME.dve must produce exactly the messages in
// NAME.expected. With XMC_UPDATE_GOLDEN in the environment the expectations are written anew, to be
// read before they are kept.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "parsed.h"

using namespace xmc;

namespace {

namespace fs = std::filesystem;

fs::path golden_folder() {
#ifdef XMC_SOURCE_DIR
  return fs::path(XMC_SOURCE_DIR) / "tests/golden/diagnostics";
#else
  return fs::path(__FILE__).parent_path() / "../../../golden/diagnostics";
#endif
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string messages_of(const fs::path& path) {
  const test::ExactText text(read(path));
  std::vector<u8> region(std::size_t{4} << 20);
  Arena arena(region);
  const std::string name = path.filename().string();
  const Source source{name, text.view()};
  std::string out;
  Diagnostics diagnostics(source, test::collect, &out);
  dve::System system(arena);
  const Status status = dve::parse(source, diagnostics, arena, system);
  out += status.ok() ? "ok\n" : std::string(status.message()) + "\n";
  return out;
}

}  // namespace

TEST_CASE("golden diagnostics") {
  std::vector<fs::path> models;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(golden_folder(), error)) {
    if (entry.path().extension() == ".dve") models.push_back(entry.path());
  }
  REQUIRE_FALSE(error);
  REQUIRE(models.size() >= 10);
  std::sort(models.begin(), models.end());
  for (const fs::path& model : models) {
    CAPTURE(model.filename().string());
    const fs::path expected = fs::path(model).replace_extension(".expected");
    const std::string got = messages_of(model);
    if (std::getenv("XMC_UPDATE_GOLDEN") != nullptr)
      std::ofstream(expected, std::ios::binary) << got;
    CHECK(got == read(expected));
  }
}
