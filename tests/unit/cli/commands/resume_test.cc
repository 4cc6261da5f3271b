// resume, status and fsck as a user meets them. Random kills are in tests/tree/kill.py.
#include <algorithm>

#include "child.h"
#include "cli/run/budget.h"
#include "engine_lists.h"
#include "platform/memory.h"
#include "xmc/hash.h"
#include "xmc/limits.h"

using namespace xmc;

namespace resume_test {

using child::Done;
using child::Place;
namespace fs = std::filesystem;

namespace {

// Ten thousand states on 37 levels; the sum of all is 36 in the last.
constexpr const char* kGrid =
    "byte a; byte b; byte c; byte d;\n"
    "process P { state s; init s; trans s -> s { guard a < 9; effect a = a + 1; },\n"
    "s -> s { guard b < 9; effect b = b + 1; }, s -> s { guard c < 9; effect c = c + 1; },\n"
    "s -> s { guard d < 9; effect d = d + 1; }; }\nsystem async;\n";

nlohmann::json figures(const nlohmann::json& result) {
  const nlohmann::json& stats = result["stats"];
  return {result["verdict"],    result["exit"],  result["complete"], stats["states"],
          stats["transitions"], stats["levels"], stats["deadlocks"]};
}

// The root with a digit of this line changed, and the right checksum.
std::string with_other_value(std::string root, const char* line) {
  const std::size_t at = root.find(line) + std::string(line).size();
  root[at] = root[at] == '1' ? '2' : '1';
  root.resize(root.find("checksum "));
  const u64 sum = hash_bytes({reinterpret_cast<const u8*>(root.data()), root.size()}, 0);
  char text[40];
  std::snprintf(text, sizeof text, "checksum %016llx\n", static_cast<unsigned long long>(sum));
  return root + text;
}

struct Grid : Place {
  Grid() { write("m.dve", kGrid); }

  nlohmann::json undisturbed(std::vector<std::string> options) const {
    options.insert(options.end(), {"-q", "--json", "whole.json", "--work", "whole", "m.dve"});
    run(options);
    return child::read_json(path / "whole.json");
  }
};

}  // namespace

TEST_CASE("a run that a limit stopped goes on to the same figures") {
  const Grid folder;
  const nlohmann::json whole = folder.undisturbed({"--deadlock", "off"});
  CHECK(whole["exit"] == 0);
  const std::vector<std::vector<std::string>> limits = {{"--states", "1"},
                                                        {"--states", "4000"},
                                                        {"--depth", "0"},
                                                        {"--depth", "17"},
                                                        {"--depth", "35"}};
  for (const std::vector<std::string>& limit : limits) {
    CAPTURE(limit[0] + limit[1]);
    std::vector<std::string> words = {"--work", "m.xmc",  "--deadlock", "off",
                                      "--json", "o.json", "m.dve"};
    words.insert(words.end(), limit.begin(), limit.end());
    Done done = folder.run(words);
    CHECK(done.exit == 75);
    CHECK(done.out.find("to continue: xmc-lite resume m.xmc\n") != std::string::npos);
    nlohmann::json result = child::read_json(folder / "o.json");
    CHECK(result["exit"] == 75);
    CHECK(result["verdict"] == "undecided");
    CHECK(result["stats"]["checkpoints"] == 1);
    CHECK(result["stats"]["resumes"] == 0);
    const u64 written = result["stats"]["bytes_written"];
    CHECK(folder.run({"--work", "m.xmc", "m.dve"}).exit == 64);  // it holds a run

    done = folder.run({"resume", "m.xmc", "--json", "o.json"});
    CHECK(done.exit == 0);
    CHECK(done.err.starts_with("resume    m.xmc: checkpoint 1 (level "));
    result = child::read_json(folder / "o.json");
    CHECK(figures(result) == figures(whole));
    CHECK(result["options"]["deadlock"] == "off");
    CHECK(result["model"]["file"] == "m.dve");
    CHECK(result["stats"]["checkpoints"] == 1);
    CHECK(result["stats"]["resumes"] == 1);
    CHECK(result["stats"]["bytes_written"] >= written);
    for (const char* way : {"read", "written"}) {
      u64 sum = 0;
      for (const auto& flow : result["stats"]["bytes_by_purpose"]) sum += flow[way].get<u64>();
      CHECK(result["stats"][std::string("bytes_") + way] == sum);
    }
    CHECK(result["stats"]["search_us"].get<u64>() > 0);
    CHECK_FALSE(fs::exists(folder / "m.xmc"));
  }
}

TEST_CASE("limits of space stop every engine with files, which goes on to the same figures") {
  const Place folder;
  std::string grid = kGrid;
  for (std::size_t at = 0; (at = grid.find("< 9", at)) != std::string::npos;) {
    grid.replace(at, 3, "< 19");
  }
  folder.write("m.dve", grid);
  const std::vector<std::vector<std::string>> limits = {
      {"--disk-limit", "100K", "disk-limit", "1T"},
      {"--wear-limit", "100K", "wear-limit", "1T"},
      {"--disk-reserve", "1000T", "disk-reserve", "0"}};
  // Those that need files for so many states.
  for (const std::string& engine : xmc_test::safety_engines_but(
           {"ram", "cached", "diagram", "live", "symbolic", "explicit", "auto"})) {
    for (const std::vector<std::string>& limit : limits) {
      CAPTURE(engine);
      CAPTURE(limit[0]);
      Done done = folder.run({"--deadlock", "off", "--work", "m.xmc", "--engine", engine, limit[0],
                              limit[1], "--json", "o.json", "-v", "m.dve"});
      CHECK(done.exit == 75);
      // Lines of levels, which part has none of.
      CHECK((done.err.find(" disk ") < done.err.find(" written ")) == (engine != "part"));
      const nlohmann::json stopped = child::read_json(folder / "o.json");
      CHECK(stopped["verdict"] == "undecided");
      CHECK(stopped["reason"] == limit[2]);
      CHECK(stopped["stats"]["checkpoints"] == 1);
      CHECK(folder.run({"status", "m.xmc"}).out.starts_with("stopped   " + limit[2]));
      // It is kept, until another one is given.
      if (limit[2] == "wear-limit") {
        done = folder.run({"resume", "m.xmc"});
        CHECK(done.exit == 75);
        CHECK(done.err.find("give a larger --wear-limit") != std::string::npos);
        const nlohmann::json again = child::read_json(folder / "o.json");
        CHECK(again["reason"] == "wear-limit");
        CHECK(again["exit"] == 75);
      }
      done = folder.run({"resume", "m.xmc", "-q", "--json", "o.json", limit[0], limit[3]});
      CHECK(done.exit == 0);
      const nlohmann::json result = child::read_json(folder / "o.json");
      CHECK(result["stats"]["states"] == 160'000);
      CHECK(result["stats"]["transitions"] == 4 * 19 * 20 * 20 * 20);
    }
  }
}

TEST_CASE("limits may be given anew, step by step, and totals grow") {
  const Grid folder;
  const nlohmann::json whole = folder.undisturbed({"--full", "--invariant", "a + b + c + d < 36"});
  CHECK(whole["exit"] == 1);
  Done done = folder.run({"--work", "m.xmc", "--full", "--invariant", "a + b + c + d < 36",
                          "--depth", "5", "-q", "--json", "o.json", "--ram", "16M", "m.dve"});
  double wall = 0;
  for (u32 round = 1; round < 40 && done.exit == 75; ++round) {
    const nlohmann::json result = child::read_json(folder / "o.json");
    CHECK(result["stats"]["resumes"] == round - 1);
    // What a run did after its last commit is not in the totals of the next one.
    CHECK(result["stats"]["wall_s"] >= wall - 0.5);
    CHECK(result["options"]["ram"] == 16 << 20);
    wall = result["stats"]["wall_s"];
    done = folder.run({"resume", "m.xmc", "-q", "--depth", std::to_string(5 + round), "--json",
                       "o.json", "--keep", "--trace", "a.txt"});
  }
  CHECK(done.exit == 1);
  const nlohmann::json result = child::read_json(folder / "o.json");
  CHECK(figures(result) == figures(whole));
  CHECK(result["trace"] == whole["trace"]);
  CHECK(result["stats"]["resumes"] > 2);
  CHECK(fs::exists(folder / "a.txt"));
  // Kept, decided, and so free for the next run.
  CHECK(folder.run({"status", "m.xmc"}).out.starts_with("ended     violated; checkpoint "));
  CHECK(folder.run({"trace", "m.xmc"}).exit == 0);
  CHECK(folder.run({"m.dve", "-q"}).exit == 1);
}

TEST_CASE("limits and outputs are kept, wherever resume is called from") {
  const Grid folder;
  fs::create_directory(folder / "elsewhere");
  const std::vector<std::string> words = {
      "--deadlock", "off",          "--engine", "mono",    "--ram",
      "16M",        "--levels",     "l.csv",    "--trace", "a.txt",
      "--trace",    "b.steps",      "--json",   "o.json",  "--time",
      "1h",         "--work",       "w",        "--every", "7s",
      "-v",         "--checkpoint", "level",    "--reach", "a + b + c + d == 30",
      "m.dve"};
  REQUIRE(folder.run(words).exit == 1);
  const std::string levels = child::read_whole(folder / "l.csv");
  const std::string trace = child::read_whole(folder / "b.steps");
  const nlohmann::json whole = child::read_json(folder / "o.json");
  for (const char* name : {"l.csv", "a.txt", "b.steps"}) fs::remove(folder / name);

  std::vector<std::string> stopped = words;
  stopped.insert(stopped.end(), {"--states", "3000"});
  REQUIRE(folder.run(stopped).exit == 75);
  CHECK(child::read_json(folder / "o.json")["exit"] == 75);
  REQUIRE(folder.run({"resume", "w", "--states", "6000"}).exit == 75);
  // As on another machine, where there is no such place.
  fs::create_directory(folder / "gone");
  REQUIRE(folder.run({"resume", "w", "--json", "gone/o.json", "--states", "6001"}).exit == 75);
  fs::remove_all(folder / "gone");
  const Done lost = folder.run({"resume", "w"});
  CHECK(lost.exit == 74);
  CHECK(lost.err.find("outputs are kept with the run, and may be given anew") != std::string::npos);
  REQUIRE(folder.run({"resume", "w", "--json", "o.json", "--states", "6002"}).exit == 75);
  const pid_t pid = folder.start([&] {
    return chdir("elsewhere") == 0 ? Place::call({"resume", "../w", "--wear-limit", "1G"}) : 98;
  });
  REQUIRE(folder.finish(pid).exit == 1);
  CHECK(fs::is_empty(folder / "elsewhere"));
  const nlohmann::json result = child::read_json(folder / "o.json");
  CHECK(figures(result) == figures(whole));
  for (const char* name : {"ram", "time", "every", "verbose", "checkpoint", "reach", "engine"}) {
    CHECK(result["options"][name] == whole["options"][name]);
  }
  CHECK(result["options"]["wear-limit"] == 1 << 30);
  CHECK(result["options"]["states"].is_null());
  CHECK(child::read_whole(folder / "b.steps") == trace);
  CHECK(fs::exists(folder / "a.txt"));
  const auto without_seconds = [](const std::string& text) {
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      out += line.substr(0, line.rfind(',')) + "\n";
    return out;
  };
  CHECK(without_seconds(child::read_whole(folder / "l.csv")) == without_seconds(levels));
}

TEST_CASE("every checkpoint has its rows of levels on the disk") {
  const Grid folder;
  // Killed in the middle: what is there is at least what the checkpoint covers.
  const pid_t pid = folder.start([&] {
    return Place::call({"--deadlock", "off", "--engine", "mono", "--levels", "l.csv",
                        "--checkpoint", "level", "--work", "w", "m.dve"});
  });
  while (!fs::exists(folder / "w/root.1")) usleep(200);
  kill(pid, SIGKILL);
  folder.finish(pid);
  if (!fs::exists(folder / "w")) return;  // too fast for this machine
  const std::string text = child::read_whole(folder / "l.csv");
  const auto rows = static_cast<u64>(std::count(text.begin(), text.end(), '\n')) - 1;
  const Done done = folder.run({"status", "w", "--json", "-"});
  const u64 level = nlohmann::json::parse(done.out, nullptr, false)["checkpoint"]["level"];
  CHECK(rows >= level);
  REQUIRE(folder.run({"resume", "w"}).exit == 0);
  const std::string after = child::read_whole(folder / "l.csv");
  CHECK(std::count(after.begin(), after.end(), '\n') == 38);
}

TEST_CASE("before its first checkpoint a run begins again from its directory") {
  const Grid folder;
  const nlohmann::json whole = folder.undisturbed({"--deadlock", "off"});
  REQUIRE(folder
              .run({"--deadlock", "off", "--engine", "ram", "--ram", "20M", "--states", "100",
                    "--json", "o.json", "--work", "w", "m.dve"})
              .exit == 2);
  // As a kill would leave it, and the model is gone.
  fs::remove(folder / "w/ended");
  folder.write("w/queue", "half of something");
  fs::remove(folder / "m.dve");
  Done done = folder.run({"status", "w"});
  CHECK(done.exit == 0);
  CHECK(done.out.starts_with("interrupted  there is no checkpoint\nmodel     m.dve (hash "));
  CHECK(done.out.find("\nengine    ram; RAM 20.0 MiB\nbegun     ") != std::string::npos);
  const std::string marker = child::read_whole(folder / "w/xmc-lite.run");
  // Refused for another reason: nothing changes.
  CHECK(folder.run({"resume", "w", "--json", "missing/o"}).exit == 74);
  CHECK(fs::exists(folder / "w/queue"));
  done = folder.run({"resume", "w"});
  CHECK(done.exit == 0);
  CHECK(done.err.starts_with("note      w holds no checkpoint yet: the run begins again\n"));
  const nlohmann::json result = child::read_json(folder / "o.json");
  CHECK(figures(result) == figures(whole));
  CHECK(result["stats"]["engine"] == "ram");
  CHECK(result["options"]["ram"] == 20 << 20);
  CHECK(result["options"]["deadlock"] == "off");
  CHECK(result["model"]["file"] == "m.dve");
  CHECK_FALSE(fs::exists(folder / "w"));

  // What is damaged or not whole is told.
  fs::create_directory(folder / "w");
  folder.write("w/xmc-lite.run", marker);
  CHECK(folder.run({"resume", "w"}).exit == 64);
  folder.write("w/model.text", "process P");
  CHECK(folder.run({"resume", "w"}).exit == 74);
  CHECK(child::read_whole(folder / "w/model.text") == "process P");
}

TEST_CASE("a new --ram is kept, also when the run is ended while it restores") {
  const Grid folder;
  folder.write("m.dve", child::kEndless);
  REQUIRE(folder.run({"--states", "400000", "--ram", "16M", "--work", "w", "-q", "m.dve"}).exit ==
          75);
  const auto kept = [&] { return child::read_whole(folder / "w/xmc-lite.options"); };
  CHECK(kept().find("option ram 16M\n") != std::string::npos);
  const pid_t pid = folder.start([&] { return Place::call({"resume", "w", "--ram", "24M"}); });
  while (kept().find("24M") == std::string::npos) usleep(200);
  kill(pid, SIGKILL);
  folder.finish(pid);
  Done done = folder.run({"resume", "w", "--states", "400001", "--json", "o.json"});
  CHECK(done.exit == 75);
  CHECK(child::read_json(folder / "o.json")["options"]["ram"] == 24 << 20);

  // The file is checked like all others.
  const std::string good = kept();
  std::string bad = good;
  bad[bad.find("24M")] = '1';
  folder.write("w/xmc-lite.options", bad);
  done = folder.run({"resume", "w"});
  CHECK(done.exit == 74);
  CHECK(done.err.find("w/xmc-lite.options, which has the limits and outputs") != std::string::npos);
  CHECK(folder.run({"fsck", "w"}).exit == 74);
  // That of another run is none of this one.
  REQUIRE(folder.run({"--states", "4000", "--full", "--work", "v", "-q", "m.dve"}).exit == 75);
  fs::copy_file(folder / "v/xmc-lite.options", folder / "w/xmc-lite.options",
                fs::copy_options::overwrite_existing);
  CHECK(folder.run({"resume", "w"}).exit == 74);
  CHECK(folder.run({"fsck", "w"}).exit == 74);
  folder.write("w/xmc-lite.options", good);
  CHECK(folder.run({"fsck", "w"}).exit == 0);
  fs::remove(folder / "w/xmc-lite.options");
  CHECK(folder.run({"resume", "w", "--states", "400002"}).exit == 75);
}

TEST_CASE("a signal stops with a checkpoint, status tells") {
  const Grid folder;
  folder.write("m.dve", child::kEndless);
  const pid_t pid = folder.start([&] {
    return Place::call({"--ram", "64M", "--engine", "explicit", "--json", "o.json", "--checkpoint",
                        "level", "m.dve"});
  });
  while (!fs::exists(folder / "m.xmc/root.0")) usleep(1000);
  // In a folder of its own, because the files of the streams have one name.
  Done other;
  {
    const Place elsewhere;
    const std::string work = folder / "m.xmc";
    other = elsewhere.run({"status", work, "--json", "s.json"});
    CHECK(other.exit == 0);
    CHECK(other.out.starts_with("running   pid " + std::to_string(pid) + "; checkpoint "));
    const nlohmann::json status = child::read_json(elsewhere / "s.json");
    CHECK(status["running"] == true);
    CHECK(status["pid"] == pid);
    CHECK(status["verdict"] == "undecided");
    CHECK(elsewhere.run({"resume", work}).exit == 74);
    CHECK(elsewhere.run({"fsck", work}).exit == 74);
    CHECK(elsewhere.run({"clean", work}).exit == 74);
  }
  kill(pid, SIGTERM);
  Done done = folder.finish(pid);
  CHECK(done.exit == 75);
  CHECK(child::read_json(folder / "o.json")["reason"] == "signal");
  done = folder.run({"status", "m.xmc", "--json", "-"});
  const nlohmann::json status = nlohmann::json::parse(done.out, nullptr, false);
  CHECK(status["state"] == "stopped");
  CHECK(status["reason"] == "signal");
  CHECK(status["stats"]["engine"] == "explicit");
  CHECK(status["checkpoint"]["sequence"] >= 2);
  CHECK(status["age_s"] < 60);
  CHECK(folder.run({"status", "m.xmc"}).out.find("\nas of     ") != std::string::npos);
  CHECK(folder.run({"fsck", "m.xmc"}).exit == 0);
  done = folder.run({"resume", "m.xmc", "--states", "300000", "-q"});
  CHECK(done.exit == 75);
  CHECK(folder.run({"clean", "m.xmc"}).exit == 0);
  CHECK_FALSE(fs::exists(folder / "m.xmc"));
}

TEST_CASE("what cannot be resumed, and why") {
  const Grid folder;
  CHECK(folder.run({"resume", "missing"}).exit == 64);
  fs::create_directory(folder / "empty");
  Done done = folder.run({"resume", "empty"});
  CHECK(done.exit == 64);
  CHECK(done.err.find("holds no checkpoint") != std::string::npos);
  CHECK(done.err.find("xmc-lite check --work empty MODEL") != std::string::npos);
  CHECK(fs::exists(folder / "empty"));
  CHECK(folder.run({"resume"}).exit == 64);
  CHECK(folder.run({"resume", "empty", "--full"}).exit == 64);
  CHECK(folder.run({"resume", "empty", "--engine", "ram"}).exit == 64);
  CHECK(folder.run({"status", "missing"}).exit == 64);
  CHECK(folder.run({"fsck", folder.models}).exit == 64);

  REQUIRE(folder
              .run({"--work", "m.xmc", "--states", "4000", "--checkpoint", "level", "m.dve",
                    "--deadlock", "off"})
              .exit == 75);
  const auto refused = [&](int status, const char* words) {
    const Done got = folder.run({"resume", "m.xmc", "-q"});
    CHECK(got.exit == status);
    CHECK(got.err.find(words) != std::string::npos);
    CHECK(fs::exists(folder / "m.xmc/queue"));  // nothing is taken away
  };
  const std::string model = child::read_whole(folder / "m.xmc/model.text");
  folder.write("m.xmc/model.text", model + " ");
  refused(74, "the model text in m.xmc is damaged");
  CHECK(folder.run({"fsck", "m.xmc"}).exit == 74);
  folder.write("m.xmc/model.text", model);
  const std::string marker = child::read_whole(folder / "m.xmc/xmc-lite.run");
  folder.write("m.xmc/xmc-lite.run", marker.substr(0, marker.size() - 1));
  refused(74, "the marker of the work directory is damaged");
  folder.write("m.xmc/xmc-lite.run", marker);
  // States of another lowering of the same text, and options of another run.
  for (const char* line : {"run.program ", "run.marker "}) {
    std::vector<std::string> roots;
    for (const char* name : {"m.xmc/root.0", "m.xmc/root.1"}) {
      roots.push_back(child::read_whole(folder / name));
      folder.write(name, with_other_value(roots.back(), line));
    }
    refused(line[4] == 'p' ? 64 : 74, line[4] == 'p'
                                          ? "packs the states of this model in another way"
                                          : "is not that of its options");
    folder.write("m.xmc/root.0", roots[0]);
    folder.write("m.xmc/root.1", roots[1]);
  }
  CHECK(folder.run({"resume", "m.xmc", "-q", "--keep"}).exit == 0);
  folder.write("m.xmc/root.0", "x");
  folder.write("m.xmc/root.1", "x");
  refused(74, "no checkpoint is sound");
  CHECK(folder.run({"status", "m.xmc"}).exit == 74);
  done = folder.run({"fsck", "m.xmc"});
  CHECK(done.exit == 74);
  CHECK(done.out.find("cannot be resumed") != std::string::npos);
}

TEST_CASE("a checker goes on with its own model, and with no other") {
  const Grid folder;
  const std::string text = child::read_whole(folder / "m.dve");
  NativeModel native = {};
  native.file = "inside.dve";
  native.language = "dve";
  native.text = text.c_str();
  native.text_bytes = static_cast<u32>(text.size());
  REQUIRE(folder.run({"--states", "4000"}, &native).exit == 75);
  REQUIRE(folder.run({"--states", "4000", "m.dve", "--work", "tool"}).exit == 75);
  const std::string other_text = text + "\n";
  NativeModel other = native;
  other.text = other_text.c_str();
  other.text_bytes = static_cast<u32>(other_text.size());
  const Done done = folder.run({"resume", "inside.xmc"}, &other);
  CHECK(done.exit == 64);
  CHECK(done.err.find("holds the work of another model, inside.dve") != std::string::npos);
  CHECK(folder.run({"resume", "inside.xmc", "--states", "5000"}, &native).exit == 75);
  CHECK(folder.run({"resume", "inside.xmc"}).exit == 1);     // by the tool
  CHECK(folder.run({"resume", "tool"}, &native).exit == 1);  // and the other way round
}

TEST_CASE("more RAM may be given; too little is 2, and the checkpoint stays") {
  const Grid folder;
  folder.write("m.dve", child::kEndless);
  const u64 least = std::max(limits::kRamMinimum, image_bytes() + kMarginBytes + (u64{3} << 20));
  Done done = folder.run({"--ram", "64M", "--states", "2000000", "-q", "m.dve"});
  REQUIRE(done.exit == 75);
  done = folder.run({"resume", "m.xmc", "--ram", std::to_string(least), "--json", "o.json", "-q",
                     "--time", "1s"});
  CHECK((done.exit == 2 || done.exit == 75));
  CHECK(child::read_json(folder / "o.json")["stats"]["ram_limit"] == least);
  done = folder.run(
      {"resume", "m.xmc", "--ram", "48M", "--json", "o.json", "-q", "--states", "2100000"});
  CHECK(done.exit == 75);
  done = folder.run({"resume", "m.xmc", "--json", "o.json", "-q", "--states", "2200000"});
  CHECK(done.exit == 75);
  CHECK(child::read_json(folder / "o.json")["stats"]["ram_limit"] == 48 << 20);
}

TEST_CASE("off leaves a checkpoint only at the stop, level one for each") {
  const Grid folder;
  const auto checkpoints = [&](const char* when) {
    folder.run({"--checkpoint", when, "--depth", "9", "--json", "o.json", "m.dve", "-q"});
    const u64 count = child::read_json(folder / "o.json")["stats"]["checkpoints"];
    fs::remove_all(folder / "m.xmc");
    return count;
  };
  CHECK(checkpoints("off") == 1);
  CHECK(checkpoints("auto") == 1);
  CHECK(checkpoints("1h") == 1);
  CHECK(checkpoints("level") >= 9);
  CHECK(folder.run({"--checkpoint", "sometimes", "m.dve"}).exit == 64);
  CHECK(folder.run({"--checkpoint", "DUR", "m.dve"}).exit == 64);
  CHECK(folder.run({"--checkpoint", "0s", "m.dve"}).exit == 64);
}

}  // namespace resume_test
