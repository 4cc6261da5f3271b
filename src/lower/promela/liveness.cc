#include "lower/promela/liveness.h"

#include <algorithm>

#include "xmc/check.h"
#include "xmc/scratch.h"

namespace xmc::promela_lower {

using promela::Action;
using promela::ActionKind;
using promela::Expr;
using promela::ExprId;
using promela::Op;
using promela::Pattern;
using promela::PatternKind;
using promela::PlaceId;
using promela::Proctype;
using promela::Reference;
using promela::RefId;

namespace {

constexpr const char* kLiveness = "liveness";
constexpr u64 kMostBytes = u64{64} << 20;  // of the bits
constexpr u64 kShare = 16;                 // of the memory

bool is_set(std::span<const u64> bits, u32 i) { return (bits[i / 64] >> i % 64 & 1) != 0; }
void set(std::span<u64> bits, u32 i) { bits[i / 64] |= u64{1} << i % 64; }
void clear(std::span<u64> bits, u32 i) { bits[i / 64] &= ~(u64{1} << i % 64); }

}  // namespace

Liveness::Liveness(const promela::System& system, const LocalRules& rules, u64 memory, Arena& arena)
    : s_(system), rules_(rules) {
  type_of_ = scratch_array<u32>(arena, kLiveness, s_.places.size(), kNone);
  rows_ = scratch_array<Rows>(arena, kLiveness, s_.proctypes.size());
  u64 room = std::min(kMostBytes, memory / kShare) / sizeof(u64);
  u64 used = 0;
  u32 widest = 1;
  for (u32 t = 0; t < s_.proctypes.size(); ++t) {
    const Proctype& type = s_.proctypes[t];
    for (u32 i = 0; i < type.place_count; ++i) type_of_[type.first_place + i] = t;
    const u32 words = (type.leaf_count + 63) / 64;
    const u64 all = u64{words} * (type.place_count + 1);  // and what is observed
    if (!promela::can_run(type.kind) || all > room) continue;
    rows_[t] = {words, used};
    room -= all;
    used += all;
    widest = std::max(widest, words);
  }
  live_ = scratch_array<u64>(arena, kLiveness, used);
  work_ = scratch_array<u64>(arena, kLiveness, widest);
  joined_ = scratch_array<u64>(arena, kLiveness, widest);
}

std::span<u64> Liveness::row(PlaceId place) const {
  const u32 type = type_of_[place];
  const Rows& rows = rows_[type];
  const u64 at = place - s_.proctypes[type].first_place;
  return live_.subspan(static_cast<std::size_t>(rows.first + at * rows.words), rows.words);
}

std::span<u64> Liveness::observed(u32 type) const {
  const Rows& rows = rows_[type];
  const u64 at = rows.first + u64{s_.proctypes[type].place_count} * rows.words;
  return live_.subspan(static_cast<std::size_t>(at), rows.words);
}

// Whether nobody reads the leaf before it is written.
bool Liveness::is_dead(PlaceId place, u32 leaf) const {
  const u32 type = type_of_[place];
  if (rows_[type].words == 0) return false;
  return !is_set(row(place), leaf) && !is_set(observed(type), leaf);
}

// f(leaf) for each element that the indexes can name.
template <class F>
void Liveness::for_leaves(const Reference& r, u32 leaf, u32 at, F f) const {
  if (at == r.index_count) return f(leaf);
  const promela::Index& index = s_.indexes[r.first_index + at];
  const Expr& e = s_.expressions[index.value];
  if (e.op == Op::literal && e.value >= 0 && static_cast<u32>(e.value) < index.bound)
    return for_leaves(r, leaf + static_cast<u32>(e.value) * index.stride, at + 1, f);
  for (u32 i = 0; i < index.bound; ++i) for_leaves(r, leaf + i * index.stride, at + 1, f);
}

bool Liveness::is_known(const Reference& r) const {
  for (u32 i = 0; i < r.index_count; ++i) {
    if (s_.expressions[s_.indexes[r.first_index + i].value].op != Op::literal) return false;
  }
  return true;
}

// Remote references stand anywhere, in claims and formulas as well.
void Liveness::find_observed() {
  for (u32 i = 0; i < s_.references.size() && rules_.observers; ++i) {
    const Reference& r = s_.references[i];
    if (r.scope != promela::Scope::remote || rows_[r.proctype].words == 0) continue;
    const std::span<u64> seen = observed(r.proctype);
    for_leaves(r, r.leaf, 0, [&](u32 leaf) { set(seen, leaf); });
  }
  for (u32 t = 0; t < s_.proctypes.size() && rules_.observers; ++t) {
    if (rows_[t].words == 0 || s_.proctypes[t].provided == kNone) continue;
    std::fill(work_.begin(), work_.end(), 0);
    read(s_.proctypes[t].provided);
    std::copy_n(work_.begin(), rows_[t].words, observed(t).begin());
  }
}

void Liveness::read_indexes(const Reference& r) {
  for (u32 i = 0; i < r.index_count; ++i) read(s_.indexes[r.first_index + i].value);
  if (r.pid != kNone) read(r.pid);
}

void Liveness::read_patterns(u32 first, u32 count) {
  for (u32 i = 0; i < count && rules_.matches; ++i) {
    const Pattern& pattern = s_.patterns[first + i];
    if (pattern.kind == PatternKind::match) read(pattern.value);
  }
}

void Liveness::read(ExprId id) {
  if (id == kNone) return;
  const Expr& e = s_.expressions[id];
  switch (e.op) {
    case Op::literal:
    case Op::timeout:
    case Op::own_pid:
    case Op::process_count:
    case Op::last_pid:
    case Op::own_priority:
    case Op::no_progress:
      return;
    case Op::load: {
      const Reference& r = s_.references[e.a];
      read_indexes(r);
      if (r.scope != promela::Scope::local) return;
      return for_leaves(r, r.leaf, 0, [&](u32 leaf) { set(work_, leaf); });
    }
    case Op::run:
      for (u32 i = 0; i < e.c; ++i) read(s_.arguments[e.b + i]);
      return;
    case Op::poll:
      read(e.a);
      return read_patterns(e.b, e.c);
    case Op::conditional:
      read(e.a);
      read(e.b);
      return read(e.c);
    default:
      if (e.op >= Op::multiply && e.op <= Op::logical_or) read(e.b);
      return read(e.a);
  }
}

void Liveness::write(RefId id) {
  const Reference& r = s_.references[id];
  const bool ends = r.scope == promela::Scope::local && (is_known(r) || !rules_.elements);
  if (ends) for_leaves(r, r.leaf, 0, [&](u32 leaf) { clear(work_, leaf); });
  read_indexes(r);
}

// From what is live behind a statement to what is live in front of it.
void Liveness::step_back(const Action& a) {
  std::fill(work_.begin(), work_.end(), 0);
  const bool has_body = a.kind == ActionKind::indivisible && rules_.bodies;
  const PlaceId behind = has_body ? a.body : a.next;
  if (a.kind != ActionKind::die) {
    const std::span<const u64> from = row(behind);
    std::copy(from.begin(), from.end(), work_.begin());
  }
  switch (a.kind) {
    case ActionKind::condition:
    case ActionKind::assertion:
      return read(a.value);
    case ActionKind::assign:
      write(a.target);
      return read(a.value);
    case ActionKind::send:
      for (u32 i = 0; i < a.count; ++i) read(s_.arguments[a.first + i]);
      return read(a.channel);
    case ActionKind::receive:
      for (u32 i = a.count; i-- > 0;) {
        const Pattern& pattern = s_.patterns[a.first + i];
        if (pattern.kind == PatternKind::store) write(pattern.target);
      }
      read_patterns(a.first, a.count);
      return read(a.channel);
    case ActionKind::set_priority:
      read(a.channel);
      return read(a.value);
    case ActionKind::otherwise:
    case ActionKind::always:
    case ActionKind::print:
    case ActionKind::indivisible:
    case ActionKind::die:
      return;
  }
}

bool Liveness::visit(PlaceId id) {
  const promela::Place& place = s_.places[id];
  std::fill(joined_.begin(), joined_.end(), 0);
  for (u32 i = 0; i < place.option_count; ++i) {
    step_back(s_.actions[s_.options[place.first_option + i].action]);
    for (std::size_t w = 0; w < joined_.size(); ++w) joined_[w] |= work_[w];
  }
  const std::span<u64> known = row(id);
  bool changed = false;
  for (std::size_t w = 0; w < known.size(); ++w) {
    changed = changed || (joined_[w] & ~known[w]) != 0;
    known[w] |= joined_[w];
  }
  return changed;
}

// Places come about in the order of the text, for the most part.
void Liveness::run() {
  find_observed();
  for (u32 t = 0; t < s_.proctypes.size(); ++t) {
    if (rows_[t].words == 0) continue;
    const Proctype& type = s_.proctypes[t];
    for (bool again = true; again;) {
      again = false;
      for (u32 i = type.place_count; i-- > 0;) again = visit(type.first_place + i) || again;
      again = again && rules_.loops;
    }
  }
}

}  // namespace xmc::promela_lower
