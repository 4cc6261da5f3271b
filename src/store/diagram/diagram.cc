#include "store/diagram/diagram.h"

#include <algorithm>
#include <bit>

#include "xmc/bytes.h"

namespace xmc {

// Collects before the insertion rather than in the middle of it, where the work so far is lost.
bool Diagram::insert(const Word* keys, u32 count, u64* fresh) {
  if (count == 0) return true;
  const std::span<u64> bits(fresh, static_cast<std::size_t>(divide_up(count, 64)));
  bool young = young_pays();
  bool whole = true;
  bool fitted = false;
  const auto collect_some = [&] {
    young ? collect_from(past_.old_top) : collect();
    young = false;
  };
  if (nodes_.capacity - nodes_.top < past_.most_growth &&
      nodes_.capacity - past_.old_top > 4 * past_.most_growth)
    collect_some();
  for (;;) {
    fill_zero(bits);
    u32 root = root_;
    const u64 before = nodes_.top;
    if (insertion_.insert(nodes_, keys, count, fresh, root)) {
      root_ = root;
      for (const u64 word : bits) size_ += static_cast<u64>(std::popcount(word));
      past_.most_growth = std::max(nodes_.top - before, past_.most_growth - past_.most_growth / 16);
      return true;
    }
    if (young || whole) {
      whole = young;  // a whole collection comes once
      collect_some();
    } else if (fitted || !refit()) {
      break;
    } else {
      fitted = true;
    }
  }
  fill_zero(bits);
  collect();  // the failed attempt left garbage
  return false;
}

}  // namespace xmc
