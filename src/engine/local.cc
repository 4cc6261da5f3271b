#include "engine/local.h"

#include <algorithm>

#include "engine/level_checkpoint.h"

namespace xmc {

namespace {

constexpr u64 kFirstWindow = 4;

}  // namespace

Status LocalEngine::begin_store() {
  window_ = kFirstWindow;
  partial_ = 0;
  since_full_ = kFullEvery;
  return RecentSearch::begin_store();
}

Status LocalEngine::save_store(Manifest& manifest) {
  manifest.add("local-partial", partial_);
  manifest.add("local-window", window_);
  return {};
}

Status LocalEngine::restore_store(const Manifest& manifest) {
  XMC_TRY(LocalEngine::begin_store());
  XMC_TRY(restore_number(manifest, "local-partial", partial_));
  return restore_number(manifest, "local-window", window_);
}

Status LocalEngine::detect() {
  const u64 old = recent_.old_slots();
  const u64 newest = old - std::min(old, window_);
  u64 near = 0;
  XMC_TRY(recent_.scan(newest, old, near));
  if (newest == 0) return {};
  if (++since_full_ < kFullEvery && !at_last_level()) {
    ++partial_;
    return {};
  }
  u64 far = 0;
  XMC_TRY(recent_.scan(0, newest, far));
  since_full_ = 0;
  // One missed state costs its expansion and a second look at its successors: one in twenty is
  // about what reading twice as much would cost.
  window_ = far * 20 > near + far ? window_ * 2 : std::max(window_ - window_ / 4, kFirstWindow);
  return {};
}

Status LocalEngine::conclude() { return partial_ == 0 ? Status() : drop_repeats(); }

}  // namespace xmc
