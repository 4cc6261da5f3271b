#include "exec/partial/partial_processes.h"

#include <new>

#include "exec/partial/process_reads.h"
#include "exec/processes/step_cells.h"
#include "ir/layout.h"
#include "ir/steps.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

using Part = ir::Note::Part;

struct PartialProcesses {
  const ir::Program* program = nullptr;
  ErrorRule errors = ErrorRule::report;
  std::span<const CellPlace> places;  // by cell
  std::span<const u32> cell_of;       // by field
  std::span<const u32> error_codes;   // of the error state, by field
  Cells source;
  Cells result;
  std::span<u8> seen;     // by field: in PartialRun::reads
  std::span<u8> written;  // by cell
};

class ProcessRun final : public CellWatch {
 public:
  ProcessRun(PartialProcesses& self, PartialRun& run)
      : s_(self), p_(*self.program), run_(run), cells_(p_, self.source, this) {
    run_.read_count = run_.write_count = 0;
    run_.field = kNone;
    fill_zero(s_.seen);
    fill_zero(s_.written);
    for (u32 f = 0; f < s_.cell_of.size(); ++f) {
      const u32 cell = s_.cell_of[f];
      s_.source[cell] = s_.places[cell].offset + static_cast<i32>(run_.codes[f]);
    }
  }

  PartialEnd answer(PartialQuestion question, u32 index);

  bool read(u32 cell, bool result) override {
    const u32 field = s_.places[cell].field;
    return field == kNone || (result && s_.written[cell] != 0) || know(field);
  }
  void write(u32 cell) override { s_.written[cell] = 1; }

 private:
  bool know(u32 field) {
    if (run_.known[field] == 0) {
      run_.field = field;
      return false;
    }
    if (s_.seen[field] == 0) run_.reads[run_.read_count++] = field;
    s_.seen[field] = 1;
    return true;
  }
  // False: it is not known where the process is.
  bool locate(u32 process, u32& at) {
    const u32 cell = cells_.location_cell(process);
    if (!read(cell, false)) return false;
    at = static_cast<u32>(s_.source[cell]);
    return true;
  }
  bool ended() const { return run_.field != kNone; }
  PartialEnd no() const { return ended() ? PartialEnd::needs : PartialEnd::disabled; }
  bool is_committed(u32 process, u32 at) const {
    return at < p_.processes[process].location_count &&
           (ir::flags_of(p_, process, at) & ir::kCommitted) != 0;
  }
  bool in_error_state();
  bool may_move(const ir::Transition& t, const ir::Transition* partner);
  bool others_committed(u32 process, u32 partner);
  PartialEnd step(u32 index, bool only_whether);
  PartialEnd changes(u32 index);
  PartialEnd carry_out(const StepText& step);
  PartialEnd move(u32 index);
  PartialEnd violated(u32 index);
  PartialEnd accepting();
  PartialEnd erroneous();
  PartialEnd written();

  PartialProcesses& s_;
  const ir::Program& p_;
  PartialRun& run_;
  StepCells cells_;
};

PartialEnd ProcessRun::answer(PartialQuestion question, u32 index) {
  switch (question) {
    case PartialQuestion::step:
    case PartialQuestion::enabled:
      return step(index, question == PartialQuestion::enabled);
    case PartialQuestion::changes:
      return changes(index);
    case PartialQuestion::move:
      return move(index);
    case PartialQuestion::violated:
      return violated(index);
    case PartialQuestion::halted:
      return in_error_state() ? PartialEnd::done : no();
    default:
      return accepting();
  }
}

// Process 0 is nowhere there. False, too, when that is not known.
bool ProcessRun::in_error_state() {
  u32 at = 0;
  return p_.error_state && locate(0, at) && at == p_.processes[0].location_count;
}

// A committed process goes first. False, too, when something has to be known for that.
bool ProcessRun::others_committed(u32 process, u32 partner) {
  for (u32 q = 0; q < p_.processes.size(); ++q) {
    if (q == process || q == partner) continue;
    bool any = false;
    for (u32 at = 0; at < p_.processes[q].location_count; ++at) any = any || is_committed(q, at);
    u32 at = 0;
    if (!any) continue;
    if (!locate(q, at)) return false;
    if (is_committed(q, at)) return true;
  }
  return false;
}

bool ProcessRun::may_move(const ir::Transition& t, const ir::Transition* partner) {
  if (s_.errors == ErrorRule::stop && (in_error_state() || ended())) return false;
  u32 at = 0;
  if (!locate(t.process, at) || at != t.source) return false;
  if (partner != nullptr && (!locate(partner->process, at) || at != partner->source)) return false;
  if (!p_.has_commit) return true;
  const bool first = is_committed(t.process, t.source);
  const bool second = partner == nullptr ? first : is_committed(partner->process, partner->source);
  if (first && second) return true;
  if (first || second) return false;
  return !others_committed(t.process, partner == nullptr ? kNone : partner->process) && !ended();
}

PartialEnd ProcessRun::step(u32 index, bool only_whether) {
  const StepText parts = ir::decode_step(p_, ir::step_label(p_, index, 0));
  const ir::Transition& t = p_.transitions[parts.transition];
  const ir::Transition* partner = parts.partner == kNone ? nullptr : &p_.transitions[parts.partner];
  if (t.process == p_.property || !t.reachable) return PartialEnd::disabled;
  if (partner != nullptr && !partner->reachable) return PartialEnd::disabled;
  if (partner != nullptr && partner->process == t.process) return PartialEnd::disabled;
  const bool channel = t.sync != ir::Sync::none;
  if (partner == nullptr && channel && p_.channels[t.channel].capacity == 0) {
    return PartialEnd::disabled;  // half of a rendezvous
  }
  if (!may_move(t, partner)) return no();
  if (partner == nullptr && channel && !cells_.can_transmit(t)) return no();
  const Truth first = cells_.guard(parts.transition);
  if (ended() || first == Truth::no) return no();
  const Truth second = partner == nullptr ? first : cells_.guard(parts.partner);
  if (ended() || second == Truth::no) return no();
  if (only_whether) return PartialEnd::done;
  if (first == Truth::error || second == Truth::error) return erroneous();
  return carry_out(parts);
}

PartialEnd ProcessRun::changes(u32 index) {
  const PartialEnd end = step(index, false);
  if (end == PartialEnd::fails) return PartialEnd::done;
  if (end != PartialEnd::done && end != PartialEnd::lost) return end;
  return find_change(run_, [&](u32 field) { return know(field); });
}

PartialEnd ProcessRun::carry_out(const StepText& step) {
  const ir::Transition& t = p_.transitions[step.transition];
  copy(s_.result, std::span<const i32>(s_.source));
  bool ok = true;
  if (step.partner != kNone) {
    const ir::Transition& u = p_.transitions[step.partner];
    ok = cells_.transmit(t, u, s_.result) && cells_.effects(u, s_.result);
  } else if (t.sync != ir::Sync::none) {
    ok = cells_.transmit_buffered(t, s_.result);
  }
  ok = ok && cells_.effects(t, s_.result);
  if (ended()) return PartialEnd::needs;
  return ok ? written() : erroneous();
}

PartialEnd ProcessRun::move(u32 index) {
  const u32 transition = p_.processes[p_.property].first_transition + index;
  const ir::Transition& t = p_.transitions[transition];
  u32 at = 0;
  if (!locate(t.process, at) || at != t.source) return no();
  const Truth guard = cells_.guard(transition);
  if (ended() || guard == Truth::no) return no();
  if (guard == Truth::error) return erroneous();
  copy(s_.result, std::span<const i32>(s_.source));
  XMC_CHECK(cells_.effects(t, s_.result));
  return written();
}

PartialEnd ProcessRun::violated(u32 index) {
  if (in_error_state() || ended()) return no();
  const ir::Predicate& q = p_.predicates[index];
  u32 at = 0;
  if (q.process != kNone && (!locate(q.process, at) || at != q.location)) return no();
  i32 v = 0;
  const bool ok = cells_.evaluate({Part::predicate, index, q.process}, s_.source, q.condition, v);
  if (ended()) return PartialEnd::needs;
  const bool bad = q.kind == PredicateText::Kind::goal ? ok && v != 0 : !ok || v == 0;
  return bad ? PartialEnd::done : PartialEnd::disabled;
}

PartialEnd ProcessRun::accepting() {
  u32 at = 0;
  if (!locate(p_.property, at) || at >= p_.processes[p_.property].location_count) return no();
  const bool accepts = (ir::flags_of(p_, p_.property, at) & ir::kAcceptingLocation) != 0;
  return accepts ? PartialEnd::done : PartialEnd::disabled;
}

PartialEnd ProcessRun::erroneous() {
  if (s_.errors == ErrorRule::report) return PartialEnd::fails;
  for (u32 f = 0; f < s_.error_codes.size(); ++f) {
    run_.writes[run_.write_count++] = {f, s_.error_codes[f]};
  }
  return PartialEnd::lost;
}

PartialEnd ProcessRun::written() {
  for (u32 cell = 0; cell < s_.places.size(); ++cell) {
    if (s_.written[cell] == 0) continue;
    const CellPlace& place = s_.places[cell];
    const i64 code = i64{s_.result[cell]} - place.offset;
    if (code < 0 || code >= i64{place.codes}) return PartialEnd::disabled;
    if (place.field == kNone) continue;
    run_.writes[run_.write_count++] = {place.field, static_cast<u32>(code)};
  }
  return PartialEnd::done;
}

PartialEnd run_process(void* self, PartialQuestion question, u32 index, PartialRun& run) {
  return ProcessRun(*static_cast<PartialProcesses*>(self), run).answer(question, index);
}

void may_read_process(void* self, PartialQuestion question, u32 index, std::span<u8> fields) {
  const PartialProcesses& s = *static_cast<PartialProcesses*>(self);
  ProcessReads(*s.program, s.errors, s.places, fields).of(question, index);
}

// Fields are numbered as in make_fields().
void number_cells(PartialProcesses& self, Arena& arena) {
  const ir::Program& p = *self.program;
  const u64 cells = p.initial_values.size();
  const std::span<CellPlace> places = arena.carve_array<CellPlace>("partial steps", cells);
  u32 fields = 0;
  for (const ir::Variable& v : p.variables) fields += v.slot.width != 0 ? v.size : 0;
  const std::span<u32> cell_of = arena.carve_array<u32>("partial steps", fields);
  const std::span<u32> error = arena.carve_array<u32>("partial steps", fields);
  self.source = arena.carve_array<i32>("partial steps", cells);
  self.result = arena.carve_array<i32>("partial steps", cells);
  u32 next = 0;
  for (const ir::Variable& v : p.variables) {
    for (u32 k = 0; k < v.size; ++k) {
      const u32 cell = v.first_initial + k;
      const Slot slot = ir::element_slot(v, k);
      places[cell] = {kNone, slot.offset, 1};
      self.source[cell] = slot.offset;
      if (v.slot.width == 0) continue;
      const u64 codes = u64{1} << slot.width;
      places[cell].codes = codes > ~u32{0} ? ~u32{0} : static_cast<u32>(codes);
      if (p.error_state)
        error[next] = static_cast<u32>(slot_value(slot, p.error.data()) - slot.offset);
      cell_of[next] = cell;
      places[cell].field = next++;
    }
  }
  self.places = places;
  self.cell_of = cell_of;
  self.error_codes = error;
  self.seen = arena.carve_array<u8>("partial steps", fields);
  self.written = arena.carve_array<u8>("partial steps", cells);
}

// Its moves do nothing but move, and there are some.
bool property_just_moves(const ir::Program& p) {
  if (p.property == kNone) return true;
  const ir::Process& property = p.processes[p.property];
  for (u32 m = 0; m < property.transition_count; ++m) {
    if (p.transitions[property.first_transition + m].assignment_count != 0) return false;
  }
  return property.transition_count != 0;
}

}  // namespace

void make_partial_processes(const ir::Program& program, ErrorRule errors, Arena& arena,
                            PartialSteps& out) {
  out = {};
  if (program.fair || !property_just_moves(program)) return;
  PartialProcesses* self =
      ::new (arena.carve("partial steps", sizeof(PartialProcesses), alignof(PartialProcesses)))
          PartialProcesses{};
  self->program = &program;
  self->errors = program.error_state ? errors : ErrorRule::report;
  number_cells(*self, arena);
  out.self = self;
  out.step_count = ir::stutter_step(program);
  out.move_count = program.property == kNone ? 0 : program.property_moves;
  out.may_halt = self->errors == ErrorRule::stop;
  out.run = run_process;
  out.may_read = may_read_process;
}

}  // namespace xmc
