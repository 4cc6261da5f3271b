// ProcessPeers: owners that are processes, as this one of them sees the others. Beside what every
// owner has there is a beginning and an end that all of them share.
//
// Until start() only stop(), stopped() and part() work, and gather() of one value: processes can
// agree on their buffers, and one that fails while it plans can end the search of the others.
#pragma once

#include "xmc/peers.h"

namespace xmc {

class ProcessPeers : public Peers {
 public:
  // What is told as the reason for a stop when another process fails or is lost.
  static constexpr StopReason kLost = StopReason::peer;

  // Bytes of memory for start().
  virtual u64 bytes_for(u32 buffer_bytes) const = 0;
  // `memory` is aligned for words and stays valid until part(). All have buffers of one size.
  virtual void start(u32 buffer_bytes, std::span<u8> memory) = 0;
  // Everybody calls it, at the end of a search and after a stop alike. What is still under way is
  // received and forgotten. Gives the status of owner 0 to all; then everything can begin anew.
  virtual int part(int status) = 0;
  // The same, unless that was the last call, and the last one of all.
  virtual int end(int status) = 0;

 protected:
  ~ProcessPeers() = default;
};

}  // namespace xmc
