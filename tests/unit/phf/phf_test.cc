#include "disk.h"

namespace xmc::phf {

TEST_CASE("phf: many keys in small memory") {
  Disk disk(32 << 20, 1 << 20);
  const Keys keys = random_keys(300'000, 8, 7);
  disk.must_build(keys, config_of(8));
  CHECK(disk.builder.stats().runs > 1);
  CHECK(disk.builder.layout().layers > 1);
  AlignedMemory memory(1 << 20);
  Reader reader;
  REQUIRE(reader.open(disk.pages, memory.span()).ok());
  std::vector<Query> queries = queries_of(keys);
  REQUIRE(reader.find_batch(queries).ok());
  CHECK(right_answers(keys, queries));
}

}  // namespace xmc::phf
