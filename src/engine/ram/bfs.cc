#include "engine/ram/bfs.h"

#include <algorithm>

#include "xmc/check.h"
#include "xmc/step_work.h"

namespace xmc {

namespace {

class Bfs {
 public:
  explicit Bfs(RamSearch& ram) : r_(ram), s_(*ram.search) {}

  // The failure of an owner whom a level's end was told.
  Status run() {
    const Phase before = s_.clock.switch_to(Phase::expansion);
    Status status = search();
    s_.clock.switch_to(before);
    const StopReason stop = status.take_stop();
    finish(status.ok() ? stop : StopReason::signal);
    return status;
  }

 private:
  Status search() {
    if (!r_.insert_initial()) return r_.table_full();
    for (u64 begin = 0; begin < r_.table.size(); ++level_) {
      const u64 end = r_.table.size();
      if (!r_.table.push(static_cast<u32>(begin))) return r_.table_full();
      s_.stats().levels = level_ + 1;
      last_level_ = level_ >= s_.options.depth_limit;
      XMC_TRY(expand_level(static_cast<StateIndex>(begin), static_cast<StateIndex>(end)));
      if (s_.over(level_ + 1)) return {};
      XMC_TRY(keep_path());
      XMC_TRY(end_level(end - begin));
      if (s_.over(level_ + 1)) return {};
      begin = end;
    }
    return {};
  }

  // As soon as its level is judged: whatever ends a search that goes on, the path is there.
  Status keep_path() {
    if (culprit_ == kNone || r_.path_states != 0 || r_.hand_over.happened) return {};
    const u64 steps = s_.outcome->prefix_steps;
    if (!r_.table.room_for_stack(steps + 1)) return {};
    XMC_TRY(trace_back(r_, culprit_, steps, true));
    r_.path_states = steps + 1;
    return {};
  }

  Status end_level(u64 states) {
    XMC_TRY(r_.poll(level_, states, true));
    if (left_out_) return Status::stop(StopReason::depth_limit);
    const RamSearch::HandOver& hand = r_.hand_over;
    return hand.level_end_call == nullptr ? Status() : hand.level_end_call(hand.owner);
  }

  // Everything before `next` is expanded.
  Status flush(StateIndex next) {
    if (s_.only_judges()) {
      fill_ = 0;
      return {};
    }
    s_.clock.turn_to(Phase::insertion);
    const Status status = insert_buffer();
    s_.clock.next_round();
    s_.clock.turn_to(Phase::generation);
    // At the depth limit a state is done if it leads to known ones only.
    if ((status.ok() && !left_out_) || r_.hand_over.happened) leave_behind(next);
    return status;
  }

  Status insert_buffer() {
    const u32 count = fill_;
    fill_ = 0;
    if (last_level_) {
      if (r_.steps_back != nullptr) *r_.steps_back = true;  // it is not looked for here
      look_beyond(count);
      return {};
    }
    const bool watch = r_.steps_back != nullptr && !*r_.steps_back;
    StateIndex* const indexes = watch ? r_.indexes : nullptr;
    if (r_.table.insert(s_.buffer, count, indexes) < count) return r_.table_full(more_to_come());
    if (watch) *r_.steps_back = leads_back(count);
    const u32 keep = r_.hand_over.keep_room;
    if (keep == 0) return {};
    const bool large = r_.table.size() >= r_.hand_over.after_states;
    if (!large && r_.table.has_room(keep)) return {};
    r_.hand_over.happened = true;
    return Status::stop(StopReason::ram);
  }

  // Whether one of these successors is of this level or one before, and could be on an accepting
  // cycle.
  bool leads_back(u32 count) const {
    for (u32 i = 0; i < count; ++i) {
      if (r_.indexes[i] >= level_end_) continue;
      if (s_.model.cycle_class_of(s_.buffer_at(i)) != 0) return true;
    }
    return false;
  }

  // Each state that waits brings one more at least while levels grow, and those as many again; when
  // they shrink, the share of new states so far is kept.
  u64 more_to_come() const {
    const u64 size = r_.table.size();
    const u64 level = level_end_ - level_begin_;
    const u64 expanded = std::max<u64>(expanding_ - level_begin_, 1);
    const u64 next = (size - level_end_) * level / expanded;  // the size of the next level
    const u64 waiting = size - expanding_;
    return next < level ? std::max<u64>(waiting, 1) : std::max(waiting, size);
  }

  // Everything before `next` is done: the buffer is empty.
  void leave_behind(StateIndex next) {
    RamSearch::HandOver& hand = r_.hand_over;
    if (hand.keep_room == 0) return;
    hand.level = level_;
    hand.next = next;
    hand.level_end = level_end_;
    hand.culprit = culprit_;
    hand.stats = s_.stats();
  }

  // The states at the depth limit are judged like all others, but nothing is stored behind them.
  // The search is still complete if they lead to known states only.
  void look_beyond(u32 count) { left_out_ = left_out_ || !r_.table.has_all(s_.buffer, count); }

  Status expand_level(StateIndex begin, StateIndex end) {
    const Status status = expand_states(begin, end);
    s_.ahead.discard();
    return status;
  }

  Status expand_states(StateIndex begin, StateIndex end) {
    const bool ahead = s_.ahead.pays(end - begin);
    level_begin_ = begin;
    level_end_ = end;
    leave_behind(begin);
    for (StateIndex i = begin; i < end; ++i) {
      expanding_ = i;
      if (ahead) r_.read_ahead(i, end);
      const Expansion expansion = ahead ? s_.expand_ahead(fill_) : r_.try_expand(i, fill_);
      if (Search::is_unfinished(expansion)) {
        XMC_TRY(flush(i));
        return stop_of_steps();
      }
      const Violation violation = s_.judge(expansion, fill_);
      if (s_.model.buchi && (expansion.flags & kAccepting) != 0)
        r_.table.set_note(i, kAcceptingNote);
      fill_ += expansion.count;
      if (s_.is_nearer(violation, level_)) {
        s_.record(violation, expansion, level_);
        culprit_ = i;
        if (s_.over(level_)) break;
      }
      if (fill_ >= Search::kCollect) XMC_TRY(flush(i + 1));
      if (s_.is_time()) XMC_TRY(r_.poll(level_, end - begin, false));
    }
    return flush(end);
  }

  void finish(StopReason stop) {
    SearchOutcome& outcome = *s_.outcome;
    outcome.stop = stop;
    outcome.complete = stop == StopReason::none && !s_.only_judges();
    s_.stats().states = r_.table.size();
    s_.stats().ram_used = r_.ram_used();
    if (culprit_ == kNone || r_.hand_over.happened) return;
    outcome.minimal = stop == StopReason::none || s_.is_nearest(level_);
    r_.hand_over.found = culprit_;
    r_.hand_over.through = stop == StopReason::none;
    if (r_.path_states != 0) return;
    const Status path = trace_back(r_, culprit_, outcome.prefix_steps, r_.hand_over.keep_room != 0);
    if (path.ok()) return;
    outcome.path_missing = true;
    outcome.complete = false;
    if (stop == StopReason::none) outcome.stop = path.stop_reason();
  }

  RamSearch& r_;
  Search& s_;
  u64 level_ = 0;
  u32 fill_ = 0;  // successors waiting in the buffer
  StateIndex level_begin_ = 0;
  StateIndex level_end_ = 0;
  StateIndex expanding_ = 0;
  StateIndex culprit_ = kNone;
  bool last_level_ = false;  // at the depth limit
  bool left_out_ = false;    // something lies beyond it
};

// Does this state have the target among its successors?
bool leads_to(RamSearch& ram, StateIndex index, const Word* target) {
  Search& search = *ram.search;
  ram.table.load(index, search.state);
  return search.leads_to(search.state, target);
}

}  // namespace

Status run_bfs(RamSearch& ram) { return Bfs(ram).run(); }

// Entry d of the path is the state of level d. Where it takes the place of that level's mark, that
// has been read by then.
Status trace_back(RamSearch& ram, StateIndex target, u64 level, bool keep_marks) {
  StateTable& table = ram.table;
  XMC_CHECK(table.stack_size() > level);
  const bool behind = keep_marks && table.room_for_stack(level + 1);
  const u64 begin = behind ? table.stack_size() : 0;
  for (u64 d = 0; behind && d <= level; ++d) XMC_CHECK(table.push(0));
  ram.path_begin = begin;
  Word wanted[limits::kStateWords];
  StateIndex next = target;
  for (u64 d = level;; --d) {
    const StateIndex end = table.stack(d);  // first index of the level of `next`
    XMC_CHECK(next >= end);
    table.stack(begin + d) = next;
    if (d == 0) return {};
    table.load(next, wanted);
    StateIndex i = table.stack(d - 1);
    while (i < end && !leads_to(ram, i, wanted)) {
      ++i;
      if (!ram.search->is_time()) continue;
      const Status status = ram.poll(d - 1, end - i, false);
      if (status.ok() || (keep_marks && !behind)) continue;
      if (behind) table.set_stack_size(begin);
      return status;
    }
    XMC_CHECK(i < end);
    next = i;
  }
}

}  // namespace xmc
