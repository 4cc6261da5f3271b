// IoWorker: one thread that moves blocks while the search computes. Double buffering needs no more:
// a card serves one request at a time, so a second thread would only wait beside the first.
//
// A job lives in the memory of its owner and is linked into the queue, which therefore has no limit
// and takes no memory; jobs run in the order they came. start() belongs before the arena is sealed:
// see thread.h.
#pragma once

#include "platform/thread.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

struct IoJob {
  void (*run)(IoJob& job) = nullptr;  // called on the worker's thread

 private:
  friend class IoWorker;
  IoJob* next_ = nullptr;
  bool queued_ = false;  // from submit() until run() returned; under the worker's lock
};

class IoWorker {
 public:
  // Tests put in a CreateThread that refuses.
  constexpr explicit IoWorker(CreateThread create = &::pthread_create) : create_(create) {}
  IoWorker(const IoWorker&) = delete;
  IoWorker& operator=(const IoWorker&) = delete;

  // Makes the thread, the first time. After a failure every call tries again.
  Status start();
  bool running() const { return running_; }

  // The worker runs; the job is not in the queue, and stays where it is until wait() returned.
  void submit(IoJob& job);
  // Returns when the job is done; at once for one that was never submitted.
  void wait(IoJob& job);

 private:
  static void* thread_main(void* self);
  [[noreturn]] void loop();

  CreateThread create_;
  bool running_ = false;
  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t work_ = PTHREAD_COND_INITIALIZER;
  pthread_cond_t done_ = PTHREAD_COND_INITIALIZER;
  IoJob* first_ = nullptr;
  IoJob* last_ = nullptr;
};

// The one of this process.
IoWorker& io_worker();

}  // namespace xmc
