#include "engine/delayed/dddd.h"

namespace xmc {

Status DdddEngine::begin_store() {
  policy_.reset();
  XMC_TRY(DelayedSearch::begin_store());
  return search_.options.training ? train() : Status();
}

// The forecast starts anew: the first level is compared.
Status DdddEngine::restore_store(const Manifest& manifest) {
  policy_.reset();
  return DelayedSearch::restore_store(manifest);
}

bool DdddEngine::delay(u64 candidates) {
  DelayPolicy::Level level;
  level.candidates = candidates;
  const Sampled sampled = sample_candidates();
  level.duplicates = sampled.old;
  level.fresh = sampled.fresh;
  level.sampled = static_cast<double>(candidates) / sampled.factor;
  // Repeats are in the file, too, but do not count: they would excuse ever more repeats.
  level.visited = states();
  level.degree = degree();
  return policy_.delay(level, costs());
}

void DdddEngine::looked_up(u64 hits) { policy_.found(hits); }

void DdddEngine::detected(u64 before_last, u64 last, u64 since) {
  policy_.detected(before_last, last, since);
  stats().forecast_error_permille = static_cast<u64>(policy_.forecast_error() * 1000);
}

}  // namespace xmc
