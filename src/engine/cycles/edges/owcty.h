// One Way Catch Them Young (Cerna and Pelanek, "Distributed explicit fair cycle detection", 2003;
// in external memory Barnat, Brim and Simecek, "I/O efficient accepting cycle detection", 2007),
// on an edge file:
//
//   S = all states
//   repeat  S = states of S to which a path of S leads from an accepting state, of one step or more
//           drop states of S without a predecessor in S, until there are none
//   until nothing changes
//
// Something is left if and only if there is an accepting cycle: no state of one is ever dropped,
// and what is left has, from every accepting state backwards, another one. Where every cycle of
// the live classes is accepting (weak), the first step is left out.
//
// The papers count predecessors, or sort targets on disk. Here passes go up the file, with two bits
// for each state: that it is in S, and a mark. When its turn comes, a state without a mark is
// dropped; one with a mark loses it, and marks its targets: those with higher numbers for this
// pass, the others for the next one. So a pass settles all forward edges, and each alternation with
// back edges costs one more. The first pass of each trimming only makes marks.
//
// To find what accepting states lead to, the two bits say: not in S, not reached, reached and still
// to send its mark on, or done. Passes take turns in their direction and read only what has states
// that are still to send.
//
// Memory: two bits per state. What is left behind is what cycles lead to, and not, as with
// cycle_core.h, what leads to them; whoever takes a cycle of it has to look for one.
#pragma once

#include "engine/cycles/edges/forward_search.h"

namespace xmc {

class Owcty final : public ForwardSearch {
 public:
  using Phase = PassCheckpoint::Phase;

  static u64 bytes_for(u64 states) { return 2 * StateBits::bytes_for(states); }

  // The states before `end`. `memory` is aligned to 8 bytes and has bytes_for() of them.
  void start(u64 end, bool weak, std::span<u8> memory);
  // The same, as it was at a checkpoint whose words are still to be read.
  void go_on(const PassCheckpoint& checkpoint);

  Status pass(EdgeReader& reader, WorkPoll& poll) override;
  // After that many passes what is left is for others to search.
  bool done() const override { return finished_ || passes_ >= kPassLimit; }
  bool has_cycle() const override { return finished_ && live_.any(0, end_); }
  const StateBits& states() const override { return live_; }
  u64 bytes() const override { return bytes_for(end_); }
  bool save_place(PassCheckpoint& checkpoint) const override;
  std::span<u64> words() const override;

 private:
  static constexpr u64 kPassLimit = 64;
  static constexpr u64 kNoState = ~u64{0};

  void begin(Phase phase);
  Status trim(EdgeReader& reader, WorkPoll& poll);
  Status reach(EdgeReader& reader, WorkPoll& poll);
  void drop(u64 begin, u64 end);
  void end_reach();

  StateBits live_;
  StateBits mark_;
  u64 end_ = 0;
  bool weak_ = false;
  Phase phase_ = Phase::none;
  bool first_ = true;     // pass of its phase
  bool changed_ = false;  // by this pass
  u64 at_ = kNoState;     // the state whose record was visited last in this pass
  u64 passes_ = 0;        // that are complete
  bool finished_ = false;
};

}  // namespace xmc
