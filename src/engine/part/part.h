// The `part` engine: Bao and Jones, "Time-Efficient Model Checking with Magnetic Disk" (2005). The
// states are divided into partitions. A few of them are in memory at a time, the ones with the
// longest queues; successors in these are compared at once, others wait in the queue of their
// partition. Each state is expanded once, when its partition is in memory, so there is no delayed
// detection at all; but the order is not breadth-first: there are no levels, and a counterexample
// is a valid path, not a shortest one. It is read backwards through the origins of states and then
// walked forwards. part_logs.h has the files, part_memory.h the table.
//
// Beyond the paper:
//  - the paper divides the states by a hash, so that nearly all successors have to wait. Here a
//    partition that outgrows the memory is split by a field of its states that few of their steps
//    change (split_choice.h), and one half stays in memory (part_split.cc);
//  - a partition is worked through until nothing in it is new, and as many are in memory as fit;
//  - figure 2 loads D[i] for every state of the queue, here once per activation;
//  - a cache of states that were queued lately keeps most repeats out of the pending log.
// When there are as many partitions as there is room for, one that has outgrown the memory is
// worked through in classes of a hash. A run that goes on with less memory may find partitions that
// never fitted this memory: their images are split on flash, or worked through in such classes.
//
// Where the states are divided among owners, each of them works through partitions of its own; what
// they share is in part_owners.h, how they meet in divided_part.cc.
#pragma once

#include <new>

#include "engine/owners/crew.h"
#include "engine/part/part_logs.h"
#include "engine/part/part_memory.h"
#include "engine/part/part_owners.h"
#include "engine/search/file_names.h"
#include "engine/search/search.h"
#include "store/tables/cache_table.h"
#include "xmc/engine.h"

namespace xmc {

class OldPart;

class PartEngine final : public CrewMember {
 public:
  constexpr PartEngine() = default;

  static constexpr EngineFile kFiles[] = {
      {kVisitedFile, true}, {kPendingFile, true}, {kOriginsFile}};
  static constexpr EngineTraits kTraits = {
      .name = "part",
      .summary = "partitions of the states, one of them in memory",
      .threads_own = true,
      .finds_shortest_paths = false,
      .flash = {0, 2, "candidates, and partitions that were written again"},
      .files = kFiles};
  const EngineTraits& traits() const override { return kTraits; }
  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override;
  bool divides(const Model& model, const SearchOptions& options) const override;
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  void path_state(u64 i, Word* out) override;

  u64 object_bytes() const override { return sizeof(PartEngine); }
  CrewMember* make_another(void* memory) const override { return ::new (memory) PartEngine; }
  u64 minimum_alone(const Model& model, const SearchOptions& options) const override;
  Status plan_alone(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run_alone(const RunControl& control, SearchOutcome& outcome) override;

  u64 activations() const { return activations_; }

 private:
  static constexpr u32 kStepBits = PartLogs::kStepBits;
  static constexpr u64 kNoState = PartLogs::kNoState;
  static constexpr u32 kAway = CacheTable::kBatch;
  static constexpr u16 kElsewhere = 1 << 10;  // of a leaf: it is an owner
  static_assert(PartitionTree::kMostNodes <= kElsewhere);

  // What waits in the successor buffer.
  struct Successors {
    u32 fill = 0;
    u64* origins = nullptr;
    u32* moved = nullptr;  // those that may be in other partitions
    u16* moved_leaf = nullptr;
    u32 moved_count = 0;
  };
  // Candidates that waited, on their way to the table.
  struct Batch {
    Word* states = nullptr;
    u64* origins = nullptr;
  };
  // Successors in other partitions, on their way to the pending log, or of other owners.
  struct Away {
    Word* states = nullptr;
    u64 origins[kAway] = {};
    u16 leaf[kAway] = {};
    u32 count = 0;
  };

  // States that others have sent, sorted out: those of the partitions in memory, and the rest.
  struct Came {
    Word* here = nullptr;
    Word* away = nullptr;
    u64 here_origins[kAway] = {};
    u64 away_origins[kAway] = {};
    u16 leaf[kAway] = {};
  };

  void plan_buffers(Arena& arena);
  void plan_regions(Arena& arena);
  Status run_to_end();
  void start_memory();
  Status begin();
  Status search();
  bool over() const;
  Status poll();

  // One activation: part_activate.cc.
  Status activate(const PartMemory::Residents& residents);
  Status activate_classes();
  Status drain(ChainReader& reader);
  Result<u32> sort_batch(u32 count);
  Status put_back(ChainReader& reader);

  // New states, and where their successors go: part_expand.cc.
  Status expand_new();
  Status expand_table();
  Status expand_one(StateIndex index);
  Expansion expand(StateIndex index);
  void note_successors(u32 count, u64 number);
  Status sort_out();
  Status flush_buffer();
  Status flush_away();

  // One owner of several: divided_part.cc.
  Status search_divided();
  Status follow_orders();
  Status stay();
  u64 waiting() const;
  bool pays(const PartMemory::Residents& residents) const;
  Status end_round();
  Status meet_others();
  Status take_sent(const Word* keys, u32 count);
  Status take_piece(const Word* keys, u32 count);
  // With another number of owners: part_divide_anew.cc.
  class NewNumbers;
  Status divide_anew();
  template <class F>
  Status for_old_parts(F f);
  Status hear_of_violation(Lines& io, const NewNumbers& numbers);
  Status move_part(OldPart& old, const NewNumbers& numbers);
  Status move(const Word* key);
  Status take_divided(const Word* key);

  Status checkpoint();
  struct Said;
  void lines(Lines& io, Said& said);
  Status restore_checkpoint(const Manifest& manifest);
  Status take_path();
  Status find_path();
  Status read_origins(u64* steps, u64 room, u64& count);
  // The origins of all owners.
  Status read_origins_together(u64* steps, u64 room, u64& count);
  Status read_own(KeyReader& reader, u64& number, u64* steps, u32 most, u32& count);
  Status walk(const u64* steps, u64 count);

  Search search_;
  PartLogs logs_;
  PartMemory memory_;
  std::span<u8> cache_region_;
  CacheTable lately_queued_;
  Successors successors_;
  Batch batch_;
  Away away_;
  Came came_;
  PartOwners owners_;
  u64 activations_ = 0;
  u64 culprit_ = kNoState;
  Word* path_ = nullptr;
  u64 last_origin_ = kNoState;  // that was read in this owner's file
  bool dividing_ = false;       // what others send was known in a run that this one goes on from
  bool draining_ = false;       // some candidates are on their way to the table
  Crew* crew_ = nullptr;        // of searches that share the states, if this one has more than one
};

}  // namespace xmc
