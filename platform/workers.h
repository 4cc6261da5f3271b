// Workers: the threads behind Parallel. A fixed set, made once; one lock, because a job is a
// thousand expansions and not one.
#pragma once

#include "platform/thread.h"
#include "xmc/limits.h"
#include "xmc/parallel.h"
#include "xmc/status.h"

namespace xmc {

class Workers final : public Parallel {
 public:
  // Expansions are shallow, but under --paranoid the judge recurses over expressions, up to
  // limits::kTreeDepth deep.
  static constexpr u64 kStackBytes = u64{192} << 10;

  // Tests put in a CreateThread that refuses.
  constexpr explicit Workers(CreateThread create = &::pthread_create) : create_(create) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Makes threads - 1 threads, once, before the arena is sealed. After a failure there are as many
  // as threads() says, and everything works with them.
  Status start(u32 threads);

  u32 threads() const override { return threads_; }
  void submit(Job& job) override;
  bool done(const Job& job) override;
  void finish(Job& job) override;
  void lock() override;
  void unlock() override;

 private:
  struct Seat {
    Workers* owner = nullptr;
    u32 thread = 0;
  };
  static void* thread_main(void* seat);
  [[noreturn]] void loop(u32 thread);
  // Takes the first job off the queue and runs it; the lock is held before and after.
  void run_first(u32 thread);

  CreateThread create_;
  u32 threads_ = 1;
  Seat seats_[limits::kThreads];
  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t work_ = PTHREAD_COND_INITIALIZER;
  pthread_cond_t done_ = PTHREAD_COND_INITIALIZER;
  bool waiting_ = false;  // the owner, for a job that is done elsewhere
  u32 idle_ = 0;          // threads that wait for work
  Job* first_ = nullptr;
  Job* last_ = nullptr;
  pthread_mutex_t shared_ = PTHREAD_MUTEX_INITIALIZER;  // of what jobs share
};

// Those of this process.
Workers& workers();

}  // namespace xmc
