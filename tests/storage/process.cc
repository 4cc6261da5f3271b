#include "process.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/root_checkpoints.h"
#include "engine/simulated_trial.h"
#include "store/checkpoint/verified_root.h"

namespace xmc_test {

namespace {

constexpr u64 kRun = 0x5EED'0F4E'5711'0B0Du;

struct Watch {
  const ProcessPlan& plan;
  u64 polls = 0;
  bool hung = false;

  static StopReason poll(void* self, const Progress&) {
    Watch& watch = *static_cast<Watch*>(self);
    ++watch.polls;
    watch.hung = watch.polls > watch.plan.most_polls;
    return watch.hung || watch.polls >= watch.plan.stop_at_poll ? StopReason::signal
                                                                : StopReason::none;
  }
};

// So many of them, who take turns that repeat.
class Owners {
 public:
  explicit Owners(u32 count) : mail_(count, 512), leaving_(*mail_.peers) {
    for (u32 i = 0; i < count; ++i) seats_.push_back(&mail_.peers->at(i));
  }
  void into(SearchOptions& options) {
    options.parallel = seats_.size() > 1 ? &leaving_ : nullptr;
    options.owners = seats_;
  }

 private:
  xmc::test::SimulatedOwners mail_;
  LeavingThreads leaving_;
  std::vector<Peers*> seats_;
};

// States of a counterexample, with what the model says of each.
class Path {
 public:
  Path(const Job& job, Engine& engine, const SearchOutcome& outcome)
      : model_(job.subject->model()), outcome_(outcome) {
    const u64 count = outcome.prefix_steps + outcome.cycle_steps + 1;
    states_.resize(static_cast<std::size_t>(count) * model_.state_words);
    for (u64 i = 0; i < count; ++i) engine.path_state(i, at(i));
    room_ = std::max(model_.max_successors, 64u);
    buffer_.resize(std::size_t{room_} * model_.state_words);
  }

  // Empty: it is one of the model, and shows what the outcome says.
  std::string fault() {
    const u64 last = outcome_.prefix_steps + outcome_.cycle_steps;
    if (!is_initial(at(0))) return "the path does not begin in an initial state";
    bool accepts = false;
    for (u64 i = 0; i <= last; ++i) {
      const Expansion e = expand(at(i));
      if (i >= outcome_.prefix_steps) accepts = accepts || (e.flags & kAccepting) != 0;
      if (i < last && !has(e.count, at(i + 1))) return "a step of the path is not one of the model";
      if (i == last && outcome_.violation == Violation::predicate && e.violated == kNone) {
        return "the last state of the path is not bad";
      }
    }
    if (outcome_.violation != Violation::accepting_cycle) return {};
    if (outcome_.cycle_steps == 0 || !equal(at(last), at(outcome_.prefix_steps))) {
      return "the cycle is not closed";
    }
    return accepts ? "" : "the cycle does not accept";
  }

 private:
  Word* at(u64 i) { return states_.data() + static_cast<std::size_t>(i) * model_.state_words; }
  bool equal(const Word* a, const Word* b) const {
    return std::equal(a, a + model_.state_words, b);
  }
  SuccessorBuffer out() {
    SuccessorBuffer buffer;
    buffer.states = buffer_.data();
    buffer.capacity = room_;
    return buffer;
  }
  Expansion expand(const Word* state) { return model_.expand(model_.self, state, out()); }
  bool has(u32 count, const Word* state) const {
    for (u32 i = 0; i < count; ++i) {
      if (equal(state, buffer_.data() + std::size_t{i} * model_.state_words)) return true;
    }
    return false;
  }
  bool is_initial(const Word* state) { return has(model_.initial(model_.self, out()), state); }

  Model model_;
  const SearchOutcome& outcome_;
  std::vector<Word> states_;
  std::vector<Word> buffer_;
  u32 room_ = 0;
};

// The checkpoint to go on from, if there is one.
Status find_checkpoint(Card& card, Manifest& manifest, ProcessEnd& end) {
  const Result<Root> found = load_root(card.folder(), manifest);
  if (found.status().code() == Code::usage) return {};
  end.resumed = true;
  XMC_TRY(found.status());
  Root root = found.value();
  Region scratch(8 << 20);
  Arena arena(scratch.memory);
  XMC_TRY(verify_root(card.folder(), manifest, root, arena));
  end.fell_back = root.fell_back;
  end.from = end.committed = root.sequence;
  return {};
}

Status search(const Job& job, Card& card, const ProcessPlan& plan, const Manifest& from,
              ProcessEnd& end) {
  XMC_LET(Engine* const engine, find_engine(job.engine));
  const Model model = job.subject->model();
  Roots roots(card.folder(), plan.every);
  roots.sequence = end.from;
  roots.sync_names = !plan.careless;
  SearchOptions options = job.options;
  options.folder = &card.folder();
  options.checkpoints = &roots;
  options.resume = end.resumed ? &from : nullptr;
  options.parallel = threads(job.threads);
  std::vector<void*> executors(limits::kThreads, model.self);
  options.executors = executors.data();
  std::optional<Owners> owners;
  const u32 count = job.owners_change ? 1 + plan.life % job.owners : job.owners;
  if (count != 0) owners.emplace(count).into(options);
  Region region(
      static_cast<std::size_t>(engine->minimum_bytes(model, options) + job.extra_bytes + 4096));
  Arena arena(region.memory);
  XMC_TRY(engine->plan(model, options, arena));
  arena.seal();
  if (job.prepare) job.prepare(*engine);
  Watch watch{plan};
  const Status status = engine->run({&watch, &Watch::poll}, end.outcome);
  end.polls = watch.polls;
  end.hung = watch.hung;
  end.asked = roots.asked;
  end.committed = roots.sequence;
  XMC_TRY(status);
  if (end.outcome.violation != Violation::none && end.outcome.stop == StopReason::none) {
    end.path_fault = Path(job, *engine, end.outcome).fault();
  }
  return {};
}

}  // namespace

ProcessEnd run_process(const Job& job, Card& card, const ProcessPlan& plan) {
  ProcessEnd end;
  card.folder().arm(plan.faults);
  card.folder().bind(kRun, static_cast<u16>(1000 * plan.life));
  Manifest from;
  end.status = find_checkpoint(card, from, end);
  if (end.status.ok()) end.status = search(job, card, plan, from, end);
  return end;
}

bool same_answer(const ProcessEnd& end, const SearchOutcome& wanted, std::string& difference) {
  const SearchOutcome& got = end.outcome;
  difference = end.path_fault;
  const auto differ = [&](const char* what, u64 a, u64 b) {
    if (a == b) return;
    difference +=
        std::string(what) + " " + std::to_string(a) + " instead of " + std::to_string(b) + "; ";
  };
  differ("violation", static_cast<u64>(got.violation), static_cast<u64>(wanted.violation));
  differ("complete", got.complete, wanted.complete);
  if (wanted.minimal) {
    differ("minimal", got.minimal, 1);
    differ("length", got.prefix_steps + got.cycle_steps, wanted.prefix_steps + wanted.cycle_steps);
  }
  if (wanted.complete) {
    differ("states", got.stats.states, wanted.stats.states);
    differ("transitions", got.stats.transitions, wanted.stats.transitions);
    differ("levels", got.stats.levels, wanted.stats.levels);
    differ("deadlocks", got.stats.deadlocks, wanted.stats.deadlocks);
    differ("accepting", got.stats.accepting, wanted.stats.accepting);
    differ("error steps", got.stats.error_steps, wanted.stats.error_steps);
  }
  return difference.empty();
}

}  // namespace xmc_test
