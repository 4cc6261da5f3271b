// Indexes that are stopped while they are built: work is kept, and the numbers are those of one
// that was built at once.
#include "engine/cycles/index/make_index.h"

#include <string>

#include "edge_trial.h"
#include "product_trial.h"
#include "two_checkpoints.h"

using namespace xmc;
using namespace xmc_test;

namespace index_resume_test {

namespace {

// Few values for most bytes, and some that follow from others: a diagram is small, and digits are
// joined if there is room for that.
Graph structured(u32 seed, u32 nodes, u32 words) {
  Random random(seed);
  Graph g(nodes, words, 8 * words);
  for (u32 v = 0; v < nodes; ++v) {
    std::fill(g.state_of[v].begin(), g.state_of[v].end(), Word{0});
    for (u32 b = 0, rest = v; b < 7; ++b, rest /= 5) {
      g.state_of[v][b % words] |= Word{rest % 5} << (8 * b);
      g.state_of[v][words - 1] |= Word{b == 0 ? rest % 5 * 7 : 0} << 56;
    }
    if (v + 1 < nodes) g.edges[v].push_back(v + 1);
    for (u32 i = random() % 3; i > 0; --i) g.edges[v].push_back(random() % nodes);
  }
  REQUIRE(g.number_states());
  return g;
}

std::vector<u64> numbers_of(ProductTrial& trial, Numbering& index) {
  std::vector<Word> states;
  for (const u32 v : trial.order) {
    states.insert(states.end(), trial.g.state_of[v].begin(), trial.g.state_of[v].end());
  }
  std::vector<u64> numbers(trial.order.size());
  const u32 count = static_cast<u32>(numbers.size());
  REQUIRE(index.find(states.data(), count, numbers.data(), nullptr).ok());
  return numbers;
}

// Rounds of a construction that is stopped again and again.
struct IndexRounds {
  IndexRounds(ProductTrial& of, const IndexOptions& index_options, u32 seed)
      : trial(of), options(index_options), random(seed), checkpoints(seed % 4) {
    trial.search->options.checkpoints = &checkpoints;
    trial.product.search_checkpoint = &checkpoint;
    trial.product.owner = this;
    trial.product.checkpoint = [](void* self) {
      IndexRounds& all = *static_cast<IndexRounds*>(self);
      Lines io = Lines::into(all.checkpoints.begin());
      all.checkpoint.lines(io, all.trial.g.words);
      return all.checkpoints.commit();
    };
    stopper.take(trial.control);
  }

  void read_lines() {
    Lines io = Lines::of(from);
    checkpoint.lines(io, trial.g.words);
    REQUIRE(io.status().ok());
  }

  // One of them: null, or the index.
  Numbering* go(u64 memory) {
    read_lines();
    const bool part = checkpoint.index != SearchCheckpoint::Index::none;
    parts += part ? 1 : 0;
    stopper.polls = 0;
    stopper.at = 1 + random() % 3 + count / 4 + (part ? 0 : first_polls);
    ++count;
    trial.rank = RankIndex();
    trial.hash = PhfIndex();
    trial.product.memory = trial.memory.memory.first(static_cast<std::size_t>(memory));
    IndexResult result;
    Status status = make_index(trial.product, options, 0, trial.rank, trial.hash, result);
    const StopReason stop = status.take_stop();
    INFO(doctest::String(status.c_str()));
    REQUIRE(status.ok());
    insertions += trial.rank.insertions();
    tables += trial.hash.tables_made();
    made += static_cast<u32>(checkpoint.made);
    if (stop == StopReason::none) {
      REQUIRE(result.index != nullptr);
      return result.index;
    }
    REQUIRE(stop == StopReason::signal);
    REQUIRE(trial.product.checkpoint(this).ok());
    verify(trial.disk.folder, checkpoints.last);
    verify(trial.disk.folder, checkpoints.before);
    if (random() % 8 == 0) {
      REQUIRE(checkpoints.last.assign(checkpoints.before.text()));
      fell_back = true;
    }
    add_debris(trial.disk.folder, checkpoints.last, random);
    REQUIRE(from.assign(checkpoints.last.text()));
    return nullptr;
  }

  ProductTrial& trial;
  IndexOptions options;
  Random random;
  TwoCheckpoints checkpoints;
  Stopper stopper;
  SearchCheckpoint checkpoint;
  Manifest from;
  u32 count = 0;
  u32 first_polls = 2;  // before a checkpoint can have anything: orders are measured
  u32 parts = 0;        // rounds that began with an index, finished or not
  u32 made = 0;
  u64 insertions = 0;
  u64 tables = 0;  // of neighbours that were made
  bool fell_back = false;
};

}  // namespace

TEST_CASE("a rank that is being built goes on behind the states that it has") {
  u32 parts = 0;
  u32 joined = 0;
  for (u32 seed = 1; seed <= rounds(12); ++seed) {
    CAPTURE(seed);
    // Digits are joined in so much memory; the others are cut into many buffers.
    const bool wide = seed % 3 == 1;
    const u32 words = wide ? 5 : 1 + seed % 3;
    const u64 memory = wide ? 5 << 20 : 400 << 10;
    Graph g = structured(seed, wide ? 60000 : 20000, words);
    ProductTrial trial(g, memory);
    IndexOptions options;
    options.kind = IndexKind::rank;
    const IndexResult undisturbed = trial.index(options);
    REQUIRE(undisturbed.index != nullptr);
    const std::vector<u64> expected = numbers_of(trial, *undisturbed.index);
    const u64 bytes = undisturbed.index->ram_bytes();
    const u64 insertions = trial.rank.insertions();
    IndexRounds all(trial, options, seed);
    Numbering* index = nullptr;
    while (index == nullptr) {
      REQUIRE(all.count < 200);
      index = all.go(memory);
    }
    REQUIRE(numbers_of(trial, *index) == expected);
    REQUIRE(index->ram_bytes() == bytes);
    if (!all.fell_back) REQUIRE(all.insertions == insertions);
    if (all.count == 1 || !all.fell_back) REQUIRE(all.made == 1);
    parts += all.parts;
    joined += trial.rank.joined() ? 1 : 0;
  }
  CHECK(parts >= 2 * rounds(12));
  CHECK(joined > 0);
}

TEST_CASE("what a checkpoint has of a rank goes on in other memory, or is built anew") {
  for (u32 seed = 1; seed <= rounds(6); ++seed) {
    CAPTURE(seed);
    Graph g = structured(seed, 20000, 1 + seed % 3);
    ProductTrial trial(g, 1 << 20);
    IndexOptions options;
    options.kind = IndexKind::rank;
    IndexRounds all(trial, options, seed);
    Numbering* index = nullptr;
    while (index == nullptr) {
      REQUIRE(all.count < 200);
      index = all.go((400 + all.random() % 4 * 200) << 10);
    }
    const std::vector<u64> numbers = numbers_of(trial, *index);
    const std::set<u64> distinct(numbers.begin(), numbers.end());
    REQUIRE(distinct.size() == numbers.size());
    REQUIRE(*distinct.rbegin() == numbers.size() - 1);
  }
}

TEST_CASE("a table of neighbours is made once") {
  u32 parts = 0;
  for (u32 seed = 1; seed <= rounds(6); ++seed) {
    CAPTURE(seed);
    Graph g = random_graph(seed, 15000, 4, 2, 15);
    const u64 memory = 1 << 20;
    ProductTrial trial(g, memory);
    IndexOptions options;
    options.kind = IndexKind::phf;
    options.near_pages = 2;
    const IndexResult undisturbed = trial.index(options);
    REQUIRE(undisturbed.index != nullptr);
    REQUIRE(trial.hash.tables_made() == 1);
    const std::vector<u64> expected = numbers_of(trial, *undisturbed.index);
    REQUIRE(trial.hash.close(trial.disk.folder, false).ok());
    IndexRounds all(trial, options, seed);
    all.first_polls = static_cast<u32>(3 * trial.product.states / Search::kPollInterval);
    Numbering* index = nullptr;
    while (index == nullptr) {
      REQUIRE(all.count < 200);
      index = all.go(memory);
    }
    REQUIRE(numbers_of(trial, *index) == expected);
    parts += all.parts;
    // The finished one, from its checkpoint.
    REQUIRE(index->save_checkpoint(all.checkpoint, trial.product.scan_buffer).ok());
    all.checkpoint.states = trial.product.states;
    all.checkpoint.named = true;
    REQUIRE(trial.product.checkpoint(&all).ok());
    REQUIRE(trial.hash.close(trial.disk.folder, true).ok());
    verify(trial.disk.folder, all.checkpoints.last);
    REQUIRE(all.from.assign(all.checkpoints.last.text()));
    index = all.go(memory);
    REQUIRE(index != nullptr);
    REQUIRE(numbers_of(trial, *index) == expected);
    if (!all.fell_back) REQUIRE(all.tables == 1);
    REQUIRE(trial.hash.tables_made() == 0);
  }
  CHECK(parts > rounds(6));
}

TEST_CASE("a damaged file of a rank that is being built is an error") {
  Graph g = structured(1, 20000, 1);
  ProductTrial trial(g, 192 << 10);
  IndexOptions options;
  options.kind = IndexKind::rank;
  IndexRounds all(trial, options, 4);
  do {
    REQUIRE(all.go(192 << 10) == nullptr);
    all.read_lines();
  } while (all.checkpoint.index != SearchCheckpoint::Index::rank_part);
  const std::string name = "bits." + std::to_string(all.checkpoint.bits_number);
  const Result<Device*> device = trial.disk.folder.open(name.c_str(), Folder::Open::existing);
  REQUIRE(device.ok());
  Region bytes(static_cast<std::size_t>(device.value()->size_bytes()));
  const ReadRequest request{0, bytes.memory};
  REQUIRE(device.value()->read({&request, 1}, Purpose::other).ok());
  bytes.memory[200] ^= 4;
  REQUIRE(device.value()->truncate(0).ok());
  REQUIRE(device.value()->append(bytes.memory, Purpose::other).ok());
  trial.disk.folder.close(device.value());
  IndexResult result;
  REQUIRE(make_index(trial.product, options, 0, trial.rank, trial.hash, result).code() ==
          Code::corrupt);
}

}  // namespace index_resume_test
