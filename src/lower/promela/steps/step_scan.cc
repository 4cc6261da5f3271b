#include "lower/promela/steps/step_scan.h"

#include "xmc/scratch.h"

namespace xmc::promela_lower {

using ir::BodyOp;
using ir::CellWrite;
using ir::Interval;

namespace {

// Actions that are looked at, all in all.
constexpr u64 kEffort = u64{100} << 20;

}  // namespace

StepScan::StepScan(const Slots& slots, const ir::RuleProgram& program, const StepRecord& record,
                   std::span<const u32> cells, ir::StepFacts& out)
    : slots_(slots), p_(program), record_(record), cells_(cells), f_(out) {}

void StepScan::prepare() {
  constexpr const char* kName = StepRecord::kName;
  Arena& arena = f_.arena;
  const u64 cells = p_.initial_values.size();
  const auto variable_of = scratch_array<u32>(arena, kName, cells);
  for (u32 i = 0; i < p_.variables.size(); ++i) {
    const ir::Variable& v = p_.variables[i];
    for (u32 k = 0; k < v.size; ++k) variable_of[v.first_initial + k] = i;
  }
  column_first_ = scratch_array<u32>(arena, kName, cells_.size());
  column_size_ = scratch_array<u32>(arena, kName, cells_.size());
  for (u32 leaf = 0; leaf < cells_.size(); ++leaf) {
    const ir::Variable& v = p_.variables[variable_of[cells_[leaf]]];
    column_first_[leaf] = v.first_initial;
    column_size_[leaf] = v.size;
  }
  is_perhaps_ = scratch_array<u8>(arena, kName, cells_.size());
  channel_of_ = scratch_array<u32>(arena, kName, cells_.size(), kNone);
  touched_ = scratch_array<u32>(arena, kName, u64{slots_.channels()} + 1);
  for (u32 n = 1; n <= slots_.channels(); ++n) {
    const ChannelSlot& c = slots_.channel(n);
    if (c.form != kNone) is_perhaps_[c.form] = 1;
    if (c.length != kNone) channel_of_[c.length] = n;
    if (c.length != kNone) is_perhaps_[c.length] = 1;
    for (u32 i = 0; i < c.cell_count && c.cells != kNone; ++i) {
      channel_of_[c.cells + i] = n;
      is_perhaps_[c.cells + i] = 1;
    }
  }
  if (slots_.trace() != kNone) is_perhaps_[slots_.trace()] = 1;
  reading_ = scratch_array<u32>(arena, kName, cells);
  reading_all_ = scratch_array<u32>(arena, kName, cells);
  write_of_ = scratch_array<u32>(arena, kName, cells);
  writing_ = scratch_array<u32>(arena, kName, cells);
}

bool StepScan::has(const Pool<u32, 6, 8192>& list, u32 first, u32 last) const {
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

const StoreNote* StepScan::note_of(u32 action) const {
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

// Where indexes may lead: the elements of its column, or where types or forms share cells, all of
// those.
StepScan::Extent StepScan::extent(u32 leaf) const {
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
void StepScan::note_channel(u32 leaf, const How& how) {
  if (channel_of_[leaf] != kNone && !how.is_first) touched_[channel_of_[leaf]] = turn_;
}

void StepScan::read(Extent cells, const How& how) {
  for (u32 i = 0; i < cells.count; ++i) {
    const u32 leaf = cells.first + i;
    note_channel(leaf, how);
    const bool all = cells.is_column;
    const u32 cell = all ? column_first_[leaf] : cells_[leaf];
    u32& seen = all ? reading_all_[cell] : reading_[cell];
    if (seen == turn_) continue;
    seen = turn_;
    is_full_ = is_full_ || is_long(f_.reads);
    if (!is_full_) f_.reads.push({cell, all ? column_size_[leaf] : 1});
  }
}

void StepScan::put(u32 cell, CellWrite::Kind kind, i32 lo, i32 hi) {
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

void StepScan::write(Extent cells, const StoreNote* note, const How& how) {
  if (how.just_reads) return;
  for (u32 i = 0; i < cells.count; ++i) {
    const u32 leaf = cells.first + i;
    note_channel(leaf, how);
    const u32 cell = cells.is_column ? column_first_[leaf] : cells_[leaf];
    const Interval hull = f_.hull[cell];
    is_full_ = is_full_ || is_long(f_.writes);
    if (is_full_) return;
    if (cells.is_column) {
      f_.writes.push({{cell, column_size_[leaf]}, CellWrite::Kind::value, hull.lo, hull.hi});
      continue;
    }
    const Interval values = note == nullptr ? hull : ir::meet(note->values, hull);
    const bool is_sure = how.is_sure && is_perhaps_[leaf] == 0;
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
bool StepScan::fails(u32 index) const {
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

bool StepScan::fails_in(CodeRange code) const {
  for (u32 i = code.first; i < code.last; ++i) {
    if (fails(i)) return true;
  }
  return false;
}

void StepScan::scan_action(u32 index, const How& how, Seen& seen) {
  const ir::Action& x = p_.actions[index];
  switch (x.op) {
    case BodyOp::load:
      return read({x.a, 1}, how);
    case BodyOp::load_at:
      return read(extent(x.a), how);
    case BodyOp::store:
      return write({x.a, 1}, note_of(index), how);
    case BodyOp::store_at:
      return write(extent(x.a), nullptr, how);
    case BodyOp::remove:
    case BodyOp::insert:
      read({x.a, x.b * x.c}, how);
      return write({x.a, x.b * x.c}, nullptr, how);
    case BodyOp::index:
    case BodyOp::index_more:
    case BodyOp::divide:
    case BodyOp::modulo:
    case BodyOp::fail:
    case BodyOp::repeat:
    case BodyOp::blame:
      seen.can_fail = seen.can_fail || fails(index);
      return;
    case BodyOp::call:
    case BodyOp::address:
    case BodyOp::copy:
    case BodyOp::fill:
    case BodyOp::sort:
      seen.unknown = true;
      return;
    default:
      return;
  }
}

Seen StepScan::scan(CodeRange code, const How& how) {
  Seen seen;
  effort_ += code.last - code.first + record_.timeouts.size();
  if (effort_ > kEffort) is_full_ = true;
  if (is_full_) return seen;
  for (u32 i = code.first; i < code.last; ++i) scan_action(i, how, seen);
  for (u32 i = 0; i < record_.timeouts.size(); ++i) {
    const u32 at = record_.timeouts[i];
    seen.reads_timeout = seen.reads_timeout || (at >= code.first && at <= code.last);
  }
  return seen;
}

// What other steps do there is theirs: just what they read says whether this one is enabled.
Seen StepScan::scan_reads(CodeRange code) {
  Seen seen = scan(code, {.just_reads = true});
  seen.can_fail = false;
  return seen;
}

}  // namespace xmc::promela_lower
