#include "cli/run_marker.h"

#include <deque>

#include "child.h"

using namespace xmc;
using child::parsed;
using child::Place;

namespace {

Status read_back(std::string text, RunMarker& marker, Options& options) {
  static std::deque<std::string> kept;  // options point into it
  kept.push_back(text + "?");
  return read_marker(kept.back().data(), text.size(), marker, options);
}

}  // namespace

TEST_CASE("options of a run come back exactly, limits and reports do not") {
  const Place folder;
  const std::string path = folder / "marker";
  std::string expression = "a\\n == \n 1";
  for (u32 i = 0; i < 3000; ++i) expression += " and x != " + std::to_string(i);
  std::vector<std::string> words = {"check",
                                    "--invariant",
                                    expression,
                                    "--errors=stop",
                                    "--full",
                                    "--keep",
                                    "--ram=64M",
                                    "--work=w",
                                    "--json=o",
                                    "--time=3s",
                                    "--disk-limit=1G",
                                    "--disk-reserve=1M",
                                    "--wear-limit=2G",
                                    "-q",
                                    "--checkpoint=90s",
                                    "--trace=a.txt",
                                    "--engine=diagram",
                                    "m.dve"};
  const Options options = parsed(words);
  RunMarker marker;
  marker.model = "dir/a \\ model\nof mine.dve";
  marker.model_hash = 0x0123'4567'89AB'CDEF;
  marker.emitted = true;
  REQUIRE(write_marker(path.c_str(), marker, options).ok());
  const std::string text = child::read_whole(path);

  std::vector<std::string> resume = {"resume", "w"};
  Options again = parsed(resume);
  RunMarker got;
  REQUIRE(read_back(text, got, again).ok());
  CHECK(got.model == marker.model);
  CHECK(got.model_hash == marker.model_hash);
  CHECK(got.emitted);
  CHECK(again.text(Opt::invariant) == expression);
  CHECK(again.c_str(Opt::invariant)[expression.size()] == '\0');
  CHECK(again.text(Opt::errors) == "stop");
  CHECK(again.given(Opt::full));
  CHECK(again.given(Opt::keep));
  CHECK(again.text(Opt::engine) == "diagram");
  CHECK(again.number(Opt::checkpoint) == 90);
  for (const Opt option :
       {Opt::json, Opt::time, Opt::disk_limit, Opt::disk_reserve, Opt::wear_limit, Opt::quiet,
        Opt::trace, Opt::work, Opt::ram, Opt::property, Opt::paranoid}) {
    CHECK_FALSE(again.given(option));
  }
}

TEST_CASE("the command line of resume wins") {
  const Place folder;
  const std::string path = folder / "marker";
  std::vector<std::string> check = {"--checkpoint", "level", "--full", "m.dve"};
  RunMarker marker;
  REQUIRE(write_marker(path.c_str(), marker, parsed(check)).ok());
  std::vector<std::string> resume = {"resume", "w", "--checkpoint", "off", "--ram", "8M"};
  Options options = parsed(resume);
  REQUIRE(read_back(child::read_whole(path), marker, options).ok());
  CHECK(options.text(Opt::checkpoint) == "off");
  CHECK(options.given(Opt::full));
  options.restore_number(Opt::ram, 5 << 20);
  CHECK(options.number(Opt::ram) == 8 << 20);
  std::vector<std::string> plain = {"resume", "w"};
  Options other = parsed(plain);
  other.restore_number(Opt::ram, 5 << 20);
  CHECK(other.number(Opt::ram) == 5 << 20);
  CHECK(other.restore("strange", "1").code() == Code::usage);
  CHECK(other.restore("json", "o.json").code() == Code::usage);
  CHECK(other.restore("errors", "maybe").code() == Code::usage);
}

TEST_CASE("one changed byte, a cut, or another version is damage") {
  const Place folder;
  const std::string path = folder / "marker";
  std::vector<std::string> check = {"--invariant", "x < 3", "--full", "m.dve"};
  RunMarker written;
  written.model = "m.dve";
  REQUIRE(write_marker(path.c_str(), written, parsed(check)).ok());
  const std::string good = child::read_whole(path);
  std::vector<std::string> words = {"resume", "w"};
  const auto code_of = [&](const std::string& text) {
    Options options = parsed(words);
    RunMarker marker;
    return read_back(text, marker, options).code();
  };
  CHECK(code_of(good) == Code::ok);
  for (std::size_t i = 0; i < good.size(); ++i) {
    CHECK(code_of(good.substr(0, i)) == Code::corrupt);
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    CHECK(code_of(bad) == Code::corrupt);
  }
  CHECK(code_of(good + "\n") == Code::corrupt);
  CHECK(code_of(good + good) == Code::corrupt);
}
