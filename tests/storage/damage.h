// Damage at rest: what happens to the files of a stopped run between two processes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "card.h"

namespace xmc_test {

using Snapshot = std::map<std::string, std::vector<u8>>;

struct Damage {
  std::string file;  // empty: there was nothing to damage
  bool covered =
      false;  // the checkpoint before the last one, or the last one, is not touched by it
};

// One bit of a file that the last checkpoint names; `which` goes round their names.
Damage flip_bit(Card& card, u32 which, Random& random);

// A slot is torn, zeroed, or holds what is not its own; for every fourth `which` both are damaged.
Damage damage_roots(Card& card, u32 which, Random& random);

// A sound block where it does not belong, an older one of the same place, or zeros. `before`: what
// an earlier process left.
Damage misplace_block(Card& card, u32 which, const Snapshot& before, Random& random);

// The files that the last checkpoint names, as they are now; `whole`: beyond its sizes, too.
Snapshot files_of_checkpoint(Card& card, bool whole);

}  // namespace xmc_test
