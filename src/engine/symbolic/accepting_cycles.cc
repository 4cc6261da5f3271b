#include "engine/symbolic/accepting_cycles.h"

#include "xmc/check.h"

namespace xmc {

void AcceptingCycles::begin(SymbolicSearch& sets, u32 first_kept) {
  *this = AcceptingCycles();
  sets_ = &sets;
  first_kept_ = first_kept;
}

void AcceptingCycles::set_place(const Place& place) {
  begun_ = place.begun;
  growing_ = place.growing;
  exist_ = place.exist;
  rounds_ = place.rounds;
}

bool AcceptingCycles::decide() {
  SetDiagram& d = sets_->diagram();
  if (!begun_) {
    kept(kAcceptingOnes) = sets_->matching(sets_->states(), PartialQuestion::accepting, 0);
    kept(kLeft) = sets_->states();
    begun_ = !d.stopped();
  }
  while (!d.stopped()) {
    if (!growing_) {
      const u32 base = d.mark();
      d.push(0, d.intersect(kept(kLeft), kept(kAcceptingOnes)));
      const Node next = sets_->successors(d.at(base).down);
      d.release(base);
      if (d.stopped()) return false;
      kept(kGrowing) = next;
      growing_ = true;
    }
    if (!sets_->close(kept(kGrowing))) return false;
    growing_ = false;
    ++rounds_;
    exist_ = kept(kGrowing) == kept(kLeft) && kept(kLeft) != kEmptySet;
    kept(kLeft) = kept(kGrowing);
    if (exist_ || kept(kLeft) == kEmptySet) return true;
  }
  return false;
}

bool AcceptingCycles::find_one() {
  XMC_CHECK(exist_);
  if (steps_ != 0) return true;
  if (!seeded_ && !choose_seed(kept(kLeft))) return false;
  return (round_ || look_back()) && walk();
}

// Some accepting state of a set that has one.
bool AcceptingCycles::choose_seed(Node among) {
  SetDiagram& d = sets_->diagram();
  const Node accepting = d.intersect(among, kept(kAcceptingOnes));
  if (d.stopped()) return false;
  XMC_CHECK(accepting != kEmptySet);
  const Node seed = d.word(sets_->word_of(accepting));
  if (d.stopped()) return false;
  row()[0] = seed;
  for (; level_ > 0; --level_) row()[level_] = kEmptySet;
  kept(kGrowing) = kEmptySet;
  seeded_ = true;
  return true;
}

// What is seen on the way is in kGrowing. If the seed is not, it is all that leads to the seed, and
// the level that is farthest back and has an accepting state gives the next one.
bool AcceptingCycles::look_back() {
  SetDiagram& d = sets_->diagram();
  while (!d.stopped()) {
    const u32 base = d.mark();
    d.push(0, sets_->predecessors(row()[level_], kept(kLeft)));
    round_ = !d.stopped() && d.contains(d.at(base).down, sets_->word_of(row()[0]));
    if (round_) {
      d.release(base);
      return true;
    }
    d.push(0, d.subtract(d.at(base).down, kept(kGrowing)));
    const Node fresh = d.at(base + 1).down;
    const Node seen = d.unite(kept(kGrowing), fresh);
    d.release(base);
    if (d.stopped()) return false;
    if (fresh != kEmptySet) {
      // The cycle has a place at the end of the row for each level.
      if (level_ + 1 == row().size() / 2) d.stop(SetDiagram::Stop::full);
      if (d.stopped()) return false;
      row()[++level_] = fresh;
      kept(kGrowing) = seen;
      continue;
    }
    while (level_ > 0 && d.intersect(row()[level_], kept(kAcceptingOnes)) == kEmptySet) {
      if (d.stopped()) return false;
      --level_;
    }
    XMC_CHECK(level_ > 0);
    const Node farthest = row()[level_];
    kept(kLeft) = kept(kGrowing);
    if (!choose_seed(farthest)) return false;
  }
  return false;
}

// From the seed down the levels: each is replaced by the state that the cycle has there.
bool AcceptingCycles::walk() {
  SetDiagram& d = sets_->diagram();
  while (walked_ < level_) {
    const u32 to = level_ - walked_;
    const u32 base = d.mark();
    d.push(0, sets_->successors(walked_ == 0 ? row()[0] : row()[to + 1]));
    const Node next = d.intersect(d.at(base).down, row()[to]);
    d.release(base);
    if (d.stopped()) return false;
    XMC_CHECK(next != kEmptySet);
    const Node one = d.word(sets_->word_of(next));
    if (d.stopped()) return false;
    row()[to] = one;
    ++walked_;
  }
  steps_ = level_ + 1;
  const std::span<Node> cycle = row().last(steps_);
  cycle[0] = row()[0];
  for (u32 i = 1; i < steps_; ++i) cycle[i] = row()[steps_ - i];
  return true;
}

}  // namespace xmc
