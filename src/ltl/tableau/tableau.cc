#include "ltl/tableau/tableau.h"

#include <utility>

#include "ltl/graph/guard.h"
#include "ltl/tableau/obligations.h"
#include "xmc/bytes.h"

namespace xmc::ltl {

namespace {

constexpr u32 kTableSize = 2 * limits::kAutomatonStates;

struct Step {
  Cube cube;
  DutySet next;
  u64 missing = 0;  // marks
};

u32 hash_of(const DutySet& set) {
  u64 h = 0;
  for (const u64 word : set.word) h = (h ^ word) * 0x9E3779B97F4A7C15u ^ (h >> 29);
  return static_cast<u32>(h >> 40);
}

// The steps of one state while they are put together: of one after the other, in memory that is
// taken as they are made.
class Steps {
 public:
  explicit Steps(Arena& arena) : all_(arena, "tableau") {}

  void clear() { count_ = 0; }
  u32 count() const { return count_; }
  bool full() const { return count_ == All::capacity(); }
  void add(const Step& step) {
    if (count_ == all_.size()) all_.push(step);
    all_[count_++] = step;
  }
  Step& operator[](u32 i) { return all_[i]; }

 private:
  using All = Pool<Step, 4, limits::kTableauTerms / 16>;
  All all_;
  u32 count_ = 0;
};

class Tableau {
 public:
  Tableau(const Formulas& formulas, Arena& arena, Effort& effort)
      : effort_(effort),
        obligations_(formulas, arena, effort),
        builder_(arena),
        states_(arena, "tableau"),
        table_(scratch_array<u32>(arena, kTableSize)),
        steps_{Steps(arena), Steps(arena)} {
    fill_zero(table_);
  }

  Status make(Formula formula, Graph& out) {
    u32 state = 0;
    XMC_TRY(state_of(obligations_.set_of(formula), state));
    for (u32 at = 0; at < states_.size(); ++at) {
      XMC_TRY(gather(DutySet(states_[at])));
      XMC_TRY(reduce());
      for (u32 i = 0; i < now_->count(); ++i) {
        const Step& step = (*now_)[i];
        XMC_TRY(state_of(step.next, state));
        XMC_TRY(builder_.add({at, state, step.missing, step.cube}));
      }
    }
    out = builder_.finish(states_.size(), 0, obligations_.marks());
    for (Arc& arc : out.arcs) arc.marks = out.all_marks() & ~arc.marks;
    return {};
  }

 private:
  Status state_of(const DutySet& set, u32& out) {
    u32 at = hash_of(set) & (kTableSize - 1);
    while (table_[at] != 0 && !(states_[table_[at] - 1] == set)) at = (at + 1) & (kTableSize - 1);
    if (table_[at] == 0) {
      if (states_.full()) return too_many_states();
      table_[at] = states_.push(set) + 1;
    }
    out = table_[at] - 1;
    return {};
  }

  // All ways to meet the obligations, into now_.
  Status gather(const DutySet& set) {
    now_->clear();
    now_->add({});
    for (u32 i = 0; i < obligations_.count(); ++i) {
      if (!set.has(i)) continue;
      const Obligations::Terms terms = obligations_.terms_of(i);
      XMC_TRY(obligations_.status());
      then_->clear();
      for (u32 k = 0; k < now_->count() * terms.count; ++k) {
        XMC_TRY(add_both((*now_)[k / terms.count], obligations_[terms.first + k % terms.count]));
      }
      std::swap(now_, then_);
    }
    return {};
  }

  // Only equal ones are left out: whether one makes another needless depends on marks, and these on
  // what else is to be met.
  Status add_both(Step step, const Term& term) {
    step.cube = meet(step.cube, term.cube);
    if (!consistent(step.cube)) return {};
    step.next.add(term.next);
    if (!effort_.spend(then_->count() + 1)) return too_much_work();
    for (u32 i = 0; i < then_->count(); ++i) {
      if ((*then_)[i].cube == step.cube && (*then_)[i].next == step.next) return {};
    }
    if (then_->full()) {
      return Status::fail(Code::model,
                          "a state of the automaton has more than %u edges; check the conjuncts of "
                          "the formula one by one",
                          limits::kTableauTerms);
    }
    then_->add(step);
    return {};
  }

  static bool dominates(const Step& a, const Step& b) {
    return contains(a.cube, b.cube) && a.next.within(b.next) && (a.missing & ~b.missing) == 0;
  }

  // Leaves the steps that no other one makes needless. No two of them are equal.
  Status reduce() {
    for (u32 i = 0; i < now_->count(); ++i) {
      (*now_)[i].missing = obligations_.missing_marks((*now_)[i].cube, (*now_)[i].next);
    }
    XMC_TRY(obligations_.status());
    if (!effort_.spend(u64{now_->count()} * now_->count())) return too_much_work();
    then_->clear();
    for (u32 i = 0; i < now_->count(); ++i) {
      bool needless = false;
      for (u32 k = 0; k < now_->count() && !needless; ++k) {
        needless = k != i && dominates((*now_)[k], (*now_)[i]);
      }
      if (!needless) then_->add((*now_)[i]);
    }
    std::swap(now_, then_);
    return {};
  }

  Effort& effort_;
  Obligations obligations_;
  GraphBuilder builder_;
  Pool<DutySet, 6, limits::kAutomatonStates / 64> states_;
  std::span<u32> table_;  // open addressing; a number and one, 0 for empty
  Steps steps_[2];
  Steps* now_ = &steps_[0];
  Steps* then_ = &steps_[1];
};

}  // namespace

Status make_tableau(const Formulas& formulas, Formula formula, Arena& arena, Effort& effort,
                    Graph& out) {
  return Tableau(formulas, arena, effort).make(formula, out);
}

}  // namespace xmc::ltl
