// Chains in random graphs, on cycles and off them: what comes out is what every way by itself would
// give, and ways that meet are not followed one by one.
#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "xmc/chain_walk.h"

using namespace xmc;

namespace chain_walk_test {

namespace {

constexpr u32 kEnd = kNone;  // in place of a node: the chain ends there

struct Graph {
  std::vector<std::vector<u32>> next;
};

// What xmc/chain_walk.h promises, way by way.
void walk_plainly(const Graph& g, u32 node, std::vector<u32>& path, ChainWays& ways) {
  if (std::find(path.begin(), path.end(), node) != path.end()) {
    ++ways.errors;
    return;
  }
  if (g.next[node].empty()) ++ways.ends;
  path.push_back(node);
  for (const u32 to : g.next[node]) {
    if (to == kEnd) {
      ++ways.ends;
    } else {
      walk_plainly(g, to, path, ways);
    }
  }
  path.pop_back();
}

struct Walker {
  const Graph& graph;
  ChainWalk<1>& chains;
  ChainWays ways = {};
  u64 asked = 0;
  std::vector<bool> ended;  // by node: an end behind it was seen

  bool ask(u32, const Word* state, u32 step) {
    ++asked;
    const auto& next = graph.next[static_cast<std::size_t>(*state)];
    for (const u32 to : next) {
      const Word behind = to;
      if (to == kEnd) {
        end(step, state);
      } else {
        REQUIRE(chains.keep(&behind, 0, step, 0) != kNone);
      }
    }
    return !next.empty();
  }
  void loop(u32) { ways.add({0, 1}); }
  void end(u32, const Word* state) {
    ways.add({1, 0});
    ended[static_cast<std::size_t>(*state)] = true;
  }
  void again(u32, const ChainWays& more) { ways.add(more); }
  ChainWays total() const { return ways; }
  bool over() const { return false; }
};

class Rig {
 public:
  explicit Rig(u32 most)
      : states(most),
        numbers(3 * std::size_t{most}),
        path(3 * (std::size_t{most} + 1)),
        ways(most),
        slots(4 * std::size_t{most}) {
    memory.states = states.data();
    memory.keepers = numbers.data();
    memory.steps = memory.keepers + most;
    memory.labels = memory.steps + most;
    memory.path = path.data();
    memory.ways = ways.data();
    memory.slots = slots.data();
    memory.slot_count = 4 * most;
    memory.most = most;
    memory.words = 1;
  }
  Walker walk(const Graph& g) {
    ChainWalk<1> chains(memory);
    Walker walker{g, chains, {}, 0, std::vector<bool>(g.next.size())};
    const Word root = 0;
    chains.keep(&root, 0, 0, 0);
    chains.follow(walker);
    return walker;
  }

 private:
  ChainMemory memory;
  std::vector<Word> states;
  std::vector<u32> numbers;
  std::vector<u32> path;
  std::vector<ChainWays> ways;
  std::vector<u16> slots;
};

// Layers of nodes, with some steps back.
Graph random_graph(std::mt19937& dice, u32 layers, u32 back_percent) {
  Graph g;
  g.next.resize(std::size_t{layers} * 2 + 1);
  const auto pick = [&](u32 count) { return static_cast<u32>(dice() % count); };
  for (u32 node = 0; node < g.next.size(); ++node) {
    const u32 layer = (node + 1) / 2;
    for (u32 i = 0; i < 2; ++i) {
      if (layer == layers) {
        if (pick(3) == 0) g.next[node].push_back(kEnd);
      } else if (pick(100) < back_percent) {
        g.next[node].push_back(pick(node + 1));
      } else {
        g.next[node].push_back(2 * layer + 1 + pick(2));
      }
    }
  }
  return g;
}

}  // namespace

TEST_CASE("chains are counted as if every way were followed") {
  std::mt19937 dice(38);
  Rig wide(4096);
  Rig narrow(64);
  u64 shorter = 0;
  for (u32 trial = 0; trial < 400; ++trial) {
    const Graph g = random_graph(dice, 6 + trial % 8, trial % 4 == 0 ? 0 : 1 + trial % 9);
    ChainWays wanted;
    std::vector<u32> path;
    walk_plainly(g, 0, path, wanted);
    for (Rig* const rig : {&wide, &narrow}) {
      const Walker found = rig->walk(g);
      if (wanted.errors < limits::kChainRounds) {
        CHECK(found.ways.ends == wanted.ends);
        CHECK(found.ways.errors == wanted.errors);
      } else {
        CHECK(found.ways.errors != 0);
      }
      shorter += found.asked < wanted.ends + wanted.errors ? 1 : 0;
    }
  }
  CHECK(shorter > 100);
}

TEST_CASE("60 choices of two that meet again are 2^60 ways and some hundred states") {
  Graph g;
  for (u32 i = 0; i < 60; ++i) g.next.push_back({i + 1, i + 1});
  g.next.push_back({});
  Rig rig(4096);
  const Walker found = rig.walk(g);
  CHECK(found.ways.ends == u64{1} << 60);
  CHECK(found.ways.errors == 0);
  CHECK(found.asked < limits::kChainPlain + 200);
}

TEST_CASE("ways that no number has room for are the largest number") {
  Graph g;
  for (u32 i = 0; i < 70; ++i) g.next.push_back({i + 1, i + 1});
  g.next.push_back({});
  CHECK(Rig(4096).walk(g).ways.ends == ~u64{0});
}

TEST_CASE("states on cycles are remembered when there are too many ways round") {
  Graph g;
  constexpr u32 kNodes = 40;
  for (u32 i = 0; i < kNodes; ++i)
    g.next.push_back({(i + 1) % kNodes, (i + 2) % kNodes, (i + 3) % kNodes, kEnd});
  const Walker found = Rig(4096).walk(g);
  CHECK(found.asked < 100000);
  CHECK(found.ways.errors >= limits::kChainRounds);
  CHECK(std::count(found.ended.begin(), found.ended.end(), true) == kNodes);
}

}  // namespace chain_walk_test
