// Searches on several threads against the same searches on one: everything that can be seen must be
// the same, down to the bytes of the queue and the text of the last checkpoint.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "engine/diagram/diagram_engine.h"
#include "engine/registry.h"
#include "engine/search/file_names.h"
#include "engine_lists.h"
#include "flash_trial.h"
#include "graph_models.h"
#include "platform/device_fault.h"
#include "platform/device_ram.h"
#include "store/checkpoint/manifest.h"
#include "thread_trial.h"

using namespace xmc;
using namespace xmc_test;

namespace threads_test {

namespace {

// Wide levels, with repeats inside a level and to the one before, dead ends and self-loops. States
// without any structure do not fit a diagram of this size, so there are others for that.
Graph wide(const char* engine, u32 seed, u32 nodes, u32 most_edges) {
  Random random(seed);
  const bool plain = std::string(engine) == "diagram" || (engine[0] == 'a' && seed % 3 != 0);
  const u32 words = plain ? 1 : 1 + seed % 3;
  Graph g(nodes, words, plain ? 2 : 8 * (words - 1) + 3 + seed % 6);
  const u32 width = nodes / (3 + random() % 10) + 1;
  for (u32 v = 0; v < nodes; ++v) {
    const u32 count = 1 + random() % most_edges;
    for (u32 i = 0; i < count; ++i) {
      const u32 to = v / width * width + random() % (2 * width);
      g.edges[v].push_back(std::min(nodes - 1, to));
    }
    if (random() % 40 == 0) g.edges[v].clear();
    if (random() % 40 == 0) g.edges[v] = {v};
    if (random() % 50 == 0) g.errors[v] = 1 + random() % 3;
  }
  // Something leads everywhere.
  for (u32 v = 0; v + 1 < nodes; v += 1 + random() % 3) g.edges[v].push_back(v + 1);
  return g;
}

struct Seen {
  Status status;
  SearchOutcome outcome;
  std::vector<u8> queue;
  std::string checkpoint;
  std::vector<u32> path;
  u32 polls = 0;
};

struct Wish {
  SearchOptions options;
  u64 extra_bytes = 0;
  u32 checkpoint_every = 0;
  u32 stop_at_poll = 0;
};

std::vector<u8> contents(Folder& folder, const char* name) {
  const Result<Device*> file = folder.open(name, Folder::Open::existing);
  if (!file.ok()) return {};
  Region region(static_cast<std::size_t>(file.value()->size_bytes()));
  const ReadRequest request{0, region.memory};
  if (!region.memory.empty()) REQUIRE(file.value()->read({&request, 1}, Purpose::queue).ok());
  folder.close(file.value());
  return {region.memory.begin(), region.memory.end()};
}

Seen search(const char* name, Graph& g, const Wish& wish, u32 thread_count,
            Folder* given = nullptr) {
  Region disk(given != nullptr ? 1 << 20 : 6 << 20);
  RamFolder own(disk.memory);
  Folder& folder = given != nullptr ? *given : own;
  // Looking ahead moves the polls inside a level, and with them the checkpoints there.
  Checkpoints checkpoints(wish.checkpoint_every, std::string(name) != "auto");
  void* executors[limits::kThreads];
  std::fill(std::begin(executors), std::end(executors), static_cast<void*>(&g));
  SearchOptions options = wish.options;
  options.folder = &folder;
  options.parallel = threads(thread_count);
  options.executors = executors;
  if (wish.checkpoint_every != 0) options.checkpoints = &checkpoints;

  Engine* engine = find_engine(name).value();
  DiagramEngine diagram(std::string(name) == "auto");
  const bool is_diagram = std::string(name) == "auto" || std::string(name) == "diagram";
  if (is_diagram) engine = &diagram;
  const Model model = g.model();
  Region region(
      static_cast<std::size_t>(engine->minimum_bytes(model, options) + wish.extra_bytes + 4096));
  Arena arena(region.memory);
  Seen seen;
  REQUIRE(engine->plan(model, options, arena).ok());
  if (is_diagram) diagram.hand_over_after(300);
  arena.seal();
  struct Stop {
    Seen& seen;
    u32 at;
  } stop{seen, wish.stop_at_poll};
  RunControl control;
  control.self = &stop;
  control.poll = [](void* self, const Progress&) {
    auto* const s = static_cast<Stop*>(self);
    return ++s->seen.polls == s->at ? StopReason::signal : StopReason::none;
  };
  seen.status = engine->run(control, seen.outcome);
  if (!seen.status.ok()) return seen;
  if (seen.outcome.violation != Violation::none) seen.path = engine_path(*engine, g, seen.outcome);
  if (given == nullptr) {
    seen.queue = contents(folder, kQueueFile);
  }
  seen.checkpoint = std::string(checkpoints.last.text());
  return seen;
}

void check_same(const Seen& one, const Seen& many) {
  REQUIRE(one.status.ok());
  REQUIRE(many.status.ok());
  const SearchOutcome& a = one.outcome;
  const SearchOutcome& b = many.outcome;
  REQUIRE(a.complete == b.complete);
  REQUIRE(a.stop == b.stop);
  REQUIRE(a.violation == b.violation);
  REQUIRE(a.predicate == b.predicate);
  REQUIRE(a.error_label == b.error_label);
  REQUIRE(a.prefix_steps == b.prefix_steps);
  REQUIRE(a.minimal == b.minimal);
#define XMC_STAT(name, help) REQUIRE(a.stats.name == b.stats.name);
#include "xmc/stats.def"
#undef XMC_STAT
  REQUIRE(one.path == many.path);
  REQUIRE(one.checkpoint == many.checkpoint);
  REQUIRE(one.queue.size() == many.queue.size());
  REQUIRE(one.queue == many.queue);
}

// In the least memory a diagram spills soon, and without that it ends; with some of it there are
// several batches in a level, and with more there is one.
u64 extra_bytes(const char* name, u32 seed) {
  const u64 least = seed % 4 == 0 ? 0 : 100'000;
  if (std::string(name) == "auto") return least + seed % 3 * 500'000;
  return std::string(name) == "diagram" ? 2'000'000 : least;
}

bool is_part(const char* name) { return std::string(name) == "part"; }

// `live` is `diagram` here, `explicit` a part of `auto`, and `symbolic` has one thread.
const Names kEngines = safety_engines_but({"live", "symbolic", "explicit"});

// The engine's share of the memory is the same for any number of threads.
void compare(const char* name, Graph& g, const Wish& wish) {
  const Seen one = search(name, g, wish, 1);
  for (u32 count : {2u, 3u, 4u, kLazy}) {
    INFO(count, " threads");
    check_same(one, search(name, g, wish, count));
  }
}

}  // namespace

TEST_CASE("threads change nothing in a whole search") {
  for (const std::string& engine : kEngines) {
    const char* const name = engine.c_str();
    for (u32 seed = 1; seed <= rounds(6); ++seed) {
      Graph g = wide(name, seed, 6000 + seed * 1500, seed == 3 ? 40 : 5);
      Wish wish;
      wish.options = counting();
      if (seed % 2 == 0) wish.options.deadlock = DeadlockRule::stuttering;
      if (seed % 3 == 0) wish.options.errors_violate = true;
      wish.extra_bytes = extra_bytes(name, seed);
      if (seed % 2 == 0) wish.checkpoint_every = 3;
      INFO(std::string(name), ", seed ", seed);
      compare(name, g, wish);
    }
  }
}

TEST_CASE("threads change nothing in what is found first") {
  for (const std::string& engine : kEngines) {
    const char* const name = engine.c_str();
    u32 found = 0;
    for (u32 seed = 1; seed <= rounds(12); ++seed) {
      Random random(seed + 50);
      Graph g = wide(name, seed, 5000 + random() % 5000, 4);
      for (u32 i = 0; i < 3; ++i) g.violated[g.size() / 8 + random() % (g.size() / 2)] = i;
      for (u32& e : g.errors) e = 0;
      Wish wish;
      wish.options = counting();
      wish.options.full = seed % 4 == 0;
      wish.extra_bytes = 300'000 + extra_bytes(name, seed);
      wish.checkpoint_every = seed % 3;
      INFO(std::string(name), ", seed ", seed);
      compare(name, g, wish);
      const Seen seen = search(name, g, wish, 2);
      found += seen.outcome.violation == Violation::predicate;
      if (!seen.path.empty()) REQUIRE(valid_path(g, seen.path));
    }
    CHECK(found > rounds(12) / 2);
  }
}

TEST_CASE("threads change nothing at limits") {
  for (const std::string& engine : kEngines) {
    const char* const name = engine.c_str();
    for (u32 seed = 1; seed <= rounds(4); ++seed) {
      Graph g = wide(name, seed, 9000, 5);
      const NaiveFigures f = naive_figures(g);
      INFO(std::string(name), ", seed ", seed);
      for (const u64 depth : {u64{0}, f.levels / 3, f.levels / 2, f.levels - 1}) {
        if (is_part(name)) break;  // it has no levels
        Wish wish;
        wish.options = counting();
        wish.options.depth_limit = depth;
        wish.extra_bytes = extra_bytes(name, seed);
        compare(name, g, wish);
      }
      for (const u64 limit : {u64{10}, f.states / 3, f.states / 2, f.states - 1, f.states}) {
        Wish wish;
        wish.options = counting();
        wish.options.state_limit = limit;
        wish.extra_bytes = extra_bytes(name, seed);
        wish.checkpoint_every = 5;
        compare(name, g, wish);
      }
    }
  }
}

// Batches of many chunks, so that much is expanded beside them: of this level and of the next one.
TEST_CASE("looking ahead changes nothing") {
  for (u32 seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    Graph g = wide("diagram", seed, 40000 + random() % 20000, 4);
    for (u32& e : g.errors) e = 0;
    Wish wish;
    wish.options = counting();
    wish.checkpoint_every = seed % 3;
    wish.extra_bytes = seed % 2 == 0 ? 600'000 : 2'000'000;
    if (seed > 3) {
      for (u32 i = 0; i < 2; ++i) g.violated[g.size() / 4 + random() % (g.size() / 2)] = i;
      wish.options.full = seed % 3 == 0;
    }
    const NaiveFigures f = naive_figures(g);
    if (seed % 5 == 0) wish.options.state_limit = f.states * (1 + random() % 5) / 5;
    if (seed % 5 == 1) wish.options.depth_limit = f.levels / 2;
    INFO("seed ", seed);
    const Seen one = search("auto", g, wish, 1);
    for (u32 count : {kLazy, 2u, 3u}) {
      INFO(count, " threads");
      check_same(one, search("auto", g, wish, count));
    }
  }
}

// Looking ahead moves polls inside a level, so that a stop at the k-th one is somewhere else there;
// what is left is always a point from which the run can go on.
TEST_CASE("a search on threads that is stopped goes on as on one") {
  for (const std::string& engine : kEngines) {
    const char* const name = engine.c_str();
    if (std::string(name) == "ram" || std::string(name) == "cached") continue;
    for (u32 seed = 1; seed <= 4; ++seed) {
      Graph g = wide(name, seed, 12000, 5);
      const NaiveFigures f = naive_figures(g);
      INFO(std::string(name), ", seed ", seed);
      Region disk(6 << 20);
      RamFolder folder(disk.memory);
      Manifest from;
      Seen seen;
      for (u32 round = 0; round < 40 && !seen.outcome.complete; ++round) {
        Wish wish;
        wish.options = counting();
        if (round > 0) wish.options.resume = &from;
        wish.stop_at_poll = 2 + round;
        wish.extra_bytes = extra_bytes(name, seed);
        wish.checkpoint_every = 4;
        seen = search(name, g, wish, round % 5, &folder);
        REQUIRE(seen.status.ok());
        if (!seen.outcome.complete) REQUIRE(from.assign(seen.checkpoint));
      }
      REQUIRE(seen.outcome.complete);
      REQUIRE(seen.outcome.stats.states == f.states);
      REQUIRE(seen.outcome.stats.transitions == f.transitions);
      if (!is_part(name)) REQUIRE(seen.outcome.stats.levels == f.levels);
      REQUIRE(seen.outcome.stats.deadlocks == f.deadlocks);
    }
  }
}

TEST_CASE("a failing device ends a search on threads with its error") {
  for (const std::string& engine : kEngines) {
    const char* const name = engine.c_str();
    Graph g = wide(name, 4, 60000, 5);
    // The cache gives up before it meets an error.
    if (std::string(name) == "ram" || std::string(name) == "cached") continue;
    for (u32 round = 0; round < 6; ++round) {
      Region disk(6 << 20), journal(4 << 20);
      RamFolder below(disk.memory);
      FaultFolder folder(below, journal.memory);
      FaultPlan plan;
      // Numbers in a row take little space, and few transfers.
      const u32 at = g.bytes == 2 ? 1 : 1 + round / 2;
      if (round % 2 == 0) plan.fail_write_at = at;
      if (round % 2 == 1) plan.fail_read_at = at;
      folder.arm(plan);
      Wish wish;
      wish.options = counting();
      INFO(std::string(name), ", round ", round);
      const Seen seen = search(name, g, wish, round < 3 ? 3 : kLazy, &folder);
      CHECK(seen.status.code() == Code::io);
    }
  }
}

}  // namespace threads_test
