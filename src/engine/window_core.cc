#include "engine/window_core.h"

#include <algorithm>

#include "engine/window_walk.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kPageBytes = Windows::kPageBytes;
constexpr const char* kFiles[] = {kLiveFile, kOtherLiveFile};

bool leads_into(std::span<const u64> targets, const WindowBits& set) {
  for (const u64 target : targets) {
    if (target >= set.size()) return false;
    if (set.has(target) && set.test(target)) return true;
  }
  return false;
}

}  // namespace

u64 WindowCore::least_bytes(u64 states) {
  return 3 * round_up(divide_up(divide_up(states, Windows::kMost), 8) + 1, kPageBytes) +
         4 * kPageBytes;
}

Status WindowCore::find(const Setup& setup, const WorkPoll& poll, LassoResult& result,
                        StopReason& stop) {
  const u64 states = setup.edges->states();
  XMC_CHECK(setup.memory.size() >= least_bytes(states));
  setup_ = setup;
  poll_ = poll;
  figures_ = {};
  const u64 third = round_down(setup.memory.size() / 3, kPageBytes);
  windows_.states = states;
  windows_.each = std::min(third * 8, std::max<u64>(round_down(setup.most_window, 64), 64));
  windows_.count = divide_up(states, windows_.each);
  windows_.bytes = round_up(windows_.each / 8, kPageBytes);
  XMC_CHECK(windows_.count <= Windows::kMost);
  for (u32 i = 0; i < 3; ++i) {
    part_[i] = setup.memory.subspan(static_cast<std::size_t>(i * third),
                                    static_cast<std::size_t>(windows_.bytes));
  }
  result = {};
  setup_.reader->start(*setup_.edges, setup_.read_buffer);
  Status status = run(result, stop);
  for (const Status& end : {setup_.reader->finish(), remove_files()}) {
    if (status.ok()) status = end;
  }
  return status;
}

Status WindowCore::run(LassoResult& result, StopReason& stop) {
  bool any = windows_.states > 0;
  for (bool dropped = true; dropped && any && stop == StopReason::none;) {
    dropped = false;
    XMC_TRY(trim(any, stop));
    if (any && !setup_.weak && stop == StopReason::none) XMC_TRY(keep_leading(dropped, stop));
  }
  if (stop != StopReason::none) return {};
  result.none = !any;
  if (!any) return {};
  WindowWalk walk(*setup_.reader, setup_.weak ? live() : lead_, setup_.weak, setup_.memory);
  return walk.find(some_live_, poll_, result, stop);
}

Status WindowCore::remove_files() {
  Status status;
  for (WindowFile* const file : {&live_[0], &live_[1], &lead_}) {
    const Status removed = file->remove();
    if (status.ok()) status = removed;
  }
  return status;
}

// --- Trimming ---------------------------------------------------------------------------------

// The file of the pass before the last one is made anew.
Status WindowCore::begin_live() {
  turn_ ^= 1;
  return live_[turn_].create(*setup_.folder, kFiles[turn_], windows_);
}

// By the file of this pass, or of the one before. Before the first pass everything is live.
Status WindowCore::load_live(u64 window, WindowBits& bits, std::span<u8> memory, bool now) {
  const WindowFile& file = live_[now ? turn_ : turn_ ^ 1];
  if (file.exists()) return file.load(0, window, bits, memory);
  bits.start(memory, windows_.first(window), windows_.size(window), true);
  return {};
}

Status WindowCore::trim(bool& any, StopReason& stop) {
  for (bool changed = true; changed && any && stop == StopReason::none;) {
    XMC_TRY(trim_pass(changed, any, stop));
  }
  return {};
}

Status WindowCore::trim_pass(bool& changed, bool& any, StopReason& stop) {
  XMC_TRY(begin_live());
  changed = any = false;
  for (u64 k = windows_.count; k-- > 0 && stop == StopReason::none;) {
    XMC_TRY(load_live(k, sources_, part_[0], false));
    if (sources_.any()) {
      leading_.start(part_[1], windows_.first(k), windows_.size(k), false);
      for (u64 j = windows_.count; j-- > 0 && stop == StopReason::none;) {
        if (j == k) continue;
        WindowBits targets;
        XMC_TRY(load_live(j, targets, part_[2], j > k));
        if (targets.any()) XMC_TRY(find_leading(targets, stop));
      }
      if (stop == StopReason::none) XMC_TRY(drop_rest(changed, stop));
    }
    if (sources_.any()) {
      any = true;
      some_live_ = sources_.next();
    }
    XMC_TRY(live_[turn_].append(part_[0]));
  }
  return {};
}

// Of the sources, those with a marked target in another window.
Status WindowCore::find_leading(const WindowBits& targets, StopReason& stop) {
  return EdgePass(*setup_.reader, sources_, sources_.size())
      .down(figures_, poll_, stop, [&](const EdgeGroup::Record& record, std::span<const u64> all) {
        if (!sources_.has(record.state) || !sources_.test(record.state)) return;
        if (!leading_.test(record.state) && leads_into(all, targets)) leading_.set(record.state);
      });
}

// Of the sources, those that do not lead on: neither into another window nor here.
Status WindowCore::drop_rest(bool& changed, StopReason& stop) {
  const auto drop = [&](u64 begin, u64 end) {
    if (!sources_.any(begin, end)) return;
    sources_.clear_range(begin, end);
    changed = true;
  };
  bool leads_on = false;
  u64 above = sources_.size();
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64> all) {
    if (!sources_.has(record.state)) return;
    leads_on = leads_on || leading_.test(record.state) || leads_into(all, sources_);
    if (record.goes_on) return;
    drop(leads_on ? record.state + 1 : record.state, above);
    above = record.state;
    leads_on = false;
  };
  XMC_TRY(EdgePass(*setup_.reader, sources_, sources_.size()).down(figures_, poll_, stop, visit));
  if (stop == StopReason::none) drop(sources_.first(), above);
  return {};
}

// --- States that lead to accepting ones ---------------------------------------------------------

// Layers of the live states that do, until there are no more; these are the live ones then.
Status WindowCore::keep_leading(bool& dropped, StopReason& stop) {
  XMC_TRY(lead_.create(*setup_.folder, kLeadFile, windows_));
  for (bool changed = true; changed && stop == StopReason::none;) {
    XMC_TRY(add_layer(changed, dropped, stop));
  }
  if (!dropped || stop != StopReason::none) return {};
  XMC_TRY(begin_live());
  for (u64 k = windows_.count; k-- > 0;) {
    XMC_TRY(lead_.load(lead_.layers() - 1, k, leading_, part_[1]));
    XMC_TRY(live_[turn_].append(part_[1]));
  }
  return {};
}

// `open`: there are live states that are in no layer. Here `sources` are those, and one that is in
// `leading`, too, is going to enter the layer when its turn comes: in order of its number, which is
// what WindowWalk finds its way by.
Status WindowCore::add_layer(bool& changed, bool& open, StopReason& stop) {
  const u64 layer = lead_.layers();
  changed = open = false;
  for (u64 k = windows_.count; k-- > 0 && stop == StopReason::none;) {
    XMC_TRY(live().load(0, k, sources_, part_[0]));
    leading_.start(part_[1], windows_.first(k), windows_.size(k), false);
    if (layer > 0) XMC_TRY(lead_.load(layer - 1, k, leading_, part_[1]));
    const std::span<u64> sources = sources_.words();
    for (std::size_t i = 0; i < sources.size(); ++i) sources[i] &= ~leading_.words()[i];
    for (u64 j = windows_.count; j-- > 0 && stop == StopReason::none;) {
      if (j == k || (j < k && layer == 0) || !sources_.any()) continue;
      WindowBits targets;
      XMC_TRY(lead_.load(j > k ? layer : layer - 1, j, targets, part_[2]));
      if (targets.any()) XMC_TRY(find_leading(targets, stop));
    }
    if (sources_.any() && stop == StopReason::none) XMC_TRY(enter_window(changed, stop));
    open = open || sources_.any();
    XMC_TRY(lead_.append(part_[1]));
  }
  return {};
}

Status WindowCore::enter_window(bool& changed, StopReason& stop) {
  const auto entered = [&](std::span<const u64> targets) {
    for (const u64 target : targets) {
      if (target >= leading_.size()) return false;
      if (!leading_.has(target)) continue;
      if (leading_.test(target) && !sources_.test(target)) return true;
    }
    return false;
  };
  bool leads = false;
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
    const u64 state = record.state;
    if (!sources_.has(state)) return;
    leads = leads || record.accepting || leading_.test(state) || entered(targets);
    if (record.goes_on) return;
    if (leads && sources_.test(state)) {
      sources_.clear(state);
      leading_.set(state);
      changed = true;
    }
    leads = false;
  };
  return EdgePass(*setup_.reader, sources_, sources_.size()).down(figures_, poll_, stop, visit);
}

}  // namespace xmc
