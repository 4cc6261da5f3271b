// Frontier: where a breadth-first search is whose queue is a file, and what it keeps besides its
// visited set. The set gives new states to it (enqueue), takes counts back that turn out to be
// repeats, and asks whether to go on.
//
// The queue file has every state ever enqueued with its level, and is never rewritten. So a
// checkpoint is a position in the file: a visited set can be made again from it.
#pragma once

#include "engine/levels/level_owners.h"
#include "engine/levels/table_queue.h"
#include "engine/search/product.h"
#include "engine/search/search.h"
#include "store/checkpoint/lines.h"
#include "store/files/key_file.h"
#include "store/keys/signature.h"
#include "store/tables/state_table.h"
#include "xmc/device.h"
#include "xmc/engine.h"
#include "xmc/go_on.h"

namespace xmc {

class LevelPath;
class LookAhead;
class VisitedSet;

// Where the search is. Numbers are positions in the queue.
struct LevelPlace {
  u64 level = 0;          // being expanded
  u64 enqueue_level = 0;  // of states that are enqueued now
  u64 begin = 0;          // its first state; after a resume, the first one to expand
  u64 end = 0;            // the first state behind the level
  u64 next = 0;           // the next state to expand
  bool judged = false;    // all of the level is, by all owners
  bool last = false;      // nothing behind this level is stored: --depth
  bool left_out = false;  // and there is something
};

// The last point from which the run could go on: everything before `next` is expanded and its
// successors are settled; the counters are those of that time.
struct ResumePoint {
  u64 level = 0;
  u64 level_end = 0;
  u64 next = 0;
  SearchStats stats;
  Violation violation = Violation::none;
};

struct LevelMemory {
  std::span<u8> region;  // what the plan leaves: the visited set, and at last the path
  std::span<u8> aside;   // behind it: for the cycle finder
  u64 reclaimed = 0;     // bytes at the end of `region` that were set aside
  u64 reclaimed_in_all = 0;
  std::span<u8> write_buffer;   // of the queue
  std::span<u8> read_buffer;    // of Frontier::reader
  std::span<u8> scan_buffer;    // a second block, for scans of the file beside the reader
  std::span<u8> finder_buffer;  // of the cycle finder

  std::span<u8> all() const { return {region.data(), region.size() + aside.size()}; }
};

// Files that are closed when the run ends.
class OpenFiles {
 public:
  void start(Folder* folder) { folder_ = folder; }
  Result<Device*> open(const char* name, Folder::Open how);
  void close(const char* name);
  void close_all();

 private:
  struct File {
    const char* name = nullptr;
    Device* device = nullptr;
  };
  Folder* folder_ = nullptr;
  File files_[4];
};

class Frontier {
 public:
  Search search;
  Signature signature;  // what the tables hold of a state, for sets that take signatures
  KeyFile queue;
  KeyReader reader;  // of the states that are expanded
  LevelMemory memory;
  OpenFiles files;
  LevelPlace at;
  ResumePoint point;
  Word culprit[limits::kStateWords] = {};  // the state of the first violation
  VisitedSet* set = nullptr;
  CycleFinder* finder = nullptr;  // somebody who looks for accepting cycles in the queue
  // A step was seen, or may have been, that leads to a state of its own level or one before which
  // could be on an accepting cycle.
  bool steps_back = true;
  LookAhead* ahead = nullptr;
  LevelPath* path = nullptr;  // to the violation
  LevelOwners owners;
  bool reader_moved = false;  // it is not where the next state to expand is
  TableQueue in_table;        // the states of this owner, as long as they fit there

  Folder& folder() const { return *search.options.folder; }
  bool with_checkpoints() const { return search.options.checkpoints != nullptr; }
  // A violation ends the search unless everything is to be explored, or something nearer may be on
  // the level that is expanded.
  bool over() const { return search.over(judged_level()); }
  // Everything before this level is judged.
  u64 judged_level() const { return at.judged ? at.level + 1 : at.level; }
  // What the tables of visited sets keep of a state.
  static StateTable::Shape shape_of(const Model& model, bool notes);
  StateTable::Shape shape(bool notes) const { return shape_of(search.model, notes); }

  Status open_queue();
  // Those that are this owner's, in the buffer.
  u32 initial_states();
  // States that were ever enqueued, wherever they are.
  u64 enqueued() const { return in_table.on() ? in_table.states() : queue.keys(); }
  // All of them are in the file afterwards.
  Status fill_queue() { return in_table.on() ? in_table.fill_queue() : Status(); }
  // A new state of the level that is being made.
  Status enqueue(const Word* state);
  // Takes the counts of a repeated expansion of this state back.
  void take_back(const Word* state);

  // Asks the outside whether to go on.
  Status poll(u64 level_states, bool level_done);
  // For long work in a store: the run is stopped with it, and goes on from its last checkpoint.
  GoOn go_on();
  // Time, for what engines learn about costs; 0 where nobody gave a clock.
  u64 now() const;
  // The same without the time that devices took, which may be due to others.
  u64 busy_ns() const;

  // --- Accepting cycles -----------------------------------------------------------------------

  // Every accepting cycle has an accepting state, and a step back.
  bool cycle_free() { return search.stats().accepting == 0 || !steps_back; }
  Product product(u64 expanded, std::span<u8> work);
  // All states before `expanded` have their successors in the queue.
  Status search_prefix(u64 expanded);
  // The same of several owners, who all call it.
  Status search_prefix_together(u64 expanded);
  // All states have. The memory of the visited set is free.
  Status search_cycles();
  // Memory of the cycle finder that it needs no more becomes part of the region, at its end. False:
  // there is none.
  bool reclaim_aside();

  // --- Checkpoints (frontier_checkpoint.cc) ---------------------------------------------------

  // This is a point from which a resumed run may go on.
  void set_resume_point();
  // At the last such point.
  Status checkpoint();
  // What a checkpoint of such a search says beside its set and its finder, and whether that is all
  // there is: behind the search, of a path.
  struct Said {
    SearchStats figures;
    u64 states = 0;
    bool violation = false;
    bool only_path = false;
    FileMark queue;
    LevelOwners::Said owners;
  };
  // Of several owners, the first one has the sums of all.
  Status gather(Said& said);
  void lines(Lines& io, Said& said);
  // Where the search was; not the visited set.
  Status restore_place(Lines& io, bool only_path);
};

}  // namespace xmc
