#include "cli/run/work/run_marker.h"

#include <deque>

#include "child.h"

using namespace xmc;

namespace run_marker_test {

using child::parsed;
using child::Place;

namespace {

Status read_back(std::string text, RunMarker& marker, Options& options) {
  static std::deque<std::string> kept;  // options point into it
  kept.push_back(text + "?");
  return read_marker(kept.back().data(), text.size(), marker, options);
}

Status kept_back(std::string text, u64& marker, Options& options) {
  static std::deque<std::string> kept;
  kept.push_back(text + "?");
  return read_kept(kept.back().data(), text.size(), marker, options);
}

}  // namespace

TEST_CASE("options of a run come back exactly, limits and outputs from a file of their own") {
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
                                    "--trace=/tmp/b.vcd",
                                    "--states=5",
                                    "--depth=7",
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
  CHECK(again.text(Opt::engine) == "diagram");
  for (const Opt option : {Opt::json, Opt::time, Opt::disk_limit, Opt::disk_reserve,
                           Opt::wear_limit, Opt::quiet, Opt::trace, Opt::work, Opt::ram,
                           Opt::property, Opt::paranoid, Opt::keep, Opt::checkpoint}) {
    CHECK_FALSE(again.given(option));
  }

  REQUIRE(write_kept(path.c_str(), 0x1234, options, true).ok());
  CHECK_FALSE(std::filesystem::exists(path + ".new"));
  const std::string kept = child::read_whole(path);
  u64 of_marker = 0;
  REQUIRE(kept_back(kept, of_marker, again).ok());
  CHECK(of_marker == 0x1234);
  CHECK(again.number(Opt::ram) == 64 << 20);
  CHECK(again.number(Opt::time) == 3);
  CHECK(again.number(Opt::disk_limit) == 1 << 30);
  CHECK(again.number(Opt::disk_reserve) == 1 << 20);
  CHECK(again.number(Opt::wear_limit) == u64{2} << 30);
  CHECK(again.number(Opt::checkpoint) == 90);
  CHECK(again.given(Opt::keep));
  CHECK(again.given(Opt::quiet));
  const std::string here = std::filesystem::current_path().string();
  CHECK(again.text(Opt::json) == here + "/o");
  REQUIRE(again.traces().size() == 2);
  CHECK(again.traces()[0] == here + "/a.txt");
  CHECK(again.traces()[1] == "/tmp/b.vcd");
  CHECK_FALSE(again.gives_kept());
  for (const Opt option : {Opt::states, Opt::depth, Opt::work, Opt::levels}) {
    CHECK_FALSE(again.given(option));
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    std::string bad = kept;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    Options none = parsed(resume);
    CHECK(kept_back(bad, of_marker, none).code() == Code::corrupt);
    CHECK(kept_back(kept.substr(0, i), of_marker, none).code() == Code::corrupt);
  }

  // A new line of resume wins, a new list of traces as a whole; and it is to be kept.
  std::vector<std::string> anew = {"resume", "w", "--ram=8M", "--trace=c.dot", "-v"};
  Options newer = parsed(anew);
  REQUIRE(kept_back(kept, of_marker, newer).ok());
  CHECK(newer.gives_kept());
  CHECK(newer.number(Opt::ram) == 8 << 20);
  REQUIRE(newer.traces().size() == 1);
  CHECK(newer.traces()[0] == "c.dot");
  CHECK_FALSE(newer.given(Opt::quiet));
  CHECK(newer.number(Opt::time) == 3);
}

TEST_CASE("names of outputs that are too long to be kept are refused") {
  const Place folder;
  const std::string path = folder / "kept";
  std::vector<std::string> words;
  for (u32 i = 0; i < 9; ++i) {
    words.push_back("--trace=/" + std::string(2000, 'x') + std::to_string(i) + ".txt");
  }
  words.push_back("m.dve");
  CHECK(write_kept(path.c_str(), 1, parsed(words), false).code() == Code::usage);
  CHECK_FALSE(std::filesystem::exists(path));
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
  CHECK(options.restore("checkpoint", "level").ok());  // older versions had it in the marker
  CHECK(options.text(Opt::checkpoint) == "off");
  CHECK(options.given(Opt::full));
  options.restore_number(Opt::ram, 5 << 20);
  CHECK(options.number(Opt::ram) == 8 << 20);
  std::vector<std::string> plain = {"resume", "w"};
  Options other = parsed(plain);
  other.restore_number(Opt::ram, 5 << 20);
  CHECK(other.number(Opt::ram) == 5 << 20);
  CHECK(other.restore("strange", "1").code() == Code::usage);
  CHECK(other.restore("states", "5").code() == Code::usage);
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

}  // namespace run_marker_test
