// Values that a variable, a parameter or a field of a message does not hold: what is stored is cut.
#include "lower/promela/facts/cells.h"
#include "lower/promela/lint/lint.h"

namespace xmc::promela_lower {

namespace {

using ir::Interval;
using promela::Action;
using promela::ActionKind;
using promela::Leaf;
using promela::Op;
using promela::PlaceId;

class StoreLint {
 public:
  StoreLint(const promela::System& system, const promela::Facts& facts, LintReport& report)
      : s_(system), facts_(facts), report_(report) {}

  void run() {
    for (u32 i = 0; i < s_.global_initials.size(); ++i) initial(s_.global_initials[i]);
    // A statement is judged by all processes that execute it.
    for (u32 type = 0; type < s_.proctypes.size(); ++type) {
      const promela::Proctype& t = s_.proctypes[type];
      if (!promela::can_run(t.kind)) continue;
      for (u32 p = 0; p < t.place_count; ++p) {
        const promela::Place& place = s_.places[t.first_place + p];
        for (u32 o = 0; o < place.option_count; ++o)
          action(type, t.first_place + p, s_.actions[s_.options[place.first_option + o].action]);
      }
    }
  }

 private:
  void check(promela::Span place, Interval v, const Leaf& leaf, const char* what) {
    const Interval held = promela::range_of(leaf);
    if (leaf.is_channel || v.empty() || v.inside(held.lo, held.hi)) return;
    const char* const how = ir::meet(v, held).empty() ? "is always cut" : "may be cut";
    if (v == ir::kEverything)
      return report_.warn(place, "the value %s: %s holds %d..%d", how, what, held.lo, held.hi);
    if (v.single())
      return report_.warn(place, "the value %d %s: %s holds %d..%d", v.lo, how, what, held.lo,
                          held.hi);
    report_.warn(place, "the value, in %d..%d, %s: %s holds %d..%d", v.lo, v.hi, how, what, held.lo,
                 held.hi);
  }

  void initial(const promela::Initial& initial) {
    if (initial.value == kNone || s_.expressions[initial.value].op != Op::literal) return;
    const promela::Expr& e = s_.expressions[initial.value];
    check(e.place, {e.value, e.value}, s_.global_leaves[initial.leaf], "the variable");
  }

  // Over all processes that can be there.
  Interval value(u32 type, PlaceId place, promela::ExprId id) const {
    Interval out;
    for (u32 slot = 0; slot < facts_.slots(); ++slot) {
      if (facts_.can_be(slot, type) && facts_.can_be_at(slot, place))
        out = ir::join(out, facts_.value(slot, place, id));
    }
    return out;
  }
  promela::Numbers channels(u32 type, PlaceId place, promela::ExprId id) const {
    promela::Numbers out;
    for (u32 slot = 0; slot < facts_.slots(); ++slot) {
      if (facts_.can_be(slot, type) && facts_.can_be_at(slot, place))
        out.add(facts_.channel(slot, place, id));
    }
    return out;
  }

  void action(u32 type, PlaceId place, const Action& a) {
    if (a.kind == ActionKind::send) return sent(type, place, a);
    if (a.kind == ActionKind::receive) return received(type, place, a);
    if (a.kind != ActionKind::assign && a.kind != ActionKind::condition) return;
    const promela::Expr& e = s_.expressions[a.value];
    if (e.op == Op::run) return created(type, place, e);
    if (a.kind == ActionKind::condition) return;
    const promela::Reference& target = s_.references[a.target];
    if (target.scope == promela::Scope::nowhere) return;
    check(a.place, value(type, place, a.value), target.leaf_type, "the variable");
  }

  void created(u32 type, PlaceId place, const promela::Expr& run) {
    const promela::Proctype& made = s_.proctypes[run.a];
    for (u32 i = 0; i < run.c && i < made.parameter_leaves; ++i) {
      const promela::ExprId argument = s_.arguments[run.b + i];
      check(s_.expressions[argument].place, value(type, place, argument),
            s_.local_leaves[made.first_leaf + i], "the parameter");
    }
  }

  // Where messages of all channels that it can be are alike in this field.
  void sent(u32 type, PlaceId place, const Action& a) {
    const promela::Numbers numbers = channels(type, place, a.channel);
    for (u32 i = 0; i < a.count; ++i) {
      const promela::ExprId argument = s_.arguments[a.first + i];
      const Leaf* narrow = nullptr;
      for (u32 n = numbers.next(1); n != kNone; n = numbers.next(n + 1)) {
        for (u32 form = 0; form < s_.channels.size(); ++form) {
          if (n > facts_.channels() || !facts_.can_have_form(n, form)) continue;
          if (i >= s_.channels[form].field_count) continue;
          const Leaf& leaf = s_.message_leaves[s_.channels[form].first_field + i];
          if (narrow == nullptr || promela::range_of(leaf).hi < promela::range_of(*narrow).hi)
            narrow = &leaf;
        }
      }
      if (narrow == nullptr) continue;
      check(s_.expressions[argument].place, value(type, place, argument), *narrow,
            "the field of the message");
    }
  }

  void received(u32 type, PlaceId place, const Action& a) {
    const promela::Numbers numbers = channels(type, place, a.channel);
    for (u32 i = 0; i < a.count; ++i) {
      const promela::Pattern& pattern = s_.patterns[a.first + i];
      if (pattern.kind != promela::PatternKind::store || pattern.target == kNone) continue;
      const promela::Reference& target = s_.references[pattern.target];
      if (target.scope == promela::Scope::nowhere) continue;
      Interval v;
      for (u32 n = numbers.next(1); n != kNone && n <= facts_.channels(); n = numbers.next(n + 1))
        v = ir::join(v, facts_.message(n, i));
      check(target.place, v, target.leaf_type, "the variable");
    }
  }

  const promela::System& s_;
  const promela::Facts& facts_;
  LintReport& report_;
};

}  // namespace

void lint_stores(const promela::System& system, const promela::Facts& facts, LintReport& report) {
  // Without a bound of the processes nothing is known about them.
  if (facts.is_bounded()) StoreLint(system, facts, report).run();
}

}  // namespace xmc::promela_lower
