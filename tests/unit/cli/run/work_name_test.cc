// Default names of work directories, and several runs of one model in one folder.
#include "cli/run/work/work_name.h"

#include <set>

#include "child.h"

using namespace xmc;

namespace work_name_test {

using child::Done;
using child::Place;
namespace fs = std::filesystem;

namespace {

std::string name_for(const std::string& model, std::vector<std::string> words = {}) {
  words.push_back("model");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  Options options;
  REQUIRE(options.parse(arguments, true).ok());
  WorkName name;
  name.choose(model, options);
  return name.numbered(1);
}

// Does not fit into the memory of its runs.
constexpr const char* kWide = R"(byte a; byte b; byte c; byte d;
process P { state s; init s; trans
s -> s { guard a < 26; effect a = a + 1; }, s -> s { guard b < 26; effect b = b + 1; },
s -> s { guard c < 26; effect c = c + 1; }, s -> s { guard d < 26; effect d = d + 1; }; }
system async;
)";

std::vector<std::string> wide_run(const std::vector<std::string>& more) {
  std::vector<std::string> words = {"-q", "--engine", "explicit", "--ram", "8M", "m.dve"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::set<std::string> folders_in(const Place& folder) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path)) {
    if (entry.is_directory()) names.insert(entry.path().filename());
  }
  return names;
}

}  // namespace

TEST_CASE("the name tells model and question") {
  CHECK(name_for("dir/peterson.4.dve") == "peterson.4.xmc");
  CHECK(name_for("odd") == "odd.xmc");
  CHECK(name_for(".dve") == ".dve.xmc");
  CHECK(name_for("m.dve", {"--engine", "mono", "--reduce", "off", "--ram", "5M"}) == "m.xmc");
  CHECK(name_for("m.dve", {"--deadlock", "auto"}) == "m.xmc");
  CHECK(name_for("m.dve", {"--property", "p1"}) == "m-p1.xmc");
  CHECK(name_for("m.dve", {"--deadlock", "off"}) == "m-deadlock-off.xmc");
  CHECK(name_for("m.dve", {"--full"}) == "m-full.xmc");
  const std::string formula = name_for("m.dve", {"--ltl", "G (a -> F b)"});
  CHECK(formula.starts_with("m-ltl-"));
  CHECK(formula.size() == std::string("m-ltl-12345678.xmc").size());
  CHECK(name_for("m.dve", {"--ltl", "G (a -> F c)"}) != formula);
  CHECK(name_for("m.dve", {"--ltl", "G (a -> F b)", "--fairness", "weak"}) != formula);
  CHECK(name_for("m.pml", {"--define", "N=3"}) != name_for("m.pml", {"--define", "N=4"}));
  Options options;
  char model[] = "m.dve";
  char* const arguments[] = {model};
  REQUIRE(options.parse(arguments, true).ok());
  WorkName name;
  name.choose("m.dve", options);
  CHECK(std::string(name.numbered(2)) == "m+2.xmc");
}

TEST_CASE("a name fits a file system and a terminal") {
  const std::string longest = name_for(std::string(250, 'x') + ".dve", {"--full"});
  CHECK(longest.size() < 200);
  CHECK(longest != name_for(std::string(251, 'x') + ".dve", {"--full"}));
  CHECK(name_for("a\nb\x1b[31m.dve") == "a_b_[31m.xmc");
  // Cut between characters: what is left is UTF-8.
  std::string accents = "x";
  for (int i = 0; i < 120; ++i) accents += "\xc3\xa9";
  CHECK(name_for(accents).find("\xc3-") == std::string::npos);
}

TEST_CASE("a run in memory leaves no folder, and needs none that could be in its way") {
  const Place folder;
  folder.write("m.dve", kWide);
  fs::create_directory(folder / "m.xmc");
  folder.write("m.xmc/mine", "data");
  CHECK(folder.run({"-q", "--engine", "ram", "--ram", "64M", "m.dve"}).exit == 1);
  // Where files may become necessary it is refused before the search, not behind it.
  CHECK(folder.run({"-q", "--ram", "64M", "m.dve"}).exit == 64);
  fs::remove_all(folder / "m.xmc");
  const pid_t pid = folder.start([&] {
    return Place::call({"-q", "--engine", "explicit", "--ram", "64M", "m.dve"});
  });
  bool seen = false;
  siginfo_t ended = {};
  while (ended.si_pid != pid) {
    seen = seen || fs::exists(folder / "m.xmc");
    usleep(500);
    REQUIRE(waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOHANG | WNOWAIT) == 0);
  }
  CHECK(folder.finish(pid).exit == 1);
  CHECK_FALSE(seen);
}

TEST_CASE("checks of one model side by side all have an answer") {
  const Place folder;
  folder.write("m.dve", kWide);
  std::vector<pid_t> runs;
  for (int i = 0; i < 6; ++i) {
    runs.push_back(folder.start([&] { return Place::call(wide_run({"--deadlock", "off"})); }));
  }
  for (const pid_t pid : runs) {
    const Done done = folder.finish(pid);
    CAPTURE(done.err);
    CHECK(done.exit == 0);
  }
  CHECK(folders_in(folder).empty());
}

TEST_CASE("a stopped run is in the way of its own question only") {
  const Place folder;
  folder.write("m.dve", kWide);
  const std::vector<std::string> asked = {"--reach", "a==25 && b==27", "--reduce", "off"};
  std::vector<std::string> stopped = asked;
  stopped.insert(stopped.end(), {"--states", "100000"});
  const Done done = folder.run(wide_run(stopped));
  CHECK(done.exit == 75);
  REQUIRE(folders_in(folder).size() == 1);
  const std::string work = *folders_in(folder).begin();
  CHECK(work.starts_with("m-reach-"));
  CHECK(done.out.find("xmc-lite resume " + work) != std::string::npos);
  const Done again = folder.run(wide_run(asked));
  CHECK(again.exit == 64);
  CHECK(again.err.find("xmc-lite resume " + work) != std::string::npos);
  CHECK(folder.run(wide_run({"--deadlock", "off"})).exit == 0);
  CHECK(folder.run(wide_run({})).exit == 1);
  CHECK(folder.run({"resume", "-q", work}).exit == 0);
  CHECK(folders_in(folder).empty());
}

TEST_CASE("a directory that was named and is in use is no mistake of the command line") {
  const Place folder;
  folder.write("m.dve", child::kEndless);
  const pid_t pid = folder.start([&] {
    return Place::call({"-q", "--work", "w", "--engine", "mono", "--ram", "8M", "m.dve"});
  });
  while (!fs::exists(folder / "w/model.text")) usleep(1000);
  for (const char* command : {"check", "plan"}) {
    const Done done = folder.run({command, "--work", "w", "--engine", "mono", "m.dve"});
    CHECK(done.exit == 74);
    CHECK(done.err.find("w is in use: held by pid ") != std::string::npos);
  }
  for (const char* command : {"resume", "fsck", "clean"}) {
    CAPTURE(command);
    CHECK(folder.run({command, "w"}).exit == 74);
  }
  kill(pid, SIGKILL);
  folder.finish(pid);
}

}  // namespace work_name_test
