#include "store/recent_states.h"

#include <algorithm>

#include "xmc/check.h"

namespace xmc {

void RecentStates::init(const Setup& setup) {
  XMC_CHECK(setup.shape.notes);
  XMC_CHECK(!setup.signature.on() || setup.unchecked != nullptr);
  setup_ = setup;
  const std::size_t filter = setup.region.size() / 16 / 64 * 64;
  setup_.region = setup.region.first(setup.region.size() - filter);
  filter_memory_ = {reinterpret_cast<u64*>(setup_.region.data() + setup_.region.size()),
                    filter / sizeof(u64)};
  first_unchecked_ = end_unchecked_ = 0;
  forget();
}

void RecentStates::forget() {
  StateTable::Shape shape = setup_.shape;
  if (setup_.signature.on()) {
    shape.state_words = setup_.signature.words();
    shape.state_bytes = setup_.signature.bytes();
  }
  if (setup_.chained) {
    chained_.init(setup_.region, shape);
  } else {
    setup_.table->init(setup_.region, shape);
  }
  known_ = filter_begin_ = filter_end_ = 0;
  first_unchecked_ = end_unchecked_;
  old_slots_ = setup_.file->slots();
}

u32 RecentStates::insert_keys(const Word* keys, u32 count, StateIndex* indexes) {
  return setup_.chained ? chained_.insert(keys, count, indexes)
                        : setup_.table->insert(keys, count, indexes);
}

void RecentStates::find_keys(const Word* keys, u32 count, StateIndex* indexes) const {
  if (setup_.chained) {
    chained_.find(keys, count, indexes);
  } else {
    setup_.table->find(keys, count, indexes);
  }
}

const Word* RecentStates::keys_of(const Word* states, u32 count, Word* room) const {
  if (!setup_.signature.on()) return states;
  setup_.signature.of(states, count, setup_.shape.state_words, room);
  return room;
}

Result<u32> RecentStates::insert(const Word* states, u32 count) {
  if (!setup_.signature.on()) return insert_keys(states, count, nullptr);
  Word room[kBatch * Signature::kMostWords];
  StateIndex indexes[kBatch];
  const u32 words = setup_.shape.state_words;
  for (u32 done = 0; done < count;) {
    const u32 batch = std::min(kBatch, count - done);
    const Word* const from = states + u64{done} * words;
    u32 next = size();
    const u32 processed = insert_keys(keys_of(from, batch, room), batch, indexes);
    for (u32 i = 0; i < processed; ++i) {
      if (indexes[i] != next) continue;
      ++next;
      XMC_TRY(setup_.unchecked->append(from + u64{i} * words, 0));
    }
    end_unchecked_ = setup_.unchecked->keys();
    done += processed;
    if (processed < batch) return done;
  }
  return count;
}

bool RecentStates::insert_again(const Word* state) {
  Word room[Signature::kMostWords];
  if (insert_keys(keys_of(state, 1, room), 1, nullptr) == 0) return false;
  ++end_unchecked_;
  return true;
}

void RecentStates::read_again() {
  end_unchecked_ = 0;
  forget();
}

bool RecentStates::take_candidate(const Word* state) {
  Word room[Signature::kMostWords];
  StateIndex index = kNone;
  find_keys(keys_of(state, 1, room), 1, &index);
  return index != kNone && mark_old(&index, 1) == 1;
}

Status RecentStates::clear_unchecked() {
  XMC_CHECK(!setup_.signature.on() || first_unchecked_ == end_unchecked_);
  first_unchecked_ = end_unchecked_ = 0;
  return setup_.unchecked->clear();
}

u32 RecentStates::mark_old(const StateIndex* found, u32 count) {
  const auto mark = [&](auto& table) {
    u32 hits = 0;
    for (u32 i = 0; i < count; ++i) {
      if (found[i] == kNone || found[i] < known_) continue;
      hits += table.note(found[i]) == 0 ? 1u : 0u;
      table.set_note(found[i], kOldNote);
    }
    return hits;
  };
  return setup_.chained ? mark(chained_) : mark(*setup_.table);
}

// The candidates stay the same while several pieces of the file are scanned for them.
void RecentStates::make_filter() {
  if (filter_begin_ == known_ && filter_end_ == size()) return;
  filter_begin_ = known_;
  filter_end_ = size();
  // Half a word for each: a smaller filter is in the cache more often.
  filter_.start(filter_memory_, candidates() / 2);
  const auto add = [&](const auto& table, u32 words) {
    Word key[limits::kStateWords];
    for (StateIndex i = filter_begin_; i < filter_end_; ++i) {
      table.load(i, key);
      filter_.add(fingerprint(key, words));
    }
  };
  const u32 words = setup_.signature.on() ? setup_.signature.words() : setup_.shape.state_words;
  setup_.chained ? add(chained_, words) : add(*setup_.table, words);
}

Status RecentStates::scan(u64 first, u64 last, u64& hits) {
  if (first >= last) return {};
  make_filter();
  KeyReader reader;
  reader.start(*setup_.file, setup_.buffer);
  const u32 words = setup_.shape.state_words;
  const u32 key_words = setup_.signature.on() ? setup_.signature.words() : words;
  Word state[limits::kStateWords];
  Word room[Signature::kMostWords];
  Word keys[kBatch * limits::kStateWords];
  StateIndex found[kBatch];
  XMC_TRY(reader.seek_slot(first));
  for (bool more = true; more;) {
    u32 count = 0;
    while (count < kBatch) {
      const Result<bool> next = reader.next(state);
      if (!next.ok()) return next.status();
      more = next.value() && reader.position().slot < last;
      if (!more) break;
      const Word* const key = keys_of(state, 1, room);
      if (!filter_.may_have(fingerprint(key, key_words))) continue;
      std::copy_n(key, key_words, keys + u64{count++} * key_words);
    }
    find_keys(keys, count, found);
    hits += mark_old(found, count);
  }
  return {};
}

}  // namespace xmc
