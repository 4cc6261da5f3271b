#include "engine/ram/nested_dfs.h"

#include <algorithm>

#include "engine/ram/lasso.h"
#include "xmc/check.h"
#include "xmc/step_work.h"

namespace xmc {

namespace {

constexpr u32 kMarker = 1u << 31;  // the entry is the state of a frame, not a waiting successor
constexpr u32 kNotRed = 1u << 30;  // of a marker: some successor is not red
constexpr u32 kIndex = kNotRed - 1;
static_assert(StateTable::kMostStates <= kIndex);

class NestedDfs {
 public:
  // Only states before `expanded` are entered.
  NestedDfs(RamSearch& ram, bool on_the_fly, StateIndex expanded = kNone)
      : r_(ram),
        s_(*ram.search),
        t_(ram.table),
        on_the_fly_(on_the_fly),
        expanded_(expanded),
        base_(ram.table.stack_size()) {}

  void run() {
    Status status = search();
    if (status.ok() && entry_ != kNone) {
      status = finish_lasso(r_, base_, entry_);
      s_.outcome->path_missing = !status.ok();
    }
    finish(status.take_stop());
  }

  Result<bool> finds_cycle() {
    SearchOutcome& outcome = *s_.outcome;
    const SearchOutcome before = outcome;
    const Status status = search();
    const bool cycle = found();
    const u64 expansions = s_.stats().expansions;
    outcome = before;
    s_.stats().expansions = expansions;
    t_.set_stack_size(base_);
    // All white again: there may be another search, of more states.
    for (StateIndex i = 0; i < t_.size(); ++i) t_.set_note(i, t_.note(i) & kAcceptingNote);
    XMC_TRY(status);
    return cycle;
  }

 private:
  u32 colour(StateIndex i) const { return t_.note(i) & kColourMask; }
  bool accepting(StateIndex i) const { return (t_.note(i) & kAcceptingNote) != 0; }
  void paint(StateIndex i, u32 colour) { t_.set_note(i, (t_.note(i) & ~kColourMask) | colour); }
  u32& top() { return t_.stack(t_.stack_size() - 1); }
  bool found() const { return s_.outcome->violation != Violation::none; }

  // Takes the next waiting successor of the frame on top, or returns kNone.
  StateIndex take(u64 bottom) {
    const u64 size = t_.stack_size();
    if (size < bottom + 2 || (t_.stack(size - 2) & kMarker) != 0) return kNone;
    const StateIndex next = t_.stack(size - 2);
    t_.stack(size - 2) = t_.stack(size - 1);
    t_.set_stack_size(size - 1);
    return next;
  }

  Status search() {
    if (on_the_fly_ && !r_.insert_initial()) return r_.table_full();
    const u32 roots = std::min(t_.size(), expanded_);
    for (StateIndex root = 0; root < roots && !found(); ++root) {
      if (colour(root) == kWhite && is_root(root)) XMC_TRY(search_from(root));
    }
    return Status::stop(cut_ && !found() ? StopReason::depth_limit : StopReason::none);
  }

  // Where all states are known, the search need not come from the initial ones.
  bool is_root(StateIndex state) {
    if (on_the_fly_) return true;
    t_.load(state, s_.state);
    return s_.model.cycle_class_of(s_.state) != 0;
  }

  Expansion expand(StateIndex state) {
    Expansion expansion = on_the_fly_ ? r_.try_expand(state, 0) : r_.expand(state, 0);
    unfinished_ = Search::is_unfinished(expansion);
    if (!on_the_fly_) expansion.count = keep_component(expansion.count);
    return expansion;
  }

  // Of the successors, those in the state's component.
  u32 keep_component(u32 count) {
    const u32 own = s_.model.cycle_class_of(s_.state);
    u32 kept = 0;
    for (u32 i = 0; i < count; ++i) {
      const Word* const next = s_.buffer_at(i);
      if (s_.model.cycle_class_of(next) != own) continue;
      if (kept < i) std::copy_n(next, s_.model.state_words, s_.buffer_at(kept));
      ++kept;
    }
    return kept;
  }

  Status search_from(StateIndex root) {
    if (!enter(root)) return not_entered();
    while (!found() && t_.stack_size() > base_) {
      const StateIndex next = take(base_);
      if (next == kNone) {
        XMC_TRY(leave());
      } else if (colour(next) == kWhite) {
        if (!enter(next)) return not_entered();
      } else if (colour(next) != kRed) {
        top() |= kNotRed;
      }
      if (!found() && s_.is_time()) XMC_TRY(r_.poll(depth_, depth_, false));
    }
    return {};
  }

  Status not_entered() { return unfinished_ ? stop_of_steps() : r_.table_full(); }

  // A white state: expands it, looks for cyan successors and pushes its frame. False: no room, or
  // the expansion is unfinished.
  bool enter(StateIndex state) {
    if (on_the_fly_ && depth_ >= s_.options.depth_limit) {
      cut_ = true;
      paint(state, kBlue);
      if (t_.stack_size() > base_) top() |= kNotRed;
      return true;
    }
    if (!t_.room_for_stack(2)) return false;
    const Expansion expansion = expand(state);
    if (unfinished_) return false;
    if (on_the_fly_) {
      if ((expansion.flags & kAccepting) != 0) t_.set_note(state, kAcceptingNote);
      const Violation violation = s_.judge(expansion, 0);
      if (violation != Violation::none) {
        push(state | kMarker);
        s_.record(violation, expansion, depth_);
        collect_path();
        return true;
      }
      if (t_.insert(s_.buffer, expansion.count, r_.indexes) < expansion.count) return false;
    } else {
      t_.find(s_.buffer, expansion.count, r_.indexes);
    }
    if (!t_.room_for_stack(u64{expansion.count} + 2)) return false;
    paint(state, kCyan);
    push_frame(state, expansion.count);
    return true;
  }

  void push_frame(StateIndex state, u32 count) {
    const bool state_accepts = accepting(state);
    u32 flags = kMarker;
    for (u32 i = 0; i < count; ++i) {
      const u32 note = t_.note(r_.indexes[i]);
      if ((note & kColourMask) == kCyan && (state_accepts || (note & kAcceptingNote) != 0)) {
        push(state | kMarker);
        return close_cycle(r_.indexes[i]);
      }
    }
    for (u32 i = count; i-- > 0;) {
      const StateIndex next = r_.indexes[i];
      if (colour(next) == kWhite) {
        if (next < expanded_) push(next);
      } else if (colour(next) != kRed) {
        flags |= kNotRed;
      }
    }
    push(state | flags);
    ++depth_;
  }

  // All successors of the frame on top are done: colours its state and drops the frame.
  Status leave() {
    const u32 marker = top();
    const StateIndex state = marker & kIndex;
    u32 final_colour = (marker & kNotRed) == 0 ? kRed : kBlue;
    if (final_colour != kRed && accepting(state)) {
      XMC_TRY(search_red(state));
      if (found()) return {};
      final_colour = kRed;
    }
    paint(state, final_colour);
    t_.set_stack_size(t_.stack_size() - 1);
    --depth_;
    if (t_.stack_size() > base_ && final_colour != kRed) top() |= kNotRed;
    return {};
  }

  // The inner search from an accepting state that is still cyan.
  Status search_red(StateIndex seed) {
    red_base_ = t_.stack_size();
    if (!enter_red(seed)) return not_entered();
    while (!found() && t_.stack_size() > red_base_) {
      const StateIndex next = take(red_base_);
      if (next == kNone) {
        t_.set_stack_size(t_.stack_size() - 1);
      } else if (colour(next) == kBlue) {
        paint(next, kRed);
        if (!enter_red(next)) return not_entered();
      }
      if (!found() && s_.is_time()) XMC_TRY(r_.poll(depth_, depth_, false));
    }
    if (!found()) red_base_ = 0;
    return {};
  }

  // False: no room.
  bool enter_red(StateIndex state) {
    const Expansion expansion = expand(state);
    if (unfinished_) return false;
    t_.find(s_.buffer, expansion.count, r_.indexes);
    if (!t_.room_for_stack(u64{expansion.count} + 2)) return false;
    for (u32 i = 0; i < expansion.count; ++i) {
      const StateIndex next = r_.indexes[i];
      if (next == kNone || colour(next) != kCyan) continue;
      push(state | kMarker);
      close_cycle(next);
      return true;
    }
    for (u32 i = expansion.count; i-- > 0;) {
      const StateIndex next = r_.indexes[i];
      if (next != kNone && colour(next) == kBlue) push(next);
    }
    push(state | kMarker);
    return true;
  }

  void push(u32 entry) { XMC_CHECK(t_.push(entry)); }

  // Keeps only the states of the path, from entry base_ on. The seed of an inner search has two
  // markers.
  void collect_path() {
    u64 length = base_;
    for (u64 i = base_; i < t_.stack_size(); ++i) {
      const u32 entry = t_.stack(i);
      const bool again = red_base_ != 0 && i >= red_base_ && length > base_ &&
                         t_.stack(length - 1) == (entry & kIndex);
      if ((entry & kMarker) != 0 && !again) t_.stack(length++) = entry & kIndex;
    }
    t_.set_stack_size(length);
    r_.path_begin = base_;
  }

  // The path on the stack has a step from its last state to `entry`, which is on it.
  void close_cycle(StateIndex entry) {
    collect_path();
    s_.record(Violation::accepting_cycle, Expansion(), 0);
    entry_ = entry;
  }

  void finish(StopReason stop) {
    SearchOutcome& outcome = *s_.outcome;
    outcome.stop = stop;
    outcome.complete = stop == StopReason::none && (!on_the_fly_ || !found());
    outcome.stats.states = t_.size();
    outcome.stats.ram_used = r_.ram_used();
  }

  RamSearch& r_;
  Search& s_;
  StateTable& t_;
  bool on_the_fly_;
  StateIndex expanded_;
  bool unfinished_ = false;   // the last expansion is
  bool cut_ = false;          // the depth limit left states out
  u64 base_;                  // entries below belong to the breadth-first search
  u64 red_base_ = 0;          // where the inner search's frames begin, while there is one
  u64 depth_ = 0;             // frames of the outer search
  StateIndex entry_ = kNone;  // of the cycle that was found, on the path
};

}  // namespace

void run_nested_dfs(RamSearch& ram, bool on_the_fly) { NestedDfs(ram, on_the_fly).run(); }

Result<bool> has_accepting_cycle(RamSearch& ram, StateIndex expanded) {
  return NestedDfs(ram, false, expanded).finds_cycle();
}

}  // namespace xmc
