// Peers: the owners of one search, as one of them sees the others.
//
// The states of a model are divided among owners, and each is the only one to touch what it knows
// about its states. States travel to their owner in blocks. Owners are threads of one process, or
// processes; engines do not see which.
//
// Buffers are a fixed set: whoever finds none free has to receive, because the others may be
// waiting for that very thing. What an owner sends to another one arrives in the order it was sent;
// of different senders there is no order.
#pragma once

#include <span>

#include "xmc/status.h"
#include "xmc/stop_reason.h"
#include "xmc/types.h"

namespace xmc {

class Peers {
 public:
  // Values of one owner that gather() takes at most.
  static constexpr u32 kMostValues = 160;

  struct Block {
    u32 from = 0;
    bool last = false;    // of its sender, until the next gather()
    std::span<u8> bytes;  // the receiver's until release()
  };

  virtual u32 count() const = 0;
  virtual u32 me() const = 0;

  // A buffer for a block to `owner`: the same one until it is posted, aligned for words. Empty
  // while all of them are under way.
  virtual std::span<u8> buffer(u32 owner) = 0;
  // Sends the first bytes of that buffer. `last`: nothing follows before the next gather().
  virtual void post(u32 owner, u32 bytes, bool last) = 0;
  // The next block that has come; false: none has. It is there until release().
  virtual bool receive(Block& block) = 0;
  virtual void release() = 0;
  // Changes when a block has come or a buffer is free. wait() returns when it is no longer what it
  // was.
  virtual u32 changes() = 0;
  virtual void wait(u32 changes) = 0;

  // All owners call it, with the same number of values, and get the values of all in the order of
  // owners. What was posted before the call has to be received before it.
  virtual Status gather(std::span<const u64> mine, std::span<u64> all) = 0;

  // Ends the search of all owners, who find out when they next look. The first reason counts.
  virtual void stop(StopReason reason) = 0;
  virtual StopReason stopped() = 0;

 protected:
  ~Peers() = default;
};

}  // namespace xmc
