// Product: what searches for accepting cycles work on. A breadth-first search leaves the states of
// a Büchi product in its queue file, all of them or those of its first levels, and gives memory to
// whoever looks for cycles there: a CycleFinder.
#pragma once

#include <span>

#include "engine/search/product_owners.h"
#include "engine/search/search.h"
#include "store/files/key_file.h"
#include "xmc/device.h"
#include "xmc/go_on.h"

namespace xmc {

class Lines;
struct SearchCheckpoint;

struct Product {
  Search* search = nullptr;   // the model and how it is expanded, options, clock, polling
  KeyFile* queue = nullptr;   // the states by level; the number of a state is its position here.
                              // Null: states are numbers (edge_product.h)
  u64 states = 0;             // states of levels that are in the queue in full
  u64 expanded = 0;           // the first of them, whose successors are all among `states`
  bool cycle_free = false;    // the expanded states are known to have no accepting cycle
  bool steps_back = true;     // a step was seen that could close a cycle (Frontier::steps_back)
  Folder* folder = nullptr;   // for files
  std::span<u8> read_buffer;  // for a reader of the queue: a slot or two, aligned for devices
  std::span<u8> scan_buffer;  // one slot more
  std::span<u8> memory;       // all the rest, aligned for devices
  u64 aside = 0;              // bytes at the end of `memory` that nobody else ever uses

  // The search's checkpoint, with what CycleFinder::save_checkpoint() adds.
  void* owner = nullptr;
  Status (*checkpoint)(void* owner) = nullptr;

  // Where the states are divided among owners: all of the above is of one owner, and `states` are
  // those that it owns. Null: the states are not divided.
  ProductOwners* owners = nullptr;

  // Where numbers are not positions in the queue: the state of a number.
  void* numbering = nullptr;
  Status (*state_of)(void* numbering, u64 number, Word* state) = nullptr;

  // Where a search with bits says where it is, and finds what the last checkpoint said. Null: the
  // search leaves no checkpoint.
  SearchCheckpoint* search_checkpoint = nullptr;

  bool complete() const { return expanded == states; }
  bool leaves_checkpoints() const {
    return search->options.checkpoints != nullptr || search->options.resume != nullptr;
  }
  // `boundary`: between two parts of the work, which counts as the end of a level.
  bool checkpoint_due(bool boundary) const {
    Checkpointer* const checkpoints = search->options.checkpoints;
    return checkpoints != nullptr && checkpoints->due(boundary);
  }
  Status checkpoint_if_due() const { return checkpoint_due(true) ? checkpoint(owner) : Status(); }
};

// The level of a state of the queue.
Status level_of(const Product& product, u64 number, u64& level);

// An accepting cycle: its states, one behind the other.
struct FoundCycle {
  Word* states = nullptr;  // null: none was found
  u64 steps = 0;
  bool shortest = false;  // no lasso is shorter, as is proved
  bool settled = true;    // it begins with a state of least level
};

// What looks for accepting cycles in a Product. A cycle that was found is recorded in the outcome
// as a violation; the prefix is then the depth of the state that the cycle begins with.
class CycleFinder {
 public:
  // Finders that look at parts of a product set aside one byte of so many.
  static constexpr u64 kAsideShare = 5;

  // How much of this memory the finder wants for itself while the breadth-first search goes on.
  virtual u64 aside_bytes(u64 memory) const = 0;
  // How much of that it still needs when it will look at no more parts.
  virtual u64 least_aside_bytes() const = 0;
  // Whether it will look at no more parts: the next one, of these states at least, would be too
  // large for this memory.
  virtual bool looks_are_over(u64 states, u64 memory) const = 0;
  // Whether it wants to look at the first levels, in the memory that is set aside.
  virtual bool wants(const Product& product) const = 0;
  virtual Status search_prefix(const Product& product) = 0;
  // Whether it need not look where another search has proved that there is no cycle.
  virtual bool any_proof_will_do() const = 0;
  // Another search has proved that among so many expanded states there is no cycle.
  virtual void skip_look(u64 expanded) = 0;
  // Of a divided product: whether all owners call search_prefix() behind each level. All of them
  // then record a cycle.
  virtual bool meets_at_levels() const { return false; }
  // All states are in the queue, and `memory` is all that there is. StopReason::ram: too little.
  virtual Status search_all(const Product& product) = 0;
  virtual void cycle_begin(Word* state) const = 0;
  // Makes the cycle that was found begin with a state of least level, if that is still to be done.
  // `level` becomes that level.
  virtual Status settle_cycle(const Product& product, const GoOn& go_on, u64& level) = 0;
  // The cycle, for a checkpoint; and memory to read the states of a cycle into again.
  virtual const FoundCycle& found_cycle() const = 0;
  virtual Result<Word*> restore_cycle(const Product& product, const FoundCycle& cycle) = 0;
  // A finder of the same kind for another owner, in memory of the caller. 0: there is none.
  virtual u64 object_bytes() const { return 0; }
  virtual CycleFinder* make_another(void*) { return nullptr; }
  // The run is over: closes what is open.
  virtual Status close(Folder&) { return {}; }
  // Its lines and files of a checkpoint, and going on from there.
  virtual Status save(Lines& io) = 0;
  virtual Status restore(Lines& io, const Product& product) = 0;

 protected:
  ~CycleFinder() = default;
};

}  // namespace xmc
