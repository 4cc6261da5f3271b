// Engines whose owners are on a simulated network: the threads of thread_trial.h, which tell the
// network when an owner is through.
#pragma once

#include "peers_rigs.h"
#include "thread_trial.h"

namespace xmc_test {

// For for_parts() over all owners: job i is owner i, and the caller is owner 0.
class LeavingThreads final : public Parallel {
 public:
  explicit LeavingThreads(SimulatedPeers& peers)
      : peers_(&peers), threads_(xmc_test::threads(peers.count())) {}

  u32 threads() const override { return peers_->count(); }
  void submit(Job& job) override {
    Wrapped& wrapped = wrapped_[++submitted_];
    wrapped.inner = &job;
    wrapped.peers = peers_;
    wrapped.owner = submitted_;
    wrapped.run = [](Job& outer, u32 thread) {
      Wrapped& self = static_cast<Wrapped&>(outer);
      self.inner->run(*self.inner, thread);
      self.peers->leave(self.owner);
    };
    threads_->submit(wrapped);
  }
  bool done(const Job&) override { return false; }
  void finish(Job& job) override {
    peers_->leave(0);
    for (u32 i = 1; i <= submitted_; ++i) {
      if (wrapped_[i].inner == &job) threads_->finish(wrapped_[i]);
    }
  }
  void lock() override { threads_->lock(); }
  void unlock() override { threads_->unlock(); }

 private:
  struct Wrapped : Job {
    Job* inner = nullptr;
    SimulatedPeers* peers = nullptr;
    u32 owner = 0;
  };

  SimulatedPeers* peers_;
  Parallel* threads_;
  Wrapped wrapped_[limits::kThreads];
  u32 submitted_ = 0;
};

}  // namespace xmc_test
