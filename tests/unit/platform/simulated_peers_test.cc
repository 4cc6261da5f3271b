// The simulated network by itself: its arithmetic, that a run repeats, and what becomes of owners
// when one of them is lost.
#include "platform/simulated_peers.h"

#include <doctest/doctest.h>

#include <atomic>
#include <set>
#include <vector>

#include "peers_conformance.h"
#include "peers_rigs.h"

namespace xmc::test {
namespace simulated_peers_test {
namespace {

// Time in units that are easy to add up: a byte takes a nanosecond, and calls nothing.
SimulatedPeers::Network plain_network() {
  SimulatedPeers::Network network;
  network.latency_ns = 1000;
  network.bytes_per_second = 1'000'000'000;
  network.call_ns = 0;
  return network;
}

void post(Peers& peers, u32 to, u32 bytes) {
  CHECK_FALSE(peers.buffer(to).empty());
  peers.post(to, bytes, false);
}

u32 take(Peers& peers) {
  Peers::Block block;
  while (true) {
    const u32 changes = peers.changes();
    if (peers.receive(block)) break;
    peers.wait(changes);
  }
  peers.release();
  return block.from;
}

struct Told {
  u64 fingerprint;
  u64 end_ns;
  std::vector<SimulatedPeers::Figures> figures;
  bool operator==(const Told&) const = default;
};

Told talk_of(u32 count, u64 seed) {
  SimulatedPeers::Network network;
  network.jitter_ns = 500'000;
  network.seed = seed;
  SimulatedOwners owners(count, 64, network);
  std::atomic<u64> wrong = 0;
  owners.run([&](Peers& peers) {
    Talk talk(peers);
    for (u32 level = 0; level < 5; ++level) {
      if (!talk.level() || !talk.compare()) ++wrong;
    }
    wrong += talk.wrong;
  });
  CHECK(wrong == 0);
  Told told = {owners.peers->fingerprint(), owners.peers->end_ns(), {}};
  for (u32 i = 0; i < count; ++i) told.figures.push_back(owners.peers->figures(i));
  return told;
}

}  // namespace

TEST_CASE("simulated peers: a run repeats to the last call, and another seed is another run") {
  for (const u32 count : {2u, 3u, 5u, 9u}) {
    std::set<u64> different;
    for (u64 seed = 1; seed <= 5; ++seed) {
      const Told once = talk_of(count, seed);
      CHECK(once == talk_of(count, seed));
      different.insert(once.fingerprint);
    }
    CHECK(different.size() == 5);
  }
}

TEST_CASE("simulated peers: latency, and a link for one block at a time") {
  SimulatedOwners two(2, 128, plain_network());
  two.run([](Peers& peers) {
    if (peers.me() == 0) {
      post(peers, 1, 104);
      post(peers, 1, 48);
    } else {
      take(peers);
      take(peers);
    }
  });
  CHECK(two.peers->figures(1).waiting_ns == 1000 + 104 + 48);
  CHECK(two.peers->end_ns() == 1000 + 104 + 48);
  CHECK(two.peers->figures(0).sent_bytes == 104 + 48);
  CHECK(two.peers->figures(0).sent_blocks == 2);
  CHECK(two.peers->figures(0).waiting_ns == 0);

  // Two senders, one receiver.
  SimulatedOwners three(3, 128, plain_network());
  three.run([](Peers& peers) {
    if (peers.me() != 0) return post(peers, 0, 100);
    take(peers);
    take(peers);
  });
  CHECK(three.peers->end_ns() == 1000 + 100 + 100);

  // One sender, two receivers: the second block leaves behind the first.
  SimulatedOwners fan(3, 128, plain_network());
  fan.run([](Peers& peers) {
    if (peers.me() != 0) return static_cast<void>(take(peers));
    post(peers, 1, 100);
    post(peers, 2, 100);
  });
  CHECK(fan.peers->figures(1).waiting_ns == 1100);
  CHECK(fan.peers->figures(2).waiting_ns == 1200);
}

TEST_CASE("simulated peers: a buffer is free a latency behind its release") {
  SimulatedOwners two(2, 128, plain_network());
  two.run([](Peers& peers) {
    if (peers.me() == 1) {
      for (u32 i = 0; i <= SimulatedPeers::kBuffers; ++i) take(peers);
      return;
    }
    for (u32 i = 0; i < SimulatedPeers::kBuffers; ++i) post(peers, 1, 100);
    const u32 changes = peers.changes();
    CHECK(peers.buffer(1).empty());
    peers.wait(changes);
    post(peers, 1, 100);
  });
  CHECK(two.peers->figures(0).waiting_ns == 1100 + 1000);
  CHECK(two.peers->end_ns() == 2100 + 1100);
}

TEST_CASE("simulated peers: values go to owner 0 and back, and a call has its price") {
  SimulatedPeers::Network network = plain_network();
  network.call_ns = 7;
  SimulatedOwners three(3, 128, network);
  three.run([](Peers& peers) {
    const u64 mine[] = {peers.me(), 5};
    u64 all[6];
    CHECK(peers.gather(mine, all).ok());
  });
  // The price of leaving is that of a call.
  CHECK(three.peers->figures(0).waiting_ns == 1000 + 16);
  CHECK(three.peers->figures(1).waiting_ns == 1000 + 16 + 1000 + 48);
  CHECK(three.peers->figures(1).busy_ns == 14);
  CHECK(three.peers->end_ns() == 2 * 7 + 2064);
}

TEST_CASE("simulated peers: jitter changes the order between senders, and none of a sender's") {
  std::set<std::vector<u32>> orders;
  for (u64 seed = 1; seed <= 20; ++seed) {
    SimulatedPeers::Network network = plain_network();
    network.jitter_ns = 3000;
    network.seed = seed;
    SimulatedOwners owners(3, 64, network);
    std::vector<u32> order;
    owners.run([&](Peers& peers) {
      Talk talk(peers);
      for (u32 i = 0; i < 3 && peers.me() != 0; ++i) talk.send(0, 1, false);
      while (peers.me() == 0 && order.size() < 6) {
        const std::vector<u64> before = talk.got;
        const u32 changes = peers.changes();
        if (!talk.take()) {
          peers.wait(changes);
          continue;
        }
        order.push_back(talk.got[1] != before[1] ? 1 : 2);
      }
      CHECK(talk.wrong == 0);
    });
    orders.insert(order);
  }
  CHECK(orders.size() > 5);
}

TEST_CASE("simulated peers: whenever an owner is lost, the others end") {
  u32 lost = 0;
  for (u32 round = 0; round < 200; ++round) {
    const u32 count = 2 + round % 4;
    SimulatedPeers::Loss loss;
    loss.owner = round % count;
    if (round % 2 == 0)
      loss.at_ns = round * 20'000;
    else
      loss.after_calls = round * 2;
    SimulatedOwners owners(count, 64, {}, loss);
    std::atomic<u32> ended = 0;
    std::atomic<u32> wrong = 0;
    owners.run([&](Peers& peers) {
      Talk talk(peers);
      bool on = true;
      for (u32 level = 0; level < 3 && on; ++level) on = talk.level() && talk.compare();
      if (!on) ++ended;
      if (!on && peers.stopped() != SimulatedPeers::kLost) ++wrong;
      wrong += static_cast<u32>(talk.wrong);
    });
    CAPTURE(round);
    CHECK(wrong == 0);
    // One who got through the last meeting before the news is through.
    if (ended > 0) ++lost;
  }
  CHECK(lost > 50);
}

TEST_CASE("simulated peers: computing takes time where it is asked for") {
  SimulatedPeers::Network network = plain_network();
  network.cpu_permille = 3000;
  SimulatedOwners owners(2, 64, network);
  owners.run([](Peers& peers) {
    u64 all[2];
    const u64 mine[] = {0};
    CHECK(peers.gather(mine, all).ok());
    volatile u64 work = 0;
    for (u32 i = 0; i < 20'000'000 && peers.me() == 1; ++i) work = work + i;
    CHECK(peers.gather(mine, all).ok());
  });
  CHECK(owners.peers->figures(1).busy_ns > 5'000'000);
  CHECK(owners.peers->figures(0).waiting_ns > owners.peers->figures(1).busy_ns / 2);
}

}  // namespace simulated_peers_test
}  // namespace xmc::test
