// States that were enqueued twice: their counts are taken back.
#include <algorithm>

#include "engine/levels/level_search.h"
#include "store/keys/hash_class.h"
#include "store/tables/fingerprint_filter.h"
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

namespace {

// Keys of a filter for each word of it, at most: 1% of the others look like them then.
constexpr u64 kWordShare = 4;

}  // namespace

struct LevelSearch::RepeatPass {
  std::span<u8> memory;                       // of the table
  const FingerprintFilter* filter = nullptr;  // of states that are repeated; null: may be any
  u64 most = 0;                               // different ones that it may have
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
  RepeatPass pass{memory};
  pass.most = queue_.keys();
  if (cache != nullptr) {
    pass.filter = &cache->forgotten();
    pass.most = cache->most_forgotten(queue_.keys());
  }
  FingerprintFilter came_again;
  if (classes_for(pass) > 1) XMC_TRY(find_suspects(pass, came_again));
  pass.classes = classes_for(pass);
  stats().states = stats().levels = 0;
  for (; pass.chosen < pass.classes; ++pass.chosen) XMC_TRY(read_class(pass));
  return {};
}

u32 LevelSearch::classes_for(const RepeatPass& pass) {
  search_.table.init(pass.memory, shape_of(search_.model, false));
  const u64 room = pass.memory.size() / 10 * 9;
  u32 classes = 1;
  while (search_.table.bytes_for(pass.most / classes + 1) > room) ++classes;
  return classes;
}

// A pass that spares others: a filter of all states, in nearly all of the memory, says which come
// again, or look so. They are few, and one table has room for them. Nothing changes where the
// memory is too small to tell.
Status LevelSearch::find_suspects(RepeatPass& pass, FingerprintFilter& came_again) {
  const std::span<u64> words(reinterpret_cast<u64*>(pass.memory.data()),
                             pass.memory.size() / sizeof(u64));
  const std::span<u64> end = words.last(words.size() / 8);
  const std::span<u8> begin = pass.memory.first((words.size() - end.size()) / 8 * 64);
  if (words.size() < queue_.keys() / kWordShare ||
      begin.size() < StateTable::minimum_bytes(shape_of(search_.model, false))) {
    return {};
  }
  came_again.start(end, queue_.keys());
  FingerprintFilter met;
  met.start(words.first(begin.size() / sizeof(u64)), queue_.keys());
  u64 suspects = 0;
  KeyReader reader;
  reader.start(queue_, scan_buffer_, go_on());
  u32 fingerprints[StateTable::kBatch];
  for (bool more = true; more;) {
    u32 count = 0;
    while (more && count < StateTable::kBatch) {
      XMC_LET(const bool next, reader.next(search_.state));
      more = next;
      if (!more) break;
      fingerprints[count] = FingerprintFilter::of(search_.state, search_.model.state_words);
      met.prefetch(fingerprints[count++]);
    }
    for (const u32 fingerprint : std::span(fingerprints).first(count)) {
      if (met.may_have(fingerprint)) {
        came_again.add(fingerprint);
        ++suspects;
      } else {
        met.add(fingerprint);
      }
    }
  }
  if (suspects > end.size() * kWordShare) return {};
  pass.memory = begin;
  pass.filter = &came_again;
  pass.most = std::min(pass.most, suspects + queue_.keys() / 16);
  return {};
}

Status LevelSearch::read_class(const RepeatPass& pass) {
  search_.table.init(pass.memory, shape_of(search_.model, false));
  const u32 words = search_.model.state_words;
  KeyReader reader;
  reader.start(queue_, scan_buffer_, go_on());
  Suspects suspects;
  for (;;) {
    Word* const state = suspects.states + u64{suspects.count} * words;
    XMC_LET(const bool more, reader.next(state));
    if (!more) break;
    if (pass.filter != nullptr && !pass.filter->may_have(FingerprintFilter::of(state, words))) {
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
