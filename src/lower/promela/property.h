// What a run is asked beside its moves: an automaton, where there is one, and predicates. Its shape
// is there before the layout; guards and conditions are bodies, which come after the moves
// (bodies.h).
#pragma once

#include "front/promela/system.h"
#include "front/source.h"
#include "lower/automaton_shape.h"
#include "lower/name_store.h"
#include "lower/promela/claim_values.h"
#include "lower/promela/promela_lower.h"
#include "lower/promela/words.h"
#include "xmc/limits.h"

namespace xmc::promela_lower {

constexpr u32 kClaimDepth = limits::kBlockDepth;

// For whom a program is made, and with what.
struct Task {
  const PromelaRequest& request;
  Diagnostics& diagnostics;
  Arena& arena;
};

struct ClaimStep {
  promela::PlaceId place = 0;
  u32 option = 0;         // of the place
  bool is_first = false;  // in a d_step: the first one that can be executed
};

// Statements that are one move; `count` is kNone for the absence of progress.
struct ClaimWay {
  u32 location = 0;
  u32 target = 0;
  u32 first = 0;  // Property::steps
  u32 count = 0;
};

struct Property {
  explicit Property(Arena& arena)
      : steps(arena, "claim"),
        edges(arena, "claim"),
        checks(arena, "claim"),
        places(arena, "claim") {}

  AutomatonShape shape;
  // Of a claim, of accept labels or of progress.
  Pool<ClaimStep, 6, 4096> steps;
  Pool<ClaimWay, 6, 2048> edges;
  Pool<ClaimWay, 6, 2048> checks;       // assertions
  Pool<promela::Span, 5, 2048> places;  // of the predicates that a claim makes, which come last
  ClaimValues values;
};

inline bool has_automaton(const PromelaRequest& request) {
  return request.automaton != nullptr || request.claim != kNone || request.accepting ||
         request.progress;
}

// Without the guards. What is not supported is refused where it stands.
void shape_automaton(const promela::System& system, const Task& task, const Words& words,
                     NameStore& names, Property& out);

}  // namespace xmc::promela_lower
