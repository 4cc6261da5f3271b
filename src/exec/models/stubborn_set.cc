#include "exec/models/stubborn_set.h"

#include <bit>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

using Kind = ir::Condition::Kind;

constexpr u32 kMostAsked = 1024;   // questions of one choice that are remembered
constexpr u64 kTriggerWeight = 4;  // a trigger costs as much as this many enabled steps

// What the parts of a choice cost: instructions of an amd64 processor, by callgrind, on the models
// of `tools/bench reduce-auto`. A row has so much for itself, and so much for each word.
constexpr u32 kRowWork = 12;
constexpr u32 kWordWork = 8;
constexpr u32 kQuestionWork = 25;
constexpr u32 kStepWork = 60;

// Inlined: many a target has no instruction for it, and a call for each word would be half of the
// time.
u32 bits_of(u64 word) {
  if (word == 0) return 0;
  word -= word >> 1 & 0x5555'5555'5555'5555;
  word = (word & 0x3333'3333'3333'3333) + (word >> 2 & 0x3333'3333'3333'3333);
  word = (word + (word >> 4)) & 0x0F0F'0F0F'0F0F'0F0F;
  return static_cast<u32>(word * 0x0101'0101'0101'0101 >> 56);
}

// Calls visit(number) for each member of a word of a row.
template <class Visit>
void each_bit(u64 word, u32 first, Visit visit) {
  for (; word != 0; word &= word - 1) visit(first + static_cast<u32>(std::countr_zero(word)));
}

}  // namespace

StubbornSet::StubbornSet(const ir::StepTables& tables, const ConditionCode& code,
                         const StubbornRules& rules, Arena& arena)
    : t_(tables),
      code_(code),
      rules_(rules),
      memo_(tables.words, arena),
      row_work_(kRowWork + kWordWork * tables.words) {
  enabled_ = arena.carve_array<u64>(kStubbornSets, t_.words);
  taken_ = arena.carve_array<u64>(kStubbornSets, t_.words);
  pending_ = arena.carve_array<u64>(kStubbornSets, t_.words);
  base_ = arena.carve_array<u64>(kStubbornSets, t_.words);
  best_ = arena.carve_array<u64>(kStubbornSets, t_.words);
  triggers_ = arena.carve_array<u64>(kStubbornSets, t_.words);
  known_ = arena.carve_array<u32>(kStubbornSets, t_.conditions.size());
  asked_where_ = arena.carve_array<u32>(kStubbornSets, t_.processes.size());
  if (memo_.is_on()) asked_ = arena.carve_array<ChoiceMemo::Asked>(kStubbornSets, kMostAsked);
  for (u32 w = 0; w < t_.words; ++w) {
    const u64 sticky = forgets(kForgetSticky) ? 0 : t_.sticky[w];
    if (rules_.mode == StubbornMode::ltl) triggers_[w] = sticky | t_.visible[w];
    if (rules_.mode == StubbornMode::reach)
      triggers_[w] = sticky | (forgets(kForgetFalsifying) ? 0 : t_.falsifying[w]);
    if (puts_off_errors()) triggers_[w] = sticky | t_.falsifying[w];
  }
}

void StubbornSet::begin() { fill_zero(enabled_); }

bool StubbornSet::unhindered() const {
  for (u32 p = 0; p < t_.processes.size(); ++p) {
    const u32 at = location(p);
    if (at < t_.processes[p].location_count &&
        t_.committed[t_.processes[p].first_location + at] != 0)
      return false;
  }
  return true;
}

bool StubbornSet::holds_now(const ir::Condition& c) const {
  if (c.kind == Kind::constant) return c.value != 0;
  if (c.kind == Kind::rest) return false;
  return c.kind == Kind::unhindered ? unhindered() : code_.holds(c, state_);
}

bool StubbornSet::holds_else(u32 condition) const {
  const ir::Condition& c = t_.conditions[condition];
  if (c.kind != Kind::all_of && c.kind != Kind::any_of) return holds_now(c);
  const bool any = c.kind == Kind::any_of;
  for (u32 i = 0; i < c.count; ++i) {
    if (holds(t_.parts[c.first + i]) == any) return any;
  }
  return !any;
}

void StubbornSet::note(u32 question, u32 answer) {
  if (asked_count_ < asked_.size()) asked_[asked_count_] = {question, answer};
  asked_count_ += answer < ChoiceMemo::kAnswers && question < ChoiceMemo::kQuestions
                      ? 1
                      : static_cast<u32>(asked_.size()) + 1;
}

bool StubbornSet::ask(u32 condition) {
  u32& known = known_[condition];
  if (known >> 1 != round_) {
    known = round_ << 1 | (holds(condition) ? 1u : 0u);
    work_ += kQuestionWork;
    note(2 * condition, known & 1);
  }
  return (known & 1) != 0;
}

u32 StubbornSet::where(u32 process) {
  const u32 at = location(process);
  if (asked_where_[process] != round_) {
    asked_where_[process] = round_;
    note(2 * process + 1, at);
  }
  return at;
}

void StubbornSet::clear() {
  fill_zero(taken_);
  fill_zero(pending_);
  taken_enabled_ = 0;
  closed_enabled_ = 0;
  triggered_ = false;
}

void StubbornSet::take(u32 step) {
  if (ir::has_bit(taken_.data(), step)) return;
  ir::set_bit(taken_.data(), step);
  ir::set_bit(pending_.data(), step);
  if (step / 64 < first_pending_) first_pending_ = step / 64;
  if (ir::has_bit(enabled_.data(), step)) ++taken_enabled_;
}

void StubbornSet::take_row(const u64* row, const u64* too) {
  look_at_row();
  for (u32 w = 0; w < t_.words; ++w) {
    const u64 more = (too == nullptr ? row[w] : row[w] & too[w]) & ~taken_[w];
    if (more == 0) continue;
    taken_[w] |= more;
    pending_[w] |= more;
    if (w < first_pending_) first_pending_ = w;
    taken_enabled_ += bits_of(more & enabled_[w]);
  }
}

void StubbornSet::close_enabled(u32 step) {
  if (!forgets(kForgetDiscord)) take_row(t_.discord_of(step));
  if (triggered_ || !ir::has_bit(triggers_.data(), step)) return;
  triggered_ = true;
  if (rules_.mode == StubbornMode::reach) return take_obligations();
  if (rules_.mode == StubbornMode::ltl && !forgets(kForgetVisible)) take_row(t_.visible.data());
  take_errors();
}

// What the steps of a row, or of both of two, would add to the set: enabled steps are what is to be
// avoided.
u64 StubbornSet::row_cost(const u64* row, const u64* too) const {
  u64 cost = 0;
  look_at_row();
  for (u32 w = 0; w < t_.words; ++w) {
    const u64 more = (too == nullptr ? row[w] : row[w] & too[w]) & ~taken_[w];
    if (more == 0) continue;
    const u64 enabled = more & enabled_[w];
    cost += bits_of(more & ~enabled);
    if (enabled == 0) continue;
    cost += u64{t_.step_count} * bits_of(enabled);
    cost += u64{t_.step_count} * (kTriggerWeight - 1) * bits_of(enabled & triggers_[w]);
  }
  return cost;
}

// One conjunct that does not hold, and all that may make it hold: the cheapest.
void StubbornSet::close_disabled(u32 step) {
  if (forgets(kForgetDisabled)) return;
  const ir::StepParts& parts = t_.steps[step];
  u64 best = ~u64{0};
  const u64* row = nullptr;
  const u64* too = nullptr;
  const auto consider = [&](const u64* one, const u64* other) {
    const u64 cost = row_cost(one, other);
    if (cost >= best) return;
    best = cost;
    row = one;
    too = other;
  };
  // Where its partners have to be: steps that take a process from where it is towards there.
  for (u32 i = 0; i < parts.count && best != 0; ++i) {
    const ir::StepPartner& partner = parts.partners[i];
    if (!t_.processes[partner.process].is_exact) continue;
    const u32 at = where(partner.process);
    if (at == partner.source) continue;
    consider(t_.leaving_of(partner.process, at), t_.towards_of(partner.process, partner.source));
  }
  const u64* rest = nullptr;
  for (u32 i = 0; i < parts.conjunct_count && best != 0; ++i) {
    const u32 condition = t_.conjuncts[t_.conjunct_lists[parts.first_conjunct + i]];
    const ir::Condition& c = t_.conditions[condition];
    if (c.kind == Kind::rest || c.kind == Kind::quiet) {
      if (rest == nullptr) rest = t_.turning_true(c.watch);
    } else if (!ask(condition)) {
      consider(t_.turning_true(c.watch), nullptr);
    }
  }
  // All that is known of it holds, and it is not enabled.
  if (row == nullptr && rest != nullptr) {
    row = rest;
    best = ~u64{0};
  }
  XMC_CHECK(row != nullptr || forgets(kForgetDryRun));
  if (row != nullptr && best != 0) take_row(row, too);
}

// Beside visible steps there has to be one that is not, if any is enabled.
bool StubbornSet::enough_invisible() {
  if (rules_.mode != StubbornMode::ltl || !triggered_ || forgets(kForgetInvisible)) return true;
  u32 candidate = kNone;
  for (u32 w = 0; w < t_.words; ++w) {
    const u64 invisible = enabled_[w] & ~t_.visible[w];
    if ((invisible & taken_[w]) != 0) return true;
    if (invisible != 0 && candidate == kNone)
      candidate = w * 64 + static_cast<u32>(std::countr_zero(invisible));
  }
  if (candidate == kNone) return true;
  take(candidate);
  return false;
}

// What enabled steps want has no alternatives and comes first.
bool StubbornSet::close_enabled_steps(u32 below) {
  while (closed_enabled_ != taken_enabled_) {
    for (u32 w = 0; w < t_.words; ++w) {
      while ((pending_[w] & enabled_[w]) != 0) {
        const u64 here = pending_[w] & enabled_[w];
        const u32 step = w * 64 + static_cast<u32>(std::countr_zero(here));
        ir::clear_bit(pending_.data(), step);
        ++closed_enabled_;
        close_enabled(step);
        if (taken_enabled_ >= below) return false;
      }
    }
  }
  return true;
}

// Until nothing is missing; false: the set has as many enabled steps as `below`, or was too much
// work.
bool StubbornSet::close(u32 below) {
  do {
    if (!close_enabled_steps(below)) return false;
    first_pending_ = 0;
    while (first_pending_ < t_.words) {
      const u32 w = first_pending_;
      if (pending_[w] == 0) {
        ++first_pending_;
        continue;
      }
      const u32 step = w * 64 + static_cast<u32>(std::countr_zero(pending_[w]));
      pending_[w] &= pending_[w] - 1;
      work_ += kStepWork;
      if (work_ > most_work_) return false;
      close_disabled(step);
      if (taken_enabled_ >= below || !close_enabled_steps(below)) return false;
    }
  } while (!enough_invisible());
  return taken_enabled_ < below;
}

u64 StubbornSet::goal_cost(u32 condition) {
  const ir::Condition& c = t_.conditions[condition];
  if (c.kind == Kind::constant) return 0;
  if (c.kind != Kind::all_of && c.kind != Kind::any_of)
    return row_cost(t_.turning_true(c.watch), nullptr);
  const bool every = wants_every(c);
  u64 cost = every ? 0 : ~u64{0};
  for (u32 i = 0; i < c.count; ++i) {
    const u32 part = t_.parts[c.first + i];
    if (ask(part) || (!every && t_.conditions[part].is_vague)) continue;
    const u64 more = goal_cost(part);
    cost = every ? cost + more : (more < cost ? more : cost);
  }
  return cost;
}

// Whether all parts that do not hold have to be taken, or one. A vague one may hold: it alone does
// not do for a conjunction, but where all others hold it is one of the vague ones that does not.
bool StubbornSet::wants_every(const ir::Condition& c) {
  if (c.kind == Kind::any_of) return true;
  if (!c.is_vague) return false;
  for (u32 i = 0; i < c.count; ++i) {
    const u32 part = t_.parts[c.first + i];
    if (!t_.conditions[part].is_vague && !ask(part)) return false;
  }
  return true;
}

// What may make a condition hold that does not.
void StubbornSet::take_goal(u32 condition) {
  const ir::Condition& c = t_.conditions[condition];
  if (c.kind == Kind::constant) return;
  if (c.kind != Kind::all_of && c.kind != Kind::any_of) return take_row(t_.turning_true(c.watch));
  const bool every = wants_every(c);
  u32 cheapest = kNone;
  u64 best = 0;
  for (u32 i = 0; i < c.count; ++i) {
    const u32 part = t_.parts[c.first + i];
    if (ask(part) || (!every && t_.conditions[part].is_vague)) continue;
    if (every) {
      take_goal(part);
      continue;
    }
    const u64 cost = goal_cost(part);
    if (cheapest != kNone && cost >= best) continue;
    cheapest = part;
    best = cost;
  }
  if (cheapest != kNone) take_goal(cheapest);
}

void StubbornSet::take_goals() {
  if (forgets(kForgetGoals)) return;
  for (const u32 goal : t_.goals) {
    if (!ask(goal)) take_goal(goal);
  }
}

// A step that is disabled may become erroneous after it was enabled; one that is not, after what
// decides it was written.
void StubbornSet::take_errors() {
  if (forgets(kForgetErrors)) return;
  for (u32 i = 0; i < t_.failing_steps.size(); ++i) {
    const u32 step = t_.failing_steps[i];
    if (ir::has_bit(enabled_.data(), step)) {
      take_row(t_.failing_writers.data() + u64{i} * t_.words);
    } else {
      take(step);
    }
  }
}

void StubbornSet::take_obligations() {
  take_goals();
  take_errors();
}

u32 StubbornSet::enabled_in(const std::span<u64>& row) const {
  u32 count = 0;
  for (u32 w = 0; w < t_.words; ++w) count += bits_of(row[w] & enabled_[w]);
  return count;
}

void StubbornSet::keep_best() { copy(best_, std::span<const u64>(taken_)); }

// From the base and each enabled step in turn. True: one of them is better than `best`.
bool StubbornSet::all_seeds(bool triggers_too, u32 best) {
  bool found = false;
  for (u32 w = 0; w < t_.words; ++w) {
    u64 seeds = enabled_[w];
    if (!triggers_too) seeds &= ~triggers_[w];
    for (; seeds != 0; seeds &= seeds - 1) {
      const u32 seed = w * 64 + static_cast<u32>(std::countr_zero(seeds));
      clear();
      copy(taken_, std::span<const u64>(base_));
      taken_enabled_ = closed_enabled_ = base_enabled_;
      take(seed);
      if (!close(best)) {
        if (work_ > most_work_) return found;
        continue;
      }
      best = taken_enabled_;
      keep_best();
      found = true;
      if (best == 1) return true;
    }
  }
  return found;
}

const u64* StubbornSet::choose(const Word* state) {
  state_ = state;
  all_enabled_ = enabled_in(enabled_);
  const bool wants_one = rules_.mode == StubbornMode::deadlock || rules_.mode == StubbornMode::ltl;
  if (wants_one && all_enabled_ <= 1) return nullptr;
  const bool remembers = memo_.is_on();
  const u64* chosen = nullptr;
  if (remembers && memo_.find(
                       enabled_.data(), [&](u32 question) { return answer(question); }, chosen))
    return chosen;
  if (++round_ > (~u32{0} >> 1)) {
    fill_zero(known_);
    fill_zero(asked_where_);
    round_ = 1;
  }
  asked_count_ = 0;
  know_enabled();
  most_work_ = work_ + u64{rules_.most_work} * all_enabled_;
  chosen = decide();
  if (remembers && asked_count_ <= asked_.size())
    memo_.remember(enabled_.data(), asked_.first(asked_count_), chosen);
  return chosen;
}

// An enabled step says where its partners are, and that its conjuncts hold.
void StubbornSet::know_enabled() {
  for (u32 w = 0; w < t_.words; ++w) {
    each_bit(enabled_[w], w * 64, [&](u32 step) {
      const ir::StepParts& parts = t_.steps[step];
      for (u32 i = 0; i < parts.count; ++i) asked_where_[parts.partners[i].process] = round_;
      for (u32 i = 0; i < parts.conjunct_count; ++i)
        known_[t_.conjuncts[t_.conjunct_lists[parts.first_conjunct + i]]] = round_ << 1 | 1;
    });
  }
}

const u64* StubbornSet::decide() {
  fill_zero(base_);
  base_enabled_ = 0;
  clear();
  if (rules_.mode == StubbornMode::ltl)
    return all_seeds(true, all_enabled_) ? best_.data() : nullptr;
  if (rules_.mode != StubbornMode::deadlock) take_goals();
  if (!puts_off_errors()) take_errors();
  bool fewer = close(all_enabled_);
  // Nothing is put off where nothing is taken.
  if (fewer && taken_enabled_ == 0 && !rules_.deadlocks && puts_off_errors()) {
    take_errors();
    fewer = close(all_enabled_);
  }
  const bool wants_one = rules_.deadlocks && taken_enabled_ == 0;
  if (fewer && !wants_one) keep_best();
  if (rules_.mode != StubbornMode::reach) {
    if (!fewer) return nullptr;
    if (!wants_one) return best_.data();
    copy(base_, std::span<const u64>(taken_));
    return all_seeds(true, all_enabled_) ? best_.data() : nullptr;
  }
  if (fewer && !wants_one && taken_enabled_ <= 1) return best_.data();
  const u32 best = fewer && !wants_one ? taken_enabled_ : all_enabled_;
  const bool better = all_seeds(wants_one, best);
  return better || (fewer && !wants_one) ? best_.data() : nullptr;
}

}  // namespace xmc
