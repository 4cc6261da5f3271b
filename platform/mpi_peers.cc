#include "platform/mpi_peers.h"

#include <algorithm>
#include <cstdlib>

#include "platform/mpi_owner.h"
#include "platform/signals.h"
#include "platform/used_code.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// What MPI is asked for where nobody has asked it for something else. For what comes through shared
// memory UCX takes 512 buffers of 8 KiB at a time.
void ask_for_little() { static_cast<void>(::setenv("UCX_MM_RX_BUFS_GROW", "16", 0)); }

}  // namespace

Status MpiPeers::begin(int& argc, char**& argv) {
  int level = 0;
  int size = 1;
  int rank = 0;
  ask_for_little();
  ok(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level));
  // Communicators that are made of this one have the same handler.
  ok(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  ok(MPI_Comm_size(MPI_COMM_WORLD, &size));
  ok(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  ok(MPI_Comm_dup(MPI_COMM_WORLD, &blocks_));
  ok(MPI_Comm_dup(MPI_COMM_WORLD, &words_));
  if (failed_) return Status::fail(Code::io, "MPI could not be started");
  if (size > static_cast<int>(limits::kOwners)) {
    return Status::fail(Code::usage,
                        "mpiexec has started %d processes; at most %u can share a "
                        "search",
                        size, limits::kOwners);
  }
  count_ = static_cast<u32>(size);
  me_ = static_cast<u32>(rank);
  forget();
  drop_used_code(CodeOf::libraries);
  talk_to_neighbours();
  return failed_ ? Status::fail(Code::io, "MPI could not be started") : Status();
}

// What it takes to talk is resident when the memory is shared out.
void MpiPeers::talk_to_neighbours() {
  u64 out[512] = {};
  u64 in[512];
  const int right = static_cast<int>((me_ + 1) % count_);
  const int left = static_cast<int>((me_ + count_ - 1) % count_);
  for (u32 i = 0; i < 2 && count_ > 1; ++i) {
    ok(MPI_Sendrecv(out, sizeof out, MPI_BYTE, right, 0, in, sizeof in, MPI_BYTE, left, 0, blocks_,
                    MPI_STATUS_IGNORE));
  }
}

bool MpiPeers::ok(int result) {
  if (result == MPI_SUCCESS) return true;
  failed_ = true;
  if (!over()) reason_ = kLost;
  return false;
}

bool MpiPeers::done(MPI_Request& request, MPI_Status* status) {
  int flag = 0;
  return ok(MPI_Test(&request, &flag, status)) && flag != 0;
}

bool MpiPeers::is_there(MPI_Comm where, int source, int tag, MPI_Status& status) {
  int flag = 0;
  return ok(MPI_Iprobe(source, tag, where, &flag, &status)) && flag != 0;
}

void MpiPeers::send(const void* bytes, u64 count, u32 to, int tag, MPI_Comm where,
                    MPI_Request& request) {
  ok(MPI_Isend(bytes, static_cast<int>(count), MPI_BYTE, static_cast<int>(to), tag, where,
               &request));
}

// What is_there().
bool MpiPeers::take(void* bytes, u64 room, const MPI_Status& of, MPI_Comm where) {
  return ok(MPI_Recv(bytes, static_cast<int>(room), MPI_BYTE, of.MPI_SOURCE, of.MPI_TAG, where,
                     MPI_STATUS_IGNORE));
}

u64 MpiPeers::bytes_for(u32 buffer_bytes) const {
  return u64{count_} * kMostValues * sizeof(u64) +
         u64{count_ - 1} * (kSendBuffers + kReceiveBuffers) * buffer_bytes;
}

void MpiPeers::start(u32 buffer_bytes, std::span<u8> memory) {
  XMC_CHECK(buffer_bytes_ == 0);
  XMC_CHECK(buffer_bytes != 0 && buffer_bytes % sizeof(Word) == 0);
  XMC_CHECK(memory.size() >= bytes_for(buffer_bytes));
  parted_ = false;
  buffer_bytes_ = buffer_bytes;
  values_ = reinterpret_cast<u64*>(memory.data());
  u8* next = memory.data() + u64{count_} * kMostValues * sizeof(u64);
  for (u32 i = 0; i < count_; ++i) {
    if (i == me_) continue;
    others_[i].out = next;
    others_[i].in = next + u64{kSendBuffers} * buffer_bytes;
    next = others_[i].in + u64{kReceiveBuffers} * buffer_bytes;
    for (u32 number = 0; number < kReceiveBuffers; ++number) post_receive(i, number);
  }
}

void MpiPeers::post_receive(u32 from, u32 number) {
  Other& other = others_[from];
  ok(MPI_Irecv(in_buffer(other, number), static_cast<int>(buffer_bytes_), MPI_BYTE,
               static_cast<int>(from), MPI_ANY_TAG, blocks_,
               &other.receiving[number % kReceiveBuffers].request));
}

// What has become of the oldest block in each direction.
void MpiPeers::progress_of(u32 owner) {
  Other& other = others_[owner];
  while (other.sent != other.posted && done(other.sending[other.sent % kSendBuffers])) {
    ++other.sent;
    ++changes_;
  }
  while (!other.no_blocks && other.come != other.released + kReceiveBuffers) {
    Receive& receive = other.receiving[other.come % kReceiveBuffers];
    MPI_Status status;
    if (!done(receive.request, &status)) return;
    other.no_blocks = status.MPI_TAG == kFarewell;
    if (other.no_blocks) return;
    int bytes = 0;
    ok(MPI_Get_count(&status, MPI_BYTE, &bytes));
    receive.bytes = static_cast<u32>(bytes);
    receive.last = status.MPI_TAG == kLastBlock;
    ++other.come;
    ++changes_;
  }
}

void MpiPeers::progress() {
  if (failed_) return;
  for (u32 i = 0; i < count_ && buffer_bytes_ != 0; ++i) {
    if (i != me_) progress_of(i);
  }
  MPI_Status status;
  while (count_ > 1 && is_there(words_, MPI_ANY_SOURCE, kStop, status)) {
    u64 word = 0;
    if (take(&word, sizeof word, status, words_))
      hear_stop(static_cast<StopReason>(word), static_cast<u32>(status.MPI_SOURCE));
  }
  while (me_ == 0 && count_ > 1 && is_there(words_, MPI_ANY_SOURCE, kSignal, status)) {
    u64 signal = 0;
    if (take(&signal, sizeof signal, status, words_)) request_stop(static_cast<int>(signal));
  }
  if (me_ != 0 && stop_requested() && signal_word_ == 0 && !failed_) tell_signal();
}

// Process 0 stops the search of all where it leaves a checkpoint, as if the signal were its own.
void MpiPeers::tell_signal() {
  signal_word_ = static_cast<u64>(stop_signal());
  send(&signal_word_, sizeof signal_word_, 0, kSignal, words_, others_[0].signal);
}

// Of several who stop the search before they hear of each other the first one in order counts.
void MpiPeers::hear_stop(StopReason reason, u32 from) {
  ++changes_;
  if (over() && stopped_by_ < from) return;
  reason_ = reason;
  stopped_by_ = from;
}

void MpiPeers::stop(StopReason reason) {
  if (over() || reason == StopReason::none) return;
  hear_stop(reason, me_);
  stop_word_ = static_cast<u64>(reason);
  for (u32 i = 0; i < count_ && !failed_; ++i) {
    if (i != me_) send(&stop_word_, sizeof stop_word_, i, kStop, words_, others_[i].stop);
  }
}

StopReason MpiPeers::stopped() {
  progress();
  return reason_;
}

std::span<u8> MpiPeers::buffer(u32 owner) {
  Other& other = others_[owner];
  if (other.posted - other.sent == kSendBuffers) progress();
  if (failed_ || other.posted - other.sent == kSendBuffers) return {};
  return {other.out + u64{other.posted % kSendBuffers} * buffer_bytes_, buffer_bytes_};
}

void MpiPeers::post(u32 owner, u32 bytes, bool last) {
  XMC_CHECK(bytes <= buffer_bytes_);
  if (failed_) return;
  Other& other = others_[owner];
  XMC_CHECK(other.posted - other.sent < kSendBuffers);
  const u32 at = other.posted % kSendBuffers;
  ok(MPI_Issend(other.out + u64{at} * buffer_bytes_, static_cast<int>(bytes), MPI_BYTE,
                static_cast<int>(owner), last ? kLastBlock : kBlock, blocks_, &other.sending[at]));
  ++other.posted;
}

// Everybody gets a turn.
bool MpiPeers::receive(Block& block) {
  XMC_CHECK(sender_ == kNone);
  progress();
  for (u32 i = 0; i < count_ && !failed_; ++i) {
    const u32 from = (next_sender_ + i) % count_;
    Other& other = others_[from];
    if (other.come == other.released) continue;
    const Receive& receive = other.receiving[other.released % kReceiveBuffers];
    block.from = sender_ = from;
    block.last = receive.last;
    block.bytes = {in_buffer(other, other.released), receive.bytes};
    next_sender_ = (from + 1) % count_;
    return true;
  }
  return false;
}

void MpiPeers::release() {
  XMC_CHECK(sender_ != kNone);
  const u32 from = sender_;
  sender_ = kNone;
  if (!failed_) post_receive(from, others_[from].released++);
}

u32 MpiPeers::changes() {
  progress();
  return changes_;
}

void MpiPeers::wait(u32 changes) {
  for (Patience patience;; patience.pause()) {
    progress();
    if (changes_ != changes || over()) return;
  }
}

Status MpiPeers::gather(std::span<const u64> mine, std::span<u64> all) {
  XMC_CHECK(mine.size() <= (buffer_bytes_ != 0 ? kMostValues : 1));
  XMC_CHECK(all.size() == mine.size() * count_);
  progress();
  if (over()) return Status::stop(reason_);
  if (count_ == 1) {
    std::copy(mine.begin(), mine.end(), all.begin());
    return {};
  }
  // Those of this process are at the beginning of the memory for all of them.
  std::copy(mine.begin(), mine.end(), values_);
  const bool met = me_ == 0 ? meet_at_first(mine.size()) : hear_all(all);
  if (!met) return Status::stop(reason_);
  if (me_ == 0) {
    std::copy_n(values_, all.size(), all.begin());
    static_cast<void>(tell_all(mine.size()));
  }
  return {};
}

// Process 0: until the values of all are there, or a stop.
bool MpiPeers::meet_at_first(u64 values) {
  u32 missing = count_ - 1;
  for (Patience patience; missing > 0; patience.pause()) {
    progress();
    MPI_Status status;
    while (missing > 0 && is_there(words_, MPI_ANY_SOURCE, kValues, status)) {
      u64* const to = values_ + static_cast<u64>(status.MPI_SOURCE) * values;
      if (!take(to, values * sizeof(u64), status, words_)) return false;
      --missing;
    }
    if (missing > 0 && over()) return false;
  }
  return true;
}

// Until all have taken them: the next values go to the same memory. A stop may come first, and then
// there is no next time.
bool MpiPeers::tell_all(u64 values) {
  for (u32 i = 1; i < count_; ++i) {
    send(values_, values * count_ * sizeof(u64), i, kAllValues, words_, others_[i].values);
  }
  for (Patience patience; !over(); patience.pause()) {
    progress();
    bool all_sent = true;
    for (u32 i = 1; i < count_; ++i) all_sent = done(others_[i].values) && all_sent;
    if (all_sent) return true;
  }
  return false;
}

// Another process: its values to process 0, and those of all back.
bool MpiPeers::hear_all(std::span<u64> all) {
  send(values_, all.size_bytes() / count_, 0, kValues, words_, others_[0].values);
  for (Patience patience;; patience.pause()) {
    progress();
    MPI_Status status;
    // First these: process 0 goes on as if nobody was stopped.
    if (!failed_ && is_there(words_, 0, kAllValues, status)) {
      return take(all.data(), all.size_bytes(), status, words_) &&
             ok(MPI_Wait(&others_[0].values, MPI_STATUS_IGNORE));
    }
    if (over()) return false;
  }
}

Result<ProcessPeers*> begin_mpi(int& argc, char**& argv) {
  static MpiPeers peers;
  XMC_TRY(peers.begin(argc, argv));
  return static_cast<ProcessPeers*>(&peers);
}

}  // namespace xmc
