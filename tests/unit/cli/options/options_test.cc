#include "cli/options/options.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace xmc;

namespace options_test {

namespace {

// A command line whose words live as long as the options.
struct Line {
  std::vector<std::string> words;
  std::vector<char*> pointers;
  Options options;
  Status status;

  explicit Line(std::vector<std::string> given, bool operand_needed = true)
      : words(std::move(given)) {
    for (std::string& word : words) pointers.push_back(word.data());
    status = options.parse(pointers, operand_needed);
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  std::string message() const { return std::string(status.message()); }
};

std::string error_of(std::vector<std::string> words, bool operand_needed = true) {
  const Line line(std::move(words), operand_needed);
  if (!line.status.ok()) CHECK(line.status.code() == Code::usage);
  return line.message();
}

std::string whole(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

}  // namespace

TEST_CASE("check may be left out, defaults are there") {
  const Line line({"m.dve"});
  REQUIRE(line.status.ok());
  CHECK(line.options.command() == Command::check);
  CHECK(line.options.operand() == "m.dve");
  CHECK(line.options.number(Opt::ram) == u64{32} << 20);
  CHECK(line.options.text(Opt::engine) == "auto");
  CHECK(line.options.text(Opt::errors) == "report");
  CHECK_FALSE(line.options.given(Opt::ram));
  CHECK_FALSE(line.options.given(Opt::full));
  const Line same({"check", "m.dve"});
  REQUIRE(same.status.ok());
  CHECK(same.options.command() == Command::check);
  CHECK(Line({"info", "m.dve"}).options.command() == Command::info);
}

TEST_CASE("values after an equals sign or as the next word") {
  const Line line(
      {"--ram=64M", "--time", "8h", "m.dve", "--invariant", "x == 3", "--json", "-", "--depth=0"});
  CHECK(line.message() == "");
  CHECK(line.options.number(Opt::ram) == u64{64} << 20);
  CHECK(line.options.number(Opt::time) == 8 * 3600);
  CHECK(line.options.text(Opt::invariant) == "x == 3");
  CHECK(line.options.text(Opt::json) == "-");
  CHECK(line.options.given(Opt::depth));
  const Line equals({"--invariant=a = b", "m.dve"});
  CHECK(equals.options.text(Opt::invariant) == "a = b");
}

TEST_CASE("short forms") {
  CHECK(Line({"-q", "m.dve"}).options.given(Opt::quiet));
  CHECK(Line({"-v", "m.dve"}).options.given(Opt::verbose));
  CHECK(Line({"trace", "w", "-o", "x.txt"}).options.text(Opt::output) == "x.txt");
  CHECK(error_of({"-x", "m.dve"}) == "unknown option -x; see --help");
  CHECK(error_of({"-qv", "m.dve"}) == "unknown option -qv; see --help");
}

TEST_CASE("what is refused") {
  CHECK(error_of({}) == "check needs a MODEL; see --help");
  CHECK(error_of({"--bogus", "m.dve"}) == "unknown option --bogus; see --help");
  CHECK(error_of({"--invarant", "x", "m.dve"}) ==
        "unknown option --invarant; did you mean --invariant?");
  CHECK(error_of({"--rma", "5M", "m.dve"}) == "unknown option --rma; did you mean --ram?");
  CHECK(error_of({"--ctl", "F x", "m.dve"}) == "unknown option --ctl; did you mean --ltl?");
  CHECK(error_of({"--ram", "8M", "--ram=8M", "m.dve"}) == "--ram is given twice");
  CHECK(error_of({"--full", "--full", "m.dve"}) == "--full is given twice");
  CHECK(error_of({"--full=yes", "m.dve"}) == "--full takes no value");
  CHECK(error_of({"m.dve", "--ram"}) == "--ram needs a value: SIZE");
  CHECK(error_of({"m.dve", "--work="}) == "--work needs a value: DIR");
  CHECK(error_of({"--invariant", "", "m.dve"}) == "--invariant needs a value: EXPR");
  CHECK(error_of({"--ram", "--full", "m.dve"}) ==
        "--ram needs a value, but is followed by --full; a value that begins so is given with "
        "--ram=VALUE");
  CHECK(error_of({"--deadlock", "maybe", "m.dve"}) ==
        "--deadlock: 'maybe' is not one of auto|off|stuck|stuttering");
  CHECK(error_of({"--deadlock", "stuck|stuttering", "m.dve"}) != "");
  CHECK(error_of({"a.dve", "b.dve"}) ==
        "check takes one MODEL, but 'b.dve' is given after 'a.dve'");
  CHECK(error_of({"version", "x"}) == "version takes no argument, but 'x' is given");
  CHECK(error_of({"--steps", "5", "m.dve"}) == "check does not take --steps; see check --help");
  CHECK(error_of({"info", "--full", "m.dve"}) == "info does not take --full; see info --help");
}

TEST_CASE("what may have been meant") {
  CHECK(error_of({"chek", "m.dve"}) == "there is no command 'chek'; did you mean 'check'?");
  CHECK(error_of({"reusme", "w"}) == "there is no command 'reusme'; did you mean 'resume'?");
  CHECK(error_of({"simulat", "--steps", "5", "m.dve"}) ==
        "there is no command 'simulat'; did you mean 'simulate'?");
  CHECK(error_of({"check", "chek"}) == "");
  CHECK(error_of({"some.dve"}) == "");
  CHECK(error_of({"--deadlock", "of", "m.dve"}) ==
        "--deadlock: 'of' is not one of auto|off|stuck|stuttering; did you mean off?");
  CHECK(error_of({"--checkpoint", "levle", "m.dve"}) ==
        "--checkpoint: 'levle' is neither of auto|level|off|DUR, with DUR as 90s, 30m or 2h; did "
        "you mean level?");
  CHECK(error_of({"--checkpoint", "DUR", "m.dve"}).find("is neither of") != std::string::npos);
  CHECK(error_of({"--engine", "dddb", "m.dve"}) == "there is no engine 'dddb'; did you mean dddd?");
  CHECK(error_of({"--engine", "double_dfs", "m.dve"}) ==
        "there is no engine 'double_dfs'; did you mean double-dfs?");
  // What is near nothing is refused by the registry.
  for (const char* engine : {"nonsense", "auto", "min-cex"})
    CHECK(error_of({"--engine", engine, "m.dve"}) == "");
  CHECK(error_of({"--lang", "dv", "m.dve"}) == "there is no language 'dv'; did you mean dve?");
  CHECK(error_of({"--lang", "nonsense", "m.dve"}) ==
        "there is no language 'nonsense'; available: auto, dve, murphi, promela");
  for (const char* language : {"auto", "dve", "murphi"})
    CHECK(error_of({"--lang", language, "m.txt"}) == "");
}

TEST_CASE("ranges") {
  CHECK(error_of({"--ram", "3M", "m.dve"}) ==
        "--ram 3M is too small: the minimum is 4M (4194304 bytes)");
  CHECK(error_of({"--ram", "4M", "m.dve"}) == "");
  CHECK(error_of({"--ram", "1025T", "m.dve"}).find("is too large: the maximum is") !=
        std::string::npos);
  CHECK(error_of({"--states", "0", "m.dve"}) == "--states 0 is too small: the minimum is 1");
  CHECK(error_of({"--time", "0s", "m.dve"}) == "--time 0s is too small: the minimum is 1 s");
  CHECK(error_of({"--every", "2d", "m.dve"}) == "--every 2d is too large: the maximum is 86400 s");
}

TEST_CASE("options that exclude each other or have no effect") {
  CHECK(error_of({"--invariant", "x", "--reach", "y", "m.dve"}) ==
        "--invariant and --reach cannot be checked in one run");
  CHECK(error_of({"--property", "x", "--reach", "y", "m.dve"}) != "");
  CHECK(error_of({"-q", "-v", "m.dve"}) == "--quiet and --verbose exclude each other");
  CHECK(error_of({"-q", "--every", "5s", "m.dve"}) == "--every has no effect with --quiet");
  CHECK(error_of({"--progress", "none", "--every", "5s", "m.dve"}) ==
        "--every has no effect with --progress none");
  CHECK(error_of({"-q", "--progress", "line", "m.dve"}) == "--progress has no effect with --quiet");
  CHECK(error_of({"simulate", "--script", "s", "--seed", "3", "m.dve"}) ==
        "--seed has no effect with --script");
}

TEST_CASE("options that the engine does not look at") {
  CHECK(error_of({"--partial", "2", "m.dve"}) ==
        "--partial has no effect with engine auto; it is for --engine dddd");
  CHECK(error_of({"--partial", "2", "--engine", "hddd", "m.dve"}) ==
        "--partial has no effect with engine hddd; it is for --engine dddd");
  CHECK(error_of({"--engine", "dddd", "--partial", "2", "m.dve"}) == "");
  CHECK(error_of({"--training", "m.dve"}) ==
        "--training has no effect with engine auto; it is for --engine dddd");
  CHECK(error_of({"--engine", "dddd", "--training", "m.dve"}) == "");
  CHECK(error_of({"plan", "--collisions", "5", "--engine", "disk", "m.dve"}) ==
        "--collisions has no effect with engine disk; it is for --engine cached or serial");
  CHECK(error_of({"--collisions", "5", "--engine", "cached", "m.dve"}) == "");
  CHECK(error_of({"--collisions", "5", "--engine", "serial", "m.dve"}) == "");
}

TEST_CASE("with edges and without") {
  const auto error = [](const char* engine, const char* edges, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--engine", engine, "--edges", edges, "m.dve"});
    return error_of(more);
  };
  for (const char* engine : {"trim", "min-cex", "double-dfs", "iddfs"})
    CHECK(error(engine, "auto") == "");
  CHECK(error("trim", "off") == "engine trim works on edges; use another one with --edges off");
  CHECK(error("iddfs", "on") == "engine iddfs does not use edges");
  CHECK(error("min-cex", "off") == "");
  CHECK(error("min-cex", "off", {"--method", "prefix-core"}) ==
        "--method prefix-core works on edges");
  CHECK(error("min-cex", "on", {"--method", "gastin-moro"}) ==
        "--method gastin-moro does not use edges");
  CHECK(error("double-dfs", "on") == "");
  CHECK(error("double-dfs", "on", {"--index", "rank"}) ==
        "with --edges on the edges tell the numbers of states: there is no index");
  CHECK(error("double-dfs", "off", {"--index", "rank"}) == "");
  CHECK(error_of({"--edges", "on", "m.dve"}) ==
        "--edges has no effect with engine auto; it is for --engine trim, min-cex, double-dfs or "
        "iddfs");
}

TEST_CASE("--trace may be repeated") {
  const Line line({"--trace", "a.txt", "--trace=b.vcd", "m.dve"});
  REQUIRE(line.status.ok());
  REQUIRE(line.options.traces().size() == 2);
  CHECK(line.options.traces()[1] == "b.vcd");
  std::vector<std::string> many = {"m.dve"};
  for (u32 i = 0; i <= kTraceFiles; ++i) many.push_back("--trace=x.txt");
  CHECK(error_of(many) == "--trace: more than 10 files");
}

TEST_CASE("two dashes end the options") {
  const Line line({"--full", "--", "--odd.dve"});
  REQUIRE(line.status.ok());
  CHECK(line.options.operand() == "--odd.dve");
}

TEST_CASE("help and version win over what follows") {
  CHECK(Line({"--help", "--bogus"}).status.ok());
  CHECK(Line({"--version", "--bogus"}).options.given(Opt::version));
  CHECK(Line({"info", "-h"}).options.given(Opt::help));
  CHECK(Line({"--help", "all"}).options.help_all());
  CHECK_FALSE(Line({"--help", "m.dve"}).options.help_all());
  CHECK_FALSE(Line({"--bogus", "--help"}).status.ok());
}

TEST_CASE("a built checker has its model inside") {
  CHECK(error_of({"--full"}, false) == "");
  CHECK(error_of({"m.dve"}, false) ==
        "this checker has its model inside and takes no MODEL ('m.dve')");
  CHECK(error_of({"clean"}, false) == "clean needs a WORKDIR; see --help");
}

TEST_CASE("after a mistake the options before it are there") {
  const Line line({"--json", "out.json", "--bogus", "--full"});
  CHECK_FALSE(line.status.ok());
  CHECK(line.options.given(Opt::json));
  CHECK_FALSE(line.options.given(Opt::full));
}

TEST_CASE("arguments from a file") {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "xmc-lite-arguments";
  std::ofstream(path) << "--ram\n64M\r\n\n--invariant=x == 3\nm.dve";
  const std::string argument = "@" + path.string();
  const Line line({"--full", argument});
  CHECK(line.message() == "");
  CHECK(line.options.number(Opt::ram) == u64{64} << 20);
  CHECK(line.options.text(Opt::invariant) == "x == 3");
  CHECK(line.options.operand() == "m.dve");
  CHECK(error_of({argument, argument}) == "more than one @FILE");
  std::ofstream(path) << argument;
  CHECK(error_of({argument}).find("inside an argument file") != std::string::npos);
  std::ofstream(path) << std::string(kArgumentFileBytes + 1, 'x');
  CHECK(error_of({argument}) != "");
  std::filesystem::remove(path);
  CHECK(error_of({argument}).find("No such file") != std::string::npos);
}

TEST_CASE("what follows an option file overrides it") {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "xmc-lite-board";
  const std::string argument = "@" + path.string();
  std::ofstream(path) << "# a board\n--ram=64M\n  # its progress\n--progress=line\n--every=1m\n"
                         "--checkpoint=90s\n--trace=a.txt\n--invariant=x == 3\n";
  Line line({argument, "--ram", "8M", "--checkpoint", "level", "--trace", "b.txt", "m.dve"});
  CHECK(line.message() == "");
  CHECK(line.options.number(Opt::ram) == u64{8} << 20);
  CHECK(line.options.text(Opt::checkpoint) == "level");
  CHECK(line.options.number(Opt::checkpoint) == 0);
  CHECK(line.options.number(Opt::every) == 60);
  CHECK(line.options.traces().size() == 2);
  CHECK(line.options.operand() == "m.dve");
  // What excludes each other, too.
  const Line quiet({argument, "-q", "--reach", "y", "m.dve"});
  CHECK(quiet.message() == "");
  CHECK_FALSE(quiet.options.given(Opt::every));
  CHECK(quiet.options.text(Opt::progress) == "auto");
  CHECK_FALSE(quiet.options.given(Opt::invariant));
  // A repetition is a mistake on the command line, in the file, and before it.
  CHECK(error_of({argument, "--ram", "8M", "--ram", "9M", "m.dve"}) == "--ram is given twice");
  CHECK(error_of({"--ram", "8M", argument, "m.dve"}) ==
        "--ram is given before an @FILE that gives it, too; options after it override the file");
  std::ofstream(path) << "--ram=64M\n--ram=32M\n";
  CHECK(error_of({argument, "m.dve"}) == "--ram is given twice");
  std::ofstream(path) << "--ram\n";
  CHECK(error_of({argument, "m.dve"}).find("ends with --ram, which needs a value: SIZE") !=
        std::string::npos);
  std::filesystem::remove(path);
}

TEST_CASE("every folder of a board is one of --board, and its file can be read") {
  u32 folders = 0;
  for (const auto& entry : std::filesystem::directory_iterator("ports/boards")) {
    if (!entry.is_directory()) continue;
    CAPTURE(entry.path().string());
    ++folders;
    const std::filesystem::path file = entry.path() / "options";
    CHECK(whole(file).starts_with("# "));
    const Line line({"@" + file.string(), "--ram", "8M", "-q", "m.dve"});
    CHECK(line.message() == "");
    CHECK(line.options.number(Opt::ram) == u64{8} << 20);
    const Line named({"--board", entry.path().filename().string(), "m.dve"});
    CHECK(named.message() == "");
  }
  CHECK(folders == 5);
}

TEST_CASE("the echo") {
  const Line line({"--ram", "64M", "--full", "--trace", "a.txt", "--reach", "x", "m.dve"});
  REQUIRE(line.status.ok());
  static std::string text;
  text.clear();
  char buffer[64];
  Output out(
      buffer,
      [](void*, std::string_view bytes) {
        text += bytes;
        return Status();
      },
      nullptr);
  JsonWriter json(out);
  json.begin_object();
  line.options.echo(json);
  json.end_object();
  REQUIRE(out.flush().ok());
  const nlohmann::json back = nlohmann::json::parse(text, nullptr, false);
  REQUIRE(back.is_object());
  CHECK(back["ram"] == 64 << 20);
  CHECK(back["full"] == true);
  CHECK(back["keep"] == false);
  CHECK(back["trace"] == std::vector<std::string>{"a.txt"});
  CHECK(back["reach"] == "x");
  CHECK(back["invariant"].is_null());
  CHECK(back["engine"] == "auto");
  CHECK_FALSE(back.contains("steps"));
  for (const OptionInfo& info : option_table()) {
    CAPTURE(info.name);
    const bool wanted = info.used_by(Command::check) && info.group != OptionGroup::general;
    CHECK(back.contains(std::string(info.name)) == wanted);
  }
}

TEST_CASE("the table is sound") {
  for (const OptionInfo& info : option_table()) {
    CAPTURE(info.name);
    CHECK(info.commands != 0);
    CHECK(info.help.size() > 10);
    CHECK(info.help.back() != '.');
    CHECK(info.metavar.empty() == (info.kind == OptionKind::flag));
    CHECK(info.low <= info.high);
    int same = 0;
    for (const OptionInfo& other : option_table()) {
      same += other.name == info.name || (info.letter != 0 && other.letter == info.letter) ? 1 : 0;
    }
    CHECK(same == 1);
  }
}

// An option that is parsed and then forgotten is a lie to the user.
TEST_CASE("every option is used by the code") {
  std::string code;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("src/cli")) {
    if (entry.path().extension() == ".cc") code += whole(entry.path());
  }
  REQUIRE(code.size() > 10000);
  const auto used = [&](const std::string& name) {
    const std::string word = "Opt::" + name;
    for (std::size_t at = 0; (at = code.find(word, at)) != std::string::npos; at += word.size()) {
      const char next = code[at + word.size()];
      if (next != '_' && std::isalnum(static_cast<unsigned char>(next)) == 0) return true;
    }
    return false;
  };
  CHECK_FALSE(used("no_such_option"));
#define XMC_OPTION(id, name, letter, kind, ...)                                               \
  {                                                                                           \
    CAPTURE(name);                                                                            \
    CHECK((OptionKind::kind == OptionKind::paths ? code.find("options.traces()") != code.npos \
                                                 : used(#id)));                               \
  }
#include "xmc/options.def"
#undef XMC_OPTION
}

TEST_CASE("every board brings options that can be read, and the command line wins") {
  for (const char* board : {"pi-zero", "pi-3-4-5", "beaglebone-black", "eeepc", "generic"}) {
    CAPTURE(board);
    for (const char* command : {"check", "plan"}) {
      const Line line({command, "m.dve", "--board", board});
      REQUIRE(line.message() == "");
      CHECK(line.options.given(Opt::ram));
      CHECK(line.options.given(Opt::disk_reserve));
    }
    const Line after({"--board", board, "--ram", "48M", "m.dve", "-q"});
    REQUIRE(after.message() == "");
    CHECK(after.options.number(Opt::ram) == u64{48} << 20);
    CHECK_FALSE(after.options.given(Opt::progress));
    const Line before({"--ram", "48M", "--every", "3m", "--board", board, "m.dve"});
    REQUIRE(before.message() == "");
    CHECK(before.options.number(Opt::ram) == u64{48} << 20);
    CHECK(before.options.number(Opt::every) == 180);
    CHECK(before.options.text(Opt::progress) == "line");
  }
  CHECK(error_of({"--board", "pi-9", "m.dve"}).find("is not one of pi-zero|") != std::string::npos);
}

}  // namespace options_test
