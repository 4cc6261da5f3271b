// What follows a step while control is kept.
#include "lower/promela/steps/step_facts.h"

namespace xmc::promela_lower {

using ir::BodyOp;
using promela::Action;
using promela::ActionKind;
using promela::PlaceId;

u32 StepFinder::yields(const StepRegion& r) const {
  u32 count = 0;
  for (u32 i = r.own.first; i < r.own.last; ++i)
    count += p_.actions[i].op == BodyOp::yield && p_.actions[i].a == r.label ? 1u : 0u;
  return count;
}

Seen StepFinder::scan_region(const StepRegion& r, const StepScan::How& how) {
  Seen seen = scan_.scan(r.before[0], how);
  seen.add(scan_.scan(r.before[1], how));
  const StepScan::How reads{.is_first = how.is_first, .just_reads = true};
  for (const u32 i : {2u, 3u}) {
    Seen other = scan_.scan(r.before[i], reads);
    other.can_fail = false;
    seen.add(other);
  }
  seen.add(scan_.scan(r.own, how));
  seen.add(scan_.scan_reads(record_.provided[r.slot]));
  return seen;
}

// Whether control is kept behind it, and by whom, where.
bool StepFinder::keeps(const StepRegion& r, u32& slot, PlaceId& place) const {
  const Action& a = s_.actions[r.received != kNone ? r.received : r.action];
  slot = r.partner != kNone ? r.partner : r.slot;
  place = a.next;
  return a.keeps_control;
}

void StepFinder::may_end(u32 slot, u32 code) {
  ended_[f_.processes[slot].first_location + code] = scan_.turn();
}

// All that can follow in a chain. One that comes back to where it was may be endless.
void StepFinder::follow(u32 slot, PlaceId place) {
  const u32 code = slots_.code(slot, place);
  const u32 at = f_.processes[slot].first_location + code;
  if (code == 0 || color_[at] != 0) {
    seen_.can_fail = seen_.can_fail || (code != 0 && color_[at] == 1);
    return;
  }
  color_[at] = 1;
  colored_[colored_count_++] = at;
  may_end(slot, code);
  for (u32 i = regions_[at].first; i < regions_[at].last; ++i) {
    const StepRegion& r = record_.regions[i];
    if (yields(r) == 0 && r.partner != kNone) continue;
    seen_.add(scan_region(r, {.is_sure = is_sure_}));
    moves_others_ = moves_others_ || r.partner != kNone || moves_another(r, slot, kNone);
    u32 next = 0;
    PlaceId behind = 0;
    if (keeps(r, next, behind)) {
      follow(next, behind);
    } else {
      const bool dies = s_.actions[r.action].kind == ActionKind::die;
      may_end(next, dies ? 0 : slots_.code(next, behind));
    }
  }
  color_[at] = 2;
}

}  // namespace xmc::promela_lower
