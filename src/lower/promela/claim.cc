// The bodies of a never claim: its guards, what it asserts and where it ends.
#include "lower/product.h"
#include "lower/promela/bodies.h"
#include "lower/promela/expr/processes.h"
#include "lower/promela/expr/values.h"

namespace xmc::promela_lower {

namespace {

constexpr PredicateText::Kind kClaimEnd = PredicateText::Kind::claim_end;

void claim_options_before(Writer& w, const Scope& scope, const promela::Place& place, u32 option,
                          Label& no);

// To `no` unless the option of a claim can be executed.
void claim_option(Writer& w, const Scope& scope, const promela::Place& place, u32 option,
                  Label& no) {
  const Action& a = w.s.actions[w.s.options[place.first_option + option].action];
  if (a.kind == ActionKind::condition) return branch(w, scope, a.value, no, false);
  if (a.kind == ActionKind::indivisible) {
    const promela::Place& body = w.s.places[a.body];
    Label yes;
    for (u32 i = 0; i < body.option_count; ++i) {
      Label blocked;
      claim_option(w, scope, body, i, blocked);
      w.code.jump(BodyOp::jump, 0, yes);
      w.code.bind(blocked);
    }
    w.code.jump(BodyOp::jump, 0, no);
    return w.code.bind(yes);
  }
  if (a.kind == ActionKind::otherwise) claim_options_before(w, scope, place, option, no);
}

// To `no` if one of those in front of it can be executed.
void claim_options_before(Writer& w, const Scope& scope, const promela::Place& place, u32 option,
                          Label& no) {
  for (u32 i = 0; i < option; ++i) {
    Label blocked;
    claim_option(w, scope, place, i, blocked);
    w.code.jump(BodyOp::jump, 0, no);
    w.code.bind(blocked);
  }
}

// Is 1 where the statements of a way can be executed one after the other. With `check`, where they
// cannot, or the assertion at the end of it is true.
u32 claim_body(Writer& w, u32 claim, const Property& property, const ClaimWay& way, bool check) {
  const u32 code = open_body(w);
  Scope scope{.slot = promela::kClaim, .proctype = claim, .timeout = claim_timeout(w)};
  const u32 out = constant(w, check ? 1 : 0);
  Label end;
  for (u32 i = 0; i < way.count; ++i) {
    const ClaimStep& step = property.steps[way.first + i];
    scope.place = step.place;
    if (step.is_first) claim_options_before(w, scope, w.s.places[step.place], step.option, end);
    claim_option(w, scope, w.s.places[step.place], step.option, end);
    if (!check || i + 1 < way.count) continue;
    const promela::Place& place = w.s.places[step.place];
    branch(w, scope, w.s.actions[w.s.options[place.first_option + step.option].action].value, end,
           true);
  }
  set(w, out, check ? 0 : 1);
  w.code.bind(end);
  close_body(w, {out, ir::kTruth});
  return code;
}

u32 progress_body(Writer& w) {
  const u32 code = open_body(w);
  close_body(w, no_progress(w));
  return code;
}

}  // namespace

void lower_claim(Writer& w, const PromelaRequest& request, Property& property,
                 ir::RuleProgram& program, Predicates& predicates) {
  if (!has_automaton(request) || request.automaton != nullptr) return;
  for (u32 i = 0; i < property.edges.size(); ++i) {
    const ClaimWay& way = property.edges[i];
    property.shape.automaton.edges[i].guard =
        way.count == kNone ? progress_body(w) : claim_body(w, request.claim, property, way, false);
  }
  put_automaton(property.shape.automaton, 0, 0, program);
  if (request.claim == kNone) return;
  for (u32 i = 0; i < property.checks.size(); ++i) {
    const ClaimWay& way = property.checks[i];
    const ClaimStep& last = property.steps[way.first + way.count - 1];
    const Option& o = w.s.options[w.s.places[last.place].first_option + last.option];
    property.places.push(w.s.actions[o.action].place);
    predicates.push({.kind = PredicateText::Kind::assertion,
                     .process = 0,
                     .location = way.location,
                     .condition = claim_body(w, request.claim, property, way, true)});
  }
  const promela::Proctype& claim = w.s.proctypes[request.claim];
  for (u32 i = 0; i < claim.place_count; ++i) {
    if (!w.s.places[claim.first_place + i].is_valid_end) continue;
    const u32 code = open_body(w);
    close_body(w, known(0));
    property.places.push(w.s.places[claim.first_place + i].place);
    predicates.push({.kind = kClaimEnd, .process = 0, .location = i, .condition = code});
  }
}

}  // namespace xmc::promela_lower
