// What the two users of threads share: how one is made, and a lock that is held for a scope.
//
// pthread_create takes a few hundred bytes from the heap (the thread's table of thread-local
// storage) and maps the stack, so threads are made before the arena is sealed; nothing is allocated
// after it. A thread takes no signals, owns nothing, and is never stopped: it ends with the
// process.
#pragma once

#include <pthread.h>

#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc {

// pthread_create, or a test's stand-in for it.
using CreateThread = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

// A thread that runs main(self), detached, all signals blocked. `stack_bytes` of address space
// (more where the C library insists: arm64 wants 128 KiB), of which only touched pages become
// resident; a guard page comes on top. 0 or an errno.
int start_thread(CreateThread create, u64 stack_bytes, void* (*main)(void*), void* self);

class Locked {
 public:
  explicit Locked(pthread_mutex_t& lock) : lock_(&lock) {
    XMC_CHECK(::pthread_mutex_lock(lock_) == 0);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() { XMC_CHECK(::pthread_mutex_unlock(lock_) == 0); }

 private:
  pthread_mutex_t* lock_;
};

}  // namespace xmc
