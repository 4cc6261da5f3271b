// A sample of the edges of a product.
#include "engine/cycles/edges/edge_sample.h"

#include "product_trial.h"

using namespace xmc;
using namespace xmc_test;

namespace edge_sample_test {

namespace {

// Every node has three steps, and is of one of these classes.
Graph regular(u32 nodes, u32 classes) {
  Graph g(nodes);
  g.buchi = true;
  for (u32 v = 0; v < nodes; ++v) {
    g.edges[v] = {(v + 1) % nodes, (v + classes) % nodes, (v + 2 * classes) % nodes};
    g.classes.push_back(v % classes);
  }
  return g;
}

EdgeSample sample_of(Graph& g) {
  ProductTrial trial(g, 1 << 20);
  EdgeSample sample;
  REQUIRE(sample_edges(trial.product, sample).ok());
  return sample;
}

}  // namespace

TEST_CASE("a sample has all states of a small product, once") {
  for (const u32 nodes : {6u, 12u, 60u}) {
    Graph g = regular(nodes, 3);
    const EdgeSample sample = sample_of(g);
    REQUIRE(sample.states == nodes);
    // Class 0 cannot accept, and of the others one step leads out.
    REQUIRE(sample.edges == nodes / 3 * 2 * 2);
  }
}

TEST_CASE("a sample of a large product is a small part of it, and like it") {
  for (const u32 nodes : {3000u, 9999u, 30000u}) {
    Graph g = regular(nodes, 3);
    const EdgeSample sample = sample_of(g);
    REQUIRE(sample.states > 1000);
    REQUIRE(sample.states < 2200);
    const double per_state = static_cast<double>(sample.edges) / static_cast<double>(sample.states);
    REQUIRE(per_state > 1.1);
    REQUIRE(per_state < 1.6);
  }
}

}  // namespace edge_sample_test
