#include "ir/tables/stutter.h"

#include "ir/tables/step_facts.h"
#include "xmc/scratch.h"

namespace xmc::ir {

namespace {

constexpr u32 kAtoms = 12;
constexpr u32 kLocations = 63;  // and one where alarms lead
constexpr u64 kMostWork = u64{1} << 28;

// Rows of locations: where a letter leads, and where past an accepting location of one component.
struct Profile {
  u64 to[kLocations + 1] = {};
  u64 past[kLocations + 1] = {};
};

class Test {
 public:
  Test(const Program& program, bool whole)
      : p_(program), q_(program.processes[program.property]), whole_(whole) {}

  std::string_view run();

 private:
  bool collect();
  bool collect_guard(ExprId id);
  bool reads_property(ExprId id) const;
  bool value(ExprId id, u32 letter) const;
  bool may_take(const Transition& t, u32 letter) const {
    return t.reachable && (t.guard == kNone || value(t.guard, letter));
  }
  void close();
  void prune();
  Profile read(u32 letter) const;
  Profile twice(const Profile& once) const;
  bool accepts(u32 l) const {
    return l == sink_ || (flags_of(p_, p_.property, l) & kAcceptingLocation) != 0;
  }

  const Program& p_;
  const Process& q_;
  bool whole_;
  u32 sink_ = 0;
  ExprId atoms_[kAtoms] = {};
  u32 atom_count_ = 0;
  u32 budget_ = 4096;  // nodes
  u64 reach_[kLocations + 1] = {};
  u64 kept_ = 0;
  u64 same_[kLocations + 1] = {};  // locations of one component with this one
};

bool Test::reads_property(ExprId id) const {
  const Expr& e = p_.exprs[id];
  switch (e.op) {
    case Op::constant:
      return false;
    case Op::at:
      return e.a == p_.property;
    case Op::load:
      return p_.variables[e.a].process == p_.property;
    case Op::element:
      return p_.variables[e.a].process == p_.property || reads_property(e.b);
    case Op::table:
      return reads_property(e.b);
    default:
      return reads_property(e.a) || (is_binary(e.op) && reads_property(e.b));
  }
}

bool Test::collect_guard(ExprId id) {
  const Expr& e = p_.exprs[id];
  if (budget_ == 0) return false;
  --budget_;
  if (e.op == Op::constant) return true;
  if (e.op == Op::logical_not) return collect_guard(e.a);
  if (is_logical(e.op)) return collect_guard(e.a) && collect_guard(e.b);
  for (u32 i = 0; i < atom_count_; ++i) {
    if (atoms_[i] == id) return true;
  }
  if (atom_count_ == kAtoms) return false;
  atoms_[atom_count_++] = id;
  return true;
}

bool Test::collect() {
  for (u32 i = 0; i < q_.transition_count; ++i) {
    const ExprId guard = p_.transitions[q_.first_transition + i].guard;
    if (guard != kNone && !collect_guard(guard)) return false;
  }
  for (const Predicate& predicate : p_.predicates) {
    if (predicate.process == p_.property && !collect_guard(predicate.condition)) return false;
  }
  return true;
}

bool Test::value(ExprId id, u32 letter) const {
  const Expr& e = p_.exprs[id];
  switch (e.op) {
    case Op::constant:
      return e.a != 0;
    case Op::logical_not:
      return !value(e.a, letter);
    case Op::logical_and:
      return value(e.a, letter) && value(e.b, letter);
    case Op::logical_or:
      return value(e.a, letter) || value(e.b, letter);
    case Op::imply:
      return !value(e.a, letter) || value(e.b, letter);
    default:
      break;
  }
  u32 i = 0;
  while (atoms_[i] != id) ++i;
  return (letter >> i & 1) != 0;
}

// Which locations lead where, whatever the letters.
void Test::close() {
  for (u32 i = 0; i < q_.transition_count; ++i) {
    const Transition& t = p_.transitions[q_.first_transition + i];
    if (t.reachable) reach_[t.source] |= u64{1} << t.target;
  }
  for (const Predicate& predicate : p_.predicates) {
    if (predicate.process == p_.property) reach_[predicate.location] |= u64{1} << sink_;
  }
  reach_[sink_] = u64{1} << sink_;
  for (u32 k = 0; k <= sink_; ++k) {
    for (u32 i = 0; i <= sink_; ++i) {
      if ((reach_[i] >> k & 1) != 0) reach_[i] |= reach_[k];
    }
  }
}

// Locations that lead to no accepting cycle are forgotten.
void Test::prune() {
  u64 live = 0;
  for (u32 l = 0; l <= sink_; ++l) {
    if (accepts(l) && (reach_[l] >> l & 1) != 0) live |= u64{1} << l;
  }
  for (u32 l = 0; l <= sink_; ++l) {
    if (whole_ || (live >> l & 1) != 0 || (reach_[l] & live) != 0) kept_ |= u64{1} << l;
    for (u32 m = 0; m <= sink_; ++m) {
      if (l == m || ((reach_[l] >> m & 1) != 0 && (reach_[m] >> l & 1) != 0))
        same_[l] |= u64{1} << m;
    }
  }
}

Profile Test::read(u32 letter) const {
  Profile once;
  const auto edge = [&](u32 from, u32 to) {
    if ((kept_ >> from & 1) == 0 || (kept_ >> to & 1) == 0) return;
    once.to[from] |= u64{1} << to;
    if (accepts(to) && (same_[from] >> to & 1) != 0) once.past[from] |= u64{1} << to;
  };
  for (u32 i = 0; i < q_.transition_count; ++i) {
    const Transition& t = p_.transitions[q_.first_transition + i];
    if (may_take(t, letter)) edge(t.source, t.target);
  }
  for (const Predicate& predicate : p_.predicates) {
    if (predicate.process == p_.property && !value(predicate.condition, letter))
      edge(predicate.location, sink_);
  }
  edge(sink_, sink_);
  return once;
}

Profile Test::twice(const Profile& once) const {
  Profile both;
  for (u32 l = 0; l <= sink_; ++l) {
    for (u32 m = 0; m <= sink_; ++m) {
      if ((once.to[l] >> m & 1) == 0) continue;
      const bool past = (once.past[l] >> m & 1) != 0;
      both.to[l] |= once.to[m];
      both.past[l] |= (past ? once.to[m] : once.past[m]) & same_[l];
    }
  }
  return both;
}

std::string_view Test::run() {
  for (u32 i = 0; i < q_.transition_count; ++i) {
    const Transition& t = p_.transitions[q_.first_transition + i];
    if (t.assignment_count != 0) return "the property process has variables of its own";
    if (t.guard == kNone) continue;
    if (p_.exprs[t.guard].may_fail) return "a guard of the property may be erroneous";
    if (reads_property(t.guard)) return "the property process reads its own state";
  }
  for (u32 l = 0; l < q_.location_count; ++l) {
    if ((flags_of(p_, p_.property, l) & kCommitted) != 0)
      return "the property process has a committed state";
  }
  for (const Predicate& predicate : p_.predicates) {
    if (predicate.process != p_.property) continue;
    if (p_.exprs[predicate.condition].may_fail) return "the property may be erroneous";
    if (reads_property(predicate.condition)) return "the property process reads its own state";
  }
  const u64 n = q_.location_count + u64{1};
  if (q_.location_count > kLocations || !collect() || n * n << atom_count_ > kMostWork)
    return "the property is too large to prove that stuttering does not change it";
  sink_ = q_.location_count;
  close();
  prune();
  for (u32 letter = 0; letter < u32{1} << atom_count_; ++letter) {
    const Profile once = read(letter);
    const Profile both = twice(once);
    for (u32 l = 0; l <= sink_; ++l) {
      if (once.to[l] != both.to[l] || once.past[l] != both.past[l])
        return "stuttering may change what the property says";
    }
  }
  return {};
}

}  // namespace

std::string_view why_stuttering_matters(const Program& program, bool whole, Arena& arena) {
  const u64 mark = arena.scratch_mark();
  Test* const test =
      ::new (arena.scratch(StepFacts::kName, sizeof(Test), alignof(Test))) Test(program, whole);
  const std::string_view why = test->run();
  arena.scratch_release(mark);
  return why;
}

}  // namespace xmc::ir
