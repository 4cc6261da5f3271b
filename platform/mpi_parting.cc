// How the processes of an MPI job part, whatever is under way between them.
#include "platform/mpi_owner.h"

#include <signal.h>
#include <unistd.h>

#include "platform/memory.h"

namespace xmc {

namespace {

constexpr unsigned kFinalizeSeconds = 5;
volatile sig_atomic_t status_at_last = 0;

}  // namespace

void MpiPeers::drop_blocks(u32 from) {
  progress_of(from);
  Other& other = others_[from];
  while (other.come != other.released && !failed_) post_receive(from, other.released++);
}

// Of a process that never started, and has no buffers. It has nothing else to do with its memory.
void MpiPeers::drop_unasked_blocks() {
  MPI_Status status;
  while (is_there(blocks_, MPI_ANY_SOURCE, MPI_ANY_TAG, status)) {
    int bytes = 0;
    ok(MPI_Get_count(&status, MPI_BYTE, &bytes));
    const u64 size = static_cast<u64>(std::max(bytes, 1));
    Result<std::span<u8>> region = map_region(size);
    if (!region.ok()) {
      failed_ = true;
      return;
    }
    if (!take(region.value().data(), size, status, blocks_)) return;
    unmap_region(region.value());
    if (status.MPI_TAG == kFarewell) others_[status.MPI_SOURCE].no_blocks = true;
  }
}

void MpiPeers::drop_words(u32 from) {
  Other& other = others_[from];
  MPI_Status status;
  while (!other.no_words && is_there(words_, static_cast<int>(from), MPI_ANY_TAG, status)) {
    u64 one_process[kMostValues];
    const bool all = status.MPI_TAG == kAllValues;
    u64* const to = all ? values_ : one_process;
    const u64 each = all && buffer_bytes_ == 0 ? sizeof(u64) : sizeof one_process;
    const u64 room = all ? count_ * each : each;
    if (!take(to, room, status, words_)) return;
    other.no_words = status.MPI_TAG == kFarewell;
    if (other.no_words && from == 0) status_ = to[0];
  }
}

bool MpiPeers::parted(Other& other) {
  bool sent = other.sent == other.posted;
  for (MPI_Request* request :
       {&other.stop, &other.signal, &other.values, &other.farewell[0], &other.farewell[1]}) {
    sent = done(*request) && sent;
  }
  return sent && other.no_blocks && other.no_words;
}

void MpiPeers::cancel_receives() {
  for (u32 i = 0; i < count_; ++i) {
    for (Receive& receive : others_[i].receiving) {
      if (receive.request == MPI_REQUEST_NULL) continue;
      ok(MPI_Cancel(&receive.request));
      ok(MPI_Wait(&receive.request, MPI_STATUS_IGNORE));
    }
  }
}

// A farewell is the last message of a process in each communicator: when those of all have come,
// and mine were taken, nothing is under way. It may take as long as the slowest process searches.
int MpiPeers::part(int status) {
  status_ = farewell_word_ = static_cast<u64>(status);
  for (u32 i = 0; i < count_ && !failed_; ++i) {
    if (i == me_) continue;
    send(nullptr, 0, i, kFarewell, blocks_, others_[i].farewell[0]);
    send(&farewell_word_, sizeof farewell_word_, i, kFarewell, words_, others_[i].farewell[1]);
  }
  for (Patience patience(10'000'000); !failed_; patience.pause()) {
    if (buffer_bytes_ == 0 && count_ > 1) drop_unasked_blocks();
    bool all = true;
    for (u32 i = 0; i < count_ && !failed_; ++i) {
      if (i == me_) continue;
      if (buffer_bytes_ != 0) drop_blocks(i);
      drop_words(i);
      all = parted(others_[i]) && all;
    }
    if (all) break;
  }
  if (failed_) return status;
  cancel_receives();
  // Nobody begins anew before all have forgotten what was.
  ok(MPI_Barrier(words_));
  forget();
  parted_ = true;
  return static_cast<int>(status_);
}

void MpiPeers::forget() {
  for (Other& other : others_) {
    other = Other();
    std::fill(std::begin(other.sending), std::end(other.sending), MPI_REQUEST_NULL);
  }
  buffer_bytes_ = 0;
  values_ = one_of_each_;
  sender_ = kNone;
  reason_ = failed_ ? kLost : StopReason::none;
  stopped_by_ = kNone;
}

int MpiPeers::end(int status) {
  const int agreed = parted_ ? status : part(status);
  if (failed_) MPI_Abort(MPI_COMM_WORLD, status);
  // MPICH 4.0.2 over UCX's TCP closes connections with the help of the other side, which is asleep
  // once its own are closed: so nobody goes there early, and who is still there after a while just
  // ends. All has been said and written.
  MPI_Barrier(MPI_COMM_WORLD);
  status_at_last = agreed;
  ::signal(SIGALRM, [](int) { ::_exit(status_at_last); });
  ::alarm(kFinalizeSeconds);
  MPI_Finalize();
  ::alarm(0);
  return agreed;
}

}  // namespace xmc
