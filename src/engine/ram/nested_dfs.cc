#include "engine/ram/nested_dfs.h"

#include "engine/ram/lasso.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u32 kMarker = 1u << 31;  // the entry is the state of a frame, not a waiting successor
constexpr u32 kNotRed = 1u << 30;  // of a marker: some successor is not red
constexpr u32 kIndex = kNotRed - 1;
static_assert(StateTable::kMostStates <= kIndex);

class NestedDfs {
 public:
  NestedDfs(Search& search, bool on_the_fly)
      : s_(search), t_(search.table), on_the_fly_(on_the_fly), base_(search.table.stack_size()) {}

  void run() {
    if (on_the_fly_ && !s_.insert_initial()) return finish(s_.table_full());
    const u32 roots = on_the_fly_ ? t_.size() : t_.stack_size() > 1 ? t_.stack(1) : t_.size();
    StopReason stop = StopReason::none;
    for (StateIndex root = 0; root < roots && going(stop); ++root) {
      if (colour(root) == kWhite) stop = search_from(root);
    }
    if (going(stop) && cut_) stop = StopReason::depth_limit;
    finish(stop);
  }

 private:
  u32 colour(StateIndex i) const { return t_.note(i) & kColourMask; }
  bool accepting(StateIndex i) const { return (t_.note(i) & kAcceptingNote) != 0; }
  void paint(StateIndex i, u32 colour) { t_.set_note(i, (t_.note(i) & ~kColourMask) | colour); }
  u32& top() { return t_.stack(t_.stack_size() - 1); }
  bool found() const { return s_.outcome->violation != Violation::none; }
  bool going(StopReason stop) const { return stop == StopReason::none && !found(); }

  // Takes the next waiting successor of the frame on top, or returns kNone.
  StateIndex take(u64 bottom) {
    const u64 size = t_.stack_size();
    if (size < bottom + 2 || (t_.stack(size - 2) & kMarker) != 0) return kNone;
    const StateIndex next = t_.stack(size - 2);
    t_.stack(size - 2) = t_.stack(size - 1);
    t_.set_stack_size(size - 1);
    return next;
  }

  StopReason search_from(StateIndex root) {
    StopReason stop = enter(root);
    while (going(stop) && t_.stack_size() > base_) {
      const StateIndex next = take(base_);
      if (next == kNone) {
        stop = leave();
      } else if (colour(next) == kWhite) {
        stop = enter(next);
      } else if (colour(next) != kRed) {
        top() |= kNotRed;
      }
      if (going(stop)) stop = s_.poll(depth_, depth_, false);
    }
    return stop;
  }

  // A white state: expands it, looks for cyan successors and pushes its frame.
  StopReason enter(StateIndex state) {
    if (on_the_fly_ && depth_ >= s_.options.depth_limit) {
      cut_ = true;
      paint(state, kBlue);
      if (t_.stack_size() > base_) top() |= kNotRed;
      return StopReason::none;
    }
    if (!t_.room_for_stack(2)) return s_.table_full();
    const Expansion expansion = s_.expand(state, 0);
    if (on_the_fly_) {
      if ((expansion.flags & kAccepting) != 0) t_.set_note(state, kAcceptingNote);
      const Violation violation = s_.judge(expansion, 0);
      if (violation != Violation::none) {
        push(state | kMarker);
        s_.record(violation, expansion, depth_);
        collect_path();
        return StopReason::none;
      }
      if (t_.insert(s_.buffer, expansion.count, s_.indexes) < expansion.count)
        return s_.table_full();
    } else {
      t_.find(s_.buffer, expansion.count, s_.indexes);
    }
    if (!t_.room_for_stack(u64{expansion.count} + 2)) return s_.table_full();
    paint(state, kCyan);
    return push_frame(state, expansion.count);
  }

  StopReason push_frame(StateIndex state, u32 count) {
    const bool state_accepts = accepting(state);
    u32 flags = kMarker;
    for (u32 i = 0; i < count; ++i) {
      const u32 note = t_.note(s_.indexes[i]);
      if ((note & kColourMask) == kCyan && (state_accepts || (note & kAcceptingNote) != 0)) {
        push(state | kMarker);
        return close_cycle(s_.indexes[i]);
      }
    }
    for (u32 i = count; i-- > 0;) {
      const StateIndex next = s_.indexes[i];
      if (colour(next) == kWhite) {
        push(next);
      } else if (colour(next) != kRed) {
        flags |= kNotRed;
      }
    }
    push(state | flags);
    ++depth_;
    return StopReason::none;
  }

  // All successors of the frame on top are done: colours its state and drops the frame.
  StopReason leave() {
    const u32 marker = top();
    const StateIndex state = marker & kIndex;
    u32 final_colour = (marker & kNotRed) == 0 ? kRed : kBlue;
    if (final_colour != kRed && accepting(state)) {
      const StopReason stop = search_red(state);
      if (!going(stop)) return stop;
      final_colour = kRed;
    }
    paint(state, final_colour);
    t_.set_stack_size(t_.stack_size() - 1);
    --depth_;
    if (t_.stack_size() > base_ && final_colour != kRed) top() |= kNotRed;
    return StopReason::none;
  }

  // The inner search from an accepting state that is still cyan.
  StopReason search_red(StateIndex seed) {
    red_base_ = t_.stack_size();
    StopReason stop = enter_red(seed);
    while (going(stop) && t_.stack_size() > red_base_) {
      const StateIndex next = take(red_base_);
      if (next == kNone) {
        t_.set_stack_size(t_.stack_size() - 1);
      } else if (colour(next) == kBlue) {
        paint(next, kRed);
        stop = enter_red(next);
      }
      if (going(stop)) stop = s_.poll(depth_, depth_, false);
    }
    if (going(stop)) red_base_ = 0;
    return stop;
  }

  StopReason enter_red(StateIndex state) {
    const Expansion expansion = s_.expand(state, 0);
    t_.find(s_.buffer, expansion.count, s_.indexes);
    if (!t_.room_for_stack(u64{expansion.count} + 2)) return s_.table_full();
    for (u32 i = 0; i < expansion.count; ++i) {
      const StateIndex next = s_.indexes[i];
      if (next == kNone || colour(next) != kCyan) continue;
      push(state | kMarker);
      return close_cycle(next);
    }
    for (u32 i = expansion.count; i-- > 0;) {
      const StateIndex next = s_.indexes[i];
      if (next != kNone && colour(next) == kBlue) push(next);
    }
    push(state | kMarker);
    return StopReason::none;
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
    s_.path_begin = base_;
  }

  // The path on the stack has a step from its last state to `entry`, which is on it.
  StopReason close_cycle(StateIndex entry) {
    collect_path();
    s_.record(Violation::accepting_cycle, Expansion(), 0);
    const StopReason stop = finish_lasso(s_, base_, entry);
    s_.outcome->path_missing = stop != StopReason::none;
    return stop;
  }

  void finish(StopReason stop) {
    SearchOutcome& outcome = *s_.outcome;
    outcome.stop = stop;
    outcome.complete = on_the_fly_ ? going(stop) : stop == StopReason::none;
    outcome.stats.states = t_.size();
    outcome.stats.ram_used = s_.ram_used();
  }

  Search& s_;
  StateTable& t_;
  bool on_the_fly_;
  bool cut_ = false;  // the depth limit left states out
  u64 base_;          // entries below belong to the breadth-first search
  u64 red_base_ = 0;  // where the inner search's frames begin, while there is one
  u64 depth_ = 0;     // frames of the outer search
};

}  // namespace

void run_nested_dfs(Search& search, bool on_the_fly) { NestedDfs(search, on_the_fly).run(); }

}  // namespace xmc
