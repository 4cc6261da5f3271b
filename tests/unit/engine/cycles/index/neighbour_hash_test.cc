// A hash that keeps neighbours together: still evenly spread, and worth it.
#include "engine/cycles/index/neighbour_hash.h"

#include "product_trial.h"
#include "xmc/hash.h"

using namespace xmc;
using namespace xmc_test;

namespace neighbour_hash_test {

namespace {

constexpr u64 kMemory = 4 << 20;

// Places (x, y, z) with steps to the next ones in each direction; one byte each, which are the
// fields of a model that tells none. z changes first.
Graph cube(u32 side) {
  Graph g(side * side * side);
  const auto at = [&](u32 x, u32 y, u32 z) { return (x * side + y) * side + z; };
  for (u32 x = 0; x < side; ++x) {
    for (u32 y = 0; y < side; ++y) {
      for (u32 z = 0; z < side; ++z) {
        const u32 v = at(x, y, z);
        g.state_of[v] = {u64{x} | u64{y} << 8 | u64{z} << 16};
        g.edges[v] = {at((x + 1) % side, y, z), at(x, (y + 1) % side, z), at(x, y, (z + 1) % side)};
      }
    }
  }
  REQUIRE(g.number_states());
  return g;
}

u64 plain(const Graph& g, u32 v) {
  return hash_bytes({reinterpret_cast<const u8*>(g.state_of[v].data()), g.words * sizeof(Word)});
}

u64 hash_of(const NeighbourHash& hash, const Graph& g, u32 v) {
  return hash(g.state_of[v].data(), plain(g, v));
}

u64 page_of(u64 hash, u64 pages) { return (hash >> 32) * pages >> 32; }

void make(NeighbourHash& hash, const ProductTrial& trial, u64 pages) {
  REQUIRE(hash.make(trial.product, pages, trial.product.memory).ok());
}

}  // namespace

TEST_CASE("a hash that keeps neighbours together is evenly spread and has no twins") {
  for (u32 seed = 1; seed <= rounds(12); ++seed) {
    CAPTURE(seed);
    const u32 words = 1 + seed % 3;
    Graph g = seed % 4 == 0 ? cube(24) : random_graph(seed, 15000, 4, words, words * 8 - seed % 4);
    ProductTrial trial(g, kMemory);
    const u64 pages = 4 + seed;
    NeighbourHash hash;
    make(hash, trial, pages);
    REQUIRE(hash.choice() != NeighbourHash::kPlain);
    std::vector<u64> load(static_cast<std::size_t>(pages));
    std::set<u64> distinct;
    for (const u32 v : trial.order) {
      const u64 h = hash_of(hash, g, v);
      distinct.insert(h);
      ++load[static_cast<std::size_t>(page_of(h, pages))];
    }
    REQUIRE(distinct.size() == trial.order.size());
    // No page has more than six standard deviations beyond its part.
    const double part = static_cast<double>(trial.order.size()) / static_cast<double>(pages);
    for (const u64 keys : load) {
      REQUIRE(static_cast<double>(keys) < part + 6 * std::sqrt(part));
      REQUIRE(static_cast<double>(keys) > part - 6 * std::sqrt(part));
    }
  }
}

TEST_CASE("steps mostly stay in a page") {
  Graph g = cube(32);
  ProductTrial trial(g, kMemory);
  const u64 pages = 32;
  NeighbourHash hash;
  make(hash, trial, pages);
  u64 near = 0;
  u64 near_plain = 0;
  u64 steps = 0;
  for (u32 v = 0; v < g.size(); ++v) {
    for (const u32 t : g.edges[v]) {
      ++steps;
      if (page_of(hash_of(hash, g, v), pages) == page_of(hash_of(hash, g, t), pages)) ++near;
      if (page_of(plain(g, v), pages) == page_of(plain(g, t), pages)) ++near_plain;
    }
  }
  // Two of three kinds of steps are short in any order of the coordinates.
  CHECK(near > steps / 2);
  CHECK(near_plain < steps / 16);
}

TEST_CASE("the table from its file is the same hash") {
  Graph g = random_graph(8, 15000, 4, 2, 15);
  ProductTrial trial(g, kMemory);
  NeighbourHash first;
  make(first, trial, 5);
  REQUIRE(first.choice() != NeighbourHash::kPlain);
  const Result<Device*> device = trial.disk.folder.open("near", Folder::Open::create);
  REQUIRE(device.ok());
  WordWriter out;
  out.start(device.value(), trial.product.scan_buffer);
  REQUIRE(first.write(out).ok());
  const u64 words = first.file_words();
  const Model& model = trial.search->model;
  Region other(static_cast<std::size_t>(NeighbourHash::bytes_for(model, 5)));
  NeighbourHash again;
  WordReader in;
  in.start(device.value(), "near", words, trial.product.scan_buffer);
  REQUIRE(again.read(in, words, model, 5, other.memory, first.choice()).ok());
  REQUIRE(again.choice() == first.choice());
  for (const u32 v : trial.order) REQUIRE(hash_of(first, g, v) == hash_of(again, g, v));
  // Of more pages than there are, or of no table.
  REQUIRE(again.read(in, words, model, 1, other.memory, first.choice()).ok());
  REQUIRE(again.choice() == NeighbourHash::kPlain);
  REQUIRE(again.read(in, words - 1, model, 5, other.memory, first.choice()).ok());
  REQUIRE(again.choice() == NeighbourHash::kPlain);
  trial.disk.folder.close(device.value());
}

TEST_CASE("states that share their first word are told apart by their plain hashes") {
  Graph g = random_graph(9, 9000, 4, 3, 24);
  for (u32 v = 0; v < g.size(); ++v) g.state_of[v] = {5, 6, u64{v}};
  REQUIRE(g.number_states());
  ProductTrial trial(g, kMemory);
  NeighbourHash hash;
  make(hash, trial, 5);
  std::set<u64> distinct;
  for (const u32 v : trial.order) distinct.insert(hash_of(hash, g, v));
  REQUIRE(distinct.size() == trial.order.size());
}

}  // namespace neighbour_hash_test
