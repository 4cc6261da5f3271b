// What every implementation of Peers has to keep to, as cases over how owners are made:
//
//   struct Owners {
//     Owners(u32 count, u32 buffer_bytes);
//     static bool can_be(u32 count);               // so many
//     template <class F> void run(F f);            // f(peers) for each owner that is here, at once
//   };
//
// Owners may be in other processes, so an owner judges by what it sees itself.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <random>
#include <vector>

#include "xmc/bytes.h"
#include "xmc/peers.h"

namespace xmc::test {

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
  // Random blocks, then the end of the level. False after a stop.
  bool level() {
    const u32 count = peers.count();
    const u32 blocks = static_cast<u32>(random() % 60);
    for (u32 i = 0; i < blocks && count > 1; ++i) {
      const u32 to = (peers.me() + 1 + static_cast<u32>(random() % (count - 1))) % count;
      if (!send(to, static_cast<u32>(1 + random() % 20), false)) return false;
    }
    return end_level();
  }
  // What was sent to an owner and what has come there: all know both.
  bool compare() {
    const u32 count = peers.count();
    std::vector<u64> mine = sent;
    mine.insert(mine.end(), got.begin(), got.end());
    std::vector<u64> all(mine.size() * count);
    if (!peers.gather(mine, all).ok()) return false;
    for (u32 from = 0; from < count; ++from) {
      for (u32 to = 0; to < count; ++to) {
        if (all[from * 2 * count + to] != all[to * 2 * count + count + from]) ++wrong;
      }
    }
    return true;
  }
};

template <class Owners>
void check_everything_arrives() {
  for (const u32 count : {1u, 2u, 3u, 5u}) {
    for (const u32 buffer : {8u, 64u, 1024u, 65536u}) {
      if (!Owners::can_be(count)) continue;
      Owners owners(count, buffer);
      std::atomic<u32> good = 0;
      std::atomic<u32> here = 0;
      owners.run([&](Peers& peers) {
        Talk talk(peers);
        bool on = true;
        for (u32 level = 0; level < 20 && on; ++level) on = talk.level() && talk.compare();
        ++here;
        if (on && talk.wrong == 0 && peers.stopped() == StopReason::none) ++good;
      });
      CAPTURE(count);
      CAPTURE(buffer);
      CHECK(here > 0);
      CHECK(good == here);
    }
  }
}

// As many values as there may be, and none; other values at each turn.
template <class Owners>
void check_gather() {
  for (const u32 count : {1u, 2u, 3u, 5u}) {
    if (!Owners::can_be(count)) continue;
    Owners owners(count, 64);
    std::atomic<u32> wrong = 0;
    owners.run([&](Peers& peers) {
      for (u32 turn = 0; turn < 50; ++turn) {
        const u32 values = turn % 3 == 0 ? Peers::kMostValues : turn % 7;
        std::vector<u64> mine(values);
        for (u32 i = 0; i < values; ++i) mine[i] = turn * 1000000 + peers.me() * 1000 + i;
        std::vector<u64> all(std::size_t{values} * count);
        if (!peers.gather(mine, all).ok()) ++wrong;
        for (u32 i = 0; i < all.size(); ++i) {
          if (all[i] != turn * 1000000 + i / values * 1000 + i % values) ++wrong;
        }
      }
    });
    CAPTURE(count);
    CHECK(wrong == 0);
  }
}

template <class Owners>
void check_stop() {
  for (u32 round = 0; round < 30; ++round) {
    const u32 count = 2 + round % 4;
    if (!Owners::can_be(count)) continue;
    Owners owners(count, 64);
    std::atomic<u32> here = 0;
    std::atomic<u32> seen = 0;
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
      ++here;
      if (peers.stopped() == StopReason::time_limit) ++seen;
    });
    CAPTURE(round);
    CHECK(here > 0);
    CHECK(seen == here);
  }
}

// Nobody sends and nobody meets anybody: only the stop ends what they wait for, then and later.
template <class Owners>
void check_stop_ends_waiting() {
  for (u32 round = 0; round < 12; ++round) {
    const u32 count = 2 + round % 4;
    if (!Owners::can_be(count)) continue;
    Owners owners(count, 64);
    std::atomic<u32> wrong = 0;
    owners.run([&](Peers& peers) {
      const u64 mine[] = {1, 2, 3};
      std::vector<u64> all(std::size(mine) * count);
      if (peers.me() == round % count) {
        peers.stop(StopReason::signal);
      } else if ((peers.me() + round) % 2 == 0) {
        peers.wait(peers.changes());
      } else if (peers.gather(mine, all).ok()) {
        ++wrong;
      }
      for (u32 again = 0; again < 3; ++again) {
        peers.wait(peers.changes());
        const Status status = peers.gather(mine, all);
        if (status.ok() || status.stop_reason() != StopReason::signal) ++wrong;
      }
      if (peers.stopped() != StopReason::signal) ++wrong;
    });
    CAPTURE(round);
    CHECK(wrong == 0);
  }
}

}  // namespace xmc::test
