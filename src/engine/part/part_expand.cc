// How `part` expands the new states of the partitions in memory, and where their successors go.
#include <algorithm>
#include <bit>

#include "engine/part/part.h"
#include "store/keys/hash_class.h"
#include "store/keys/key_compare.h"

namespace xmc {

Status PartEngine::expand_new() {
  Status status = expand_table();
  const StopReason stop = status.take_stop();
  // What was expanded counts, whatever ended it.
  if (status.ok()) status = flush_buffer();
  search_.ahead.discard();
  XMC_TRY(status);
  return Status::stop(stop);
}

Status PartEngine::expand_table() {
  while (next_ < table_.size()) {
    if (full_ && residents_.classes == 1) return {};
    if (journal_.keys() >= search_.options.state_limit) {
      return Status::stop(StopReason::state_limit);
    }
    XMC_TRY(expand_one(next_));
    if (over()) return {};
    ++next_;
    if (fill_ >= Search::kCollect || next_ == table_.size()) XMC_TRY(flush_buffer());
    if (search_.is_time()) XMC_TRY(poll());
  }
  return {};
}

Status PartEngine::expand_one(StateIndex index) {
  const u64 number = journal_.keys();
  const Word origin = origins_.pop();
  XMC_TRY(journal_.append(&origin, 0));
  const Expansion expansion = expand(index);
  const Violation violation = search_.judge(expansion, fill_);
  if (violation != Violation::none && search_.outcome->violation == Violation::none) {
    search_.record(violation, expansion, 0);
    culprit_ = number;
  }
  note_successors(expansion.count, number);
  return {};
}

// On several threads those that wait in the table are expanded ahead.
Expansion PartEngine::expand(StateIndex index) {
  const StateIndex end = table_.size();
  if (search_.ahead.waiting() == 0 && !search_.ahead.pays(end - index)) {
    return search_.expand(table_, index, fill_);
  }
  search_.read_ahead(table_, index, end);
  return search_.expand_ahead(fill_);
}

// Takes note of the successors behind fill_, and of those that may have left the partitions in
// memory.
void PartEngine::note_successors(u32 count, u64 number) {
  const u32 words = search_.model.state_words;
  const Word* const from = search_.state;
  const Word* state = search_.buffer_at(fill_);
  for (u32 i = 0; i < count; ++i, state += words) {
    Word moved = 0;
    for (u32 w = 0; w < words; ++w) moved |= (state[w] ^ from[w]) & mask_[w];
    buffer_origins_[fill_ + i] = number << kStepBits | i;
    moved_[moved_count_] = fill_ + i;
    moved_count_ += moved != 0 ? 1 : 0;
  }
  fill_ += count;
}

// Of the successors in the buffer those in memory stay there, the others are away.
Status PartEngine::sort_out() {
  const u32 words = search_.model.state_words;
  const std::span<const u32> moved(moved_, moved_count_);
  tree_.leaves_of(search_.buffer, moved, moved_leaf_);
  u32 kept = moved.empty() ? fill_ : moved[0];
  for (std::size_t m = 0; m < moved.size(); ++m) {
    const Word* const state = search_.buffer_at(moved[m]);
    const u32 leaf = moved_leaf_[m];
    u32 begin = moved[m];  // from here to the next one everything stays
    if (!resident_[leaf] || (residents_.classes > 1 && !in_class(class_hash(state, words)))) {
      copy_key(away_ + u64{away_count_} * words, state, words);
      away_leaf_[away_count_] = static_cast<u16>(leaf);
      away_origins_[away_count_++] = buffer_origins_[moved[m]];
      if (away_count_ == kAway) XMC_TRY(flush_away());
      ++begin;
    }
    const u32 end = m + 1 < moved.size() ? moved[m + 1] : fill_;
    if (kept != begin) {
      std::copy(search_.buffer_at(begin), search_.buffer_at(end), search_.buffer_at(kept));
      std::copy(buffer_origins_ + begin, buffer_origins_ + end, buffer_origins_ + kept);
    }
    kept += end - begin;
  }
  fill_ = kept;
  moved_count_ = 0;
  return {};
}

Status PartEngine::flush_buffer() {
  XMC_TRY(sort_out());
  const u32 count = fill_;
  fill_ = 0;
  search_.clock.turn_to(Phase::insertion);
  XMC_TRY(take_in(search_.buffer, buffer_origins_, count));
  search_.clock.next_round();
  search_.clock.turn_to(Phase::generation);
  return {};
}

// A state that was queued lately is in the pending log, or visited by now.
Status PartEngine::flush_away() {
  u64 fresh = lately_queued_.insert(away_, away_count_);
  away_count_ = 0;
  for (; fresh != 0; fresh &= fresh - 1) {
    const u32 i = static_cast<u32>(std::countr_zero(fresh));
    const Word* const state = away_ + u64{i} * search_.model.state_words;
    XMC_TRY(append_pending(away_leaf_[i], state, away_origins_[i]));
  }
  return {};
}

// Into the table. What is new there and finds no room waits.
Status PartEngine::take_in(const Word* states, const u64* origins, u32 count) {
  const u32 words = search_.model.state_words;
  StateIndex found[StateTable::kBatch];
  for (u32 done = 0; done < count;) {
    const Word* const batch = states + u64{done} * words;
    const u32 part = std::min(count - done, StateTable::kBatch);
    u32 known = table_.size();
    u32 taken = 0;
    if (origins_.has_room(part)) {
      taken = table_.insert(batch, part, found);
      full_ = full_ || taken < part || table_.size() >= capacity_;
      for (u32 i = 0; i < taken; ++i) {
        if (found[i] != known) continue;
        origins_.push(origins[done + i]);
        ++known;
      }
    }
    table_.find(batch + u64{taken} * words, part - taken, found);
    for (u32 i = taken; i < part; ++i) {
      if (found[i - taken] != kNone) continue;
      const Word* const state = batch + u64{i} * words;
      XMC_TRY(append_pending(tree_.leaf_of(state), state, origins[done + i]));
    }
    done += part;
  }
  return {};
}

Status PartEngine::append_pending(u32 leaf, const Word* state, u64 origin) {
  const u32 words = search_.model.state_words;
  Word key[kKeyWords];
  copy_key(key, state, words);
  key[words] = origin;
  return pending_.append(leaf, key);
}

// What is new in the table and not expanded waits; next_ stays where it is.
Status PartEngine::put_back_new() {
  XMC_TRY(flush_away());
  Word state[limits::kStateWords];
  for (StateIndex i = next_; i < table_.size(); ++i) {
    table_.load(i, state);
    XMC_TRY(append_pending(tree_.leaf_of(state), state, origins_.pop()));
  }
  return {};
}

}  // namespace xmc
