// Suggestion: which of some words somebody may have meant. After offering all of them, best() is
// the nearest one, or empty when none is near enough to be named.
#pragma once

#include <string_view>

#include "cli/units.h"
#include "xmc/types.h"

namespace xmc {

class Suggestion {
 public:
  explicit Suggestion(std::string_view word) : word_(word), limit_(word.size() > 5 ? 2 : 1) {}

  // At equal distance the first one stays.
  void offer(std::string_view candidate) {
    const u32 distance = edit_distance(word_, candidate, limit_);
    const bool better = best_.empty() ? distance <= limit_ : distance < limit_;
    if (!better) return;
    best_ = candidate;
    limit_ = distance;
  }
  std::string_view best() const { return best_; }

 private:
  std::string_view word_;
  std::string_view best_;
  u32 limit_;
};

}  // namespace xmc
