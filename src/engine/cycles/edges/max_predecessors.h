// Maximal Accepting Predecessors (Brim, Cerna, Moravec and Simsa, "Accepting predecessors are
// better than back edges in distributed LTL model checking", 2004), on an edge file.
//
// The value of a state is the largest accepting state from which a path of one step or more leads
// to it, 0 if there is none. Values spread along the edges until none grows. A state that is its
// own value is on an accepting cycle. If there is none, that proves nothing yet: a cycle may lie
// behind a larger accepting state, which is the value of all its states. But a state that is
// someone's value and not its own is on no accepting cycle (if it were on one, the value of all it
// leads to would be at least its own, which is larger). So these count as not accepting any more,
// and values spread anew, until no state has a value.
//
// States on one cycle have the same value in every round. So an edge between states whose values
// differ is on no cycle; the paper searches the parts by themselves. Here each state has a label of
// eight bits, a hash of its values so far, and edges between different labels do not count. States
// without a value are dropped.
//
// Accepting states are ordered by number: the larger one is mostly the nearer one, which makes one
// round do for a chain of them. For chains that go the other way every second round has the other
// order. A state that gets its own value back is on a cycle, whatever larger values may come later,
// so that this ends the search at once. Then a last round spreads the value
// of this state alone, until it is there again: the states that have it have the cycle.
//
// Memory, per state: three bits (left, accepting, value still to be sent on), eight of the label,
// and a value, as many bits as the number of accepting states has.
#pragma once

#include "engine/cycles/edges/forward_search.h"
#include "store/tables/packed_array.h"

namespace xmc {

class MaxPredecessors final : public ForwardSearch {
 public:
  using Phase = PassCheckpoint::Phase;

  static u64 bytes_for(u64 states, u64 accepting);

  // The states before `end`. `memory` is aligned to 8 bytes and has room for two bits of each. If
  // it has less than the rest needs, the first pass is the last.
  void start(u64 end, std::span<u8> memory);
  // The same, as it was at a checkpoint whose words are still to be read; false: there is no room.
  bool start(const PassCheckpoint& checkpoint, u64 end, std::span<u8> memory);
  // When they are there.
  void go_on(const PassCheckpoint& checkpoint);

  Status pass(EdgeReader& reader, WorkPoll& poll) override;
  bool done() const override { return done_; }
  u64 bytes_needed() const override { return bytes_needed_; }
  bool has_cycle() const override { return done_ && around_; }
  const StateBits& states() const override { return live_; }
  u64 bytes() const override { return bytes_for(end_, accepting_count_); }
  bool save_place(PassCheckpoint& checkpoint) const override;
  std::span<u64> words() const override;

  u64 rounds() const { return rounds_; }

 private:
  static constexpr u64 kNoState = ~u64{0};
  static constexpr u32 kMostValueBits = 32;  // of a PackedArray

  void lay_out_bits();
  void lay_out_values();
  Status count(EdgeReader& reader, WorkPoll& poll);
  void begin_round();
  void begin_around();
  Status spread(EdgeReader& reader, WorkPoll& poll);
  void end_round();
  void end_around();
  u32 value_to_send(u64 state) const;
  // Of the accepting state with this number, in the order of this round, and back.
  u32 value_of(u64 number) const {
    return static_cast<u32>(rounds_ % 2 != 0 ? number + 1 : accepting_count_ - number);
  }
  u64 number_of(u32 value) const { return rounds_ % 2 != 0 ? value - 1 : accepting_count_ - value; }

  std::span<u8> memory_;
  StateBits live_;
  StateBits accepting_;    // as the file says
  StateBits open_;         // has a value that is still to be sent on
  StateBits counts_;       // by number of accepting state: still counts as one
  MarkedNumbers numbers_;  // of accepting states
  std::span<u8> label_;
  PackedArray value_;  // of value_of(); 0: none
  u64 end_ = 0;
  u64 accepting_count_ = 0;
  u64 bytes_needed_ = 0;
  bool counted_ = false;
  bool around_ = false;    // in the last round, with a state of a cycle
  u64 target_ = kNoState;  // that state
  bool back_ = false;      // it was reached again
  u64 rounds_ = 0;
  u64 passes_ = 0;
  bool done_ = false;
};

}  // namespace xmc
