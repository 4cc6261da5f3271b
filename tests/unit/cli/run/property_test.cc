// Formulas and automata from elsewhere, checked from outside: --ltl, --hoa and --never.
#include <doctest/doctest.h>

#include "child.h"

namespace property_test {

namespace fs = std::filesystem;
using namespace xmc;
using child::Done;
using child::has;
using child::Place;

namespace {

// P goes round for ever; x counts to 5 and stops there. Q stops at once.
constexpr const char* kModel =
    "byte x;\n"
    "process P { state a, b; init a; trans a -> b { }, b -> a { guard x < 5; effect x = x + 1; },\n"
    "  b -> a { guard x == 5; }; }\n"
    "process N { state n; init n; accept n; trans n -> n { }; }\n"
    "system async property N;\n";

struct Folder : Place {
  Folder() { write("m.dve", kModel); }

  // Exit status, kind of property and kind of violation.
  std::string kinds(std::vector<std::string> words, const NativeModel* native = nullptr) const {
    if (native == nullptr) words.emplace_back("m.dve");
    words.insert(words.end(), {"-q", "--json", "o.json"});
    const Done done = run(words, native);
    const nlohmann::json result = child::read_json(path / "o.json");
    return std::to_string(done.exit) + " " + result["property"]["kind"].dump() + " " +
           result["kind"].dump();
  }
};

// Always again x == 5 and P in b: there are such runs, all of them.
constexpr const char* kHoa =
    "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"x == 5 and P.b\"\nAcceptance: 1 Inf(0)\n"
    "--BODY--\nState: 0\n[0] 0 {0}\n[!0] 0\n--END--\n";
constexpr const char* kNever =
    "never { // for ever below 5\n"
    "accept_init:\n  if\n  :: (x < 5) -> goto accept_init\n  fi;\n}\n";

}  // namespace

TEST_CASE("formulas have verdicts, and the process of the model is left out") {
  const Folder folder;
  const std::string cycle = "1 \"ltl\" \"accepting-cycle\"";
  const std::string holds = "0 \"ltl\" null";
  CHECK(folder.kinds({}) == "1 \"buchi\" \"accepting-cycle\"");
  CHECK(folder.kinds({"--ltl", "G F P.b"}) == holds);
  CHECK(folder.kinds({"--ltl", "F G P.b"}) == cycle);
  CHECK(folder.kinds({"--ltl", "F (x == 5)"}) == holds);
  CHECK(folder.kinds({"--ltl", "F (x == 6)"}) == cycle);
  CHECK(folder.kinds({"--ltl", "P.a U P.b"}) == holds);
  CHECK(folder.kinds({"--ltl", "G (P.a -> X P.b)"}) == holds);
  CHECK(folder.kinds({"--ltl", "G F \"P.a and x == 5\" & F G \"x > 4\""}) == holds);
  for (const char* const engine : {"trim", "min-cex", "double-dfs", "iddfs", "auto", "ram"}) {
    CAPTURE(engine);
    CHECK(folder.kinds({"--ltl", "F G P.b", "--engine", engine}) == cycle);
    CHECK(folder.kinds({"--ltl", "G F P.b", "--engine", engine, "--paranoid"}) == holds);
  }
  const Done words = folder.run({"--ltl", "F G P.b", "m.dve"});
  CHECK(has(words.err, "property  F G P.b: runs that violate it are found by an automaton of "));
  CHECK(has(words.out, "violated  F G P.b: accepting cycle; "));
  CHECK(has(words.out, "replayed and confirmed"));
  CHECK(has(folder.run({"plan", "--ltl", "F G P.b", "m.dve"}).out, "property  F G P.b: "));
}

TEST_CASE("bad prefixes are found without cycles, and by engines that know only cycles") {
  const Folder folder;
  const std::string prefix = "1 \"ltl\" \"bad-prefix\"";
  CHECK(folder.kinds({"--ltl", "G (x < 5)"}) == prefix);
  CHECK(folder.kinds({"--ltl", "G (x < 6)"}) == "0 \"ltl\" null");
  CHECK(folder.kinds({"--ltl", "X P.a"}) == prefix);
  CHECK(folder.kinds({"--ltl", "false"}) == prefix);
  CHECK(folder.kinds({"--ltl", "P.b R (x < 1)"}) == "0 \"ltl\" null");
  for (const char* const engine : {"ram", "auto", "diagram", "mono", "dddd", "part"}) {
    CAPTURE(engine);
    CHECK(folder.kinds({"--ltl", "G (x < 5)", "--engine", engine, "--paranoid"}) == prefix);
    const nlohmann::json trace = child::read_json(folder / "o.json")["trace"];
    CHECK(trace["prefix"] == 10);  // x == 5 for the first time
    CHECK(trace["cycle"] == 0);
  }
  for (const char* const engine : {"trim", "min-cex", "double-dfs", "iddfs"}) {
    CAPTURE(engine);
    CHECK(folder.kinds({"--ltl", "G (x < 5)", "--engine", engine}) ==
          "1 \"ltl\" \"accepting-cycle\"");
    CHECK(folder.kinds({"--ltl", "G (x < 6)", "--engine", engine}) == "0 \"ltl\" null");
  }
  const Done words = folder.run({"--ltl", "G (x < 5)", "m.dve"});
  CHECK(has(words.err, "property  G (x < 5): prefixes that violate it are found by an automaton"));
  CHECK(has(words.out, "violated  G (x < 5): bad prefix; after 10 steps; shortest possible"));
  CHECK(has(words.out, "property         G (x < 5): bad whatever follows"));
  const Done no_value = folder.run({"--ltl", "G \"1 / (2 - x) < 3\"", "m.dve"});
  CHECK(no_value.exit == 1);
  CHECK(has(no_value.out, "a proposition has no value; after 4 steps"));
}

TEST_CASE("a trace shows the propositions") {
  const Folder folder;
  folder.run({"--ltl", "G (x < 2 | P.a)", "--trace", "a.itf.json", "--trace", "a.vcd", "--trace",
              "a.txt", "-q", "m.dve"});
  const std::string text = child::read_whole(folder / "a.txt");
  CHECK(has(text, "(initial)        \"x < 2\"=true \"P.a\"=true x=0"));
  CHECK(has(text, "\"P.a\"=false P=b"));
  CHECK(has(text, "\"x < 2\"=false \"P.a\"=true"));
  const nlohmann::json itf = child::read_json(folder / "a.itf.json");
  CHECK(itf["states"][0]["#meta"]["propositions"] ==
        nlohmann::json{{"x < 2", true}, {"P.a", true}});
  const nlohmann::json last = itf["states"].back()["#meta"]["propositions"];
  CHECK(last == nlohmann::json{{"x < 2", false}, {"P.a", false}});
  CHECK(has(child::read_whole(folder / "a.vcd"), "$scope module propositions $end"));
}

TEST_CASE("what is wrong with a formula has a place in it") {
  const Folder folder;
  Done done = folder.run({"--ltl", "G (P.a -> F nope > 2)", "--json", "o.json", "m.dve"});
  CHECK(done.exit == 65);
  CHECK(has(done.err, "--ltl:1:13: error: unknown variable 'nope'"));
  CHECK(has(done.err, "    1 | G (P.a -> F nope > 2)"));
  CHECK(child::read_json(folder / "o.json")["reason"] == "model");
  done = folder.run({"--ltl", "G (P.a ->", "m.dve"});
  CHECK(done.exit == 65);
  CHECK(has(done.err, "--ltl:1:10: error: expected"));
  done = folder.run({"--ltl", "F \"P.a and x = = 3\" | F \"1 +\"", "m.dve"});
  CHECK(done.exit == 65);
  CHECK(has(done.err, "--ltl:1:14: error: "));
  CHECK(has(done.err, "--ltl:1:29: error: "));
  done = folder.run({"--ltl", "G N.n", "m.dve"});
  CHECK(done.exit == 65);
  CHECK(has(done.err, "'N' belongs to a property process that this check leaves out"));
}

TEST_CASE("one thing is checked in a run") {
  const Folder folder;
  Done done = folder.run({"--ltl", "F P.b", "--property", "N", "m.dve"});
  CHECK(done.exit == 64);
  CHECK(has(done.err, "--property and --ltl cannot be checked in one run"));
  CHECK(folder.run({"--ltl", "F P.b", "--invariant", "x < 9", "m.dve"}).exit == 64);
  CHECK(folder.run({"--hoa", "a", "--reach", "x < 9", "m.dve"}).exit == 64);
  CHECK(folder.run({"--hoa", "a", "--never", "b", "m.dve"}).exit == 64);
  folder.write("args", "--ltl=F G P.b\n");
  CHECK(folder.kinds({"@args"}) == "1 \"ltl\" \"accepting-cycle\"");
  CHECK(folder.kinds({"@args", "--invariant", "x < 9"}) == "0 \"invariant\" null");
}

TEST_CASE("automata of bad behaviours come from files") {
  const Folder folder;
  folder.write("bad.hoa", kHoa);
  folder.write("bad.never", kNever);
  CHECK(folder.kinds({"--hoa", "bad.hoa"}) == "1 \"buchi\" \"accepting-cycle\"");
  CHECK(child::read_json(folder / "o.json")["property"]["text"] == "bad.hoa");
  CHECK(folder.kinds({"--never", "bad.never"}) == "0 \"buchi\" null");
  CHECK(has(folder.run({"--hoa", "bad.hoa", "m.dve"}).err,
            "property  bad.hoa: runs that it accepts are bad; they are found by an automaton"));
  Done done = folder.run({"--hoa", "none.hoa", "m.dve"});
  CHECK(done.exit == 64);
  folder.write("bad.hoa", std::string(kHoa).replace(std::string(kHoa).find("x =="), 1, "z"));
  done = folder.run({"--hoa", "bad.hoa", "m.dve"});
  CHECK(done.exit == 65);
  CHECK(has(done.err, "bad.hoa:4:8: error: unknown variable 'z'"));
  folder.write("bad.never", "never { accept_i: if :: (x <) -> goto accept_i fi }");
  done = folder.run({"--never", "bad.never", "m.dve"});
  CHECK(done.exit == 65);
  CHECK(has(done.err, "bad.never:1:"));
}

TEST_CASE("a stopped run keeps its formula or automaton") {
  const Folder folder;
  folder.write("bad.hoa", kHoa);
  folder.write("bad.never", kNever);
  const std::vector<std::vector<std::string>> properties = {
      {"--ltl", "F G\nP.b"},
      {"--ltl", "G (x < 4)"},
      {"--hoa", "bad.hoa"},
      {"--never", "bad.never"},
      {"--ltl", "G (x < 4)", "--engine", "trim"}};
  for (const std::vector<std::string>& property : properties) {
    CAPTURE(property[1]);
    std::vector<std::string> words = property;
    words.insert(words.end(), {"--work", "w", "--depth", "2"});
    folder.kinds(property);
    const nlohmann::json wanted = child::read_json(folder / "o.json");
    CHECK(folder.kinds(words).starts_with("75 "));
    // Neither the files nor their names are needed again.
    fs::rename(folder / "bad.hoa", folder / "aside.hoa");
    fs::rename(folder / "bad.never", folder / "aside.never");
    CHECK(has(folder.run({"fsck", "w"}).out, "property.text"));
    const Done done = folder.run({"resume", "w", "-q", "--json", "o.json", "--keep"});
    const nlohmann::json got = child::read_json(folder / "o.json");
    CHECK(done.exit == wanted["exit"]);
    CHECK(got["property"] == wanted["property"]);
    CHECK(got["stats"]["states"] == wanted["stats"]["states"]);
    if (done.exit == 1) CHECK(folder.run({"trace", "w"}).exit == 0);
    fs::rename(folder / "aside.hoa", folder / "bad.hoa");
    fs::rename(folder / "aside.never", folder / "bad.never");
    fs::remove_all(folder / "w");
  }
}

TEST_CASE("a changed property is not resumed") {
  const Folder folder;
  CHECK(folder.kinds({"--ltl", "F G P.b", "--work", "w", "--depth", "2", "--engine", "auto"})
            .starts_with("75 "));
  folder.write("w/property.text", "F G P.a");
  CHECK(folder.run({"resume", "w"}).exit == 74);
  CHECK(folder.run({"fsck", "w"}).exit == 74);
}

TEST_CASE("saved traces have their formula or automaton") {
  const Folder folder;
  folder.write("bad.hoa", kHoa);
  folder.write("bad.never",
               std::string(kNever).replace(std::string(kNever).find("< 5)"), 3, "< 6"));
  const std::vector<std::vector<std::string>> properties = {
      {"--ltl", "F G P.b"},
      {"--ltl", "G (x < 4)"},
      {"--hoa", "bad.hoa"},
      {"--never", "bad.never"},
      {"--ltl", "G (x < 4)", "--engine", "trim"}};
  for (const std::vector<std::string>& property : properties) {
    CAPTURE(property[1]);
    std::vector<std::string> words = property;
    words.insert(words.end(), {"-q", "--trace", "a.steps", "m.dve"});
    const Done check = folder.run(words);
    REQUIRE(check.exit == 1);
    const Done trace = folder.run({"trace", "a.steps"});
    CHECK(trace.exit == 0);
    CHECK(has(check.out, trace.out));
    CHECK(folder.run({"simulate", "--script", "a.steps", "m.dve"}).exit == 0);
    words = {"simulate", "--script", "a.steps", "m.dve"};
    words.insert(words.end(), property.begin(), property.begin() + 2);
    CHECK(folder.run(words).exit == 64);
  }
}

TEST_CASE("a checker has the property that it was built with") {
  const Folder folder;
  const std::string text = kModel;
  NativeModel native = {};
  native.file = "inside.dve";
  native.language = "dve";
  native.text = text.c_str();
  native.text_bytes = static_cast<u32>(text.size());
  native.property_form = "ltl";
  native.property_name = "--ltl";
  native.property = "F G P.b";
  native.property_bytes = 7;
  CHECK(folder.kinds({}, &native) == "1 \"ltl\" \"accepting-cycle\"");
  CHECK(folder.kinds({"--ltl", "G F P.b"}, &native) == "0 \"ltl\" null");
  CHECK(folder.kinds({"--property", "N"}, &native) == "1 \"buchi\" \"accepting-cycle\"");
  CHECK(folder.kinds({"--work", "w", "--depth", "2", "--engine", "auto"}, &native)
            .starts_with("75 "));
  CHECK(folder.run({"resume", "w", "--json", "o.json", "-q"}).exit == 1);  // by the tool
  CHECK(child::read_json(folder / "o.json")["property"]["text"] == "F G P.b");
  const std::string emitted = folder.run({"emit", "--ltl", "F G P.b", "m.dve"}).out;
  CHECK(has(emitted, "constexpr char kPropertyForm[] = \"ltl\";"));
  CHECK(has(emitted, "\"F G P.b\""));
}

}  // namespace property_test
