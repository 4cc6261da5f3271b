#include "engine/cycles/edges/owcty.h"

#include <algorithm>

#include "xmc/check.h"

namespace xmc {

namespace {

// States with both bits.
class BothBits {
 public:
  BothBits(const StateBits& a, const StateBits& b) : a_(a), b_(b) {}
  u64 size() const { return a_.size(); }
  bool any(u64 begin, u64 end) const {
    for (u64 i = a_.next(begin, end); i < end;) {
      if (b_.test(i)) return true;
      i = a_.next(b_.next(i, end), end);
    }
    return false;
  }

 private:
  const StateBits& a_;
  const StateBits& b_;
};

}  // namespace

void Owcty::start(u64 end, bool weak, std::span<u8> memory) {
  XMC_CHECK(memory.size() >= bytes_for(end));
  end_ = end;
  weak_ = weak;
  live_.start(memory, end, true);
  mark_.start(memory.subspan(static_cast<std::size_t>(StateBits::bytes_for(end))), end, false);
  figures_ = {};
  passes_ = 0;
  finished_ = end == 0;
  begin(weak ? Phase::trim : Phase::reach);
}

void Owcty::go_on(const PassCheckpoint& checkpoint) {
  phase_ = checkpoint.phase;
  first_ = checkpoint.first;
  changed_ = checkpoint.changed;
  at_ = checkpoint.place - 1;
  passes_ = checkpoint.passes;
}

bool Owcty::save_place(PassCheckpoint& checkpoint) const {
  checkpoint.phase = phase_;
  checkpoint.first = first_;
  checkpoint.changed = changed_;
  checkpoint.place = at_ + 1;
  checkpoint.passes = passes_;
  return true;
}

std::span<u64> Owcty::words() const {
  return {live_.words().data(), live_.words().size() + mark_.words().size()};
}

void Owcty::begin(Phase phase) {
  phase_ = phase;
  first_ = true;
  changed_ = false;
  at_ = kNoState;
  const std::span<u64> marks = mark_.words();
  std::fill(marks.begin(), marks.end(), phase == Phase::trim ? ~u64{0} : u64{0});
}

Status Owcty::pass(EdgeReader& reader, WorkPoll& poll) {
  XMC_CHECK(!done());
  XMC_TRY(phase_ == Phase::trim ? trim(reader, poll) : reach(reader, poll));
  ++passes_;
  if (phase_ == Phase::reach) {
    if (!BothBits(live_, mark_).any(0, end_)) {
      end_reach();
      return {};
    }
  } else if (!live_.any(0, end_)) {
    finished_ = true;
  } else if (!first_ && !changed_) {
    finished_ = weak_;
    if (!weak_) begin(Phase::reach);
    return {};
  }
  first_ = changed_ = false;
  at_ = kNoState;
  // What is left for others is all that is not dropped.
  if (phase_ == Phase::reach && done()) {
    for (std::size_t i = 0; i < live_.words().size(); ++i) live_.words()[i] |= mark_.words()[i];
  }
  return {};
}

// --- States without a predecessor ---------------------------------------------------------------

void Owcty::drop(u64 begin, u64 end) {
  if (!live_.any(begin, end)) return;
  live_.clear_range(begin, end);
  changed_ = true;
}

// One that was stopped goes on with the state that it was at, whose turn has come already.
Status Owcty::trim(EdgeReader& reader, WorkPoll& poll) {
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
    const u64 state = record.state;
    if (state != at_) {
      // States without a record, in between, lead nowhere.
      const bool stays = mark_.test(state);
      drop(at_ + 1, stays ? state : state + 1);
      mark_.clear(state);
      at_ = state;
    }
    if (!live_.test(state)) return;
    for (const u64 target : targets) {
      if (target >= end_) return;
      if (live_.test(target)) mark_.set(target);
    }
  };
  const u64 from = at_ == kNoState ? 0 : at_;
  XMC_TRY(EdgePass(reader, live_, end_).up(figures_, poll, visit, from));
  drop(at_ + 1, end_);
  return {};
}

// --- What accepting states lead to --------------------------------------------------------------

// The first pass goes up and sees the accepting states; one that was stopped goes on with the state
// that it was at, which may not have sent all of its marks.
Status Owcty::reach(EdgeReader& reader, WorkPoll& poll) {
  bool sends = false;
  const u64 from = first_ && at_ != kNoState ? at_ : 0;
  u64 behind = from;  // all states that have a record and were visited
  at_ = kNoState;
  // States without a record would never send what they get.
  const auto leave_out = [&](u64 end) {
    if (!first_ || !live_.any(behind, end)) return;
    live_.clear_range(behind, end);
    mark_.clear_range(behind, end);
  };
  const auto settle = [&] {
    if (sends && mark_.test(at_)) live_.clear(at_);
  };
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
    if (record.state != at_) {
      settle();
      at_ = record.state;
      leave_out(at_);
      behind = at_ + 1;
      sends = live_.test(at_) && ((first_ && record.accepting) || mark_.test(at_));
    }
    if (!sends) return;
    for (const u64 target : targets) {
      if (target >= end_) return;
      if (live_.test(target)) mark_.set(target);
    }
  };
  if (first_) {
    XMC_TRY(EdgePass(reader, live_, end_).up(figures_, poll, visit, from));
  } else if (passes_ % 2 == 0) {
    const BothBits open(live_, mark_);
    XMC_TRY(EdgePass(reader, open, end_).up(figures_, poll, visit));
  } else {
    const BothBits open(live_, mark_);
    XMC_TRY(EdgePass(reader, open, end_).down(figures_, poll, visit));
  }
  settle();
  leave_out(end_);
  return {};
}

// Those that were not reached are dropped. If there are none, all states have a predecessor, too.
void Owcty::end_reach() {
  const bool dropped = live_.any(0, end_);
  const std::span<u64> marks = mark_.words();
  std::copy(marks.begin(), marks.end(), live_.words().begin());
  finished_ = !dropped || !live_.any(0, end_);
  begin(Phase::trim);
}

}  // namespace xmc
