#include "trace/replay.h"

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/step_work.h"

namespace xmc {

namespace {

bool same(const Word* a, const Word* b, u32 words) {
  for (u32 i = 0; i < words; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace

TraceClaim claim_of(const SearchOutcome& outcome, DeadlockRule deadlock) {
  TraceClaim claim;
  claim.steps = outcome.prefix_steps + outcome.cycle_steps;
  claim.loop_start = outcome.cycle_steps == 0 ? kNoLoop : outcome.prefix_steps;
  claim.violation = outcome.violation;
  claim.deadlock = deadlock;
  claim.predicate = outcome.predicate;
  claim.error_label = outcome.error_label;
  return claim;
}

void Replay::plan(const Model& judge, Arena& arena) {
  XMC_CHECK(judge.expand != nullptr);
  XMC_CHECK(judge.initial != nullptr);
  XMC_CHECK(judge.state_words > 0);
  judge_ = judge;
  words_ = judge.state_words;
  // initial() writes here as well, so there is room for one state at least.
  buffer_.capacity = judge.max_successors == 0 ? 1 : judge.max_successors;
  buffer_.states = arena.carve_array<Word>("replay", u64{buffer_.capacity} * words_).data();
  buffer_.labels = arena.carve_array<u32>("replay", buffer_.capacity).data();
  state_ = arena.carve_array<Word>("replay", words_).data();
  previous_ = arena.carve_array<Word>("replay", words_).data();
  loop_ = arena.carve_array<Word>("replay", words_).data();
}

bool Replay::equal_states(const Word* a, const Word* b) const { return same(a, b, words_); }

void Replay::take(u32 choice) {
  copy(std::span<Word>(state_, words_),
       std::span<const Word>(buffer_.states + u64{choice} * words_, words_));
  expanded_ = false;
}

Status Replay::start(const StepChooser& chooser) {
  XMC_CHECK(state_ != nullptr);
  chooser_ = chooser;
  SuccessorBuffer plain = buffer_;
  plain.labels = nullptr;
  const u32 count = judge_.initial(judge_.self, plain);
  XMC_CHECK(count <= buffer_.capacity);
  const u32 choice = chooser_.choose(chooser_.self, 0, count, plain);
  if (choice == kNone || choice >= count) {
    return Status::fail(Code::internal, "the trace does not begin in an initial state");
  }
  take(choice);
  index_ = 0;
  label_ = kNone;
  label_repeat_ = choice;
  return {};
}

const Expansion& Replay::expansion() {
  if (!expanded_) {
    expansion_ = judge_.expand(judge_.self, state_, buffer_);
    XMC_CHECK(expansion_.count <= buffer_.capacity);
    expanded_ = true;
  }
  return expansion_;
}

// A stop, if it is unfinished.
Status Replay::finish_expansion() {
  return (expansion().flags & kUnfinished) != 0 ? stop_of_steps() : Status();
}

Status Replay::advance() {
  XMC_TRY(finish_expansion());
  const u32 count = expansion().count;
  const u32 choice = chooser_.choose(chooser_.self, index_ + 1, count, buffer_);
  if (choice == kNone || choice >= count) {
    return Status::fail(Code::internal, "step %llu of the trace is not a step of the model",
                        wide(index_ + 1));
  }
  label_ = buffer_.labels[choice];
  label_repeat_ = 0;
  for (u32 i = 0; i < choice; ++i) label_repeat_ += buffer_.labels[i] == label_ ? 1 : 0;
  Word* const old = previous_;
  previous_ = state_;
  state_ = old;
  take(choice);
  ++index_;
  return {};
}

Status Replay::check_end(const TraceClaim& claim, bool accepting_seen) {
  XMC_TRY(finish_expansion());
  const Expansion& end = expansion();
  switch (claim.violation) {
    case Violation::none:
      return {};
    case Violation::deadlock: {
      if ((end.flags & kDeadlock) != 0) return {};
      bool stutters = claim.deadlock == DeadlockRule::stuttering;
      for (u32 i = 0; stutters && i < end.count; ++i) {
        stutters = equal_states(buffer_.states + u64{i} * words_, state_);
      }
      if (stutters && end.errors == 0) return {};
      return Status::fail(Code::internal, "the last state of the trace is not a deadlock");
    }
    case Violation::predicate:
      if (claim.predicate != kNone && end.violated == claim.predicate) return {};
      return Status::fail(Code::internal,
                          "the last state of the trace does not violate predicate %u",
                          claim.predicate);
    case Violation::liveness: {
      // That no way leads on to where it is true is what the search has shown.
      const u32 bit = claim.predicate - judge_.predicate_count - judge_.cover_count;
      if (bit < judge_.live_count && (judge_.live(judge_.self, state_) >> bit & 1) == 0) return {};
      return Status::fail(Code::internal, "liveness property %u is true at the end of the trace",
                          claim.predicate);
    }
    case Violation::uncovered:
      if (index_ == 0) return {};
      break;
    case Violation::model_error:
      if (end.errors > 0 && (claim.any_error || end.error_label == claim.error_label)) return {};
      return Status::fail(Code::internal, "the last state of the trace has no erroneous step %u",
                          claim.error_label);
    case Violation::accepting_cycle:
      if (claim.loop_start == kNoLoop || claim.loop_start >= claim.steps) {
        return Status::fail(Code::internal, "the trace has no cycle");
      }
      if (!equal_states(state_, loop_))
        return Status::fail(Code::internal, "the cycle of the trace does not close");
      if (!accepting_seen)
        return Status::fail(Code::internal, "no accepting state lies on the cycle of the trace");
      return {};
  }
  return Status::fail(Code::internal, "unknown violation");
}

Status Replay::close_loop(const StepChooser& chooser, TraceClaim& claim) {
  set_may_stop(true);
  const Status status = go_around(chooser, claim);
  set_may_stop(false);
  return status;
}

Status Replay::confirm(const StepChooser& chooser, const TraceClaim& claim) {
  set_may_stop(true);
  const Status status = walk(chooser, claim);
  set_may_stop(false);
  return status;
}

Status Replay::go_around(const StepChooser& chooser, TraceClaim& claim) {
  const u64 prefix = claim.loop_start;
  const u64 length = claim.steps - prefix;
  XMC_TRY(start(chooser));
  while (index_ < prefix) XMC_TRY(advance());
  u64 power = 1;
  claim.loop_start = prefix;
  copy(std::span<Word>(loop_, words_), std::span<const Word>(state_, words_));
  while (true) {
    for (u64 i = 0; i < length; ++i) XMC_TRY(advance());
    claim.steps = index_;
    if (equal_states(state_, loop_)) return {};
    if (index_ - claim.loop_start < power * length) continue;
    power *= 2;
    claim.loop_start = index_;
    copy(std::span<Word>(loop_, words_), std::span<const Word>(state_, words_));
  }
}

Status Replay::walk(const StepChooser& chooser, const TraceClaim& claim) {
  XMC_TRY(start(chooser));
  bool accepting_seen = false;
  while (true) {
    if (index_ == claim.loop_start) {
      copy(std::span<Word>(loop_, words_), std::span<const Word>(state_, words_));
    }
    if (index_ >= claim.loop_start && (expansion().flags & kAccepting) != 0) accepting_seen = true;
    if (index_ == claim.steps) break;
    XMC_TRY(advance());
  }
  return check_end(claim, accepting_seen);
}

void Replay::unfold(const Word* state, u32 label, u32 repeat,
                    const StatementVisitor& visitor) const {
  if (judge_.unfold == nullptr || !judge_.unfold(judge_.self, state, label, repeat, visitor))
    visitor.visit(visitor.self, label, nullptr);
}

void EnginePath::plan(Engine& engine, const Model& searched, const StateMap& map, Arena& arena) {
  engine_ = &engine;
  searched_ = searched;
  map_ = map;
  judge_words_ = map.map == nullptr ? searched.state_words : map.from_words;
  wanted_ = arena.carve_array<Word>("replay", searched.state_words).data();
  if (searched.canonical == nullptr && map.map == nullptr) return;
  canonical_ = arena.carve_array<Word>("replay", searched.state_words).data();
}

bool EnginePath::is_wanted(const Word* state) {
  const u32 words = searched_.state_words;
  if (canonical_ == nullptr) return same(state, wanted_, words);
  if (map_.map != nullptr) {
    map_.map(map_.self, state, canonical_);
  } else {
    copy(std::span<Word>(canonical_, words), std::span<const Word>(state, words));
  }
  if (searched_.canonical != nullptr) searched_.canonical(searched_.self, canonical_);
  return same(canonical_, wanted_, words);
}

u32 EnginePath::choose(void* self, u64 index, u32 count, const SuccessorBuffer& from) {
  auto* const path = static_cast<EnginePath*>(self);
  const bool around = path->cycle_ != 0 && index > path->prefix_;
  if (around) index = path->prefix_ + (index - path->prefix_) % path->cycle_;
  path->engine_->path_state(index, path->wanted_);
  for (u32 i = 0; i < count; ++i) {
    if (path->is_wanted(from.states + u64{i} * path->judge_words_)) return i;
  }
  return kNone;
}

}  // namespace xmc
