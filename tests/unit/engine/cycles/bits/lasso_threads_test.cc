// Shortest lassos on several threads: the same ones as on one.
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "edge_trial.h"
#include "engine/cycles/bits/gastin_moro.h"
#include "engine/cycles/bits/indexed_search.h"
#include "engine/cycles/index/search_checkpoint.h"
#include "platform/device_fault.h"
#include "product_trial.h"
#include "random_product.h"
#include "thread_trial.h"

using namespace xmc;
using namespace xmc_test;

namespace lasso_threads_test {

namespace {

// Threads that are held up now and then before they get what is shared, so that those behind come
// first.
class HeldUp final : public Parallel {
 public:
  explicit HeldUp(u32 count) : inner_(xmc_test::threads(count)), seed_(count) {}
  u32 threads() const override { return inner_->threads(); }
  void submit(Job& job) override { inner_->submit(job); }
  bool done(const Job& job) override { return inner_->done(job); }
  void finish(Job& job) override { inner_->finish(job); }
  void lock() override {
    const u32 number = seed_.fetch_add(0x9E37'79B9u) * 0x85EB'CA6Bu;
    if (number >> 30 == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(number >> 20 & 127));
    }
    inner_->lock();
  }
  void unlock() override { inner_->unlock(); }

 private:
  Parallel* inner_;
  std::atomic<u32> seed_;
};

// A graph for one thread, which counts what it expands.
struct Executor {
  Graph* graph = nullptr;
  Model model;
  u64 expansions = 0;
};

struct Wish {
  IndexKind kind = IndexKind::rank;
  bool resident = false;
  u64 memory = 3 << 20;
  bool least = false;  // no more than one thread needs, and `memory` more
};

struct Seen {
  bool found = false;
  u64 prefix = 0;
  std::vector<u32> cycle;
  u32 threads = 0;
  u64 searches = 0;
  u64 beside = 0;  // expansions of threads beside the first one
  bool operator==(const Seen& other) const {
    return found == other.found && prefix == other.prefix && cycle == other.cycle;
  }
};

Model model_of(Executor& executor) {
  Model model = executor.model;
  model.self = &executor;
  model.expand = [](void* self, const Word* state, const SuccessorBuffer& out) {
    auto& e = *static_cast<Executor*>(self);
    ++e.expansions;
    return e.model.expand(e.graph, state, out);
  };
  if (model.cycle_class == nullptr) return model;
  model.cycle_class = [](const void* self, const Word* state) {
    const auto& e = *static_cast<const Executor*>(self);
    return e.model.cycle_class(e.graph, state);
  };
  return model;
}

// A product that threads may work on.
struct Team {
  Team(Graph& g, Parallel* parallel) : trial(g, 8 << 20) {
    for (u32 i = 0; i < limits::kThreads; ++i) {
      executors[i].graph = &g;
      executors[i].model = g.model();
      if (i > 0) beside[i - 1] = &executors[i];
    }
    trial.search->model = model_of(executors[0]);
    trial.search->options.parallel = parallel;
    trial.search->options.executors = beside;
  }
  Executor executors[limits::kThreads];
  void* beside[limits::kThreads] = {};
  ProductTrial trial;
};

Seen seen_in(const Graph& g, const MinimalLasso& result) {
  Seen seen{result.found, result.prefix, {}, result.threads, result.searches, 0};
  for (u64 i = 0; i < result.length; ++i) seen.cycle.push_back(g.node(result.states + i * g.words));
  return seen;
}

Seen search(Graph& g, const Wish& wish, Parallel* parallel) {
  Team team(g, parallel);
  ProductTrial& trial = team.trial;
  IndexOptions options;
  options.kind = wish.kind;
  options.resident = wish.resident;
  const IndexResult made = trial.index(options);
  REQUIRE(made.index != nullptr);
  u64 deepest = 0;
  REQUIRE(level_of(trial.product, trial.product.states - 1, deepest).ok());
  const u64 least = gastin_moro_bytes(trial.product, *made.index, deepest);
  const u64 bytes = wish.least ? least + wish.memory : wish.memory;
  MinimalLasso result;
  const Status status = run_gastin_moro(trial.product, *made.index,
                                        made.memory.first(static_cast<std::size_t>(bytes)), result);
  INFO(doctest::String(status.c_str()));
  REQUIRE(status.ok());
  REQUIRE(result.fits);
  REQUIRE(trial.hash.close(trial.disk.folder, false).ok());
  REQUIRE(trial.disk.folder.open_count() == 1);  // the queue
  Seen seen = seen_in(g, result);
  u64 all = 0;
  for (const Executor& e : team.executors) all += e.expansions;
  seen.beside = all - team.executors[0].expansions;
  REQUIRE(trial.outcome.stats.expansions == all);
  return seen;
}

// Layers with steps back from the last one: long cycles, many of one length. In a large one each
// search from an accepting state, all of which are initial, takes more than the buffers of files.
Graph layered(u32 seed, bool large = false) {
  constexpr u32 kInitial = 12;
  Random random(seed);
  const u32 layers = large ? 12 : 5 + random() % 8;
  const u32 width = large ? 500 : 20 + random() % 100;
  const u32 words = large ? 3 : 1 + seed % 2;
  Graph g(layers * width, words, 8 * words);
  g.buchi = true;
  for (u32 v = 0; v < g.size(); ++v) {
    const u32 layer = v / width;
    for (u32 i = large ? 8 : 3; i > 0; --i) {
      const u32 next = layer + 1 < layers ? layer + 1 : random() % 3 == 0 ? layers / 3 : 0;
      g.edges[v].push_back(next * width + random() % width);
    }
    g.accepting[v] = (large ? v < kInitial : random() % 6 == 0) ? 1 : 0;
  }
  g.initial = {0};
  for (u32 v = 1; v < kInitial && large; ++v) g.initial.push_back(v);
  return g;
}

// 24 accepting states that are initial, each with one step back to it from somewhere in this layer:
// a cycle of so many steps and one.
template <class LayerOf>
Graph with_returns(Random& random, LayerOf layer_of) {
  constexpr u32 kLayers = 12;
  constexpr u32 kWidth = 200;
  Graph g(kLayers * kWidth);
  g.buchi = true;
  g.initial.clear();
  for (u32 v = 0; v + kWidth < g.size(); ++v) {
    for (u32 i = 0; i < 8; ++i) g.edges[v].push_back((v / kWidth + 1) * kWidth + random() % kWidth);
  }
  for (u32 v = 0; v < 24; ++v) {
    g.initial.push_back(v);
    g.accepting[v] = 1;
    std::vector<u32>& from = g.edges[layer_of(v) * kWidth + random() % kWidth];
    from.insert(from.begin(), v);
  }
  return g;
}

}  // namespace

TEST_CASE("threads find the lasso that one finds") {
  HeldUp two(2);
  HeldUp four(4);
  u32 found = 0;
  u32 shared = 0;  // searches that several threads had a part in
  const u32 all = rounds(150);
  for (u32 seed = 1; seed <= all; ++seed) {
    CAPTURE(seed);
    Graph g = seed % 3 == 0 ? layered(seed) : random_product(seed, 60);
    Wish wish;
    wish.kind = seed % 2 == 0 ? IndexKind::rank : IndexKind::phf;
    wish.resident = true;
    const Seen one = search(g, wish, nullptr);
    REQUIRE(one.threads == 1);
    if (g.size() < 200) {
      const u64 steps = naive_lasso(g);
      REQUIRE(one.found == (steps != kFar));
      if (one.found) REQUIRE(one.prefix + one.cycle.size() == steps);
    }
    found += one.found ? 1 : 0;
    Parallel* const many[] = {&two, &four, threads(kLazy)};
    for (Parallel* parallel : many) {
      const Seen seen = search(g, wish, parallel);
      REQUIRE(seen == one);
      if (seen.found) REQUIRE(seen.threads == parallel->threads());
      shared += seen.beside > 0 ? 1 : 0;
    }
  }
  REQUIRE(found > all / 3);
  REQUIRE(shared > all / 4);
}

TEST_CASE("threads become fewer with the memory, and the lasso stays the same") {
  for (u32 seed = 3; seed <= rounds(9); seed += 3) {
    CAPTURE(seed);
    Graph g = layered(seed);
    Wish wish;
    wish.kind = seed % 2 == 0 ? IndexKind::phf : IndexKind::rank;
    wish.resident = true;
    wish.least = true;
    wish.memory = 0;
    const Seen one = search(g, wish, nullptr);
    REQUIRE(one.found);
    u32 threads_before = 1;
    for (; wish.memory < 4'000'000; wish.memory += 200'001) {
      CAPTURE(wish.memory);
      const Seen seen = search(g, wish, threads(4));
      REQUIRE(seen == one);
      REQUIRE(seen.threads >= threads_before);
      REQUIRE(seen.threads <= threads_before + 1);
      if (wish.memory == 0) REQUIRE(seen.threads == 1);
      threads_before = seen.threads;
    }
    REQUIRE(threads_before == 4);
  }
}

TEST_CASE("a hash on flash is asked by one thread") {
  Graph g = layered(3);
  Wish wish;
  wish.kind = IndexKind::phf;
  const Seen one = search(g, wish, nullptr);
  const Seen seen = search(g, wish, threads(4));
  REQUIRE(seen == one);
  REQUIRE(seen.threads == 1);
  REQUIRE(seen.beside == 0);
}

TEST_CASE("threads have files of their own") {
  Graph g = layered(5, true);
  Wish wish;
  const Seen one = search(g, wish, nullptr);
  REQUIRE(one.found);
  for (const u32 count : {2u, 4u}) {
    const Seen seen = search(g, wish, threads(count));
    REQUIRE(seen == one);
    REQUIRE(seen.threads == count);
    REQUIRE(seen.beside > 0);
  }
}

TEST_CASE("of what threads had taken, only what they had not finished is tried again") {
  for (u32 seed = 1; seed <= rounds(3); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Graph g = with_returns(random, [&](u32 v) { return v == 1 ? 7u : 9 + random() % 3; });
    const Seen one = search(g, {}, nullptr);
    Team team(g, nullptr);
    SearchCheckpoint checkpoint;
    team.trial.product.search_checkpoint = &checkpoint;
    const IndexResult made = team.trial.index({IndexKind::rank});
    REQUIRE(made.index != nullptr);
    // With the best lasso known, no other state has one that counts.
    Stopper stopper;
    stopper.take(team.trial.control);
    MinimalLasso result;
    const u64 least = one.prefix + one.cycle.size();
    for (u32 at = 1;
         checkpoint.phase != SearchCheckpoint::Phase::lasso || checkpoint.lasso.total != least;
         ++at) {
      REQUIRE(at < 1000);
      stopper = {0, at};
      result = {};
      const Status status = run_gastin_moro(team.trial.product, *made.index, made.memory, result);
      REQUIRE(status.stop_reason() != StopReason::none);
    }
    const SearchCheckpoint stopped = checkpoint;
    // Searches of a run that goes on with these.
    const auto go_on = [&](u64 next, std::vector<u64> open) {
      checkpoint = stopped;
      checkpoint.next = next;
      std::fill(std::begin(checkpoint.lasso.open), std::end(checkpoint.lasso.open),
                SearchCheckpoint::kNowhere);
      std::copy(open.begin(), open.end(), checkpoint.lasso.open + 2);
      stopper = {};
      result = {};
      REQUIRE(run_gastin_moro(team.trial.product, *made.index, made.memory, result).ok());
      REQUIRE(seen_in(g, result) == one);
      return result.searches;
    };
    const u64 none = go_on(13, {});
    REQUIRE(go_on(13, {12}) == none + 1);
    REQUIRE(go_on(13, {5, 12, 3}) == none + 3);
    REQUIRE(go_on(3, {}) == none + 10);
  }
}

TEST_CASE("what threads had not finished is tried again") {
  u32 stops = 0;  // inside the searches from accepting states
  for (u32 seed = 1; seed <= rounds(40); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const u32 best = random() % 24;
    Graph g = with_returns(random, [&](u32 v) { return v == best ? 7u : 9 + random() % 3; });
    const Seen one = search(g, {}, nullptr);
    REQUIRE(one.found);
    Team team(g, threads(seed % 2 == 0 ? 2 : 4));
    SearchCheckpoint checkpoint;
    team.trial.product.search_checkpoint = &checkpoint;
    Stopper stopper;
    stopper.take(team.trial.control);
    const IndexResult made = team.trial.index({IndexKind::rank});
    REQUIRE(made.index != nullptr);
    MinimalLasso result;
    for (bool stopped = true; stopped;) {
      stopper = {0, 1 + random() % 24};
      Status status = run_gastin_moro(team.trial.product, *made.index, made.memory, result);
      stopped = status.take_stop() != StopReason::none;
      INFO(doctest::String(status.c_str()));
      REQUIRE(status.ok());
      stops += stopped && checkpoint.phase == SearchCheckpoint::Phase::lasso ? 1 : 0;
    }
    REQUIRE(seen_in(g, result) == one);
  }
  REQUIRE(stops > rounds(40) / 2);
}

TEST_CASE("after a resume an earlier accepting state with a lasso as short comes first") {
  Random random(1);
  Graph g = with_returns(random, [](u32) { return 7u; });
  // The best one so far, and the place that it has: 0 goes before all others.
  for (const auto& [best, place, wanted] : {std::array{17u, 18u, 0u}, {17u, 0u, 17u}}) {
    for (const u32 count : {1u, 4u}) {
      CAPTURE(count);
      Team team(g, threads(count));
      SearchCheckpoint checkpoint;
      checkpoint.phase = SearchCheckpoint::Phase::lasso;
      checkpoint.lasso.bound = 20;
      checkpoint.lasso.total = 8;
      checkpoint.lasso.place = place;
      g.put(best, checkpoint.lasso.best);
      team.trial.product.search_checkpoint = &checkpoint;
      const IndexResult made = team.trial.index({IndexKind::rank});
      MinimalLasso result;
      REQUIRE(run_gastin_moro(team.trial.product, *made.index, made.memory, result).ok());
      REQUIRE(result.threads == count);
      const Seen seen = seen_in(g, result);
      REQUIRE(seen.prefix + seen.cycle.size() == 8);
      REQUIRE(std::count(seen.cycle.begin(), seen.cycle.end(), wanted) == 1);
    }
  }
}

TEST_CASE("a file that fails ends all threads") {
  Graph g = layered(5, true);
  u32 failed = 0;
  for (const u64 at : {10u, 20u, 30u, 40u, 50u, 60u}) {
    CAPTURE(at);
    Team team(g, threads(at % 20 == 0 ? 2 : 4));
    ProductTrial& trial = team.trial;
    Disk disk;
    Region journal(1 << 20);
    FaultFolder folder(disk.folder, journal.memory);
    trial.product.folder = &folder;
    const IndexResult made = trial.index({IndexKind::rank});
    REQUIRE(made.index != nullptr);
    FaultPlan plan;
    (at > 30 ? plan.flip_read_at : plan.fail_write_at) = at;
    folder.arm(plan);
    MinimalLasso result;
    const Status status = run_gastin_moro(trial.product, *made.index, made.memory, result);
    REQUIRE(folder.open_count() == 0);
    if (status.ok()) continue;
    REQUIRE(status.code() == (at > 30 ? Code::corrupt : Code::io));
    REQUIRE(!result.found);
    if (result.threads > 1) ++failed;
  }
  REQUIRE(failed > 3);
}

}  // namespace lasso_threads_test
