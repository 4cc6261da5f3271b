// Accepting cycles with bits on flash against the components of random graphs.
#include "engine/cycles/windows/window_core.h"

#include "edge_trial.h"
#include "engine/cycles/windows/window_walk.h"
#include "platform/device_fault.h"
#include "random_product.h"
#include "two_checkpoints.h"

using namespace xmc;
using namespace xmc_test;

namespace window_core_test {

namespace {

void write_lines(WindowCheckpoint& checkpoint, Manifest& into) {
  Lines io = Lines::into(into);
  checkpoint.lines(io);
}

bool read_lines(WindowCheckpoint& checkpoint, const Manifest& from) {
  Lines io = Lines::of(from);
  checkpoint.lines(io);
  return io.status().ok();
}

struct WindowTrial : EdgeTrial {
  WindowTrial(Graph& graph, u32 seed) : EdgeTrial(graph, seed, 512 << 10) {
    REQUIRE(build({&graph, std::vector<u32>(graph.size(), 1)}, by_number.size()).ok());
  }

  Status find(u64 window, bool weak, LassoResult& result, Folder* folder = nullptr,
              WindowCheckpoint* checkpoint = nullptr) {
    WindowCore::Setup setup;
    setup.product = &product;
    setup.checkpoint = checkpoint;
    setup.weak = weak;
    setup.edges = &edges;
    setup.reader = &reader;
    setup.read_buffer = slots(1, 2);
    setup.memory = memory.memory;
    setup.folder = folder != nullptr ? folder : &disk.folder;
    setup.most_window = window;
    return core.find(setup, WorkPoll(product), result);
  }

  u32 node_at(const LassoResult& result, std::size_t i) const {
    return by_number[static_cast<std::size_t>(result.cycle[i % result.cycle.size()])];
  }

  void check(u64 window, bool weak, bool wanted) {
    LassoResult result;
    const Status status = find(window, weak, result);
    INFO(doctest::String(status.c_str()));
    REQUIRE(status.ok());
    REQUIRE(core.windows() == divide_up(edges.states(), window));
    REQUIRE(result.found == wanted);
    REQUIRE(result.none == !wanted);
    if (wanted) check_cycle(result);
  }

  void check_cycle(const LassoResult& result) {
    bool accepting = false;
    for (std::size_t i = 0; i < result.cycle.size(); ++i) {
      accepting = accepting || g.accepting[node_at(result, i)] != 0;
      const std::vector<u32>& steps = g.edges[node_at(result, i)];
      REQUIRE(std::count(steps.begin(), steps.end(), node_at(result, i + 1)) > 0);
      REQUIRE(result.cycle[i] >= result.cycle[0]);
    }
    REQUIRE(accepting);
    REQUIRE(static_cast<u64>(level[node_at(result, 0)]) == result.prefix_steps);
  }

  EdgeReader reader;
  WindowCore core;
};

// Cycles are rare: steps lead on, but for some, at most `back`. All states accept, or a few.
Graph sparse(u32 seed, u32 back, bool weak) {
  Random random(seed);
  const u32 nodes = 2 + random() % 1500;
  Graph g(nodes);
  g.buchi = true;
  for (u32 v = 0; v + 1 < nodes; ++v) {
    g.edges[v].push_back(v + 1 + random() % std::min(4u, nodes - 1 - v));
    if (random() % 3 == 0) g.edges[v].push_back(v + 1 + random() % (nodes - 1 - v));
  }
  for (u32 i = random() % (back + 1); i > 0; --i)
    g.edges[random() % nodes].push_back(random() % nodes);
  const u32 rare = weak ? 1 : 2 + random() % 200;
  for (u8& accepting : g.accepting) accepting = random() % rare == 0 ? 1 : 0;
  return g;
}

}  // namespace

TEST_CASE("accepting cycles with windows of bits on flash") {
  for (const bool weak : {true, false}) {
    u32 found = 0;
    const u32 all = rounds(300);
    for (u32 seed = 1; seed <= all; ++seed) {
      CAPTURE(seed);
      CAPTURE(weak);
      Graph g = sparse(seed, weak ? 2 : 30, weak);
      const bool wanted = NaiveCycles(g).found;
      WindowTrial trial(g, seed);
      for (const u64 window : {u64{64}, u64{192}, u64{4096}}) trial.check(window, weak, wanted);
      found += wanted ? 1 : 0;
    }
    CHECK(found > all / 8);
    CHECK(found < all * 7 / 8);
  }
}

TEST_CASE("a search in windows that is stopped leaves nothing behind") {
  Graph g = sparse(4, 2, true);
  WindowTrial trial(g, 1);
  trial.control.poll = [](void*, const Progress&) { return StopReason::signal; };
  LassoResult result;
  REQUIRE(trial.find(64, true, result).stop_reason() == StopReason::signal);
  REQUIRE(!result.found);
  REQUIRE(!result.none);
  for (const char* name : {"live.0", "live.1", "live.lead.0"}) {
    REQUIRE(!trial.disk.folder.open(name, Folder::Open::existing).ok());
  }
}

TEST_CASE("bits on flash that come back wrong are an error") {
  // With cycles, and without any: then every read belongs to a pass.
  for (const u32 kind : {0u, 1u, 2u, 3u}) {
    const bool cycle = kind % 2 != 0;
    const bool weak = kind < 2;
    CAPTURE(kind);
    u32 seed = 1;
    Graph g(1);
    do {
      g = sparse(seed++, weak ? 2 : 30, weak);
    } while (NaiveCycles(g).found != cycle || g.size() < 1000);
    WindowTrial trial(g, 1);
    Disk disk;
    Region journal(1 << 20);
    FaultFolder folder(disk.folder, journal.memory);
    LassoResult result;
    folder.arm({});
    REQUIRE(trial.find(192, weak, result, &folder).ok());
    REQUIRE(result.found == cycle);
    const u64 reads = folder.reads();
    REQUIRE(reads > 10);
    u64 refused = 0;
    for (u64 at = 1; at <= reads; at += 1 + at / 16) {
      CAPTURE(at);
      FaultPlan plan;
      plan.flip_read_at = at;
      plan.seed = at;
      folder.arm(plan);
      const Status status = trial.find(192, weak, result, &folder);
      REQUIRE(folder.open_count() == 0);
      // The cycle is looked for with single pages, which have no checksum: a step that leads
      // nowhere is found out there, and what closes is an accepting cycle.
      if (cycle && status.ok()) {
        REQUIRE(result.found);
        trial.check_cycle(result);
        continue;
      }
      REQUIRE(status.code() == Code::corrupt);
      REQUIRE(std::string(status.message()).find("'live") != std::string::npos);
      REQUIRE(!result.found);
      REQUIRE(!result.none);
      ++refused;
    }
    REQUIRE(refused > 10);
  }
}

// Of three layers, the second one does not have what the first one has: the walk goes around.
TEST_CASE("a walk by wrong bits past no accepting state is an error") {
  Graph g(2);
  g.edges = {{1}, {0}};
  g.buchi = true;
  WindowTrial trial(g, 1);
  Windows windows;
  windows.states = 2;
  windows.each = 64;
  windows.count = 1;
  windows.bytes = 4096;
  WindowFile bits;
  REQUIRE(bits.create(trial.disk.folder, FileName("live.lead", 0), windows).ok());
  Region window(4096);
  for (const u64 layer : {u64{1}, u64{2}, u64{3}}) {
    std::fill(window.memory.begin(), window.memory.end(), u8{0});
    reinterpret_cast<u64*>(window.memory.data())[0] = layer;
    REQUIRE(bits.append(window.memory).ok());
  }
  trial.reader.start(trial.edges, trial.slots(1, 2));
  WindowWalk walk(trial.reader, bits, false, trial.memory.memory);
  walk.start(0);
  WorkPoll poll(trial.product);
  REQUIRE(walk.go(poll).ok());
  REQUIRE(walk.done());
  LassoResult result;
  REQUIRE(walk.take(result).code() == Code::corrupt);
  REQUIRE(!result.found);
  REQUIRE(trial.reader.finish().ok());
  REQUIRE(bits.close().ok());
}

namespace {

// Rounds of a search that is stopped again and again.
struct WindowRounds {
  WindowRounds(WindowTrial& of, u32 seed) : trial(of), random(seed), checkpoints(seed % 4) {
    trial.search.options.checkpoints = &checkpoints;
    trial.product.owner = this;
    trial.product.checkpoint = [](void* self) {
      WindowRounds& rounds = *static_cast<WindowRounds*>(self);
      write_lines(rounds.checkpoint, rounds.checkpoints.begin());
      return rounds.checkpoints.commit();
    };
    stopper.take(trial.control);
  }

  // One of them; true at the end.
  bool go(u64 window, bool weak, LassoResult& result) {
    REQUIRE(read_lines(checkpoint, from));
    const bool goes_on = checkpoint.stage != WindowCheckpoint::Stage::none;
    const u64 before = checkpoint.passes;
    stopper.polls = 0;
    stopper.at = 1 + random() % 30 + count;
    ++count;
    trial.core = WindowCore();
    Status status = trial.find(window, weak, result, nullptr, &checkpoint);
    const bool stopped = status.take_stop() != StopReason::none;
    INFO(doctest::String(status.c_str()));
    REQUIRE(status.ok());
    REQUIRE(checkpoint.resumed == (goes_on ? 1 : 0));
    passes += trial.core.figures().passes - before;
    steps += trial.core.walk_steps();
    resumed += goes_on ? 1 : 0;
    layers += checkpoint.stage == WindowCheckpoint::Stage::layers ? 1 : 0;
    walks += checkpoint.stage == WindowCheckpoint::Stage::walk && stopped ? 1 : 0;
    if (!stopped) return true;
    REQUIRE(trial.product.checkpoint(this).ok());
    verify(trial.disk.folder, checkpoints.last);
    verify(trial.disk.folder, checkpoints.before);
    if (random() % 8 == 0) REQUIRE(checkpoints.last.assign(checkpoints.before.text()));
    fell_back = fell_back || checkpoints.last.text() == checkpoints.before.text();
    add_debris(trial.disk.folder, checkpoints.last, random);
    REQUIRE(from.assign(checkpoints.last.text()));
    return false;
  }

  WindowTrial& trial;
  Random random;
  TwoCheckpoints checkpoints;
  Stopper stopper;
  WindowCheckpoint checkpoint;
  Manifest from;
  u32 count = 0;
  u32 resumed = 0;
  u32 layers = 0;
  u32 walks = 0;  // that were stopped
  u64 passes = 0;
  u64 steps = 0;  // of walks
  bool fell_back = false;
};

}  // namespace

TEST_CASE("a search in windows goes on behind the last window that was done") {
  u32 resumed = 0;
  u32 layers = 0;
  for (const bool weak : {true, false}) {
    for (u32 seed = 1; seed <= rounds(60); ++seed) {
      CAPTURE(seed);
      CAPTURE(weak);
      Graph g = sparse(seed, weak ? 2 : 30, weak);
      WindowTrial trial(g, seed);
      const u64 window = 64 * (1 + seed % 5) * (1 + g.size() / 1500);
      LassoResult expected;
      REQUIRE(trial.find(window, weak, expected).ok());
      const std::vector<u64> cycle(expected.cycle.begin(), expected.cycle.end());
      const u64 passes = trial.core.figures().passes;
      WindowRounds all(trial, seed);
      LassoResult result;
      while (!all.go(window, weak, result)) REQUIRE(all.count < 2000);
      REQUIRE(result.found == expected.found);
      REQUIRE(result.none == expected.none);
      REQUIRE(std::equal(cycle.begin(), cycle.end(), result.cycle.begin(), result.cycle.end()));
      // The window that a stop was in is looked at again.
      if (!all.fell_back) REQUIRE(all.passes <= passes + all.count * trial.core.windows());
      resumed += all.resumed;
      layers += all.layers;
    }
  }
  CHECK(resumed > 100 * rounds(60) / 60);
  CHECK(layers > 0);
}

namespace {

// A path into a ring, with a few ways around some states.
Graph ring(u32 seed, bool weak) {
  Random random(seed);
  const u32 nodes = 1500 + random() % 1500;
  Graph g(nodes);
  g.buchi = true;
  for (u32 v = 0; v + 1 < nodes; ++v) {
    g.edges[v].push_back(v + 1);
    if (v + 3 < nodes && random() % 50 == 0) g.edges[v].push_back(v + 3);
    g.accepting[v] = weak || random() % 400 == 0 ? 1 : 0;
  }
  g.accepting[nodes - 1] = 1;
  g.edges[nodes - 1].push_back(random() % 700);
  return g;
}

}  // namespace

TEST_CASE("the walk to a cycle goes on behind its last step") {
  u32 walks = 0;
  for (const bool weak : {true, false}) {
    for (u32 seed = 1; seed <= rounds(12); ++seed) {
      CAPTURE(seed);
      CAPTURE(weak);
      Graph g = ring(seed, weak);
      WindowTrial trial(g, seed);
      LassoResult expected;
      REQUIRE(trial.find(1024, weak, expected).ok());
      REQUIRE(expected.found);
      const std::vector<u64> cycle(expected.cycle.begin(), expected.cycle.end());
      const u64 steps = trial.core.walk_steps();
      REQUIRE(steps > 1000);
      WindowRounds all(trial, seed);
      LassoResult result;
      while (!all.go(1024, weak, result)) REQUIRE(all.count < 2000);
      REQUIRE(std::equal(cycle.begin(), cycle.end(), result.cycle.begin(), result.cycle.end()));
      REQUIRE(result.prefix_steps == expected.prefix_steps);
      if (!all.fell_back) REQUIRE(all.steps == steps);
      walks += all.walks;
    }
  }
  CHECK(walks > rounds(12));
}

TEST_CASE("a walk whose states a checkpoint could not have goes around once more") {
  Graph g = ring(3, true);
  WindowTrial trial(g, 1);
  LassoResult expected;
  REQUIRE(trial.find(1024, true, expected).ok());
  const std::vector<u64> cycle(expected.cycle.begin(), expected.cycle.end());
  WindowRounds all(trial, 1);
  LassoResult result;
  do {
    REQUIRE(!all.go(1024, true, result));
    REQUIRE(read_lines(all.checkpoint, all.from));
  } while (all.checkpoint.stage != WindowCheckpoint::Stage::walk ||
           all.checkpoint.walk.listed == 0);
  all.checkpoint.walk.listed = 0;
  trial.control.poll = nullptr;
  trial.core = WindowCore();
  REQUIRE(trial.find(1024, true, result, nullptr, &all.checkpoint).ok());
  REQUIRE(std::equal(cycle.begin(), cycle.end(), result.cycle.begin(), result.cycle.end()));
}

TEST_CASE("windows of a checkpoint that come back wrong are an error") {
  Graph g = sparse(4, 2, true);
  WindowTrial trial(g, 1);
  WindowRounds all(trial, 1);
  LassoResult result;
  while (all.checkpoint.stage == WindowCheckpoint::Stage::none || all.checkpoint.live.windows < 2) {
    REQUIRE(!all.go(64, true, result));
  }
  const std::string name = "live." + std::to_string(all.checkpoint.live.number);
  const Result<Device*> device = trial.disk.folder.open(name.c_str(), Folder::Open::existing);
  REQUIRE(device.ok());
  Region bytes(4096);
  REQUIRE(device.value()->truncate(all.checkpoint.live.mark.bytes - 4096).ok());
  REQUIRE(device.value()->append(bytes.memory, Purpose::other).ok());
  trial.disk.folder.close(device.value());
  WindowCheckpoint checkpoint;
  REQUIRE(read_lines(checkpoint, all.from));
  REQUIRE(trial.find(64, true, result, nullptr, &checkpoint).code() == Code::corrupt);
}

}  // namespace window_core_test
