#include "engine/cycles/edges/cycle_core.h"

#include <algorithm>

#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kLittle = 8;

// Whether one of the targets is before `end` and in the set. They ascend.
bool leads_into(std::span<const u64> targets, const StateBits& set, u64 end) {
  for (const u64 target : targets) {
    if (target >= end) return false;
    if (set.test(target)) return true;
  }
  return false;
}

}  // namespace

Status CycleCore::find(EdgeReader& reader, u64 end, bool weak, std::span<u8> memory,
                       WorkPoll& poll) {
  XMC_CHECK(memory.size() >= bytes_for(end, weak));
  const std::size_t half = static_cast<std::size_t>(StateBits::bytes_for(end));
  live_.start(memory, end, true);
  second_ = weak ? std::span<u8>() : memory.subspan(half);
  end_ = end;
  weak_ = weak;
  return resume(reader, poll);
}

Status CycleCore::resume(EdgeReader& reader, WorkPoll& poll) {
  finished_ = false;
  last_pass_ = figures_.passes + pass_limit_;
  any_ = live_.any(0, end_);
  trimmed_ = false;
  bool lead = weak_;     // every state leads to an accepting one
  bool patient = weak_;  // the other way has nothing to drop
  while (any_ && !(trimmed_ && lead) && !out_of_passes()) {
    bool dropped = false;
    if (!trimmed_) XMC_TRY(trim(reader, poll, patient, dropped));
    if (dropped) lead = weak_;
    any_ = live_.any(0, end_);
    if (lead || !any_ || out_of_passes()) continue;
    dropped = false;
    XMC_TRY(keep_leading(reader, poll, dropped));
    if (dropped) trimmed_ = false;
    patient = !dropped;
    lead = true;
    any_ = live_.any(0, end_);
  }
  finished_ = !any_ || (trimmed_ && lead);
  return {};
}

// Sets trimmed_ when nothing changes any more. Without patience it ends after a pass that drops
// little, or the first one of all, which drops what has no edges.
Status CycleCore::trim(EdgeReader& reader, WorkPoll& poll, bool patient, bool& changed) {
  for (u64 before = live_.count(); !trimmed_ && !out_of_passes();) {
    XMC_TRY(trim_pass(reader, poll));
    const u64 left = live_.count();
    const u64 dropped = before - left;
    trimmed_ = dropped == 0 || left == 0;
    changed = changed || dropped > 0;
    if (!patient && (before == end_ || dropped < before / kLittle)) return {};
    before = left;
  }
  return {};
}

Status CycleCore::trim_pass(EdgeReader& reader, WorkPoll& poll) {
  const auto drop = [&](u64 begin, u64 end) {
    if (live_.any(begin, end)) live_.clear_range(begin, end);
  };
  bool leads_on = false;  // a piece of this record that was seen already does
  u64 above = end_;       // states from here on are settled
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
    leads_on = leads_on || leads_into(targets, live_, end_);
    if (record.goes_on) return;
    // States without a record, in between, lead nowhere.
    drop(leads_on ? record.state + 1 : record.state, above);
    above = record.state;
    leads_on = false;
  };
  XMC_TRY(EdgePass(reader, live_, end_).down(figures_, poll, visit));
  drop(0, above);
  return {};
}

// Keeps the states that are accepting or have a path to an accepting one. Those that are not known
// to be such are marked, so that passes skip what is settled.
Status CycleCore::keep_leading(EdgeReader& reader, WorkPoll& poll, bool& changed) {
  open_.start(second_, end_, false);
  const std::span<u64> live = live_.words();
  const std::span<u64> open = open_.words();
  std::copy(live.begin(), live.end(), open.begin());
  const auto leads = [&](std::span<const u64> targets) {
    for (const u64 target : targets) {
      if (target >= end_) return false;
      if (live_.test(target) && !open_.test(target)) return true;
    }
    return false;
  };
  for (bool more = true; more;) {
    more = false;
    bool leads_on = false;
    const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
      leads_on = leads_on || record.accepting || leads(targets);
      if (record.goes_on) return;
      if (leads_on && open_.test(record.state)) {
        open_.clear(record.state);
        more = true;
      }
      leads_on = false;
    };
    XMC_TRY(EdgePass(reader, open_, end_).down(figures_, poll, visit));
  }
  changed = open_.any(0, end_);
  for (std::size_t i = 0; i < live.size(); ++i) live[i] &= ~open[i];
  return {};
}

}  // namespace xmc
