// Searches with one bit per state that are stopped again and again: work is kept, both of the last
// two checkpoints stay good, and what a power cut leaves behind them is cut off.
#include "engine/cycles/cycle_engine.h"

#include <atomic>

#include "flash_trial.h"
#include "graph_families.h"
#include "random_product.h"
#include "thread_trial.h"
#include "two_checkpoints.h"

using namespace xmc;
using namespace xmc_test;

namespace search_resume_test {

namespace {

struct Way {
  const char* engine;
  IndexKind index;
  bool gastin_moro;
  EdgeUse edges = EdgeUse::automatic;
  bool phf_in_ram = false;
  u32 threads = 1;
  bool windows = false;
};

const Way kWays[] = {{"double-dfs", IndexKind::rank, false},
                     {"double-dfs", IndexKind::phf, false},
                     {"double-dfs", IndexKind::automatic, false, EdgeUse::on},
                     {"iddfs", IndexKind::phf, false},
                     {"min-cex", IndexKind::rank, true},
                     {"min-cex", IndexKind::phf, true},
                     {"min-cex", IndexKind::rank, true, EdgeUse::automatic, false, 2},
                     {"min-cex", IndexKind::phf, true, EdgeUse::automatic, true, 4},
                     {"owcty", IndexKind::automatic, false, EdgeUse::on},
                     {"map", IndexKind::automatic, false, EdgeUse::on},
                     {"trim", IndexKind::automatic, false, EdgeUse::on, false, 1, true}};

// Emulated and sanitized builds have other tests of threads.
bool left_out(const Way& way) { return way.threads > 1 && rounds(100) < 100; }

// Of the model, whoever counts them. 32 bits: ARMv5 has no wider atomics without a library.
std::atomic<u32> expansions = 0;
Expansion (*expand_graph)(void*, const Word*, const SuccessorBuffer&) = nullptr;

Model counted(Graph& g) {
  Model model = g.model();
  expand_graph = model.expand;
  model.expand = [](void* self, const Word* state, const SuccessorBuffer& out) {
    ++expansions;
    return expand_graph(self, state, out);
  };
  return model;
}

SearchOptions options_of(const Way& way) {
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  options.cycles.index = way.index;
  options.cycles.gastin_moro = way.gastin_moro;
  options.cycles.edges = way.edges;
  options.cycles.phf_in_ram = way.phf_in_ram;
  options.cycles.windows = way.windows;
  // Its table takes some time to make: for one of the ways only.
  const bool near = std::string(way.engine) == "double-dfs" && way.index == IndexKind::phf;
  options.cycles.near_pages = near ? 2 : ~u32{0};
  return options;
}

// All of them are the graph: expanding only reads.
struct Executors {
  explicit Executors(Graph& g) { std::fill(std::begin(of), std::end(of), static_cast<void*>(&g)); }
  void* of[limits::kThreads];
};

struct Expected {
  SearchOutcome outcome;
  u64 searching = 0;  // expansions behind those of the breadth-first search
  std::vector<u32> path;
};

Expected run_through(const Way& way, Graph& g, u64 memory) {
  Disk disk;
  Trial run(way.engine);
  REQUIRE(run.go(g.model(), options_of(way), disk.folder, memory).ok());
  REQUIRE(run.outcome.stop == StopReason::none);
  Expected expected{run.outcome, run.outcome.stats.expansions - run.outcome.stats.states, {}};
  if (way.gastin_moro) expected.path = engine_path(*run.engine, g, run.outcome);
  return expected;
}

// Levels of the breadth-first search have states; passes over edges have many and no level.
StopReason stop_after(void* self, const Progress& progress) {
  const bool edges = progress.level == 0 && progress.level_states > 100;
  if (progress.level_states > 0 && !edges) return StopReason::none;
  u32& polls = *static_cast<u32*>(self);
  if (polls == 0) return StopReason::signal;
  --polls;
  return StopReason::none;
}

struct Rounds {
  SearchOutcome outcome;
  u32 rounds = 0;
  u32 parts = 0;      // rounds that began with an index that was being built
  u32 taken_up = 0;   // rounds that began with a finished index
  u32 resumed = 0;    // rounds that went on inside a search
  u64 searching = 0;  // expansions of these
  u32 closed = 0;     // rounds that were stopped on the way of a cycle that they had found
  u32 fell_back = 0;
  std::vector<u32> path;
};

// Where stops were: in a first search, in a wave, between waves, between tries for a lasso.
struct Places {
  u32 stack = 0;
  u32 filed = 0;  // with a part of the stack in its file
  u32 wave = 0;
  u32 seed = 0;
  u32 lasso = 0;

  void note(const Manifest& manifest) {
    if (!manifest.has("search-phase")) return;
    const u64 phase = manifest.number("search-phase").value();
    stack += phase == 1 && manifest.number("search-window").value() > 0 ? 1 : 0;
    Word blocks[3] = {};
    if (phase == 1) REQUIRE(manifest.words("search-stack-blocks", blocks).ok());
    filed += blocks[0] > 0 ? 1 : 0;
    wave += manifest.has("search-wave-next") ? 1 : 0;
    seed += phase == 2 && !manifest.has("search-wave-next") ? 1 : 0;
    lasso += phase == 3 ? 1 : 0;
  }
};

// Whether a checkpoint has a finished rank or hash.
bool has_index(const Manifest& manifest) {
  if (!manifest.has("search-index")) return false;
  const u64 index = manifest.number("search-index").value();
  return index == 1 || index == 2;
}

// One that is being built.
bool has_part(const Manifest& manifest) {
  return manifest.has("search-index") && manifest.number("search-index").value() >= 3;
}

// `change`: memory and index differ from round to round.
Rounds run_in_rounds(const Way& way, Graph& g, u64 memory, bool change, u32 seed, Places& places) {
  Random random(seed);
  Disk disk;
  TwoCheckpoints checkpoints(seed % 3 == 0 ? 0 : 1 + random() % 6);
  SearchOptions options = options_of(way);
  options.checkpoints = &checkpoints;
  Executors executors(g);
  options.parallel = threads(way.threads);
  options.executors = executors.of;
  Rounds all;
  Manifest from;
  for (;; ++all.rounds) {
    REQUIRE(all.rounds < 300);
    u64 more = 0;
    if (change) {
      more = random() % 3 * 1'000'000;
      options.cycles.index = random() % 2 == 0 ? IndexKind::phf : IndexKind::automatic;
    }
    // A rank that is made asks three times or more, once for each order (the bytes of a state
    // forwards and backwards) and the last time when it has all states.
    const bool had_index = checkpoints.count > 0 && has_index(from);
    const bool had_part = checkpoints.count > 0 && has_part(from);
    const bool numbers = options.cycles.index != IndexKind::phf && !had_index && !had_part;
    u32 left = random() % 4 + all.rounds / 4 + (numbers ? 3 : 0);
    if (numbers && seed % 2 == 0) left = 2;
    if (had_index && way.index == IndexKind::rank) left += 3;  // fewer rounds take less time
    // What passes over edges have left is searched for a cycle without a stop.
    if (way.edges == EdgeUse::on && std::string(way.engine) != "double-dfs") left += 10;
    Trial run(way.engine);
    options.resume = checkpoints.count == 0 ? nullptr : &from;
    expansions = 0;
    const Status status =
        run.go(counted(g), options, disk.folder, memory + more, {&left, &stop_after});
    INFO(doctest::String(status.c_str()));
    REQUIRE(status.ok());
    const CycleEngine& engine = *static_cast<CycleEngine*>(run.engine);
    all.parts += had_part ? 1 : 0;
    if (had_part && !change) REQUIRE(engine.indexes_made() == 0);
    if (had_index) {
      ++all.taken_up;
      if (!change) REQUIRE(engine.indexes_made() == 0);
    }
    if (engine.resumed() > 0) {
      ++all.resumed;
      all.searching += expansions;
    }
    all.outcome = run.outcome;
    if (run.outcome.stop != StopReason::signal) {
      if (way.gastin_moro) all.path = engine_path(*run.engine, g, run.outcome);
      return all;
    }
    places.note(checkpoints.last);
    if (checkpoints.last.has("search-closed") || checkpoints.last.has("path-complete")) {
      ++all.closed;
      REQUIRE(run.outcome.violation == Violation::accepting_cycle);
      REQUIRE(run.outcome.path_missing);
    }
    verify(disk.folder, checkpoints.last);
    if (checkpoints.count > 1) verify(disk.folder, checkpoints.before);
    if (checkpoints.count > 1 && random() % 8 == 0) {
      REQUIRE(checkpoints.last.assign(checkpoints.before.text()));
      ++all.fell_back;
    }
    add_debris(disk.folder, checkpoints.last, random);
    REQUIRE(from.assign(checkpoints.last.text()));
  }
}

Graph graph_for(const Way& way, u32 seed) {
  return layered(seed, way.gastin_moro || way.windows ? 800 : 10000,
                 seed % 3 == 2 || way.gastin_moro);
}

void check_outcome(const SearchOutcome& outcome, const SearchOutcome& expected) {
  REQUIRE(outcome.stop == StopReason::none);
  REQUIRE(outcome.violation == expected.violation);
  REQUIRE(outcome.prefix_steps + outcome.cycle_steps ==
          expected.prefix_steps + expected.cycle_steps);
  REQUIRE(outcome.stats.states == expected.stats.states);
}

}  // namespace

TEST_CASE("a search with bits goes on where it was stopped") {
  Places places;
  for (const Way& way : kWays) {
    if (left_out(way)) continue;
    u32 resumed = 0;
    u32 taken_up = 0;
    u32 parts = 0;
    // With fewer seeds some of the places below are not among the stops, so all builds take these.
    for (u32 seed = 1; seed <= 5; ++seed) {
      CAPTURE(std::string(way.engine));
      CAPTURE(static_cast<int>(way.index));
      CAPTURE(seed);
      const bool rank = way.index == IndexKind::rank;
      const u64 memory = rank ? 6'000'000 : seed % 2 * 3'000'000;
      Graph g = graph_for(way, seed);
      const Expected expected = run_through(way, g, memory);
      const Rounds all = run_in_rounds(way, g, memory, false, seed, places);
      check_outcome(all.outcome, expected.outcome);
      REQUIRE(all.path == expected.path);
      resumed += all.resumed;
      taken_up += all.taken_up;
      parts += all.parts;
      // Edges that are made again are expansions, too.
      if (way.gastin_moro || way.edges == EdgeUse::on) continue;
      // Only seeds that were expanded together are expanded again.
      const u64 searching = all.outcome.stats.expansions - all.outcome.stats.states;
      REQUIRE(searching >= expected.searching);
      // So are states in which the way to a cycle, or around it, was being looked for.
      REQUIRE(searching <=
              expected.searching + u64{1000} * all.resumed + u64{g.size()} * all.closed);
      if (all.fell_back == 0) REQUIRE(all.searching <= searching);
    }
    CHECK(resumed > 0);
    if (way.edges != EdgeUse::on) CHECK(taken_up > 0);
    if (way.index != IndexKind::automatic && !way.gastin_moro) CHECK(parts > 0);
  }
  CHECK(places.stack > 0);
  CHECK(places.wave > 0);
  CHECK(places.seed > 0);
  CHECK(places.lasso > 0);
}

TEST_CASE("a stack that is in its file for a part goes on") {
  Places places;
  for (const u32 seed : {5u}) {
    CAPTURE(seed);
    // One state waits for each step that is not taken at once.
    Graph g = layered(seed, 6000, false);
    for (u32 v = 0; v + 20 < g.size(); ++v) {
      for (u32 w = v + 1; w < v + 20; ++w) g.edges[v].push_back(w);
    }
    const Expected expected = run_through(kWays[1], g, 0);
    const Rounds all = run_in_rounds(kWays[1], g, 0, false, seed, places);
    check_outcome(all.outcome, expected.outcome);
    const u64 searching = all.outcome.stats.expansions - all.outcome.stats.states;
    REQUIRE(searching <= expected.searching + u64{1000} * all.resumed);
  }
  CHECK(places.filed > 0);
}

TEST_CASE("what a checkpoint has and does not fit is not used") {
  Places places;
  for (const Way& way : kWays) {
    if (left_out(way)) continue;
    for (u32 seed = 1; seed <= rounds(3); ++seed) {
      CAPTURE(std::string(way.engine));
      CAPTURE(static_cast<int>(way.index));
      CAPTURE(seed);
      Graph g = graph_for(way, seed);
      const Expected expected = run_through(way, g, 6'000'000);
      const Rounds all = run_in_rounds(way, g, 4'000'000, true, seed, places);
      check_outcome(all.outcome, expected.outcome);
      REQUIRE(all.path == expected.path);
    }
  }
}

namespace {

// A file of a search that was stopped: `line` has its number.
void check_damage(const Way& way, const char* file, const char* line) {
  CAPTURE(std::string(file));
  Graph g = layered(1, 14000, false);
  Disk disk;
  TwoCheckpoints checkpoints(1);
  SearchOptions options = options_of(way);
  options.checkpoints = &checkpoints;
  options.cycles.near_pages = ~u32{0};
  const u64 memory = way.index == IndexKind::rank ? 6'000'000 : 0;
  u32 left = 12;
  Trial run("double-dfs");
  REQUIRE(run.go(g.model(), options, disk.folder, memory, {&left, &stop_after}).ok());
  REQUIRE(run.outcome.stop == StopReason::signal);
  Manifest from;
  REQUIRE(from.assign(checkpoints.last.text()));
  const std::string name = file + std::to_string(from.number(line).value());
  const Result<Device*> device = disk.folder.open(name.c_str(), Folder::Open::existing);
  REQUIRE(device.ok());
  Region bytes(static_cast<std::size_t>(device.value()->size_bytes()));
  const ReadRequest request{0, bytes.memory};
  REQUIRE(device.value()->read({&request, 1}, Purpose::other).ok());
  bytes.memory[100] ^= 4;
  REQUIRE(device.value()->truncate(0).ok());
  REQUIRE(device.value()->append(bytes.memory, Purpose::other).ok());
  disk.folder.close(device.value());
  options.resume = &from;
  Trial again("double-dfs");
  REQUIRE(again.go(g.model(), options, disk.folder, memory).code() == Code::corrupt);
}

}  // namespace

TEST_CASE("damaged files of a search are an error") {
  check_damage(kWays[1], "bits.", "search-bits");
  check_damage(kWays[0], "bits.", "search-bits");
  check_damage(kWays[0], "rank.", "search-hash");
}

}  // namespace search_resume_test
