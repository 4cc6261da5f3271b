// Local variables that are dead at a place have one value there, their rest value: a step to the
// place sets them, and a store to what nobody reads behind it is left out.
#pragma once

#include <span>

#include "front/promela/system.h"
#include "ir/dead.h"
#include "lower/promela/layout/layout.h"
#include "lower/promela/liveness.h"
#include "xmc/arena.h"

namespace xmc::promela_lower {

struct Scope;
struct Writer;

class DeadLocals {
 public:
  DeadLocals() = default;
  // Null: nothing is dead.
  DeadLocals(const Liveness* live, u32 leaves, Arena& arena);

  // A step is tried, or a process created: it writes leaves of its own.
  void begin_attempt() { ++attempts_; }
  void begin_creation() { ++creations_; }
  void note_write(u32 leaf) {
    if (live_ != nullptr) written_[leaf] = attempts_;
  }
  void note_start(u32 leaf) {
    if (live_ != nullptr) started_[leaf] = creations_;
  }
  // A store to a local variable that nobody reads behind the statement; it is left out.
  bool is_useless(const promela::Reference& r, promela::PlaceId behind) const;
  void drop() { ++dropped_; }

  // What a step to the place sets.
  void rest(Writer& w, u32 q, promela::PlaceId from, promela::PlaceId to);
  // Of the process that is being created: all its cells were 0.
  void rest_at_start(Writer& w, const Scope& scope);

  // Behind the last body. False: they are too many for that memory.
  bool list(const Layout& layout, u64 memory, Arena& arena, ir::DeadVariables& out);

 private:
  void rest_leaf(Writer& w, u32 leaf);
  template <class Use>
  void each(const Layout& layout, const Use& use) const;

  const Liveness* live_ = nullptr;
  std::span<u32> written_;  // by leaf: the last attempt that writes it
  std::span<u32> started_;  // by leaf: the last process that is created with a value there
  u32 attempts_ = 0;
  u32 creations_ = 0;
  u32 resets_ = 0;
  u32 dropped_ = 0;
};

}  // namespace xmc::promela_lower
