// OrderChoice: which field comes first in the words of a diagram.
//
// A good order makes a set a hundred times smaller than a bad one. Some natural orders are
// compared, each also in reverse and after rounds of FORCE (Aloul, Markov, Sakallah 2003), which
// brings fields closer that rules touch together. The key of an order is the number of nodes of the
// first states' diagram, times the sum of the spans of all signatures of rules: either alone
// misleads.
#pragma once

#include <span>

#include "engine/symbolic/exploration.h"
#include "store/symbolic/set_diagram.h"
#include "xmc/model.h"

namespace xmc {

// The first states: numbers of their values, a row of all fields for each.
struct OrderSample {
  std::span<const u16> numbers;
  u32 states = 0;
  u32 fields = 0;
  u32 number(u32 state, u32 field) const { return numbers[std::size_t{state} * fields + field]; }
};

class OrderChoice {
 public:
  static constexpr u32 kArrangements = 5;
  static constexpr u32 kCandidates = kArrangements * 4;

  // Signatures that have no room are left out.
  static u64 bytes_for(u32 fields, u32 states, u64 signature_fields);
  void init(std::span<const StateField> fields, std::span<u8> memory, u32 states);

  void add_signature(std::span<const u32> fields);
  // The best order for the sample. Nodes are made in the diagram and are of no use afterwards.
  void choose(const OrderSample& sample, SetDiagram& diagram, LevelOrder& order);
  // The order with this number instead, for tests.
  void arrange(u32 candidate, LevelOrder& order);

  u64 nodes() const { return nodes_; }  // of the sample, with the order that was chosen
  u32 chosen() const { return chosen_; }

 private:
  void natural(u32 arrangement);
  u64 rank(u32 arrangement, u32 field) const;
  void force();
  u64 span_sum() const;
  bool seen_before();
  u64 count_nodes(const OrderSample& sample, SetDiagram& diagram);
  Node build(const OrderSample& sample, SetDiagram& d, u32 begin, u32 end, u32 level);

  std::span<const StateField> fields_;
  u32 processes_ = 0;
  std::span<u16> order_;    // field by level: the one that is looked at
  std::span<u16> place_;    // level by field
  std::span<double> pull_;  // by field
  std::span<u32> pulls_;    // how many
  std::span<u32> rows_;     // states of the sample, sorted
  std::span<u16> members_;  // fields of signatures, each ended by kEndOfSignature
  u32 member_count_ = 0;
  std::span<u64> hashes_;  // of signatures
  u64 seen_[kCandidates] = {};
  u32 tried_ = 0;
  u64 nodes_ = 0;
  u32 chosen_ = 0;
};

}  // namespace xmc
