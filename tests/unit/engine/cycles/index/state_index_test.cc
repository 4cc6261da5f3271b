// Both kinds of numbering against the set they were made of.
#include "engine/cycles/index/state_index.h"

#include "product_trial.h"
#include "store/tables/state_bits.h"

using namespace xmc;
using namespace xmc_test;

namespace state_index_test {

namespace {

using Kind = IndexKind;

IndexOptions options_of(Kind kind) {
  IndexOptions options;
  options.kind = kind;
  return options;
}

// All nodes are reached.
Graph connected_graph(u32 seed, u32 nodes) {
  Graph g = random_graph(seed, nodes, 3);
  for (u32 v = 0; v + 1 < nodes; ++v) g.edges[v].push_back(v + 1);
  return g;
}

// Every state has a number of its own, below the size.
void check_bijection(ProductTrial& trial, Numbering& index, std::size_t members) {
  REQUIRE(index.size() == members);
  std::vector<Word> states;
  for (std::size_t i = 0; i < members; ++i) {
    const auto& s = trial.g.state_of[trial.order[i]];
    states.insert(states.end(), s.begin(), s.end());
  }
  std::vector<u64> numbers(members);
  std::vector<u32> depths(members, 99);
  REQUIRE(index.find(states.data(), static_cast<u32>(members), numbers.data(), depths.data()).ok());
  std::set<u64> distinct(numbers.begin(), numbers.end());
  REQUIRE(distinct.size() == members);
  REQUIRE(*distinct.rbegin() == members - 1);
  for (std::size_t i = 0; i < members; ++i) {
    const int level = trial.level[trial.order[i]];
    if (index.has_depths()) REQUIRE(depths[i] == static_cast<u32>(level));
    if (!index.has_states()) continue;
    std::vector<Word> back(trial.g.words);
    index.state_of(numbers[i], back.data());
    REQUIRE(back == trial.g.state_of[trial.order[i]]);
  }
}

}  // namespace

TEST_CASE("numbers are a bijection: rank, hash on flash, hash in memory") {
  for (u32 seed = 1; seed <= rounds(60); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const u32 words = 1 + random() % 5;
    const u32 most = seed % 4 == 0 ? 15000 : 3000;  // some take several pages
    const u32 nodes = 1 + random() % most;
    Graph g = random_graph(seed, nodes, 4, words, words * 8 - random() % 4);
    {
      ProductTrial trial(g, 8 << 20);
      const IndexResult made = trial.index(options_of(Kind::rank));
      REQUIRE(made.index != nullptr);
      REQUIRE(made.index->has_states());
      check_bijection(trial, *made.index, trial.order.size());
    }
    for (const bool resident : {false, true}) {
      IndexOptions options = options_of(Kind::phf);
      options.resident = resident;
      options.cache_bytes = seed % 2 == 0 ? 0 : 16384;
      options.fingerprint_bits = seed % 3 == 0 ? 8 : 0;
      options.near_pages = 2;
      ProductTrial trial(g, 4 << 20);
      const IndexResult made = trial.index(options);
      REQUIRE(made.index != nullptr);
      check_bijection(trial, *made.index, trial.order.size());
      REQUIRE(trial.hash.close(trial.disk.folder, false).ok());
    }
  }
}

TEST_CASE("states that are not expanded are strangers to a rank") {
  for (const bool structured : {false, true}) {
    CAPTURE(structured);
    Graph g = structured ? random_graph(3, 2000, 3, 2, 14) : random_graph(3, 500, 3);
    for (u32 v = 0; v + 1 < g.size(); ++v) g.edges[v].push_back(v + 1);
    // Few values, and the second half of the bytes follows from the first one: digits are joined,
    // and later states have values that none before had.
    for (u32 v = 0; v < g.size() && structured; ++v) {
      std::fill(g.state_of[v].begin(), g.state_of[v].end(), Word{0});
      for (u32 b = 0, rest = v; b < 7; ++b, rest /= 3) {
        g.state_of[v][0] |= Word{rest % 3} << (8 * b);
        g.state_of[v][b == 0 ? 0 : 1] |= Word{rest % 3 * 5} << (b == 0 ? 56 : 8 * (b - 1));
      }
    }
    ProductTrial trial(g, 8 << 20, 4);
    REQUIRE(trial.product.expanded > 0);
    REQUIRE(trial.product.expanded < trial.product.states);
    const IndexResult made = trial.index(options_of(Kind::automatic));
    REQUIRE(made.index == &trial.rank);
    if (structured) REQUIRE(trial.rank.joined());
    const std::size_t expanded = static_cast<std::size_t>(trial.product.expanded);
    check_bijection(trial, *made.index, expanded);
    for (std::size_t i = expanded; i < trial.order.size(); ++i) {
      // One that is there, one that is not.
      std::vector<Word> pair = g.state_of[trial.order[i % expanded]];
      const std::vector<Word>& strange = g.state_of[trial.order[i]];
      pair.insert(pair.end(), strange.begin(), strange.end());
      u64 numbers[2] = {};
      REQUIRE(made.index->find(pair.data(), 2, numbers, nullptr).ok());
      REQUIRE(numbers[0] < expanded);
      REQUIRE(numbers[1] == Numbering::kNotThere);
    }
  }
}

TEST_CASE("automatic takes the hash where the rank does not fit, and says what even that needs") {
  Graph g = random_graph(11, 60000, 3, 2, 16);  // scrambled states: no diagram is small
  u64 enough = 0;
  {
    ProductTrial trial(g, 900 << 10);
    const IndexResult made = trial.index(options_of(Kind::automatic), 100 << 10);
    REQUIRE(made.index == &trial.hash);
    REQUIRE(made.memory.size() >= StateBits::bytes_for(trial.product.states) + (100 << 10));
    check_bijection(trial, *made.index, trial.order.size());
  }
  {
    ProductTrial trial(g, 100 << 10);
    const IndexResult made = trial.index(options_of(Kind::automatic), 100 << 10);
    REQUIRE(made.index == nullptr);
    REQUIRE(made.bytes_needed > 0);
    enough = made.bytes_needed;
  }
  ProductTrial trial(g, enough);
  const IndexResult made = trial.index(options_of(Kind::automatic), 100 << 10);
  REQUIRE(made.index == &trial.hash);
  REQUIRE(made.memory.size() >= StateBits::bytes_for(trial.product.states) + (100 << 10));
  check_bijection(trial, *made.index, trial.order.size());
}

TEST_CASE("no rank is begun where the bits beside it do not fit") {
  Graph g = connected_graph(12, 6000);
  for (const bool fits : {false, true}) {
    ProductTrial trial(g, 1 << 20);
    const IndexResult made = trial.index(options_of(Kind::rank), fits ? 100 << 10 : 1 << 20);
    REQUIRE((made.index != nullptr) == fits);
    REQUIRE((trial.rank.insertions() > 0) == fits);
  }
}

TEST_CASE("states with the same hash: another seed") {
  u64 rebuilds = 0;
  for (u32 seed = 1; seed <= rounds(30); ++seed) {
    CAPTURE(seed);
    Graph g = connected_graph(seed, 1000);
    IndexOptions options = options_of(Kind::phf);
    options.hash_mask = ~u64{0} << 44;  // 20 bits: two times of five there is a collision
    options.hash_seed += 100 * seed;
    ProductTrial trial(g, 4 << 20);
    const IndexResult made = trial.index(options);
    REQUIRE(made.index != nullptr);
    check_bijection(trial, *made.index, trial.order.size());
    rebuilds += trial.hash.rebuilds();
  }
  REQUIRE(rebuilds > 3);
}

TEST_CASE("a stop from outside ends the building") {
  Graph g = connected_graph(5, 3000);
  for (const Kind kind : {Kind::rank, Kind::phf}) {
    ProductTrial trial(g, 4 << 20);
    trial.control.poll = [](void*, const Progress&) { return StopReason::time_limit; };
    IndexResult made;
    const Status status =
        make_index(trial.product, options_of(kind), 0, trial.rank, trial.hash, made);
    REQUIRE(made.index == nullptr);
    REQUIRE(status.stop_reason() == StopReason::time_limit);
  }
}

}  // namespace state_index_test
