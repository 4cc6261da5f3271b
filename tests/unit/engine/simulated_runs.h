// Random models whose searches are divided among owners on a simulated network, where blocks of
// different senders may overtake each other. Runs are stopped and killed in between, the latter by
// an owner that is lost somewhere: they go on from the last checkpoint, or begin again, with any
// number of owners. XMC_FIRST_SEED: where a longer run by hand begins.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>

#include "flash_trial.h"
#include "simulated_trial.h"
#include "two_checkpoints.h"

namespace xmc_test {

using xmc::test::SimulatedOwners;

inline u32 first_seed() {
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
  u64 spills = 0;         // of sets
  u64 activations = 0;    // of partitions
  std::vector<u32> path;  // of this model, by whoever was the first to find one
};

// One random model, and what is known about it; so many times as large as it might be.
struct Case {
  explicit Case(u32 its_seed, u32 times = 1) : seed(its_seed), random(its_seed * 7 + 3) {
    const u32 shapes[][2] = {{1, 8}, {1, 4}, {2, 13}, {3, 24}, {5, 33}};
    const auto& shape = shapes[random() % 5];
    constexpr u32 kSizes[] = {200, 4'000, 4'000, 15'000};
    const u32 size = 20 + random() % (times * kSizes[random() % 4]);
    g = random_graph(seed, size, 1 + random() % 5, shape[0], shape[1]);
    const u32 rare = random() % 3 == 0 ? 0 : times * (300 + random() % 2'000);
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

// How a search is made to show all that it does, and what its answer is compared with.
struct Subject {
  const char* name = "";
  virtual void prepare(Case&, Engine&) {}
  // Bytes beside the least, in one run of several kinds.
  virtual u64 extra(Case& c) = 0;
  virtual void check(Case& c, Trial& trial, Tally& tally) = 0;
  virtual void note(Engine&, Tally&) {}

 protected:
  ~Subject() = default;
};

// True when the search has ended by itself; false: it goes on from what `checkpoints` has.
inline bool run_process(Case& c, Subject& subject, u32 count, const Manifest* from, Fate& fate,
                        Disk& disk, TwoCheckpoints& checkpoints, Tally& tally) {
  const Model model = c.g.model();
  Seats seats(model, c, count, fate.loss);
  Trial trial(subject.name);
  trial.prepare = [&](Engine& engine) { subject.prepare(c, engine); };
  const u64 extra = subject.extra(c);
  // Who divides states anew needs room for that.
  const bool divides_anew = from != nullptr && from->number("owners").value() != count;
  const u64 room = divides_anew ? u64{2} << 20 : 0;
  if (divides_anew) ++tally.divided_anew;
  SearchOptions options = seats.with(c.options);
  options.checkpoints = &checkpoints;
  options.resume = from;
  const RunControl control{
      &fate, [](void* self, const Progress&) { return static_cast<Fate*>(self)->ask(); }};
  const Status status = trial.go(model, options, disk.folder, extra + room, control);
  ++tally.runs;
  INFO(doctest::String(status.c_str()));
  REQUIRE(status.ok());
  subject.note(*trial.engine, tally);
  const StopReason stop = trial.outcome.stop;
  if (stop == StopReason::none) {
    subject.check(c, trial, tally);
    return true;
  }
  REQUIRE((stop == StopReason::signal || stop == SimulatedPeers::kLost));
  ++(stop == StopReason::signal ? tally.stops : tally.losses);
  return false;
}

inline void search(Case& c, Subject& subject, Tally& tally) {
  constexpr std::size_t kDiskBytes = std::size_t{256} << 20;
  auto disk = std::make_unique<Disk>(kDiskBytes);
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
    if (run_process(c, subject, count, resumed ? &from : nullptr, fate, *disk, checkpoints, tally))
      return;
    if (checkpoints.count != before) {
      REQUIRE(from.assign(checkpoints.last.text()));
      resumed = true;
    }
    if (!resumed) {
      ++tally.again;
      disk = std::make_unique<Disk>(kDiskBytes);
      continue;
    }
    ++tally.resumes;
    if (c.random() % 2 == 0) add_debris(disk->folder, from, c.random);
  }
}

}  // namespace xmc_test
