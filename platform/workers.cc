#include "platform/workers.h"

#include "xmc/check.h"

namespace xmc {

Workers& workers() {
  static constinit Workers all;
  return all;
}

Status Workers::start(u32 threads) {
  XMC_CHECK(threads_ == 1);
  XMC_CHECK(threads >= 1 && threads <= limits::kThreads);
  while (threads_ < threads) {
    Seat& seat = seats_[threads_];
    seat = {this, threads_};
    const int error = start_thread(create_, kStackBytes, &thread_main, &seat);
    if (error != 0) {
      return Status::fail_os(Code::io, error, "only %u of %u threads could be started", threads_,
                             threads);
    }
    ++threads_;
  }
  return {};
}

void Workers::run_first(u32 thread) {
  Job& job = *first_;
  first_ = job.next;
  if (first_ == nullptr) last_ = nullptr;
  ::pthread_mutex_unlock(&lock_);
  job.run(job, thread);
  ::pthread_mutex_lock(&lock_);
  job.pending = false;
  if (waiting_) ::pthread_cond_signal(&done_);
}

void Workers::submit(Job& job) {
  XMC_CHECK(job.run != nullptr);
  const Locked locked(lock_);
  XMC_CHECK(!job.pending);
  job.pending = true;
  job.next = nullptr;
  (last_ == nullptr ? first_ : last_->next) = &job;
  last_ = &job;
  if (idle_ > 0) ::pthread_cond_signal(&work_);
}

bool Workers::done(const Job& job) {
  const Locked locked(lock_);
  return !job.pending;
}

void Workers::finish(Job& job) {
  const Locked locked(lock_);
  while (job.pending) {
    if (first_ != nullptr) {
      run_first(0);
      continue;
    }
    waiting_ = true;
    ::pthread_cond_wait(&done_, &lock_);
    waiting_ = false;
  }
}

void Workers::lock() { XMC_CHECK(::pthread_mutex_lock(&shared_) == 0); }

void Workers::unlock() { XMC_CHECK(::pthread_mutex_unlock(&shared_) == 0); }

void* Workers::thread_main(void* seat) {
  const Seat& own = *static_cast<const Seat*>(seat);
  own.owner->loop(own.thread);
}

void Workers::loop(u32 thread) {
  XMC_CHECK(::pthread_mutex_lock(&lock_) == 0);
  while (true) {
    while (first_ == nullptr) {
      ++idle_;
      ::pthread_cond_wait(&work_, &lock_);
      --idle_;
    }
    run_first(thread);
  }
}

}  // namespace xmc
