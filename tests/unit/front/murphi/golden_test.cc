#include "golden.h"

#include "murphi_parsed.h"

using namespace xmc;

namespace golden_test {

namespace {

// A first line `-- rumur` chooses that dialect.
std::string messages_of(const test::fs::path& path) {
  const std::string content = test::read_file(path);
  const test::ExactText text(content);
  std::vector<u8> region(std::size_t{4} << 20);
  Arena arena(region);
  const std::string name = path.filename().string();
  const Source source{name, text.view()};
  std::string out;
  Diagnostics diagnostics(source, test::collect, &out);
  murphi::System system(arena);
  const murphi::Dialect dialect =
      content.starts_with("-- rumur\n") ? test::kRumur : murphi::Dialect::cmurphi;
  const Status status = murphi::parse(source, diagnostics, arena, dialect, system);
  out += status.ok() ? "ok\n" : std::string(status.message()) + "\n";
  return out;
}

}  // namespace

TEST_CASE("golden diagnostics of Murphi") { test::check_golden(".m", 6, messages_of); }

}  // namespace golden_test
