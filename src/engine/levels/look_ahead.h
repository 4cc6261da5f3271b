// LookAhead: states that are expanded before their turn. While another thread is busy with what a
// visited set has taken so far, the states behind are expanded, and the set takes their successors
// aside (LookAhead::Taker). They count only when they are absorbed, so that a stop, a
// violation or a checkpoint in between finds everything as if nothing had been looked at.
#pragma once

#include "engine/levels/frontier.h"
#include "engine/levels/level_expander.h"

namespace xmc {

class LookAhead {
 public:
  // What may be looked at: states of the level that is expanded, or of the one behind it, too.
  enum class At : u8 { nothing, this_level, next_level };

  void plan(Frontier& frontier, LevelExpander& expander) {
    *this = {};
    frontier_ = &frontier;
    expander_ = &expander;
  }

  // Something may be looked at as long as this lives: the buffer of successors is free.
  class Scope {
   public:
    Scope(LookAhead& look, At at) : look_(look) { look_.at_ = at; }
    ~Scope() { look_.at_ = At::nothing; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    LookAhead& look_;
  };

  // Who takes successors aside, if it has room for those of a state.
  struct Taker {
    void* self = nullptr;
    bool (*has_room)(void* self) = nullptr;
    void (*take)(void* self, u32 count) = nullptr;
  };
  // Expands up to `states` more; false when there are none, or no room for them.
  Status look(const Taker& taker, u32 states, bool& went_on);
  // What was looked at counts: of this level; those behind it are absorbed when their level begins.
  void absorb();
  // What was looked at will be expanded again. The set forgets what it took.
  Status forget();

  u64 count() const { return count_; }
  // Number of the next state that is expanded.
  u64 position() const { return frontier_->at.next + count_; }

 private:
  u64 end() const;
  bool may_look(const Taker& taker) const;
  Status look_at_next(const Taker& taker);
  void hand_over(const Taker& taker);

  Frontier* frontier_ = nullptr;
  LevelExpander* expander_ = nullptr;
  At at_ = At::nothing;
  u64 count_ = 0;        // states, behind those that were expanded in their turn
  bool stuck_ = false;   // in front of a state that does not end
  SearchOutcome found_;  // their counts, and the nearest violation
  Word culprit_[limits::kStateWords] = {};
};

}  // namespace xmc
