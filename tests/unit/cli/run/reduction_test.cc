// --reduce from outside: what is asked for, what the result says, and what a resumed run has.
#include <doctest/doctest.h>

#include "child.h"

using namespace xmc;

namespace reduction_test {

using child::Done;
using child::has;
using child::Place;

namespace {

constexpr const char* kModel =
    "byte x;\n"
    "process P { state a, b; init a; trans a -> b { effect x = 1; }, b -> a { effect x = 0; }; }\n"
    "system async;\n";

// Behind b nobody reads x.
constexpr const char* kDead =
    "byte x;\n"
    "process P { state a, b, c; init a;\n"
    "  trans a -> b { effect x = 5; }, b -> c { guard x == 5; }; }\n"
    "system async;\n";

constexpr const char* kLoop =
    "byte x;\n"
    "process P { state s, t, u; init s;\n"
    "  trans s -> t { effect x = 1; }, t -> s { guard x == 1; }, t -> u { guard x == 2; }; }\n"
    "system async;\n";

struct Folder : Place {
  Folder() { write("m.dve", kModel); }
  nlohmann::json json() const { return child::read_json(path / "o.json"); }
};

}  // namespace

TEST_CASE("the result says what the model was reduced by") {
  const Folder folder;
  CHECK(folder.run({"-q", "--reduce", "off", "--json", "o.json", "m.dve"}).exit == 0);
  CHECK(folder.json()["reduction"]["kind"] == "off");
  CHECK(folder.json()["options"]["reduce"] == "off");
  CHECK(folder.run({"-q", "--json", "o.json", "absent.dve"}).exit == 64);
  CHECK(folder.json()["reduction"].is_null());
}

TEST_CASE("a trace shows the values of the model as written") {
  const Folder folder;
  folder.write("d.dve", kDead);
  const Done dead = folder.run({"--reduce", "dead", "--json", "o.json", "d.dve"});
  CHECK(dead.exit == 1);
  CHECK(has(dead.err, "reduce    dead: 1 value dead somewhere, 1 reset, 0 assignments left out"));
  CHECK(has(dead.out, "1 deadlock state (--reduce dead)"));
  CHECK(has(dead.out, "x=5 P=b"));
  // Where states are searched x is 0 from here on.
  CHECK_FALSE(has(dead.out, "x=0 P=c"));
  CHECK(folder.json()["reduction"]["kind"] == "dead");
  CHECK(folder.json()["reduction"]["dead_values"] == 1);
  CHECK(folder.json()["reduction"]["resets"] == 1);
  CHECK(folder.json()["trace"]["minimal"] == true);
  const Done off = folder.run({"--reduce", "off", "d.dve"});
  CHECK(off.out.substr(off.out.find(" step  p")) == dead.out.substr(dead.out.find(" step  p")));
}

TEST_CASE("info says what is dead, of the model as written") {
  const Folder folder;
  folder.write("d.dve", kDead);
  const Done info = folder.run({"info", "d.dve"});
  CHECK(has(info.out, "dead variables, by location\n  P.a: x\n  P.c: x\n"));
  CHECK(has(info.out, "word  0"));
  CHECK(folder.run({"info", "--json", "o.json", "d.dve"}).exit == 0);
  CHECK(folder.json()["dead"].size() == 2);
  CHECK(folder.json()["dead"][1]["location"] == "c");
  CHECK(folder.json()["dead"][1]["variable"] == "x");
}

// Where a process is takes no bit if it has one place, like other constants: what is dead there was
// looked up in the names of one of those.
TEST_CASE("info says what is dead in a process with one place") {
  const Folder folder;
  folder.write("e.pml",
               "chan q = [3] of { byte };\n"
               "active proctype A() {\n"
               "  byte i; do :: i < 5 -> q!i; i++ :: else -> break od; false }\n"
               "active proctype B() { byte x; end: do :: q?x od }\n");
  const Done info = folder.run({"info", "e.pml"});
  CHECK(info.exit == 0);
  CHECK(has(info.out, "dead variables, by location\n"));
  CHECK(has(info.out, " B(1)->x\n"));
}

TEST_CASE("what nobody reads takes no bit") {
  const Folder folder;
  folder.write("u.dve",
               "byte x; byte y;\n"
               "process P { state a, b; init a; trans a -> b { effect x = 7; },\n"
               "  b -> a { effect x = 3, y = 1 - y; }; }\n"
               "system async;\n");
  CHECK(folder.run({"-q", "--reduce", "dead", "--json", "o.json", "u.dve"}).exit == 0);
  CHECK(folder.json()["stats"]["states"] == 4);
  CHECK(folder.json()["model"]["state_bits"] == 2);
  CHECK(folder.json()["reduction"]["bits_before"] == 5);
  CHECK(folder.json()["reduction"]["dropped"] == 2);
}

// The second time around the loop x is 1 already at its beginning.
TEST_CASE("a loop of the reduced model is gone around until it closes") {
  const Folder folder;
  folder.write("l.dve", kLoop);
  const std::vector<std::string> asked = {"--ltl", "F P.u", "--json", "o.json", "l.dve"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), asked.begin(), asked.end());
    return folder.run(words);
  };
  CHECK(with({"--reduce", "off"}).exit == 1);
  CHECK(folder.json()["trace"]["prefix"] == 1);
  CHECK(folder.json()["trace"]["cycle"] == 2);
  CHECK(folder.json()["trace"]["minimal"] == true);
  for (const char* const engine : {"auto", "ram", "min-cex", "trim", "symbolic"}) {
    CAPTURE(engine);
    CHECK(with({"--reduce", "dead", "--engine", engine}).exit == 1);
    CHECK(folder.json()["trace"]["cycle"] == 2);
    CHECK(folder.json()["trace"]["replayed"] == true);
    CHECK(folder.json()["trace"]["minimal"] == false);
  }
  CHECK(with({"--reduce", "dead", "--fairness", "weak"}).exit == 1);
  const Done minimal = with({"--reduce", "dead", "--minimal"});
  CHECK(minimal.exit == 64);
  CHECK(has(minimal.err, "--reduce off"));
}

TEST_CASE("a resumed run has the model that it was begun with") {
  const Folder folder;
  folder.write("d.dve", kDead);
  for (const std::string word : {"dead", "off"}) {
    CAPTURE(word);
    CHECK(folder
              .run({"--reduce", word, "--engine", "mono", "--work", "w", "--depth", "1", "-q",
                    "d.dve"})
              .exit == 75);
    CHECK(folder.run({"resume", "w", "--json", "o.json", "-q"}).exit == 1);
    CHECK(folder.json()["reduction"]["kind"] == word);
    CHECK(folder.json()["options"]["reduce"] == word);
  }
}

TEST_CASE("a checker searches what its code is of, and the whole model where states count") {
  const Folder folder;
  const std::string text = kDead;
  NativeModel native = {};
  native.file = "inside.dve";
  native.language = "dve";
  native.text = text.c_str();
  native.text_bytes = static_cast<u32>(text.size());
  native.reduce = "dead";
  CHECK(folder.run({"-q", "--json", "o.json"}, &native).exit == 1);
  CHECK(folder.json()["reduction"]["kind"] == "dead");
  CHECK(folder.run({"-q", "--full", "--json", "o.json"}, &native).exit == 1);
  CHECK(folder.json()["reduction"]["kind"] == "off");
  CHECK(folder.run({"-q", "--reduce", "off", "--json", "o.json"}, &native).exit == 1);
  CHECK(folder.json()["reduction"]["kind"] == "off");
  folder.write("d.dve", kDead);
  const std::string emitted = folder.run({"emit", "--reduce", "dead", "d.dve"}).out;
  CHECK(has(emitted, "constexpr char kReduce[] = \"dead\";"));
  CHECK(emitted != folder.run({"emit", "--reduce", "off", "d.dve"}).out);
}

TEST_CASE("steps are left out, and the result says how many") {
  const Folder folder;
  folder.write("two.dve",
               "process A { state a, b; init a; trans a -> b {}; }\n"
               "process B { state a, b; init a; trans a -> b {}; }\nsystem async;\n");
  for (const char* word : {"steps", "all"}) {
    CHECK(folder.run({"-q", "--reduce", word, "--json", "o.json", "two.dve"}).exit == 1);
    const nlohmann::json json = folder.json();
    CHECK(json["reduction"]["kind"] == "steps");  // nothing is dead
    CHECK(json["reduction"]["steps"] == 2);
    CHECK(json["reduction"]["enabled"] > json["reduction"]["taken"]);
    CHECK(json["stats"]["states"] == 3);
    CHECK(json["trace"]["prefix"] == 2);
    CHECK(json["trace"]["minimal"] == true);
  }
  CHECK(folder.run({"--reduce", "some", "two.dve"}).exit == 64);
}

TEST_CASE("unless it is said the model is reduced, but not where its states are counted") {
  const Folder folder;
  std::string text = "byte x; process A { state a, b; init a; trans a -> b { effect x = 1; }; }\n";
  for (const char* name : {"B", "C", "D", "E"})
    text += std::string("process ") + name + " { state a, b; init a; trans a -> b {}; }\n";
  folder.write("two.dve", text + "system async;\n");
  const auto kind = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--json", "o.json", "two.dve"});
    const Done done = folder.run(words);
    CHECK(done.exit != 64);
    const std::string found = folder.json()["reduction"]["kind"];
    CHECK(has(done.err, "reduce    ") == (found != "off"));
    CHECK(has(done.out, "(--reduce " + found + ")") == (found != "off"));
    return found;
  };
  CHECK(kind({}) == "all");
  CHECK(kind({"--ram", "64M"}) == "all");
  CHECK(kind({"--threads", "2"}) == "all");
  CHECK(kind({"--ltl", "F A.b"}) == "all");
  for (const std::string word : {"--full", "--levels=l.csv", "--states=100", "--depth=100"}) {
    CAPTURE(word);
    CHECK(kind({word}) == "off");
    CHECK(kind({word, "--reduce=all"}) == "all");
  }
  CHECK(kind({"--minimal"}) == "off");
  CHECK(kind({"--ltl", "F A.b", "--engine", "min-cex"}) == "off");
  CHECK(folder.json()["trace"].is_null());
}

TEST_CASE("info and simulate show the marks of steps") {
  const Folder folder;
  folder.write("p.dve",
               "byte x;\nprocess A { state a, b; init a;\n trans a -> b { effect x = 1; },\n"
               "  b -> a {}; }\nprocess N { state n; init n; accept n;\n"
               "  trans n -> n { guard A.b; }, n -> n { guard not A.b; }; }\n"
               "system async property N;\n");
  const Done info = folder.run({"info", "--json", "o.json", "p.dve"});
  CHECK(has(info.out, "steps     2, of them 2 visible and 0 sticky\n"));
  CHECK(folder.json()["steps"].size() == 2);
  CHECK(folder.json()["steps"][0]["visible"] == true);
  const Done walk = folder.run({"simulate", "--steps", "1", "p.dve"});
  CHECK(has(walk.out, "dead      x\n"));
  CHECK(has(walk.out, "enabled\n  line     4  A  b -> a {}  visible\n"));
}

TEST_CASE("info and simulate show the marks of a Promela model's steps") {
  const Folder folder;
  folder.write("p.pml",
               "byte x;\nactive proctype P() { do :: x < 2 -> x++ :: x == 2 -> x = 0 od }\n"
               "never { do :: true :: x == 2 -> break od; accept: do :: x == 2 od }\n");
  const Done info = folder.run({"info", "--json", "o.json", "p.pml"});
  CHECK(has(info.out, "steps     4, of them 2 visible and 0 sticky\n"));
  CHECK(folder.json()["steps"].size() == 4);
  const Done walk = folder.run({"simulate", "--steps", "1", "p.pml"});
  CHECK(has(walk.out, "enabled\n  line     2  P(0)  x++  visible\n"));
  folder.write("q.pml", "byte x;\nactive proctype P() { x = 1 }\nnever { timeout }\n");
  CHECK(has(folder.run({"info", "q.pml"}).out, "steps     none is left out: "));
}

// `auto` takes `ram` where files have no room, which proves no lasso to be shortest: a run that was
// to go on with less memory was refused for what nobody had asked for.
TEST_CASE("a shortest lasso that has too little memory says how much it needs") {
  const Folder folder;
  folder.write("p.dve",
               "byte x;\nprocess A { state a, b; init a;\n trans a -> b { effect x = 1; },\n"
               "  b -> a {}; }\nprocess N { state n; init n; accept n;\n"
               "  trans n -> n { guard A.b; }, n -> n { guard not A.b; }; }\n"
               "system async property N;\n");
  u32 short_of_memory = 0;
  for (u32 half = 8; half <= 48; ++half) {
    const std::string ram = std::to_string(half * 512) + "K";
    CAPTURE(ram);
    const Done done = folder.run({"--ram", ram, "--minimal", "-q", "p.dve"});
    REQUIRE((done.exit == 1 || done.exit == 2));
    if (done.exit == 2) REQUIRE(has(done.out + done.err, "--ram "));
    if (has(done.out + done.err, "the search for a shortest lasso needs ")) ++short_of_memory;
  }
  CHECK(short_of_memory > 0);
}

TEST_CASE("a reduction that nobody can stand is refused by name") {
  const Folder folder;
  const Done stutters = folder.run({"--reduce", "dead", "--deadlock", "stuttering", "m.dve"});
  CHECK(stutters.exit == 64);
  CHECK(has(stutters.err, "--reduce off"));
}

TEST_CASE("where steps cannot be left out a note says why, and the run goes on") {
  const Folder folder;
  const Done done =
      folder.run({"--reduce", "steps", "--json", "o.json", "--ltl", "G X \"P.b\"", "m.dve"});
  CHECK(done.exit == 1);
  CHECK(has(done.err, "X"));
  CHECK(has(done.err, "no steps are left out"));
  CHECK(folder.json()["reduction"]["kind"] == "off");
}

TEST_CASE("auto takes what pays by the counted work of the first states") {
  const Folder folder;
  const auto kind_of = [&](const std::string& text, std::vector<std::string> more = {}) {
    folder.write("c.dve", text);
    std::vector<std::string> options = {"-q", "--json", "o.json"};
    options.insert(options.end(), more.begin(), more.end());
    options.push_back("c.dve");
    folder.run(options);
    return folder.json()["reduction"]["kind"].get<std::string>();
  };
  const auto processes = [](u32 count, const std::string& body) {
    std::string text;
    for (u32 i = 0; i < count; ++i) text += "process P" + std::to_string(i) + body;
    return text + "system async;\n";
  };
  // Nobody is in the way of another, and y is not read behind its guard.
  const std::string alone =
      processes(6,
                " { byte y; state a, b, c; init a; trans a -> b { effect y = 3; },"
                " b -> c { guard y == 3; }; }\n");
  CHECK(kind_of(alone) == "all");
  for (const char* ram : {"16M", "64M"}) CHECK(kind_of(alone, {"--ram", ram}) == "all");
  // Each step writes x: all have to be taken.
  const std::string shared =
      "byte x;\n" + processes(3,
                              " { byte y; state a, b, c; init a; trans a -> b { guard x < 20;"
                              " effect y = x, x = x + 1; }, b -> c { guard y < 9; effect x = x"
                              " + 1; }, c -> a { effect x = x * 2 % 32; }; }\n");
  CHECK(kind_of(shared) == "dead");
  // Two of three states are left, and choosing costs each of them more than that.
  CHECK(kind_of("byte x;\n" +
                processes(4,
                          " { byte y; state a, b, c; init a; trans a -> b { effect y = x; },"
                          " b -> c { guard y < 3; effect x = (x + 1) % 4; }, b -> a { guard y "
                          "== 3; }, c -> a { effect x = (x + y) % 4, y = (y + 1) % 4; }; }\n")) ==
        "dead");
}

}  // namespace reduction_test
