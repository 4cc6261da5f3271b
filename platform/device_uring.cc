// The io_uring backend: a batch of reads goes to the kernel as a whole and is served in any order.
// Everything else is the POSIX backend's: appends are large and sequential, so a queue would gain
// nothing there. A request that comes back short or with a passing error is finished by the POSIX
// loop, which has the retries.
#ifdef XMC_HAVE_URING

#include <liburing.h>

#include <atomic>
#include <cerrno>

#include "platform/device_posix.h"
#include "xmc/check.h"

namespace xmc {
namespace {

// Deep enough for SATA and NVMe (32 is what their figures are quoted for); a card serves one at a
// time anyway.
constexpr u32 kQueueDepth = 32;

// A queue of the kernel with one user at a time.
class Ring {
 public:
  // False where the kernel has no io_uring or forbids it, or does not know the read operation.
  bool start();
  bool take() { return !taken_.test_and_set(std::memory_order_acquire); }
  void give_back() { taken_.clear(std::memory_order_release); }
  // Bits of the requests, at most kQueueDepth, that came back short or with an error.
  u64 read(const FileBackend::File& file, std::span<const ReadRequest> group);

 private:
  struct io_uring ring_ = {};
  std::atomic_flag taken_;
};

class UringBackend final : public PosixFiles {
 public:
  constexpr UringBackend() : PosixFiles(kSystemCalls) {}

  bool start();

  const char* name() const override { return "uring"; }
  u32 queue_depth() const override { return kQueueDepth; }
  Status read(const File& file, std::span<const ReadRequest> batch) override;

 private:
  Status read_groups(Ring& ring, const File& file, std::span<const ReadRequest> batch);

  // One for the search and one for the thread that reads ahead for it.
  Ring rings_[2];
};

bool Ring::start() {
  if (::io_uring_queue_init(kQueueDepth, &ring_, 0) != 0) return false;
  // io_uring_get_probe would allocate; one read of nothing on a bad descriptor tells as much: a
  // kernel that knows the operation says EBADF, one that does not says EINVAL.
  u8 nothing = 0;
  struct io_uring_sqe* entry = ::io_uring_get_sqe(&ring_);
  XMC_CHECK(entry != nullptr);
  ::io_uring_prep_read(entry, -1, &nothing, 1, 0);
  struct io_uring_cqe* done = nullptr;
  const bool answered =
      ::io_uring_submit_and_wait(&ring_, 1) == 1 && ::io_uring_peek_cqe(&ring_, &done) == 0;
  const bool known = answered && done->res == -EBADF;
  if (answered) ::io_uring_cqe_seen(&ring_, done);
  if (!known) ::io_uring_queue_exit(&ring_);
  return known;
}

u64 Ring::read(const FileBackend::File& file, std::span<const ReadRequest> group) {
  for (u32 i = 0; i < group.size(); ++i) {
    struct io_uring_sqe* entry = ::io_uring_get_sqe(&ring_);
    XMC_CHECK(entry != nullptr);  // the group is no larger than the queue, and the queue was empty
    ::io_uring_prep_read(entry, static_cast<int>(file.handle), group[i].into.data(),
                         static_cast<unsigned>(group[i].into.size()), group[i].offset);
    ::io_uring_sqe_set_data64(entry, i);
  }
  // The kernel writes into the buffers until every completion was seen: no way out before that.
  u32 submitted = 0;
  while (submitted < group.size()) {
    const int result =
        ::io_uring_submit_and_wait(&ring_, static_cast<unsigned>(group.size()) - submitted);
    if (result > 0) submitted += static_cast<u32>(result);
    XMC_CHECK(result >= 0 || result == -EINTR || result == -EAGAIN || result == -EBUSY);
  }
  u64 unfinished = 0;
  for (u32 seen = 0; seen < group.size();) {
    struct io_uring_cqe* done = nullptr;
    const int result = ::io_uring_wait_cqe(&ring_, &done);
    if (result == -EINTR || result == -EAGAIN) continue;
    XMC_CHECK(result == 0);
    const u32 i = static_cast<u32>(::io_uring_cqe_get_data64(done));
    XMC_CHECK(i < group.size());
    if (done->res < 0 || static_cast<u64>(done->res) != group[i].into.size())
      unfinished |= u64{1} << i;
    ::io_uring_cqe_seen(&ring_, done);
    ++seen;
  }
  return unfinished;
}

// A second ring that cannot be had stays taken.
bool UringBackend::start() {
  if (!rings_[0].start()) return false;
  if (!rings_[1].start()) static_cast<void>(rings_[1].take());
  return true;
}

Status UringBackend::read_groups(Ring& ring, const File& file, std::span<const ReadRequest> batch) {
  static_assert(kQueueDepth <= 64, "one bit per request of a group");
  while (!batch.empty()) {
    const auto group = batch.first(batch.size() < kQueueDepth ? batch.size() : kQueueDepth);
    const u64 unfinished = ring.read(file, group);
    for (u32 i = 0; i < group.size(); ++i) {
      if ((unfinished >> i & 1) != 0) XMC_TRY(read_one(file, group[i]));
    }
    batch = batch.subspan(group.size());
  }
  return {};
}

Status UringBackend::read(const File& file, std::span<const ReadRequest> batch) {
  if (batch.size() == 1) return read_one(file, batch[0]);
  for (Ring& ring : rings_) {
    if (!ring.take()) continue;
    const Status status = read_groups(ring, file, batch);
    ring.give_back();
    return status;
  }
  return PosixFiles::read(file, batch);
}

}  // namespace

FileBackend* uring_backend() {
  // Asked before there are threads: a static that guards itself would need the C++ runtime.
  static constinit UringBackend backend;
  static constinit enum { unknown, works, refused } state = unknown;
  if (state == unknown) state = backend.start() ? works : refused;
  return state == works ? &backend : nullptr;
}

}  // namespace xmc

#endif  // XMC_HAVE_URING
