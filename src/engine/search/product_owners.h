// ProductOwners: the owners of a product whose states are divided among several, as a search for
// cycles in it sees them (product.h). Each of them searches among its own states; they meet often,
// all at the same points.
#pragma once

#include "xmc/peers.h"
#include "xmc/status.h"
#include "xmc/stop_reason.h"
#include "xmc/types.h"

namespace xmc {

class ProductOwners {
 public:
  virtual Peers& peers() = 0;
  virtual u32 owner_of(const Word* state) const = 0;
  // Asks the outside whether to go on, or looks whether another owner has ended the search.
  virtual Status poll_work() = 0;
  // Owner 0 has found out that all of them have to stop.
  virtual void order_stop(StopReason reason) = 0;
  // Everybody calls it at once: what owner 0 has been told is a stop for all, or none.
  virtual Status stop_together() = 0;

 protected:
  ~ProductOwners() = default;
};

}  // namespace xmc
