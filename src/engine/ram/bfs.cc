#include "engine/ram/bfs.h"

#include <algorithm>

#include "xmc/check.h"

namespace xmc {

namespace {

class Bfs {
 public:
  explicit Bfs(Search& search) : s_(search) {}

  void run() {
    const Phase before = s_.clock.switch_to(Phase::expansion);
    StopReason stop = s_.insert_initial() ? StopReason::none : s_.table_full();
    u64 begin = 0;
    while (stop == StopReason::none && begin < s_.table.size()) {
      const u64 end = s_.table.size();
      if (!s_.table.push(static_cast<u32>(begin))) {
        stop = s_.table_full();
        break;
      }
      s_.stats().levels = level_ + 1;
      last_level_ = level_ >= s_.options.depth_limit;
      stop = expand_level(static_cast<StateIndex>(begin), static_cast<StateIndex>(end));
      if (stop == StopReason::none && !over()) stop = s_.poll(level_, end - begin, true);
      if (stop == StopReason::none && !over() && left_out_) stop = StopReason::depth_limit;
      const Search::HandOver& hand = s_.hand_over;
      if (stop == StopReason::none && !over() && hand.level_end_call != nullptr &&
          !hand.level_end_call(hand.owner)) {
        stop = StopReason::signal;
      }
      if (stop != StopReason::none || over()) break;
      begin = end;
      ++level_;
    }
    s_.clock.switch_to(before);
    finish(stop);
  }

 private:
  // A violation ends the search unless everything is to be explored.
  bool over() const { return s_.outcome->violation != Violation::none && !s_.options.full; }

  StopReason flush() {
    s_.clock.turn_to(Phase::insertion);
    const StopReason stop = insert_buffer();
    s_.clock.next_round();
    s_.clock.turn_to(Phase::generation);
    return stop;
  }

  StopReason insert_buffer() {
    const u32 count = fill_;
    fill_ = 0;
    if (last_level_) return look_beyond(count);
    if (s_.table.insert(s_.buffer, count, nullptr) < count) return s_.table_full(more_to_come());
    const u32 keep = s_.hand_over.keep_room;
    if (keep == 0 || over()) return StopReason::none;
    const bool large = s_.table.size() >= s_.hand_over.after_states;
    if (!large && s_.table.has_room(keep)) return StopReason::none;
    s_.hand_over.happened = true;
    return StopReason::ram;
  }

  // Each state that waits brings one more at least while levels grow, and those as many again; when
  // they shrink, the share of new states so far is kept.
  u64 more_to_come() const {
    const u64 size = s_.table.size();
    const u64 level = level_end_ - level_begin_;
    const u64 expanded = std::max<u64>(expanding_ - level_begin_, 1);
    const u64 next = (size - level_end_) * level / expanded;  // the size of the next level
    const u64 waiting = size - expanding_;
    return next < level ? std::max<u64>(waiting, 1) : std::max(waiting, size);
  }

  // Everything before `next` is done: the buffer is empty.
  void leave_behind(StateIndex next, StateIndex level_end) {
    Search::HandOver& hand = s_.hand_over;
    if (hand.keep_room == 0) return;
    hand.level = level_;
    hand.next = next;
    hand.level_end = level_end;
    hand.culprit = culprit_;
    hand.stats = s_.stats();
  }

  // The states at the depth limit are judged like all others, but nothing is stored behind them.
  // The search is still complete if they lead to known states only.
  StopReason look_beyond(u32 count) {
    StateIndex found[StateTable::kBatch];
    for (u32 done = 0; done < count && !left_out_; done += StateTable::kBatch) {
      const u32 part = std::min(count - done, StateTable::kBatch);
      s_.table.find(s_.buffer_at(done), part, found);
      left_out_ = std::find(found, found + part, kNone) != found + part;
    }
    return StopReason::none;
  }

  StopReason expand_level(StateIndex begin, StateIndex end) {
    const StopReason stop = expand_states(begin, end);
    s_.ahead.discard();
    return stop;
  }

  StopReason expand_states(StateIndex begin, StateIndex end) {
    const bool ahead = s_.ahead.pays(end - begin);
    leave_behind(begin, end);
    level_begin_ = begin;
    level_end_ = end;
    for (StateIndex i = begin; i < end; ++i) {
      expanding_ = i;
      if (ahead) s_.read_ahead(i, end);
      const Expansion expansion = ahead ? s_.expand_ahead(fill_) : s_.expand(i, fill_);
      const Violation violation = s_.judge(expansion, fill_);
      if (s_.model.buchi && (expansion.flags & kAccepting) != 0)
        s_.table.set_note(i, kAcceptingNote);
      fill_ += expansion.count;
      if (violation != Violation::none && s_.outcome->violation == Violation::none) {
        s_.record(violation, expansion, level_);
        culprit_ = i;
        if (over()) break;
      }
      if (fill_ >= Search::kCollect) {
        const StopReason stop = flush();
        if ((stop == StopReason::none && !last_level_) || s_.hand_over.happened) {
          leave_behind(i + 1, end);
        }
        if (stop != StopReason::none) return stop;
      }
      const StopReason stop = s_.poll(level_, end - begin, false);
      if (stop != StopReason::none) return stop;
    }
    const StopReason stop = flush();
    if ((stop == StopReason::none && !last_level_) || s_.hand_over.happened) leave_behind(end, end);
    return over() ? StopReason::none : stop;
  }

  void finish(StopReason stop) {
    SearchOutcome& outcome = *s_.outcome;
    outcome.stop = stop;
    outcome.complete = stop == StopReason::none && !over();
    s_.stats().states = s_.table.size();
    s_.stats().ram_used = s_.ram_used();
    if (culprit_ == kNone || s_.hand_over.happened) return;
    outcome.minimal = true;
    s_.hand_over.found = culprit_;
    s_.hand_over.through = stop == StopReason::none;
    const StopReason late =
        trace_back(s_, culprit_, outcome.prefix_steps, s_.hand_over.keep_room != 0);
    if (late == StopReason::none) return;
    outcome.path_missing = true;
    outcome.complete = false;
    if (stop == StopReason::none) outcome.stop = late;
  }

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
bool leads_to(Search& search, StateIndex index, const Word* target) {
  search.table.load(index, search.state);
  return search.leads_to(search.state, target);
}

}  // namespace

void run_bfs(Search& search) { Bfs(search).run(); }

// Entry d of the path is the state of level d. Where it takes the place of that level's mark, that
// has been read by then.
StopReason trace_back(Search& search, StateIndex target, u64 level, bool keep_marks) {
  StateTable& table = search.table;
  XMC_CHECK(table.stack_size() > level);
  const bool behind = keep_marks && table.room_for_stack(level + 1);
  const u64 begin = behind ? table.stack_size() : 0;
  for (u64 d = 0; behind && d <= level; ++d) XMC_CHECK(table.push(0));
  search.path_begin = begin;
  Word wanted[limits::kStateWords];
  StateIndex next = target;
  for (u64 d = level;; --d) {
    const StateIndex end = table.stack(d);  // first index of the level of `next`
    XMC_CHECK(next >= end);
    table.stack(begin + d) = next;
    if (d == 0) return StopReason::none;
    table.load(next, wanted);
    StateIndex i = table.stack(d - 1);
    while (i < end && !leads_to(search, i, wanted)) {
      ++i;
      const StopReason stop = search.poll(d - 1, end - i, false);
      if (stop == StopReason::none || (keep_marks && !behind)) continue;
      if (behind) table.set_stack_size(begin);
      return stop;
    }
    XMC_CHECK(i < end);
    next = i;
  }
}

}  // namespace xmc
