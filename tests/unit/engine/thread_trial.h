// Threads for tests of engines: real ones, and stand-ins that take their time.
#pragma once

#include <vector>

#include "platform/workers.h"
#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/parallel.h"

namespace xmc_test {

using namespace xmc;

inline constexpr u32 kLazy = 0;

// No thread at all, but jobs that take for ever until somebody waits for them: everything that can
// be done beside them is.
class Lazy final : public Parallel {
 public:
  u32 threads() const override { return 2; }
  void submit(Job& job) override {
    job.pending = true;
    jobs_.push_back(&job);
  }
  bool done(const Job& job) override { return !job.pending; }
  void finish(Job& job) override {
    while (job.pending) {
      Job& first = *jobs_.front();
      jobs_.erase(jobs_.begin());
      first.run(first, 1);
      first.pending = false;
    }
  }
  void lock() override {}
  void unlock() override {}

 private:
  std::vector<Job*> jobs_;
};

// Threads never end, so each number of them is made once.
inline Parallel* threads(u32 count) {
  static Workers all[limits::kThreads + 1];
  static Lazy lazy;
  if (count == kLazy) return &lazy;
  if (count == 1) return nullptr;
  if (all[count].threads() == 1) XMC_CHECK(all[count].start(count).ok());
  return &all[count];
}

}  // namespace xmc_test
