#include "engine/delayed/dddd.h"

namespace xmc {

Status DdddVisited::begin() {
  policy_.reset();
  XMC_TRY(DelayedVisited::begin());
  return search().options.training ? train() : Status();
}

// The forecast starts anew: the first level is compared. A search that is stopped again and again
// would otherwise never look at thin levels.
Status DdddVisited::restore(Lines& io) {
  policy_.reset();
  policy_.judge_next();
  return DelayedVisited::restore(io);
}

bool DdddVisited::delay(u64 candidates) {
  DelayPolicy::Level level;
  level.candidates = candidates;
  const CandidateSample::Estimate sampled = estimate_candidates();
  level.duplicates = sampled.old;
  level.fresh = sampled.fresh;
  level.sampled = static_cast<double>(candidates) / sampled.factor;
  // Repeats are in the file, too, but do not count: they would excuse ever more repeats.
  level.visited = states();
  level.degree = degree();
  return policy_.delay(level, costs());
}

void DdddVisited::looked_up(u64 hits) { policy_.found(hits); }

void DdddVisited::detected(u64 before_last, u64 last, u64 since) {
  policy_.detected(before_last, last, since);
  stats().forecast_error_permille = static_cast<u64>(policy_.forecast_error() * 1000);
}

}  // namespace xmc
