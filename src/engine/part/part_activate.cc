// One activation of `part`: partitions come to memory, the candidates that waited for them are
// taken in and expanded, and what is new goes to their images.
#include <algorithm>
#include <numeric>

#include "engine/part/part.h"
#include "store/keys/hash_class.h"
#include "store/keys/key_compare.h"
#include "xmc/check.h"

namespace xmc {

bool PartEngine::in_class(u64 hash) const {
  return ((hash & 0xFFFF'FFFFu) * active_.residents.classes >> 32) == active_.residents.chosen;
}

void PartEngine::enter(const Residents& residents) {
  active_ = {};
  active_.residents = residents;
  for (u32 r = 0; r < residents.count; ++r) {
    active_.resident[residents.leaf[r]] = true;
    logs_.tree.add_mask(residents.leaf[r], {active_.mask, search_.model.state_words});
  }
  // Every bit counts for the class.
  if (residents.classes > 1) std::fill_n(active_.mask, search_.model.state_words, ~Word{0});
}

// After a stop, too, everything goes where it waits.
Status PartEngine::activate(const Residents& residents) {
  const PhaseClock::Scope scope(search_.clock, Phase::expansion);
  ++activations_;
  enter(residents);
  if (residents.classes > 1) return activate_classes();
  ChainReader reader;
  StopReason stop = StopReason::none;
  for (u32 r = 0; r < residents.count && stop == StopReason::none && !active_.full; ++r) {
    XMC_TRY(logs_.pending.take(residents.leaf[r], reader, logs_.pending_block));
    // Candidates are on their way meanwhile.
    if (r == 0) XMC_TRY(load_all());
    Status status = drain(reader);
    stop = status.take_stop();
    XMC_TRY(status);
    if (over()) return Status::stop(stop);
    // What is left after a stop, or when there is no room.
    XMC_TRY(put_back(reader));
  }
  XMC_TRY(put_back_new());
  XMC_TRY(save());
  return Status::stop(stop);
}

// A partition that does not fit, and cannot be split: one class of its states after the other.
Status PartEngine::activate_classes() {
  Residents& residents = active_.residents;
  ChainLog::Chain waiting;
  XMC_TRY(logs_.pending.detach(residents.leaf[0], waiting));
  ChainReader reader;
  StopReason stop = StopReason::none;
  for (; residents.chosen < residents.classes && stop == StopReason::none; ++residents.chosen) {
    XMC_TRY(load_all());
    XMC_TRY(reader.start(logs_.pending, logs_.pending_block, waiting));
    Status status = drain(reader);
    stop = status.take_stop();
    XMC_TRY(status);
    if (over()) return Status::stop(stop);
    XMC_TRY(put_back_new());
    XMC_TRY(save());
  }
  if (stop == StopReason::none) return {};
  // Everything waits again; states that were expanded meanwhile are known when it comes to them.
  XMC_TRY(reader.start(logs_.pending, logs_.pending_block, waiting));
  XMC_TRY(put_back(reader));
  return Status::stop(stop);
}

Status PartEngine::load_all() {
  const PhaseClock::Scope scope(search_.clock, Phase::detection);
  const Residents& residents = active_.residents;
  u64 known = 0;
  u64 heads[kMostResidents] = {};
  for (u32 r = 0; r < residents.count; ++r) {
    known += logs_.images[residents.leaf[r]].states;
    heads[r] = logs_.images[residents.leaf[r]].head;
  }
  ImageReader reader;
  XMC_TRY(reader.start(logs_.visited, logs_.visited_block, {heads, residents.count}));
  table_.init(regions_.table, table_shape(), known == 0 ? 0 : capacity_);
  for (;;) {
    ImageLog::Block block;
    XMC_LET(const bool more, reader.next(block));
    if (!more) break;
    if (residents.classes > 1) {
      load_class(block);
    } else {
      table_.append_packed(block.packed, block.states);
    }
  }
  if (residents.classes == 1) table_.end_packed();
  origins_.clear();
  active_.saved = active_.next = table_.size();
  return {};
}

Status PartEngine::put_back(ChainReader& reader) {
  const PhaseClock::Scope scope(search_.clock, Phase::partitioning);
  return logs_.put_back(reader);
}

void PartEngine::load_class(const ImageLog::Block& block) {
  Word state[limits::kStateWords];
  for (u32 i = 0; i < block.states; ++i) {
    logs_.unpack(block, i, state);
    if (!in_class(class_hash(state, search_.model.state_words))) continue;
    const bool fits = table_.insert(state, 1, nullptr) == 1;
    XMC_CHECK(fits);
  }
}

// The new states of each partition become part of its image. One in many small blocks is written
// anew.
Status PartEngine::save() {
  const PhaseClock::Scope scope(search_.clock, Phase::partitioning);
  const Residents& residents = active_.residents;
  for (u32 r = 0; r < residents.count; ++r) {
    ImageLog::Chain& image = logs_.images[residents.leaf[r]];
    const u64 needed = image.states * table_.state_bytes() / ImageLog::kBlockBytes;
    const bool anew =
        active_.unsaved[r] || (residents.classes == 1 && image.blocks > 2 * needed + 16);
    if (anew) image = {};
    XMC_TRY(save_one(residents.leaf[r], anew ? 0 : active_.saved));
    XMC_TRY(logs_.visited.finish(image));
  }
  return {};
}

// The states of one partition, from `first` on.
Status PartEngine::save_one(u32 leaf, StateIndex first) {
  const bool alone = active_.residents.count == 1;
  const u32 words = search_.model.state_words;
  u32 picks[Search::kCollect];
  u16 leaves[Search::kCollect];
  std::iota(picks, picks + Search::kCollect, 0u);
  for (StateIndex i = first; i < active_.next;) {
    const u32 count = std::min(Search::kCollect, active_.next - i);
    if (!alone) {
      for (u32 k = 0; k < count; ++k) table_.load(i + k, batch_.states + u64{k} * words);
      logs_.tree.leaves_of(batch_.states, {picks, count}, leaves);
    }
    for (u32 k = 0; k < count; ++k, ++i) {
      if (!alone && leaves[k] != leaf) continue;
      XMC_TRY(logs_.visited.append(logs_.images[leaf], table_.packed_at(i)));
    }
  }
  return {};
}

// Of the candidates in the batch those that belong here stay, and their number is the result. The
// others wait for their class, or go to the partition that has them since it was split.
Result<u32> PartEngine::sort_batch(u32 count) {
  const bool whole = active_.residents.classes == 1;
  if (whole && !active_.split) return count;
  const u32 words = search_.model.state_words;
  u32 picks[Search::kCollect];
  u16 leaves[Search::kCollect];
  std::iota(picks, picks + count, 0u);
  if (whole) logs_.tree.leaves_of(batch_.states, {picks, count}, leaves);
  u32 kept = 0;
  for (u32 i = 0; i < count; ++i) {
    const Word* const state = batch_.states + u64{i} * words;
    if (whole ? active_.resident[leaves[i]] : in_class(class_hash(state, words))) {
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
  Word key[kKeyWords];
  for (bool more = true; !over();) {
    if (active_.full && active_.residents.classes == 1) {
      bool done = false;
      XMC_TRY(split_full(done));
      if (!done) return {};
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
    XMC_TRY(take_in(batch_.states, batch_.origins, here));
    search_.clock.turn_to(Phase::generation);
    XMC_TRY(expand_new());
    // Most candidates may be known: there is little to expand then, and much to read.
    XMC_TRY(poll());
  }
  return {};
}

// What is new in the table and not expanded waits; Activation::next stays where it is.
Status PartEngine::put_back_new() {
  XMC_TRY(flush_away());
  Word state[limits::kStateWords];
  for (StateIndex i = active_.next; i < table_.size(); ++i) {
    table_.load(i, state);
    XMC_TRY(logs_.append_pending(logs_.tree.leaf_of(state), state, origins_.pop()));
  }
  return {};
}

}  // namespace xmc
