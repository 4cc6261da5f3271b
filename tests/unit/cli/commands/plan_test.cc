// The command plan, and the forecast that it prints.
#include "child.h"
#include "cli/run/forecast/forecast.h"

using namespace xmc;

namespace plan_test {

using child::Done;
using child::has;
using child::Place;
namespace fs = std::filesystem;

namespace {

ForecastInput half_a_search() {
  ForecastInput input;
  input.sample.states = 200'000;
  input.sample.expansions = 100'000;
  input.sample.elapsed_ns = 100'000'000;  // a million in a second
  input.sample.in_table = 12;
  input.sample.in_order = 5;
  input.sample.in_partitions = 7;
  input.use = {1, 0, ""};
  input.table_bytes = 24'000'000;
  input.room_bytes = 10'000'000'000;
  input.device.scan_offset_ns = input.device.write_offset_ns = 0;
  input.device.scan_ns_per_byte = 40;
  input.device.write_ns_per_byte = 160;
  return input;
}

}  // namespace

TEST_CASE("the arithmetic of a forecast") {
  ForecastInput input = half_a_search();
  Forecast forecast = make_forecast(input);
  CHECK(forecast.bytes_per_state == doctest::Approx(5));
  CHECK(forecast.ram_states == 2'000'000);
  CHECK(forecast.disk_states == 2'000'000'000);
  // A microsecond to expand a state, and one for its five bytes.
  CHECK(forecast.per_second == doctest::Approx(500'000));
  CHECK(forecast.reached_in(kHourSeconds) == doctest::Approx(1.8e9));
  CHECK(kNightSeconds == 8 * 3600);

  input.use = {1, 1, ""};
  forecast = make_forecast(input);
  CHECK(forecast.bytes_per_state == doctest::Approx(12));
  CHECK(forecast.per_second == doctest::Approx(1e9 / 3400));

  // Edges are bytes, too, and take another expansion; bits limit the states.
  input.use = {1, 0, ""};
  input.use.edges = true;
  input.use.expansions = 2;
  input.use.ram_bits = 2;
  input.sample.cycle_steps = 8;
  forecast = make_forecast(input);
  CHECK(forecast.edge_bytes == doctest::Approx(13));
  CHECK(forecast.bytes_per_state == doctest::Approx(18));
  CHECK(forecast.bit_states == 96'000'000);
  CHECK(forecast.per_second == doctest::Approx(1e9 / 5600));

  input.use = {};
  forecast = make_forecast(input);
  CHECK(forecast.disk_states == kNoFigure);
  CHECK(forecast.bit_states == kNoFigure);
  CHECK(forecast.per_second == doctest::Approx(1e6));

  input.sample = {};
  CHECK(make_forecast(input).ram_states == kNoFigure);
}

TEST_CASE("two digits of a number") {
  CHECK(rounded(0) == 0);
  CHECK(rounded(99) == 99);
  CHECK(rounded(101) == 100);
  CHECK(rounded(129) == 120);
  CHECK(rounded(2'699'999) == 2'600'000);
}

// Lines are broken to fit the terminal: blanks and ends of lines are the same here.
std::string folded(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank) out += c;
    if (blank && !out.empty() && out.back() != ' ') out += ' ';
  }
  return out;
}

TEST_CASE("plan shows what check would do, and leaves nothing behind") {
  const Place folder;
  folder.write("endless.dve", child::kEndless);
  const Done done = folder.run({"plan", "--ram", "8M", "endless.dve", "--json", "o.json"});
  CHECK(done.exit == 0);
  CHECK(done.out.starts_with("model     endless.dve: DVE, 1 process, 4 variables, 4 bytes"));
  for (const char* part :
       {"\nproperty  no deadlock (default)\n",
        "\nengine    auto: the first states are in a table; then",
        "\nplan      engine auto; RAM 8.0 MiB (8388608 bytes) = ", " bytes  states\n",
        " bytes  checkpoint\n", " bytes  not carved\n", "\nwork      endless.xmc (new) on ",
        "; removed after a verdict\n", "\ndevice    scan ", "measured now, with ",
        "\nresume    checkpoints in at most 1% of the time", "\nsample    ",
        "\nforecast  the number of states is not known", "\n          RAM alone takes about ",
        "\n          the disk takes at most ", "on top: sorted runs",
        "\n          an hour reaches at most ",
        "\n          a night of 8 hours reaches at most "}) {
    CAPTURE(part);
    CHECK(has(' ' + folded(done.out), folded(std::string("x") + part).substr(1)));
  }
  std::istringstream lines(done.out);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
  CHECK_FALSE(has(done.out, "\nlimits "));
  for (const char* name : {"endless.xmc", "probe", "probe.tmp"})
    CHECK_FALSE(fs::exists(folder / name));

  const nlohmann::json plan = child::read_json(folder / "o.json");
  REQUIRE(plan.is_object());
  CHECK(plan["schema"] == 1);
  CHECK(plan["model"]["state_bytes"] == 4);
  CHECK(plan["property"]["kind"] == "deadlock");
  CHECK(plan["engine"]["name"] == "auto");
  CHECK(plan["ram"]["limit"] == 8 << 20);
  u64 sum = plan["ram"]["code_and_stack"].get<u64>() + plan["ram"]["not_carved"].get<u64>();
  for (const auto& part : plan["ram"]["parts"]) sum += part["bytes"].get<u64>();
  CHECK(sum <= u64{8} << 20);
  CHECK(sum + 65536 > u64{8} << 20);
  CHECK(plan["work"]["folder"] == "endless.xmc");
  CHECK(plan["work"]["state"] == "new");
  CHECK(plan["work"]["free_bytes"] > 0);
  CHECK(plan["work"]["room_bytes"] > 0);
  CHECK(plan["work"]["room_bytes"] < plan["work"]["free_bytes"]);
  CHECK(plan["device"]["measured"] == true);
  const std::string backend = plan["work"]["backend"];
  CHECK(has(done.out, ", " + backend + ", "));
  CHECK(plan["checkpoints"] == "auto");
  CHECK(plan["sample"]["complete"] == false);
  CHECK(plan["sample"]["degree"] == 4.0);
  CHECK(plan["sample"]["queue_bytes_per_state"] > 1);
  CHECK(plan["forecast"]["night_states"].get<double>() ==
        doctest::Approx(8 * plan["forecast"]["hour_states"].get<double>()));
  CHECK(plan["options"]["ram"] == 8 << 20);
}

TEST_CASE("the memory of the plan is that of the check") {
  const Place folder;
  const std::string model = folder.models + "peterson3.dve";
  for (const char* engine : {"auto", "ram", "hddd", "part"}) {
    CAPTURE(engine);
    const Done plan = folder.run({"plan", "--engine", engine, model});
    const Done check = folder.run({"check", "-v", "--engine", engine, model});
    REQUIRE(plan.exit == 0);
    REQUIRE(check.exit == 0);
    // Model, property, engine with its reason, and every carve.
    const std::string same = plan.out.substr(0, plan.out.find("\nwork  "));
    CHECK(same == check.err.substr(0, check.err.find("\nwork  ")));
  }
}

TEST_CASE("a sample that is the whole search") {
  const Place folder;
  folder.write("tiny.dve", "process P { state a; init a; trans a -> a {}; } system async;\n");
  const Done plan = folder.run({"plan", "tiny.dve"});
  CHECK(plan.exit == 0);
  CHECK(has(plan.out, "\nforecast  the sample is the whole search: 1 state, 1 transition\n"));
}

TEST_CASE("the reason for the engine") {
  const Place folder;
  CHECK(has(folder.run({"plan", folder.models + "lift_starves.dve"}).out,
            "\nengine    min-cex: a shortest accepting cycle is looked for "));
  const Done asked = folder.run({"plan", "--engine", "ram", folder.models + "peterson3.dve"});
  CHECK(has(asked.out, "\nengine    ram: as asked\n"));
  CHECK(has(asked.out, "\nresume    engine ram leaves no checkpoints\n"));
  CHECK_FALSE(has(asked.out, "\ndevice "));
  const Done check = folder.run({"-v", folder.models + "lift_starves.dve"});
  CHECK(has(check.err, "\nengine    min-cex: a shortest accepting cycle is looked for "));
  CHECK_FALSE(has(folder.run({folder.models + "lift_starves.dve"}).err, "\nengine "));
}

TEST_CASE("a violation in the sample, limits and --full") {
  const Place folder;
  const std::string model = folder.models + "philosophers4.dve";
  const Done done =
      folder.run({"plan", "--time", "8h", "--depth", "3", "--checkpoint", "90s", "--keep", model});
  CHECK(has(done.out, "\nlimits    --time 8h, --depth 3\n"));
  CHECK(has(done.out, "\nresume    checkpoints every 90s, and when stopped\n"));
  CHECK(has(done.out, "; kept\n"));
  CHECK_FALSE(has(done.out, "among them is"));
  const Done all = folder.run({"plan", model});
  CHECK(has(all.out,
            "\n          among them is a deadlock\n"
            "forecast  the check ends at this violation\n"));
  CHECK(has(folder.run({"plan", "--full", model}).out, "the sample is the whole search: "));
}

TEST_CASE("what check refuses is refused") {
  const Place folder;
  const std::string model = folder.models + "peterson3.dve";
  CHECK(folder.run({"plan"}).exit == 64);
  CHECK(folder.run({"plan", "--engine", "nonsense", model}).exit == 64);
  CHECK(folder.run({"plan", "--trace", "x.txt", model}).exit == 64);
  CHECK(folder.run({"plan", "--partial", "2", model}).exit == 64);
  CHECK(folder.run({"plan", "missing.dve"}).exit == 64);
  CHECK(folder.run({"plan", "--invariant", "nobody == 1", model}).exit == 65);
  CHECK(folder.run({"plan", "--engine", "disk", "--work", "no/such/place", model}).exit == 74);

  fs::create_directory(folder / "full");
  folder.write("full/mine", "x");
  const Done foreign = folder.run({"plan", "--work", "full", model});
  CHECK(foreign.exit == 64);
  CHECK(has(foreign.err, "is not a work directory of xmc-lite"));

  folder.write("endless.dve", child::kEndless);
  REQUIRE(
      folder.run({"--engine", "mono", "--states", "1000", "--work", "run", "endless.dve"}).exit ==
      75);
  const Done unfinished = folder.run({"plan", "--work", "run", "endless.dve"});
  CHECK(unfinished.exit == 64);
  CHECK(has(unfinished.err, "holds a run that can be continued"));
}

TEST_CASE("figures of the device that an earlier run has left") {
  const Place folder;
  fs::create_directory(folder / "w");
  folder.write("w/xmc-lite.run", "x");
  DeviceCost cost;
  FixedText<kCostTextBytes> text;
  write_cost(cost, text);
  folder.write("w/probe", std::string(text.view()));
  const Done done = folder.run({"plan", "--work", "w", folder.models + "peterson3.dve"});
  CHECK(done.exit == 0);
  CHECK(has(done.out, "\nwork      w (taken over) on "));
  CHECK(has(done.out, "; as measured before\n"));
  CHECK(child::read_whole(folder / "w/xmc-lite.run") == "x");
  CHECK(child::read_whole(folder / "w/probe") == text.view());

  // Somebody's file is not overwritten.
  folder.write("probe.tmp", "mine");
  const Done other = folder.run({"plan", "--work", "v", folder.models + "peterson3.dve"});
  CHECK(other.exit == 0);
  CHECK(has(other.err, "note      the device is taken for an SD card of class A1: "));
  CHECK(has(other.out, "; assumed\n"));
  CHECK(child::read_whole(folder / "probe.tmp") == "mine");
}

TEST_CASE("plan --peers: boards that share a search, as text and as JSON") {
  const Place folder;
  folder.write("endless.dve", child::kEndless);
  const Done done = folder.run({"plan", "--peers", "0", "endless.dve", "--json", "o.json"});
  CHECK(done.exit == 0);
  for (const char* part :
       {"\nboards    a network of 1000 Mbit/s, 0.20 ms; ", "\n          4, divided by ",
        "\n          16, divided by ", "\n          64, divided by ", " of the steps leave home, ",
        " bytes sent for a state, load ", "levels of 1,000,000 states: ", "limited by "}) {
    CAPTURE(part);
    CHECK(has(' ' + folded(done.out), folded(std::string("x") + part).substr(1)));
  }
  const nlohmann::json peers = child::read_json(folder / "o.json")["peers"];
  REQUIRE(peers.is_object());
  CHECK(peers["bytes_per_s"] == 125'000'000);
  CHECK(peers["latency_s"] == 0.0002);
  CHECK(peers["share_s"] > 0);
  REQUIRE(peers["each"].size() == 3);
  for (const nlohmann::json& one : peers["each"]) {
    CAPTURE(one.dump());
    CHECK(one["left_home"] <= 1);
    CHECK(one["load"] >= 1);
    REQUIRE(one["levels"].size() == 3);
    double before = 0;
    for (const nlohmann::json& level : one["levels"]) {
      CHECK(level["speedup"] <= one["count"]);
      CHECK(level["speedup"] > before);
      before = level["speedup"];
      CHECK(level["limit"].is_string());
    }
  }
  const Done slow = folder.run({"plan", "--peers", "9", "--bandwidth", "1", "--latency", "10",
                                "endless.dve", "--json", "s.json"});
  CHECK(slow.exit == 0);
  const nlohmann::json nine = child::read_json(folder / "s.json")["peers"];
  CHECK(nine["bytes_per_s"] == 125'000);
  REQUIRE(nine["each"].size() == 1);
  CHECK(nine["each"][0]["count"] == 9);
  const Done none = folder.run({"plan", "--latency", "10", "endless.dve", "--json", "n.json"});
  CHECK(none.exit == 64);
  CHECK(has(none.err, "--latency has no effect without --peers"));
  REQUIRE(folder.run({"plan", "endless.dve", "--json", "n.json"}).exit == 0);
  CHECK(child::read_json(folder / "n.json")["peers"].is_null());
}

}  // namespace plan_test
