#include "engine/ram/owned_bfs.h"

#include <algorithm>

#include "engine/owners/owner_figures.h"
#include "engine/search/agreement.h"
#include "engine/search/exchange.h"
#include "engine/search/timed_peers.h"
#include "xmc/check.h"
#include "xmc/step_work.h"

namespace xmc {

namespace {

constexpr u32 kHalves = 2;  // of a word, on the side stack

class OwnedBfs {
 public:
  OwnedBfs(RamSearch& ram, Peers& peers)
      : r_(ram), s_(*ram.search), timed_(peers, s_.options.now_ns), peers_(timed_) {
    words_ = s_.model.state_words;
    exchange_.start(peers_, words_, {this, [](void* self, Word* states, u32 count) {
                                       return static_cast<OwnedBfs*>(self)->take(states, count);
                                     }});
  }

  void run() {
    const Phase before = s_.clock.switch_to(Phase::expansion);
    const Status status = search();
    SearchOutcome& outcome = *s_.outcome;
    if (!status.ok()) peers_.stop(status.stop_reason());
    outcome.stop = status.stop_reason();
    outcome.complete = status.ok() && !s_.only_judges();
    s_.stats().states = r_.table.size();
    outcome.minimal = outcome.path_missing = false;
    if (outcome.violation != Violation::none)
      (has_path_ ? outcome.minimal : outcome.path_missing) = true;
    s_.stats().ram_used = r_.ram_used();
    exchange_.note_sent({}, s_.stats());
    s_.stats().waited_us = timed_.waited_ns() / 1000;
    // Where some of them are gone, what this process has is added up by itself.
    const StopReason gone = peers_.stopped();
    const Status told = gone == StopReason::none ? tell() : Status::stop(gone);
    if (!told.ok() && outcome.stop == StopReason::none) outcome.stop = told.stop_reason();
    outcome.complete = outcome.complete && told.ok();
    s_.clock.switch_to(before);
  }

 private:
  Status tell() {
    const SearchStats& stats = s_.stats();
    const OwnerShare mine = {stats.states, stats.transitions, stats.sent_states, stats.sent_bytes,
                             stats.waited_us};
    XMC_TRY(tell_share(peers_, mine, s_.options.shares));
    return total_figures(peers_, s_.stats());
  }

  Status search() {
    XMC_TRY(insert_initial());
    for (u64 begin = 0;; ++level_) {
      const u64 end = r_.table.size();
      level_begin_ = static_cast<StateIndex>(begin);
      level_end_ = static_cast<StateIndex>(end);
      if (!r_.table.push(level_begin_)) return r_.table_full();
      XMC_TRY(sums_.add_up(peers_, figures()));
      if (sums_.all().level == 0) return {};
      s_.stats().levels = level_ + 1;
      last_level_ = level_ >= s_.options.depth_limit;
      XMC_TRY(expand_level());
      XMC_TRY(exchange_.end_round());
      XMC_TRY(end_level());
      if (s_.over(level_ + 1)) return {};
      begin = end;
    }
  }

  // Everybody knows all of them and keeps its own.
  Status insert_initial() {
    const u32 count = s_.initial();
    for (u32 i = 0; i < count; ++i) {
      const Word* const state = s_.buffer_at(i);
      if (!exchange_.is_mine(state)) continue;
      if (r_.table.insert(state, 1, nullptr) != 1) return r_.table_full();
    }
    return {};
  }

  OwnerSums::Figures figures() {
    const SearchStats& stats = s_.stats();
    return {level_end_ - level_begin_, r_.table.size(),         stats.transitions,
            stats.expansions,          culprit_.found ? 1u : 0, left_out_ ? 1u : 0};
  }

  Status end_level() {
    XMC_TRY(sums_.add_up(peers_, figures()));
    if (sums_.all().found != 0 && s_.outcome->violation == Violation::none) XMC_TRY(agree());
    if (talks()) XMC_TRY(ask(true));
    const bool ends = sums_.all().left_out != 0 && !s_.over(level_ + 1);
    return ends ? Status::stop(StopReason::depth_limit) : Status();
  }

  bool talks() const { return peers_.me() == 0; }

  Status ask(bool level_done) {
    Progress progress = sums_.progress(figures());
    progress.level = level_;
    progress.level_done = level_done;
    progress.ram_used = peers_.count() * r_.ram_used();
    s_.poll_countdown = Search::kPollInterval;
    return Status::stop((*s_.control)(progress));
  }

  Status look_around() {
    if (talks()) return ask(false);
    s_.poll_countdown = Search::kPollInterval;
    return Status::stop(peers_.stopped());
  }

  Status expand_level() {
    for (StateIndex i = level_begin_; i < level_end_; ++i) {
      const Expansion expansion = r_.try_expand(i, fill_);
      if (Search::is_unfinished(expansion)) return stop_of_steps();
      const Violation violation = s_.judge(expansion, fill_);
      fill_ += expansion.count;
      if (violation != Violation::none) note(violation, expansion);
      if (fill_ >= Search::kCollect) XMC_TRY(flush());
      if (s_.is_time()) XMC_TRY(look_around());
    }
    return flush();
  }

  void note(Violation violation, const Expansion& expansion) {
    if (s_.outcome->violation != Violation::none) return;
    culprit_.take_violation(s_.state, words_, violation, expansion);
  }

  Status flush() {
    s_.clock.turn_to(Phase::insertion);
    const u32 count = fill_;
    fill_ = 0;
    XMC_LET(const u32 mine, exchange_.share_out(s_.buffer, count));
    XMC_TRY(take(s_.buffer, mine));
    XMC_TRY(exchange_.take_what_came());
    s_.clock.next_round();
    s_.clock.turn_to(Phase::generation);
    return {};
  }

  // States of this owner, found here or elsewhere.
  Status take(const Word* states, u32 count) {
    if (last_level_) {
      left_out_ = left_out_ || !r_.table.has_all(states, count);
      return {};
    }
    if (r_.table.insert(states, count, nullptr) == count) return {};
    return r_.table_full();
  }

  Status agree() {
    XMC_TRY(agree_on_smallest(peers_, words_, culprit_));
    Expansion shown;
    shown.violated = culprit_.predicate;
    shown.error_label = culprit_.error_label;
    s_.record(culprit_.violation, shown, level_);
    return trace_back();
  }

  // Owner 0 keeps the states, the last one first.
  Status keep(const Word* state) {
    if (!talks()) return {};
    for (u32 w = 0; w < words_; ++w) {
      for (u32 half = 0; half < kHalves; ++half) {
        if (!r_.table.push(static_cast<u32>(state[w] >> (32 * half)))) return r_.table_full();
      }
    }
    return {};
  }

  // At once, also when the search goes on: whatever ends it then, the path is there.
  Status trace_back() {
    Candidate next = culprit_;
    r_.path_begin = r_.table.stack_size();
    XMC_TRY(keep(next.state));
    for (u64 d = s_.outcome->prefix_steps; d > 0; --d) {
      Candidate before;
      const StateIndex end = r_.table.stack(d);
      for (StateIndex i = r_.table.stack(d - 1); i < end; ++i) {
        Word state[limits::kStateWords];
        r_.table.load(i, state);
        if (before.takes(state, words_) && s_.leads_to(state, next.state))
          before.take(state, words_);
        if (s_.is_time()) XMC_TRY(look_around());
      }
      XMC_TRY(agree_on_smallest(peers_, words_, before));
      XMC_CHECK(before.found);
      next = before;
      XMC_TRY(keep(next.state));
    }
    has_path_ = true;
    return {};
  }

  RamSearch& r_;
  Search& s_;
  TimedPeers timed_;
  Peers& peers_;
  Exchange exchange_;
  u32 words_ = 0;
  u64 level_ = 0;
  u32 fill_ = 0;  // successors waiting in the buffer
  StateIndex level_begin_ = 0;
  StateIndex level_end_ = 0;
  OwnerSums sums_;
  bool last_level_ = false;  // at the depth limit
  bool left_out_ = false;    // something lies beyond it
  Candidate culprit_;
  bool has_path_ = false;
};

}  // namespace

void run_owned_bfs(RamSearch& ram, Peers& peers) { OwnedBfs(ram, peers).run(); }

void load_owned_path(RamSearch& ram, u64 steps, u64 i, Word* out) {
  const u32 words = ram.search->model.state_words;
  u64 at = ram.path_begin + (steps - i) * words * kHalves;
  for (u32 w = 0; w < words; ++w) {
    const u64 low = ram.table.stack(at++);
    out[w] = low | u64{ram.table.stack(at++)} << 32;
  }
}

}  // namespace xmc
