// SimulatedPeers: owners that are threads of this process, on a simulated network with a virtual
// clock. For tests, which repeat to the last call, and for forecasts of many boards.
//
// One owner runs at a time: of those that could go on, the one with the smallest virtual time. The
// time of an owner advances by what its calls cost, by the CPU time that its thread takes between
// them where a forecast asks for that, and by what it waits for. Every owner has a link out and a
// link in, each for one block at a time. A block
//   leaves     when the link out is free, which it then is after bytes / bandwidth;
//   is there   latency and jitter later, not before what its sender sent to the same owner before;
//   arrives    when the link in, which takes blocks in that order, had bytes / bandwidth for it.
// Its buffer is free a latency after the release. gather() goes through owner 0, beside the links.
//
// An owner takes part from its first call to leave(), which whoever runs it has to call. When all
// of them wait and nothing is under way, the process ends with a failed check: a deadlock.
#pragma once

#include <pthread.h>

#include "xmc/limits.h"
#include "xmc/peers.h"

namespace xmc {

class SimulatedPeers {
 public:
  static constexpr u32 kBuffers = 4;  // of one lane, as those of ThreadPeers
  // What others find as the reason for a stop when an owner was lost.
  static constexpr StopReason kLost = StopReason::peer;

  struct Network {
    u64 latency_ns = 200'000;
    u64 bytes_per_second = 125'000'000;  // of each link; 0: no limit
    u64 jitter_ns = 0;                   // at most, of the latency of a block
    u64 seed = 1;                        // of the jitter
    u64 call_ns = 1'000;                 // what a call costs
    u32 cpu_permille = 0;                // of the CPU time between calls; not 0: no run repeats
  };
  // An owner that is lost at this time or behind so many calls, whatever is first.
  struct Loss {
    u32 owner = kNone;
    u64 at_ns = ~u64{0};
    u64 after_calls = ~u64{0};
  };
  struct Figures {
    u64 busy_ns = 0;
    u64 waiting_ns = 0;
    u64 sent_bytes = 0;
    u64 sent_blocks = 0;
    bool operator==(const Figures&) const = default;
  };

  SimulatedPeers() = default;
  SimulatedPeers(const SimulatedPeers&) = delete;
  SimulatedPeers& operator=(const SimulatedPeers&) = delete;

  static u64 bytes_for(u32 owners, u32 buffer_bytes);
  // `memory` has bytes_for() bytes, aligned for words, and stays valid.
  void start(u32 owners, u32 buffer_bytes, std::span<u8> memory, const Network& network,
             const Loss& loss);
  u32 count() const { return count_; }
  Peers& at(u32 owner) { return seats_[owner]; }
  // The owner makes no call any more.
  void leave(u32 owner);

  // When all have left.
  Figures figures(u32 owner) const { return seats_[owner].figures_; }
  u64 end_ns() const;
  // Of all calls: who made which one, and when.
  u64 fingerprint() const { return fingerprint_; }

 private:
  enum class State : u8 { absent, ready, waiting, meeting, gone };
  enum class Kind : u8 { buffer, post, receive, release, changes, wait, gather, stop, stopped };
  class Call;

  // A block on its way, or a buffer for one.
  struct Slot {
    u64 there_ns = 0;
    u64 arrives_ns = 0;
    u64 free_ns = 0;
    u32 bytes = 0;
    bool last = false;
  };
  // From one owner to another. Each block is posted, accepted by the link, arrived, taken by its
  // receiver, and freed for its sender: so many of them are.
  struct Lane {
    u8* buffers = nullptr;
    Slot slots[kBuffers];
    u32 posted = 0;
    u32 accepted = 0;
    u32 arrived = 0;
    u32 taken = 0;
    u32 freed = 0;
    Slot& slot(u32 number) { return slots[number % kBuffers]; }
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
    void stop(StopReason reason) override;
    StopReason stopped() override;

   private:
    friend class SimulatedPeers;

    void charge();
    void suspend(State state);
    u64 wakes_ns();
    u64 next_change_ns();
    Lane* next_there();
    void look();
    bool is_lost() const;
    bool fall();
    bool stop_heard() const { return stop_ns_ <= now_ns_; }
    Status stop_status() const { return Status::stop(all_->reason_); }

    SimulatedPeers* all_ = nullptr;
    u32 me_ = 0;
    State state_ = State::absent;
    u64 now_ns_ = 0;
    u64 cpu_ns_ = 0;  // of its thread, when the last call ended
    u64 calls_ = 0;
    u64 out_free_ns_ = 0;  // its links
    u64 in_free_ns_ = 0;
    u64 stop_ns_ = ~u64{0};  // when it hears of it
    u32 sender_ = kNone;     // of the block that was received last
    u32 changes_ = 0;
    u32 round_ = 0;  // of the meeting that it is in
    u64 values_bytes_ = 0;
    Figures figures_;
    pthread_cond_t turn_ = PTHREAD_COND_INITIALIZER;
  };

  Lane& lane(u32 from, u32 to) { return lanes_[u64{from} * count_ + to]; }
  u64* values(u32 round, u32 owner) {
    return values_ + (u64{round % 2} * count_ + owner) * Peers::kMostValues;
  }
  u64 transfer_ns(u64 bytes) const;
  u64 jitter_ns(u32 from, u32 to, u32 number) const;
  void pass_on();
  void end_all(StopReason reason, Seat& by);

  Network network_;
  Loss loss_;
  u32 count_ = 0;
  u32 buffer_bytes_ = 0;
  Seat seats_[limits::kOwners];
  Lane* lanes_ = nullptr;
  u64* values_ = nullptr;  // of two rounds in turn
  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  u32 running_ = kNone;
  StopReason reason_ = StopReason::none;
  u32 round_ = 0;
  u32 met_ = 0;
  u64 met_ns_[2] = {};  // when owner 0 has the values of all
  u64 fingerprint_ = 0;
};

}  // namespace xmc
