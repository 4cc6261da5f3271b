// Notes of the code for step tables, and the tables of the finished program.
#include "lower/promela/lowering.h"
#include "lower/promela/steps/step_facts.h"

namespace xmc::promela_lower {

// Of the next action, which stores one of these.
void Lowering::note_store(Interval values) {
  if (!records() || code_.is_dead() || record_->stores.full()) return;
  record_->stores.push({here(), values, is_change_, change_});
}

// Of the assignment x = x + c, if it cannot wrap around.
void Lowering::note_change(const promela::Action& a, const Value& v) {
  is_change_ = false;
  const promela::Expr& e = expr(a.value);
  if (!records() || (e.op != Op::add && e.op != Op::subtract)) return;
  const promela::Expr& left = expr(e.a);
  const promela::Expr& right = expr(e.b);
  if (left.op != Op::load || right.op != Op::literal || right.value == ir::kEverything.lo) return;
  const Reference& from = s_.references[left.a];
  const Reference& to = s_.references[a.target];
  const Interval fits = promela::range_of(to.leaf_type);
  is_change_ = from.scope == to.scope && from.leaf == to.leaf && from.index_count == 0 &&
               to.index_count == 0 && to.scope != Scope::remote && v.range.inside(fits.lo, fits.hi);
  change_ = e.op == Op::add ? right.value : -right.value;
}

// Of the next action, which can fail by its kind.
void Lowering::note_safe(bool is_safe) {
  if (!is_safe || !records() || code_.is_dead() || record_->safe.full()) return;
  record_->safe.push(here());
}

void Lowering::note_region(const StepRegion& region) {
  if (record_->regions.full()) {
    record_->is_full = true;
  } else {
    record_->regions.push(region);
  }
}

// Where code begins that asks for it.
void Lowering::note_timeout() {
  if (!records() || timeout_ == kNone) return;
  if (record_->timeouts.full()) {
    record_->is_full = true;
  } else {
    record_->timeouts.push(here());
  }
}

const char* Lowering::find_steps(ir::StepFacts& facts, const ir::Program*& text) {
  const auto cells = scratch_array<u32>(arena_, StepRecord::kName, slots_.leaves());
  for (u32 leaf = 0; leaf < slots_.leaves(); ++leaf) cells[leaf] = layout_.cell(leaf);
  facts.exact_errors = true;
  facts.forgets_heads = request_.forgets_heads;
  facts.spares_memory = !request_.as_begun;
  StepFinder finder(s_, facts_, slots_, p_, *record_, cells, facts);
  const char* const why_not = finder.run();
  return why_not != nullptr ? why_not : find_questions(cells, finder, facts, text);
}

}  // namespace xmc::promela_lower
