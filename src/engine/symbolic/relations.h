// Relations: what steps do, as sets of short words, in groups by the levels they touch.
//
// A rule says: where these fields have these values, those fields get those. Its signature is the
// list of levels with what happens there; rules with equal signatures are one set, whatever steps
// they come from. A word of a relation has for each level of the signature
//     read     the value                        written  the new value
//     both     the value, then the new one
// In a product a rule of the system and one of the property make a rule together. Each keeps its
// own groups, and a joined group is the set of all pairs of rules of two of them: its size is
// nearer to the sum than to the product of both.
#pragma once

#include <span>

#include "store/symbolic/set_diagram.h"
#include "xmc/types.h"

namespace xmc {

enum class Touch : u8 { read, written, both };

struct Support {
  u16 level = 0;
  Touch touch = Touch::read;
  friend bool operator==(const Support&, const Support&) = default;
};

// What a group of rules is for.
enum class Role : u8 {
  fires,   // leads from state to state
  errs,    // the step is erroneous: reads only
  system,  // half of a rule of a product
  system_errs,
  system_lost,  // leads to the error state, whatever the property does
  move,         // the property's half
  move_errs,
  move_lost,
  question,  // reads only: states for which the answer is yes
};

struct Group {
  u32 first_support = 0;
  u16 support_count = 0;
  u16 top = 0;  // it is applied to lists of this level: that of its first support or one before
  Role role = Role::fires;
  u32 owner = kNone;  // of a question: which
  u32 serial = 0;     // no other group ever had it: what caches know it by
  u32 next = kNone;   // with the same top and role fires
  u32 chain = kNone;  // with the same hash
  // Of a joined group: its halves, and what they were when they were last joined.
  u32 left = kNone;
  u32 right = kNone;
  Node left_seen = kEmptySet;
  Node right_seen = kEmptySet;
};

// A rule before it is part of a relation.
struct Rule {
  std::span<const Support> support;  // ascending by level
  std::span<const u32> word;
};

class Relations {
 public:
  static constexpr u32 kMostGroups = 1u << 20;
  static constexpr u32 kMostSerials = 1u << 20;

  static u64 bytes_for(u32 levels, u64 groups, u64 supports);
  void init(SetDiagram& diagram, std::span<u8> memory, u32 levels);

  // False: the diagram is stopped; it is Stop::full when groups or supports have no room.
  bool add(Role role, u32 owner, u16 top, const Rule& rule);
  u32 size() const { return count_; }
  const Group& group(u32 g) const { return groups_[g]; }
  std::span<const Support> support(u32 g) const {
    return supports_.subspan(groups_[g].first_support, groups_[g].support_count);
  }
  Node relation(u32 g) const { return relations_[g]; }
  // Whether it moves the property.
  bool is_move(u32 g) const {
    return groups_[g].role == Role::move || groups_[g].role == Role::move_lost;
  }
  // The same for a joined group whose halves may have grown.
  Node joined(u32 g);
  u32 first_with_top(u32 level) const { return by_top_[level]; }
  // Forgets the groups from this one on, which belong to questions.
  void truncate(u32 size);
  u64 rules() const { return rules_; }  // that were added, some of them more than once

 private:
  bool find(Role role, u32 owner, u16 top, std::span<const Support> support, u32& group);
  bool append(const Group& group, std::span<const Support> support);
  bool join_with_all(u32 half);
  bool add_joined(u32 left, u32 right);
  struct Halves;
  Node join(const Halves& h, Node a, u32 i, Node b, u32 j);
  Node join_one(const Halves& h, Node a, u32 i, Node b, u32 j, bool left);
  Node join_both(const Halves& h, Node a, u32 i, Node b, u32 j);

  SetDiagram* d_ = nullptr;
  std::span<Group> groups_;
  std::span<Node> relations_;
  std::span<Support> supports_;
  std::span<u32> by_top_;
  std::span<u32> by_hash_;
  u32 count_ = 0;
  u32 support_used_ = 0;
  u32 serials_ = 0;
  u64 rules_ = 0;
};

}  // namespace xmc
