// `part` as one owner of several: partitions of its own, in rounds with the others.
//
//   a round: activate partitions, send successors to their owners, take those that come
//   at its end: all add up what they have left, agree on a violation, and hear what owner 0 was
//   told
//
// A round may end while partitions are in memory, and they stay there, unless all have to stop or
// to leave a checkpoint. When nothing waits for others, they stay for what is sent to them.
#include <bit>
#include <numeric>

#include "engine/part/part.h"
#include "store/keys/hash_class.h"
#include "store/keys/key_compare.h"

namespace xmc {

Status PartEngine::search_divided() {
  while (!over() && !owners_.through()) {
    if (owners_.ordered()) {
      XMC_TRY(follow_orders());
      continue;
    }
    XMC_TRY(poll());
    XMC_TRY(owners_.take_what_came());
    const PartMemory::Residents residents = memory_.choose();
    if (!pays(residents) || owners_.wants_round()) {
      XMC_TRY(end_round());
    } else if (residents.classes > 1 && logs_.may_split()) {
      XMC_TRY(memory_.split_image(residents.leaf[0]));
    } else {
      XMC_TRY(activate(residents));
      owners_.ask_for_checkpoint(true);
    }
  }
  return {};
}

// What owner 0 was told. It is done at the same point by everybody, with nothing in memory.
Status PartEngine::follow_orders() {
  const StopReason stop = owners_.ordered_stop();
  owners_.clear_orders();
  if (stop == StopReason::none) return checkpoint();
  owners_.set_agreed();
  return Status::stop(stop);
}

// The partitions in memory, when no candidate waits for them any more, stay while none waits for
// others.
Status PartEngine::stay() {
  while (!over() && !owners_.pausing()) {
    if (memory_.active.full) {
      if (!memory_.may_split()) return {};
      XMC_TRY(flush_away());
      XMC_TRY(memory_.split());
    }
    XMC_TRY(expand_new());
    if (over() || owners_.pausing() || memory_.active.full) continue;
    XMC_TRY(flush_away());
    XMC_TRY(owners_.take_what_came());
    if (memory_.active.next < memory_.table.size()) continue;
    if (pays(memory_.choose())) return {};
    XMC_TRY(poll());
    XMC_TRY(end_round());
  }
  return {};
}

// Whether to bring these to memory now. More candidates may come while others are at work.
bool PartEngine::pays(const PartMemory::Residents& residents) const {
  if (residents.count == 0) return false;
  if (owners_.idle()) return true;
  u64 states = 0;
  u64 candidates = 0;
  for (u32 r = 0; r < residents.count; ++r) {
    states += logs_.images[residents.leaf[r]].states;
    candidates += logs_.pending.keys(residents.leaf[r]);
  }
  constexpr u64 kStatesPerCandidate = 32;
  return candidates * kStatesPerCandidate >= states;
}

u64 PartEngine::waiting() const {
  const u64 in_table =
      memory_.active.residents.count == 0 ? 0 : memory_.table.size() - memory_.active.next;
  return logs_.waiting() + in_table + (draining_ ? 1 : 0);
}

Status PartEngine::end_round() {
  XMC_TRY(flush_away());
  XMC_TRY(owners_.end_round());
  return owners_.meet(waiting(), culprit_);
}

// Between states, with no successors in the buffer. Nothing goes on behind what was agreed.
Status PartEngine::meet_others() {
  if (over() || owners_.pausing()) return {};
  XMC_TRY(owners_.take_what_came());
  return owners_.wants_round() ? end_round() : Status();
}

// --- What others have sent --------------------------------------------------------------------

Status PartEngine::take_sent(const Word* keys, u32 count) {
  const u32 key_words = search_.model.state_words + 1;
  if (dividing_) {
    for (u32 i = 0; i < count; ++i) XMC_TRY(take_divided(keys + u64{i} * key_words));
    return {};
  }
  for (u32 done = 0; done < count; done += kAway) {
    XMC_TRY(take_piece(keys + u64{done} * key_words, std::min(kAway, count - done)));
  }
  return {};
}

// It comes while successors of this owner are on their way, too: their buffers are left alone.
Status PartEngine::take_piece(const Word* keys, u32 count) {
  const u32 words = search_.model.state_words;
  const PartMemory::Activation& active = memory_.active;
  u32 picks[kAway];
  std::iota(picks, picks + count, 0u);
  for (u32 i = 0; i < count; ++i) {
    copy_key(came_.here + u64{i} * words, keys + u64{i} * (words + 1), words);
  }
  logs_.tree.leaves_of(came_.here, {picks, count}, came_.leaf);
  u32 here = 0;
  u32 away = 0;
  for (u32 i = 0; i < count; ++i) {
    const Word* const state = came_.here + u64{i} * words;
    const u64 origin = keys[u64{i} * (words + 1) + words];
    if (active.resident[came_.leaf[i]] &&
        (active.whole() || memory_.in_class(class_hash(state, words)))) {
      if (here != i) copy_key(came_.here + u64{here} * words, state, words);
      came_.here_origins[here++] = origin;
    } else {
      copy_key(came_.away + u64{away} * words, state, words);
      came_.leaf[away] = came_.leaf[i];
      came_.away_origins[away++] = origin;
    }
  }
  if (here != 0) XMC_TRY(memory_.take_in(came_.here, came_.here_origins, here));
  if (away == 0) return {};
  for (u64 fresh = lately_queued_.insert(came_.away, away); fresh != 0; fresh &= fresh - 1) {
    const u32 i = static_cast<u32>(std::countr_zero(fresh));
    const Word* const state = came_.away + u64{i} * words;
    XMC_TRY(logs_.append_pending(came_.leaf[i], state, came_.away_origins[i]));
  }
  return {};
}

}  // namespace xmc
