// States that were enqueued twice: their counts are taken back.
#include <algorithm>

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
};

Status LevelSearch::find_repeats(std::span<u8> memory, std::span<u64> repeats,
                                 const CacheTable* cache) {
  const PhaseClock::Scope scope(search_.clock, Phase::detection);
  search_.table.init(memory, shape_of(search_.model, false));
  RepeatPass pass{memory, repeats, cache};
  const u64 keys = cache == nullptr ? queue_.keys() : cache->most_forgotten(queue_.keys());
  const u64 room = memory.size() / 10 * 9;
  while (search_.table.bytes_for(keys / pass.classes + 1) > room) pass.classes *= 2;
  stats().states = stats().levels = 0;
  for (; pass.chosen < pass.classes; ++pass.chosen) XMC_TRY(count_class(pass));
  return {};
}

Status LevelSearch::count_class(const RepeatPass& pass) {
  StateTable& table = search_.table;
  const u32 words = search_.model.state_words;
  table.init(pass.memory, shape_of(search_.model, false));
  const auto count_fresh = [&](u64 level) {
    ++stats().states;
    stats().levels = std::max(stats().levels, level + 1);
  };
  KeyReader reader;
  reader.start(queue_, scan_buffer_);
  // So many at a time that the table's cache misses overlap.
  constexpr u32 kBatch = StateTable::kBatch;
  Word states[kBatch * limits::kStateWords];
  u64 numbers[kBatch];
  u64 levels[kBatch];
  StateIndex found[kBatch];
  for (bool more = true; more;) {
    u32 count = 0;
    while (count < kBatch) {
      Word* const state = states + u64{count} * words;
      const Result<bool> next = reader.next(state);
      if (!next.ok()) return next.status();
      more = next.value();
      if (!more) break;
      if (pass.cache != nullptr && !pass.cache->may_have_forgotten(state)) {
        if (pass.chosen == 0) count_fresh(reader.level());
        continue;
      }
      if (hash_class(state, words, pass.classes) != pass.chosen) continue;
      numbers[count] = reader.index();
      levels[count++] = reader.level();
    }
    StateIndex fresh = table.size();
    // Classes of a hash are even to a few per cent, and there is room for ten.
    const bool fits = table.insert(states, count, found) == count;
    XMC_CHECK(fits);
    for (u32 i = 0; i < count; ++i) {
      if (found[i] == fresh) {
        ++fresh;
        count_fresh(levels[i]);
        continue;
      }
      const u64 n = numbers[i];
      if (!pass.repeats.empty())
        pass.repeats[static_cast<std::size_t>(n / 64)] |= u64{1} << (n % 64);
      if (n < next_) take_back(states + u64{i} * words);
    }
  }
  return {};
}

}  // namespace xmc
