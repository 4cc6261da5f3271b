#include "engine/search/search.h"

#include <algorithm>

#include "xmc/check.h"

namespace xmc {

namespace {

bool only_self_loops(const Word* state, const Word* successors, u32 count, u32 words) {
  for (u32 i = 0; i < count; ++i) {
    if (!std::equal(state, state + words, successors + u64{i} * words)) return false;
  }
  return true;
}

}  // namespace

u32 Search::initial() {
  SuccessorBuffer out;
  out.states = buffer;
  out.capacity = buffer_states;
  const u32 count = model.initial(model.self, out);
  XMC_CHECK(count >= 1);
  XMC_CHECK(count <= buffer_states);
  return count;
}

Expansion Search::expand(const StateTable& table, StateIndex index, u32 fill) {
  table.load(index, state);
  return expand_state(state, fill);
}

Expansion Search::try_expand(const StateTable& table, StateIndex index, u32 fill) {
  table.load(index, state);
  return try_state(state, fill);
}

// The next state may take as long: it is time to ask the outside.
void Search::note_long(const Expansion& expansion) {
  poll_countdown = 1;
  if (is_unfinished(expansion)) --stats().expansions;
}

Expansion Search::expand_state(const Word* from, u32 fill, bool may_stop) {
  SuccessorBuffer out;
  out.may_stop = may_stop;
  out.states = buffer_at(fill);
  out.capacity = buffer_states - fill;
  XMC_DASSERT(out.capacity >= model.max_successors);
  const Expansion expansion = model.expand(model.self, from, out);
  XMC_CHECK(expansion.count <= out.capacity);
  ++stats().expansions;
  if ((expansion.flags & kLong) != 0) note_long(expansion);
  return expansion;
}

void Search::read_ahead(const StateTable& table, StateIndex next, StateIndex end) {
  if (!ahead.has_room()) return;
  StateIndex at = next + static_cast<StateIndex>(ahead.waiting());
  const Status status = ahead.fill(end - at, [&](Word* to) {
    table.load(at++, to);
    return Status();
  });
  XMC_CHECK(status.ok());
}

Expansion Search::expand_ahead(u32 fill) {
  XMC_DASSERT(buffer_states - fill >= model.max_successors);
  ++stats().expansions;
  const Expansion expansion = ahead.next(state, buffer_at(fill));
  if ((expansion.flags & kLong) != 0) note_long(expansion);
  return expansion;
}

bool Search::leads_to(const Word* from, const Word* target) {
  const Expansion expansion = expand_state(from, 0);
  const u32 words = model.state_words;
  for (u32 i = 0; i < expansion.count; ++i) {
    if (std::equal(target, target + words, buffer_at(i))) return true;
  }
  return false;
}

// A state's own predicates come first, then its erroneous steps, then the lack of steps. An
// erroneous step is a step: a state with one is not stuttering.
Violation Search::judge(const Word* from, const Expansion& expansion, u32 fill) {
  SearchStats& s = stats();
  s.transitions = counted_sum(s.transitions, expansion.count + u64{expansion.dropped});
  if (expansion.repeats != 0) s.transitions = counted_sum(s.transitions, expansion.repeats);
  s.error_steps = counted_sum(s.error_steps, expansion.errors);
  if (model.buchi && (expansion.flags & kAccepting) != 0) ++s.accepting;
  bool deadlock = (expansion.flags & kDeadlock) != 0;
  if (options.deadlock == DeadlockRule::stuttering && !deadlock && expansion.count > 0) {
    deadlock = model.canonical != nullptr
                   ? (expansion.flags & kStutters) != 0
                   : expansion.errors + expansion.dropped == 0 &&
                         only_self_loops(from, buffer_at(fill), expansion.count, model.state_words);
  }
  if (deadlock) ++s.deadlocks;
  if (expansion.violated != kNone) {
    s.bad_states = counted_sum(s.bad_states == kNoFigure ? 0 : s.bad_states, 1);
    return Violation::predicate;
  }
  if (options.errors_violate && expansion.errors > 0) return Violation::model_error;
  if (deadlock && options.deadlock != DeadlockRule::ignore) return Violation::deadlock;
  return Violation::none;
}

Status Search::poll(Progress progress) {
  poll_countdown = kPollInterval;
  progress.transitions = stats().transitions;
  progress.expanded = stats().expansions;
  progress.work = work;
  return Status::stop((*control)(progress));
}

void Search::note_times(SearchStats& into) {
  if (!clock.on()) return;
  const PhaseTimes times = clock.times();
  const SearchStats& before = times_before;
  const auto sum = [](u64 earlier, u64 ns) {
    return (earlier == kNoFigure ? 0 : earlier) + ns / 1000;
  };
  into.search_us = sum(before.search_us, times.total);
  into.generation_us = sum(before.generation_us, times.of(Phase::generation));
  into.insertion_us = sum(before.insertion_us, times.of(Phase::insertion));
  into.detection_us = sum(before.detection_us, times.of(Phase::detection));
  into.queueing_us = sum(before.queueing_us, times.of(Phase::queueing));
  into.partitioning_us = sum(before.partitioning_us, times.of(Phase::partitioning));
  if (model.buchi) into.cycles_us = sum(before.cycles_us, times.of(Phase::cycles));
  into.io_wait_us = sum(before.io_wait_us, times.io_wait);
  // What rounding left over, too.
  into.rest_us = into.search_us - into.generation_us - into.insertion_us - into.detection_us -
                 into.queueing_us - into.partitioning_us - into.io_wait_us -
                 (model.buchi ? into.cycles_us : 0);
}

// Entries are about equally long.
void Search::note_payload(u64 bytes, u64 entries) {
  stats().payload_bytes =
      static_cast<u64>(static_cast<double>(bytes) / static_cast<double>(std::max<u64>(entries, 1)) *
                       static_cast<double>(stats().states));
}

void Search::record(Violation violation, const Expansion& expansion, u64 prefix_steps) {
  XMC_CHECK(is_nearer(violation, prefix_steps));
  outcome->violation = violation;
  outcome->prefix_steps = prefix_steps;
  outcome->predicate = violation == Violation::predicate ? expansion.violated : kNone;
  outcome->error_label = violation == Violation::model_error ? expansion.error_label : kNone;
}

}  // namespace xmc
