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
  const CacheTable* cache = nullptr;
  u32 classes = 1;
  u32 chosen = 0;
};

// States that may be repeats, so many at a time that the table's cache misses overlap.
struct LevelSearch::Suspects {
  static constexpr u32 kMost = StateTable::kBatch;
  u32 count = 0;
  Word states[kMost * limits::kStateWords];
  u64 levels[kMost];
};

Status LevelSearch::find_repeats(std::span<u8> memory, const CacheTable* cache) {
  const PhaseClock::Scope scope(search_.clock, Phase::detection);
  search_.table.init(memory, shape_of(search_.model, false));
  RepeatPass pass{memory, cache};
  const u64 keys = cache == nullptr ? queue_.keys() : cache->most_forgotten(queue_.keys());
  const u64 room = memory.size() / 10 * 9;
  while (search_.table.bytes_for(keys / pass.classes + 1) > room) ++pass.classes;
  stats().states = stats().levels = 0;
  for (; pass.chosen < pass.classes; ++pass.chosen) XMC_TRY(read_class(pass));
  return {};
}

Status LevelSearch::read_class(const RepeatPass& pass) {
  search_.table.init(pass.memory, shape_of(search_.model, false));
  const u32 words = search_.model.state_words;
  KeyReader reader;
  reader.start(queue_, scan_buffer_);
  Suspects suspects;
  for (;;) {
    Word* const state = suspects.states + u64{suspects.count} * words;
    const Result<bool> more = reader.next(state);
    if (!more.ok()) return more.status();
    if (!more.value()) break;
    if (pass.cache != nullptr && !pass.cache->may_have_forgotten(state)) {
      if (pass.chosen == 0) count_first(reader.level());
    } else if (hash_class(state, words, pass.classes) == pass.chosen) {
      suspects.levels[suspects.count++] = reader.level();
      if (suspects.count == Suspects::kMost) judge_suspects(suspects);
    }
  }
  judge_suspects(suspects);
  return {};
}

void LevelSearch::count_first(u64 level) {
  ++stats().states;
  stats().levels = std::max(stats().levels, level + 1);
}

void LevelSearch::judge_suspects(Suspects& suspects) {
  StateTable& table = search_.table;
  StateIndex found[Suspects::kMost];
  StateIndex fresh = table.size();
  // Classes of a hash are even to a few per cent, and there is room for ten.
  const bool fits = table.insert(suspects.states, suspects.count, found) == suspects.count;
  XMC_CHECK(fits);
  for (u32 i = 0; i < suspects.count; ++i) {
    if (found[i] == fresh) {
      ++fresh;
      count_first(suspects.levels[i]);
    } else {
      take_back(suspects.states + u64{i} * search_.model.state_words);
    }
  }
  suspects.count = 0;
}

}  // namespace xmc
