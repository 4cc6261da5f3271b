#include "engine/ram/owned_bfs.h"

#include <algorithm>

#include "engine/search/exchange.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u32 kHalves = 2;  // of a word, on the side stack
constexpr u32 kFacts = 3;

// A state that all owners look for the smallest of.
struct Candidate {
  bool found = false;
  u64 facts[kFacts] = {};  // of a violation: its kind, predicate and label
  Word state[limits::kStateWords] = {};

  bool takes(const Word* other, u32 words) const {
    return !found || std::lexicographical_compare(other, other + words, state, state + words);
  }
  void take(const Word* other, u32 words) {
    found = true;
    std::copy_n(other, words, state);
  }
};

class OwnedBfs {
 public:
  OwnedBfs(RamSearch& ram, Peers& peers) : r_(ram), s_(*ram.search), peers_(peers) {
    words_ = s_.model.state_words;
    exchange_.start(peers, words_, {this, [](void* self, const Word* states, u32 count) {
                                      return static_cast<OwnedBfs*>(self)->take(states, count);
                                    }});
  }

  void run() {
    const Phase before = s_.clock.switch_to(Phase::expansion);
    const Status status = search();
    SearchOutcome& outcome = *s_.outcome;
    if (!status.ok()) peers_.stop(status.stop_reason());
    outcome.stop = status.stop_reason();
    outcome.complete = status.ok() && !over();
    s_.stats().states = r_.table.size();
    outcome.minimal = outcome.path_missing = false;
    if (outcome.violation != Violation::none)
      (has_path_ ? outcome.minimal : outcome.path_missing) = true;
    s_.stats().ram_used = r_.ram_used();
    s_.clock.switch_to(before);
  }

 private:
  enum Sum : u32 { kLevel, kAll, kFound, kLeftOut, kTransitions, kExpanded, kSums };

  Status search() {
    XMC_TRY(insert_initial());
    for (u64 begin = 0;; ++level_) {
      const u64 end = r_.table.size();
      level_begin_ = static_cast<StateIndex>(begin);
      level_end_ = static_cast<StateIndex>(end);
      if (!r_.table.push(level_begin_)) return r_.table_full();
      XMC_TRY(add_up());
      if (sums_[kLevel] == 0) return {};
      s_.stats().levels = level_ + 1;
      last_level_ = level_ >= s_.options.depth_limit;
      XMC_TRY(expand_level());
      XMC_TRY(exchange_.end_level());
      XMC_TRY(end_level());
      if (over()) return {};
      begin = end;
    }
  }

  bool over() const { return s_.outcome->violation != Violation::none && !s_.options.full; }

  // Everybody knows all of them and keeps its own.
  Status insert_initial() {
    const u32 count = s_.initial();
    for (u32 i = 0; i < count; ++i) {
      const Word* const state = s_.buffer_at(i);
      if (exchange_.owner_of(state) != peers_.me()) continue;
      if (r_.table.insert(state, 1, nullptr) != 1) return r_.table_full();
    }
    return {};
  }

  // What all owners have together, at the beginning of a level and at its end.
  Status add_up() {
    const SearchStats& stats = s_.stats();
    u64 mine[kSums];
    mine[kLevel] = level_end_ - level_begin_;
    mine[kAll] = r_.table.size();
    mine[kFound] = culprit_.found ? 1 : 0;
    mine[kLeftOut] = left_out_ ? 1 : 0;
    mine[kTransitions] = stats.transitions;
    mine[kExpanded] = stats.expansions;
    u64 all[limits::kOwners * kSums];
    XMC_TRY(peers_.gather(mine, {all, std::size_t{kSums} * peers_.count()}));
    std::fill(std::begin(sums_), std::end(sums_), 0);
    for (u32 i = 0; i < peers_.count() * kSums; ++i) sums_[i % kSums] += all[i];
    return {};
  }

  Status end_level() {
    XMC_TRY(add_up());
    if (sums_[kFound] != 0 && s_.outcome->violation == Violation::none) XMC_TRY(agree());
    if (talks()) XMC_TRY(ask(true));
    return sums_[kLeftOut] != 0 && !over() ? Status::stop(StopReason::depth_limit) : Status();
  }

  bool talks() const { return peers_.me() == 0; }

  // Others are taken for as far as this owner is until they say more.
  Status ask(bool level_done) {
    const SearchStats& stats = s_.stats();
    Progress progress;
    progress.level = level_;
    progress.level_states = sums_[kLevel];
    progress.level_done = level_done;
    const u64 owners = level_done ? 0 : peers_.count();
    progress.states = sums_[kAll] + owners * (r_.table.size() - at_level_.states);
    progress.transitions =
        sums_[kTransitions] + owners * (stats.transitions - at_level_.transitions);
    progress.expanded = sums_[kExpanded] + owners * (stats.expansions - at_level_.expansions);
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
    at_level_ = s_.stats();
    at_level_.states = r_.table.size();
    for (StateIndex i = level_begin_; i < level_end_; ++i) {
      const Expansion expansion = r_.expand(i, fill_);
      const Violation violation = s_.judge(expansion, fill_);
      fill_ += expansion.count;
      if (violation != Violation::none) note(violation, expansion);
      if (fill_ >= Search::kCollect) XMC_TRY(flush());
      if (s_.is_time()) XMC_TRY(look_around());
    }
    return flush();
  }

  void note(Violation violation, const Expansion& expansion) {
    if (s_.outcome->violation != Violation::none || !culprit_.takes(s_.state, words_)) return;
    culprit_.take(s_.state, words_);
    culprit_.facts[0] = static_cast<u64>(violation);
    culprit_.facts[1] = expansion.violated;
    culprit_.facts[2] = expansion.error_label;
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
      left_out_ = left_out_ || !r_.has_all(states, count);
      return {};
    }
    if (r_.table.insert(states, count, nullptr) == count) return {};
    return r_.table_full();
  }

  // The smallest of all candidates, to everybody.
  Status smallest(Candidate& candidate) {
    const u64 mine[] = {candidate.found ? u64{1} : 0};
    u64 found[limits::kOwners];
    XMC_TRY(peers_.gather(mine, {found, peers_.count()}));
    const Candidate own = candidate;
    for (u32 owner = 0; owner < peers_.count(); ++owner) {
      if (found[owner] == 0) continue;
      Candidate heard;
      XMC_TRY(hear(owner, own.facts, heard.facts, kFacts));
      XMC_TRY(hear(owner, own.state, heard.state, words_));
      if (!candidate.takes(heard.state, words_)) continue;
      heard.found = true;
      candidate = heard;
    }
    return {};
  }

  // The values of one owner, to all, in pieces: those of all owners would be much for a stack.
  Status hear(u32 owner, const u64* mine, u64* heard, u32 count) {
    constexpr u32 kPiece = 8;
    u64 all[limits::kOwners * kPiece];
    for (u32 at = 0; at < count; at += kPiece) {
      const u32 piece = std::min(kPiece, count - at);
      XMC_TRY(peers_.gather({mine + at, piece}, {all, std::size_t{piece} * peers_.count()}));
      std::copy_n(all + std::size_t{owner} * piece, piece, heard + at);
    }
    return {};
  }

  Status agree() {
    XMC_TRY(smallest(culprit_));
    Expansion shown;
    shown.violated = static_cast<u32>(culprit_.facts[1]);
    shown.error_label = static_cast<u32>(culprit_.facts[2]);
    s_.record(static_cast<Violation>(culprit_.facts[0]), shown, level_);
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
      XMC_TRY(smallest(before));
      XMC_CHECK(before.found);
      next = before;
      XMC_TRY(keep(next.state));
    }
    has_path_ = true;
    return {};
  }

  RamSearch& r_;
  Search& s_;
  Peers& peers_;
  Exchange exchange_;
  u32 words_ = 0;
  u64 level_ = 0;
  u32 fill_ = 0;  // successors waiting in the buffer
  StateIndex level_begin_ = 0;
  StateIndex level_end_ = 0;
  SearchStats at_level_;     // when its expansion began
  u64 sums_[kSums] = {};     // of all owners, then or at a level's end
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
