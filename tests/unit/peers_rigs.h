// Owners for tests: threads of this process, each with its Peers.
#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "platform/simulated_peers.h"
#include "platform/thread_peers.h"

namespace xmc::test {

// f(owner) on a thread for each of so many; owner 0 is the caller.
template <class F>
void on_threads(u32 count, F f) {
  std::vector<std::thread> threads;
  for (u32 i = 1; i < count; ++i) {
    threads.emplace_back([i, &f] { f(i); });
  }
  f(0);
  for (std::thread& thread : threads) thread.join();
}

struct ThreadOwners {
  ThreadOwners(u32 count, u32 buffer_bytes)
      : memory(ThreadPeers::bytes_for(count, buffer_bytes) / 8), peers(new ThreadPeers()) {
    peers->start(count, buffer_bytes, {reinterpret_cast<u8*>(memory.data()), memory.size() * 8});
  }
  static bool can_be(u32) { return true; }
  template <class F>
  void run(F f) {
    on_threads(peers->count(), [&](u32 owner) { f(peers->at(owner)); });
  }
  std::vector<u64> memory;
  std::unique_ptr<ThreadPeers> peers;
};

struct SimulatedOwners {
  SimulatedOwners(u32 count, u32 buffer_bytes, const SimulatedPeers::Network& network = {},
                  const SimulatedPeers::Loss& loss = {})
      : memory(SimulatedPeers::bytes_for(count, buffer_bytes) / 8), peers(new SimulatedPeers()) {
    peers->start(count, buffer_bytes, {reinterpret_cast<u8*>(memory.data()), memory.size() * 8},
                 network, loss);
  }
  static bool can_be(u32) { return true; }
  template <class F>
  void run(F f) {
    on_threads(peers->count(), [&](u32 owner) {
      f(peers->at(owner));
      peers->leave(owner);
    });
  }
  std::vector<u64> memory;
  std::unique_ptr<SimulatedPeers> peers;
};

}  // namespace xmc::test
