// Liveness of the local variables of Promela processes: the leaves of a frame that nobody reads
// before they are written again, for each place of its type.
//
// A place reads what the statements that may be executed there read: escapes of `unless` are among
// them, and a d_step has places of its own. Only a write to a leaf that is known ends what is read
// later. Leaves that others can see (a remote reference, a condition of `provided`) are live
// everywhere; at the end of a process nothing is. What is read for a dead leaf counts as read, so
// that a dead leaf depends on live ones alone: a cycle of the reduced program is one of the whole
// program the second time it is gone around. What a printf shows does not count: traces are
// replayed in the whole program.
//
// Linear in the text but for the bits, of which there is one for each place and leaf of a type; a
// type for which they do not fit has no dead leaves. All memory is scratch of the arena.
#pragma once

#include <span>

#include "front/promela/system.h"
#include "xmc/arena.h"

namespace xmc::promela_lower {

// What keeps a leaf from being dead. A test leaves one out, to see that it would notice.
struct LocalRules {
  bool observers = true;  // remote references and `provided`
  bool elements = true;   // a write to an unknown element ends nothing
  bool matches = true;    // what a receive compares with is read
  bool bodies = true;     // what a d_step reads
  bool loops = true;      // what is read behind a jump back to an earlier place
};

class Liveness {
 public:
  // `memory`: bytes that decide how many processes it looks at.
  Liveness(const promela::System& system, const LocalRules& rules, u64 memory, Arena& arena);
  Liveness(const Liveness&) = delete;
  Liveness& operator=(const Liveness&) = delete;

  void run();
  // Of a leaf of the frame, when a process comes to a place of its type.
  bool is_dead(promela::PlaceId place, u32 leaf) const;

 private:
  // Of a type: `words` for each place and for what is observed, from `first` on. No words: nothing
  // is dead.
  struct Rows {
    u32 words = 0;
    u64 first = 0;
  };

  std::span<u64> row(promela::PlaceId place) const;
  std::span<u64> observed(u32 type) const;
  template <class F>
  void for_leaves(const promela::Reference& r, u32 leaf, u32 at, F f) const;
  bool is_known(const promela::Reference& r) const;
  void find_observed();
  void read(promela::ExprId id);
  void read_indexes(const promela::Reference& r);
  void read_patterns(u32 first, u32 count);
  void write(promela::RefId id);
  void step_back(const promela::Action& a);
  bool visit(promela::PlaceId id);

  const promela::System& s_;
  const LocalRules rules_;
  std::span<u32> type_of_;  // by place
  std::span<Rows> rows_;    // by type
  std::span<u64> live_;     // of all rows
  std::span<u64> work_;     // of the statement that is followed
  std::span<u64> joined_;   // of the place
};

}  // namespace xmc::promela_lower
