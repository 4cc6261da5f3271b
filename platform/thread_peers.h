// ThreadPeers: owners that are threads of this process. Between two owners there is a lane of
// buffers for each direction. Who owns a buffer is told under the lock of the receiver; a block has
// a thousand states, so locks cost nothing.
#pragma once

#include <pthread.h>

#include "xmc/limits.h"
#include "xmc/peers.h"

namespace xmc {

class ThreadPeers {
 public:
  // Of one lane: what is being filled, what is being taken, and one on its way each.
  static constexpr u32 kBuffers = 4;

  ThreadPeers() = default;
  ThreadPeers(const ThreadPeers&) = delete;
  ThreadPeers& operator=(const ThreadPeers&) = delete;

  static u64 bytes_for(u32 owners, u32 buffer_bytes);
  // `memory` has bytes_for() bytes, aligned for words, and stays valid.
  void start(u32 owners, u32 buffer_bytes, std::span<u8> memory);
  u32 count() const { return count_; }
  Peers& at(u32 owner) { return seats_[owner]; }

 private:
  // From one owner to another; under the receiver's lock, but for the bytes of a buffer, which are
  // those of the one who has it.
  struct Lane {
    u8* buffers = nullptr;
    u32 bytes[kBuffers] = {};
    bool last[kBuffers] = {};
    u32 posted = 0;
    u32 taken = 0;
  };

  class Seat final : public Peers {
   public:
    u32 count() const override { return all_->count_; }
    u32 me() const override { return me_; }
    std::span<u8> buffer(u32 owner) override;
    void post(u32 owner, u32 bytes, bool last) override;
    bool receive(Block& block) override;
    void release() override;
    u32 changes() override;
    void wait(u32 changes) override;
    Status gather(std::span<const u64> mine, std::span<u64> all) override;
    void stop(StopReason reason) override { all_->stop(reason); }
    StopReason stopped() override;

   private:
    friend class ThreadPeers;
    Lane& lane_from(u32 sender) { return lanes_[sender]; }
    void tell();  // that something has changed

    ThreadPeers* all_ = nullptr;
    u32 me_ = 0;
    u32 next_sender_ = 0;
    u32 sender_ = kNone;  // of the block that was received last
    Lane lanes_[limits::kThreads];
    u32 changes_ = 0;
    StopReason stopped_ = StopReason::none;
    pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t changed_ = PTHREAD_COND_INITIALIZER;
  };

  void stop(StopReason reason);

  u32 count_ = 0;
  u32 buffer_bytes_ = 0;
  Seat seats_[limits::kThreads];
  // gather(): two sets of values in turn, because one who is quick may be at the next one already.
  pthread_mutex_t meeting_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t met_ = PTHREAD_COND_INITIALIZER;
  u32 arrived_ = 0;
  u32 round_ = 0;
  StopReason reason_ = StopReason::none;
  u64 values_[2][limits::kThreads][Peers::kMostValues] = {};
};

}  // namespace xmc
