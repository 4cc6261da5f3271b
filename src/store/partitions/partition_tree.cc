#include "store/partitions/partition_tree.h"

#include <algorithm>

#include "store/keys/hash_class.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u32 kLanes = 16;  // states on their way down at a time

}  // namespace

void PartitionTree::start(u32 state_words) {
  words_ = state_words;
  nodes_ = 1;
  hash_tests_ = false;
  tree_[0] = {};
}

bool PartitionTree::is_high(u32 node, const Word* state) const {
  const Test& test = tree_[node].test;
  if (test.width != 0) return test.value(state) >= test.pivot;
  return (class_hash(state, words_) << test.shift >> 63) != 0;
}

u32 PartitionTree::leaf_of(const Word* state) const {
  u64 hash = 0;
  bool hashed = false;
  u32 node = 0;
  while (tree_[node].children != 0) {
    const Test& test = tree_[node].test;
    bool high;
    if (test.width != 0) {
      high = test.value(state) >= test.pivot;
    } else {
      if (!hashed) hash = class_hash(state, words_);
      hashed = true;
      high = (hash << test.shift >> 63) != 0;
    }
    node = tree_[node].children + (high ? 1u : 0u);
  }
  return node;
}

template <bool kHash>
void PartitionTree::descend(const Word* states, std::span<const u32> picks, u16* leaves) const {
  const u32 count = static_cast<u32>(picks.size());
  u64 hashes[kLanes] = {};
  if (kHash) {
    for (u32 i = 0; i < count; ++i) hashes[i] = class_hash(states + u64{picks[i]} * words_, words_);
  }
  for (u32 moved = 1; moved != 0;) {
    moved = 0;
    for (u32 i = 0; i < count; ++i) {
      const Node& node = tree_[leaves[i]];
      const Test& test = node.test;
      u32 high = test.value(states + u64{picks[i]} * words_) >= test.pivot ? 1 : 0;
      if (kHash) {
        const u32 bit = static_cast<u32>(hashes[i] << test.shift >> 63);
        high = test.width == 0 ? bit : high;
      }
      const u32 next = node.next + high;
      moved |= next ^ leaves[i];
      leaves[i] = static_cast<u16>(next);
    }
  }
}

void PartitionTree::leaves_of(const Word* states, std::span<const u32> picks, u16* leaves) const {
  std::fill_n(leaves, picks.size(), u16{0});
  for (std::size_t done = 0; done < picks.size(); done += kLanes) {
    const auto part = picks.subspan(done, std::min<std::size_t>(kLanes, picks.size() - done));
    if (hash_tests_) {
      descend<true>(states, part, leaves + done);
    } else {
      descend<false>(states, part, leaves + done);
    }
  }
}

u32 PartitionTree::split(u32 leaf, const Test& test) {
  XMC_CHECK(can_split() && is_leaf(leaf));
  const u32 low = nodes_;
  nodes_ += 2;
  hash_tests_ = hash_tests_ || test.width == 0;
  tree_[leaf].test = test;
  tree_[leaf].children = tree_[leaf].next = static_cast<u16>(low);
  for (u32 child = low; child < nodes_; ++child) {
    tree_[child] = {};
    tree_[child].parent = static_cast<u16>(leaf);
    tree_[child].next = static_cast<u16>(child);
  }
  return low;
}

PartitionTree::Test PartitionTree::hash_test(u32 leaf) const {
  Test test;
  for (u32 node = leaf; node != 0;) {
    node = tree_[node].parent;
    if (tree_[node].test.width == 0) ++test.shift;
  }
  return test;
}

void PartitionTree::add_mask(u32 leaf, std::span<Word> mask) const {
  for (u32 node = leaf; node != 0;) {
    node = tree_[node].parent;
    const Test& test = tree_[node].test;
    if (test.width == 0) {
      std::fill(mask.begin(), mask.end(), ~Word{0});
    } else {
      mask[test.word] |= ~u64{0} >> (64 - test.width) << test.shift;
    }
  }
}

void PartitionTree::save(std::span<u64> words) const {
  XMC_CHECK(words.size() >= std::size_t{kNodeWords} * nodes_);
  for (u32 n = 0; n < nodes_; ++n) {
    const Node& node = tree_[n];
    words[2 * n] = u64{node.test.word} << 48 | u64{node.test.shift} << 40 |
                   u64{node.test.width} << 32 | u64{node.children} << 16 | node.parent;
    words[2 * n + 1] = node.test.pivot;
  }
}

bool PartitionTree::restore(std::span<const u64> words) {
  const u32 nodes = static_cast<u32>(words.size() / kNodeWords);
  if (nodes == 0 || nodes % 2 == 0 || nodes > kMostNodes) return false;
  nodes_ = nodes;
  hash_tests_ = false;
  for (u32 n = 0; n < nodes; ++n) {
    const u64 packed = words[2 * n];
    Node& node = tree_[n];
    node.test = {static_cast<u16>(packed >> 48), static_cast<u8>(packed >> 40),
                 static_cast<u8>(packed >> 32), words[2 * n + 1]};
    node.children = static_cast<u16>(packed >> 16);
    node.parent = static_cast<u16>(packed);
    const bool sound = (node.children == 0 || (node.children > n && node.children + 1u < nodes)) &&
                       (n == 0 || node.parent < n) && node.test.word < words_ &&
                       u32{node.test.shift} + node.test.width <= 64 && node.test.shift < 64;
    if (!sound) return false;
    const bool leaf = node.children == 0;
    if (leaf) node.test = kNeverHigh;
    node.next = leaf ? static_cast<u16>(n) : node.children;
    hash_tests_ = hash_tests_ || node.test.width == 0;
  }
  return true;
}

}  // namespace xmc
