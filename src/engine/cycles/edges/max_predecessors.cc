#include "engine/cycles/edges/max_predecessors.h"

#include <algorithm>
#include <bit>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

u32 value_bits(u64 accepting) { return static_cast<u32>(std::bit_width(accepting)); }

// A pass over these reads everything.
class EveryState {
 public:
  explicit EveryState(u64 states) : states_(states) {}
  u64 size() const { return states_; }
  bool any(u64 begin, u64 end) const { return begin < end; }

 private:
  u64 states_;
};

u8 mixed(u8 label, u32 value) {
  const u64 mixed = (u64{label} << 32 | value) * 0x9E37'79B9'7F4A'7C15u;
  return static_cast<u8>(mixed >> 56);
}

}  // namespace

// | left | accepting | open | numbers | counts | labels | values |
u64 MaxPredecessors::bytes_for(u64 states, u64 accepting) {
  return 3 * StateBits::bytes_for(states) + MarkedNumbers::bytes_for(states) +
         StateBits::bytes_for(accepting) + round_up(states, 8) +
         PackedArray::bytes_for(states, value_bits(accepting));
}

void MaxPredecessors::lay_out_bits() {
  const std::size_t bits = static_cast<std::size_t>(StateBits::bytes_for(end_));
  XMC_CHECK(memory_.size() >= 2 * bits);
  live_.start(memory_, end_, true);
  accepting_.start(memory_.subspan(bits), end_, false);
}

void MaxPredecessors::lay_out_values() {
  std::span<u8> rest = memory_.subspan(static_cast<std::size_t>(2 * StateBits::bytes_for(end_)));
  const auto take = [&](u64 bytes) {
    const std::span<u8> taken = rest.first(static_cast<std::size_t>(bytes));
    rest = rest.subspan(static_cast<std::size_t>(bytes));
    return taken;
  };
  open_.start(take(StateBits::bytes_for(end_)), end_, false);
  numbers_.start(take(MarkedNumbers::bytes_for(end_)), accepting_);
  counts_.start(take(StateBits::bytes_for(accepting_count_)), accepting_count_, true);
  label_ = take(round_up(end_, 8));
  fill_zero(label_);
  value_.start(rest, end_, value_bits(accepting_count_));
}

void MaxPredecessors::start(u64 end, std::span<u8> memory) {
  memory_ = memory;
  end_ = end;
  accepting_count_ = bytes_needed_ = rounds_ = passes_ = 0;
  counted_ = around_ = back_ = false;
  target_ = kNoState;
  figures_ = {};
  done_ = end == 0;
  lay_out_bits();
}

bool MaxPredecessors::start(const PassCheckpoint& checkpoint, u64 end, std::span<u8> memory) {
  start(end, memory);
  if (checkpoint.states != end || bytes_for(end, checkpoint.accepting) > memory.size()) {
    return false;
  }
  accepting_count_ = checkpoint.accepting;
  lay_out_values();
  return true;
}

void MaxPredecessors::go_on(const PassCheckpoint& checkpoint) {
  counted_ = true;
  passes_ = checkpoint.passes;
  rounds_ = checkpoint.place;
  around_ = checkpoint.phase == Phase::around;
  if (around_) target_ = checkpoint.target;
}

// What a pass that was stopped has met it meets again: the state that led there is still open.
bool MaxPredecessors::save_place(PassCheckpoint& checkpoint) const {
  if (!counted_ || accepting_count_ == 0 || bytes_needed_ != 0) return false;
  checkpoint.phase = around_ ? Phase::around : Phase::spread;
  checkpoint.first = checkpoint.changed = false;
  checkpoint.target = around_ ? target_ : 0;
  checkpoint.accepting = accepting_count_;
  checkpoint.place = rounds_;
  checkpoint.passes = passes_;
  return true;
}

std::span<u64> MaxPredecessors::words() const {
  return {reinterpret_cast<u64*>(memory_.data()), static_cast<std::size_t>(bytes() / sizeof(u64))};
}

Status MaxPredecessors::pass(EdgeReader& reader, WorkPoll& poll) {
  XMC_CHECK(!done_);
  if (!counted_) {
    XMC_TRY(count(reader, poll));
    counted_ = true;
    const u64 bytes = bytes_for(end_, accepting_count_);
    if (bytes > memory_.size() || value_bits(accepting_count_) > kMostValueBits) {
      bytes_needed_ = bytes;
      done_ = true;
      return {};
    }
    lay_out_values();
    begin_round();
    return {};
  }
  XMC_TRY(spread(reader, poll));
  ++passes_;
  if (back_) {
    end_around();
  } else if (around_) {
    XMC_CHECK(open_.any(0, end_));
  } else if (target_ != kNoState) {
    begin_around();
  } else if (!open_.any(0, end_)) {
    end_round();
    begin_round();
  }
  return {};
}

// States without a record lead nowhere.
Status MaxPredecessors::count(EdgeReader& reader, WorkPoll& poll) {
  live_.clear_all();
  accepting_.clear_all();
  accepting_count_ = 0;
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64>) {
    live_.set(record.state);
    if (record.accepting && accepting_.add(record.state)) ++accepting_count_;
  };
  return EdgePass(reader, EveryState(end_), end_).up(figures_, poll, visit);
}

// --- Rounds -------------------------------------------------------------------------------------

void MaxPredecessors::begin_round() {
  ++rounds_;
  value_.clear_all();
  u64 number = 0;
  bool any = false;
  for (u64 s = accepting_.next(0, end_); s < end_; s = accepting_.next(s + 1, end_), ++number) {
    if (!live_.test(s) || !counts_.test(number)) continue;
    open_.set(s);
    any = true;
  }
  done_ = !any;
  if (done_) live_.clear_all();
}

void MaxPredecessors::end_round() {
  for (u64 s = live_.next(0, end_); s < end_; s = live_.next(s + 1, end_)) {
    const u32 value = value_.get(s);
    if (value == 0) {
      live_.clear(s);
      continue;
    }
    counts_.clear(number_of(value));
    u8& label = label_[static_cast<std::size_t>(s)];
    label = mixed(label, value);
  }
}

u32 MaxPredecessors::value_to_send(u64 state) const {
  if (around_) return 1;
  u32 value = value_.get(state);
  if (!accepting_.test(state)) return value;
  const u64 number = numbers_.number(state);
  if (counts_.test(number)) value = std::max(value, value_of(number));
  return value;
}

// Passes take turns in their direction and read only what has open states.
Status MaxPredecessors::spread(EdgeReader& reader, WorkPoll& poll) {
  u64 at = kNoState;
  bool sends = false;
  u32 value = 0;
  u64 owner = kNoState;
  bool met = false;
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
    if (met) return;
    if (record.state != at) {
      if (sends) open_.clear(at);
      at = record.state;
      sends = open_.test(at);
      if (!sends) return;
      value = value_to_send(at);
      owner = around_ ? target_ : numbers_.state(number_of(value));
    }
    if (!sends) return;
    const u8 label = label_[static_cast<std::size_t>(at)];
    for (const u64 target : targets) {
      if (target >= end_) return;
      if (!live_.test(target) || label_[static_cast<std::size_t>(target)] != label) continue;
      if (target == owner) {
        met = true;
        back_ = around_;
        target_ = owner;
        return;
      }
      if (value_.get(target) >= value) continue;
      value_.replace(target, value);
      open_.set(target);
    }
  };
  if (passes_ % 2 == 0) {
    XMC_TRY(EdgePass(reader, open_, end_).up(figures_, poll, visit));
  } else {
    XMC_TRY(EdgePass(reader, open_, end_).down(figures_, poll, visit));
  }
  if (sends && !met) open_.clear(at);
  return {};
}

// --- The cycle ----------------------------------------------------------------------------------

void MaxPredecessors::begin_around() {
  around_ = true;
  value_.clear_all();
  open_.clear_all();
  open_.set(target_);
}

// The states with the value, and the one that sent it, have a cycle.
void MaxPredecessors::end_around() {
  for (u64 s = live_.next(0, end_); s < end_; s = live_.next(s + 1, end_)) {
    if (s != target_ && value_.get(s) == 0) live_.clear(s);
  }
  done_ = true;
}

}  // namespace xmc
