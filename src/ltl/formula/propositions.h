// Propositions: the texts of atomic propositions in the order in which they were met. Nobody here
// understands them; texts that differ in blanks only are one proposition.
#pragma once

#include <span>
#include <string_view>

#include "xmc/arena.h"
#include "xmc/limits.h"
#include "xmc/types.h"

namespace xmc::ltl {

class Propositions {
 public:
  // The number of this text, or kNone if there are limits::kPropositions others. The text must stay
  // where it is.
  u32 add(std::string_view text);
  u32 size() const { return count_; }
  std::span<const std::string_view> texts() const { return {texts_, count_}; }

 private:
  std::string_view texts_[limits::kPropositions];
  u32 count_ = 0;
};

// Where the texts begin in `whole`, in permanent memory; kNone for one that is no piece of it.
std::span<const u32> places_of(std::span<const std::string_view> texts, std::string_view whole,
                               Arena& arena);

}  // namespace xmc::ltl
