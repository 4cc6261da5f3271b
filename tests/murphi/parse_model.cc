// Parses a Murphi model and says what it found: the front end on its own, for scripts.
//
//     parse_model [--rumur] FILE
//
// Diagnostics go to standard error; the tree of a model without mistakes is checked, and gives one
// line with its figures. Exit status 0 or 65.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "front/murphi/parser.h"
#include "tests/murphi/tree_check.h"

namespace {

using namespace xmc;

void print(void*, std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

int main(int argc, char** argv) {
  murphi::Dialect dialect = murphi::Dialect::cmurphi;
  const char* name = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--rumur") {
      dialect = murphi::Dialect::rumur;
    } else {
      name = argv[i];
    }
  }
  if (name == nullptr) return 64;
  std::ifstream file(name, std::ios::binary);
  if (!file) return 74;
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<u8> region(std::size_t{64} << 20);
  Arena arena(region);
  const Source source{name, text};
  Diagnostics diagnostics(source, print, nullptr);
  murphi::System system(arena);
  const Status status = murphi::parse(source, diagnostics, arena, dialect, system);
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.c_str());
    return 65;
  }
  murphi_test::check_tree(system);
  std::printf("%u rules, %u leaves, %llu bits, %u warnings, %llu KiB\n",
              static_cast<unsigned>(system.rules.size()),
              static_cast<unsigned>(system.state_leaves),
              static_cast<unsigned long long>(system.state_bits),
              static_cast<unsigned>(diagnostics.warning_count()),
              static_cast<unsigned long long>(arena.peak_bytes() >> 10));
  return 0;
}
