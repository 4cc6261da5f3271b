#include "platform/simulated_peers.h"

#include <algorithm>
#include <new>

#include "platform/clock.h"
#include "platform/thread.h"
#include "xmc/bytes.h"
#include "xmc/hash.h"

namespace xmc {

namespace {

constexpr u64 kNever = ~u64{0};

}  // namespace

// One call of an owner: begun when it is the owner's turn, and its turn until the next one. False
// where the owner is lost.
class SimulatedPeers::Call {
 public:
  Call(Seat& seat, Kind kind) : seat_(seat), locked_(seat.all_->lock_) {
    if (seat_.state_ == State::gone) return;
    seat_.charge();
    seat_.suspend(State::ready);
    ++seat_.calls_;
    const Word told[] = {seat_.all_->fingerprint_, seat_.me_, static_cast<Word>(kind),
                         seat_.now_ns_};
    seat_.all_->fingerprint_ = hash_words(told, 4);
    if (seat_.fall()) return;
    seat_.look();
    valid_ = true;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    if (seat_.all_->network_.cpu_permille != 0) seat_.cpu_ns_ = thread_cpu_ns();
  }
  explicit operator bool() const { return valid_; }

 private:
  Seat& seat_;
  const Locked locked_;
  bool valid_ = false;
};

u64 SimulatedPeers::bytes_for(u32 owners, u32 buffer_bytes) {
  const u64 lanes = u64{owners} * owners * sizeof(Lane);
  const u64 values = u64{2} * owners * Peers::kMostValues * sizeof(u64);
  return lanes + values + u64{owners} * (owners - 1) * kBuffers * buffer_bytes;
}

void SimulatedPeers::start(u32 owners, u32 buffer_bytes, std::span<u8> memory,
                           const Network& network, const Loss& loss) {
  static_assert(sizeof(Lane) % sizeof(u64) == 0);
  XMC_CHECK(owners >= 1 && owners <= limits::kOwners);
  XMC_CHECK(buffer_bytes % sizeof(Word) == 0);
  XMC_CHECK(memory.size() >= bytes_for(owners, buffer_bytes));
  network_ = network;
  loss_ = loss;
  count_ = owners;
  buffer_bytes_ = buffer_bytes;
  values_ = reinterpret_cast<u64*>(memory.data());
  const u64 value_count = u64{2} * owners * Peers::kMostValues;
  lanes_ = reinterpret_cast<Lane*>(values_ + value_count);
  u8* next = reinterpret_cast<u8*>(lanes_ + u64{owners} * owners);
  for (u32 from = 0; from < owners; ++from) {
    seats_[from].all_ = this;
    seats_[from].me_ = from;
    for (u32 to = 0; to < owners; ++to) {
      Lane& made = *::new (static_cast<void*>(&lane(from, to))) Lane();
      if (from == to) continue;
      made.buffers = next;
      next += u64{kBuffers} * buffer_bytes;
    }
  }
}

u64 SimulatedPeers::end_ns() const {
  u64 end = 0;
  for (u32 i = 0; i < count_; ++i) end = std::max(end, seats_[i].now_ns_);
  return end;
}

u64 SimulatedPeers::transfer_ns(u64 bytes) const {
  constexpr u64 kSecond = 1'000'000'000;
  return network_.bytes_per_second == 0 ? 0 : bytes * kSecond / network_.bytes_per_second;
}

u64 SimulatedPeers::jitter_ns(u32 from, u32 to, u32 number) const {
  const Word of[] = {from, to, number};
  return network_.jitter_ns == 0 ? 0 : hash_words(of, 3, network_.seed) % (network_.jitter_ns + 1);
}

// Nobody runs before all are there: the one who comes last may be the first.
void SimulatedPeers::pass_on() {
  running_ = kNone;
  u64 first_ns = kNever;
  u32 first = kNone;
  u32 left = 0;
  for (u32 i = 0; i < count_; ++i) {
    if (seats_[i].state_ == State::absent) return;
    if (seats_[i].state_ == State::gone) continue;
    ++left;
    const u64 at = seats_[i].wakes_ns();
    if (at >= first_ns) continue;
    first_ns = at;
    first = i;
  }
  if (left == 0) return;
  XMC_CHECK(first != kNone);  // else it is a deadlock
  running_ = first;
  ::pthread_cond_signal(&seats_[first].turn_);
}

void SimulatedPeers::leave(u32 owner) {
  const Locked locked(lock_);
  Seat& seat = seats_[owner];
  if (seat.state_ == State::gone) return;
  if (seat.state_ != State::absent) seat.charge();
  seat.state_ = State::gone;
  pass_on();
}

// The first reason counts, by virtual time. The one who gives it knows at once.
void SimulatedPeers::end_all(StopReason reason, Seat& by) {
  const bool first = reason_ == StopReason::none;
  if (first) reason_ = reason;
  for (u32 i = 0; i < count_ && first; ++i) {
    seats_[i].stop_ns_ = by.now_ns_ + network_.latency_ns;
  }
  by.stop_ns_ = std::min(by.stop_ns_, by.now_ns_);
}

void SimulatedPeers::Seat::charge() {
  const Network& network = all_->network_;
  u64 cost = network.call_ns;
  if (network.cpu_permille != 0 && state_ != State::absent)
    cost += (thread_cpu_ns() - cpu_ns_) * network.cpu_permille / 1000;
  now_ns_ += cost;
  figures_.busy_ns += cost;
}

void SimulatedPeers::Seat::suspend(State state) {
  state_ = state;
  all_->pass_on();
  while (all_->running_ != me_) ::pthread_cond_wait(&turn_, &all_->lock_);
  const u64 at = wakes_ns();
  figures_.waiting_ns += at - now_ns_;
  now_ns_ = at;
  state_ = State::ready;
}

u64 SimulatedPeers::Seat::wakes_ns() {
  u64 at = kNever;
  switch (state_) {
    case State::waiting:
      at = std::min(next_change_ns(), stop_ns_);
      break;
    case State::meeting: {
      at = stop_ns_;
      if (all_->round_ == round_) break;
      const u64 back = all_->network_.latency_ns + all_->transfer_ns(values_bytes_ * all_->count_);
      at = all_->met_ns_[round_ % 2] + (me_ == 0 ? 0 : back);
      break;
    }
    case State::ready:
    case State::absent:
    case State::gone:
      return now_ns_;
  }
  if (all_->loss_.owner == me_) at = std::min(at, all_->loss_.at_ns);
  return std::max(at, now_ns_);
}

// The lane of the block that the link in takes next; null: nothing is on its way there.
SimulatedPeers::Lane* SimulatedPeers::Seat::next_there() {
  Lane* first = nullptr;
  for (u32 from = 0; from < all_->count_; ++from) {
    Lane& lane = all_->lane(from, me_);
    if (lane.accepted == lane.posted) continue;
    if (first != nullptr &&
        first->slot(first->accepted).there_ns <= lane.slot(lane.accepted).there_ns)
      continue;
    first = &lane;
  }
  return first;
}

u64 SimulatedPeers::Seat::next_change_ns() {
  u64 at = kNever;
  for (u32 other = 0; other < all_->count_; ++other) {
    Lane& in = all_->lane(other, me_);
    Lane& out = all_->lane(me_, other);
    if (in.arrived < in.accepted) at = std::min(at, in.slot(in.arrived).arrives_ns);
    if (out.freed < out.taken) at = std::min(at, out.slot(out.freed).free_ns);
  }
  Lane* const there = next_there();
  if (there == nullptr) return at;
  const Slot& slot = there->slot(there->accepted);
  return std::min(at, std::max(slot.there_ns, in_free_ns_) + all_->transfer_ns(slot.bytes));
}

// What has happened until now. Nothing that is posted later can be there earlier.
void SimulatedPeers::Seat::look() {
  for (Lane* there = next_there(); there != nullptr; there = next_there()) {
    Slot& slot = there->slot(there->accepted);
    if (slot.there_ns > now_ns_) break;
    in_free_ns_ = std::max(slot.there_ns, in_free_ns_) + all_->transfer_ns(slot.bytes);
    slot.arrives_ns = in_free_ns_;
    ++there->accepted;
  }
  for (u32 other = 0; other < all_->count_; ++other) {
    Lane& in = all_->lane(other, me_);
    Lane& out = all_->lane(me_, other);
    for (; in.arrived < in.accepted && in.slot(in.arrived).arrives_ns <= now_ns_; ++in.arrived) {
      ++changes_;
    }
    for (; out.freed < out.taken && out.slot(out.freed).free_ns <= now_ns_; ++out.freed) {
      ++changes_;
    }
  }
}

bool SimulatedPeers::Seat::is_lost() const {
  const Loss& loss = all_->loss_;
  return loss.owner == me_ && (now_ns_ >= loss.at_ns || calls_ > loss.after_calls);
}

// True when the owner is lost. The others hear of it as of a stop.
bool SimulatedPeers::Seat::fall() {
  if (!is_lost()) return false;
  all_->end_all(kLost, *this);
  state_ = State::gone;
  all_->pass_on();
  return true;
}

std::span<u8> SimulatedPeers::Seat::buffer(u32 owner) {
  const Call call(*this, Kind::buffer);
  Lane& lane = all_->lane(me_, owner);
  if (!call || lane.posted - lane.freed == kBuffers) return {};
  return {lane.buffers + u64{lane.posted % kBuffers} * all_->buffer_bytes_, all_->buffer_bytes_};
}

void SimulatedPeers::Seat::post(u32 owner, u32 bytes, bool last) {
  XMC_CHECK(bytes <= all_->buffer_bytes_);
  const Call call(*this, Kind::post);
  if (!call) return;
  Lane& lane = all_->lane(me_, owner);
  XMC_CHECK(lane.posted - lane.freed < kBuffers);
  Slot& slot = lane.slot(lane.posted);
  const u64 before = lane.posted == 0 ? 0 : lane.slot(lane.posted - 1).there_ns;
  slot.bytes = bytes;
  slot.last = last;
  const u64 leaves = std::max(now_ns_, out_free_ns_);
  out_free_ns_ = leaves + all_->transfer_ns(bytes);
  const u64 delay = all_->network_.latency_ns + all_->jitter_ns(me_, owner, lane.posted);
  slot.there_ns = std::max(leaves + delay, before);
  ++lane.posted;
  figures_.sent_bytes += bytes;
  ++figures_.sent_blocks;
}

// In the order of arrival.
bool SimulatedPeers::Seat::receive(Block& block) {
  const Call call(*this, Kind::receive);
  if (!call) return false;
  XMC_CHECK(sender_ == kNone);
  u64 first_ns = kNever;
  for (u32 from = 0; from < all_->count_; ++from) {
    Lane& lane = all_->lane(from, me_);
    if (lane.taken == lane.arrived || lane.slot(lane.taken).arrives_ns >= first_ns) continue;
    first_ns = lane.slot(lane.taken).arrives_ns;
    sender_ = from;
  }
  if (sender_ == kNone) return false;
  Lane& lane = all_->lane(sender_, me_);
  const Slot& slot = lane.slot(lane.taken);
  block.from = sender_;
  block.last = slot.last;
  block.bytes = {lane.buffers + u64{lane.taken % kBuffers} * all_->buffer_bytes_, slot.bytes};
  return true;
}

void SimulatedPeers::Seat::release() {
  const Call call(*this, Kind::release);
  XMC_CHECK(sender_ != kNone);
  Lane& lane = all_->lane(sender_, me_);
  sender_ = kNone;
  if (!call) return;
  lane.slot(lane.taken).free_ns = now_ns_ + all_->network_.latency_ns;
  ++lane.taken;
}

u32 SimulatedPeers::Seat::changes() {
  const Call call(*this, Kind::changes);
  return changes_;
}

void SimulatedPeers::Seat::wait(u32 changes) {
  const Call call(*this, Kind::wait);
  while (call && changes_ == changes && !stop_heard()) {
    suspend(State::waiting);
    if (fall()) return;
    look();
  }
}

StopReason SimulatedPeers::Seat::stopped() {
  const Call call(*this, Kind::stopped);
  return stop_heard() ? all_->reason_ : StopReason::none;
}

void SimulatedPeers::Seat::stop(StopReason reason) {
  const Call call(*this, Kind::stop);
  if (call) all_->end_all(reason, *this);
}

Status SimulatedPeers::Seat::gather(std::span<const u64> mine, std::span<u64> all) {
  XMC_CHECK(mine.size() <= kMostValues);
  XMC_CHECK(all.size() == mine.size() * all_->count_);
  const Call call(*this, Kind::gather);
  if (!call || stop_heard()) return stop_status();
  round_ = all_->round_;
  values_bytes_ = mine.size() * sizeof(u64);
  std::copy(mine.begin(), mine.end(), all_->values(round_, me_));
  u64& met_ns = all_->met_ns_[round_ % 2];
  const u64 way = me_ == 0 ? 0 : all_->network_.latency_ns + all_->transfer_ns(values_bytes_);
  if (all_->met_ == 0) met_ns = 0;
  met_ns = std::max(met_ns, now_ns_ + way);
  if (++all_->met_ == all_->count_) {
    all_->met_ = 0;
    ++all_->round_;
  }
  suspend(State::meeting);
  if (fall() || all_->round_ == round_) return stop_status();
  auto to = all.begin();
  for (u32 i = 0; i < all_->count_; ++i) {
    to = std::copy_n(all_->values(round_, i), mine.size(), to);
  }
  return {};
}

}  // namespace xmc
