#include "engine/cycles/windows/window_core.h"

#include <algorithm>

#include "engine/cycles/windows/window_walk.h"
#include "engine/search/file_names.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

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

void WindowCore::lay_out() {
  const u64 third = round_down(setup_.memory.size() / 3, kPageBytes);
  windows_.states = setup_.edges->states();
  windows_.each = std::min({third * 8, std::max<u64>(round_down(setup_.most_window, 64), 64),
                            round_up(std::max<u64>(windows_.states, 1), 64)});
  if (fits_checkpoint()) windows_.each = setup_.checkpoint->each;
  windows_.count = divide_up(windows_.states, windows_.each);
  windows_.bytes = round_up(windows_.each / 8, kPageBytes);
  XMC_CHECK(windows_.count <= Windows::kMost);
  for (u32 i = 0; i < 3; ++i) {
    part_[i] = setup_.memory.subspan(static_cast<std::size_t>(i * third),
                                     static_cast<std::size_t>(windows_.bytes));
  }
}

Status WindowCore::find(const Setup& setup, const WorkPoll& poll, LassoResult& result) {
  XMC_CHECK(setup.memory.size() >= least_bytes(setup.edges->states()));
  setup_ = setup;
  poll_ = poll;
  figures_ = {};
  walk_steps_ = 0;
  lay_out();
  result = {};
  setup_.reader->start(*setup_.edges, setup_.read_buffer);
  Status status = restore_checkpoint();
  if (status.ok()) status = run(result);
  for (const Status& end : {setup_.reader->finish(), close_files()}) {
    if (status.ok()) status = end;
  }
  return status;
}

Status WindowCore::run(LassoResult& result) {
  if (stage_ != WindowCheckpoint::Stage::walk) {
    const Status status = find_core();
    if (status.stop_reason() != StopReason::none) XMC_TRY(save_checkpoint());
    XMC_TRY(status);
  }
  result.none = !any_;
  return any_ ? walk(result) : Status();
}

Status WindowCore::find_core() {
  for (bool dropped = true; dropped && (any_ || resumed_);) {
    dropped = false;
    if (!resumed_ || stage_ == WindowCheckpoint::Stage::trim) XMC_TRY(trim());
    if (any_ && !setup_.weak) XMC_TRY(keep_leading(dropped));
  }
  return {};
}

Status WindowCore::walk(LassoResult& result) {
  WindowWalk walk(*setup_.reader, setup_.weak ? live() : lead_, setup_.weak, setup_.memory);
  if (stage_ == WindowCheckpoint::Stage::walk) {
    XMC_TRY(walk.restore_checkpoint(setup_.checkpoint->walk, *setup_.folder,
                                    setup_.product->scan_buffer));
  } else {
    walk.start(some_live_);
  }
  stage_ = WindowCheckpoint::Stage::walk;
  while (!walk.done()) {
    const Status status = walk.go(poll_);
    walk_steps_ = walk.steps();
    if (status.stop_reason() != StopReason::none) XMC_TRY(save_walk(walk));
    XMC_TRY(status);
    if (!walk.done()) XMC_TRY(checkpoint_walk(walk));
  }
  return walk.take(result);
}

Status WindowCore::close_files() {
  Status status;
  for (WindowFile* const file : {&live_[0], &live_[1], &lead_}) {
    const Status closed = file->close();
    if (status.ok()) status = closed;
  }
  return status;
}

// --- Trimming ---------------------------------------------------------------------------------

// The file of the pass before the last one is made anew, unless a checkpoint has named it.
Status WindowCore::begin_live() {
  turn_ ^= 1;
  WindowFile& file = live_[turn_];
  if (!file.exists() || file.named()) {
    XMC_TRY(file.close());
    live_number_[turn_] = next_live_++;
  }
  return file.create(*setup_.folder, FileName(kLiveFile, live_number_[turn_]), windows_);
}

// By the file of this pass, or of the one before. Before the first pass everything is live.
Status WindowCore::load_live(u64 window, WindowBits& bits, std::span<u8> memory, bool now) {
  const WindowFile& file = live_[now ? turn_ : turn_ ^ 1];
  if (file.exists()) return file.load(0, window, bits, memory);
  bits.start(memory, windows_.first(window), windows_.size(window), true);
  return {};
}

Status WindowCore::trim() {
  if (resumed_) {
    resumed_ = false;
    if (live().windows_of_layer() != 0) XMC_TRY(trim_windows());
  } else {
    stage_ = WindowCheckpoint::Stage::trim;
    changed_ = true;
  }
  while (changed_ && any_) {
    XMC_TRY(begin_live());
    changed_ = any_ = false;
    XMC_TRY(trim_windows());
  }
  return {};
}

// Those of this pass that are not done.
Status WindowCore::trim_windows() {
  in_pass_ = true;
  for (u64 k = windows_.count - live().windows_of_layer(); k-- > 0;) {
    XMC_TRY(load_live(k, sources_, part_[0], false));
    bool changes = changed_;  // nothing is true of a window that is not finished
    if (sources_.any()) {
      leading_.start(part_[1], windows_.first(k), windows_.size(k), false);
      for (u64 j = windows_.count; j-- > 0;) {
        if (j == k) continue;
        WindowBits targets;
        XMC_TRY(load_live(j, targets, part_[2], j > k));
        if (targets.any()) XMC_TRY(find_leading(targets));
      }
      XMC_TRY(drop_rest(changes));
    }
    changed_ = changes;
    if (sources_.any()) {
      any_ = true;
      some_live_ = sources_.next();
    }
    XMC_TRY(live_[turn_].append(part_[0]));
    in_pass_ = k > 0;
    XMC_TRY(window_done());
  }
  return {};
}

// Of the sources, those with a marked target in another window.
Status WindowCore::find_leading(const WindowBits& targets) {
  return EdgePass(*setup_.reader, sources_, sources_.size())
      .down(figures_, poll_, [&](const EdgeGroup::Record& record, std::span<const u64> all) {
        if (!sources_.has(record.state) || !sources_.test(record.state)) return;
        if (!leading_.test(record.state) && leads_into(all, targets)) leading_.set(record.state);
      });
}

// Of the sources, those that do not lead on: neither into another window nor here.
Status WindowCore::drop_rest(bool& changed) {
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
  XMC_TRY(EdgePass(*setup_.reader, sources_, sources_.size()).down(figures_, poll_, visit));
  drop(sources_.first(), above);
  return {};
}

// --- States that lead to accepting ones ---------------------------------------------------------

// Layers of the live states that do, until there are no more; these are the live ones then.
Status WindowCore::keep_leading(bool& dropped) {
  if (resumed_) {
    resumed_ = false;
    if (lead_.windows_of_layer() != 0) XMC_TRY(add_windows());
  } else {
    XMC_TRY(begin_lead());
  }
  while (changed_) {
    changed_ = open_ = false;
    XMC_TRY(add_windows());
  }
  dropped = open_;
  if (!dropped) return {};
  XMC_TRY(begin_live());
  for (u64 k = windows_.count; k-- > 0;) {
    XMC_TRY(lead_.load(lead_.layers() - 1, k, leading_, part_[1]));
    XMC_TRY(live_[turn_].append(part_[1]));
  }
  return {};
}

Status WindowCore::begin_lead() {
  stage_ = WindowCheckpoint::Stage::layers;
  changed_ = true;
  if (!lead_.exists() || lead_.named()) {
    XMC_TRY(lead_.close());
    lead_number_ = next_lead_++;
  }
  return lead_.create(*setup_.folder, FileName(kLeadFile, lead_number_), windows_);
}

// Those of this layer that are not done. Here `sources` are the live states that are in no layer,
// and one that is in `leading`, too, is going to enter the layer when its turn comes: in order of
// its number, which is what WindowWalk finds its way by.
Status WindowCore::add_windows() {
  in_pass_ = true;
  const u64 layer = lead_.layers();
  for (u64 k = windows_.count - lead_.windows_of_layer(); k-- > 0;) {
    XMC_TRY(live().load(0, k, sources_, part_[0]));
    leading_.start(part_[1], windows_.first(k), windows_.size(k), false);
    if (layer > 0) XMC_TRY(lead_.load(layer - 1, k, leading_, part_[1]));
    const std::span<u64> sources = sources_.words();
    for (std::size_t i = 0; i < sources.size(); ++i) sources[i] &= ~leading_.words()[i];
    for (u64 j = windows_.count; j-- > 0;) {
      if (j == k || (j < k && layer == 0) || !sources_.any()) continue;
      WindowBits targets;
      XMC_TRY(lead_.load(j > k ? layer : layer - 1, j, targets, part_[2]));
      if (targets.any()) XMC_TRY(find_leading(targets));
    }
    bool changes = changed_;
    if (sources_.any()) XMC_TRY(enter_window(changes));
    changed_ = changes;
    open_ = open_ || sources_.any();
    XMC_TRY(lead_.append(part_[1]));
    in_pass_ = k > 0;
    XMC_TRY(window_done());
  }
  return {};
}

Status WindowCore::enter_window(bool& changed) {
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
  return EdgePass(*setup_.reader, sources_, sources_.size()).down(figures_, poll_, visit);
}

}  // namespace xmc
