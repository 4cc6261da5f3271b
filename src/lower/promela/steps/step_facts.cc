#include "lower/promela/steps/step_facts.h"

#include "ir/layout.h"
#include "xmc/scratch.h"

namespace xmc::promela_lower {

using ir::BodyOp;
using ir::CellWrite;
using ir::Interval;
using promela::Action;
using promela::ActionKind;
using promela::PlaceId;

namespace {

constexpr const char* kName = StepRecord::kName;
// What one step may add to lists.
constexpr u32 kRoom = 4096;

template <class List>
bool is_short(const List& list) {
  return list.size() + kRoom > kMostFacts;
}

// Lists grow by doubling, and tables are made of them.
template <class... Lists>
bool is_memory_short(const Arena& arena, const Lists&... lists) {
  u64 bytes = u64{1} << 20;
  ((bytes += u64{lists.size()} * sizeof(lists[0])), ...);
  return arena.free_bytes() < 2 * bytes;
}

}  // namespace

StepFinder::StepFinder(const promela::System& system, const promela::Facts& facts,
                       const Slots& slots, const ir::RuleProgram& program, const StepRecord& record,
                       std::span<const u32> cells, ir::StepFacts& out)
    : s_(system),
      slots_(slots),
      p_(program),
      record_(record),
      cells_(cells),
      f_(out),
      scan_(slots, program, record, cells, out),
      conditions_(system, facts, slots, cells, out) {}

// --- What there is ---

void StepFinder::prepare() {
  const u64 cells = p_.initial_values.size();
  Arena& arena = f_.arena;
  f_.hull = scratch_array<Interval>(arena, kName, cells);
  f_.slots = scratch_array<xmc::Slot>(arena, kName, cells);
  for (u32 i = 0; i < p_.variables.size(); ++i) {
    const ir::Variable& v = p_.variables[i];
    for (u32 k = 0; k < v.size; ++k) {
      f_.hull[v.first_initial + k] = {v.lo, v.hi};
      f_.slots[v.first_initial + k] = ir::element_slot(v, k);
    }
  }
  slot_of_place_ = scratch_array<u32>(arena, kName, cells_.size(), kNone);
  length_of_ = scratch_array<u32>(arena, kName, cells_.size(), kNone);
  f_.processes = scratch_array<ir::ProcessFact>(arena, kName, slots_.count());
  u32 locations = 0;
  for (u32 q = 0; q < slots_.count(); ++q) {
    const Slot& slot = slots_.slot(q);
    slot_of_place_[slot.place] = q;
    f_.processes[q] = {cells_[slot.place], slot.codes, locations};
    locations += slot.codes;
  }
  f_.channel_of = scratch_array<u32>(arena, kName, cells, kNone);
  for (u32 n = 1; n <= slots_.channels(); ++n) {
    const ChannelSlot& c = slots_.channel(n);
    if (c.length != kNone) f_.channel_of[cells_[c.length]] = length_of_[c.length] = n;
    for (u32 i = 0; i < c.cell_count && c.cells != kNone; ++i)
      f_.channel_of[cells_[c.cells + i]] = n;
  }
  f_.committed = scratch_array<u8>(arena, kName, locations);
  f_.program_steps = p_.step_count;
  at_ = scratch_array<u32>(arena, kName, locations, kNone);
  regions_ = scratch_array<CodeRange>(arena, kName, locations);
  color_ = scratch_array<u8>(arena, kName, locations);
  ended_ = scratch_array<u32>(arena, kName, locations);
  colored_ = scratch_array<u32>(arena, kName, locations);
  scan_.prepare();
}

// Regions of a place come in a row.
void StepFinder::list_places() {
  for (u32 i = 0; i < record_.regions.size(); ++i) {
    const StepRegion& r = record_.regions[i];
    CodeRange& at = regions_[f_.processes[r.slot].first_location + slots_.code(r.slot, r.place)];
    if (at.last == 0) at.first = i;
    at.last = i + 1;
  }
}

// --- A step ---

void StepFinder::add_partner(u32 slot, PlaceId from, u32 to) {
  fact_.parts.partners[fact_.parts.count++] = {slot, slots_.code(slot, from), to};
}

// One store of a length is that of the message.
void StepFinder::change_length(const StepRegion& r) {
  const Action& a = s_.actions[r.action];
  if (!is_sure_ || r.partner != kNone || yields(r) != 1) return;
  if (a.kind != ActionKind::send && a.kind != ActionKind::receive) return;
  u32 length = kNone;
  for (u32 i = r.own.first; i < r.own.last; ++i) {
    const ir::Action& x = p_.actions[i];
    if (x.op != BodyOp::store || length_of_[x.a] == kNone) continue;
    if (length != kNone) return;
    length = x.a;
  }
  if (length == kNone || !scan_.is_written(cells_[length])) return;
  scan_.put(cells_[length], CellWrite::Kind::change, a.kind == ActionKind::send ? 1 : -1, 0);
}

// A cell that is written alone, and among others as well, holds who knows what.
void StepFinder::doubt_writes() {
  for (u32 i = fact_.writes.first; i < f_.writes.size(); ++i) {
    const CellWrite& w = f_.writes[i];
    for (u32 k = 0; k < w.cells.count && w.cells.count > 1; ++k) {
      const u32 cell = w.cells.first + k;
      if (scan_.is_written(cell))
        scan_.put(cell, CellWrite::Kind::value, f_.hull[cell].lo, f_.hull[cell].hi);
    }
  }
}

// A plain send or receive as the first statement, and nothing else that has to do with its channel.
void StepFinder::choose_channel(const StepRegion& r) {
  if (channel_ == kNone || seen_.can_fail || (scan_.has_touched(channel_) && !f_.forgets_heads))
    return;
  fact_.channel = channel_;
  fact_.is_sender = s_.actions[r.action].kind == ActionKind::send;
}

void StepFinder::finish_writes(const StepRegion& r) {
  change_length(r);
  doubt_writes();
  const Action& a = s_.actions[r.action];
  if (is_complex_) {
    for (u32 i = fact_.writes.first; i < f_.writes.size(); ++i) {
      const u32 cell = f_.writes[i].cells.first;
      for (ir::ProcessFact& q : f_.processes) {
        if (q.location_cell == cell) q.is_exact = false;
      }
    }
    return;
  }
  const bool dies = a.kind == ActionKind::die;
  add_partner(r.slot, r.place, dies ? 0 : slots_.code(r.slot, a.next));
  if (r.partner == kNone) return;
  add_partner(r.partner, r.partner_place, slots_.code(r.partner, s_.actions[r.received].next));
}

// Whether its code takes a process of another slot from where it is, or makes one.
bool StepFinder::moves_another(const StepRegion& r, u32 slot, u32 partner) const {
  for (u32 i = r.own.first; i < r.own.last; ++i) {
    const ir::Action& x = p_.actions[i];
    if (x.op != BodyOp::store || slot_of_place_[x.a] == kNone) continue;
    if (slot_of_place_[x.a] != slot && slot_of_place_[x.a] != partner) return true;
  }
  return false;
}

// Of a chain of one process: it ends where control is given up, or where it is kept and nothing can
// be executed.
void StepFinder::list_moves(const StepRegion& r) {
  const ir::ProcessFact& q = f_.processes[r.slot];
  fact_.moves.first = f_.moves.size();
  for (u32 code = 0; code < q.location_count; ++code) {
    if (ended_[q.first_location + code] != scan_.turn()) continue;
    f_.moves.push({r.slot, slots_.code(r.slot, r.place), code});
  }
  fact_.moves.count = f_.moves.size() - fact_.moves.first;
}

void StepFinder::step(const StepRegion& r) {
  scan_.begin();
  fact_ = {};
  fact_.number = r.label;
  fact_.parts.first_conjunct = f_.conjunct_lists.size();
  fact_.writes.first = f_.writes.size();
  fact_.reads.first = f_.reads.size();
  fact_.before.first = f_.before.size();
  fact_.error_reads.first = f_.error_reads.size();
  seen_ = {};
  has_rest_ = false;
  timeout_ = Timeout::no;
  const Action& a = s_.actions[r.action];
  u32 slot = 0;
  PlaceId place = 0;
  is_chain_ = keeps(r, slot, place);
  is_complex_ = is_chain_;
  is_complex_ = is_complex_ || moves_another(r, r.slot, r.partner);
  moves_others_ = r.partner != kNone || moves_another(r, r.slot, kNone);
  const bool has_body =
      a.kind == ActionKind::indivisible ||
      (r.received != kNone && s_.actions[r.received].kind == ActionKind::indivisible);
  is_sure_ = !is_complex_ && !has_body && yields(r) == 1;
  channel_ = kNone;
  seen_.add(scan_region(r, {.is_sure = is_sure_, .is_first = true}));
  wait_for(r);
  wait_for_rest(fact_.reads.first);
  if (is_chain_) {
    for (u32 i = 0; i < colored_count_; ++i) color_[colored_[i]] = 0;
    colored_count_ = 0;
    follow(slot, place);
    if (seen_.reads_timeout && timeout_ == Timeout::no) {
      timeout_ = Timeout::some;
      wait_for_rest(fact_.reads.first);
    }
  }
  finish_writes(r);
  if (is_chain_ && !moves_others_) list_moves(r);
  choose_channel(r);
  fact_.may_fail = seen_.can_fail;
  fact_.is_sticky = is_complex_ && fact_.moves.count == 0;
  fact_.waits_for_timeout = timeout_ == Timeout::strict;
  fact_.writes.count = f_.writes.size() - fact_.writes.first;
  fact_.reads.count = f_.reads.size() - fact_.reads.first;
  fact_.before.count = f_.before.size() - fact_.before.first;
  if (seen_.can_fail) {
    for (u32 i = 0; i < fact_.reads.count && !is_full(); ++i) {
      is_full_ = is_full_ || is_long(f_.error_reads);
      if (is_full_) break;
      const ir::CellRange cells = f_.reads[fact_.reads.first + i];
      f_.error_reads.push(cells);
    }
  }
  fact_.error_reads.count = f_.error_reads.size() - fact_.error_reads.first;
  // What only says whether it is enabled is no matter of its effects.
  const bool is_test = a.kind == ActionKind::condition || a.kind == ActionKind::otherwise ||
                       a.kind == ActionKind::always || a.kind == ActionKind::die;
  if (is_test && !is_complex_ && !seen_.can_fail) fact_.reads.count = 0;
  f_.steps.push(fact_);
}

// A send that only pairs complete can still be erroneous by itself, before it looks for receivers.
StepRegion StepFinder::without_pairs(u32 index) const {
  StepRegion out = record_.regions[index];
  if (out.partner != kNone || yields(out) != 0) return out;
  for (u32 i = index; i-- > 0;) {
    const StepRegion& r = record_.regions[i];
    if (r.partner == kNone || r.slot != out.slot || r.place != out.place || r.action != out.action)
      break;
    out.own.last = r.own.first;
  }
  return out;
}

bool StepFinder::list_inputs(u32 body, ir::Range& inputs, bool& may_fail) {
  CodeRange code{body, body};
  while (p_.actions[code.last].op != BodyOp::result) ++code.last;
  scan_.begin();
  const u32 first = f_.reads.size();
  const Seen seen = scan_.scan(code, {});
  inputs = {f_.inputs.size(), 0};
  for (u32 i = first; i < f_.reads.size() && !is_full(); ++i) {
    is_full_ = is_long(f_.inputs);
    const ir::CellRange cells = f_.reads[i];
    f_.inputs.push({cells, 0, false, 0});
  }
  inputs.count = f_.inputs.size() - inputs.first;
  may_fail = scan_.fails_in(code);
  return !is_full() && !seen.unknown;
}

const char* StepFinder::run() {
  constexpr const char* kTooMuch = "its steps have too much to do with one another";
  if (s_.uses_priorities) return "priorities say which process may move";
  if (record_.is_full) return kTooMuch;
  prepare();
  list_places();
  for (u32 q = 0; q < slots_.count(); ++q) {
    if (scan_.fails_in(record_.provided[q])) return "whether a process may move can be erroneous";
  }
  for (u32 i = 0; i < record_.regions.size(); ++i) {
    const StepRegion region = without_pairs(i);
    if (yields(region) == 0 && (region.partner != kNone || !scan_.fails_in(region.own))) continue;
    if (f_.steps.size() == limits::kReducedSteps) return "it has too many steps";
    if (is_short(f_.conditions) || is_short(f_.parts) || is_short(f_.conjuncts) ||
        is_short(f_.conjunct_lists) || is_short(f_.before) ||
        (f_.spares_memory &&
         is_memory_short(f_.arena, f_.steps, f_.writes, f_.reads, f_.error_reads, f_.before,
                         f_.conditions, f_.parts, f_.inputs, f_.conjuncts, f_.conjunct_lists)))
      return kTooMuch;
    step(region);
    if (is_full()) return kTooMuch;
    if (seen_.unknown) return "a process asks whether another one can move";
  }
  return nullptr;
}

}  // namespace xmc::promela_lower
