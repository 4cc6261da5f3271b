// --fairness from outside: verdicts, words, the result, traces, resumed runs and checkers.
#include <doctest/doctest.h>

#include "child.h"

using namespace xmc;

namespace fairness_test {

using child::Done;
using child::has;
using child::Place;

namespace {

// P and Q can always move; R counts to 9 and then stays.
constexpr const char* kModel =
    "byte x;\n"
    "process P { state a, b; init a; trans a -> b { }, b -> a { }; }\n"
    "process Q { state a, b; init a; trans a -> b { }, b -> a { }; }\n"
    "process R { state r; init r; trans r -> r { guard x < 9; effect x = x + 1; }; }\n"
    "system async;\n";

struct Folder : Place {
  Folder() { write("m.dve", kModel); }
  nlohmann::json json() const { return child::read_json(path / "o.json"); }

  // Exit status and the fairness that the result names.
  std::string answer(std::vector<std::string> words, const NativeModel* native = nullptr) const {
    if (native == nullptr) words.emplace_back("m.dve");
    words.insert(words.end(), {"-q", "--json", "o.json"});
    const int exit = run(words, native).exit;
    return std::to_string(exit) + " " + json()["property"]["fairness"].dump();
  }
};

const std::vector<std::string> kWeak = {"--fairness", "weak"};

std::vector<std::string> weak(std::vector<std::string> words) {
  words.insert(words.end(), kWeak.begin(), kWeak.end());
  return words;
}

}  // namespace

TEST_CASE("verdicts are about fair runs, and say so") {
  const Folder folder;
  CHECK(folder.answer({"--ltl", "F (x == 9)"}) == "1 \"none\"");
  CHECK(folder.answer(weak({"--ltl", "F (x == 9)"})) == "0 \"weak\"");
  CHECK(folder.json()["options"]["fairness"] == "weak");
  CHECK(folder.answer(weak({"--ltl", "F G Q.a"})) == "1 \"weak\"");
  CHECK(folder.json()["kind"] == "accepting-cycle");
  CHECK(folder.json()["trace"]["minimal"] == false);
  const Done holds = folder.run(weak({"--ltl", "G F Q.b", "m.dve"}));
  CHECK(has(holds.out, "holds     G F Q.b under weak fairness; search complete"));
  CHECK(has(holds.err, "fairness  weak: the product has a counter of 3 processes"));
  const Done violated = folder.run(weak({"--ltl", "F G Q.a", "m.dve"}));
  CHECK(has(violated.out, "accepting cycle under weak fairness"));
  CHECK(has(folder.run(weak({"plan", "--ltl", "F G Q.a", "m.dve"})).out, "fairness  weak: "));
  CHECK(folder.run(weak({"plan", "--ltl", "F G Q.a", "--json", "o.json", "m.dve"})).exit == 0);
  CHECK(folder.json()["property"]["fairness"] == "weak");
}

TEST_CASE("where cycles are not looked for, fairness is refused or changes nothing") {
  const Folder folder;
  for (const auto& words : {kWeak, weak({"--invariant", "x < 9"}), weak({"--reach", "x == 9"})}) {
    std::vector<std::string> all = words;
    all.emplace_back("m.dve");
    const Done done = folder.run(all);
    CHECK(done.exit == 64);
    CHECK(has(done.err, "--fairness is for properties of whole runs"));
  }
  const Done prefix = folder.run(weak({"--ltl", "G (x < 9)", "m.dve"}));
  CHECK(prefix.exit == 1);
  CHECK(has(prefix.err, "--fairness changes nothing"));
  CHECK_FALSE(has(prefix.out, "under weak fairness"));
  CHECK(folder.answer(weak({"--ltl", "G (x < 9)"})) == "1 \"none\"");
  // The same prefixes as accepting cycles.
  CHECK(folder.answer(weak({"--ltl", "G (x < 9)", "--engine", "trim"})) == "1 \"weak\"");
  const Done minimal = folder.run(weak({"--ltl", "F G Q.a", "--minimal", "m.dve"}));
  CHECK(minimal.exit == 64);
  CHECK(has(minimal.err, "a shortest lasso of the product need not be a shortest fair run"));
}

TEST_CASE("a saved trace is checked for fairness again") {
  const Folder folder;
  CHECK(folder.run(weak({"--ltl", "F G Q.a", "--trace", "a.steps", "-q", "m.dve"})).exit == 1);
  const std::string saved = child::read_whole(folder / "a.steps");
  CHECK(has(saved, "\nfairness weak\n"));
  CHECK(folder.run({"trace", "a.steps"}).exit == 0);
  CHECK(folder.run({"simulate", "--script", "a.steps", "m.dve"}).exit == 0);
  // One that was not asked to be fair is not, whatever it is said to be.
  CHECK(folder.run({"--ltl", "F G Q.a", "--trace", "b.steps", "-q", "m.dve"}).exit == 1);
  std::string unfair = child::read_whole(folder / "b.steps");
  CHECK_FALSE(has(unfair, "fairness"));
  CHECK(folder.run({"trace", "b.steps"}).exit == 0);
  unfair.insert(unfair.find("ltl "), "fairness weak\n");
  folder.write("c.steps", unfair);
  const Done done = folder.run({"trace", "c.steps"});
  CHECK(done.exit == 74);
  CHECK(has(done.err, "the saved trace does not fit the model"));
}

TEST_CASE("a resumed run is about the same runs") {
  const Folder folder;
  const std::vector<std::string> begin =
      weak({"--ltl", "F (x == 9)", "--work", "w", "--depth", "4", "--engine", "trim", "-q"});
  std::vector<std::string> words = begin;
  words.emplace_back("m.dve");
  CHECK(folder.run(words).exit == 75);
  CHECK(folder.run({"resume", "w", "--json", "o.json", "-q"}).exit == 0);
  CHECK(folder.json()["property"]["fairness"] == "weak");
  CHECK(folder.json()["options"]["fairness"] == "weak");
}

TEST_CASE("a checker assumes the fairness that it was built with") {
  const Folder folder;
  const std::string text = kModel;
  NativeModel native = {};
  native.file = "inside.dve";
  native.language = "dve";
  native.text = text.c_str();
  native.text_bytes = static_cast<u32>(text.size());
  native.property_form = "ltl";
  native.property_name = "--ltl";
  native.property = "G F P.b";
  native.property_bytes = 7;
  native.fairness = "weak";
  CHECK(folder.answer({}, &native) == "0 \"weak\"");
  CHECK(folder.answer({"--fairness", "none"}, &native) == "1 \"none\"");
  CHECK(folder.answer({"--ltl", "G F P.b"}, &native) == "1 \"none\"");
  CHECK(folder.answer({"--invariant", "x < 10"}, &native) == "0 \"none\"");
  // By the tool, which was not told.
  CHECK(folder.run({"--work", "w", "--depth", "4", "--engine", "trim", "-q"}, &native).exit == 75);
  CHECK(folder.run({"resume", "w", "--json", "o.json", "-q"}).exit == 0);
  CHECK(folder.json()["property"]["fairness"] == "weak");
  native.fairness = "none";
  CHECK(folder.answer({}, &native) == "1 \"none\"");
  CHECK(folder.answer({"--fairness", "weak"}, &native) == "0 \"weak\"");
  const std::string emitted = folder.run(weak({"emit", "--ltl", "G F P.b", "m.dve"})).out;
  CHECK(has(emitted, "constexpr char kFairness[] = \"weak\";"));
}

}  // namespace fairness_test
