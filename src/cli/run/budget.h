// The memory of the process: what --ram leaves for the arena once code, data and stack are paid
// for.
#pragma once

#include <optional>

#include "cli/run/session.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc {

// Stack (the parser recurses at most limits::kExpressionDepth deep), the argument pages that the
// kernel leaves on it, and what the C library touches by itself. Measured: 150 to 250 KiB.
inline constexpr u64 kMarginBytes = u64{384} << 10;

class Budget {
 public:
  // Maps the arena. Running out of it while planning ends the process through the session: exit 2
  // with the amount that would do. Of the image `spare_bytes` may turn out to be unused.
  Status open(Session& session, u64 spare_bytes = 0);
  // So much of them is: the arena gets it. The pages have never been touched, or are out of memory
  // again.
  void give(u64 unused_bytes);

  Arena& arena() { return *arena_; }
  u64 ram_limit() const { return ram_limit_; }
  u64 fixed_bytes() const { return fixed_bytes_; }

  // --ram for an arena that has `missing` bytes more than this one.
  u64 ram_with(u64 missing_bytes) const { return ram_limit_ + missing_bytes; }

 private:
  u64 ram_limit_ = 0;
  u64 fixed_bytes_ = 0;
  u64 spare_bytes_ = 0;  // mapped behind the arena
  std::optional<Arena> arena_;
};

// "name wants N bytes ...; --ram 5M would do for this step": the message of the exhaustion hook.
Status too_small(u64 ram_limit, const Arena& arena, const char* name, u64 bytes_wanted);

}  // namespace xmc
