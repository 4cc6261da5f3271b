// Parallel: the other cores, as engines see them. Work is handed out as jobs that live in the
// memory of their owner; nothing is allocated and nothing of threads shows.
//
// Whoever asks for a job's end lends a hand meanwhile: finish() runs jobs that still wait, on the
// caller's thread. So a job may end on any thread, and none of them is lost when the others are
// slow or were never started.
#pragma once

#include <algorithm>

#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/types.h"

namespace xmc {

class Parallel {
 public:
  struct Job {
    // `thread` is 0 for the owner's thread, and below threads().
    void (*run)(Job& job, u32 thread) = nullptr;
    // Of the implementation.
    Job* next = nullptr;
    bool pending = false;  // from submit() until run() returned
  };

  // With the owner's own.
  virtual u32 threads() const = 0;
  // The job stays where it is until finish() returned. Jobs are begun in the order they came.
  // Only the owner's thread calls this, done() and finish().
  virtual void submit(Job& job) = 0;
  virtual bool done(const Job& job) = 0;
  // Returns when the job is done; at once for one that was not submitted.
  virtual void finish(Job& job) = 0;
  // For what jobs share: one thread at a time is between these two. It makes no other call of this
  // class meanwhile. Use ParallelLock.
  virtual void lock() = 0;
  virtual void unlock() = 0;

 protected:
  ~Parallel() = default;
};

class ParallelLock {
 public:
  // Null: there is one thread only.
  explicit ParallelLock(Parallel* parallel) : parallel_(parallel) {
    if (parallel_ != nullptr) parallel_->lock();
  }
  ParallelLock(const ParallelLock&) = delete;
  ParallelLock& operator=(const ParallelLock&) = delete;
  ~ParallelLock() {
    if (parallel_ != nullptr) parallel_->unlock();
  }

 private:
  Parallel* parallel_;
};

// In how many parts 0..count is worth cutting, if none should be shorter than `least`.
inline u32 parts_of(const Parallel* parallel, u32 count, u32 least) {
  const u32 threads = parallel == nullptr ? 1 : parallel->threads();
  return std::max(1u, std::min(threads, count / std::max(least, 1u)));
}

// f(begin, end, part) for each of `parts` parts of 0..count, at the same time.
template <class F>
void for_parts(Parallel* parallel, u32 parts, u32 count, F f) {
  struct Part : Parallel::Job {
    F* call;
    u32 index;
    u32 begin;
    u32 end;
  };
  if (parts == 1) return f(0u, count, 0u);
  XMC_CHECK(parts <= limits::kThreads);
  Part part[limits::kThreads];
  for (u32 i = 0; i < parts; ++i) {
    part[i].call = &f;
    part[i].index = i;
    part[i].begin = static_cast<u32>(u64{count} * i / parts);
    part[i].end = static_cast<u32>(u64{count} * (i + 1) / parts);
    part[i].run = [](Parallel::Job& job, u32) {
      Part& p = static_cast<Part&>(job);
      (*p.call)(p.begin, p.end, p.index);
    };
    if (i > 0) parallel->submit(part[i]);
  }
  part[0].run(part[0], 0);
  for (u32 i = 1; i < parts; ++i) parallel->finish(part[i]);
}

}  // namespace xmc
