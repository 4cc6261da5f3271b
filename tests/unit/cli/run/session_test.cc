// Whole runs of the tool: exit statuses, streams, the JSON result and the work directory.
#include "cli/run/session.h"

#include <sys/stat.h>

#include "child.h"
#include "cli/run/budget.h"
#include "platform/memory.h"
#include "xmc/check.h"

using namespace xmc;

namespace session_test {

using child::Done;
using child::Place;
namespace fs = std::filesystem;

TEST_CASE("holds") {
  const Place folder;
  const Done done = folder.run({"--json", "o.json", folder.models + "peterson3.dve"});
  CHECK(done.exit == 0);
  CHECK(done.out.starts_with("holds     no deadlock; search complete: "));
  CHECK(done.err.find("model     ") != std::string::npos);
  CHECK(done.err.find("property  no deadlock (default)\n") != std::string::npos);
  CHECK(done.err.find("plan      engine auto; RAM 32.0 MiB (33554432 bytes) = ") !=
        std::string::npos);
  const nlohmann::json result = child::read_json(folder / "o.json");
  REQUIRE(result.is_object());
  CHECK(result["verdict"] == "holds");
  CHECK(result["complete"] == true);
  CHECK(result["exit"] == 0);
  CHECK(result["trace"].is_null());
  CHECK(result["stats"]["engine"] == "auto");
  CHECK(result["stats"]["ram_limit"] == 33554432);
  CHECK(result["stats"]["peak_rss"] > 0);
  CHECK(result["options"]["ram"] == 33554432);
  CHECK_FALSE(fs::exists(folder / "peterson3.xmc"));
}

TEST_CASE("violated, with traces") {
  const Place folder;
  const Done done = folder.run({"--json", "o.json", "--trace", "a.txt", "--trace", "a.itf.json",
                                "--trace", "a.vcd", "--trace", "a.dot", "--keep", "--work", "w",
                                folder.models + "philosophers4.dve"});
  CHECK(done.exit == 1);
  CHECK(done.out.starts_with(
      "violated  deadlock; after 4 steps; shortest possible; replayed and confirmed\n"));
  const std::string text = child::read_whole(folder / "a.txt");
  CHECK(done.out.ends_with(text));
  CHECK(child::read_json(folder / "a.itf.json")["states"].size() == 5);
  CHECK(child::read_whole(folder / "a.vcd").ends_with("#5\n"));
  CHECK(child::read_whole(folder / "a.dot").starts_with("digraph"));
  const nlohmann::json result = child::read_json(folder / "o.json");
  REQUIRE(result.is_object());
  CHECK(result["verdict"] == "violated");
  CHECK(result["kind"] == "deadlock");
  CHECK(result["trace"] ==
        nlohmann::json({{"prefix", 4}, {"cycle", 0}, {"minimal", true}, {"replayed", true}}));
  CHECK(child::read_whole(folder / "w/model.text") ==
        child::read_whole(folder.models + "philosophers4.dve"));

  // The saved trace gives the same texts again.
  Done again = folder.run({"trace", "w"});
  CHECK(again.exit == 0);
  CHECK(again.out == text);
  again = folder.run({"trace", "w", "--format", "vcd", "-o", "b.vcd"});
  CHECK(again.exit == 0);
  CHECK(child::read_whole(folder / "a.vcd") == child::read_whole(folder / "b.vcd"));
  again =
      folder.run({"simulate", "--script", "w/trace.steps", folder.models + "philosophers4.dve"});
  CHECK(again.exit == 0);
  CHECK(again.out == text);
  CHECK(
      folder.run({"simulate", "--script", "w/trace.steps", folder.models + "peterson3.dve"}).exit ==
      64);
  folder.write("w/trace.steps", child::read_whole(folder / "w/trace.steps") + "x");
  fs::resize_file(folder / "w/trace.steps", fs::file_size(folder / "w/trace.steps") - 4);
  again = folder.run({"trace", "w"});
  CHECK(again.exit == 74);
  CHECK(again.out == "");
  CHECK(folder.run({"clean", "w"}).exit == 0);
  CHECK_FALSE(fs::exists(folder / "w"));
}

TEST_CASE("version says what this program is") {
  const Place folder;
  const Done done = folder.run({"version", "--json", "o.json"});
  CHECK(done.exit == 0);
  const nlohmann::json version = child::read_json(folder / "o.json");
  REQUIRE(version.is_object());
  CHECK(version["tool"]["commit"].get<std::string>().size() > 6);
  const std::string compiler = version["tool"]["compiler"];
  CHECK((compiler.starts_with("gcc ") || compiler.starts_with("clang ")));
  const std::vector<std::string> built = version["io"]["built"];
  REQUIRE(!built.empty());
  CHECK(built[0] == "posix");
  const std::string backend = version["io"]["backend"];
  CHECK(std::find(built.begin(), built.end(), backend) != built.end());
  CHECK(version["codecs"][0] == "own");
  for (const std::string& part : {"\ncommit    " + version["tool"]["commit"].get<std::string>(),
                                  "\ncompiler  " + compiler, "\nI/O       " + backend + " in use",
                                  std::string("\ncodecs    of the perfect hash: own")}) {
    CAPTURE(part);
    CHECK(done.out.find(part + (part.ends_with("use") ? ";" : "")) != std::string::npos);
  }
  // And so does the result of a check, when there are files.
  CHECK(folder.run({"-q", "--json", "o.json", folder.models + "peterson3.dve"}).exit == 0);
  nlohmann::json stats = child::read_json(folder / "o.json")["stats"];
  CHECK(stats["io_backend"] == backend);
  CHECK(stats["direct_io"].is_boolean());
  const Done plain =
      folder.run({"-q", "--engine", "ram", "--json", "o.json", folder.models + "peterson3.dve"});
  CHECK(plain.exit == 0);
  stats = child::read_json(folder / "o.json")["stats"];
  CHECK(stats["io_backend"].is_null());
  CHECK(stats["direct_io"].is_null());
}

TEST_CASE("quiet: the verdict and the trace, and nothing else") {
  const Place folder;
  const std::string model = folder.models + "philosophers4.dve";
  const Done done =
      folder.run({"-q", "--trace", "a.txt", "--threads", "2", "--engine", "local", model});
  CHECK(done.exit == 1);
  CHECK(done.out ==
        "violated  deadlock; after 4 steps; shortest possible; replayed and confirmed\n" +
            child::read_whole(folder / "a.txt"));
  CHECK(done.err == "");
  const Done holds = folder.run({"-q", "--full", folder.models + "peterson3.dve"});
  CHECK(holds.out ==
        "holds     no deadlock; search complete: 288 states, 651 transitions, 15 levels\n");
  CHECK(holds.err == "");
}

TEST_CASE("JSON on standard output is alone there") {
  const Place folder;
  const Done done = folder.run({"--json", "-", folder.models + "philosophers4.dve"});
  CHECK(done.exit == 1);
  CHECK(nlohmann::json::parse(done.out, nullptr, false)["verdict"] == "violated");
  CHECK(done.err.find("violated  deadlock") != std::string::npos);
  const Done info = folder.run({"info", "--json", "-", folder.models + "philosophers4.dve"});
  CHECK(info.exit == 0);
  CHECK(nlohmann::json::parse(info.out, nullptr, false)["processes"].size() == 4);
}

TEST_CASE("what is checked") {
  const Place folder;
  const auto kinds = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"-q", "--json", "o.json"});
    const Done done = folder.run(words);
    const nlohmann::json result = child::read_json(folder / "o.json");
    return std::to_string(done.exit) + " " + result["property"]["kind"].dump() + " " +
           result["kind"].dump();
  };
  const std::string model = folder.models + "philosophers4.dve";
  CHECK(kinds({model}) == "1 \"deadlock\" \"deadlock\"");
  CHECK(kinds({model, "--deadlock", "off"}) == "0 \"reachability\" null");
  CHECK(kinds({model, "--reach", "fork[0] == 1"}) == "1 \"reachability\" \"goal\"");
  CHECK(kinds({model, "--reach", "fork[0] == 7"}) == "0 \"reachability\" null");
  CHECK(kinds({model, "--invariant", "fork[0] < 2"}) == "0 \"invariant\" null");
  CHECK(kinds({model, "--invariant", "fork[0] < 1"}) == "1 \"invariant\" \"invariant\"");
  CHECK(kinds({model, "--invariant", "fork[0] < 2", "--deadlock", "stuck"}) ==
        "1 \"invariant\" \"deadlock\"");
  CHECK(kinds({folder.models + "assertion.dve"}) == "1 \"deadlock\" \"assertion\"");
  CHECK(kinds({folder.models + "lift_starves.dve"}) == "1 \"buchi\" \"accepting-cycle\"");
  CHECK(kinds({folder.models + "error_overflow.dve"}) == "1 \"deadlock\" \"model-error\"");
  CHECK(kinds({folder.models + "error_overflow.dve", "--errors", "stop"}) == "0 \"deadlock\" null");
  CHECK(kinds({folder.models + "lift_starves.dve", "--minimal"}) ==
        "1 \"buchi\" \"accepting-cycle\"");
  CHECK(kinds({folder.models + "lift_starves.dve", "--minimal", "--engine", "ram"}) ==
        "64 \"buchi\" null");
}

TEST_CASE("an engine that proves nothing shortest refuses --minimal, whatever is checked") {
  const Place folder;
  const std::string model = folder.models + "philosophers4.dve";
  const std::vector<std::vector<std::string>> properties = {{},
                                                            {"--full"},
                                                            {"--deadlock", "off"},
                                                            {"--reach", "fork[0] == 1"},
                                                            {"--invariant", "fork[0] < 1"}};
  for (const std::vector<std::string>& property : properties) {
    for (const std::string engine : {"part", "auto", "mono", "hddd"}) {
      std::vector<std::string> words = {"--minimal", "-q", "--engine", engine, model};
      words.insert(words.end(), property.begin(), property.end());
      const Done done = folder.run(words);
      CAPTURE(engine);
      CHECK((done.exit == 64) == (engine == "part"));
      if (engine == "part") CHECK(done.err.find("--minimal: engine 'part'") != std::string::npos);
    }
  }
}

TEST_CASE("limits leave the work directory, and the next run takes it over") {
  const Place folder;
  folder.write("m.dve", child::kEndless);
  // Without a checkpoint; resume_test.cc has the engines that leave one.
  Done done = folder.run(
      {"--engine", "ram", "--states", "1000", "--json", "o.json", "--work", "m.xmc", "m.dve"});
  CHECK(done.exit == 2);
  CHECK(done.out.starts_with("not decided: the limit of 1,000 states was reached"));
  CHECK(child::read_json(folder / "o.json")["reason"] == "states-limit");
  CHECK(fs::exists(folder / "m.xmc/xmc-lite.run"));
  CHECK_FALSE(fs::exists(folder / "m.xmc/lock"));
  done = folder.run(
      {"--engine", "ram", "--depth", "3", "--json", "o.json", "--work", "m.xmc", "m.dve"});
  CHECK(done.exit == 2);
  CHECK(child::read_json(folder / "o.json")["reason"] == "depth-limit");
  folder.write("m.xmc/root.0", "");
  CHECK(folder.run({"--depth", "3", "--work", "m.xmc", "m.dve"}).exit == 64);
  CHECK(folder.run({"clean", "m.xmc"}).exit == 0);
}

TEST_CASE("too little RAM") {
  const Place folder;
  folder.write("m.dve", child::kEndless);
  // The code of this program with a sanitizer in it is larger than the tool's.
  const u64 ram = std::max(limits::kRamMinimum, image_bytes() + kMarginBytes + (u64{3} << 20));
  Done done =
      folder.run({"--ram", std::to_string(ram), "--engine", "ram", "--json", "o.json", "m.dve"});
  CHECK(done.exit == 2);
  nlohmann::json result = child::read_json(folder / "o.json");
  CHECK(result["reason"] == "ram");
  CHECK(done.out.find("to get further: --ram ") != std::string::npos);

  // While planning: the text alone does not fit.
  fs::resize_file(folder / "m.dve", ram);
  done = folder.run({"--ram", std::to_string(ram), "--engine", "ram", "--json", "o.json", "m.dve"});
  CHECK(done.exit == 2);
  CHECK(done.err.starts_with("not decided: the RAM budget of "));
  CHECK(done.err.find("is too small: model text needs " + std::to_string(ram + 1) + " bytes, ") !=
        std::string::npos);
  result = child::read_json(folder / "o.json");
  REQUIRE(result.is_object());
  CHECK(result["verdict"] == "undecided");
  CHECK(result["reason"] == "ram");
  CHECK(result["exit"] == 2);

  // The amount that is named does for this step.
  const std::size_t at = done.err.find("at least --ram ");
  REQUIRE(at != std::string::npos);
  const std::string amount = done.err.substr(at + 15, done.err.find(' ', at + 15) - at - 15);
  done = folder.run({"--ram", amount, "--states", "1000", "--json", "o.json", "m.dve"});
  CHECK(done.err.find("model text needs") == std::string::npos);
}

TEST_CASE("signals") {
  const Place folder;
  folder.write("m.dve", child::kEndless);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    const pid_t pid = folder.start([&] {
      return Place::call({"--ram", "128M", "--engine", "ram", "--work", "m.xmc", "--json", "o.json",
                          "--time", "30s", "m.dve"});
    });
    while (!fs::exists(folder / "m.xmc/model.text")) usleep(1000);
    usleep(50000);
    kill(pid, SIGUSR1);
    usleep(50000);
    kill(pid, number);
    const Done done = folder.finish(pid);
    CHECK(done.exit == 2);
    CHECK(done.err.find("level ") != std::string::npos);
    CHECK(done.out.starts_with("not decided: stopped by signal " + std::to_string(number)));
    CHECK(child::read_json(folder / "o.json")["reason"] == "signal");
    fs::remove_all(folder / "m.xmc");
  }
}

TEST_CASE("a model in a pipe") {
  const Place folder;
  REQUIRE(mkfifo((folder / "m.dve").c_str(), 0600) == 0);
  // Nobody writes: a signal and the time limit are heard all the same.
  for (const int number : {SIGTERM, SIGINT}) {
    const pid_t pid = folder.start([&] { return Place::call({"--json", "o.json", "m.dve"}); });
    usleep(200000);
    kill(pid, number);
    siginfo_t ended = {};
    for (u32 tenths = 0; tenths < 100 && ended.si_pid != pid; ++tenths) {
      usleep(100000);
      waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOHANG | WNOWAIT);
    }
    if (ended.si_pid != pid) kill(pid, SIGKILL);
    const Done done = folder.finish(pid);
    CHECK(done.exit == 2);
    CHECK(done.err.find("stopped by signal " + std::to_string(number)) != std::string::npos);
    CHECK(child::read_json(folder / "o.json")["verdict"] == "undecided");
    fs::remove(folder / "o.json");
  }
  const Done late = folder.run({"--time", "1s", "m.dve"});
  CHECK(late.exit == 2);
  CHECK(late.err.find("the time limit was reached") != std::string::npos);

  // Somebody does, slowly, and more than one piece.
  std::string text = child::read_whole(folder.models + "philosophers4.dve");
  text.insert(0, "// " + std::string(200'000, 'x') + "\n");
  const pid_t reader = folder.start([&] { return Place::call({"-q", "m.dve"}); });
  usleep(100000);
  {
    std::ofstream writer(folder / "m.dve", std::ios::binary);
    writer << text.substr(0, 100) << std::flush;
    usleep(50000);
    writer << text.substr(100);
  }
  CHECK(folder.finish(reader).exit == 1);
}

TEST_CASE("a wrong command line, once --json was read, gives JSON as well") {
  const Place folder;
  Done done = folder.run({"--json", "o.json", "--bogus"});
  CHECK(done.exit == 64);
  CHECK(done.err == "xmc-lite: error: unknown option --bogus; see --help\n");
  nlohmann::json result = child::read_json(folder / "o.json");
  REQUIRE(result.is_object());
  CHECK(result["verdict"] == "undecided");
  CHECK(result["exit"] == 64);
  CHECK(result["message"] == "unknown option --bogus; see --help");
  CHECK(folder.run({"--bogus", "--json", "p.json"}).exit == 64);
  CHECK_FALSE(fs::exists(folder / "p.json"));
  CHECK(folder.run({}).exit == 64);
  CHECK(folder.run({"missing.dve"}).exit == 64);
  const Done unknown = folder.run({"m.x"});
  CHECK(unknown.exit == 64);
  CHECK(unknown.err.find(
            "the language of m.x is not known by its suffix (.dve, .m, .pml); say --lang "
            "dve|murphi|promela") != std::string::npos);
  CHECK(folder.run({"m.txt"}).exit == 64);
  CHECK(folder.run({"--engine", "nope", folder.models + "peterson3.dve"}).exit == 64);
  CHECK(folder.run({"--trace", "x.pdf", folder.models + "peterson3.dve"}).exit == 64);
}

TEST_CASE("a wrong model") {
  const Place folder;
  folder.write("m.dve", "process P { state s; init t; }\nsystem async;\n");
  const Done done = folder.run({"--json", "o.json", "m.dve"});
  CHECK(done.exit == 65);
  CHECK(done.err.find("m.dve:1:27: error") != std::string::npos);
  CHECK(child::read_json(folder / "o.json")["exit"] == 65);
  CHECK_FALSE(fs::exists(folder / "m.xmc"));
  CHECK(folder.run({"--invariant", "nope > 1", folder.models + "peterson3.dve"}).exit == 65);
}

TEST_CASE("output that cannot be written") {
  const Place folder;
  const std::string model = folder.models + "philosophers4.dve";
  CHECK(folder.run({"--json", "/dev/full", model}).exit == 74);
  const pid_t pid = folder.start([&] {
    dup2(open("/dev/full", O_WRONLY), 1);
    return Place::call({model});
  });
  CHECK(folder.finish(pid).exit == 74);
}

TEST_CASE("a failed check is exit 70, with JSON") {
  const Place folder;
  const pid_t pid = folder.start([] {
    static Session session(nullptr);
    install_failure_hook(session);
    char json[] = "--json=o.json";
    char model[] = "m.dve";
    char* words[] = {json, model};
    if (!session.options.parse(words, true).ok()) return 98;
    const int two = 2;
    XMC_CHECK(two == 3);
    return 97;
  });
  const Done done = folder.finish(pid);
  CHECK(done.exit == 70);
  CHECK(done.err.starts_with("xmc-lite: error: internal error: two == 3 at "));
  CHECK(child::read_json(folder / "o.json")["exit"] == 70);
}

TEST_CASE("rows of levels add up, also when the table is full inside a level") {
  const Place folder;
  // Half a million states, in as little memory as this program with its tests can have.
  std::string grid = "byte a; byte b; byte c; byte d;\nprocess P { state s; init s; trans\n";
  for (const char v : {'a', 'b', 'c', 'd'}) {
    grid += std::string("s -> s { guard ") + v + " < 26; effect " + v + " = " + v + " + 1; }";
    grid += v == 'd' ? "; }\nsystem async;\n" : ",\n";
  }
  folder.write("grid.dve", grid);
  const u64 ram = std::max(limits::kRamMinimum, image_bytes() + kMarginBytes + (u64{3} << 20));
  for (const std::string& model : {folder.models + "peterson3.dve", std::string("grid.dve")}) {
    CAPTURE(model);
    const Done done = folder.run({"--levels", "l.csv", "--json", "o.json", "--deadlock", "off",
                                  "--ram", std::to_string(ram), model});
    CHECK(done.exit == 0);
    std::istringstream rows(child::read_whole(folder / "l.csv"));
    std::string line;
    std::getline(rows, line);
    CHECK(line == "level,states,transitions,total_states,total_transitions,seconds");
    u64 levels = 0;
    u64 states = 0;
    u64 transitions = 0;
    while (std::getline(rows, line)) {
      unsigned long long level = 0;
      unsigned long long here = 0;
      unsigned long long edges = 0;
      REQUIRE(std::sscanf(line.c_str(), "%llu,%llu,%llu", &level, &here, &edges) == 3);
      CHECK(level == levels++);
      states += here;
      transitions += edges;
    }
    const nlohmann::json stats = child::read_json(folder / "o.json")["stats"];
    CHECK(stats["levels"] == levels);
    CHECK(stats["states"] == states);
    CHECK(stats["transitions"] == transitions);
  }
}

TEST_CASE("a run-time error says why") {
  const Place folder;
  folder.write("m.dve",
               "const int N = 2;\nbyte a[5];\nint i;\nprocess P { state s; init s;\n"
               "  trans s -> s { guard i < 5; effect i = i + 1; },\n"
               "        s -> s { guard i == 5\n          and a[i + N] == 0; }; }\nsystem async;\n");
  const std::string why = "index 7 of a[5]: a[i + N] with i=5 N=2";
  const Done done = folder.run({"--json", "o.json", "m.dve"});
  CHECK(done.exit == 1);
  CHECK(done.out.find("\n          m.dve:7: " + why + "\n") != std::string::npos);
  const std::string last = "\n    !  error         7  " + why + "\n";
  CHECK(done.out.ends_with(last));
  CHECK(child::read_json(folder / "o.json")["message"] == "m.dve:7: " + why);

  const Done walk = folder.run({"simulate", "m.dve"});
  CHECK(walk.exit == 0);
  CHECK(walk.out.ends_with(last));
  // The error state stands for it.
  const Done on = folder.run({"simulate", "--errors", "stop", "m.dve"});
  CHECK(on.out.find(last) != std::string::npos);
  CHECK(on.out.find("P=(error)") != std::string::npos);

  const Done predicate =
      folder.run({"--json", "o.json", "--invariant", "a[i + N - 1] == 0", "-q", "m.dve"});
  CHECK(predicate.exit == 1);
  CHECK(predicate.out.starts_with("violated  invariant has no value: a[i + N - 1] == 0; after 4"));
  CHECK(child::read_json(folder / "o.json")["message"] ==
        "index 5 of a[5]: a[i + N - 1] with i=4 N=2");
}

TEST_CASE("no line of a trace is wider than the terminal") {
  const Place folder;
  for (const char* name : {"philosophers6.dve", "lift_starves.dve", "ring_election.dve"}) {
    for (const char* style : {"diff", "full", "none"}) {
      const Done done =
          folder.run({"simulate", "--steps", "40", "--trace-style", style, folder.models + name});
      CHECK(done.exit == 0);
      std::istringstream lines(done.out);
      for (std::string line; std::getline(lines, line);) {
        CAPTURE(line);
        CHECK(line.size() <= 80);
      }
    }
  }
}

TEST_CASE("names of a trace are those of --invariant") {
  const Place folder;
  folder.write("m.dve",
               "process P { byte j; state s; init s; trans s -> s { guard j < 3; effect j = j + 1; "
               "}; }\nsystem async;\n");
  const Done done = folder.run({"--invariant", "P->j < 2", "m.dve"});
  CHECK(done.exit == 1);
  CHECK(done.out.find(" P->j=2\n") != std::string::npos);
  const Done dot = folder.run({"--invariant", "P.j < 2", "m.dve"});
  CHECK(dot.exit == 65);
  CHECK(dot.err.find("a variable of a process is written P->j") != std::string::npos);
  const Done arrow = folder.run({"--invariant", "P->s", "m.dve"});
  CHECK(arrow.exit == 65);
  CHECK(arrow.err.find("whether the process is in this state is written P.s") != std::string::npos);
  const Done equal = folder.run({"--invariant", "P == s", "m.dve"});
  CHECK(equal.exit == 65);
  CHECK(equal.err.find("is written P.STATE, its variables P->VARIABLE") != std::string::npos);
}

TEST_CASE("trace takes the format from the name, and a model") {
  const Place folder;
  const std::string model = folder.models + "philosophers4.dve";
  CHECK(folder.run({"--trace", "t.steps", "--trace", "t.dot", model}).exit == 1);
  Done done = folder.run({"trace", "t.steps", "-o", "x.dot"});
  CHECK(done.exit == 0);
  CHECK(done.err.starts_with("model     " + model + ": DVE, "));
  CHECK(child::read_whole(folder / "x.dot") == child::read_whole(folder / "t.dot"));
  CHECK(folder.run({"trace", "t.steps", "-o", "y.dot", "--format", "text"}).exit == 0);
  CHECK(child::read_whole(folder / "y.dot").starts_with(" step  process"));
  // The text may have moved.
  folder.write("here.dve", child::read_whole(model));
  done = folder.run({"trace", "t.steps", "here.dve"});
  CHECK(done.exit == 0);
  CHECK(done.err.starts_with("model     here.dve: DVE, "));
  CHECK(folder.run({"trace", "t.steps", folder.models + "peterson3.dve"}).exit != 0);
  CHECK(folder.run({"trace", "t.steps", "here.dve", "there.dve"}).exit == 64);
}

TEST_CASE("simulate") {
  const Place folder;
  const std::string model = folder.models + "philosophers4.dve";
  const Done one = folder.run({"simulate", "--steps", "20", "--seed", "7", model});
  CHECK(one.exit == 0);
  CHECK(one.out == folder.run({"simulate", "--steps", "20", "--seed", "7", model}).out);
  CHECK(one.out != folder.run({"simulate", "--steps", "20", "--seed", "8", model}).out);
  folder.write("s", "0 1\n1\n");
  const Done two = folder.run({"simulate", "--script", "s", model});
  CHECK(two.exit == 0);
  CHECK(two.out.find("\n    3  ") != std::string::npos);
  CHECK(two.out.find("\n    4  ") == std::string::npos);
  folder.write("s", "0 99\n");
  const Done three = folder.run({"simulate", "--script", "s", model});
  CHECK(three.exit == 64);
  CHECK(three.err.find("step 2 of the script is not possible: the state before has") !=
        std::string::npos);
}

TEST_CASE("the other commands") {
  const Place folder;
  CHECK(folder.run({"--version"}).out.starts_with("xmc-lite "));
  CHECK(folder.run({"version", "--json", "-"}).out.find("\"engines\":[\"ram\"") !=
        std::string::npos);
  CHECK(folder.run({"--help"}).out == folder.run({"help"}).out);
  CHECK(folder.run({"info", "--help"}).out == folder.run({"help", "info"}).out);
  CHECK(folder.run({"help", "nope"}).exit == 64);
  CHECK(folder.run({"clean", "missing"}).exit == 64);
  CHECK(folder.run({"clean", folder.models}).exit == 64);
  const Done info = folder.run({"info", folder.models + "philosophers4.dve"});
  CHECK(info.exit == 0);
  CHECK(info.out.find("\n  byte            1 bit  word  0 bit  ") != std::string::npos);
}

TEST_CASE("a checker with its model inside") {
  const Place folder;
  const std::string text = child::read_whole(folder.models + "philosophers4.dve");
  NativeModel native = {};
  native.file = "inside.dve";
  native.language = "dve";
  native.text = text.c_str();
  native.text_bytes = static_cast<u32>(text.size());
  const Done done = folder.run({"--json", "o.json", "--keep"}, &native);
  CHECK(done.exit == 1);
  CHECK(child::read_json(folder / "o.json")["model"]["file"] == "inside.dve");
  CHECK(child::read_whole(folder / "inside.xmc/model.text") == text);
  CHECK(folder.run({"trace", "inside.xmc"}, &native).exit == 0);
  CHECK(folder.run({"x.dve"}, &native).exit == 64);
  CHECK(folder.run({"emit"}, &native).exit == 64);
}

}  // namespace session_test
