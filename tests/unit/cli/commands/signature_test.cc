// --signature and --table as a user meets them.
#include "child.h"
#include "engine_lists.h"

namespace signature_test {

using child::Done;
using child::Place;

namespace {

// Ten thousand states; the last is the only one without a step.
constexpr const char* kGrid =
    "byte a; byte b; byte c; byte d;\n"
    "process P { state s; init s; trans s -> s { guard a < 9; effect a = a + 1; },\n"
    "s -> s { guard b < 9; effect b = b + 1; }, s -> s { guard c < 9; effect c = c + 1; },\n"
    "s -> s { guard d < 9; effect d = d + 1; }; }\nsystem async;\n";

}  // namespace

TEST_CASE("a search by signatures never exits 0, and says how sure it is") {
  const Place folder;
  folder.write("m.dve", kGrid);
  for (const std::string& engine : xmc_test::engines_with_signatures()) {
    INFO(engine);
    const Done done =
        folder.run({"--engine", engine, "--signature", "48", "--deadlock", "off", "--ram", "6M",
                    "--json", "r.json", "--work", "w." + engine, "m.dve"});
    CHECK(done.exit == 2);
    CHECK(done.out.find("at most 1.8e-07") != std::string::npos);
    CHECK(done.err.find("--signature saves nothing here") != std::string::npos);
    const nlohmann::json result = child::read_json(folder / "r.json");
    CHECK(result["verdict"] == "undecided");
    CHECK(result["reason"] == "signature");
    CHECK(result["complete"] == false);
    CHECK(result["stats"]["states"] == 10000);
    CHECK(result["stats"]["omission_bound"].get<double>() == doctest::Approx(1.78e-7));
  }
  const Done exact = folder.run(
      {"-q", "--engine", "mono", "--deadlock", "off", "--json", "r.json", "--work", "e", "m.dve"});
  CHECK(exact.exit == 0);
  CHECK(child::read_json(folder / "r.json")["stats"]["omission_bound"].is_null());
}

TEST_CASE("a violation found by signatures is one") {
  const Place folder;
  folder.write("m.dve", kGrid);
  const Done done = folder.run(
      {"-q", "--engine", "disk", "--signature", "40", "--json", "r.json", "--work", "w", "m.dve"});
  CHECK(done.exit == 1);
  const nlohmann::json result = child::read_json(folder / "r.json");
  CHECK(result["trace"]["prefix"] == 36);
  CHECK(result["trace"]["replayed"] == true);
  CHECK(result["trace"]["minimal"] == false);
  CHECK(result["complete"] == false);
}

TEST_CASE("a run by signatures stays one when it is resumed") {
  const Place folder;
  folder.write("m.dve", kGrid);
  const Done first =
      folder.run({"-q", "--engine", "mono", "--table", "chained", "--signature", "64", "--deadlock",
                  "off", "--depth", "17", "--work", "w", "m.dve"});
  CHECK(first.exit == 75);
  const Done second = folder.run({"resume", "-q", "--json", "r.json", "w"});
  CHECK(second.exit == 2);
  const nlohmann::json result = child::read_json(folder / "r.json");
  CHECK(result["reason"] == "signature");
  CHECK(result["stats"]["states"] == 10000);
  CHECK(result["options"]["table"] == "chained");
}

TEST_CASE("tables and signatures are refused where they have no meaning") {
  const Place folder;
  folder.write("m.dve", kGrid);
  CHECK(folder.run({"--table", "open", "m.dve"}).exit == 64);
  CHECK(folder.run({"--engine", "disk", "--table", "chained", "m.dve"}).exit == 64);
  CHECK(folder.run({"--signature", "64", "m.dve"}).exit == 64);
  CHECK(folder.run({"--engine", "mono", "--signature", "39", "m.dve"}).exit == 64);
  CHECK(folder.run({"--engine", "mono", "--signature", "64", "--minimal", "m.dve"}).exit == 64);
  const Done dddd = folder.run({"--engine", "dddd", "--signature", "64", "m.dve"});
  CHECK(dddd.exit == 64);
  const std::string able = xmc_test::in_a_row(xmc_test::engines_with_signatures());
  CHECK(dddd.err.find("engines that do: " + able) != std::string::npos);
}

}  // namespace signature_test
