// A never claim as the automaton of the product: its places are locations, and an atomic sequence
// is one edge for each way through it. Acceptance and progress without a claim are automata of one
// and two locations.
#include "lower/promela/property.h"
#include "xmc/scratch.h"
#include "xmc/text.h"

namespace xmc::promela_lower {

using promela::Action;
using promela::ActionKind;
using promela::PlaceId;
using promela::Span;

namespace {

constexpr const char* kClaim = "claim";  // of memory

bool can_block(const promela::System& s, const promela::Place& place) {
  for (u32 i = 0; i < place.option_count; ++i) {
    const Action& a = s.actions[s.options[place.first_option + i].action];
    if (a.kind != ActionKind::condition) return false;
    const promela::Expr& e = s.expressions[a.value];
    if (e.op == promela::Op::literal && e.value != 0) return false;
  }
  return true;
}

void refuse(Diagnostics& diagnostics, Span place, const char* what) {
  diagnostics.error(place.begin, place.end, "%s is not supported yet", what);
}

class WayFinder {
 public:
  WayFinder(const promela::System& system, std::span<const u32> location_of,
            Diagnostics& diagnostics, Property& out)
      : s_(system), location_of_(location_of), diagnostics_(diagnostics), out_(out) {}

  void ways(u32 location, PlaceId id, u32 depth, const Action* whole);

 private:
  void edge(u32 location, const Action& a, u32 depth, const Action* whole);

  const promela::System& s_;
  std::span<const u32> location_of_;  // by place of the claim
  Diagnostics& diagnostics_;
  Property& out_;
  ClaimStep way_[kClaimDepth];  // that is followed
};

// Behind a statement, which is the last one of way_: where control is kept, on from there. In
// a d_step, `whole`, it is kept up to the end of that.
void WayFinder::edge(u32 location, const Action& a, u32 depth, const Action* whole) {
  const bool is_inside = whole != nullptr && s_.places[a.next].is_indivisible;
  const Action& last = is_inside || whole == nullptr ? a : *whole;
  const bool goes_on = is_inside || last.keeps_control;
  const u32 first = out_.steps.size();
  const bool is_check = a.kind == ActionKind::assertion;
  if (is_check || !goes_on) {
    for (u32 k = 0; k <= depth; ++k) out_.steps.push(way_[k]);
  }
  if (is_check) out_.checks.push({location, kNone, first, depth + 1});
  if (goes_on) {
    ways(location, last.next, depth + 1, is_inside ? whole : nullptr);
  } else {
    out_.edges.push({location, location_of_[last.next], first, depth + 1});
  }
}

// All ways from a place on that end where control is given up. `depth` statements were executed.
void WayFinder::ways(u32 location, PlaceId id, u32 depth, const Action* whole) {
  if (diagnostics_.error_count() != 0) return;
  const promela::Place& place = s_.places[id];
  if (depth == kClaimDepth || out_.steps.size() > limits::kAutomatonEdges)
    return refuse(diagnostics_, place.place, "an atomic sequence of a claim that long");
  if (whole != nullptr && id != whole->body && can_block(s_, place))
    return refuse(diagnostics_, place.place,
                  "a statement that can be blocked, in a d_step of a claim,");
  for (u32 i = 0; i < place.option_count; ++i) {
    const Action& a = s_.actions[s_.options[place.first_option + i].action];
    if (a.kind == ActionKind::die) continue;
    if (a.kind == ActionKind::indivisible) {
      ways(location, a.body, depth, &a);
    } else {
      way_[depth] = {id, i, whole != nullptr};
      edge(location, a, depth, whole);
    }
  }
}

void shape_claim(const promela::System& s, const Task& task, const Words& words, NameStore& names,
                 Property& out) {
  const PromelaRequest& request = task.request;
  Arena& arena = task.arena;
  const promela::Proctype& claim = s.proctypes[request.claim];
  const auto location_of = scratch_array<u32>(arena, kClaim, s.places.size(), kNone);
  if (claim.leaf_count != 0) out.values = claim_values(s, request.claim, arena);
  if (!out.values.is_known) {
    refuse(task.diagnostics, out.values.culprit,
           "an initial value like this, with a claim that has variables,");
  }
  const auto text = scratch_array<std::string_view>(arena, kClaim, claim.place_count);
  const auto accepting = scratch_array<u8>(arena, kClaim, claim.place_count);
  for (u32 i = 0; i < claim.place_count; ++i) {
    const promela::Place& place = s.places[claim.first_place + i];
    location_of[claim.first_place + i] = i;
    accepting[i] = place.is_accepting ? 1 : 0;
    FixedText<32> name;
    name.format(place.is_last ? "end" : "line %u", static_cast<unsigned>(words.line(place.place)));
    text[i] = names.keep(name.view());
  }
  WayFinder finder(s, location_of, task.diagnostics, out);
  for (u32 i = 0; i < claim.place_count; ++i) {
    const PlaceId id = claim.first_place + i;
    if (!s.places[id].is_indivisible) finder.ways(i, id, 0, nullptr);
  }
  out.shape.automaton = {request.property_text, location_of[claim.start], text, accepting, {}};
}

// One location, or: at some time no process is at a progress place, and never will be again.
void shape_labels(const PromelaRequest& request, Arena& arena, Property& out) {
  const u32 locations = request.progress ? 2 : 1;
  const auto names = scratch_array<std::string_view>(arena, kClaim, locations);
  const auto accepting = scratch_array<u8>(arena, kClaim, locations);
  names[0] = request.progress ? "before" : "always";
  out.edges.push({0, 0, 0, 0});
  if (request.progress) {
    names[1] = "no progress";
    accepting[1] = 1;
    out.edges.push({0, 1, 0, kNone});
    out.edges.push({1, 1, 0, kNone});
  }
  out.shape.automaton = {request.property_text, 0, names, accepting, {}};
}

}  // namespace

void shape_automaton(const promela::System& s, const Task& task, const Words& words,
                     NameStore& names, Property& out) {
  const PromelaRequest& request = task.request;
  if (request.automaton != nullptr) {
    out.shape = shape_of(*request.automaton, request.as_cycles, task.arena);
    if (!request.property_text.empty() && request.is_of_model)
      out.shape.automaton.name = request.property_text;
    return;
  }
  if (!has_automaton(request)) return;
  if (request.claim != kNone) {
    shape_claim(s, task, words, names, out);
  } else {
    shape_labels(request, task.arena, out);
  }
  const auto edges = scratch_array<ir::Automaton::Edge>(task.arena, kClaim, out.edges.size());
  for (u32 i = 0; i < out.edges.size(); ++i)
    edges[i] = {.source = out.edges[i].location, .target = out.edges[i].target};
  out.shape.automaton.edges = edges;
}

}  // namespace xmc::promela_lower
