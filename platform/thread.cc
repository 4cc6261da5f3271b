#include "platform/thread.h"

#include <signal.h>
#include <unistd.h>

namespace xmc {
namespace {

std::size_t accepted_stack(u64 wanted) {
  const long least = ::sysconf(_SC_THREAD_STACK_MIN);
  const u64 bytes =
      least > 0 && static_cast<u64>(least) > wanted ? static_cast<u64>(least) : wanted;
  return static_cast<std::size_t>(bytes);
}

}  // namespace

int start_thread(CreateThread create, u64 stack_bytes, void* (*main)(void*), void* self) {
  pthread_attr_t how;
  int error = ::pthread_attr_init(&how);
  if (error != 0) return error;
  error = ::pthread_attr_setstacksize(&how, accepted_stack(stack_bytes));
  if (error == 0) error = ::pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED);
  // The new thread inherits the mask: signals are for the thread that polls their flags.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  XMC_CHECK(::pthread_sigmask(SIG_SETMASK, &all, &before) == 0);
  pthread_t thread;
  if (error == 0) error = create(&thread, &how, main, self);
  XMC_CHECK(::pthread_sigmask(SIG_SETMASK, &before, nullptr) == 0);
  ::pthread_attr_destroy(&how);
  return error;
}

}  // namespace xmc
