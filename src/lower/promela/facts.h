// What is proved about a Promela model before its states get a layout: how many processes can be
// alive, what each of them can be, and which values its variables can hold. All of it is sound for
// every execution, so that what lies outside these facts needs neither bits nor code.
//
// A process is named by its slot, which is its pid; with a slot a place says of which type it is.
// kClaim is the slot of the claim, kNone that of an expression without a process (a formula); the
// place kNone stands for all places of the type.
#pragma once

#include <span>

#include "front/promela/system.h"
#include "ir/interval.h"
#include "lower/promela/facts/known.h"
#include "lower/promela/facts/numbers.h"
#include "xmc/arena.h"

namespace xmc::promela {

struct FactsRequest {
  u32 claim = kNone;      // System::proctypes
  u32 max_processes = 0;  // --max-procs; 0: not given
  // Bytes that the precision of the facts depends on; 0: what is free. What is measured with it are
  // intervals, which are as large on every machine.
  u64 memory = 0;
};

class Facts {
 public:
  // --- Processes ---

  // The largest number that can be alive at once. When it is not proved and nothing was given,
  // is_bounded() is false and it is a number that there is room for (room.h): all facts are about
  // executions with that many processes at most.
  u32 slots() const { return slots_; }
  bool is_bounded() const { return is_bounded_; }
  bool is_assumed() const { return !is_bounded_ && slots_ < limits::kPromelaNumbers; }
  // A `run` can find no slot free.
  bool may_exceed_slots() const { return known_->is_exceeded; }
  bool can_be(u32 slot, u32 proctype) const { return known_->exists(slot, proctype); }
  // Whether a process can be there: at places inside a d_step or chain, in passing.
  bool can_be_at(u32 slot, PlaceId place) const;
  bool can_die(u32 slot, u32 proctype) const;
  // Slots in which a `run` there can create its process.
  ir::Interval run_slots(u32 slot, PlaceId place) const;
  // Of all processes, if the model uses priorities.
  ir::Interval priorities() const { return known_->priorities; }

  // --- Values ---

  // All that a leaf of the frame ever holds while such a process is alive; the zeros that it is
  // created with count only where its initial values leave them.
  ir::Interval local(u32 slot, u32 proctype, u32 leaf) const;
  // The same while the process is at that place.
  ir::Interval local_at(u32 slot, PlaceId place, u32 leaf) const;
  ir::Interval global(u32 leaf) const;
  // What an expression of an option of the place is when the option is tried; empty: it fails. The
  // stores of a receive come one after the other: indexes of its targets are asked for with place
  // kNone.
  ir::Interval value(u32 slot, PlaceId place, ExprId id) const;
  // The channels that it can be. 0 is in it where it can be none: 0 itself or a number above
  // channels(). Others may be dead, too, unless they are static.
  Numbers channel(u32 slot, PlaceId place, ExprId id) const;

  // --- Channels ---

  // Channels have numbers from 1 on. Those up to static_channels() are made with the globals;
  // channels() is the largest number that can be alive.
  u32 static_channels() const { return known_->static_channels; }
  u32 channels() const { return known_->channels; }
  bool may_exceed_channels() const { return known_->may_exceed_channels; }
  bool can_have_form(u32 number, u32 form) const { return known_->can_have_form(number, form); }
  // How many channels can be alive before the process of a slot is created.
  Numbers channels_below(u32 slot) const { return known_->below[slot]; }
  // What a field of a message in it can hold, over all forms that it can have; empty: there is
  // never one. A place without a message holds 0.
  ir::Interval message(u32 number, u32 field) const { return known_->message(number, field); }

 private:
  friend class Analysis;
  friend Facts find_facts(const System& system, const FactsRequest& request, Arena& arena);
  const System* system_ = nullptr;
  const Known* known_ = nullptr;
  u32 slots_ = 0;
  bool is_bounded_ = false;

  void take(const Known& known);
  u32 type_at(PlaceId place) const;
  const Instance* instance_at(u32 slot, PlaceId place) const;
};

// In the arena's scratch.
Facts find_facts(const System& system, const FactsRequest& request, Arena& arena);

}  // namespace xmc::promela
