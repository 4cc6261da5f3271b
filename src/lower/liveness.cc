#include "lower/liveness.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u32 kWordBits = 64;

bool may_fail(const ir::Program& p, const ir::Assignment& a) {
  const ir::Target& t = a.target;
  return p.exprs[a.value].may_fail || t.check_value ||
         (t.index != kNone && (t.check_index || p.exprs[t.index].may_fail));
}

}  // namespace

Liveness::Liveness(const ir::Program& program, const LivenessRules& rules, Arena& arena)
    : p_(program), rules_(rules), arena_(arena) {
  owner_ = scratch<u32>(p_.variables.size());
  stamp_ = scratch<u32>(p_.exprs.size());
  stack_ = scratch<ir::ExprId>(p_.exprs.size());
  fill_zero(stamp_);
  find_owners();
}

// Each expression below the root once, with the variable that it reads and its element, or kNone.
template <class Use>
void Liveness::visit(ir::ExprId root, const Use& use) {
  if (root == kNone) return;
  ++visits_;
  u32 waiting = 0;
  const auto wait = [&](ir::ExprId id) {
    if (stamp_[id] == visits_) return;
    stamp_[id] = visits_;
    stack_[waiting++] = id;
  };
  wait(root);
  while (waiting != 0) {
    const ir::Expr& e = p_.exprs[stack_[--waiting]];
    if (e.op == ir::Op::load) use(e.a, e.b);
    if (e.op == ir::Op::element) use(e.a, kNone);
    if (ir::is_unary(e.op) || ir::is_binary(e.op)) wait(e.a);
    if (ir::is_binary(e.op) || ir::has_index(e.op)) wait(e.b);
  }
}

void Liveness::touch(u32 variable, u32 process) {
  u32& owner = owner_[variable];
  if (process == p_.property) {
    if (rules_.observers) owner = kShared;
    return;
  }
  if (owner == kUntouched) owner = process;
  if (owner != process && rules_.others) owner = kShared;
}

void Liveness::exclude_reads(ir::ExprId root) {
  visit(root, [&](u32 variable, u32) { exclude(variable); });
}

void Liveness::find_owners() {
  for (u32 i = 0; i < p_.variables.size(); ++i) {
    const ir::Variable& v = p_.variables[i];
    const bool looked_at = v.role == ir::Role::number && v.size <= limits::kDeadElements;
    owner_[i] = looked_at ? kUntouched : kShared;
  }
  for (const ir::Transition& t : p_.transitions) {
    const auto read = [&](u32 variable, u32) { touch(variable, t.process); };
    const auto target = [&](const ir::Target& to) {
      touch(to.variable, t.process);
      visit(to.index, read);
    };
    visit(t.guard, read);
    for (u32 k = 0; k < t.value_count; ++k) {
      if (t.sync == ir::Sync::send) visit(p_.sent[t.first_value + k], read);
      if (t.sync == ir::Sync::receive) target(p_.received[t.first_value + k]);
    }
    for (u32 k = 0; k < t.assignment_count; ++k) {
      target(p_.assignments[t.first_assignment + k].target);
      visit(p_.assignments[t.first_assignment + k].value, read);
    }
  }
  if (!rules_.observers) return;
  for (const ir::Predicate& q : p_.predicates) exclude_reads(q.condition);
  for (const ir::ExprId proposition : p_.propositions) exclude_reads(proposition);
}

void Liveness::number_bits() {
  bit_ = scratch<u32>(p_.variables.size());
  words_ = scratch<u32>(p_.processes.size());
  first_word_ = scratch<u64>(p_.processes.size());
  fill_zero(words_);
  for (u32 i = 0; i < p_.variables.size(); ++i) {
    if (owner(i) == kNone) continue;
    bit_[i] = words_[owner(i)];
    words_[owner(i)] += p_.variables[i].size;
  }
  u64 words = 0;
  u32 most = 0;
  for (u32 q = 0; q < p_.processes.size(); ++q) {
    words_[q] = static_cast<u32>(divide_up(words_[q], kWordBits));
    first_word_[q] = words;
    words += u64{words_[q]} * p_.processes[q].location_count;
    most = std::max(most, words_[q]);
  }
  live_ = scratch<u64>(words);
  work_ = scratch<u64>(most);
  fill_zero(live_);
}

// A sender may hand over fewer values than a receiver has targets for.
void Liveness::find_senders() {
  sent_ = scratch<u32>(p_.channels.size());
  for (u32 c = 0; c < p_.channels.size(); ++c) sent_[c] = kNone;
  for (const ir::Transition& t : p_.transitions) {
    if (t.sync != ir::Sync::send || p_.channels[t.channel].capacity != 0) continue;
    sent_[t.channel] = std::min(sent_[t.channel], t.value_count);
  }
}

void Liveness::list_reads(ir::ExprId root, u32 process) {
  visit(root, [&](u32 variable, u32 element) {
    if (owner(variable) != process) return;
    const bool known = element != kNone;
    push({.first = bit_[variable] + (known ? element : 0),
          .count = known ? 1u : p_.variables[variable].size});
  });
}

void Liveness::list_write(const ir::Target& target, u32 process, u32 assignment, bool stored) {
  if (owner(target.variable) != process) return;
  const bool known = target.index == kNone;
  push({.first = bit_[target.variable] + (known ? target.element : 0),
        .count = known ? 1u : p_.variables[target.variable].size,
        .is_write = true,
        .is_known = (known || !rules_.elements) && stored,
        .assignment = assignment});
}

// One that can fail is made, whoever reads what it writes.
void Liveness::list_assignment(u32 index, u32 process) {
  const ir::Assignment& a = p_.assignments[index];
  const bool is_made = may_fail(p_, a) && rules_.failures;
  list_write(a.target, process, is_made ? kNone : index, true);
  list_reads(a.value, process);
  list_reads(a.target.index, process);
}

// Assignments are made one after the other; what is received is stored before them, and whatever is
// read for that is read before.
void Liveness::list_events(const ir::Transition& t) {
  for (u32 k = t.assignment_count; k-- > 0;) list_assignment(t.first_assignment + k, t.process);
  if (t.sync == ir::Sync::receive) {
    for (u32 k = t.value_count; k-- > 0;)
      list_write(p_.received[t.first_value + k], t.process, kNone,
                 k < sent_[t.channel] || !rules_.senders);
  }
  for (u32 k = 0; k < t.value_count; ++k) {
    if (t.sync == ir::Sync::send) list_reads(p_.sent[t.first_value + k], t.process);
    if (t.sync == ir::Sync::receive) list_reads(p_.received[t.first_value + k].index, t.process);
  }
  list_reads(t.guard, t.process);
}

void Liveness::list_events() {
  of_transition_ = scratch<ir::Range>(p_.transitions.size());
  for (const bool counting : {true, false}) {
    if (!counting) events_ = scratch<Event>(event_count_);
    event_count_ = 0;
    for (u32 i = 0; i < p_.transitions.size(); ++i) {
      const u32 first = event_count_;
      list_events(p_.transitions[i]);
      of_transition_[i] = {first, event_count_ - first};
    }
  }
}

std::span<u64> Liveness::live_at(u32 process, u32 location) const {
  return live_.subspan(
      static_cast<std::size_t>(first_word_[process] + u64{words_[process]} * location),
      words_[process]);
}

// From what is live behind a transition to what is before it, in `work_`.
void Liveness::step_back(const ir::Transition& t, u32 index, bool mark_useless) {
  copy(work_, std::span<const u64>(live_at(t.process, t.target)));
  const ir::Range events = of_transition_[index];
  for (u32 i = events.first; i < events.first + events.count; ++i) {
    const Event& e = events_[i];
    bool any = false;
    for (u32 bit = e.first; bit < e.first + e.count; ++bit) {
      u64& word = work_[bit / kWordBits];
      const u64 mask = u64{1} << bit % kWordBits;
      any = any || (word & mask) != 0;
      if (!e.is_write) word |= mask;
      if (e.is_write && e.is_known) word &= ~mask;
    }
    if (mark_useless && !any && e.assignment != kNone) useless_[e.assignment] = 1;
  }
}

void Liveness::run() {
  number_bits();
  find_senders();
  list_events();
  useless_ = scratch<u8>(p_.assignments.size());
  fill_zero(useless_);
  bool changed = true;
  while (changed) {
    changed = false;
    for (u32 i = static_cast<u32>(p_.transitions.size()); i-- > 0;) {
      const ir::Transition& t = p_.transitions[i];
      step_back(t, i, false);
      const std::span<u64> live = live_at(t.process, t.source);
      for (u32 w = 0; w < live.size(); ++w) {
        changed = changed || (work_[w] & ~live[w]) != 0;
        live[w] |= work_[w];
      }
    }
    changed = changed && rules_.loops;
  }
  for (u32 i = 0; i < p_.transitions.size(); ++i) step_back(p_.transitions[i], i, true);
}

bool Liveness::is_dead(u32 variable, u32 element, u32 location) const {
  const u32 process = owner(variable);
  if (process == kNone) return false;
  const u32 bit = bit_[variable] + element;
  return (live_at(process, location)[bit / kWordBits] >> bit % kWordBits & 1) == 0;
}

}  // namespace xmc
