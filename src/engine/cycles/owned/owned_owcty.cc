#include "engine/cycles/owned/owned_owcty.h"

#include <algorithm>
#include <utility>

#include "xmc/check.h"

namespace xmc {

namespace {

// The marked states from one on.
class BitsFrom {
 public:
  BitsFrom(const StateBits& bits, u64 begin) : bits_(bits), begin_(begin) {}
  u64 size() const { return bits_.size(); }
  bool any(u64 begin, u64 end) const { return bits_.any(std::max(begin, begin_), end); }

 private:
  const StateBits& bits_;
  u64 begin_;
};

}  // namespace

Status OwnedOwcty::start(const Product& product, const OwnedNumbers& numbers, EdgeReader& reader,
                         u64 levels, std::span<u8> memory) {
  product_ = &product;
  numbers_ = numbers;
  reader_ = &reader;
  poll_ = WorkPoll(product);
  mail_.start(*product.owners, 1, {this, [](void* self, Word* items, u32 count) {
                                     return static_cast<OwnedOwcty*>(self)->take(items, count);
                                   }});
  const u64 states = numbers.mine();
  XMC_CHECK(memory.size() >= bytes_for(states, levels));
  for (StateBits* const bits : {&live_, &mark_, &next_, &other_}) {
    bits->start(memory, states, bits == &mark_);
    memory = memory.subspan(static_cast<std::size_t>(StateBits::bytes_for(states)));
  }
  begin_ = {reinterpret_cast<u64*>(memory.data()), static_cast<std::size_t>(levels + 1)};
  levels_ = levels;
  levels_per_stage_ = std::max<u64>(1, divide_up(levels, kStages));
  passes_ = 0;
  XMC_TRY(find_levels());
  // States without a record lead nowhere.
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64>) {
    live_.set(record.state);
  };
  if (states > 0) XMC_TRY(EdgePass(*reader_, mark_, states).up(figures_, poll_, visit));
  return count();
}

Status OwnedOwcty::find_levels() {
  for (u64 level = 0; level < levels_; ++level) {
    u64& begin = begin_[static_cast<std::size_t>(level)];
    XMC_TRY(reader_->level_begin(level, begin));
  }
  begin_.back() = numbers_.mine();
  return {};
}

Status OwnedOwcty::count() {
  u64 sum[] = {live_.count()};
  XMC_TRY(add_up(product_->owners->peers(), sum));
  left_ = sum[0];
  return {};
}

Status OwnedOwcty::find() {
  const bool weak = product_->search->model.weak;
  for (bool dropped = true; dropped && left_ > 0;) {
    if (!weak) {
      XMC_TRY(reach(dropped));
      if (!dropped || left_ == 0) return {};
    }
    XMC_TRY(trim(dropped));
    dropped = !weak;
  }
  return {};
}

// --- Marks ------------------------------------------------------------------------------------

void OwnedOwcty::begin_phase(Phase phase) {
  phase_ = phase;
  std::fill_n(recent_, kRecent, kNoState);
}

// On a state of this owner that another one's leads to.
void OwnedOwcty::mark(u64 position) {
  XMC_CHECK(position < live_.size());
  if (!live_.test(position)) return;
  if (phase_ == Phase::trim) {
    (position >= stage_end_ ? mark_ : next_).set(position);
    return;
  }
  found_ = found_ || position == goal_;
  if (mark_.add(position)) next_.set(position);
}

// On the target of an edge from this position.
Status OwnedOwcty::send_mark(u64 name, u64 from) {
  if (name < numbers_.mine()) {
    const bool later_in_stage = phase_ == Phase::trim && name > from && name < stage_end_;
    if (!later_in_stage) {
      mark(name);
    } else if (live_.test(name)) {
      mark_.set(name);
    }
    return {};
  }
  u64& recent = recent_[name % kRecent];
  if (recent == name) return {};
  recent = name;
  const u32 owner = numbers_.owner_of(name);
  return mail_.send(owner, &name);
}

Status OwnedOwcty::take(const Word* items, u32 count) {
  for (u32 i = 0; i < count; ++i) mark(items[i]);
  return {};
}

// --- States without a predecessor ---------------------------------------------------------------

void OwnedOwcty::drop(u64 begin, u64 end) {
  if (!live_.any(begin, end)) return;
  live_.clear_range(begin, end);
  dropped_ = true;
}

// The first pass drops nothing but what leads nowhere: it makes the marks.
Status OwnedOwcty::trim(bool& dropped) {
  const std::span<u64> marks = mark_.words();
  std::fill(marks.begin(), marks.end(), ~u64{0});
  next_.clear_all();
  dropped = false;
  bool first = true;
  for (bool more = true; more && left_ > 0; first = false) {
    bool changed = false;
    XMC_TRY(trim_pass(changed));
    dropped = dropped || changed;
    more = changed || first;
  }
  return {};
}

Status OwnedOwcty::trim_pass(bool& dropped) {
  u64 first = 0;
  u64 last = 0;
  XMC_TRY(range_of_stages(first, last));
  dropped_ = false;
  for (u64 stage = first; stage <= last; ++stage) {
    begin_phase(Phase::trim);
    stage_end_ = stage_begin(stage + 1);
    XMC_TRY(trim_stage(stage_begin(stage), stage_end_));
    XMC_TRY(mail_.end_round());
  }
  // Every live state has had its turn, and used up its mark.
  std::swap(mark_, next_);
  next_.clear_all();
  ++passes_;
  u64 changes[] = {dropped_ ? u64{1} : 0};
  XMC_TRY(add_up(product_->owners->peers(), changes));
  dropped = changes[0] != 0;
  return count();
}

// Of all owners: those with live states.
Status OwnedOwcty::range_of_stages(u64& first, u64& last) {
  const auto stage_of = [&](u64 position) {
    const u64* const above = std::upper_bound(begin_.data(), begin_.data() + levels_, position);
    return static_cast<u64>(above - begin_.data() - 1) / levels_per_stage_;
  };
  u64 low = live_.next(0, live_.size());
  u64 facts[] = {0, 0};
  if (low < live_.size()) {
    const std::span<u64> words = live_.words();
    std::size_t w = words.size();
    while (words[w - 1] == 0) --w;
    const u64 high = w * 64 - 1 - static_cast<u64>(std::countl_zero(words[w - 1]));
    facts[0] = ~stage_of(low);
    facts[1] = stage_of(high);
  }
  XMC_TRY(take_largest(product_->owners->peers(), facts));
  first = ~facts[0];
  last = facts[1];
  return {};
}

Status OwnedOwcty::trim_stage(u64 begin, u64 end) {
  Status status;
  u64 at = kNoState;
  bool sends = false;
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
    if (!status.ok()) return;
    if (record.state != at) {
      at = record.state;
      const bool stays = mark_.test(at);
      if (!stays) drop(at, at + 1);
      mark_.clear(at);
      sends = live_.test(at);
    }
    for (std::size_t i = 0; sends && i < targets.size() && status.ok(); ++i) {
      status = send_mark(targets[i], at);
    }
  };
  const BitsFrom wanted(live_, begin);
  XMC_TRY(EdgePass(*reader_, wanted, end).up(figures_, poll_, visit, begin));
  return status;
}

// --- What accepting states lead to --------------------------------------------------------------

Status OwnedOwcty::reach(bool& dropped) {
  mark_.clear_all();
  next_.clear_all();
  const u64 before = left_;
  XMC_TRY(reach_stages());
  for (u64 open = 1; open != 0;) {
    begin_phase(Phase::reach);
    XMC_TRY(mail_.take_what_came());
    while (next_.any(0, next_.size())) {
      XMC_TRY(reach_on(0, next_.size(), false));
      XMC_TRY(mail_.take_what_came());
    }
    XMC_TRY(mail_.end_round());
    ++passes_;
    u64 sum[] = {next_.any(0, next_.size()) ? u64{1} : 0};
    XMC_TRY(add_up(product_->owners->peers(), sum));
    open = sum[0];
  }
  const std::span<u64> reached = mark_.words();
  std::copy(reached.begin(), reached.end(), live_.words().begin());
  XMC_TRY(count());
  dropped = left_ != before;
  return {};
}

Status OwnedOwcty::reach_stages() {
  u64 first = 0;
  u64 last = 0;
  XMC_TRY(range_of_stages(first, last));
  for (u64 stage = first; stage <= last; ++stage) {
    begin_phase(Phase::reach);
    XMC_TRY(reach_on(stage_begin(stage), stage_begin(stage + 1), true));
    XMC_TRY(mail_.end_round());
  }
  ++passes_;
  return {};
}

// From states of this range; `first`: from those that accept, too.
Status OwnedOwcty::reach_on(u64 begin, u64 end, bool first) {
  Status status;
  u64 at = kNoState;
  bool sends = false;
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
    if (!status.ok()) return;
    if (record.state != at) {
      at = record.state;
      sends = live_.test(at) && ((first && record.accepting) || next_.test(at));
      next_.clear(at);
    }
    for (std::size_t i = 0; sends && i < targets.size() && status.ok(); ++i) {
      status = send_mark(targets[i], at);
    }
  };
  const BitsFrom bits(first ? live_ : next_, begin);
  XMC_TRY(EdgePass(*reader_, bits, end).up(figures_, poll_, visit, begin));
  return status;
}

// --- Layers -------------------------------------------------------------------------------------

Status OwnedOwcty::step_on(u64 goal, bool& found) {
  begin_phase(Phase::steps);
  goal_ = goal;
  found_ = false;
  Status status;
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
    if (!other_.test(record.state)) return;
    for (std::size_t i = 0; i < targets.size() && status.ok(); ++i) {
      status = send_mark(targets[i], record.state);
    }
  };
  const u64 end = live_.size();
  if (end > 0) XMC_TRY(EdgePass(*reader_, other_, end).up(figures_, poll_, visit));
  XMC_TRY(status);
  XMC_TRY(mail_.end_round());
  u64 sum[] = {found_ ? u64{1} : 0};
  XMC_TRY(add_up(product_->owners->peers(), sum));
  found = sum[0] != 0;
  goal_ = kNoState;
  return {};
}

}  // namespace xmc
