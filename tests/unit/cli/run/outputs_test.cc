// What --json, --trace, --levels and -o may and may not write.
#include "cli/run/output/outputs.h"

#include <sys/stat.h>

#include "child.h"

using namespace xmc;

namespace outputs_test {

using child::Done;
using child::Place;
namespace fs = std::filesystem;

namespace {

struct Desk : Place {
  std::string text = child::read_whole(models + "philosophers4.dve");
  Desk() { write("m.dve", text); }

  bool model_is_whole() const { return child::read_whole(path / "m.dve") == text; }
  // Names that a file beside its target could have left.
  u32 files_beside() const {
    u32 count = 0;
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().string().find(".new") != std::string::npos) ++count;
    }
    return count;
  }
};

}  // namespace

TEST_CASE("a forgotten FILE does not cost the model") {
  const Desk folder;
  for (const char* option : {"--json", "--levels", "--trace", "--work"}) {
    CAPTURE(option);
    const Done done = folder.run({option, "m.dve"});
    CHECK(done.exit == 64);
    CHECK(done.err.find("check needs a MODEL, and 'm.dve' was taken for the ") !=
          std::string::npos);
    CHECK(done.err.find(option) != std::string::npos);
    CHECK(folder.model_is_whole());
  }
  for (const char* command : {"info", "plan"}) {
    CHECK(folder.run({command, "--json", "m.dve"}).exit == 64);
    CHECK(folder.model_is_whole());
  }
  CHECK(folder.run({"emit", "-o", "m.dve"}).exit == 64);
  // Whatever it is called, and however the line is wrong.
  folder.write("model.txt", folder.text);
  CHECK(folder.run({"--lang", "dve", "--json", "model.txt"}).exit == 64);
  CHECK(folder.run({"--json", "model.txt", "--bogus"}).exit == 64);
  CHECK(child::read_whole(folder / "model.txt") == folder.text);
  // An earlier result is replaced even then.
  folder.write("o.json", "{\"schema\":1}");
  CHECK(folder.run({"--json", "o.json", "--bogus"}).exit == 64);
  CHECK(child::read_json(folder / "o.json")["exit"] == 64);
}

TEST_CASE("an output is no input and no other output") {
  const Desk folder;
  fs::create_symlink("m.dve", folder / "link.json");
  fs::create_hard_link(folder / "m.dve", folder / "hard.csv");
  folder.write("args", "--full\n");
  folder.write("other.dve", folder.text);
  const std::vector<std::vector<std::string>> wrong = {
      {"--json", "m.dve", "m.dve"},
      {"--levels", "m.dve", "m.dve"},
      {"--levels", "./m.dve", "m.dve"},
      {"--json", "link.json", "m.dve"},
      {"--levels", "hard.csv", "m.dve"},
      {"--json", "other.dve", "m.dve"},
      {"--json", "args", "@args", "m.dve"},
      {"--json", "a", "--levels", "a", "m.dve"},
      {"--json", "a", "--levels", "./a", "m.dve"},
      {"--trace", "a.txt", "--trace", "a.txt", "m.dve"},
      {"--levels", "a.txt", "--trace", "a.txt", "m.dve"},
      {"--lang", "dve", "--json", "m.dve", "m.dve"},
      {"info", "--json", "m.dve", "m.dve"},
      {"plan", "--json", "m.dve", "m.dve"},
      {"emit", "-o", "m.dve", "m.dve"}};
  for (const std::vector<std::string>& words : wrong) {
    CAPTURE(words[0] + words[1]);
    const Done done = folder.run(words);
    CHECK(done.exit == 64);
    CHECK(done.err.find("give ") != std::string::npos);
    CHECK(done.out == "");
    CHECK(folder.model_is_whole());
    CHECK(child::read_whole(folder / "args") == "--full\n");
    CHECK(child::read_whole(folder / "other.dve") == folder.text);
  }
  CHECK(folder.files_beside() == 0);
}

TEST_CASE("an output is no file of a work directory") {
  const Desk folder;
  REQUIRE(folder.run({"--keep", "--work", "w", "--engine", "mono", "m.dve"}).exit == 1);
  const std::string trace = child::read_whole(folder / "w/trace.steps");
  CHECK(folder.run({"trace", "w", "-o", "w/trace.steps"}).exit == 64);
  CHECK(folder.run({"trace", "w/trace.steps", "-o", "w/trace.steps"}).exit == 64);
  CHECK(folder.run({"trace", "w", "-o", "w/model.text"}).exit == 64);
  CHECK(folder.run({"status", "w", "--json", "w/xmc-lite.run"}).exit == 64);
  CHECK(child::read_whole(folder / "w/trace.steps") == trace);
  CHECK(child::read_whole(folder / "w/model.text") == folder.text);
  fs::create_directory(folder / "v");
  CHECK(folder.run({"--work", "v", "--levels", "v/queue", "m.dve"}).exit == 64);
  fs::create_directory(folder / "m.xmc");
  CHECK(folder.run({"--levels", "m.xmc/queue", "m.dve"}).exit == 64);
  CHECK(folder.run({"trace", "w", "--format", "dot", "-o", "w/ce.dot"}).exit == 0);
}

TEST_CASE("an output that cannot be written is refused before the search") {
  const Desk folder;
  fs::create_directory(folder / "folder.txt");
  const std::vector<std::vector<std::string>> wrong = {
      {"--json", "missing/o.json"}, {"--levels", "missing/l.csv"}, {"--trace", "missing/a.txt"},
      {"--trace", "folder.txt"},    {"--json", "folder.txt"},      {"--trace", "m.dve/a.txt"}};
  for (std::vector<std::string> words : wrong) {
    CAPTURE(words[0] + words[1]);
    words.push_back("m.dve");
    const Done done = folder.run(words);
    CHECK(done.exit == 74);
    CHECK(done.out == "");
    CHECK(done.err.find("plan ") == std::string::npos);
    CHECK_FALSE(fs::exists(folder / "m.xmc"));
  }
  const Done done = folder.run({"--json", "o.json", "--trace", "missing/a.txt", "m.dve"});
  CHECK(done.exit == 74);
  CHECK(child::read_json(folder / "o.json")["exit"] == 74);
}

TEST_CASE("what was there stays until the new text is complete") {
  const Desk folder;
  folder.write("o.json", "{\"earlier\":true}");
  folder.write("l.csv", "earlier");
  folder.write("real.txt", "earlier");
  fs::create_symlink("real.txt", folder / "a.txt");
  fs::permissions(folder / "o.json", fs::perms::owner_read | fs::perms::owner_write);
  folder.write("e.dve", child::kEndless);
  const pid_t pid = folder.start([&] {
    return Place::call({"--engine", "ram", "--ram", "64M", "--work", "e.xmc", "--json", "o.json",
                        "--trace", "a.txt", "e.dve"});
  });
  while (!fs::exists(folder / "e.xmc/model.text")) usleep(1000);
  usleep(50000);
  kill(pid, SIGKILL);
  folder.finish(pid);
  CHECK(child::read_json(folder / "o.json")["earlier"] == true);
  CHECK(child::read_whole(folder / "real.txt") == "earlier");
  CHECK(folder.files_beside() == 0);
  // A run that is refused begins no file of levels.
  CHECK(folder.run({"--levels", "l.csv", "--invariant", "nope > 1", "m.dve"}).exit == 65);
  CHECK(child::read_whole(folder / "l.csv") == "earlier");

  const Done done =
      folder.run({"--json", "o.json", "--trace", "a.txt", "--levels", "l.csv", "m.dve"});
  CHECK(done.exit == 1);
  CHECK(child::read_json(folder / "o.json")["exit"] == 1);
  struct stat info = {};
  REQUIRE(stat((folder / "o.json").c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
  CHECK(fs::is_symlink(folder / "a.txt"));
  CHECK(done.out.ends_with(child::read_whole(folder / "real.txt")));
  CHECK(child::read_whole(folder / "l.csv").starts_with("level,states,"));
  CHECK(folder.files_beside() == 0);
}

TEST_CASE("streams are written to as they are") {
  const Desk folder;
  CHECK(folder.run({"--json", "/dev/null", "--levels", "/dev/null", "m.dve"}).exit == 1);
  // Standard output is a file here.
  Done done = folder.run({"-q", "--json", "/dev/stdout", "m.dve"});
  CHECK(done.exit == 1);
  CHECK(done.out.starts_with("violated  "));
  CHECK(done.out.find("{\"schema\":1") != std::string::npos);
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const pid_t pid = folder.start([&] { return Place::call({"-q", "--json", "pipe", "m.dve"}); });
  usleep(100000);
  const nlohmann::json result = child::read_json(folder / "pipe");
  CHECK(folder.finish(pid).exit == 1);
  CHECK(result["exit"] == 1);
  CHECK(fs::is_fifo(folder / "pipe"));
  // Nobody reads it.
  const pid_t alone = folder.start([&] { return Place::call({"-q", "--json", "pipe", "m.dve"}); });
  usleep(200000);
  kill(alone, SIGTERM);
  CHECK(folder.finish(alone).exit == 74);
}

}  // namespace outputs_test
