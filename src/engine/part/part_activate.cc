// One activation of `part`: partitions come to memory, the candidates that waited for them are
// taken in and expanded, and what is new goes to their images.
#include <numeric>

#include "engine/part/part.h"
#include "store/keys/hash_class.h"
#include "store/keys/key_compare.h"
#include "xmc/limits.h"

namespace xmc {

// After a stop, too, everything goes where it waits.
Status PartEngine::activate(const PartMemory::Residents& residents) {
  const PhaseClock::Scope scope(search_.clock, Phase::expansion);
  ++activations_;
  memory_.enter(residents, owners_.on() ? owners_.mask() : nullptr);
  if (residents.classes > 1) return activate_classes();
  ChainReader reader;
  StopReason stop = StopReason::none;
  const auto has_room = [&] { return !memory_.active.full && !owners_.pausing(); };
  for (u32 r = 0; r < residents.count && stop == StopReason::none && has_room(); ++r) {
    XMC_TRY(logs_.pending.take(residents.leaf[r], reader, logs_.pending_block));
    draining_ = true;
    // Candidates are on their way meanwhile.
    if (r == 0) XMC_TRY(memory_.load());
    Status status = drain(reader);
    stop = status.take_stop();
    XMC_TRY(status);
    if (over()) return Status::stop(stop);
    // What is left after a stop, or when there is no room.
    XMC_TRY(put_back(reader));
    draining_ = false;
  }
  if (owners_.on() && stop == StopReason::none) {
    XMC_TRY(stay());
    if (over() || owners_.through()) return {};
  }
  XMC_TRY(flush_away());
  XMC_TRY(memory_.put_back_new());
  XMC_TRY(memory_.save(batch_.states));
  memory_.leave();
  return Status::stop(stop);
}

// A partition that does not fit, and cannot be split: one class of its states after the other.
Status PartEngine::activate_classes() {
  PartMemory::Residents& residents = memory_.active.residents;
  ChainLog::Chain waiting;
  XMC_TRY(logs_.pending.detach(residents.leaf[0], waiting));
  ChainReader reader;
  StopReason stop = StopReason::none;
  draining_ = true;
  for (; residents.chosen < residents.classes && stop == StopReason::none && !owners_.pausing();
       ++residents.chosen) {
    XMC_TRY(memory_.load());
    XMC_TRY(reader.start(logs_.pending, logs_.pending_block, waiting));
    Status status = drain(reader);
    stop = status.take_stop();
    XMC_TRY(status);
    if (over()) return Status::stop(stop);
    XMC_TRY(flush_away());
    XMC_TRY(memory_.put_back_new());
    XMC_TRY(memory_.save(batch_.states));
  }
  memory_.leave();
  draining_ = false;
  if (stop == StopReason::none && !owners_.pausing()) return {};
  // Everything waits again; states that were expanded meanwhile are known when it comes to them.
  XMC_TRY(reader.start(logs_.pending, logs_.pending_block, waiting));
  XMC_TRY(put_back(reader));
  return Status::stop(stop);
}

Status PartEngine::put_back(ChainReader& reader) {
  const PhaseClock::Scope scope(search_.clock, Phase::partitioning);
  return logs_.put_back(reader);
}

// Of the candidates in the batch those that belong here stay, and their number is the result. The
// others wait for their class, or go to the partition that has them since it was split.
Result<u32> PartEngine::sort_batch(u32 count) {
  const bool whole = memory_.active.whole();
  if (whole && !memory_.active.split) return count;
  const u32 words = search_.model.state_words;
  u32 picks[Search::kCollect];
  u16 leaves[Search::kCollect];
  std::iota(picks, picks + count, 0u);
  if (whole) logs_.tree.leaves_of(batch_.states, {picks, count}, leaves);
  u32 kept = 0;
  for (u32 i = 0; i < count; ++i) {
    const Word* const state = batch_.states + u64{i} * words;
    if (whole ? memory_.active.resident[leaves[i]] : memory_.in_class(class_hash(state, words))) {
      if (kept != i) copy_key(batch_.states + u64{kept} * words, state, words);
      batch_.origins[kept++] = batch_.origins[i];
    } else if (whole) {
      XMC_TRY(logs_.append_pending(leaves[i], state, batch_.origins[i]));
    }
  }
  return kept;
}

// Candidates that waited.
Status PartEngine::drain(ChainReader& reader) {
  const u32 words = search_.model.state_words;
  Word key[limits::kKeyWords];
  for (bool more = true; !over() && !owners_.pausing();) {
    if (memory_.active.full && memory_.active.whole()) {
      if (!memory_.may_split()) return {};
      XMC_TRY(flush_away());
      XMC_TRY(memory_.split());
      XMC_TRY(expand_new());
      continue;
    }
    if (!more) return {};
    search_.clock.next_round();
    search_.clock.turn_to(Phase::queueing);
    u32 count = 0;
    while (count < Search::kCollect) {
      XMC_LET(const bool next, reader.next(key));
      more = next;
      if (!more) break;
      copy_key(batch_.states + u64{count} * words, key, words);
      batch_.origins[count++] = key[words];
    }
    XMC_LET(const u32 here, sort_batch(count));
    search_.clock.turn_to(Phase::insertion);
    XMC_TRY(memory_.take_in(batch_.states, batch_.origins, here));
    search_.clock.turn_to(Phase::generation);
    XMC_TRY(expand_new());
    // Most candidates may be known: there is little to expand then, and much to read.
    XMC_TRY(poll());
    if (owners_.on()) XMC_TRY(meet_others());
  }
  return {};
}

}  // namespace xmc
