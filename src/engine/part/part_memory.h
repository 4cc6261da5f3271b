// PartMemory: the partitions of `part` that are in memory, in one table: which ones, what of them
// is new, what is not expanded yet. A partition comes from its image and goes back there; when the
// table is full, one of them is split and a half leaves.
#pragma once

#include <span>

#include "engine/part/part_logs.h"
#include "engine/part/split_choice.h"
#include "engine/search/search.h"
#include "store/tables/state_table.h"

namespace xmc {

struct PartMemory {
  static constexpr u32 kMostResidents = 6;

  // The partitions in memory, or one class of a single one.
  struct Residents {
    u32 count = 0;
    u32 leaf[kMostResidents] = {};
    u32 classes = 1;
    u32 chosen = 0;
  };
  // While they are in the table.
  struct Activation {
    Residents residents;
    bool resident[PartitionTree::kMostNodes] = {};
    Word mask[limits::kStateWords] = {};  // bits that decide about partitions in memory
    bool full = false;                    // the table refused a state
    bool split = false;                   // queues may have candidates of a half that is not here
    bool unsaved[kMostResidents] = {};    // nothing of this one is in its image
    StateIndex saved = 0;                 // first one of the table that is in no image yet
    StateIndex next = 0;                  // first one of the table that is not expanded

    bool whole() const { return residents.classes == 1; }
  };

  Search* search = nullptr;
  PartLogs* logs = nullptr;
  SplitChoice split_choice;
  std::span<u8> table_region;
  std::span<u8> origins_region;
  StateTable table;
  OriginQueue origins;  // of states in the table that are not expanded yet
  u64 capacity = 0;     // states that the table takes for sure
  Activation active;

  static StateTable::Shape shape_of(const Model& model);
  // Nothing is in memory.
  void start();

  // What should come to memory next; none when nothing waits.
  Residents choose() const;
  // `owner_mask`: bits that decide about the owner of a state; null: it has one only.
  void enter(const Residents& residents, const Word* owner_mask);
  bool in_class(u64 hash) const {
    const Residents& r = active.residents;
    return ((hash & 0xFFFF'FFFFu) * r.classes >> 32) == r.chosen;
  }
  Status load();
  // Into the table. What is new there and finds no room waits.
  Status take_in(const Word* states, const u64* state_origins, u32 count);
  // What is new in the table and not expanded waits; `next` stays where it is.
  Status put_back_new();
  // The new states of each partition become part of its image. `batch` has room for
  // Search::kCollect states.
  Status save(Word* batch);
  // They leave it.
  void leave() { active = {}; }

  // Of several partitions in memory the largest is split, unless they are all small, and only too
  // many.
  bool may_split() const;
  Status split();
  // A partition of a run that had more memory before. Nothing of it is in the table.
  Status split_image(u32 leaf);

 private:
  u32 largest() const;
  void load_class(const ImageLog::Block& block);
  Status save_one(u32 leaf, StateIndex first, Word* batch);
  Status compact(u32 parent, u32 gone);
  Status sample_image(u32 leaf);
  Status copy_half(const ImageLog::Chain& whole, u32 parent, u32 half);
};

}  // namespace xmc
