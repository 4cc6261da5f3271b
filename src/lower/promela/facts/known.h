// What all parts of the analysis share: one interval for each cell of the globals and each field of
// the messages of a channel, and what is known of each instance, a type in a slot.
//
// There are two sides. While facts grow both are the same; a pass that wins precision back reads
// one and fills the other from nothing.
#pragma once

#include "lower/promela/facts/cells.h"
#include "lower/promela/facts/numbers.h"
#include "xmc/limits.h"
#include "xmc/pool.h"

namespace xmc::promela {

inline constexpr u32 kClaim = limits::kPromelaNumbers;
inline constexpr u32 kSlots = limits::kPromelaNumbers + 1;  // the claim's included

// Who does something: nobody yet, one instance, or several.
inline constexpr u32 kNobody = kNone;
inline constexpr u32 kSeveral = kNone - 1;

// What is known of an instance, on one side.
struct Life {
  bool exists = false;
  bool is_run = false;  // by some process, at some time
  bool can_die = false;
  u8 updates = 0;
  Numbers alive;                   // processes when it is first seen
  std::span<ir::Interval> start;   // by cell: parameters, before the initial values
  std::span<ir::Interval> values;  // by cell: all that it ever holds
};

struct Instance {
  u32 slot = 0;
  u32 type = 0;
  bool is_first = false;   // alive in the beginning
  bool is_joined = false;  // it has too many abstract states to keep them apart
  u32 seen = 0;            // Known::clock when it was looked at last
  u32 changed = 0;         // when its start was
  std::span<u64> reads;    // bits by global cell
  Numbers receives;        // channels whose messages it looks at
  bool reads_others = false;
  std::span<u8> updates;  // by cell: of Life::values
  Life life[2];
  // What the lowering may ask: by place, and by place and column of a row.
  std::span<u8> reached;
  std::span<u8> alive;  // by place: least and most
  std::span<ir::Interval> rows;
};

// What a process sees and changes as if it were its own for a while: some cells of globals.
struct Tracked {
  std::span<u32> column_of;  // by global cell; kNone: not tracked
  std::span<u32> cells;
};

class Known {
 public:
  Known(const System& system, const Cells& cells, u64 memory, Arena& arena);

  const Instance* find(u32 slot, u32 type) const {
    const u32 id = slot < kSlots ? table_[slot * type_count + type] : kNone;
    return id == kNone ? nullptr : &instances[id];
  }
  Instance& make(u32 slot, u32 type);
  const Life& life(const Instance& one) const { return one.life[in]; }
  Life& changing(Instance& one) { return one.life[out]; }
  bool exists(u32 slot, u32 type) const {
    const Instance* one = find(slot, type);
    return one != nullptr && one->life[in].exists;
  }
  bool exists_in(u32 slot) const {
    bool found = false;
    for (u32 i = 0; i < type_count; ++i) found = found || exists(slot, i);
    return found;
  }
  bool is_first(u32 slot) const {
    bool found = false;
    for (u32 i = 0; i < type_count; ++i) {
      const Instance* one = find(slot, i);
      found = found || (one != nullptr && one->is_first);
    }
    return found;
  }
  u32 width(u32 type) const {
    return cells.locals(type).count() + static_cast<u32>(tracked[type].cells.size());
  }

  ir::Interval global(u32 cell) const { return globals_[in][cell]; }
  ir::Interval message(u32 number, u32 field) const {
    return messages_[in][number * most_fields + field];
  }
  // A local cell of any process of the type, and 0 when there is none.
  ir::Interval remote(u32 type, u32 cell) const;
  void join_global(u32 cell, ir::Interval v, u32 instance);
  void join_message(u32 number, u32 field, ir::Interval v, const Leaf& leaf);
  void join_value(Instance& one, u32 cell, ir::Interval v);
  void join_start(Instance& one, std::span<const ir::Interval> parameters);
  void join_alive(Instance& one, u32 alive);
  void note_jump(u32 from, u32 to, u32 slot);
  void note_death(Instance& one);

  bool is_owned(u32 cell, u32 instance) const {
    return writer_[in][cell] == kNobody || writer_[in][cell] == instance;
  }
  // Processes of the slot may end.
  bool is_mortal(u32 slot) const;
  // All that the number of processes can become while the one of a slot does nothing.
  void close(Numbers& alive, u32 slot) const;
  bool is_dirty(const Instance& one) const;
  ir::Interval widened(ir::Interval before, ir::Interval v, u8& updates, ir::Interval range) const;

  void find_channels();
  bool can_have_form(u32 number, u32 form) const { return forms[number * form_count + form] != 0; }
  void set_initial(u32 cell, ir::Interval v);
  void begin_pass();  // the side that is filled is emptied

  const System& s;
  const Cells& cells;
  Arena& arena;
  Pool<Instance, 4, 4096> instances;
  u32 type_count = 0;
  u32 form_count = 0;
  u32 most_fields = 0;
  u32 in = 0;
  u32 out = 0;
  u32 clock = 1;
  u64 memory = 0;            // FactsRequest
  u64 row_bytes = 0;         // that may still be kept of what holds at places
  u32 most_alive = 0;        // --max-procs, or 255
  bool is_exceeded = false;  // a `run` may find that many alive
  bool is_widening = true;
  u32 processes_changed = 0;        // by clock: who can be alive
  u32 others_changed = 0;           // values that others read
  std::span<Tracked> tracked;       // by type
  std::span<ir::Interval> initial;  // by global cell
  std::span<i32> thresholds;

  // Channels.
  bool channels_stale = true;
  bool may_exceed_channels = false;
  u32 static_channels = 0;
  u32 channels = 0;
  std::span<u8> forms;
  std::span<Numbers> below;
  ir::Interval priorities{1, 1};

 private:
  void join(ir::Interval& into, ir::Interval v, u8& updates, ir::Interval range, u32& changed);

  std::span<u32> table_;  // by slot and type
  std::span<ir::Interval> globals_[2];
  std::span<u8> global_updates_;
  std::span<u32> global_changed_;
  std::span<u32> writer_[2];
  std::span<ir::Interval> messages_[2];
  std::span<u8> message_updates_;
  std::span<u32> channel_changed_;
  // By number of processes: what others make of it, and who.
  std::span<Numbers> jumps_[2];
  std::span<u32> jumper_[2];
};

}  // namespace xmc::promela
