// Statements that no way leads to, processes that nobody creates, `else` that is never taken.
#include "lower/promela/lint/lint.h"
#include "xmc/scratch.h"

namespace xmc::promela_lower {

namespace {

using promela::Action;
using promela::ActionKind;
using promela::Op;
using promela::Place;
using promela::PlaceId;
using promela::Proctype;

bool is_always_executable(const promela::System& s, const Action& a) {
  switch (a.kind) {
    case ActionKind::condition: {
      const promela::Expr& e = s.expressions[a.value];
      return e.op == Op::literal && e.value != 0;
    }
    case ActionKind::always:
    case ActionKind::assign:
    case ActionKind::assertion:
    case ActionKind::print:
      return true;
    default:
      return false;
  }
}

class StatementLint {
 public:
  StatementLint(const promela::System& system, const promela::Facts& facts, Arena& arena,
                LintReport& report)
      : s_(system), facts_(facts), report_(report) {
    in_graph_ = scratch_array<u8>(arena, "lint", s_.actions.size());
    for (u8& flag : in_graph_) flag = 0;
  }

  void run() {
    for (u32 i = 0; i < s_.options.size(); ++i) in_graph_[s_.options[i].action] = 1;
    without_a_way();
    for (u32 type = 0; type < s_.proctypes.size(); ++type) {
      const Proctype& t = s_.proctypes[type];
      if (!promela::can_run(t.kind)) continue;
      if (!can_be(type)) {
        report_.warn(t.place, "no process of this type is ever created");
        continue;
      }
      for (u32 p = 0; p < t.place_count; ++p) {
        useless_else(s_.places[t.first_place + p]);
        beyond_a_place(type, t.first_place + p);
      }
    }
  }

 private:
  bool can_be(u32 type) const {
    if (!facts_.is_bounded()) return true;
    for (u32 slot = 0; slot < facts_.slots(); ++slot) {
      if (facts_.can_be(slot, type)) return true;
    }
    return false;
  }
  bool is_reached(u32 type, PlaceId place) const {
    if (!facts_.is_bounded()) return true;
    for (u32 slot = 0; slot < facts_.slots(); ++slot) {
      if (facts_.can_be(slot, type) && facts_.can_be_at(slot, place)) return true;
    }
    return false;
  }

  // Actions that are in no graph. What stands behind such a one, without another way to it, follows
  // it here and is not told; nor is what another call of an inline has a way to.
  void without_a_way() {
    bool is_told = false;
    for (u32 i = 0; i < s_.actions.size(); ++i) {
      const bool is_dead = in_graph_[i] == 0 && !has_a_twin(s_.actions[i].place);
      if (is_dead && !is_told)
        report_.warn(s_.actions[i].place, "unreachable: no way leads to this statement");
      is_told = is_dead;
    }
  }
  bool has_a_twin(promela::Span place) const {
    for (u32 i = 0; i < s_.actions.size(); ++i) {
      const promela::Span other = s_.actions[i].place;
      if (in_graph_[i] != 0 && other.begin == place.begin && other.end == place.end) return true;
    }
    return false;
  }

  // From a place that is reached to one that is not: what is before it is never executed there.
  void beyond_a_place(u32 type, PlaceId id) {
    if (!is_reached(type, id)) return;
    const Place& place = s_.places[id];
    for (u32 i = 0; i < place.option_count; ++i) {
      const Action& a = s_.actions[s_.options[place.first_option + i].action];
      if (a.next == kNone || is_reached(type, a.next)) continue;
      if (a.kind == ActionKind::condition && is_false(a)) continue;  // as it is meant
      report_.warn(a.place, "no value that it can meet lets a process go on from here");
    }
  }
  bool is_false(const Action& a) const {
    const promela::Expr& e = s_.expressions[a.value];
    return e.op == Op::literal && e.value == 0;
  }

  void useless_else(const Place& place) {
    const Action* otherwise = nullptr;
    bool is_open = false;
    for (u32 i = 0; i < place.option_count; ++i) {
      const promela::Option& option = s_.options[place.first_option + i];
      const Action& a = s_.actions[option.action];
      if (option.escape != 0) continue;
      if (a.kind == ActionKind::otherwise && is_open) otherwise = &a;
      is_open = is_open || is_always_executable(s_, a);
    }
    if (otherwise == nullptr) return;
    report_.warn(otherwise->place,
                 "this `else` is never taken: an alternative before it can "
                 "always be executed");
  }

  const promela::System& s_;
  const promela::Facts& facts_;
  LintReport& report_;
  std::span<u8> in_graph_;
};

}  // namespace

void lint_statements(const promela::System& system, const promela::Facts& facts, Arena& arena,
                     LintReport& report) {
  StatementLint(system, facts, arena, report).run();
}

}  // namespace xmc::promela_lower
