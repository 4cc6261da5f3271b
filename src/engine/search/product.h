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
  u64 states = 0;             // of them, those of levels that are there in full
  u64 expanded = 0;           // the first ones, whose successors are all among `states`
  bool cycle_free = false;    // these are known to have no accepting cycle
  bool steps_back = true;     // a step was seen that could close a cycle (Frontier::steps_back)
  Folder* folder = nullptr;   // for files
  std::span<u8> read_buffer;  // for a reader of the queue: a slot or two, aligned for devices
  std::span<u8> scan_buffer;  // one slot more
  std::span<u8> memory;       // all the rest, aligned for devices
  u64 aside = 0;              // of it, bytes at its end that nobody else ever uses

  // The search's checkpoint, with what CycleFinder::save_checkpoint() adds.
  void* owner = nullptr;
  Status (*checkpoint)(void* owner) = nullptr;

  // Where its states are divided among owners: all of the above is of one of them, and `states` are
  // its own. Null: it is all there is.
  ProductOwners* owners = nullptr;

  // Where numbers are not positions in the queue: the state of one.
  void* numbering = nullptr;
  Status (*state_of)(void* numbering, u64 number, Word* state) = nullptr;

  // Where a search with bits says where it is, and finds what the last checkpoint said; null: it
  // leaves none.
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

// An accepting cycle, its states one behind the other.
struct FoundCycle {
  Word* states = nullptr;  // null: none was found
  u64 steps = 0;
  bool shortest = false;  // no lasso is shorter, as is proved
  bool settled = true;    // it begins with a state of least level
};

// A cycle that was found is recorded in the outcome as a violation; its prefix is then the depth of
// the state that it begins with.
class CycleFinder {
 public:
  // Part of the memory that those set aside which look at what a search has found so far.
  static constexpr u64 kAsideShare = 5;

  // How much of this memory it wants for itself while the breadth-first search goes on.
  virtual u64 aside_bytes(u64 memory) const = 0;
  // What it needs of that when it will look at no more parts.
  virtual u64 least_aside_bytes() const = 0;
  // Whether that is so: the next part, of these states at least, would be too large for this
  // memory.
  virtual bool looks_are_over(u64 states, u64 memory) const = 0;
  // Whether it wants to look at the first levels, in the memory that is set aside.
  virtual bool wants(const Product& product) const = 0;
  virtual Status search_prefix(const Product& product) = 0;
  // Whether it need not look where another search has proved that there is no cycle.
  virtual bool any_proof_will_do() const = 0;
  // It has, for the part with so many states expanded.
  virtual void skip_look(u64 expanded) = 0;
  // Of a divided product: whether all owners are to call that behind each level. A cycle is then
  // recorded by all of them.
  virtual bool meets_at_levels() const { return false; }
  // All states are there. The memory is all that there is; StopReason::ram: it is too little.
  virtual Status search_all(const Product& product) = 0;
  virtual void cycle_begin(Word* state) const = 0;
  // Makes the cycle that was found begin with a state of least level, which is the result, if that
  // is still to be done.
  virtual Status settle_cycle(const Product& product, const GoOn& go_on, u64& level) = 0;
  // The cycle, for a checkpoint; and memory to read its states into again.
  virtual const FoundCycle& found_cycle() const = 0;
  virtual Result<Word*> restore_cycle(const Product& product, const FoundCycle& cycle) = 0;
  // Its like for another owner of the product, in memory of the caller; 0: it has none.
  virtual u64 object_bytes() const { return 0; }
  virtual CycleFinder* make_another(void*) { return nullptr; }
  // The run is over: what it has open.
  virtual Status close(Folder&) { return {}; }
  // Its lines and files of a checkpoint, and going on from there.
  virtual Status save(Lines& io) = 0;
  virtual Status restore(Lines& io, const Product& product) = 0;

 protected:
  ~CycleFinder() = default;
};

}  // namespace xmc
