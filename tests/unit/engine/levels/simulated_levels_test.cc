// Level searches whose owners are on a simulated network, where blocks of different senders may
// overtake each other, against naive searches of random models. Runs are stopped and killed in
// between, the latter by an owner that is lost somewhere: they go on from the last checkpoint, or
// begin again, with any number of owners. XMC_FIRST_SEED: where a longer run by hand begins.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "engine/diagram/diagram_engine.h"
#include "flash_trial.h"
#include "simulated_trial.h"
#include "two_checkpoints.h"

using namespace xmc;
using namespace xmc_test;
using xmc::test::SimulatedOwners;

namespace {

constexpr const char* kDivided[] = {"explicit", "auto", "diagram"};

u32 first_seed() {
  const char* const given = std::getenv("XMC_FIRST_SEED");
  return given == nullptr ? 1 : static_cast<u32>(std::strtoul(given, nullptr, 10));
}

struct Tally {
  u32 runs = 0;
  u32 stops = 0;
  u32 losses = 0;
  u32 resumes = 0;
  u32 again = 0;  // from the beginning: there was no checkpoint yet
  u32 divided_anew = 0;
  u64 spills = 0;
  std::vector<u32> path;  // of this model, by whoever was the first to find one
};

// One random model, and what is known about it.
struct Case {
  explicit Case(u32 its_seed) : seed(its_seed), random(its_seed * 7 + 3) {
    const u32 shapes[][2] = {{1, 8}, {1, 4}, {2, 13}, {3, 24}, {5, 33}};
    const auto& shape = shapes[random() % 5];
    constexpr u32 kSizes[] = {200, 4'000, 4'000, 15'000};
    const u32 size = 20 + random() % kSizes[random() % 4];
    g = random_graph(seed, size, 1 + random() % 5, shape[0], shape[1]);
    const u32 rare = random() % 3 == 0 ? 0 : 300 + random() % 2'000;
    for (u32 v = 0; v < g.size() && rare != 0; ++v) {
      if (random() % rare == 0) g.violated[v] = random() % 4;
    }
    options.full = random() % 2 == 0;
    options.deadlock = random() % 2 == 0 ? DeadlockRule::stuck : DeadlockRule::ignore;
    level = naive_levels(g);
    for (u32 v = 0; v < g.size(); ++v) {
      const bool stuck = options.deadlock == DeadlockRule::stuck && g.edges[v].empty();
      if (level[v] < 0 || (g.violated[v] == kNone && !stuck)) continue;
      if (least < 0 || level[v] < least) least = level[v];
    }
  }
  SimulatedPeers::Network network() {
    SimulatedPeers::Network network;
    network.jitter_ns = random() % 4 * 200'000;
    network.seed = random();
    return network;
  }

  u32 seed;
  Random random;
  Graph g{0};
  SearchOptions options;
  std::vector<int> level;
  int least = -1;  // the level of the first violation
};

struct Seats {
  Seats(const Model& model, Case& c, u32 count, const SimulatedPeers::Loss& loss)
      : mail(count, 64 * (1 + c.random() % 8), c.network(), loss), leaving(*mail.peers) {
    for (u32 i = 0; i < count; ++i) {
      seats.push_back(&mail.peers->at(i));
      executors.push_back(model.self);
    }
  }
  SearchOptions with(SearchOptions options) {
    options.parallel = seats.size() > 1 ? &leaving : nullptr;
    options.executors = executors.data();
    options.owners = seats;
    return options;
  }
  SimulatedOwners mail;
  LeavingThreads leaving;
  std::vector<Peers*> seats;
  std::vector<void*> executors;
};

// All engines, with any number of owners, find the same path.
void check_answer(Case& c, Trial& trial, std::vector<u32>& known_path) {
  const SearchOutcome& outcome = trial.outcome;
  REQUIRE((outcome.violation != Violation::none) == (c.least >= 0));
  REQUIRE(outcome.complete == (c.options.full || c.least < 0));
  if (outcome.complete) check_figures(outcome, naive_figures(c.g), true);
  if (c.least < 0) return;
  REQUIRE(outcome.prefix_steps == static_cast<u64>(c.least));
  const std::vector<u32> path = engine_path(*trial.engine, c.g, outcome);
  REQUIRE(valid_path(c.g, path));
  if (known_path.empty()) known_path = path;
  REQUIRE(path == known_path);
}

// What befalls one process of a run.
struct Fate {
  explicit Fate(Case& c, u32 process, u32 owners) {
    constexpr u32 kCalls[] = {200, 2'000, 20'000};
    const u32 kind = process >= 10 ? 4 : c.random() % 5;
    if (kind < 2) left = 1 + c.random() % (kind == 0 ? 6u : 40u);
    if (kind < 2 || kind == 4 || owners == 1) return;
    loss.owner = c.random() % owners;
    loss.after_calls = c.random() % kCalls[c.random() % 3];
  }
  StopReason ask() {
    if (left == 0 || left-- > 1) return StopReason::none;
    left = 1;
    return StopReason::signal;
  }
  u32 left = 0;  // questions to the stop, if there is one
  SimulatedPeers::Loss loss;
};

// True when the search has ended by itself; false: it goes on from what `checkpoints` has.
bool run_process(Case& c, const char* name, u32 count, const Manifest* from, Fate& fate, Disk& disk,
                 TwoCheckpoints& checkpoints, Tally& tally) {
  const Model model = c.g.model();
  Seats seats(model, c, count, fate.loss);
  Trial trial(name);
  const u64 leave_table = c.random() % 3 == 0 ? ~u64{0} : 1 + c.random() % 200;
  const bool is_explicit = name == std::string("explicit");
  trial.prepare = [&](Engine& engine) {
    if (is_explicit) static_cast<DiagramEngine&>(engine).set().hand_over_after(leave_table);
  };
  // `diagram` has nowhere to go when it is full, and who divides states anew needs room for that.
  const u64 extras[] = {0, 0, u64{1} << 16, u64{1} << 20};
  const u64 extra = name == std::string("diagram") ? u64{8} << 20 : extras[c.random() % 4];
  const bool divides_anew = from != nullptr && from->number("owners").value() != count;
  const u64 room = divides_anew ? u64{2} << 20 : 0;
  SearchOptions options = seats.with(c.options);
  options.checkpoints = &checkpoints;
  options.resume = from;
  const RunControl control{
      &fate, [](void* self, const Progress&) { return static_cast<Fate*>(self)->ask(); }};
  const Status status = trial.go(model, options, disk.folder, extra + room, control);
  ++tally.runs;
  INFO(doctest::String(status.c_str()));
  REQUIRE(status.ok());
  if (is_explicit) tally.spills += static_cast<DiagramEngine*>(trial.engine)->set().spills();
  const StopReason stop = trial.outcome.stop;
  if (stop == StopReason::none) {
    check_answer(c, trial, tally.path);
    return true;
  }
  REQUIRE((stop == StopReason::signal || stop == SimulatedPeers::kLost));
  ++(stop == StopReason::signal ? tally.stops : tally.losses);
  return false;
}

void search(Case& c, const char* name, Tally& tally) {
  auto disk = std::make_unique<Disk>();
  TwoCheckpoints checkpoints(c.random() % 4);
  Manifest from;
  bool resumed = false;
  for (u32 process = 0;; ++process) {
    REQUIRE(process < 40);
    const u32 count = 1 + c.random() % 5;
    CAPTURE(process);
    CAPTURE(count);
    Fate fate(c, process, count);
    const u32 before = checkpoints.count;
    if (run_process(c, name, count, resumed ? &from : nullptr, fate, *disk, checkpoints, tally))
      return;
    if (checkpoints.count != before) {
      REQUIRE(from.assign(checkpoints.last.text()));
      resumed = true;
    }
    if (!resumed) {
      ++tally.again;
      disk = std::make_unique<Disk>();
      continue;
    }
    ++tally.resumes;
    if (from.has("owners") && from.number("owners").value() != count) ++tally.divided_anew;
    if (c.random() % 2 == 0) add_debris(disk->folder, from, c.random);
  }
}

}  // namespace

TEST_CASE("levels on a simulated network: stopped and killed anywhere, with any number of owners") {
  Tally tally;
  const u32 first = first_seed();
  const u32 last = first + rounds(250);
  for (u32 seed = first; seed < last; ++seed) {
    CAPTURE(seed);
    tally.path.clear();
    for (const char* name : kDivided) {
      CAPTURE(name);
      Case c(seed);
      search(c, name, tally);
    }
  }
  MESSAGE("seeds " << first << " to " << last - 1 << ": " << tally.runs << " processes, "
                   << tally.stops << " stopped, " << tally.losses << " lost, " << tally.resumes
                   << " resumed, " << tally.again << " begun again, " << tally.spills << " spills");
  CHECK(tally.resumes > 0);
}
