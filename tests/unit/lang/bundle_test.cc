#include "lang/bundle.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace xmc;

namespace bundle_test {

namespace {

struct Rig {
  std::vector<u8> region = std::vector<u8>(std::size_t{4} << 20);
  Arena arena{region};
};

}  // namespace

TEST_CASE("a text that needs nothing is its own bundle") {
  Rig rig;
  Bundle bundle(rig.arena);
  REQUIRE(bundle.open("byte x;\n").ok());
  CHECK(bundle.text == "byte x;\n");
  CHECK(bundle.bytes() == 8);
  CHECK(bundle.files.empty());
}

TEST_CASE("definitions, a bound and files come back as they were") {
  Rig rig;
  Bundle made(rig.arena);
  made.text = "#include \"a.h\"\n";
  made.definitions.push("N=3");
  made.definitions.push("FAST");
  made.max_processes = 17;
  made.files.push({"a.h", "#define X file 3 y\n\x1c"});
  made.files.push({"sub/b.h", ""});
  std::string whole(static_cast<std::size_t>(made.bytes()), '?');
  CHECK(made.write(whole.data()).size() == whole.size());
  Bundle opened(rig.arena);
  REQUIRE(opened.open(whole).ok());
  CHECK(opened.text == made.text);
  REQUIRE(opened.definitions.size() == 2);
  CHECK(opened.definitions[0] == "N=3");
  CHECK(opened.definitions[1] == "FAST");
  CHECK(opened.max_processes == 17);
  std::string_view found;
  REQUIRE(opened.find("a.h", found));
  CHECK(found == "#define X file 3 y\n\x1c");
  REQUIRE(opened.find("sub/b.h", found));
  CHECK(found.empty());
  CHECK_FALSE(opened.find("c.h", found));
}

TEST_CASE("what is cut off or changed is no bundle") {
  Rig rig;
  const std::string whole =
      "x\x1c"
      "define A=1\nprocesses 4\nfile 3 n\nabc";
  REQUIRE(Bundle(rig.arena).open(whole).ok());
  for (const std::size_t size : {3u, 8u, 12u, 15u, 26u, 30u, 34u}) {
    CAPTURE(size);
    CHECK_FALSE(Bundle(rig.arena).open(std::string_view(whole).substr(0, size)).ok());
  }
  CHECK_FALSE(Bundle(rig.arena)
                  .open("x\x1c"
                        "other 4\n")
                  .ok());
  CHECK_FALSE(Bundle(rig.arena)
                  .open("x\x1c"
                        "processes many\n")
                  .ok());
}

TEST_CASE("names are seen from the folder of the model") {
  CHECK(beside("m.pml", "a.h") == "a.h");
  CHECK(beside("dir/m.pml", "dir/a.h") == "a.h");
  CHECK(beside("dir/m.pml", "dir/sub/a.h") == "sub/a.h");
  CHECK(beside("dir/m.pml", "/usr/a.h") == "/usr/a.h");
}

}  // namespace bundle_test
