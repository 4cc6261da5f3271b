// What a state consists of, as leaves: globals, channels of globals, then for each slot its place,
// its priority if there are any, and its cells, then channels of processes, and at last `_last` and
// where the trace is.
//
// A slot is a pid. Its place says whether there is a process and where it is: 0 is none, the others
// number the places of the types that can be there. Types share the cells of a slot.
#pragma once

#include "front/promela/system.h"
#include "ir/interval.h"
#include "lower/promela/facts.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc::promela_lower {

struct SlotType {
  u32 slot = 0;
  u32 proctype = 0;
  u32 first_code = 0;  // of its places
  u32 last_code = 0;
  u32 first_place = 0;  // in the list of codes by places
  u32 first_cell = 0;   // in the list of cells by leaves of the frame
};

struct Slot {
  u32 place = 0;  // leaves
  u32 priority = kNone;
  u32 cells = 0;
  u32 cell_count = 0;
  u32 first_type = 0;
  u32 type_count = 0;
  u32 codes = 1;                 // values of its place, 0 included
  bool is_always_there = false;  // from the beginning, and never dies
};

// A channel by its number. One of a process has a leaf that says which form it has: 0 is no
// channel, form i of its list is i + 1.
struct ChannelSlot {
  u32 form = kNone;
  u32 length = kNone;  // kNone: all its forms are rendezvous
  u32 cells = kNone;
  u32 cell_count = 0;
  u32 first_form = 0;
  u32 form_count = 0;
};

class Slots {
 public:
  Slots(const promela::System& system, const promela::Facts& facts, Arena& arena);

  Status lay_out();

  u32 count() const { return slots_.size(); }
  const Slot& slot(u32 q) const { return slots_[q]; }
  const SlotType& type(u32 index) const { return types_[index]; }
  // Of a type that can be in the slot; kNone else.
  u32 find_type(u32 q, u32 proctype) const;
  // The number of a place in a slot; 0: no process is ever there.
  u32 code(u32 q, promela::PlaceId place) const;
  u32 proctype_of(promela::PlaceId place) const { return types_of_places_[place]; }
  // The leaf of a leaf of the frame.
  u32 cell(const SlotType& type, u32 leaf) const {
    return slots_[type.slot].cells + cells_[type.first_cell + leaf];
  }

  u32 static_channels() const { return facts_.static_channels(); }
  u32 channels() const { return channels_.size() - 1; }
  const ChannelSlot& channel(u32 number) const { return channels_[number]; }
  u32 form(const ChannelSlot& channel, u32 i) const { return forms_[channel.first_form + i]; }

  u32 last_pid() const { return last_; }
  // Where the trace is, and the numbers of its places; it begins with 0.
  u32 trace() const { return trace_; }
  u32 trace_places() const { return trace_places_; }
  u32 trace_code(promela::PlaceId place) const {
    return trace_codes_[place - s_.proctypes[s_.trace].first_place];
  }
  u32 leaves() const { return ranges_.size(); }
  ir::Interval range(u32 leaf) const { return ranges_[leaf]; }
  void set_range(u32 leaf, ir::Interval range) { ranges_[leaf] = range; }

 private:
  u32 add_leaf(ir::Interval range);
  void lay_out_channel(u32 number);
  void lay_out_slot(u32 q);
  void lay_out_type(u32 q, u32 proctype);
  void lay_out_trace();
  void place_cells(const SlotType& type);
  u32 width_of(const SlotType& type, const promela::Variable& v) const;

  const promela::System& s_;
  const promela::Facts& facts_;
  Arena& arena_;
  Pool<Slot, 4, 64> slots_;
  Pool<SlotType, 5, 4096> types_;
  Pool<u32, 8, 4096> codes_;
  Pool<u32, 8, 4096> cells_;
  Pool<ChannelSlot, 4, 64> channels_;
  Pool<u32, 5, 4096> forms_;
  Pool<ir::Interval, 8, 4096> ranges_;
  std::span<u32> types_of_places_;
  u32 initial_processes_ = 0;
  u32 last_ = kNone;
  u32 trace_ = kNone;
  u32 trace_places_ = 0;
  std::span<u32> trace_codes_;  // by place; kNone where it never is
};

}  // namespace xmc::promela_lower
