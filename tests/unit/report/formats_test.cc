#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "sample.h"
#include "trace/saved.h"
#include "trace/trace_view.h"

using namespace xmc;

namespace formats_test {

using sample::state;

namespace {

struct Fixture {
  sample::Graph graph;
  sample::Path path;
  sample::Memory memory;
  Replay replay;
  ModelText text = sample::text();
  TraceView view;
  std::vector<u8> shown;

  void ready() {
    replay.plan(graph.model(), memory.arena);
    view.replay = &replay;
    view.chooser = path.chooser();
    view.text = &text;
    REQUIRE(replay.confirm(view.chooser, view.claim).ok());
  }
  std::string write(Status (*format)(const TraceView&, Output&)) {
    sample::StringOutput out;
    CHECK(format(view, out).ok());
    return out.take();
  }
  std::string write_text(TraceStyle style) {
    sample::StringOutput out;
    CHECK(write_text_trace(view, style, out).ok());
    return out.take();
  }
};

// A rendezvous and a long action, then an assertion fails.
struct Safety : Fixture {
  Safety() {
    const std::vector<Word> s = {state(0, 0, 0, 0), state(1, 1, 0, 0), state(1, 2, 0, 1),
                                 state(3, 0, -1, 1, 0, 1)};
    graph.initial = {s[0]};
    graph.edge(s[0], 0, s[1]);
    graph.edge(s[1], 1, s[2]);
    graph.edge(s[2], 2, s[3]);
    graph.nodes[s[3]].violated = 0;
    path.states = s;
    view.claim.steps = 3;
    view.claim.violation = Violation::predicate;
    view.claim.predicate = 0;
    ready();
  }
};

struct Lasso : Fixture {
  Lasso() {
    const std::vector<Word> s = {state(0, 0, 0, 0), state(1, 1, 0, 0, 1), state(0, 0, 0, 0, 1)};
    graph.initial = {s[0]};
    graph.edge(s[0], 3, s[1]);
    graph.edge(s[1], 4, s[2]);
    graph.edge(s[2], 3, s[1]);
    graph.nodes[s[2]].flags = kAccepting;
    path.states = {s[0], s[1], s[2], s[1]};
    view.claim.steps = 3;
    view.claim.loop_start = 1;
    view.claim.violation = Violation::accepting_cycle;
    ready();
  }
};

}  // namespace

TEST_CASE("text") {
  Safety safety;
  sample::check_golden("traces/safety_diff.txt", safety.write_text(TraceStyle::diff));
  sample::check_golden("traces/safety_full.txt", safety.write_text(TraceStyle::full));
  sample::check_golden("traces/safety_none.txt", safety.write_text(TraceStyle::none));
  Lasso lasso;
  sample::check_golden("traces/lasso_diff.txt", lasso.write_text(TraceStyle::diff));
}

TEST_CASE("text of a deadlock, a goal and an erroneous step") {
  Safety safety;
  safety.view.claim.violation = Violation::deadlock;
  CHECK(safety.write_text(TraceStyle::diff).find("    !  deadlock") != std::string::npos);
  safety.view.claim.violation = Violation::predicate;
  safety.view.claim.predicate = 1;
  CHECK(safety.write_text(TraceStyle::diff).find("    !  goal") != std::string::npos);
  CHECK(safety.write_text(TraceStyle::diff).find("P.crit and Q.on holds here") !=
        std::string::npos);
  safety.view.claim.violation = Violation::model_error;
  safety.view.claim.error_label = 1;
  const std::string text = safety.write_text(TraceStyle::diff);
  CHECK(text.find("    4  P            11  wait -> crit { sync c!; }\n"
                  "    +  Q            20  off -> on { sync c?; }\n"
                  "    !  error            run-time error in this step\n") != std::string::npos);
}

TEST_CASE("ITF") {
  Safety safety;
  const std::string text = safety.write(&write_itf_trace);
  sample::check_golden("traces/safety.itf.json", text);
  const nlohmann::json back = nlohmann::json::parse(text, nullptr, false);
  REQUIRE(back.is_object());
  CHECK(back["vars"].size() == 7);
  REQUIRE(back["states"].size() == 4);
  CHECK(back["states"][3]["P->j"] == -1);
  CHECK(back["states"][2]["P"] == "crit");
  CHECK(back["states"][2]["#meta"]["partner"]["process"] == "Q");
  CHECK(back["states"][3]["#meta"]["line"] == 12);
  CHECK_FALSE(back.contains("loop"));

  Lasso lasso;
  const std::string looped = lasso.write(&write_itf_trace);
  sample::check_golden("traces/lasso.itf.json", looped);
  const nlohmann::json loop = nlohmann::json::parse(looped, nullptr, false);
  REQUIRE(loop.is_object());
  CHECK(loop["states"].size() == 3);
  CHECK(loop["loop"] == 1);
}

TEST_CASE("VCD") {
  Safety safety;
  sample::check_golden("traces/safety.vcd", safety.write(&write_vcd_trace));
  Lasso lasso;
  const std::string text = lasso.write(&write_vcd_trace);
  sample::check_golden("traces/lasso.vcd", text);
  CHECK(text.ends_with("#4\n"));
}

// A variable of a process that comes and goes.
TEST_CASE("what is not there has no value") {
  Safety safety;
  std::vector<VariableText> some(std::begin(sample::kVariables), std::end(sample::kVariables));
  VariableText& j = some[4];
  REQUIRE(j.name == "P->j");
  j.when = some[3].slot;  // only where P is at its second location
  j.when_low = j.when_high = 1;
  safety.text.variables = some;
  const std::string itf = safety.write(&write_itf_trace);
  const nlohmann::json back = nlohmann::json::parse(itf, nullptr, false);
  REQUIRE(back.is_object());
  CHECK(back["states"][0]["P->j"]["#unserializable"] == "absent");
  CHECK(back["states"][1]["P->j"] == 0);
  CHECK(back["states"][2]["P->j"]["#unserializable"] == "absent");
  const std::string vcd = safety.write(&write_vcd_trace);
  // Absent, there, absent again although its bits are the same.
  CHECK(vcd.find("bx G") != std::string::npos);
  CHECK(vcd.find("b0000000000000000 G") > vcd.find("bx G"));
  CHECK(vcd.find("bx G", vcd.find("b0000000000000000 G")) != std::string::npos);
}

TEST_CASE("VCD identifiers stay different beyond one letter") {
  Safety safety;
  std::vector<VariableText> many(300, sample::kVariables[0]);
  safety.text.variables = many;
  const std::string text = safety.write(&write_vcd_trace);
  std::map<std::string, int> seen;
  std::istringstream lines(text);
  for (std::string word; lines >> word;) {
    if (word != "$var") continue;
    std::string type, width, code;
    lines >> type >> width >> code;
    ++seen[code];
  }
  CHECK(seen.size() == 302);
}

TEST_CASE("Graphviz") {
  Safety safety;
  sample::check_golden("traces/safety.dot", safety.write(&write_dot_trace));
  Lasso lasso;
  sample::check_golden("traces/lasso.dot", lasso.write(&write_dot_trace));
}

TEST_CASE("a choice of variables") {
  Safety safety;
  safety.shown.resize(safety.text.variables.size());
  CHECK(select_variables(safety.text, "a,P", safety.shown).ok());
  CHECK(safety.shown == std::vector<u8>{0, 1, 1, 1, 1, 0, 0});
  CHECK(select_variables(safety.text, "P->j", safety.shown).ok());
  CHECK(safety.shown == std::vector<u8>{0, 0, 0, 0, 1, 0, 0});
  CHECK(select_variables(safety.text, "P.j", safety.shown).ok());
  CHECK(safety.shown == std::vector<u8>{0, 0, 0, 0, 1, 0, 0});
  const Status status = select_variables(safety.text, "x,nope", safety.shown);
  CHECK(status.code() == Code::usage);
  CHECK(status.message() == "--vars: the model has no variable 'nope'");
  CHECK(select_variables(safety.text, "Q", safety.shown).ok());
  safety.view.shown = safety.shown;
  CHECK(safety.write_text(TraceStyle::diff).find("x=") == std::string::npos);
  CHECK(safety.write(&write_itf_trace).find("\"vars\":[\"Q\"]") != std::string::npos);
}

TEST_CASE("formats by name and by suffix") {
  CHECK(format_by_suffix("a/b.txt")->format == TraceFormat::text);
  CHECK(format_by_suffix("b.msc.txt")->format == TraceFormat::chart_text);
  CHECK(format_by_suffix("b.msc.svg")->format == TraceFormat::chart_svg);
  CHECK(format_by_suffix("b.itf.json")->format == TraceFormat::itf);
  CHECK(format_by_suffix("b.vcd")->format == TraceFormat::vcd);
  CHECK(format_by_suffix("b.dot")->format == TraceFormat::dot);
  CHECK(format_by_suffix("b.steps")->format == TraceFormat::steps);
  CHECK(format_by_suffix("b.json") == nullptr);
  CHECK(format_by_suffix(".txt") == nullptr);
  CHECK(format_by_name("vcd")->format == TraceFormat::vcd);
  CHECK(format_by_name("msc")->format == TraceFormat::chart_text);
  CHECK(format_by_name("xml") == nullptr);
}

TEST_CASE("a saved trace comes back") {
  for (const bool looped : {false, true}) {
    Safety safety;
    Lasso lasso;
    Fixture& fixture = looped ? static_cast<Fixture&>(lasso) : safety;
    SavedTrace head;
    head.model_file = "sample.dve";
    head.model_hash = 0x0123'4567'89AB'CDEF;
    head.errors = "stop";
    head.invariant = "x <\n 3";
    sample::StringOutput out;
    REQUIRE(write_saved_trace(head, fixture.view, out).ok());
    const std::string text = out.take();
    sample::check_golden(looped ? "traces/lasso.steps" : "traces/safety.steps", text);
    CHECK(looks_like_saved_trace(text));
    SavedTrace back;
    REQUIRE(parse_saved_trace(text, back).ok());
    CHECK(back.model_file == "sample.dve");
    CHECK(back.model_hash == head.model_hash);
    CHECK(back.errors == "stop");
    CHECK(back.invariant == "x <  3");
    CHECK(back.property.empty());
    CHECK(back.claim.steps == 3);
    CHECK(back.claim.loop_start == (looped ? 1 : kNoLoop));
    SavedPath path(back);
    CHECK(fixture.replay.confirm(path.chooser(), back.claim).ok());
    TraceView again = fixture.view;
    again.chooser = path.chooser();
    again.claim = back.claim;
    sample::StringOutput second;
    REQUIRE(write_text_trace(again, TraceStyle::diff, second).ok());
    CHECK(second.take() == fixture.write_text(TraceStyle::diff));
  }
}

TEST_CASE("damaged saved traces are refused") {
  const std::string good = sample::read_whole("tests/golden/traces/safety.steps");
  REQUIRE(good.size() > 100);
  SavedTrace trace;
  CHECK(parse_saved_trace(good, trace).ok());
  const auto refused = [&](const std::string& text) {
    CAPTURE(text);
    CHECK(parse_saved_trace(text, trace).code() == Code::corrupt);
  };
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  refused("");
  refused("xmc-lite trace 2\n");
  refused(changed("trace 1", "trace 9"));
  refused(changed("hash 0", "hash x"));
  refused(changed("errors stop", "errors never"));
  refused(changed("steps 3", "steps"));
  refused(changed("steps 3", "stops 3"));
  refused(changed("predicate 0", "predicate"));
  refused(changed("loop -", "loop 3"));
  refused(good.substr(0, good.find("steps")));

  // Steps that are not there are met when the trace is walked.
  Safety safety;
  for (const char* last : {"2\n", "\n0\n", "x\n"}) {
    const std::string text = good.substr(0, good.size() - 2) + (last[0] == '2' ? "2 1\n" : last);
    REQUIRE(parse_saved_trace(text, trace).ok());
    SavedPath path(trace);
    CHECK_FALSE(safety.replay.confirm(path.chooser(), trace.claim).ok());
  }
  REQUIRE(parse_saved_trace(changed("initial 0", "initial 1"), trace).ok());
  SavedPath path(trace);
  CHECK_FALSE(safety.replay.confirm(path.chooser(), trace.claim).ok());
}

}  // namespace formats_test
