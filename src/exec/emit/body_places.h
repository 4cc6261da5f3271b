// Where addresses lead: a pass over a flat body that knows, for registers that hold one, what the
// address is made of: a leaf or a register that is known, and digits of indices times their
// strides. So emitted code can go to a leaf without asking what is at an address.
//
// It walks the list once, in order. Where paths meet it keeps what all of them agree on. Where a
// loop begins it forgets whatever the loop changes: code of a loop is one range of the list.
#pragma once

#include <span>

#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/pool.h"

namespace xmc {

// Digit of the index action `action`, below `count`.
struct PlaceTerm {
  u32 action = 0;
  u32 stride = 0;
  u32 count = 0;

  bool operator==(const PlaceTerm&) const = default;
};

struct BodyPlace {
  enum class Kind : u8 { unknown, leaf, cell };
  static constexpr u32 kTerms = 4;

  Kind kind = Kind::unknown;
  u32 term_count = 0;
  i64 base = 0;  // leaf or register
  u32 first_cell = 0;
  u32 cell_count = 0;  // of what the address was taken
  PlaceTerm terms[kTerms];

  static BodyPlace leaf(i64 leaf) {
    BodyPlace place;
    place.kind = Kind::leaf;
    place.base = leaf;
    return place;
  }
  static BodyPlace cell(u32 first, u32 count) {
    BodyPlace place;
    place.kind = Kind::cell;
    place.base = first;
    place.first_cell = first;
    place.cell_count = count;
    return place;
  }
  BodyPlace plus(i64 more) const {
    BodyPlace moved = *this;
    moved.base += more;
    return moved;
  }
  bool depends_on(u32 action) const {
    for (u32 i = 0; i < term_count; ++i) {
      if (terms[i].action == action) return true;
    }
    return false;
  }
  bool operator==(const BodyPlace&) const = default;
};

class BodyPlaces {
 public:
  // What is found stays in the arena's scratch.
  BodyPlaces(std::span<const ir::Action> actions, std::span<const u32> jump_targets, u32 registers,
             Arena& arena);

  // The address that an action reads or writes at; of a copy, the one that it writes at.
  BodyPlace of(u32 at) const { return place(found_[at]); }
  BodyPlace source(u32 at) const { return place(found_[at] + 1); }

  bool is_target(u32 at) const { return is_target_[at] != 0; }

 private:
  static constexpr u32 kKnown = 64;  // registers at a time
  struct Entry {
    u32 reg = 0;
    BodyPlace place;
  };
  struct Met {
    bool reached = false;
    u32 count = 0;
    Entry* entries = nullptr;
  };

  const BodyPlace& place(u32 index) const { return places_[index]; }
  void find_targets();
  void enter(u32 at);
  void note(u32 at);
  void leave(u32 at);
  BodyPlace in(u32 reg) const;
  void set(u32 reg, const BodyPlace& place);
  void forget(u32 reg);
  void forget_digit(u32 action);
  void forget_loop(u32 head);
  void meet(u32 target);
  void agree(const Met& other);
  BodyPlace index(u32 at, const BodyPlace& before) const;

  std::span<const ir::Action> actions_;
  std::span<const u32> jump_targets_;
  Arena& arena_;
  std::span<u8> is_target_;
  std::span<u32> loops_;  // the last jump back to this action, or kNone
  std::span<u8> taken_;   // its address is known elsewhere: the register can change unseen
  std::span<Met> met_;    // by target: what the jumps to it agree on
  std::span<u32> found_;
  Pool<BodyPlace, 6, 4096> places_;
  Entry now_[kKnown];
  u32 count_ = 0;
  bool reached_ = true;
};

}  // namespace xmc
