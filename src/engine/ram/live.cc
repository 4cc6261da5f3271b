#include "engine/ram/live.h"

#include <algorithm>

#include "engine/ram/bfs.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u32 kLeadsThere = 1;

class Live {
 public:
  explicit Live(RamSearch& ram) : r_(ram), s_(*ram.search) {}

  Status search() {
    const u64 states = r_.table.size();
    StateIndex first = kNone;
    u32 property = 0;
    for (u32 i = 0; i < s_.model.live_count; ++i) {
      XMC_TRY(mark(i));
      bool changed = true;
      while (changed) XMC_TRY(pass(changed));
      StateIndex open = 0;
      while (open < states && r_.table.note(open) != 0) ++open;
      if (open >= states || open >= first) continue;
      first = open;
      property = i;
    }
    return first == kNone ? Status() : found(first, property);
  }

 private:
  Status mark(u32 property) {
    for (StateIndex i = 0; i < r_.table.size(); ++i) {
      r_.table.load(i, s_.state);
      const bool here = (s_.model.live(s_.model.self, s_.state) >> property & 1) != 0;
      r_.table.set_note(i, here ? kLeadsThere : 0);
      if (s_.is_time()) XMC_TRY(r_.poll(0, 0, false));
    }
    return {};
  }

  Status pass(bool& changed) {
    changed = false;
    for (StateIndex i = static_cast<StateIndex>(r_.table.size()); i-- > 0;) {
      if (r_.table.note(i) != 0) continue;
      const Expansion expansion = r_.expand(i, 0);
      if (leads_there(expansion.count)) {
        r_.table.set_note(i, kLeadsThere);
        changed = true;
      }
      if (s_.is_time()) XMC_TRY(r_.poll(0, 0, false));
    }
    return {};
  }

  bool leads_there(u32 count) {
    StateIndex found[StateTable::kBatch];
    for (u32 done = 0; done < count; done += StateTable::kBatch) {
      const u32 piece = std::min(count - done, StateTable::kBatch);
      r_.table.find(s_.buffer_at(done), piece, found);
      for (u32 i = 0; i < piece; ++i) {
        XMC_CHECK(found[i] != kNone);
        if (r_.table.note(found[i]) != 0) return true;
      }
    }
    return false;
  }

  // Entry d of the side stack is the first state of level d.
  Status found(StateIndex state, u32 property) {
    u64 level = 0;
    while (level + 1 < r_.table.stack_size() && r_.table.stack(level + 1) <= state) ++level;
    SearchOutcome& outcome = *s_.outcome;
    s_.record(Violation::liveness, Expansion(), level);
    outcome.predicate = s_.model.predicate_count + s_.model.cover_count + property;
    outcome.minimal = true;
    return trace_back(r_, state, level, false);
  }

  RamSearch& r_;
  Search& s_;
};

}  // namespace

void run_live(RamSearch& ram) {
  SearchOutcome& outcome = *ram.search->outcome;
  const StopReason stop = Live(ram).search().take_stop();
  if (stop == StopReason::none) return;
  outcome.stop = stop;
  outcome.complete = false;
  outcome.path_missing = outcome.violation != Violation::none;
}

}  // namespace xmc
