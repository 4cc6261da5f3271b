// Runs every model of tests/golden/diagnostics with a suffix: NAME.SUFFIX must produce exactly the
// messages in NAME.expected. With XMC_UPDATE_GOLDEN in the environment the expectations are written
// anew, to be read before they are kept.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace xmc::test {

namespace fs = std::filesystem;

inline fs::path golden_folder() {
#ifdef XMC_SOURCE_DIR
  return fs::path(XMC_SOURCE_DIR) / "tests/golden/diagnostics";
#else
  return fs::path(__FILE__).parent_path() / "../../golden/diagnostics";
#endif
}

inline std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// `messages_of` gives what a parser says about the model in a file.
inline void check_golden(const char* suffix, std::size_t at_least,
                         std::string (*messages_of)(const fs::path&)) {
  std::vector<fs::path> models;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(golden_folder(), error)) {
    if (entry.path().extension() == suffix) models.push_back(entry.path());
  }
  REQUIRE_FALSE(error);
  REQUIRE(models.size() >= at_least);
  std::sort(models.begin(), models.end());
  for (const fs::path& model : models) {
    CAPTURE(model.filename().string());
    const fs::path expected = fs::path(model).replace_extension(".expected");
    const std::string got = messages_of(model);
    if (std::getenv("XMC_UPDATE_GOLDEN") != nullptr)
      std::ofstream(expected, std::ios::binary) << got;
    CHECK(got == read_file(expected));
  }
}

}  // namespace xmc::test
