#include "store/symbolic/list_nodes.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <vector>

using namespace xmc;

namespace list_nodes_test {

namespace {

// The smallest table has 64 lines. After some collections every one of them is now and then marked
// as having sent a node on, and a search for a node that is not there must end nevertheless.
TEST_CASE("a crowded table is searched once around") {
  std::mt19937 rng(1);
  const u64 bytes = ListNodes::bytes_for(1);
  std::vector<u64> memory(static_cast<std::size_t>(bytes / 8 + 16));
  u8* at = reinterpret_cast<u8*>(memory.data());
  at += 64 - reinterpret_cast<std::uintptr_t>(at) % 64;
  ListNodes nodes;
  nodes.init({at, static_cast<std::size_t>(bytes)});
  std::map<u32, Node> known;
  for (u32 round = 0; round < 2000; ++round) {
    CAPTURE(round);
    // All but a few stay, those of late lines among them.
    for (auto it = known.begin(); it != known.end();) {
      if (rng() % 16 != 0) {
        nodes.mark(it->second);
        ++it;
      } else {
        it = known.erase(it);
      }
    }
    nodes.sweep();
    REQUIRE(nodes.used() == known.size() + 2);
    while (true) {
      const u32 value = rng() % ListNodes::kMostValues;
      const Node n = nodes.find_or_add(value, ListNodes::kEnd, ListNodes::kEmpty);
      const auto it = known.find(value);
      if (it != known.end()) {
        REQUIRE(n == it->second);
      } else if (n == ListNodes::kEmpty) {
        break;
      } else {
        known[value] = n;
      }
    }
    REQUIRE(nodes.is_crowded());
  }
}

}  // namespace

}  // namespace list_nodes_test
