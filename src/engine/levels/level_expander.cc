#include "engine/levels/level_expander.h"

#include <algorithm>
#include <utility>

#include "xmc/check.h"
#include "xmc/step_work.h"

namespace xmc {

void LevelExpander::plan(Frontier& frontier, Arena& arena) {
  *this = {};
  frontier_ = &frontier;
  const u64 words = u64{kAhead} * frontier.search.model.state_words;
  states_ = arena.carve_array<Word>("successors", words, kLineBytes).data();
}

void LevelExpander::forget() {
  frontier_->search.ahead.discard();
  fill_ = ahead_ = ahead_end_ = 0;
}

Status LevelExpander::next(u64 number, u64 end, const Word*& state, Expansion& expansion) {
  if (on_blocks_) return next_of_blocks(number, state, expansion);
  if (ahead_ == ahead_end_) XMC_TRY(read(number, end - number));
  Search& search = frontier_->search;
  state = states_ + u64{ahead_++} * search.model.state_words;
  expansion = search.try_state(state, fill_);
  if (!Search::is_unfinished(expansion)) return {};
  --ahead_;
  return stop_of_steps();
}

Status LevelExpander::next_of_blocks(u64 number, const Word*& state, Expansion& expansion) {
  Search& search = frontier_->search;
  BlockExpander& blocks = search.ahead;
  if (blocks.has_room()) {
    if (std::exchange(frontier_->reader_moved, false)) {
      XMC_TRY(frontier_->reader.seek_key(number + blocks.waiting()));
    }
    XMC_TRY(blocks.fill(frontier_->at.end - number - blocks.waiting(), [&](Word* to) {
      const Result<bool> more = frontier_->reader.next(to);
      XMC_CHECK(!more.ok() || more.value());
      return more.ok() ? Status() : more.status();
    }));
  }
  state = search.state;
  expansion = search.expand_ahead(fill_);
  return Search::is_unfinished(expansion) ? stop_of_steps() : Status();
}

Status LevelExpander::read(u64 number, u64 count) {
  Search& search = frontier_->search;
  search.clock.next_round();
  search.clock.turn_to(Phase::queueing);
  ahead_ = 0;
  ahead_end_ = static_cast<u32>(std::min<u64>(kAhead, count));
  Word* to = states_;
  if (const TableQueue& table = frontier_->in_table; table.on()) {
    for (u32 i = 0; i < ahead_end_; ++i, to += search.model.state_words) {
      table.load(number + i, to);
    }
  } else {
    if (std::exchange(frontier_->reader_moved, false)) {
      XMC_TRY(frontier_->reader.seek_key(number));
    }
    for (u32 i = 0; i < ahead_end_; ++i, to += search.model.state_words) {
      XMC_LET(const bool more, frontier_->reader.next(to));
      XMC_CHECK(more);
    }
  }
  search.clock.turn_to(Phase::generation);
  return {};
}

}  // namespace xmc
