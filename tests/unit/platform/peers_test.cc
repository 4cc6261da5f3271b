// What every implementation of Peers has to keep to.
#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "platform/thread_peers.h"
#include "xmc/bytes.h"

namespace xmc::test {
namespace {

struct Owners {
  Owners(u32 count, u32 buffer_bytes)
      : memory(ThreadPeers::bytes_for(count, buffer_bytes) / 8), peers(new ThreadPeers()) {
    peers->start(count, buffer_bytes, {reinterpret_cast<u8*>(memory.data()), memory.size() * 8});
  }
  // f(peers) on a thread for each owner.
  template <class F>
  void run(F f) {
    std::vector<std::thread> threads;
    for (u32 i = 1; i < peers->count(); ++i) {
      threads.emplace_back([this, i, &f] { f(peers->at(i)); });
    }
    f(peers->at(0));
    for (std::thread& thread : threads) thread.join();
  }
  std::vector<u64> memory;
  std::unique_ptr<ThreadPeers> peers;
};

// Numbers from each owner to each other one, in blocks of random sizes: from * 2^40 + to * 2^32,
// counted from 0. What came is counted by sender.
struct Talk {
  Peers& peers;
  std::mt19937 random;
  std::vector<u64> sent;
  std::vector<u64> got;
  u32 lasts = 0;
  u64 wrong = 0;

  explicit Talk(Peers& p)
      : peers(p), random(p.me() * 77 + 1), sent(p.count(), 0), got(p.count(), 0) {}

  bool take() {
    Peers::Block block;
    if (!peers.receive(block)) return false;
    for (std::size_t i = 0; i < block.bytes.size(); i += 8) {
      const u64 wanted = (u64{block.from} << 40) + (u64{peers.me()} << 32) + got[block.from]++;
      if (load_le<u64>(block.bytes.data() + i) != wanted) ++wrong;
    }
    if (block.last) ++lasts;
    peers.release();
    return true;
  }
  // False after a stop.
  bool send(u32 to, u32 count, bool last) {
    while (true) {
      const u32 changes = peers.changes();
      const std::span<u8> buffer = peers.buffer(to);
      if (!buffer.empty()) {
        count = std::min(count, static_cast<u32>(buffer.size() / 8));
        for (u32 i = 0; i < count; ++i) {
          store_le<u64>(buffer.data() + 8 * i,
                        (u64{peers.me()} << 40) + (u64{to} << 32) + sent[to]++);
        }
        peers.post(to, 8 * count, last);
        return true;
      }
      if (!take()) peers.wait(changes);
      if (peers.stopped() != StopReason::none) return false;
    }
  }
  bool end_level() {
    for (u32 to = 0; to < peers.count(); ++to) {
      if (to != peers.me() && !send(to, static_cast<u32>(random() % 5), true)) return false;
    }
    while (lasts < peers.count() - 1) {
      const u32 changes = peers.changes();
      if (!take()) peers.wait(changes);
      if (peers.stopped() != StopReason::none) return false;
    }
    lasts = 0;
    return true;
  }
};

TEST_CASE("peers: everything arrives, in order, and level by level") {
  for (const u32 count : {1u, 2u, 3u, 5u}) {
    for (const u32 buffer : {8u, 64u, 1024u}) {
      Owners owners(count, buffer);
      std::vector<u64> wrong(count, 0);
      owners.run([&](Peers& peers) {
        Talk talk(peers);
        for (u32 level = 0; level < 20; ++level) {
          const u32 blocks = talk.random() % 60;
          for (u32 i = 0; i < blocks && count > 1; ++i) {
            const u32 to = (peers.me() + 1 + talk.random() % (count - 1)) % count;
            talk.send(to, static_cast<u32>(1 + talk.random() % 20), false);
          }
          talk.end_level();
          // What was sent to an owner and what has come there: all know both.
          std::vector<u64> mine = talk.sent;
          mine.insert(mine.end(), talk.got.begin(), talk.got.end());
          std::vector<u64> all(mine.size() * count);
          if (!peers.gather(mine, all).ok()) ++talk.wrong;
          for (u32 from = 0; from < count; ++from) {
            for (u32 to = 0; to < count; ++to) {
              if (all[from * 2 * count + to] != all[to * 2 * count + count + from]) ++talk.wrong;
            }
          }
        }
        wrong[peers.me()] = talk.wrong;
      });
      for (const u64 w : wrong) CHECK(w == 0);
    }
  }
}

TEST_CASE("peers: a stop ends every wait, and the first reason counts") {
  for (u32 round = 0; round < 30; ++round) {
    const u32 count = 2 + round % 4;
    Owners owners(count, 64);
    std::vector<StopReason> seen(count, StopReason::none);
    owners.run([&](Peers& peers) {
      Talk talk(peers);
      const u32 stop_after = peers.me() == round % count ? round * 3 : ~0u;
      for (u32 i = 0;; ++i) {
        if (i == stop_after) {
          peers.stop(StopReason::time_limit);
          peers.stop(StopReason::ram);
        }
        bool on = peers.stopped() == StopReason::none;
        if (on && i % 16 == 15) {
          const u64 mine[] = {i};
          std::vector<u64> all(count);
          on = talk.end_level() && peers.gather(mine, all).ok();
        } else if (on) {
          on = talk.send((peers.me() + 1) % count, 8, false);
        }
        if (!on) break;
      }
      seen[peers.me()] = peers.stopped();
    });
    for (const StopReason reason : seen) CHECK(reason == StopReason::time_limit);
  }
}

}  // namespace
}  // namespace xmc::test
