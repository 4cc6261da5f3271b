// Names of files that are numbered because a checkpoint may name them: one that is named is never
// written again, so that its next contents go to the next number.
#pragma once

#include <string_view>

#include "xmc/types.h"

namespace xmc {

// Where a number grows by one at most between two checkpoints, two of them never need what is so
// many behind.
inline constexpr u64 kRemovedBehind = 3;

// The name of a file, numbered or not.
class FileName {
 public:
  FileName() = default;
  explicit FileName(const char* file);
  FileName(const char* file, u64 number);
  // Of one owner of several.
  FileName(std::string_view prefix, const char* file);
  const char* c_str() const { return text_; }

 private:
  static constexpr u32 kMostBytes = 60;

  char text_[kMostBytes] = {};
};

}  // namespace xmc
