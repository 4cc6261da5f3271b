#include "platform/io_worker.h"

#include <signal.h>
#include <unistd.h>

#include "xmc/check.h"

namespace xmc {
namespace {

// A transfer and the message of a failed one take under 4 KiB. Only pages that are touched become
// resident; the C library adds a guard page. Some targets insist on more (arm64: 128 KiB).
constexpr u64 kStackBytes = u64{64} << 10;

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

std::size_t stack_bytes() {
  const long least = ::sysconf(_SC_THREAD_STACK_MIN);
  const u64 bytes =
      least > 0 && static_cast<u64>(least) > kStackBytes ? static_cast<u64>(least) : kStackBytes;
  return static_cast<std::size_t>(bytes);
}

}  // namespace

IoWorker& io_worker() {
  static constinit IoWorker worker;
  return worker;
}

Status IoWorker::start() {
  if (running_) return {};
  pthread_attr_t how;
  int error = ::pthread_attr_init(&how);
  if (error == 0) {
    error = ::pthread_attr_setstacksize(&how, stack_bytes());
    if (error == 0) error = ::pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED);
    // The new thread inherits the mask: signals are for the thread that polls their flags.
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    XMC_CHECK(::pthread_sigmask(SIG_SETMASK, &all, &before) == 0);
    pthread_t thread;
    if (error == 0) error = create_(&thread, &how, &thread_main, this);
    XMC_CHECK(::pthread_sigmask(SIG_SETMASK, &before, nullptr) == 0);
    ::pthread_attr_destroy(&how);
  }
  if (error != 0) return Status::fail_os(Code::io, error, "cannot start a thread for I/O");
  running_ = true;
  return {};
}

void IoWorker::submit(IoJob& job) {
  XMC_CHECK(running_);
  XMC_CHECK(job.run != nullptr);
  const Locked locked(lock_);
  XMC_CHECK(!job.queued_);
  job.queued_ = true;
  job.next_ = nullptr;
  (last_ == nullptr ? first_ : last_->next_) = &job;
  last_ = &job;
  ::pthread_cond_signal(&work_);
}

void IoWorker::wait(IoJob& job) {
  const Locked locked(lock_);
  while (job.queued_) ::pthread_cond_wait(&done_, &lock_);
}

void* IoWorker::thread_main(void* self) { static_cast<IoWorker*>(self)->loop(); }

void IoWorker::loop() {
  XMC_CHECK(::pthread_mutex_lock(&lock_) == 0);
  while (true) {
    while (first_ == nullptr) ::pthread_cond_wait(&work_, &lock_);
    IoJob& job = *first_;
    first_ = job.next_;
    if (first_ == nullptr) last_ = nullptr;
    ::pthread_mutex_unlock(&lock_);
    job.run(job);
    ::pthread_mutex_lock(&lock_);
    job.queued_ = false;
    ::pthread_cond_broadcast(&done_);
  }
}

}  // namespace xmc
