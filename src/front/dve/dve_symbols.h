// Names of a model. One table holds all scopes: the key is (scope, name), where the scope is a
// process number or kGlobal. It is kept after a process ends, because P.q and P->x look into other
// processes.
#pragma once

#include <string_view>

#include "xmc/arena.h"
#include "xmc/pool.h"
#include "xmc/types.h"

namespace xmc::dve {

inline constexpr u32 kGlobal = kNone;

enum class Kind : u8 {
  variable,
  channel,
  process,
  state,
  unknown,          // was used and reported; later uses are silent
  forward_process,  // P of a P.q before P is declared; see dve_forward.cc
  forward_state,    // its q
};

struct Symbol {
  std::string_view name;
  u32 scope = kGlobal;
  u32 index = 0;  // number of the variable, channel, process; of a state within its process
  Kind kind = Kind::unknown;
  bool initialised = false;  // a variable whose value may be used in later initialisers
  bool warned = false;       // the use without index was already pointed out
};

class Symbols {
 public:
  using Entries = Pool<Symbol, 7, 8192>;

  explicit Symbols(Arena& arena) : arena_(&arena), entries_(arena, "names") {}

  // kNone when the scope has no such name.
  u32 find(u32 scope, std::string_view name) const;
  // The name must not be there yet, and there must be room.
  u32 add(const Symbol& symbol);
  bool full() const { return entries_.full(); }
  Symbol& operator[](u32 id) { return entries_[id]; }

 private:
  void grow();

  Arena* arena_;
  Entries entries_;
  std::span<u32> slots_;  // 0 for empty, else id + 1; the size is a power of two
};

}  // namespace xmc::dve
