// TimedPeers: what an owner sees of the others, and how long it has waited for them.
#pragma once

#include "xmc/peers.h"

namespace xmc {

class TimedPeers final : public Peers {
 public:
  TimedPeers() = default;
  // Null: nobody has a clock.
  TimedPeers(Peers& peers, u64 (*now_ns)()) : peers_(&peers), now_ns_(now_ns) {}

  u64 waited_ns() const { return waited_ns_; }

  u32 count() const override { return peers_->count(); }
  u32 me() const override { return peers_->me(); }
  std::span<u8> buffer(u32 owner) override { return peers_->buffer(owner); }
  void post(u32 owner, u32 bytes, bool last) override { peers_->post(owner, bytes, last); }
  bool receive(Block& block) override { return peers_->receive(block); }
  void release() override { peers_->release(); }
  u32 changes() override { return peers_->changes(); }
  void wait(u32 changes) override {
    const u64 before = now();
    peers_->wait(changes);
    waited_ns_ += now() - before;
  }
  Status gather(std::span<const u64> mine, std::span<u64> all) override {
    const u64 before = now();
    Status status = peers_->gather(mine, all);
    waited_ns_ += now() - before;
    return status;
  }
  void stop(StopReason reason) override { peers_->stop(reason); }
  StopReason stopped() override { return peers_->stopped(); }

 private:
  u64 now() const { return now_ns_ != nullptr ? now_ns_() : 0; }

  Peers* peers_ = nullptr;
  u64 (*now_ns_)() = nullptr;
  u64 waited_ns_ = 0;
};

}  // namespace xmc
