// A never claim as the automaton of the product: its places are locations, and an atomic sequence
// is one edge for each way through it. What a claim asserts and where it ends are predicates of its
// locations. Acceptance and progress without a claim are automata of one and two locations.
#include "ir/automaton.h"

#include "lower/product.h"
#include "lower/promela/lowering.h"
#include "xmc/check.h"
#include "xmc/scratch.h"
#include "xmc/text.h"

namespace xmc::promela_lower {

namespace {

constexpr const char* kClaim = "claim";  // of memory
constexpr PredicateText::Kind kClaimEnd = PredicateText::Kind::claim_end;

bool can_block(const promela::System& s, const promela::Place& place) {
  for (u32 i = 0; i < place.option_count; ++i) {
    const Action& a = s.actions[s.options[place.first_option + i].action];
    if (a.kind != ActionKind::condition) return false;
    const promela::Expr& e = s.expressions[a.value];
    if (e.op == Op::literal && e.value != 0) return false;
  }
  return true;
}

}  // namespace

// Behind a statement, which is the last one of claim_way_: where control is kept, on from there. In
// a d_step, `whole`, it is kept up to the end of that.
void Lowering::claim_edge(u32 location, const Action& a, u32 depth, const Action* whole) {
  const bool is_inside = whole != nullptr && s_.places[a.next].is_indivisible;
  const Action& last = is_inside || whole == nullptr ? a : *whole;
  const bool goes_on = is_inside || last.keeps_control;
  const u32 first = claim_steps_.size();
  const bool is_check = a.kind == ActionKind::assertion;
  if (is_check || !goes_on) {
    for (u32 k = 0; k <= depth; ++k) claim_steps_.push(claim_way_[k]);
  }
  if (is_check) claim_checks_.push({location, kNone, first, depth + 1});
  if (goes_on) {
    claim_ways(location, last.next, depth + 1, is_inside ? whole : nullptr);
  } else {
    claim_edges_.push({location, location_of_[last.next], first, depth + 1});
  }
}

// All ways from a place on that end where control is given up. `depth` statements were executed.
void Lowering::claim_ways(u32 location, PlaceId id, u32 depth, const Action* whole) {
  if (diagnostics_.error_count() != 0) return;
  const promela::Place& place = s_.places[id];
  if (depth == kClaimDepth || claim_steps_.size() > limits::kAutomatonEdges)
    return refuse(place.place, "an atomic sequence of a claim that long");
  if (whole != nullptr && id != whole->body && can_block(s_, place))
    return refuse(place.place, "a statement that can be blocked, in a d_step of a claim,");
  for (u32 i = 0; i < place.option_count; ++i) {
    const Action& a = s_.actions[s_.options[place.first_option + i].action];
    if (a.kind == ActionKind::die) continue;
    if (a.kind == ActionKind::indivisible) {
      claim_ways(location, a.body, depth, &a);
    } else {
      claim_way_[depth] = {id, i, whole != nullptr};
      claim_edge(location, a, depth, whole);
    }
  }
}

void Lowering::shape_claim() {
  const promela::Proctype& claim = s_.proctypes[request_.claim];
  location_of_ = scratch_array<u32>(arena_, kClaim, s_.places.size(), kNone);
  if (claim.leaf_count != 0) claim_values_ = claim_values(s_, request_.claim, arena_);
  if (!claim_values_.is_known)
    refuse(claim_values_.culprit, "an initial value like this, with a claim that has variables,");
  const auto names = scratch_array<std::string_view>(arena_, kClaim, claim.place_count);
  const auto accepting = scratch_array<u8>(arena_, kClaim, claim.place_count);
  for (u32 i = 0; i < claim.place_count; ++i) {
    const promela::Place& place = s_.places[claim.first_place + i];
    location_of_[claim.first_place + i] = i;
    accepting[i] = place.is_accepting ? 1 : 0;
    FixedText<32> name;
    name.format(place.is_last ? "end" : "line %u", static_cast<unsigned>(words_.line(place.place)));
    names[i] = names_.keep(name.view());
  }
  for (u32 i = 0; i < claim.place_count; ++i) {
    const promela::PlaceId id = claim.first_place + i;
    if (!s_.places[id].is_indivisible) claim_ways(i, id, 0, nullptr);
  }
  shape_.automaton = {request_.property_text, location_of_[claim.start], names, accepting, {}};
}

// One location, or: at some time no process is at a progress place, and never will be again.
void Lowering::shape_labels() {
  const u32 locations = request_.progress ? 2 : 1;
  const auto names = scratch_array<std::string_view>(arena_, kClaim, locations);
  const auto accepting = scratch_array<u8>(arena_, kClaim, locations);
  names[0] = request_.progress ? "before" : "always";
  claim_edges_.push({0, 0, 0, 0});
  if (request_.progress) {
    names[1] = "no progress";
    accepting[1] = 1;
    claim_edges_.push({0, 1, 0, kNone});
    claim_edges_.push({1, 1, 0, kNone});
  }
  shape_.automaton = {request_.property_text, 0, names, accepting, {}};
}

// Without the guards, which are bodies that come later.
void Lowering::shape_automaton() {
  if (request_.automaton != nullptr) {
    shape_ = shape_of(*request_.automaton, request_.as_cycles, arena_);
    if (!request_.property_text.empty() && request_.is_of_model)
      shape_.automaton.name = request_.property_text;
    return;
  }
  if (!has_automaton()) return;
  if (request_.claim != kNone) {
    shape_claim();
  } else {
    shape_labels();
  }
  const auto edges = scratch_array<ir::Automaton::Edge>(arena_, kClaim, claim_edges_.size());
  for (u32 i = 0; i < claim_edges_.size(); ++i)
    edges[i] = {.source = claim_edges_[i].location, .target = claim_edges_[i].target};
  shape_.automaton.edges = edges;
}

// To `no` unless the option of a claim can be executed.
void Lowering::claim_option(const promela::Place& place, u32 option, Label& no) {
  const Action& a = s_.actions[s_.options[place.first_option + option].action];
  if (a.kind == ActionKind::condition) return branch(a.value, no, false);
  if (a.kind == ActionKind::indivisible) {
    const promela::Place& body = s_.places[a.body];
    Label yes;
    for (u32 i = 0; i < body.option_count; ++i) {
      Label blocked;
      claim_option(body, i, blocked);
      code_.jump(BodyOp::jump, 0, yes);
      code_.bind(blocked);
    }
    code_.jump(BodyOp::jump, 0, no);
    return code_.bind(yes);
  }
  if (a.kind == ActionKind::otherwise) claim_options_before(place, option, no);
}

// To `no` if one of those in front of it can be executed.
void Lowering::claim_options_before(const promela::Place& place, u32 option, Label& no) {
  for (u32 i = 0; i < option; ++i) {
    Label blocked;
    claim_option(place, i, blocked);
    code_.jump(BodyOp::jump, 0, no);
    code_.bind(blocked);
  }
}

// Is 1 where the statements of a way can be executed one after the other. With `check`, where they
// cannot, or the assertion at the end of it is true.
u32 Lowering::claim_body(const ClaimWay& way, bool check) {
  const u32 code = open_body();
  frame_ = {promela::kClaim, request_.claim, kNone, kNone};
  timeout_ = claim_timeout();
  const u32 out = constant(check ? 1 : 0);
  Label end;
  for (u32 i = 0; i < way.count; ++i) {
    const ClaimStep& step = claim_steps_[way.first + i];
    frame_.place = step.place;
    if (step.is_first) claim_options_before(s_.places[step.place], step.option, end);
    claim_option(s_.places[step.place], step.option, end);
    if (!check || i + 1 < way.count) continue;
    const promela::Place& place = s_.places[step.place];
    branch(s_.actions[s_.options[place.first_option + step.option].action].value, end, true);
  }
  set(out, check ? 0 : 1);
  code_.bind(end);
  close_body({out, ir::kTruth});
  frame_ = {};
  return code;
}

u32 Lowering::progress_body() {
  const u32 code = open_body();
  close_body(no_progress());
  return code;
}

// Of the model's own automaton: guards, assertions and ends.
void Lowering::lower_claim() {
  if (!has_automaton() || request_.automaton != nullptr) return;
  for (u32 i = 0; i < claim_edges_.size(); ++i) {
    const ClaimWay& way = claim_edges_[i];
    shape_.automaton.edges[i].guard = way.count == kNone ? progress_body() : claim_body(way, false);
  }
  put_automaton(shape_.automaton, 0, 0, p_);
  if (request_.claim == kNone) return;
  for (u32 i = 0; i < claim_checks_.size(); ++i) {
    const ClaimWay& way = claim_checks_[i];
    const ClaimStep& last = claim_steps_[way.first + way.count - 1];
    const Option& o = s_.options[s_.places[last.place].first_option + last.option];
    claim_places_.push(s_.actions[o.action].place);
    predicates_.push({.kind = PredicateText::Kind::assertion,
                      .process = 0,
                      .location = way.location,
                      .condition = claim_body(way, true)});
  }
  const promela::Proctype& claim = s_.proctypes[request_.claim];
  for (u32 i = 0; i < claim.place_count; ++i) {
    if (!s_.places[claim.first_place + i].is_valid_end) continue;
    const u32 code = open_body();
    close_body(known(0));
    claim_places_.push(s_.places[claim.first_place + i].place);
    predicates_.push({.kind = kClaimEnd, .process = 0, .location = i, .condition = code});
  }
}

}  // namespace xmc::promela_lower
