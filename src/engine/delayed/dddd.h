// The `dddd` engine: dynamic delayed duplicate detection (Evangelista 2008): a detection waits
// while it would cost more than the revisits that it spares (engine/delayed/delay_policy.h), at
// costs that are measured: of a state during the run, of a byte that is written by the probe of the
// device;
// --partial K levels are looked at meanwhile.
#pragma once

#include "engine/delayed/delayed_search.h"

namespace xmc {

class DdddEngine final : public DelayedSearch {
 public:
  constexpr DdddEngine() = default;
  const char* name() const override { return "dddd"; }
  bool wants_probe() const override { return true; }
  FlashUse flash_use() const override {
    return {1, 1, "states that are enqueued again, candidates that overflow the table"};
  }

 private:
  Status begin_store() override;
  Status restore_store(const Manifest& manifest) override;
  bool delay(u64 candidates) override;
  u32 partial_lengths() const override { return search_.options.partial_lengths; }
  void looked_up(u64 hits) override;
  void detected(u64 before_last, u64 last, u64 since) override;

  DelayPolicy policy_;
};

}  // namespace xmc
