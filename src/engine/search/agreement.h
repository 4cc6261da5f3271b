// Agreement: what all owners of a divided search find out together, when everybody asks at once.
// The nearest and then the smallest of several candidates counts, so that the answer does not
// depend on timing.
#pragma once

#include <span>

#include "xmc/engine.h"
#include "xmc/limits.h"
#include "xmc/peers.h"
#include "xmc/run_control.h"
#include "xmc/types.h"

namespace xmc {

// A state that all owners look for the smallest of; of a violation, with what it is.
struct Candidate {
  bool found = false;
  Violation violation = Violation::none;
  u32 predicate = kNone;
  u32 error_label = kNone;
  Word state[limits::kStateWords] = {};

  // Of one level: an erroneous step is further away than any bad state.
  bool takes(const Word* other, u32 words, Violation kind = Violation::none) const;
  void take(const Word* other, u32 words);
  // The nearer one of both, or the smaller one.
  void take_violation(const Word* other, u32 words, Violation kind, const Expansion& expansion);
};

// A few values of everybody, added up; or the largest ones.
Status add_up(Peers& peers, std::span<u64> values);
Status take_largest(Peers& peers, std::span<u64> values);

// To everybody, the words of one of them.
Status hear_words(Peers& peers, u32 owner, u32 count, Word* words);

// To everybody, the nearest and smallest one that anybody has.
Status agree_on_smallest(Peers& peers, u32 words, Candidate& candidate);

// Sums of figures of all owners, as of the last time that they met.
class OwnerSums {
 public:
  struct Figures {
    u64 level = 0;  // states of the level that is next
    u64 states = 0;
    u64 transitions = 0;
    u64 expansions = 0;
    u64 found = 0;     // owners who have found a violation
    u64 left_out = 0;  // or something behind the limit of depth
  };

  Status add_up(Peers& peers, const Figures& mine);
  const Figures& all() const { return all_; }
  // For the progress line. Until they meet again, others are taken to be as far as this owner is.
  Progress progress(const Figures& mine) const;

 private:
  static constexpr u32 kFigures = sizeof(Figures) / sizeof(u64);

  u32 owners_ = 1;
  Figures all_;
  Figures mine_;  // when they met
};

}  // namespace xmc
