// The states of a SymbolicRun by levels: each level is a set, and what its steps lead to, without
// the states that are known, is the next one. That takes 5 to 100 times as long as saturation, for
// diagrams of levels are larger than that of all states. It tells how many levels there are, and
// what each of them has.
//
// A stop comes between two levels for whoever goes on later: a level that was begun is begun again.
#include <algorithm>

#include "engine/symbolic/symbolic_run.h"

namespace xmc {

namespace {

// Of the kept sets: there are no others before the states are all known.
enum KeptByLevels : u32 { kLevel, kNext, kAll };

// For figures that are shown, and added to each other.
u64 capped(const WideCount& count) {
  constexpr u64 kCap = u64{1} << 62;
  return count.fits_u64() ? std::min(count.words[0], kCap) : kCap;
}

}  // namespace

bool SymbolicRun::next_level(Node level, Node& known, Node& fresh) {
  SetDiagram& d = sets_.diagram();
  const u32 base = d.mark();
  d.push(0, sets_.successors(level));
  d.push(0, d.subtract(d.at(base).down, known));
  const Node found = d.at(base + 1).down;
  const Node all = d.unite(known, found);
  d.release(base);
  if (d.stopped()) return false;
  fresh = found;
  known = all;
  return true;
}

bool SymbolicRun::close_by_levels() {
  if (!sets_.make_rules()) return false;
  Node& level = sets_.kept(kLevel);
  Node& next = sets_.kept(kNext);
  Node& all = sets_.kept(kAll);
  if (levels_ == 0) {
    level = sets_.states();
    levels_ = 1;
    counts_.has_transitions = search_->options.levels && search_->model.partial->move_count == 0;
  }
  while (level != kEmptySet) {
    search_->stats().levels = levels_;
    all = sets_.states();
    if (!next_level(level, all, next)) return false;
    // Behind its steps, because they are what tells erroneous ones.
    LevelCounts counts = counts_;
    if (!count_level(level, counts)) return false;
    level = next;
    sets_.states() = all;
    end_level(counts);
    if (level != kEmptySet) ++levels_;
    if (sets_.diagram().stopped()) return false;
  }
  all = kEmptySet;
  return sets_.know_stuck();
}

// Steps are counted as the closure's are, and are not where one is erroneous.
bool SymbolicRun::count_level(Node level, LevelCounts& counts) {
  counts.level_states = sets_.count(level);
  if (!counts.has_transitions) return !sets_.diagram().stopped();
  counts.level_transitions = sets_.count_steps(level).count;
  counts.transitions.add(counts.level_transitions);
  counts.has_transitions = sets_.erroneous(level) == kEmptySet;
  return !sets_.diagram().stopped();
}

void SymbolicRun::end_level(const LevelCounts& level) {
  counts_ = level;
  counts_.states = sets_.count(sets_.states());
  progress_.level = levels_ - 1;
  progress_.states = capped(counts_.states);
  progress_.level_states = capped(counts_.level_states);
  progress_.level_done = true;
  progress_.exact = &counts_;
  sets_.diagram().ask();
  progress_.level_done = false;
  progress_.exact = nullptr;
}

}  // namespace xmc
