#include "lower/promela/facts/known.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc::promela {

using ir::Interval;

namespace {

// Updates of a fact after which it is widened to the next constant of the text, and to its type.
constexpr u8 kUpdatesBeforeConstants = 6;
constexpr u8 kUpdatesBeforeType = 24;
constexpr u64 kShareOfRows = 8;  // of the memory

}  // namespace

Known::Known(const System& system, const Cells& of, u64 bytes, Arena& scratch)
    : s(system),
      cells(of),
      arena(scratch),
      instances(scratch, "facts"),
      memory(bytes),
      row_bytes(bytes / kShareOfRows) {
  type_count = s.proctypes.size();
  form_count = s.channels.size();
  for (u32 i = 0; i < form_count; ++i) {
    most_fields = std::max(most_fields, s.channels[i].field_count);
  }
  const u32 globals = cells.globals().count();
  table_ = scratch_table<u32>(arena, u64{kSlots} * type_count);
  std::fill(table_.begin(), table_.end(), kNone);
  tracked = scratch_table<Tracked>(arena, type_count);
  initial = scratch_table<Interval>(arena, globals);
  global_updates_ = scratch_table<u8>(arena, globals);
  global_changed_ = scratch_table<u32>(arena, globals);
  message_updates_ = scratch_table<u8>(arena, u64{kSlots} * most_fields);
  channel_changed_ = scratch_table<u32>(arena, kSlots);
  forms = scratch_table<u8>(arena, u64{kSlots} * form_count);
  below = scratch_table<Numbers>(arena, kSlots);
  for (u32 i = 0; i < 2; ++i) {
    globals_[i] = scratch_table<Interval>(arena, globals);
    writer_[i] = scratch_table<u32>(arena, globals);
    messages_[i] = scratch_table<Interval>(arena, u64{kSlots} * most_fields);
    jumps_[i] = scratch_table<Numbers>(arena, kSlots);
    jumper_[i] = scratch_table<u32>(arena, kSlots);
    std::fill(writer_[i].begin(), writer_[i].end(), kNobody);
    std::fill(jumper_[i].begin(), jumper_[i].end(), kNobody);
  }
}

Instance& Known::make(u32 slot, u32 type) {
  u32& id = table_[slot * type_count + type];
  if (id == kNone) {
    id = instances.push({});
    Instance& one = instances[id];
    one.slot = slot;
    one.type = type;
    one.reads = scratch_table<u64>(arena, cells.globals().count() / 64 + 1);
    const u32 count = cells.locals(type).count();
    one.updates = scratch_table<u8>(arena, count);
    for (Life& life : one.life) {
      life.start = scratch_table<Interval>(arena, count);
      life.values = scratch_table<Interval>(arena, count);
    }
  }
  return instances[id];
}

void Known::set_initial(u32 cell, Interval v) {
  initial[cell] = globals_[0][cell] = globals_[1][cell] = v;
}

void Known::begin_pass() {
  out = 1 - in;
  for (u32 i = 0; i < initial.size(); ++i) globals_[out][i] = initial[i];
  std::fill(writer_[out].begin(), writer_[out].end(), kNobody);
  std::fill(messages_[out].begin(), messages_[out].end(), Interval{});
  std::fill(jumps_[out].begin(), jumps_[out].end(), Numbers{});
  std::fill(jumper_[out].begin(), jumper_[out].end(), kNobody);
  for (u32 i = 0; i < instances.size(); ++i) {
    Life& life = instances[i].life[out];
    std::fill(life.start.begin(), life.start.end(), Interval{});
    std::fill(life.values.begin(), life.values.end(), Interval{});
    life = {false, false, false, 0, {}, life.start, life.values};
  }
}

Interval Known::remote(u32 type, u32 cell) const {
  Interval found{0, 0};
  for (u32 slot = 0; slot < limits::kPromelaNumbers; ++slot) {
    const Instance* one = find(slot, type);
    if (one != nullptr) found = ir::join(found, life(*one).values[cell]);
  }
  return found;
}

Interval Known::widened(Interval before, Interval v, u8& updates, Interval range) const {
  Interval wider = ir::join(before, v);
  if (before.empty() || wider == before) return wider;
  if (updates < kUpdatesBeforeType) ++updates;
  if (updates <= kUpdatesBeforeConstants) return wider;
  const bool to_type = updates >= kUpdatesBeforeType;
  if (wider.lo < before.lo) {
    const i32 next = *(std::upper_bound(thresholds.begin(), thresholds.end(), wider.lo) - 1);
    wider.lo = to_type ? range.lo : std::max(range.lo, next);
  }
  if (wider.hi > before.hi) {
    const i32 next = *std::lower_bound(thresholds.begin(), thresholds.end(), wider.hi);
    wider.hi = to_type ? range.hi : std::min(range.hi, next);
  }
  return wider;
}

void Known::join(Interval& into, Interval v, u8& updates, Interval range, u32& changed) {
  if (v.empty()) return;
  const Interval wider = is_widening ? widened(into, v, updates, range) : ir::join(into, v);
  if (wider == into) return;
  into = wider;
  changed = ++clock;
}

void Known::join_global(u32 cell, Interval v, u32 instance) {
  join(globals_[out][cell], v, global_updates_[cell], cells.globals().range[cell],
       global_changed_[cell]);
  u32& writer = writer_[out][cell];
  if (writer == instance || writer == kSeveral || instance == kNobody) return;
  writer = writer == kNobody ? instance : kSeveral;
  global_changed_[cell] = ++clock;
}

void Known::join_message(u32 number, u32 field, Interval v, const Leaf& leaf) {
  const u32 at = number * most_fields + field;
  join(messages_[out][at], cut(leaf, v), message_updates_[at], range_of(leaf),
       channel_changed_[number]);
}

void Known::join_value(Instance& one, u32 cell, Interval v) {
  join(one.life[out].values[cell], v, one.updates[cell], cells.locals(one.type).range[cell],
       others_changed);
}

void Known::join_start(Instance& one, std::span<const Interval> parameters) {
  Life& life = one.life[out];
  if (!life.exists) {
    life.exists = true;
    channels_stale = true;
    one.changed = processes_changed = ++clock;
  }
  for (u32 i = 0; i < parameters.size(); ++i) {
    join(life.start[i], parameters[i], life.updates, cells.locals(one.type).range[i], one.changed);
  }
}

void Known::join_alive(Instance& one, u32 alive) {
  Life& life = one.life[out];
  if (life.alive.contains(alive)) return;
  life.alive.add(alive);
  one.changed = ++clock;
}

void Known::note_jump(u32 from, u32 to, u32 slot) {
  Numbers& targets = jumps_[out][from];
  u32& who = jumper_[out][from];
  const bool is_known = who == slot || who == kSeveral;
  if (is_known && targets.contains(to)) return;
  if (!is_known) who = who == kNobody ? slot : kSeveral;
  targets.add(to);
  processes_changed = ++clock;
}

void Known::note_death(Instance& one) {
  if (one.life[out].can_die) return;
  one.life[out].can_die = true;
  processes_changed = ++clock;
}

bool Known::is_mortal(u32 slot) const {
  for (u32 i = 0; i < type_count; ++i) {
    const Instance* one = find(slot, i);
    if (one != nullptr && life(*one).can_die) return true;
  }
  return false;
}

void Known::close(Numbers& alive, u32 slot) const {
  Numbers done;
  for (u32 n = alive.next(0); n != kNone; n = alive.next(0)) {
    alive.remove(n);
    done.add(n);
    if (n > slot + 1 && !done.contains(n - 1) && is_mortal(n - 1)) alive.add(n - 1);
    const u32 who = jumper_[in][n];
    if (who == kNobody || who == slot) continue;
    for (u32 to = jumps_[in][n].next(0); to != kNone; to = jumps_[in][n].next(to + 1)) {
      if (!done.contains(to)) alive.add(to);
    }
  }
  alive = done;
}

bool Known::is_dirty(const Instance& one) const {
  const u32 seen = one.seen;
  if (one.changed > seen || processes_changed > seen) return true;
  if (one.reads_others && others_changed > seen) return true;
  for (u32 i = 0; i < global_changed_.size(); ++i) {
    if (global_changed_[i] > seen && (one.reads[i / 64] >> i % 64 & 1) != 0) return true;
  }
  for (u32 i = one.receives.next(0); i != kNone; i = one.receives.next(i + 1)) {
    if (channel_changed_[i] > seen) return true;
  }
  return false;
}

}  // namespace xmc::promela
