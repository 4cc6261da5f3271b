// The lines of several owners of one search in one manifest. Those of owner 0 are as they would be
// alone; "owner.2.next 17" is the line "next 17" of owner 2. Lines of files have the names that the
// folder has, which begin with the owner's prefix.
#pragma once

#include <string_view>

#include "store/checkpoint/manifest.h"

namespace xmc {

// What the names of an owner's files begin with. Owner 0 has the plain names, unless the states
// were divided anew since the run began: `division` counts that.
class OwnerPrefix {
 public:
  OwnerPrefix() = default;
  OwnerPrefix(u32 owner, u64 division);
  std::string_view view() const { return {text_, size_}; }

 private:
  static constexpr u32 kMostBytes = 24;
  char text_[kMostBytes] = {};
  u32 size_ = 0;
};

void add_owner_lines(Manifest& into, u32 owner, std::string_view prefix, const Manifest& lines);
// What that owner had written. Owner 0 also gets the lines of the run.
void take_owner_lines(const Manifest& from, u32 owner, std::string_view prefix, Manifest& lines);

}  // namespace xmc
