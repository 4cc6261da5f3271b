// Names with bytes in them that terminals, pages and pictures must not get, and outputs that nobody
// reads.
#include <unistd.h>

#include "child.h"
#include "report/characters.h"

using namespace xmc;

namespace names_test {

using child::Done;
using child::Place;
namespace fs = std::filesystem;

namespace {

const std::string kName = "a\x1b[31mb\xff.dve";
constexpr const char* kModel =
    "byte a; process P { state s; init s; trans s -> s { guard a < 9; effect a = a + 1; }; }\n"
    "system async;\n";

void check_shown(const std::string& text) {
  for (std::string_view rest = text; !rest.empty();) {
    const u32 length = xml_length(rest);
    REQUIRE(length != 0);
    rest.remove_prefix(length);
  }
}

// With standard output into a pipe that nobody reads.
Done unread(const Place& folder, const std::vector<std::string>& words) {
  return folder.finish(folder.start([&] {
    int ends[2];
    if (pipe(ends) != 0) return 99;
    close(ends[0]);
    dup2(ends[1], 1);
    return Place::call(words);
  }));
}

}  // namespace

TEST_CASE("control characters of names reach no terminal, page or picture") {
  const Place folder;
  folder.write(kName.c_str(), kModel);
  const std::vector<std::vector<std::string>> calls = {
      {"-v", "--report", "p.html", "--trace", "t.txt", "--trace", "t.svg", "--trace", "t.msc.txt",
       "--trace", "t.dot", "--json", "o.json", kName},
      {"info", kName},
      {"plan", kName},
      {"--states", "2", "--engine", "mono", "--work", "w\x1b[7m", kName},
      {"status", "w\x1b[7m"},
      {"fsck", "w\x1b[7m"},
      {"resume", "w\x1b[7m"},
      {"--no-such-\x1b[5m", kName},
      {"nothing\x1b.dve"}};
  for (const std::vector<std::string>& words : calls) {
    CAPTURE(words[0]);
    const Done done = folder.run(words);
    check_shown(done.out);
    check_shown(done.err);
  }
  for (const char* name : {"p.html", "t.txt", "t.svg", "t.msc.txt", "t.dot", "o.json"}) {
    CAPTURE(name);
    const std::string text = child::read_whole(folder / name);
    CHECK(text.size() > 100);
    check_shown(text);
  }
  CHECK(folder.run({"info", kName}).out.find("a\\x1b[31mb\\xff.dve") != std::string::npos);
}

TEST_CASE(
    "a standard output that nobody reads is an error that is told once, and loses no result") {
  const Place folder;
  folder.write("m.dve", kModel);
  const std::vector<std::vector<std::string>> calls = {{"-q", "--json", "o.json", "m.dve"},
                                                       {"info", "m.dve"},
                                                       {"plan", "m.dve"},
                                                       {"simulate", "m.dve"},
                                                       {"help", "--man"},
                                                       {"emit", "m.dve"},
                                                       {"ltl", "G F a"},
                                                       {"version"},
                                                       {"plan", "--json", "-", "m.dve"}};
  for (const std::vector<std::string>& words : calls) {
    CAPTURE(words[0]);
    const Done done = unread(folder, words);
    CHECK(done.exit == 74);
    const std::size_t at = done.err.find("xmc-lite: error: cannot write");
    REQUIRE(at != std::string::npos);
    CHECK(done.err.find("xmc-lite: error:", at + 1) == std::string::npos);
  }
  const nlohmann::json result = child::read_json(folder / "o.json");
  CHECK(result["verdict"] == "violated");
  CHECK(result["exit"] == 74);
}

}  // namespace names_test
