#include "platform/unique.h"

#include <sys/random.h>
#include <unistd.h>

#include "platform/clock.h"
#include "xmc/hash.h"

namespace xmc {

// A board that has just started may have no random numbers yet; it is not waited for. Two boards
// that start at the same second still differ in the time since then.
u64 unique_number() {
  u64 number = 0;
  if (::getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number) return number;
  const u64 parts[] = {wall_seconds(), monotonic_ns(), cpu_ns(), static_cast<u64>(::getpid())};
  return hash_words(parts, 4);
}

}  // namespace xmc
