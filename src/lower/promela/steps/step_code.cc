// What the code of a step may read and write, and whether it may fail.
#include "lower/promela/steps/step_facts.h"

namespace xmc::promela_lower {

using ir::BodyOp;
using ir::CellWrite;
using ir::Interval;
using promela::Action;
using promela::ActionKind;
using promela::PlaceId;

namespace {

// Actions that are looked at, all in all.
constexpr u64 kEffort = u64{100} << 20;

}  // namespace

bool StepFinder::has(const Pool<u32, 6, 8192>& list, u32 first, u32 last) const {
  u32 low = 0;
  u32 high = list.size();
  while (low < high) {
    const u32 middle = low + (high - low) / 2;
    if (list[middle] < first) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < list.size() && list[low] < last;
}

const StoreNote* StepFinder::note_of(u32 action) const {
  u32 low = 0;
  u32 high = record_.stores.size();
  while (low < high) {
    const u32 middle = low + (high - low) / 2;
    if (record_.stores[middle].action < action) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == record_.stores.size() || record_.stores[low].action != action) return nullptr;
  return &record_.stores[low];
}

u32 StepFinder::yields(const StepRegion& r) const {
  u32 count = 0;
  for (u32 i = r.own.first; i < r.own.last; ++i)
    count += p_.actions[i].op == BodyOp::yield && p_.actions[i].a == r.label ? 1u : 0u;
  return count;
}

// Where indexes may lead: the elements of its column, or where types or forms share cells, all of
// those.
StepFinder::Extent StepFinder::extent(u32 leaf) const {
  if (column_size_[leaf] > 1) return {leaf, 1, true};
  for (u32 n = 1; n <= slots_.channels(); ++n) {
    const ChannelSlot& c = slots_.channel(n);
    if (c.cells != kNone && leaf - c.cells < c.cell_count) return {c.cells, c.cell_count};
  }
  for (u32 q = 0; q < slots_.count(); ++q) {
    const Slot& slot = slots_.slot(q);
    if (leaf - slot.cells < slot.cell_count) return {slot.cells, slot.cell_count};
  }
  return {leaf, 1};
}

// Elsewhere than in the code of a send or receive itself.
void StepFinder::note_channel(u32 leaf) {
  if (channel_of_[leaf] != kNone && !is_first_) touched_[channel_of_[leaf]] = turn_;
}

void StepFinder::read(Extent cells) {
  for (u32 i = 0; i < cells.count; ++i) {
    const u32 leaf = cells.first + i;
    note_channel(leaf);
    const bool all = cells.is_column;
    const u32 cell = all ? column_first_[leaf] : cells_[leaf];
    u32& seen = all ? reading_all_[cell] : reading_[cell];
    if (seen == turn_) continue;
    seen = turn_;
    is_full_ = is_full_ || is_long(f_.reads);
    if (!is_full_) f_.reads.push({cell, all ? column_size_[leaf] : 1});
  }
}

void StepFinder::put(u32 cell, CellWrite::Kind kind, i32 lo, i32 hi) {
  is_full_ = is_full_ || is_long(f_.writes);
  if (is_full_) return;
  if (writing_[cell] != turn_) {
    writing_[cell] = turn_;
    write_of_[cell] = f_.writes.size();
    f_.writes.push({{cell, 1}, kind, lo, hi});
    return;
  }
  f_.writes[write_of_[cell]] = {{cell, 1}, kind, lo, hi};
}

void StepFinder::write(Extent cells, const StoreNote* note) {
  if (just_reads_) return;
  for (u32 i = 0; i < cells.count; ++i) {
    const u32 leaf = cells.first + i;
    note_channel(leaf);
    const u32 cell = cells.is_column ? column_first_[leaf] : cells_[leaf];
    const Interval hull = f_.hull[cell];
    is_full_ = is_full_ || is_long(f_.writes);
    if (is_full_) return;
    if (cells.is_column) {
      f_.writes.push({{cell, column_size_[leaf]}, CellWrite::Kind::value, hull.lo, hull.hi});
      continue;
    }
    const Interval values = note == nullptr ? hull : ir::meet(note->values, hull);
    const bool is_sure = is_sure_ && is_perhaps_[leaf] == 0;
    if (is_sure && note != nullptr && !values.empty()) {
      if (note->is_change && writing_[cell] != turn_) {
        put(cell, CellWrite::Kind::change, note->by, 0);
      } else {
        const bool is_single = values.single();
        put(cell, is_single ? CellWrite::Kind::constant : CellWrite::Kind::value, values.lo,
            values.hi);
      }
      continue;
    }
    // It need not be made: any value, the one before included.
    put(cell, CellWrite::Kind::value, hull.lo, hull.hi);
  }
}

// Whether the action may be erroneous.
bool StepFinder::fails(u32 index) const {
  switch (p_.actions[index].op) {
    case BodyOp::index:
    case BodyOp::index_more:
    case BodyOp::divide:
    case BodyOp::modulo:
    case BodyOp::fail:
      return !has(record_.safe, index, index + 1);
    case BodyOp::repeat:
    case BodyOp::blame:
      return true;
    default:
      return false;
  }
}

bool StepFinder::fails_in(CodeRange code) const {
  for (u32 i = code.first; i < code.last; ++i) {
    if (fails(i)) return true;
  }
  return false;
}

void StepFinder::scan_action(u32 index) {
  const ir::Action& x = p_.actions[index];
  switch (x.op) {
    case BodyOp::load:
      return read({x.a, 1});
    case BodyOp::load_at:
      return read(extent(x.a));
    case BodyOp::store:
      return write({x.a, 1}, note_of(index));
    case BodyOp::store_at:
      return write(extent(x.a), nullptr);
    case BodyOp::remove:
    case BodyOp::insert:
      read({x.a, x.b * x.c});
      return write({x.a, x.b * x.c}, nullptr);
    case BodyOp::index:
    case BodyOp::index_more:
    case BodyOp::divide:
    case BodyOp::modulo:
    case BodyOp::fail:
    case BodyOp::repeat:
    case BodyOp::blame:
      can_fail_ = can_fail_ || fails(index);
      return;
    case BodyOp::call:
    case BodyOp::address:
    case BodyOp::copy:
    case BodyOp::fill:
    case BodyOp::sort:
      unknown_ = true;
      return;
    default:
      return;
  }
}

void StepFinder::scan(CodeRange code) {
  effort_ += code.last - code.first + record_.timeouts.size();
  if (effort_ > kEffort) is_full_ = true;
  if (is_full_) return;
  for (u32 i = code.first; i < code.last; ++i) scan_action(i);
  for (u32 i = 0; i < record_.timeouts.size(); ++i) {
    const u32 at = record_.timeouts[i];
    reads_timeout_ = reads_timeout_ || (at >= code.first && at <= code.last);
  }
}

// What other steps do there is theirs: just what they read says whether this one is enabled.
void StepFinder::scan_reads(CodeRange code) {
  const bool could_fail = can_fail_;
  just_reads_ = true;
  scan(code);
  just_reads_ = false;
  can_fail_ = could_fail;
}

void StepFinder::scan_region(const StepRegion& r) {
  scan(r.before[0]);
  scan(r.before[1]);
  scan_reads(r.before[2]);
  scan_reads(r.before[3]);
  scan(r.own);
  is_first_ = false;
  scan_reads(record_.provided[r.slot]);
}

// Whether control is kept behind it, and by whom, where.
bool StepFinder::keeps(const StepRegion& r, u32& slot, PlaceId& place) const {
  const Action& a = s_.actions[r.received != kNone ? r.received : r.action];
  slot = r.partner != kNone ? r.partner : r.slot;
  place = a.next;
  return a.keeps_control;
}

void StepFinder::may_end(u32 slot, u32 code) {
  ended_[f_.processes[slot].first_location + code] = turn_;
}

// All that can follow in a chain. One that comes back to where it was may be endless.
void StepFinder::follow(u32 slot, PlaceId place) {
  const u32 code = slots_.code(slot, place);
  const u32 at = f_.processes[slot].first_location + code;
  if (code == 0 || color_[at] != 0) {
    can_fail_ = can_fail_ || (code != 0 && color_[at] == 1);
    return;
  }
  color_[at] = 1;
  colored_[colored_count_++] = at;
  may_end(slot, code);
  for (u32 i = regions_[at].first; i < regions_[at].last; ++i) {
    const StepRegion& r = record_.regions[i];
    if (yields(r) == 0 && r.partner != kNone) continue;
    scan_region(r);
    moves_others_ = moves_others_ || r.partner != kNone || moves_another(r, slot, kNone);
    u32 next = 0;
    PlaceId behind = 0;
    if (keeps(r, next, behind)) {
      follow(next, behind);
    } else {
      const bool dies = s_.actions[r.action].kind == ActionKind::die;
      may_end(next, dies ? 0 : slots_.code(next, behind));
    }
  }
  color_[at] = 2;
}

}  // namespace xmc::promela_lower
