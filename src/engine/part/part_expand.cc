// How `part` expands the new states of the partitions in memory, and where their successors go.
#include <algorithm>
#include <bit>

#include "engine/part/part.h"
#include "store/keys/hash_class.h"
#include "store/keys/key_compare.h"
#include "xmc/step_work.h"

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
  while (memory_.active.next < memory_.table.size()) {
    if (memory_.active.full && memory_.active.whole()) return {};
    if (logs_.journal.keys() >= search_.options.state_limit) {
      return Status::stop(StopReason::state_limit);
    }
    XMC_TRY(expand_one(memory_.active.next));
    if (over()) return {};
    ++memory_.active.next;
    if (successors_.fill >= Search::kCollect || memory_.active.next == memory_.table.size()) {
      XMC_TRY(flush_buffer());
      if (owners_.on()) XMC_TRY(meet_others());
      if (over() || owners_.pausing()) return {};
    }
    if (search_.is_time()) XMC_TRY(poll());
  }
  return {};
}

Status PartEngine::expand_one(StateIndex index) {
  const u64 number = PartLogs::number_of(owners_.me(), logs_.journal.keys());
  const Expansion expansion = expand(index);
  if (Search::is_unfinished(expansion)) return stop_of_steps();
  const Word origin = memory_.origins.pop();
  XMC_TRY(logs_.journal.append(&origin, 0));
  const Violation violation = search_.judge(expansion, successors_.fill);
  if (violation != Violation::none && search_.outcome->violation == Violation::none) {
    if (owners_.on()) {
      owners_.note_violation(violation, expansion, number);
    } else {
      search_.record(violation, expansion, 0);
      culprit_ = number;
    }
  }
  note_successors(expansion.count, number);
  return {};
}

// On several threads those that wait in the table are expanded ahead.
Expansion PartEngine::expand(StateIndex index) {
  const StateIndex end = memory_.table.size();
  if (search_.ahead.waiting() == 0 && !search_.ahead.pays(end - index)) {
    return search_.try_expand(memory_.table, index, successors_.fill);
  }
  search_.read_ahead(memory_.table, index, end);
  return search_.expand_ahead(successors_.fill);
}

// Takes note of the successors behind those that wait, and of those that may have left the
// partitions in memory.
void PartEngine::note_successors(u32 count, u64 number) {
  const u32 words = search_.model.state_words;
  const Word* const from = search_.state;
  const Word* state = search_.buffer_at(successors_.fill);
  for (u32 i = 0; i < count; ++i, state += words) {
    Word moved = 0;
    for (u32 w = 0; w < words; ++w) moved |= (state[w] ^ from[w]) & memory_.active.mask[w];
    successors_.origins[successors_.fill + i] = number << kStepBits | i;
    successors_.moved[successors_.moved_count] = successors_.fill + i;
    successors_.moved_count += moved != 0 ? 1 : 0;
  }
  successors_.fill += count;
}

// Of the successors in the buffer those in memory stay there, the others are away.
Status PartEngine::sort_out() {
  const u32 words = search_.model.state_words;
  const std::span<const u32> moved(successors_.moved, successors_.moved_count);
  logs_.tree.leaves_of(search_.buffer, moved, successors_.moved_leaf);
  const bool classes = !memory_.active.whole();
  u32 kept = moved.empty() ? successors_.fill : moved[0];
  for (std::size_t m = 0; m < moved.size(); ++m) {
    const Word* const state = search_.buffer_at(moved[m]);
    u32 leaf = successors_.moved_leaf[m];
    if (owners_.on()) {
      const u32 owner = owners_.home_of(state);
      if (owner != owners_.me()) leaf = kElsewhere + owner;
    }
    u32 begin = moved[m];  // from here to the next one everything stays
    if (leaf >= kElsewhere || !memory_.active.resident[leaf] ||
        (classes && !memory_.in_class(class_hash(state, words)))) {
      copy_key(away_.states + u64{away_.count} * words, state, words);
      away_.leaf[away_.count] = static_cast<u16>(leaf);
      away_.origins[away_.count++] = successors_.origins[moved[m]];
      if (away_.count == kAway) XMC_TRY(flush_away());
      ++begin;
    }
    const u32 end = m + 1 < moved.size() ? moved[m + 1] : successors_.fill;
    if (kept != begin) {
      std::copy(search_.buffer_at(begin), search_.buffer_at(end), search_.buffer_at(kept));
      std::copy(successors_.origins + begin, successors_.origins + end, successors_.origins + kept);
    }
    kept += end - begin;
  }
  successors_.fill = kept;
  successors_.moved_count = 0;
  return {};
}

Status PartEngine::flush_buffer() {
  XMC_TRY(sort_out());
  const u32 count = successors_.fill;
  successors_.fill = 0;
  search_.clock.turn_to(Phase::insertion);
  XMC_TRY(memory_.take_in(search_.buffer, successors_.origins, count));
  search_.clock.next_round();
  search_.clock.turn_to(Phase::generation);
  return {};
}

// A state that was queued lately is in the pending log, or visited by now; one that was sent lately
// is so at its owner, or on its way.
Status PartEngine::flush_away() {
  u64 fresh = lately_queued_.insert(away_.states, away_.count);
  away_.count = 0;
  for (; fresh != 0; fresh &= fresh - 1) {
    const u32 i = static_cast<u32>(std::countr_zero(fresh));
    const Word* const state = away_.states + u64{i} * search_.model.state_words;
    const u16 leaf = away_.leaf[i];
    if (leaf >= kElsewhere) {
      XMC_TRY(owners_.send(leaf - kElsewhere, state, away_.origins[i]));
    } else {
      XMC_TRY(logs_.append_pending(leaf, state, away_.origins[i]));
    }
  }
  return {};
}

}  // namespace xmc
