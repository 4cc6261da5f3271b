// Checkpoints of a search with windows of bits (window_checkpoint.h), and going on from them.
#include <algorithm>

#include "engine/cycles/windows/window_core.h"
#include "engine/cycles/windows/window_walk.h"
#include "engine/search/file_names.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/engine.h"

namespace xmc {

bool WindowCore::fits_checkpoint() const {
  const WindowCheckpoint* const m = setup_.checkpoint;
  if (m == nullptr || m->stage == WindowCheckpoint::Stage::none) return false;
  const u64 states = setup_.edges->states();
  const u64 third = round_down(setup_.memory.size() / 3, kPageBytes);
  return m->states == states && m->each > 0 && m->each % 64 == 0 && m->each <= third * 8 &&
         divide_up(states, m->each) <= Windows::kMost;
}

// From the beginning, or behind the window that the checkpoint says.
Status WindowCore::restore_checkpoint() {
  turn_ = 0;
  stage_ = WindowCheckpoint::Stage::trim;
  resumed_ = changed_ = open_ = in_pass_ = false;
  any_ = windows_.states > 0;
  next_live_ = next_lead_ = 0;
  if (setup_.checkpoint == nullptr) return {};
  WindowCheckpoint& m = *setup_.checkpoint;
  next_live_ = m.next_live;
  next_lead_ = m.next_lead;
  if (!fits_checkpoint()) {
    m.stage = WindowCheckpoint::Stage::none;
    return {};
  }
  Folder& folder = *setup_.folder;
  stage_ = m.stage;
  resumed_ = true;
  changed_ = m.changed;
  any_ = open_ = m.any;
  if (stage_ != WindowCheckpoint::Stage::trim) any_ = true;
  some_live_ = m.some_live;
  figures_.passes = m.passes;
  ++m.resumed;
  const auto reopen = [&](WindowFile& file, const char* base, const WindowCheckpoint::File& as) {
    return file.reopen(folder, FileName(base, as.number), windows_, as, part_[2]);
  };
  live_number_[0] = m.live.number;
  live_number_[1] = m.before.number;
  lead_number_ = m.lead.number;
  XMC_TRY(reopen(live_[0], kLiveFile, m.live));
  if (m.before.windows > 0) XMC_TRY(reopen(live_[1], kLiveFile, m.before));
  const bool lead = stage_ == WindowCheckpoint::Stage::layers || m.lead.windows > 0;
  return lead ? reopen(lead_, kLeadFile, m.lead) : Status();
}

// Everything up to the last window that is done.
Status WindowCore::save_checkpoint() {
  if (setup_.checkpoint == nullptr) return {};
  WindowCheckpoint& m = *setup_.checkpoint;
  XMC_TRY(remove_old(kLiveFile, m.oldest_live, m.named_live[0]));
  XMC_TRY(remove_old(kLeadFile, m.oldest_lead, m.named_lead[0]));
  m.named_live[0] = m.named_live[1];
  m.named_lead[0] = m.named_lead[1];
  m.named_live[1] = next_live_;
  for (u32 i = 0; i < 2; ++i) {
    if (live_[i].exists()) m.named_live[1] = std::min(m.named_live[1], live_number_[i]);
  }
  m.named_lead[1] = lead_.exists() ? lead_number_ : next_lead_;
  // A pass of which no window is done is begun again, behind the one before.
  const WindowFile& file = stage_ == WindowCheckpoint::Stage::trim ? live() : lead_;
  const bool fresh = in_pass_ && file.windows_of_layer() == 0;
  const bool again = fresh && stage_ == WindowCheckpoint::Stage::trim;
  const u32 turn = again ? turn_ ^ 1 : turn_;
  m.before = m.live = m.lead = {};
  m.stage = WindowCheckpoint::Stage::none;
  if (!live_[turn].exists()) return {};
  m.stage = fresh && (stage_ == WindowCheckpoint::Stage::trim || lead_.layers() == 0)
                ? WindowCheckpoint::Stage::trim
                : stage_;
  m.changed = changed_ || (fresh && m.stage == stage_);
  m.any = stage_ == WindowCheckpoint::Stage::trim ? any_ || fresh : open_ || fresh;
  XMC_TRY(live_[turn].save_checkpoint(m.live));
  m.live.number = live_number_[turn];
  if (stage_ == WindowCheckpoint::Stage::trim && !again && live_[turn ^ 1].exists()) {
    XMC_TRY(live_[turn ^ 1].save_checkpoint(m.before));
    m.before.number = live_number_[turn ^ 1];
  }
  const bool walk = m.stage == WindowCheckpoint::Stage::walk;
  if (m.stage == WindowCheckpoint::Stage::layers || (walk && lead_.exists())) {
    XMC_TRY(lead_.save_checkpoint(m.lead));
    m.lead.number = lead_number_;
  }
  m.states = windows_.states;
  m.each = windows_.each;
  m.some_live = some_live_;
  m.passes = figures_.passes;
  m.next_live = next_live_;
  m.next_lead = next_lead_;
  return {};
}

// Numbers below `from` are named by none of the last two checkpoints, and not in use.
Status WindowCore::remove_old(const char* file, u64& oldest, u64 from) {
  for (; oldest < from; ++oldest) {
    XMC_TRY(setup_.folder->remove(FileName(file, oldest).c_str()));
  }
  return {};
}

// A window was appended: the end of a pass counts as that of a level.
Status WindowCore::window_done() {
  if (setup_.checkpoint == nullptr) return {};
  const WindowFile& file = stage_ == WindowCheckpoint::Stage::trim ? live() : lead_;
  if (!setup_.product->checkpoint_due(file.windows_of_layer() == 0)) return {};
  XMC_TRY(save_checkpoint());
  return setup_.product->checkpoint(setup_.product->owner);
}

Status WindowCore::save_walk(const WindowWalk& walk) {
  if (setup_.checkpoint == nullptr) return {};
  XMC_TRY(save_checkpoint());
  return walk.save_checkpoint(setup_.checkpoint->walk, *setup_.folder, setup_.product->scan_buffer);
}

// Steps were taken.
Status WindowCore::checkpoint_walk(const WindowWalk& walk) {
  if (setup_.checkpoint == nullptr || !setup_.product->checkpoint_due(false)) return {};
  XMC_TRY(save_walk(walk));
  return setup_.product->checkpoint(setup_.product->owner);
}

}  // namespace xmc
