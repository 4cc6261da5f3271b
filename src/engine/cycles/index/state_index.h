// Numbering: numbers for the states of a finished set, from 0 on, so that a search over them needs
// one bit of memory for each. Two kinds, made from the queue file:
//
//   rank   the set as a diagram with counts, in memory (store/diagram/rank.h): knows its members,
//          gives states back by their numbers, but no depths
//   phf    a perfect hash, on flash or in memory (phf/): about 11 bits per state in the file, gives
//          depths; for states that are not in the set it answers anything
#pragma once

#include <span>

#include "engine/search/product.h"
#include "phf/page_codec.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class Numbering {
 public:
  static constexpr u64 kNotThere = ~u64{0};

  virtual const char* name() const = 0;
  virtual u64 size() const = 0;
  // Memory that grows with the number of states: caches apart.
  virtual u64 ram_bytes() const = 0;
  // The number of each state, kNotThere for one that is known not to be in the set. `depths` may be
  // null; only an index that has_depths() fills it in.
  virtual Status find(const Word* states, u32 count, u64* numbers, u32* depths) = 0;
  // The same for other threads beside the owner's, each with scratch_bytes() of its own, aligned to
  // 8 bytes. 0: one thread only, because answers go through buffers and a cache of pages.
  virtual u64 scratch_bytes() const { return 0; }
  virtual void find_beside(std::span<u8> scratch, const Word* states, u32 count, u64* numbers,
                           u32* depths) const;
  virtual bool has_depths() const { return false; }
  // Whether a batch costs reads: large ones are better.
  virtual bool on_flash() const { return false; }
  // Very large batches, for an index on flash: as many questions as the result says find room in
  // `memory`, aligned for devices; 0: it is of no use. Then questions, then their answers in any
  // order; nothing else is asked in between.
  struct Answers {
    void* self = nullptr;
    void (*take)(void* self, u32 tag, u64 number, u32 depth) = nullptr;
  };
  virtual u32 begin_questions(std::span<u8>) { return 0; }
  virtual void add_question(const Word*, u32) {}
  virtual Status answer_questions(const Answers&) { return {}; }
  // Whether state_of() works.
  virtual bool has_states() const { return false; }
  virtual void state_of(u64, Word*) const {}
  // For a checkpoint: what the same numbers can be had from again. `buffer` is aligned for devices.
  virtual Status save_checkpoint(SearchCheckpoint& checkpoint, std::span<u8> buffer) = 0;

 protected:
  ~Numbering() = default;
};

struct IndexOptions {
  IndexKind kind = IndexKind::automatic;   // --index; automatic takes rank where it fits
  phf::Codec codec = phf::Codec::pilot;    // --phf-codec
  bool resident = false;                   // --phf ram: the whole file is loaded
  u64 cache_bytes = 0;                     // --phf-cache; ~0: most of what the searches do not need
  u32 near_pages = 32;                     // on flash: with so many, neighbour_hash.h is used
  u32 fingerprint_bits = 0;                // 8: states that are not in the set are found out
  u64 hash_seed = 0x7374'6174'6573'0000u;  // the first one; another one after a collision
  u64 hash_mask = ~u64{0};                 // fewer bits, for tests of collisions
};

// What became of an attempt to make one.
struct IndexResult {
  Numbering* index = nullptr;  // null: there is no room
  std::span<u8> memory;        // what is left of the product's memory
  u64 bytes_needed = 0;        // of it, where there was no room and it is known
};

}  // namespace xmc
