#include "trace/fair_cycle.h"

#include "trace/trace_view.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

void FairCycle::plan(const ModelText& text, u32 property, Arena& arena) {
  XMC_CHECK(text.step != nullptr);
  text_ = &text;
  property_ = property;
  met_ = arena.carve_array<u8>("replay", text.processes.size());
  enabled_ = arena.carve_array<u8>("replay", text.processes.size());
}

void FairCycle::note_movers(u32 label, std::span<u8> moved) const {
  const StepText step = text_->step(text_->self, label);
  for (const u32 transition : {step.transition, step.partner}) {
    const TransitionText* const part = transition_of(*text_, transition);
    if (part != nullptr) moved[part->process] = 1;
  }
}

// The judge's successors have all steps of the state.
void FairCycle::note_state(Replay& replay) {
  fill_zero(enabled_);
  const u32 count = replay.expansion().count;
  for (u32 i = 0; i < count; ++i) note_movers(replay.successors().labels[i], enabled_);
  for (std::size_t p = 0; p < met_.size(); ++p) {
    if (enabled_[p] == 0) met_[p] = 1;
  }
}

Status FairCycle::confirm(Replay& replay, const StepChooser& chooser, const TraceClaim& claim) {
  XMC_CHECK(text_ != nullptr);
  if (claim.loop_start == kNoLoop) return {};
  fill_zero(met_);
  XMC_TRY(replay.start(chooser));
  while (replay.index() < claim.steps) {
    const bool in_loop = replay.index() >= claim.loop_start;
    if (in_loop) note_state(replay);
    XMC_TRY(replay.advance());
    if (in_loop) note_movers(replay.label(), met_);
  }
  for (u32 p = 0; p < met_.size(); ++p) {
    if (met_[p] != 0 || p == property_) continue;
    const std::string_view name = process_name(*text_, p);
    return Status::fail(Code::internal,
                        "the cycle of the trace is not fair: process %.*s is enabled and does not "
                        "move",
                        static_cast<int>(name.size() < 80 ? name.size() : 80), name.data());
  }
  return {};
}

}  // namespace xmc
