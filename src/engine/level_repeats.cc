// States that were enqueued twice: their counts are taken back.
#include <algorithm>
#include <bit>

#include "engine/level_search.h"
#include "store/hash_class.h"
#include "xmc/check.h"

namespace xmc {

void LevelSearch::take_back(const Word* state) {
  stats().repeats = stats().repeats == kNoFigure ? 1 : stats().repeats + 1;
  const SearchStats before = stats();
  std::copy_n(state, search_.model.state_words, search_.state);
  const Expansion expansion = search_.expand_state(search_.state, 0);
  static_cast<void>(search_.judge(expansion, 0));
  SearchStats& s = stats();
  s.transitions = before.transitions - (s.transitions - before.transitions);
  s.deadlocks = before.deadlocks - (s.deadlocks - before.deadlocks);
  s.error_steps = before.error_steps - (s.error_steps - before.error_steps);
  if (search_.model.buchi) s.accepting = before.accepting - (s.accepting - before.accepting);
}

struct LevelSearch::RepeatPass {
  std::span<u8> memory;
  std::span<u64> repeats;
  const CacheTable* cache = nullptr;
  u32 classes = 1;
  u32 chosen = 0;

  bool has(u64 entry) const {
    if (repeats.empty()) return false;
    return (repeats[static_cast<std::size_t>(entry / 64)] >> (entry % 64) & 1) != 0;
  }
  void add(u64 entry) const {
    if (!repeats.empty()) repeats[static_cast<std::size_t>(entry / 64)] |= u64{1} << (entry % 64);
  }
};

// So many entries of the queue at a time that the table's cache misses overlap.
struct LevelSearch::RepeatBatch {
  static constexpr u32 kEntries = StateTable::kBatch;
  static_assert(kEntries <= 64);
  u64 first = 0;  // entry of the queue
  u32 count = 0;
  Word states[kEntries * limits::kStateWords];
  u64 levels[kEntries];
  u64 sure = 0;  // bits of those that nothing forgot
  u32 suspects = 0;
  Word suspected[kEntries * limits::kStateWords];
  u32 place[kEntries];  // of a suspect in the batch
};

Status LevelSearch::find_repeats(std::span<u8> memory, std::span<u64> repeats,
                                 const CacheTable* cache, KeyFile* firsts) {
  const PhaseClock::Scope scope(search_.clock, Phase::detection);
  search_.table.init(memory, shape_of(search_.model, false));
  RepeatPass pass{memory, repeats, cache};
  const u64 keys = cache == nullptr ? queue_.keys() : cache->most_forgotten(queue_.keys());
  const u64 room = memory.size() / 10 * 9;
  while (search_.table.bytes_for(keys / pass.classes + 1) > room) pass.classes *= 2;
  XMC_CHECK(firsts == nullptr || pass.classes == 1 || !repeats.empty());
  stats().states = stats().levels = 0;
  for (; pass.chosen < pass.classes; ++pass.chosen) {
    const bool last = pass.chosen + 1 == pass.classes;
    XMC_TRY(read_class(pass, last ? firsts : nullptr));
  }
  return {};
}

Status LevelSearch::read_class(const RepeatPass& pass, KeyFile* firsts) {
  search_.table.init(pass.memory, shape_of(search_.model, false));
  KeyReader reader;
  reader.start(queue_, scan_buffer_);
  RepeatBatch batch;
  const u64 next = next_;
  const u64 level_end = level_end_;
  for (;;) {
    XMC_TRY(read_entries(reader, pass, batch));
    if (batch.count == 0) break;
    const u64 repeats = find_suspects(pass, batch, next);
    for (u32 i = 0; firsts != nullptr && i < batch.count; ++i) {
      const u64 entry = batch.first + i;
      if (entry == next) next_ = firsts->keys();
      if (entry == level_end) level_end_ = firsts->keys();
      if ((repeats >> i & 1) != 0 || pass.has(entry)) continue;
      XMC_TRY(firsts->append(batch.states + u64{i} * search_.model.state_words, batch.levels[i]));
    }
  }
  if (firsts == nullptr) return {};
  if (next == queue_.keys()) next_ = firsts->keys();
  if (level_end == queue_.keys()) level_end_ = firsts->keys();
  return {};
}

Status LevelSearch::read_entries(KeyReader& reader, const RepeatPass& pass, RepeatBatch& batch) {
  const u32 words = search_.model.state_words;
  batch.first += batch.count;
  batch.count = batch.suspects = 0;
  batch.sure = 0;
  for (u32 i = 0; i < RepeatBatch::kEntries; ++i) {
    Word* const state = batch.states + u64{i} * words;
    const Result<bool> more = reader.next(state);
    if (!more.ok()) return more.status();
    if (!more.value()) break;
    batch.levels[batch.count++] = reader.level();
    if (pass.cache != nullptr && !pass.cache->may_have_forgotten(state)) {
      batch.sure |= u64{1} << i;
    } else if (hash_class(state, words, pass.classes) == pass.chosen) {
      std::copy_n(state, words, batch.suspected + u64{batch.suspects} * words);
      batch.place[batch.suspects++] = i;
    }
  }
  return {};
}

// Bits of the entries that are repeats. The others count, each in one pass.
u64 LevelSearch::find_suspects(const RepeatPass& pass, const RepeatBatch& batch, u64 expanded) {
  StateTable& table = search_.table;
  StateIndex found[RepeatBatch::kEntries];
  StateIndex fresh = table.size();
  // Classes of a hash are even to a few per cent, and there is room for ten.
  const bool fits = table.insert(batch.suspected, batch.suspects, found) == batch.suspects;
  XMC_CHECK(fits);
  u64 firsts = pass.chosen == 0 ? batch.sure : 0;
  u64 repeats = 0;
  for (u32 s = 0; s < batch.suspects; ++s) {
    const u32 i = batch.place[s];
    if (found[s] == fresh) {
      ++fresh;
      firsts |= u64{1} << i;
      continue;
    }
    repeats |= u64{1} << i;
    pass.add(batch.first + i);
    if (batch.first + i < expanded) take_back(batch.states + u64{i} * search_.model.state_words);
  }
  stats().states += static_cast<u64>(std::popcount(firsts));
  for (; firsts != 0; firsts &= firsts - 1) {
    const u64 level = batch.levels[std::countr_zero(firsts)];
    stats().levels = std::max(stats().levels, level + 1);
  }
  return repeats;
}

}  // namespace xmc
