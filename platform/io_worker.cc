#include "platform/io_worker.h"

#include "xmc/check.h"

namespace xmc {
namespace {

// A transfer and the message of a failed one take under 4 KiB.
constexpr u64 kStackBytes = u64{64} << 10;

}  // namespace

IoWorker& io_worker() {
  static constinit IoWorker worker;
  return worker;
}

Status IoWorker::start() {
  if (running_) return {};
  const int error = start_thread(create_, kStackBytes, &thread_main, this);
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
