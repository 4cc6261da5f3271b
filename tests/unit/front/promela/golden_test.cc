#include "golden.h"

#include "promela_parsed.h"

using namespace xmc;

namespace golden_test {

namespace {

std::string messages_of(const test::fs::path& path) {
  const test::ExactText text(test::read_file(path));
  std::vector<u8> region(std::size_t{4} << 20);
  Arena arena(region);
  const std::string name = path.filename().string();
  const Source source{name, text.view()};
  std::string out;
  Diagnostics diagnostics(source, test::collect, &out);
  promela::System system(arena);
  const Status status = promela::parse(source, {}, diagnostics, arena, system);
  out += status.ok() ? "ok\n" : std::string(status.message()) + "\n";
  return out;
}

}  // namespace

TEST_CASE("golden diagnostics of Promela") { test::check_golden(".pml", 4, messages_of); }

}  // namespace golden_test
