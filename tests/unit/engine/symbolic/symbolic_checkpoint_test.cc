// Searches with sets that are saved after many portions of work and go on elsewhere: in memory of
// another size, from the checkpoint before, after a power cut at every step, with a device that
// fails.
#include "flash_trial.h"
#include "platform/device_fault.h"
#include "root_checkpoints.h"
#include "symbolic/set_trial.h"
#include "two_checkpoints.h"

namespace symbolic_checkpoint_test {

namespace {

using namespace xmc_test;

// What a run was when a portion ended, and so can be again.
struct Saver {
  Disk disk{4 << 20};
  Region buffer{SetCheckpoint::kBufferBytes};
  SetCheckpoint file;
  Manifest last;

  Saver() { file.start(disk.folder, buffer.memory); }
  void save(SymbolicRun& run) {
    last.clear();
    Lines io = Lines::into(last);
    REQUIRE(run.save(file, io).ok());
    verify(disk.folder, last);
  }
  // Whoever goes on knows nothing of the process before.
  void restore(SetTrial& t, const SymbolicSearch::Choices& choices) {
    file.start(disk.folder, buffer.memory);
    Lines io = Lines::of(last);
    const Status status = t.run.restore(t.search, t.memory, choices, file, io);
    INFO(doctest::String(status.c_str()));
    REQUIRE(status.ok());
  }
};

TEST_CASE("a search with sets goes on from any portion, in other memory") {
  u32 finished = 0;
  u32 resumed[5] = {};  // by phase
  u32 cycles = 0;
  u32 projected = 0;
  u32 too_small = 0;
  const u32 all = rounds(600);
  for (u32 round = 0; round < all; ++round) {
    CAPTURE(round);
    std::mt19937 rng(round + 50'000);
    RandomSteps::Wish wish = random_wish(rng);
    SearchOptions options;
    if (wish.product && rng() % 4 != 0) {
      wish.predicates = 0;
      wish.errors = false;
      options.deadlock = DeadlockRule::ignore;
    }
    RandomSteps steps(rng, wish);
    if (!wish.product && rng() % 2 == 0) options.deadlock = DeadlockRule::stuttering;
    RandomSteps::Truth truth = steps.explore(options.deadlock == DeadlockRule::stuttering);
    if (options.deadlock == DeadlockRule::ignore) truth.first_bad = kNone;
    const SymbolicSearch::Choices choices = random_choices(rng);
    const Model model = steps.model();
    const std::size_t least = static_cast<std::size_t>(SymbolicSearch::least_bytes(model));
    const auto other_size = [&] { return least + (rng() % 3 != 0 ? 4096 : 100'000) * (rng() % 4); };
    Saver saver;
    auto t = std::make_unique<SetTrial>(model, options, other_size(), choices);
    u64 portion = 30 + rng() % 500;
    SymbolicRun::Phase phase = SymbolicRun::Phase::closing;
    bool room = t->run.stop_reason() != SetDiagram::Stop::full;
    bool any = false;
    bool large = false;  // there is no more than this
    while (room && !t->run.advance(portion)) {
      // What was explored is explored again, so that portions have to grow.
      portion = t->run.phase() == phase ? portion * 2 : 30 + rng() % 500;
      phase = t->run.phase();
      const bool full = t->run.stop_reason() == SetDiagram::Stop::full;
      room = !full || (any && !large);
      if (!room || (!full && rng() % 2 == 0)) continue;
      if (!full) {
        REQUIRE(t->run.stop_reason() == SetDiagram::Stop::work);
        ++resumed[static_cast<u32>(t->run.phase())];
        saver.save(t->run);
        any = true;
      }
      // What was saved before is enough for a run with more memory.
      too_small += full;
      large = full;
      const auto go_on = [&](std::size_t size) {
        t = std::make_unique<SetTrial>(model, options, size, choices);
        saver.restore(*t, choices);
        room = t->run.stop_reason() != SetDiagram::Stop::full;
      };
      go_on(large ? least + 2'000'000 : other_size());
      if (room || large) continue;
      ++too_small;
      large = true;
      go_on(least + 2'000'000);
    }
    if (!room) continue;
    t->run.note_figures();
    ++finished;
    projected += t->run.sets().projections();
    cycles += t->outcome.violation == Violation::accepting_cycle;
    check(steps, *t, truth, wish.product);
  }
  MESSAGE("finished " << finished << "; resumed " << resumed[0] << ", " << resumed[1] << ", "
                      << resumed[2] << ", " << resumed[3] << "; cycles " << cycles << ", projected "
                      << projected << ", too small " << too_small);
  CHECK(finished > all * 3 / 4);
  CHECK(resumed[0] > all / 4);
  CHECK(resumed[1] > all / 8);
  CHECK(resumed[2] > all / 200);
  CHECK(resumed[3] > all / 20);
  CHECK(cycles > all / 50);
  CHECK(projected > all / 8);
  CHECK(too_small > 0);
}

// Steps that take a while, some of which violate a predicate.
struct LongSteps {
  std::mt19937 rng;
  RandomSteps steps;
  RandomSteps::Truth truth;
  Model model;

  explicit LongSteps(u32 seed) : rng(seed), steps(rng, wish(seed)), truth(steps.explore(false)) {
    model = steps.model();
    if (seed % 2 == 0) model.predicate_count = 0;
  }
  static RandomSteps::Wish wish(u32 seed) {
    RandomSteps::Wish wish;
    wish.fields = 8;
    wish.values = 4;
    wish.steps = 12;
    wish.depth = 3;
    wish.product = seed % 3 == 0;
    return wish;
  }
  SearchOptions options() const {
    SearchOptions options;
    options.deadlock = DeadlockRule::ignore;
    return options;
  }
};

struct Watched {
  u32 left = 0;  // polls until it is told to stop; 0: never
  RunControl control() {
    return {this, [](void* self, const Progress&) {
              u32& polls = static_cast<Watched*>(self)->left;
              return polls > 0 && --polls == 0 ? StopReason::signal : StopReason::none;
            }};
  }
};

struct Wanted {
  u64 states = 0;
  u64 deadlocks = 0;
  u64 transitions = 0;
  Violation violation = Violation::none;
  u64 steps = 0;

  explicit Wanted(const SearchOutcome& o)
      : states(o.stats.states),
        deadlocks(o.stats.deadlocks),
        transitions(o.stats.transitions),
        violation(o.violation),
        steps(o.prefix_steps) {
    REQUIRE(o.complete);
    REQUIRE(o.stop == StopReason::none);
  }
  friend bool operator==(const Wanted&, const Wanted&) = default;
};

Wanted undisturbed(LongSteps& job, u64 extra) {
  Disk disk;
  Trial run("symbolic");
  REQUIRE(run.go(job.model, job.options(), disk.folder, extra).ok());
  REQUIRE(run.outcome.stats.states == job.truth.level.size());
  REQUIRE(run.outcome.stats.deadlocks == job.truth.deadlocks);
  return Wanted(run.outcome);
}

TEST_CASE("a stopped search with sets goes on from either of its checkpoints") {
  u32 resumed = 0;
  u32 older = 0;
  u32 violated = 0;
  const u32 all = rounds(12);
  for (u32 seed = 1; seed <= all; ++seed) {
    CAPTURE(seed);
    LongSteps job(seed);
    const u64 extra = seed % 3 == 0 ? 6'000'000 : 400'000;
    const Wanted wanted = undisturbed(job, extra);
    violated += wanted.violation != Violation::none;
    Random random(seed);
    Disk disk;
    SearchOptions options = job.options();
    TwoCheckpoints checkpoints(1 + random() % 4);
    options.checkpoints = &checkpoints;
    Manifest from;
    for (u32 round = 0;; ++round) {
      REQUIRE(round < 500);
      Watched watched{1 + random() % 3 + round / 4};
      Trial run("symbolic");
      options.resume = from.text().empty() ? nullptr : &from;
      const u64 more = random() % 2 * 300'000;
      const Status status =
          run.go(job.model, options, disk.folder, extra + more, watched.control());
      INFO(doctest::String(status.c_str()));
      REQUIRE(status.ok());
      if (run.outcome.stop == StopReason::none) {
        CHECK(Wanted(run.outcome) == wanted);
        resumed += round;
        break;
      }
      REQUIRE(run.outcome.stop == StopReason::signal);
      // The newer one may be lost.
      if (!checkpoints.before.text().empty() && random() % 4 == 0) {
        REQUIRE(checkpoints.last.assign(checkpoints.before.text()));
        ++older;
      }
      REQUIRE(from.assign(checkpoints.last.text()));
      verify(disk.folder, from);
    }
  }
  MESSAGE("resumed " << resumed << ", older " << older << ", violated " << violated);
  CHECK(resumed > all * 2);
  CHECK(older > all / 2);
  CHECK(violated > all / 4);
}

// The newest sound checkpoint, if there is one.
bool find_root(Folder& folder, Manifest& manifest, u64& sequence) {
  const Result<Root> root = load_root(folder, manifest);
  if (!root.ok()) {
    REQUIRE(root.status().code() == Code::usage);
    return false;
  }
  if (root.value().fell_back) REQUIRE(discard_root(folder, 1 - root.value().slot).ok());
  sequence = root.value().sequence;
  verify(folder, manifest);
  return true;
}

TEST_CASE("a search with sets survives a power cut at every step of its checkpoints") {
  constexpr u64 kExtra = 400'000;
  u32 resumed = 0;
  const std::vector<u32> seeds = {4, 5, 7, 20};
  const u32 taken = rounds(4);
  for (u32 i = 0; i < taken && i < seeds.size(); ++i) {
    const u32 seed = seeds[i];
    LongSteps job(seed);
    const Wanted wanted = undisturbed(job, kExtra);
    for (u64 cut_at = 1;; ++cut_at) {
      CAPTURE(seed);
      CAPTURE(cut_at);
      Region disk(16 << 20), journal(4 << 20);
      RamFolder below(disk.memory);
      FaultFolder folder(below, journal.memory);
      FaultPlan plan;
      plan.seed = cut_at + 100 * seed;
      plan.cut_at = cut_at;
      folder.arm(plan);
      SearchOptions options = job.options();
      Roots roots(folder, 2);
      options.checkpoints = &roots;
      Trial run("symbolic");
      const Status status = run.go(job.model, options, folder, kExtra);
      if (folder.powered()) {
        REQUIRE(status.ok());
        CHECK(Wanted(run.outcome) == wanted);
        CHECK(cut_at > 10);
        break;
      }
      REQUIRE_FALSE(status.ok());
      folder.arm({});
      folder.restore_power();
      Manifest from;
      Roots later(folder, 3);
      options.checkpoints = &later;
      options.resume = find_root(folder, from, later.sequence) ? &from : nullptr;
      resumed += options.resume != nullptr;
      // At most one checkpoint was on its way.
      CHECK(later.sequence >= roots.sequence);
      Trial again("symbolic");
      const Status ended = again.go(job.model, options, folder, kExtra);
      INFO(doctest::String(ended.c_str()));
      REQUIRE(ended.ok());
      CHECK(Wanted(again.outcome) == wanted);
    }
  }
  CHECK(resumed > 10 * taken);
}

TEST_CASE("a failing device ends a search with sets with its error, and so does a wrong bit") {
  LongSteps job(16);
  constexpr u64 kExtra = 400'000;
  const Wanted wanted = undisturbed(job, kExtra);
  u32 refused = 0;
  for (u32 k = 1; k <= 5; ++k) {
    for (const Code expected : {Code::io, Code::disk_full, Code::corrupt}) {
      CAPTURE(k);
      CAPTURE(static_cast<int>(expected));
      Region disk(16 << 20), journal(4 << 20);
      RamFolder below(disk.memory);
      FaultFolder folder(below, journal.memory);
      SearchOptions options = job.options();
      Roots roots(folder, 2);
      options.checkpoints = &roots;
      FaultPlan plan;
      plan.seed = k;
      Manifest from;
      if (expected == Code::io) plan.fail_write_at = k;
      if (expected == Code::disk_full) plan.full_after_bytes = u64{8 << 10} * (k - 1);
      if (expected == Code::corrupt) {
        Watched watched{3 + k};
        Trial run("symbolic");
        REQUIRE(run.go(job.model, options, folder, kExtra, watched.control()).ok());
        REQUIRE(find_root(folder, from, roots.sequence));
        options.resume = &from;
        plan.flip_read_at = 1;
      }
      folder.arm(plan);
      Trial run("symbolic");
      const Status status = run.go(job.model, options, folder, kExtra);
      INFO(doctest::String(status.c_str()));
      if (status.ok() && expected == Code::corrupt) {
        // The bit was in the unused end of a block.
        CHECK(Wanted(run.outcome) == wanted);
        continue;
      }
      REQUIRE_FALSE(status.ok());
      CHECK(status.code() == expected);
      refused += expected == Code::corrupt;
    }
  }
  CHECK(refused > 0);
}

}  // namespace

}  // namespace symbolic_checkpoint_test
