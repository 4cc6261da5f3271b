// Message sequence charts: which messages are the same ones, and what the formats make of a trace
// with a channel that has a buffer, a rendezvous, and a loop.
#include "trace/chart.h"

#include <doctest/doctest.h>

#include "sample.h"
#include "trace/chart_channels.h"

using namespace xmc;

namespace chart_test {

namespace {

// A channel with room for three messages of one value: length in bits 0..1, messages in 2..3, 4..5
// and 6..7; then P in 8..9, Q in 10..11, Q->j in 12..13.
Word state(const std::vector<u32>& messages, u32 p, u32 q, u32 j = 0) {
  Word word = messages.size();
  for (std::size_t i = 0; i < messages.size(); ++i) word |= Word{messages[i]} << (2 + 2 * i);
  return word | Word{p} << 8 | Word{q} << 10 | Word{j} << 12;
}

const std::string_view kProcesses[] = {"P", "Q", "R", "X"};
const std::string_view kPlaces[] = {"a", "b", "c", "d"};
const std::string_view kValues[] = {"0", "one", "two", "three"};
const VariableText kVariables[] = {
    {"q.length", VariableKind::channel_length, 2, false, kNone, {0, 0, 2, 0}, {}},
    {"q[0]", VariableKind::symbol, 2, false, kNone, {0, 2, 2, 0}, kValues},
    {"q[1]", VariableKind::symbol, 2, false, kNone, {0, 4, 2, 0}, kValues},
    {"q[2]", VariableKind::symbol, 2, false, kNone, {0, 6, 2, 0}, kValues},
    {"P", VariableKind::location, 2, false, 0, {0, 8, 2, 0}, kPlaces},
    {"Q", VariableKind::location, 2, false, 1, {0, 10, 2, 0}, kPlaces},
    {"Q->j", VariableKind::number, 2, false, 1, {0, 12, 2, 0}, {}},
};
const ChannelText kChannels[] = {
    {.name = "q", .length = 0, .cells = 1, .capacity = 3, .fields = 1, .message_stride = 1}};
const TransitionText kTransitions[] = {
    {0, 10, "a -> b { sync q!1; }"},
    {0, 11, "b -> c { sync q!2; }"},
    {1, 20, "a -> b { sync q?x; }"},
    {0, 12, "c -> d { sync c!3; }", "c!3"},
    {1, 21, "b -> c { sync c?j; }"},
    {0, 22, "c -> d { guard j == 3 and a_long_name_that_has_no_room == 1; effect j = 0; }"},
    {2, 30, "x -> x { }"},
};
const PredicateText kPredicates[] = {{PredicateText::Kind::assertion, 13, "j < 3"}};

// Label n: transition n alone, but 3 is a rendezvous of 3 and 4.
StepText step(const void*, u32 label) { return {label, label == 3 ? 4u : kNone, kNone}; }

ModelText text() {
  ModelText text;
  text.file = "sample.dve";
  text.language = "dve";
  text.processes = kProcesses;
  text.variables = kVariables;
  text.channels = kChannels;
  text.transitions = kTransitions;
  text.predicates = kPredicates;
  text.step = &step;
  return text;
}

struct Fixture {
  sample::Graph graph;
  sample::Path path;
  sample::Memory memory;
  Replay replay;
  ModelText words = text();
  ChartMemory chart;
  TraceView view;

  explicit Fixture(const std::vector<std::pair<u32, Word>>& steps, Word first) {
    graph.initial = {first};
    graph.nodes[first];
    path.states = {first};
    for (const auto& [label, to] : steps) {
      graph.edge(path.states.back(), label, to);
      path.states.push_back(to);
    }
    view.claim.steps = steps.size();
    replay.plan(graph.model(), memory.arena);
    chart = plan_chart(words, 1, memory.arena);
    view.replay = &replay;
    view.chooser = path.chooser();
    view.text = &words;
    view.chart = &chart;
  }
  std::string write(Status (*format)(const TraceView&, Output&)) {
    sample::StringOutput out;
    CHECK(format(view, out).ok());
    return out.take();
  }
};

struct Safety : Fixture {
  Safety()
      : Fixture({{0, state({1}, 1, 0)},
                 {1, state({1, 2}, 2, 0)},
                 {2, state({2}, 2, 1)},
                 {3, state({2}, 3, 2, 3)},
                 {5, state({2}, 3, 3)}},
                state({}, 0, 0)) {
    graph.nodes[path.states.back()].violated = 0;
    view.claim.violation = Violation::predicate;
    view.claim.predicate = 0;
  }
};

std::vector<u32> matched(const std::vector<u32>& before, const std::vector<u32>& behind) {
  const ModelText words = text();
  const Word a = state(before, 0, 0);
  const Word b = state(behind, 0, 0);
  std::vector<u32> kept(3, 99);
  match_messages(words, kChannels[0], &a, &b, kept);
  kept.resize(behind.size());
  return kept;
}

using Kept = std::vector<u32>;

}  // namespace

TEST_CASE("messages that stay are the same ones") {
  CHECK(matched({1, 2}, {1, 2}) == Kept{0, 1});
  CHECK(matched({}, {1}) == Kept{kNone});
  CHECK(matched({1}, {1, 1}) == Kept{0, kNone});
  CHECK(matched({1, 3}, {1, 2, 3}) == Kept{0, kNone, 1});  // a sorted send
  CHECK(matched({1, 2, 3}, {2, 3}) == Kept{1, 2});
  CHECK(matched({1, 2, 3}, {1, 3}) == Kept{0, 2});  // a random receive
  CHECK(matched({1, 1, 2}, {1, 2}) == Kept{1, 2});  // the oldest of equal ones
  CHECK(matched({1, 2}, {2, 3}) == Kept{1, kNone});
  CHECK(matched({1, 2, 3}, {3, 1}) == Kept{2, kNone});
  CHECK(matched({1}, {2}) == Kept{kNone});
  CHECK(matched({1, 2, 3}, {3, 3, 1}) == Kept{2, kNone, kNone});
  CHECK(matched({3, 1, 2}, {1, 3, 2}) == Kept{1, 0, 2});  // no story but by contents
}

TEST_CASE("charts of a trace with a failed assertion") {
  Safety safety;
  sample::check_golden("traces/safety.msc.txt", safety.write(&write_text_chart));
  sample::check_golden("traces/safety.svg", safety.write(&write_svg_chart));
}

TEST_CASE("charts of a lasso") {
  Fixture lasso(
      {{0, state({1}, 1, 0)}, {2, state({}, 0, 1)}, {0, state({1}, 1, 1)}, {2, state({}, 0, 1)}},
      state({}, 0, 0));
  lasso.view.claim.loop_start = 2;
  lasso.view.claim.violation = Violation::accepting_cycle;
  sample::check_golden("traces/lasso.msc.txt", lasso.write(&write_text_chart));
  sample::check_golden("traces/lasso.svg", lasso.write(&write_svg_chart));
}

TEST_CASE("messages to oneself, erroneous steps, and nothing at all") {
  Fixture self({{0, state({1}, 1, 0)}, {0, state({}, 2, 0)}}, state({}, 0, 0));
  self.view.claim.violation = Violation::model_error;
  self.view.claim.error_label = 1;
  sample::check_golden("traces/error.msc.txt", self.write(&write_text_chart));
  CHECK(self.write(&write_svg_chart).find("h-16V") != std::string::npos);

  Fixture empty({}, state({}, 0, 0));
  empty.view.claim.violation = Violation::deadlock;
  const std::string nothing = empty.write(&write_text_chart);
  CHECK(nothing == " step\n\n\n    !  deadlock: no step leads out of this state\n");
  CHECK(empty.write(&write_svg_chart).find("</svg>") != std::string::npos);
}

// Messages that are there from the beginning have no sender.
TEST_CASE("what nobody sent is received alone") {
  Fixture waiting({{2, state({}, 0, 1)}}, state({1}, 0, 0));
  CHECK(waiting.write(&write_text_chart).find("    1          * q(one)\n") != std::string::npos);
}

TEST_CASE("a wide and long chart is cut, and says so") {
  std::vector<std::string> names;
  std::vector<std::string_view> processes;
  std::vector<TransitionText> transitions;
  std::vector<std::pair<u32, Word>> steps;
  for (u32 i = 0; i < kChartLifelines + 3; ++i) names.push_back("P" + std::to_string(i));
  for (u32 i = 0; i < names.size(); ++i) {
    processes.push_back(names[i]);
    transitions.push_back({i, 1, "x -> x { }"});
  }
  const Word states[] = {state({}, 0, 0), state({}, 1, 0)};
  for (u32 i = 0; i < kChartRows + 10; ++i)
    steps.push_back({i % static_cast<u32>(names.size()), states[(i + 1) % 2]});
  Fixture wide(steps, states[0]);
  wide.words.processes = processes;
  wide.words.transitions = transitions;
  wide.graph.nodes.clear();
  // Both states have an edge with each label; the path takes the one that is its turn.
  for (u32 i = 0; i < names.size(); ++i) {
    wide.graph.edge(states[0], i, states[1]);
    wide.graph.edge(states[1], i, states[0]);
  }
  Arena& arena = wide.memory.arena;
  wide.view.chooser = {&wide, [](void*, u64 index, u32 count, const SuccessorBuffer&) {
                         return index == 0 ? 0u : static_cast<u32>((index - 1) % count);
                       }};
  Model model = wide.graph.model();
  model.max_successors = static_cast<u32>(names.size());
  Replay replay;
  replay.plan(model, arena);
  wide.view.replay = &replay;
  wide.chart = plan_chart(wide.words, 1, arena);
  const std::string svg = wide.write(&write_svg_chart);
  CHECK(svg.find("(others): 4 processes, a chart has 64 lifelines") != std::string::npos);
  CHECK(svg.find("the first 10 rows are left out, a picture has 5000") != std::string::npos);
  CHECK(svg.find(">10</text>") == std::string::npos);
  CHECK(svg.find(">11</text>") != std::string::npos);
  CHECK(svg.find(">5010</text>") != std::string::npos);
  const std::string text = wide.write(&write_text_chart);
  CHECK(text.find("(others): 4 processes, a chart has 64 lifelines") != std::string::npos);
  CHECK(text.find("\n    1 ") != std::string::npos);
  CHECK(text.find("\n 5010 ") != std::string::npos);
}

}  // namespace chart_test
