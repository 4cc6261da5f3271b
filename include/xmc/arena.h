// Arena: the one region that all memory of a run is carved from.
//
// A run has two phases. While planning, permanent pieces are carved from the low end under a name
// (the plan prints them), and the front end takes scratch from the high end and gives it back in
// stack order. seal() ends the planning: from then on a carve is a bug and ends the process. The
// region is mapped once with the size that --ram leaves beside code and stack, so that the budget
// holds by construction. Fresh pages read as zero and cost no RAM until they are touched; recycled
// scratch is not cleared.
//
// Running out while planning is not a bug but a small budget: carve and scratch then call the
// exhaustion hook with what was asked for, and that hook (it tells the user and exits 2) does not
// return.
#pragma once

#include <span>

#include "xmc/limits.h"
#include "xmc/types.h"

namespace xmc {

class Arena {
 public:
  struct Carve {
    const char* name;
    u64 bytes;
  };
  using ExhaustionHook = void (*)(const Arena& arena, const char* name, u64 bytes_wanted);

  explicit Arena(std::span<u8> region);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  void set_exhaustion_hook(ExhaustionHook hook) { exhausted_ = hook; }

  // Permanent memory, zeroed, aligned to at least 16 bytes; alignment is a power of two. Same-named
  // carves are added up in the list.
  void* carve(const char* name, u64 bytes, u64 alignment = 16);
  template <class T>
  std::span<T> carve_array(const char* name, u64 count, u64 alignment = alignof(T)) {
    return {static_cast<T*>(carve(name, count * sizeof(T), alignment)),
            static_cast<std::size_t>(count)};
  }

  // Scratch memory, not zeroed, until release(mark).
  u64 scratch_mark() const { return high_; }
  void* scratch(const char* name, u64 bytes, u64 alignment = 16);
  void scratch_release(u64 mark);

  // More of the region that the arena begins with; no scratch is in use.
  void extend(u64 bytes);
  void seal();
  bool sealed() const { return sealed_; }

  u64 size_bytes() const { return region_.size(); }
  u64 carved_bytes() const { return low_; }
  u64 free_bytes() const { return high_ - low_; }
  u64 peak_bytes() const { return peak_; }  // most ever in use at once, scratch included
  std::span<const Carve> carves() const { return {carves_, carve_count_}; }

 private:
  void note_peak();
  [[noreturn]] void exhaust(const char* name, u64 bytes) const;

  std::span<u8> region_;
  u64 low_ = 0;
  u64 high_ = 0;
  u64 scratch_low_ =
      0;  // lowest byte that scratch ever covered: a carve reaching it clears what it takes
  u64 peak_ = 0;
  bool sealed_ = false;
  ExhaustionHook exhausted_ = nullptr;
  Carve carves_[limits::kCarves] = {};
  u32 carve_count_ = 0;
};

}  // namespace xmc
