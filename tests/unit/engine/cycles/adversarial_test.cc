// Graphs made to break an engine that does its bookkeeping naively. Each test says in its comment
// which naive code it catches; each was seen to fail with that code.
#include <doctest/doctest.h>

#include <random>

#include <string>

#include "engine/cycles/live_engine.h"
#include "engine/diagram/diagram_engine.h"
#include "engine/recent/local.h"
#include "engine/recent/serial.h"
#include "engine_lists.h"
#include "flash_trial.h"

using namespace xmc;
using namespace xmc_test;

namespace adversarial_test {

namespace {

template <class Levels>
const auto& set_of(Engine* engine) {
  return static_cast<LiveEngine<Levels>*>(engine)->levels().set();
}

// `cached` may give up, `symbolic` takes no graphs, and `live` is `diagram` here.
const Names kEveryEngine = safety_engines_but({"ram", "cached", "live", "symbolic", "explicit"});

// An engine that does not come to an end is stopped by a limit, and then not complete.
SearchOptions bounded(const Graph& g) {
  SearchOptions options = counting();
  options.state_limit = u64{20} * g.size() + 1000;
  return options;
}

void check_exact(const std::string& name, Graph& g) {
  Disk disk(g.size() < 10000 ? 8 << 20 : 128 << 20);
  Trial run(name.c_str());
  const u64 extra = name == "diagram" ? 4 << 20 : 0;
  const Status status = run.go(g.model(), bounded(g), disk.folder, extra);
  INFO(name, ", ", g.size(), " nodes of ", g.bytes, " bytes: ", status.message());
  REQUIRE(status.ok());
  check_figures(run.outcome, naive_figures(g), name != "part");
}

// A band of states, each with a step to the next and a few to others near; one in `rare` has a step
// back to any age.
Graph band(u32 seed, u32 nodes, u32 rare, u32 words, u32 bytes) {
  Random random(seed * 31 + 7);
  Graph g(nodes, words, bytes);
  const u32 width = 2 + random() % 60;
  for (u32 v = 0; v < nodes; ++v) {
    if (v + 1 < nodes) g.edges[v].push_back(v + 1);
    for (u32 i = random() % 3; i > 0; --i) {
      g.edges[v].push_back(std::min(nodes - 1, v + 1 + random() % width));
    }
    if (random() % rare == 0) g.edges[v].push_back(random() % (v + 1));
  }
  return g;
}

// A tree whose leaves, most of the states and all in the last two levels, have steps to any others.
Graph bush(u32 seed, u32 nodes) {
  Random random(seed * 17 + 3);
  Graph g(nodes, 1, 8);
  constexpr u32 kBranches = 9;
  for (u32 v = 0; v < nodes; ++v) {
    const u32 first = v * kBranches + 1;
    for (u32 to = first; to < std::min(first + kBranches, nodes); ++to) g.edges[v].push_back(to);
    if (first >= nodes) {
      for (u32 i = 0; i < 3; ++i) g.edges[v].push_back(random() % nodes);
    }
  }
  return g;
}

}  // namespace

// --- Forgotten states -------------------------------------------------------------------------

// Naive: a cache that forgets, but counts all it enqueues (no find_repeats at the end); repeats
// whose expansions are not taken back; a cache that gave up and says that it is complete.
TEST_CASE("cached decides exactly, forgotten states or not, or does not decide") {
  u32 forgetful = 0;
  u32 undecided = 0;
  for (u32 seed = 1; seed <= 60; ++seed) {
    Graph g = band(seed, 1200 + seed * 25, 4, 1, 8);
    const NaiveFigures f = naive_figures(g);
    Disk disk(1 << 20);
    Trial run("cached");
    INFO("seed ", seed);
    REQUIRE(run.go(g.model(), bounded(g), disk.folder).ok());
    if (!run.outcome.complete) {
      REQUIRE(run.outcome.stop == StopReason::collisions);
      ++undecided;
      continue;
    }
    check_figures(run.outcome, f, true);
    forgetful += run.outcome.stats.repeats != kNoFigure;
  }
  CHECK(forgetful > 5);
  CHECK(undecided > 5);
}

// Naive: D made from the cache alone, as printed in the paper: a state that was forgotten returns
// as a new one on a wrong level. Also: the hand-over keeps repeats, or their counts.
TEST_CASE("serial hands over what the cache forgot, too") {
  constexpr u32 kRuns = 40;
  u32 early = 0;      // by the share that was forgotten
  u32 late = 0;       // because that pays
  u32 forgetful = 0;  // never, though states were forgotten and came again
  for (u32 seed = 1; seed <= kRuns; ++seed) {
    Graph g = band(seed, 2800 + seed * 125, 3, 1 + seed % 2, 8 + seed % 2 * 5);
    const NaiveFigures figures = naive_figures(g);
    for (const bool paper : {true, false}) {
      SearchOptions options = bounded(g);
      if (paper) options.collision_percent = 10;
      Disk disk(4 << 20);
      Trial run("serial");
      INFO("seed ", seed, paper ? ", 10%" : "");
      REQUIRE(run.go(g.model(), options, disk.folder).ok());
      check_figures(run.outcome, figures, true);
      const bool over = set_of<SerialEngine>(run.engine).handed_over();
      (paper ? early : late) += over;
      forgetful += !paper && !over && run.outcome.stats.repeats != kNoFigure;
    }
  }
  CHECK(early > kRuns / 2);
  CHECK(early < kRuns);
  CHECK(late > 5);
  CHECK(late < early);
  CHECK(forgetful > 5);
}

// Naive: the cache is kept for as long as its repeats cost less than scans. A thin ring of states,
// of which it has a few, is gone round for ever.
TEST_CASE("serial hands over when a few repeats never end") {
  constexpr u32 kNodes = 40000;
  constexpr u32 kWidth = 64;
  Random random(3);
  Graph g(kNodes, 1, 8);
  for (u32 v = 0; v < kNodes; ++v) {
    const u32 next = (v / kWidth + 1) * kWidth;
    for (u32 i = 0; i < 4; ++i) g.edges[v].push_back((next + random() % kWidth) % kNodes);
  }
  Disk disk(32 << 20);
  Trial run("serial");
  REQUIRE(run.go(g.model(), bounded(g), disk.folder, 128 << 10).ok());
  check_figures(run.outcome, naive_figures(g), true);
  CHECK(set_of<SerialEngine>(run.engine).handed_over());
}

// Naive: repeats that wait in the queue make a level; a run that is stopped after the hand-over
// goes on with the counts from before it, or expands repeats again whose counts were taken back.
TEST_CASE("serial hands over where nothing but repeats is left, and is stopped there") {
  u32 handed_over = 0;
  u32 stopped = 0;
  for (u32 seed = 1; seed <= 40; ++seed) {
    Graph g = bush(seed, 3000 + seed * 150);
    SearchOptions options = bounded(g);
    options.collision_percent = 5 + seed % 8 * 6;
    const NaiveFigures figures = naive_figures(g);
    INFO("seed ", seed);
    {
      Disk disk(4 << 20);
      Trial run("serial");
      REQUIRE(run.go(g.model(), options, disk.folder).ok());
      check_figures(run.outcome, figures, true);
      handed_over += set_of<SerialEngine>(run.engine).handed_over();
    }
    Disk disk(4 << 20);
    Trial run("serial");
    Checkpoints checkpoints(1 << 20);
    options.checkpoints = &checkpoints;
    RunControl control;
    control.self = run.engine;
    control.poll = [](void* self, const Progress&) {
      const bool over = set_of<SerialEngine>(static_cast<Engine*>(self)).handed_over();
      return over ? StopReason::signal : StopReason::none;
    };
    REQUIRE(run.go(g.model(), options, disk.folder, 0, control).ok());
    if (run.outcome.complete) continue;
    ++stopped;
    Manifest from;
    REQUIRE(from.assign(checkpoints.last.text()));
    options.resume = &from;
    options.checkpoints = nullptr;
    Trial again("serial");
    REQUIRE(again.go(g.model(), options, disk.folder).ok());
    check_figures(again.outcome, figures, true);
  }
  CHECK(handed_over > 10);
  CHECK(stopped > 10);
}

// Naive: no full detection from time to time: a cycle that is longer than what a partial detection
// reads is gone round for ever. Also: repeats are counted (no find_repeats).
TEST_CASE("local ends, and counts a state once that it took for new") {
  u32 partial = 0;
  u32 repeated = 0;
  for (u32 seed = 1; seed <= 4; ++seed) {
    // States of 256 bytes: the newest blocks, which are read, hold a thousand of them.
    Graph g = band(seed, 6000 + seed * 500, 40, 32, 256);
    g.edges[g.size() - 1].push_back(0);
    Disk disk(32 << 20);
    Trial run("local");
    INFO("seed ", seed);
    REQUIRE(run.go(g.model(), bounded(g), disk.folder).ok());
    check_figures(run.outcome, naive_figures(g), true);
    partial += set_of<LocalEngine>(run.engine).partial_detections() > 0;
    repeated += run.outcome.stats.repeats != kNoFigure;
  }
  CHECK(partial > 2);
  CHECK(repeated > 2);
}

// --- Late duplicates, long back edges ---------------------------------------------------------

// Naive: a candidate that was expanded since the last detection (it is in C) stays one to expand:
// insert(s, false) does not override; what repeats had counted is not taken back; C is not compared
// at all.
TEST_CASE("dddd counts late duplicates once, on their true levels") {
  u32 repeated = 0;
  u32 trained = 0;
  for (u32 seed = 1; seed <= 40; ++seed) {
    // More than the table remembers. Where every level has a step back to anywhere, going on
    // without a detection for a hundred levels repeats each state some dozen times.
    Graph g = band(seed, 6000 + seed * 250, 2 + seed % 9, 1, 8);
    Disk disk(32 << 20);
    Trial run("dddd");
    INFO("seed ", seed);
    SearchOptions options = bounded(g);
    options.state_limit = u64{100} * g.size();
    options.partial_lengths = seed % 5;
    if (seed % 4 == 0) {
      // Reads that cost as much as expansions.
      options.training = true;
      options.now_ns = [] {
        static u64 time = 0;
        return time += 1000;
      };
    }
    REQUIRE(run.go(g.model(), options, disk.folder).ok());
    check_figures(run.outcome, naive_figures(g), true);
    if (!options.training) CHECK(run.outcome.stats.delayed_detections > 0);
    trained += options.training && run.outcome.stats.delayed_detections > 0;
    repeated += run.outcome.stats.repeats != kNoFigure;
  }
  CHECK(repeated > 20);
  CHECK(trained > 0);
}

// Naive: after a resume only what the new cache forgets may be a repeat. In more memory it
// remembers states that are in the queue twice already; in less, it forgets more than the
// checkpoint says.
TEST_CASE("a cache goes on in more or less memory") {
  for (const char* const name : {"cached", "serial"}) {
    u32 resumed = 0;
    for (u32 seed = 1; seed <= 12; ++seed) {
      Graph g = band(seed, 1500 + seed * 40, 4, 1, 8);
      SearchOptions options = counting();
      options.collision_percent = 100;
      Checkpoints checkpoints(1);
      options.checkpoints = &checkpoints;
      Disk disk(4 << 20);
      u32 polls = 0;
      RunControl control;
      control.self = &polls;
      control.poll = [](void* self, const Progress& progress) {
        const bool enough = progress.states > 1200 && ++*static_cast<u32*>(self) > 3;
        return enough ? StopReason::signal : StopReason::none;
      };
      INFO(name, ", seed ", seed);
      Trial run(name);
      const u64 more = 40000;
      REQUIRE(run.go(g.model(), options, disk.folder, seed % 2 * more, control).ok());
      if (run.outcome.complete || checkpoints.count == 0) continue;
      ++resumed;
      Manifest from;
      REQUIRE(from.assign(checkpoints.last.text()));
      options.resume = &from;
      options.checkpoints = nullptr;
      Trial again(name);
      REQUIRE(again.go(g.model(), options, disk.folder, (seed + 1) % 2 * more).ok());
      check_figures(again.outcome, naive_figures(g), true);
    }
    CHECK(resumed > 6);
  }
}

// Naive: detection among the states of the last levels only, since duplicates are near "as a rule".
TEST_CASE("steps back over thousands of levels are found") {
  for (const char* const name : {"dddd", "auto", "local", "serial"}) {
    for (const u32 back : {1023u, 1024u, 1025u, 2500u}) {
      Graph g(3000, 1, 8);
      for (u32 v = 0; v < g.size(); ++v) {
        if (v + 1 < g.size()) g.edges[v] = {v + 1};
        if (v % 3 == 0 && v >= back) g.edges[v].push_back(v - back);
      }
      check_exact(name, g);
    }
  }
}

// Naive: a set that has gone to flash is compared with its part in memory only.
TEST_CASE("auto finds states in the runs it has spilled") {
  for (u32 seed = 1; seed <= 2; ++seed) {
    Graph g = band(seed, 60000, 6, 2, 16);
    std::mt19937_64 noise(seed);  // a set without structure has no small diagram
    for (u32 v = 0; v < g.size(); ++v) {
      for (Word& word : g.state_of[v]) word = noise();
    }
    REQUIRE(g.number_states());
    Disk disk(32 << 20);
    Trial run("explicit");
    INFO("seed ", seed);
    REQUIRE(run.go(g.model(), bounded(g), disk.folder).ok());
    check_figures(run.outcome, naive_figures(g), true);
    CHECK(static_cast<DiagramEngine*>(run.engine)->set().spills() > 0);
  }
}

// Naive: what is left of a batch when the diagram goes to flash is new if that was not known
// before. First there are states that fit a small diagram, so that batches are large; then so many
// others that the rest of a batch waits on flash while the memory is shared out anew, and the
// diagram is full before all of it came back. Later levels are wide enough to become runs by
// themselves; naive: without a look at those before.
TEST_CASE("auto compares the rest of a batch with what has just been spilled") {
  for (u32 seed = 1; seed <= rounds(12); ++seed) {
    const u32 plain = 40000;
    const u32 nodes = plain + 40000;
    Random random(seed);
    Graph g(nodes, 1, 8);
    std::mt19937_64 noise(seed);
    for (u32 v = 0; v < nodes; ++v) {
      g.state_of[v][0] = v < plain ? v : noise() | u64{1} << 63;
      if (v < plain) {
        for (u32 i = 1; i <= 3; ++i) g.edges[v].push_back(std::min(3 * v + i, plain));
      } else {
        for (u32 i = 0; i < 4; ++i) g.edges[v].push_back(plain + random() % (nodes - plain));
      }
    }
    REQUIRE(g.number_states());
    Disk disk(32 << 20);
    Trial run("explicit");
    INFO("seed ", seed);
    run.prepare = [&](Engine& e) { static_cast<DiagramEngine&>(e).hand_over_after(5000); };
    REQUIRE(run.go(g.model(), bounded(g), disk.folder, (256 + seed % 6 * 64) << 10).ok());
    check_figures(run.outcome, naive_figures(g), true);
  }
}

// Naive: digits that were joined by the values of the first states have numbers for all later ones.
TEST_CASE("auto takes digits apart that get new values late, with states on flash too") {
  u32 split = 0;
  u32 kept = 0;  // without building the set again
  u32 spilled = 0;
  for (u32 seed = 1; seed <= 6; ++seed) {
    const u32 nodes = 90000;
    const bool small = seed % 2 != 0;
    Graph g = band(seed, nodes, 6, 2, 16);
    std::mt19937_64 noise(seed);
    for (u32 v = 0; v < g.size(); ++v) {
      // Two bytes tell the nodes apart for a while, the others follow from a few values. Where
      // these follow from the node, the diagram stays small.
      const u64 any = small ? v / 64 : noise();
      const u64 value = any % (v < nodes / 2 ? 3 : 3 + (v - nodes / 2) / 40);
      g.state_of[v][0] = value * 0x9E37'79B9'7F4A'7C15u;
      g.state_of[v][1] = v | (value * value) << 40;
    }
    REQUIRE(g.number_states());
    Disk disk(32 << 20);
    Trial run("explicit");
    INFO("seed ", seed);
    if (small) {
      run.prepare = [](Engine& e) { static_cast<DiagramEngine&>(e).hand_over_after(20000); };
    }
    REQUIRE(run.go(g.model(), bounded(g), disk.folder, small ? 1 << 20 : 0).ok());
    check_figures(run.outcome, naive_figures(g), true);
    const DiagramVisited& set = static_cast<DiagramEngine*>(run.engine)->set();
    split += set.splits() > 0 ? 1 : 0;
    kept += set.splits() + 1 > set.rebuilds() ? 1 : 0;
    spilled += set.splits() > 0 && set.spills() > 0 ? 1 : 0;
  }
  CHECK(split >= 3);
  CHECK(kept >= 3);
  CHECK(spilled > 0);
}

// Naive: an empty frontier is the end. With a detection still due, the states since the last one
// are not known to be new. First the last level has no steps at all, then only steps that a partial
// detection finds to be old.
TEST_CASE("an empty frontier is not the end of dddd") {
  for (u32 nodes = 30; nodes < 130; ++nodes) {
    for (const u32 back : {0u, 1u, 4u, 9u}) {
      Graph g(nodes, 1, 8);
      for (u32 v = 0; v < nodes; ++v) {
        if (v + 1 < nodes) g.edges[v] = {v + 1};
        if (back > 0 && v >= back) g.edges[v].push_back(v - back);
      }
      Disk disk(1 << 20);
      Trial run("dddd");
      INFO(nodes, " nodes, steps back over ", back);
      REQUIRE(run.go(g.model(), bounded(g), disk.folder).ok());
      check_figures(run.outcome, naive_figures(g), true);
    }
  }
}

// --- Corners ----------------------------------------------------------------------------------

// Naive: initial states are enqueued as they come, repeats included; or only the first one is.
TEST_CASE("several initial states, some of them twice") {
  for (const std::string& name : kEveryEngine) {
    for (u32 seed = 1; seed <= 6; ++seed) {
      Random random(seed);
      Graph g = random_graph(seed, 400, 2);
      g.initial.clear();
      for (u32 i = 1 + random() % 100; i > 0; --i) g.initial.push_back(random() % 60);
      g.initial.push_back(g.initial.front());
      check_exact(name, g);
    }
  }
}

// Naive: a slot of zeros is an empty slot.
TEST_CASE("states of zeros and of ones are states") {
  for (const std::string& name : kEveryEngine) {
    for (u32 seed = 0; seed < 12; ++seed) {
      const u32 words = 1 + seed % 3;
      const u32 bytes = 8 * words - seed % 8;
      Graph g = random_graph(seed + 50, 40, 4, words, bytes);
      const u64 mask = ~u64{0} >> (64 - 8 * (bytes - 8 * (words - 1)));
      g.state_of[seed % 2].assign(words, 0);
      g.state_of[1 - seed % 2].assign(words, ~u64{0});
      g.state_of[1 - seed % 2].back() &= mask;
      g.state_of[2] = g.state_of[1 - seed % 2];
      g.state_of[2].front() &= ~u64{1};
      REQUIRE(g.number_states());
      for (u32 v = 0; v < g.size(); ++v) {
        for (u32 to : {0u, 1u, 2u, 3u + v % 37u}) g.edges[v].push_back(to);
      }
      check_exact(name, g);
    }
  }
}

// Naive: states expanded since the last detection are not among those that candidates are compared
// with: a step from a state to itself is a step to a new state for ever.
TEST_CASE("one state, and steps that lead nowhere else") {
  for (const std::string& name : kEveryEngine) {
    for (u32 loops = 0; loops < 4; ++loops) {
      Graph one(1, 1, 1);
      one.edges[0].assign(loops, 0);
      check_exact(name, one);
      Graph many(300, 1, 8);
      many.initial.clear();
      for (u32 v = 0; v < many.size(); v += 1 + v % 3) many.initial.push_back(v);
      for (u32 v = 0; v < many.size(); ++v) many.edges[v].assign(loops, v);
      check_exact(name, many);
    }
  }
}

// Naive: a partition fits the memory, if only the partitions are small enough; Q_unck fits the
// table.
TEST_CASE("a level of more candidates than all partitions hold") {
  for (const char* const name : {"part", "disk", "serial", "hddd", "dddd", "auto"}) {
    const u32 leaves = std::string(name) == "part" ? 1 << 17 : 1 << 16;
    Graph g(2 * leaves, 1, 8);
    for (u32 v = 1; v < leaves; ++v) g.edges[v] = {2 * v, 2 * v + 1, (2 * v + 8) % (2 * leaves)};
    for (u32 v = leaves; v < 2 * leaves; ++v) g.edges[v] = {v / 2, v};
    g.initial = {1};
    check_exact(name, g);
  }
}

TEST_CASE("a level without repeats behind one of many: passes for fewer states begin again") {
  constexpr u32 kFan = 32;
  constexpr u32 kParents = 1 + kFan + kFan * kFan;  // numbered from 0, level by level
  constexpr u32 kWide = kFan * kFan * kFan;
  constexpr u32 kMiddle = 20000;
  constexpr u32 kChildren = 8;
  for (const char* const name : {"hddd", "dddd"}) {
    const u32 middle = kParents + kWide;
    const u32 last = middle + kMiddle;
    Graph g(last + kMiddle * kChildren, 1, 8);
    for (u32 v = 0; v < kParents; ++v) {
      for (u32 i = 1; i <= kFan; ++i) g.edges[v].push_back(v * kFan + i);
    }
    std::mt19937 random(1);
    for (u32 v = kParents; v < middle; ++v) {
      for (u32 i = 0; i < 6; ++i) {
        g.edges[v].push_back(middle + static_cast<u32>(random() % kMiddle));
      }
    }
    for (u32 v = middle; v < last; ++v) {
      for (u32 i = 0; i < kChildren; ++i) {
        g.edges[v].push_back(last + (v - middle) * kChildren + i);
      }
    }
    for (u32 v = last; v < last + kMiddle * kChildren; ++v) g.edges[v] = {v, v - kChildren};
    g.initial = {0};
    check_exact(name, g);
  }
}

}  // namespace adversarial_test
