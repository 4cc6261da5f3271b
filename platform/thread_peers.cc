#include "platform/thread_peers.h"

#include <algorithm>

#include "platform/thread.h"
#include "xmc/bytes.h"

namespace xmc {

u64 ThreadPeers::bytes_for(u32 owners, u32 buffer_bytes) {
  return u64{owners} * (owners - 1) * kBuffers * buffer_bytes;
}

void ThreadPeers::start(u32 owners, u32 buffer_bytes, std::span<u8> memory) {
  XMC_CHECK(owners >= 1 && owners <= limits::kThreads);
  XMC_CHECK(buffer_bytes % sizeof(Word) == 0);
  XMC_CHECK(memory.size() >= bytes_for(owners, buffer_bytes));
  count_ = owners;
  buffer_bytes_ = buffer_bytes;
  u8* next = memory.data();
  for (u32 to = 0; to < owners; ++to) {
    Seat& seat = seats_[to];
    seat.all_ = this;
    seat.me_ = to;
    for (u32 from = 0; from < owners; ++from) {
      if (from == to) continue;
      seat.lanes_[from].buffers = next;
      next += u64{kBuffers} * buffer_bytes;
    }
  }
}

void ThreadPeers::stop(StopReason reason) {
  {
    const Locked locked(meeting_);
    if (reason_ == StopReason::none) reason_ = reason;
    reason = reason_;
    ::pthread_cond_broadcast(&met_);
  }
  for (u32 i = 0; i < count_; ++i) {
    const Locked locked(seats_[i].lock_);
    if (seats_[i].stopped_ == StopReason::none) seats_[i].stopped_ = reason;
    seats_[i].tell();
  }
}

void ThreadPeers::Seat::tell() {
  ++changes_;
  ::pthread_cond_signal(&changed_);
}

std::span<u8> ThreadPeers::Seat::buffer(u32 owner) {
  Seat& to = all_->seats_[owner];
  const Locked locked(to.lock_);
  Lane& lane = to.lanes_[me_];
  if (lane.posted - lane.taken == kBuffers) return {};
  return {lane.buffers + u64{lane.posted % kBuffers} * all_->buffer_bytes_, all_->buffer_bytes_};
}

void ThreadPeers::Seat::post(u32 owner, u32 bytes, bool last) {
  XMC_CHECK(bytes <= all_->buffer_bytes_);
  Seat& to = all_->seats_[owner];
  const Locked locked(to.lock_);
  Lane& lane = to.lanes_[me_];
  XMC_CHECK(lane.posted - lane.taken < kBuffers);
  lane.bytes[lane.posted % kBuffers] = bytes;
  lane.last[lane.posted % kBuffers] = last;
  ++lane.posted;
  to.tell();
}

// Everybody gets a turn: one who sends much must not keep the others waiting.
bool ThreadPeers::Seat::receive(Block& block) {
  XMC_CHECK(sender_ == kNone);
  const Locked locked(lock_);
  for (u32 i = 0; i < all_->count_; ++i) {
    const u32 from = (next_sender_ + i) % all_->count_;
    const Lane& lane = lanes_[from];
    if (lane.posted == lane.taken) continue;
    const u32 at = lane.taken % kBuffers;
    block.from = sender_ = from;
    block.last = lane.last[at];
    block.bytes = {lane.buffers + u64{at} * all_->buffer_bytes_, lane.bytes[at]};
    next_sender_ = (from + 1) % all_->count_;
    return true;
  }
  return false;
}

void ThreadPeers::Seat::release() {
  XMC_CHECK(sender_ != kNone);
  {
    const Locked locked(lock_);
    ++lanes_[sender_].taken;
  }
  Seat& from = all_->seats_[sender_];
  sender_ = kNone;
  const Locked locked(from.lock_);
  from.tell();
}

u32 ThreadPeers::Seat::changes() {
  const Locked locked(lock_);
  return changes_;
}

void ThreadPeers::Seat::wait(u32 changes) {
  const Locked locked(lock_);
  while (changes_ == changes && stopped_ == StopReason::none) {
    ::pthread_cond_wait(&changed_, &lock_);
  }
}

StopReason ThreadPeers::Seat::stopped() {
  const Locked locked(lock_);
  return stopped_;
}

Status ThreadPeers::Seat::gather(std::span<const u64> mine, std::span<u64> all) {
  XMC_CHECK(mine.size() <= kMostValues);
  XMC_CHECK(all.size() == mine.size() * all_->count_);
  const Locked locked(all_->meeting_);
  // Whoever came before the stop has gone: those who come now would meet nobody.
  if (all_->reason_ != StopReason::none) return Status::stop(all_->reason_);
  const u32 round = all_->round_;
  std::copy(mine.begin(), mine.end(), all_->values_[round % 2][me_]);
  if (++all_->arrived_ == all_->count_) {
    all_->arrived_ = 0;
    ++all_->round_;
    ::pthread_cond_broadcast(&all_->met_);
  }
  while (all_->round_ == round && all_->reason_ == StopReason::none) {
    ::pthread_cond_wait(&all_->met_, &all_->meeting_);
  }
  if (all_->round_ == round) return Status::stop(all_->reason_);
  auto to = all.begin();
  for (u32 i = 0; i < all_->count_; ++i) {
    to = std::copy_n(all_->values_[round % 2][i], mine.size(), to);
  }
  return {};
}

}  // namespace xmc
