// What is found out about the types before their processes are followed.
#include <algorithm>

#include "lower/promela/facts/flow.h"
#include "xmc/bytes.h"

namespace xmc::promela {

using ir::Interval;

namespace {

// Cells of globals that a type can track.
constexpr u32 kTracked = 64;
// Intervals in one area: rows of a process with more places and variables are one.
constexpr u64 kAreaCells = u64{1} << 19;
constexpr u64 kShareOfArea = 16;  // of the memory
// Entries of all tables of columns: with more, nothing is tracked.
constexpr u64 kColumns = u64{1} << 20;

constexpr u8 kRead = 1;
constexpr u8 kWritten = 2;

}  // namespace

Flow::Flow(Known& known, Arena& arena) : k_(known), s_(known.s) {
  order_ = scratch_table<u32>(arena, s_.places.size());
  outer_ = scratch_table<u32>(arena, s_.places.size());
  has_run_ = scratch_table<u8>(arena, k_.type_count);
  u64 cells = 1;
  u32 widest = 1;
  bool is_any_run = false;
  u32 arguments = k_.most_fields;
  std::span<u8> seen = scratch_table<u8>(arena, s_.globals.size());
  std::span<u32> stack = scratch_table<u32>(arena, s_.places.size());
  std::span<u32> next = scratch_table<u32>(arena, s_.places.size());
  for (u32 i = 0; i < k_.type_count; ++i) {
    const Proctype& type = s_.proctypes[i];
    fill_zero(seen);
    find_order(i, stack, next);
    look_into(i, seen);
    track(i, seen);
    const u32 width = k_.width(i);
    const u32 rows = has_run_[i] != 0 ? std::max(kApart, type.place_count) : type.place_count;
    cells = std::max(cells, u64{width} * rows);
    is_any_run = is_any_run || has_run_[i] != 0;
    widest = std::max(widest, width);
    arguments = std::max(arguments, type.parameter_leaves);
  }
  for (u32 i = 0; i < s_.actions.size(); ++i) arguments = std::max(arguments, s_.actions[i].count);
  const u64 most = std::min(kAreaCells, k_.memory / kShareOfArea / sizeof(Interval));
  most_cells_ = std::max<u64>(std::min(cells, most), widest);
  for (Area*& area : areas_) area = scratch_new<Area>(arena, arena, widest);
  if (is_any_run) slots_of_keys_ = scratch_table<u32>(arena, u64{1} << kKeyBits);
  work_row_ = scratch_table<Interval>(arena, widest);
  arguments_ = scratch_table<Interval>(arena, arguments);
}

// Places of a type such that loops apart each comes behind those that lead to it.
void Flow::find_order(u32 type, std::span<u32> stack, std::span<u32> next) {
  const Proctype& of = s_.proctypes[type];
  const std::span<u32> order = order_.subspan(of.first_place, of.place_count);
  u32 end = of.place_count;
  u32 depth = 0;
  for (u32 i = 0; i < of.place_count; ++i) next[of.first_place + i] = kNone;
  const auto visit = [&](PlaceId place) {
    if (place == kNone || next[place] != kNone) return;
    next[place] = 0;
    stack[depth++] = place;
  };
  visit(of.start);
  while (depth > 0) {
    const PlaceId at = stack[depth - 1];
    const Place& place = s_.places[at];
    const u32 i = next[at]++;
    if (i == 2 * place.option_count) {
      order[--end] = at;
      --depth;
      continue;
    }
    const Action& action = s_.actions[s_.options[place.first_option + i / 2].action];
    visit(i % 2 == 0 ? action.body : action.next);
  }
  for (u32 i = 0; i < of.place_count; ++i) {
    if (next[of.first_place + i] == kNone) order[--end] = of.first_place + i;
  }
}

void Flow::look_at(RefId id, u32 type, u8 how, std::span<u8> seen) {
  const Reference& reference = s_.references[id];
  if (reference.scope == Scope::global) seen[reference.variable] |= how;
  for (u32 i = 0; i < reference.index_count; ++i) {
    look_at(s_.indexes[reference.first_index + i].value, type, seen);
  }
  if (reference.pid != kNone) look_at(reference.pid, type, seen);
}

void Flow::look_at(ExprId id, u32 type, std::span<u8> seen) {
  const Expr& node = s_.expressions[id];
  switch (node.op) {
    case Op::load:
      return look_at(node.a, type, kRead, seen);
    case Op::run:
      has_run_[type] = 1;
      for (u32 i = 0; i < node.c; ++i) look_at(s_.arguments[node.b + i], type, seen);
      return;
    case Op::conditional:
      look_at(node.c, type, seen);
      look_at(node.b, type, seen);
      return look_at(node.a, type, seen);
    case Op::literal:
      return;
    default:
      if (node.op >= Op::multiply && node.op <= Op::logical_or) look_at(node.b, type, seen);
      if (node.a != kNone) look_at(node.a, type, seen);
      for (u32 i = 0; node.op == Op::poll && i < node.c; ++i) {
        const ExprId value = s_.patterns[node.b + i].value;
        if (value != kNone) look_at(value, type, seen);
      }
  }
}

void Flow::look_at(const Action& action, u32 type, std::span<u8> seen) {
  if (action.value != kNone) look_at(action.value, type, seen);
  if (action.channel != kNone) look_at(action.channel, type, seen);
  if (action.target != kNone) look_at(action.target, type, kWritten, seen);
  for (u32 i = 0; i < action.count; ++i) {
    if (action.kind == ActionKind::send) look_at(s_.arguments[action.first + i], type, seen);
    if (action.kind != ActionKind::receive) continue;
    const Pattern& pattern = s_.patterns[action.first + i];
    if (pattern.kind == PatternKind::store) look_at(pattern.target, type, kWritten, seen);
    if (pattern.kind == PatternKind::match) look_at(pattern.value, type, seen);
  }
}

void Flow::look_into(u32 type, std::span<u8> seen) {
  const Proctype& of = s_.proctypes[type];
  for (u32 i = 0; i < of.place_count; ++i) {
    const Place& place = s_.places[of.first_place + i];
    for (u32 j = 0; j < place.option_count; ++j) {
      look_at(s_.actions[s_.options[place.first_option + j].action], type, seen);
    }
  }
}

// Those that it writes first.
void Flow::track(u32 type, std::span<const u8> seen) {
  Tracked& out = k_.tracked[type];
  out.column_of = {};
  if (u64{k_.type_count} * k_.cells.globals().count() > kColumns) return;
  out.column_of = scratch_table<u32>(k_.arena, k_.cells.globals().count());
  std::fill(out.column_of.begin(), out.column_of.end(), kNone);
  out.cells = scratch_table<u32>(k_.arena, kTracked);
  u32 count = 0;
  for (const u8 how : {kWritten, kRead}) {
    for (u32 i = 0; i < s_.globals.size(); ++i) {
      const Variable& variable = s_.globals[i];
      if ((seen[i] & how) == 0 || count + variable.leaves > kTracked) continue;
      for (u32 j = 0; j < variable.leaves; ++j) {
        const u32 cell = k_.cells.globals().cell_of[variable.leaf + j];
        if (out.column_of[cell] != kNone) continue;
        out.column_of[cell] = count;
        out.cells[count++] = cell;
      }
    }
  }
  out.cells = out.cells.first(count);
}

}  // namespace xmc::promela
