// The machine of a program with rules, and where it puts the successors of one state: the automaton
// of a product moves along with each of them.
#pragma once

#include <algorithm>
#include <span>

#include "exec/rules/chain_space.h"
#include "exec/rules/run_body.h"
#include "ir/ir.h"
#include "ir/layout.h"
#include "ir/steps.h"
#include "xmc/check.h"
#include "xmc/model.h"

namespace xmc {

struct NativeModel;

struct AutomatonMove {
  u32 transition;
  bool failed;  // its guard is erroneous
};

struct RuleVm {
  const ir::RuleProgram* program;
  std::span<i64> cells;
  std::span<i64> asked_cells;  // for bodies that are run between those of instances
  std::span<Word> starts;      // initial states, none twice
  u32 start_count;
  u32 bad_start;  // label of the first startstate that failed, or kNone
  u32* covered;
  std::span<AutomatonMove> moves;  // room for the automaton's moves of one state
  std::span<Word> base;            // what a rule made of the state, which they are added to
  ChainMemory chain;
  StepWork work;
  const NativeModel* native;
};

class RuleOutput {
 public:
  RuleOutput(RuleVm& vm, const Word* state, const SuccessorBuffer& out)
      : vm_(vm),
        p_(*vm.program),
        s_(state),
        out_(out),
        run_{&p_, vm.cells.data(), &vm.work, vm.covered} {}

  // Whichever of the first `count` predicates is violated first.
  u32 violated(u32 count) {
    for (u32 i = 0; i < count; ++i) {
      const ir::Predicate& q = p_.predicates[i];
      if (q.process != kNone && q.location != location_) continue;
      i64 value = 0;
      const BodyEnd end = run_body(run_, q.condition, s_, nullptr, value);
      if (end == BodyEnd::unfinished) note_unfinished(kNone, i, value);
      const bool ok = end == BodyEnd::value;
      const bool goal = q.kind == PredicateText::Kind::goal;
      if (goal ? ok && value != 0 : !ok || value == 0) return i;
    }
    return kNone;
  }

 protected:
  // The automaton moves with what is put out from here on.
  void begin_product() {
    const ir::Process& automaton = p_.processes[p_.property];
    product_ = true;
    location_ = static_cast<u32>(slot_value(p_.variables[automaton.location].slot, s_));
    if ((ir::flags_of(p_, p_.property, location_) & ir::kAcceptingLocation) != 0)
      result_.flags |= kAccepting;
    const ir::Range r = ir::transitions_at(p_, p_.property, location_);
    for (u32 i = 0; i < r.count; ++i) {
      const u32 t = p_.order[r.first + i];
      i64 open = 0;
      const bool known =
          run_body(run_, p_.transitions[t].guard, s_, nullptr, open) == BodyEnd::value;
      if (!known || open != 0) vm_.moves[move_count_++] = {t, !known};
    }
  }

  // Where a successor is made.
  Word* target() {
    return product_ ? vm_.base.data() : out_.states + u64{result_.count} * p_.state_words;
  }
  // What is there is one, or the step is erroneous.
  void finish(u32 step, bool ok) {
    if (!product_) return emit(step, ok);
    const ir::Process& automaton = p_.processes[p_.property];
    for (u32 i = 0; i < move_count_; ++i) {
      const AutomatonMove& move = vm_.moves[i];
      if (ok) {
        Word* const next = out_.states + u64{result_.count} * p_.state_words;
        std::copy(vm_.base.begin(), vm_.base.end(), next);
        ir::write_slot(p_.variables[automaton.location].slot,
                       static_cast<i32>(p_.transitions[move.transition].target), next);
      }
      emit(ir::step_label(p_, step, move.transition - automaton.first_transition),
           ok && !move.failed);
    }
  }
  // So many times more what has been put out, or was erroneous, before.
  void finish_again(const ChainWays& ways) {
    u64 errors = ways.errors;
    u64 ends = ways.ends;
    if (product_) {
      u32 failing = 0;
      for (u32 i = 0; i < move_count_; ++i) failing += vm_.moves[i].failed ? 1u : 0u;
      errors = ChainWays::sum(ChainWays::product(errors, move_count_),
                              ChainWays::product(ends, failing));
      ends = ChainWays::product(ends, move_count_ - failing);
    }
    result_.repeats = ChainWays::sum(result_.repeats, ends);
    result_.errors = ChainWays::sum(result_.errors, errors);
  }
  // The expansion has ended at an action of a step or predicate, before it was through.
  void note_unfinished(u32 label, u32 predicate, i64 action) {
    LongStep* const place = vm_.work.place();
    if (place == nullptr || place->label_count != 0 || place->predicate != kNone) return;
    if (label != kNone) place->add(label);
    place->predicate = predicate;
    place->line = line_around(p_, static_cast<u32>(action));
  }
  // Finite runs are judged as if their last state repeated: only the automaton moves.
  void stutter() {
    if (!product_ || !p_.stutters) return;
    std::copy_n(s_, p_.state_words, vm_.base.data());
    finish(ir::stutter_step(p_), true);
  }

  RuleVm& vm_;
  const ir::RuleProgram& p_;
  const Word* s_;
  const SuccessorBuffer& out_;
  BodyRun run_;
  Expansion result_;
  bool product_ = false;
  u32 location_ = 0;  // of the automaton
  u32 move_count_ = 0;

 private:
  void emit(u32 label, bool ok) {
    if (!ok) {
      if (result_.errors++ == 0) result_.error_label = label;
      return;
    }
    XMC_DASSERT(result_.count < out_.capacity);
    if (out_.labels != nullptr) out_.labels[result_.count] = label;
    ++result_.count;
  }
};

}  // namespace xmc
