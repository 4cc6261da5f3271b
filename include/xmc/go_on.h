// GoOn: how long work in a store asks now and then whether to go on. Code::stopped: what it makes
// is wanted no more, and may be left half done. The answer comes from the engine that polls
// (xmc/run_control.h); a store by itself, without anybody to ask, goes on.
#pragma once

#include "xmc/long_work.h"
#include "xmc/status.h"

namespace xmc {

struct GoOn {
  void* self = nullptr;
  Status (*ask)(void* self) = nullptr;
  LongWork* work = nullptr;  // of whoever is asked

  Status operator()() const { return ask == nullptr ? Status() : ask(self); }
  // The same, with how much of the work under way is done.
  Status operator()(u64 done, u64 total) const {
    if (work != nullptr) work->set(done, total);
    return (*this)();
  }
};

}  // namespace xmc
