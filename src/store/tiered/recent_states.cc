#include "store/tiered/recent_states.h"

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
  start_table(0);
}

void RecentStates::start_table(u64 expected) {
  StateTable::Shape shape = setup_.shape;
  if (setup_.signature.on()) {
    shape.state_words = setup_.signature.words();
    shape.state_bytes = setup_.signature.bytes();
  }
  if (setup_.chained) {
    chained_.init(setup_.region, shape);
  } else {
    setup_.table->init(setup_.region, shape, expected);
  }
  known_ = filter_begin_ = filter_end_ = 0;
  first_unchecked_ = end_unchecked_;
  old_slots_ = setup_.file->slots();
  place_count_ = 0;
}

// All of the table is known. Places are some way apart: when there are many, every other one goes.
void RecentStates::note_place(u64 slots) {
  if (place_count_ == kPlaces) {
    place_count_ = kPlaces / 2;
    for (u32 i = 0; i < place_count_; ++i) places_[i] = places_[2 * i + 1];
  }
  const StateIndex last = place_count_ == 0 ? 0 : places_[place_count_ - 1].index;
  if (size() - last >= size() / kPlaces + 8) places_[place_count_++] = {size(), slots};
}

bool RecentStates::drop_older() {
  if (setup_.chained) return false;
  u32 i = 0;
  while (i < place_count_ && places_[i].index < size() / 4) ++i;
  for (; i + 1 < place_count_ && places_[i + 1].index <= size() / 2; ++i) continue;
  if (i >= place_count_ || places_[i].index > size() / 4 * 3) return false;
  const u32 dropped = places_[i].index / 8 * 8;
  old_slots_ = places_[i].slots;
  setup_.table->drop_first(dropped);
  known_ -= dropped;
  place_count_ -= i + 1;
  for (u32 to = 0; to < place_count_; ++to) {
    places_[to] = {places_[to + i + 1].index - dropped, places_[to + i + 1].slots};
  }
  filter_begin_ = filter_end_ = 0;
  return true;
}

Status RecentStates::recall() {
  XMC_CHECK(size() == 0);
  KeyFile& file = *setup_.file;
  if (file.keys() == 0) return {};
  const u64 bytes = setup_.signature.on() ? setup_.signature.bytes() : setup_.shape.state_bytes;
  const u64 most = setup_.chained ? setup_.region.size() / 2 / (bytes + 8)
                                  : setup_.table->states_in(setup_.region.size() / 8 * 7);
  const u64 slots = most * file.slots() / file.keys();  // their share of the file
  const u64 first = file.slots() - std::min(slots, file.slots());
  start_table(most);
  const LongWork::Scope scope(setup_.go_on.work, "restoring");
  KeyReader reader;
  reader.start(file, setup_.buffer, setup_.go_on);
  XMC_TRY(reader.seek_slot(first));
  const u32 words = setup_.shape.state_words;
  const u32 most_read = StateTable::batch_of(words);
  Word states[StateTable::kBatchWords];
  Word room[kBatch * Signature::kMostWords];
  for (bool more = true; more;) {
    u32 count = 0;
    while (count < most_read) {
      XMC_LET(const bool next, reader.next(states + u64{count} * words));
      more = next;
      if (!more) break;
      ++count;
    }
    if (insert_keys(keys_of(states, count, room), count, nullptr) < count) {
      forget();  // the last blocks have more keys than others
      return {};
    }
    note_place(reader.position().slot + 1);
  }
  known_ = size();
  old_slots_ = first;
  return {};
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
      filter_.add(FingerprintFilter::of(key, words));
    }
  };
  const u32 words = setup_.signature.on() ? setup_.signature.words() : setup_.shape.state_words;
  setup_.chained ? add(chained_, words) : add(*setup_.table, words);
}

Status RecentStates::scan(u64 first, u64 last, u64& hits) {
  if (first >= last) return {};
  make_filter();
  const LongWork::Scope scope(setup_.go_on.work, "comparing");
  KeyReader reader;
  reader.start(*setup_.file, setup_.buffer, setup_.go_on);
  const u32 words = setup_.shape.state_words;
  const u32 key_words = setup_.signature.on() ? setup_.signature.words() : words;
  Word state[limits::kStateWords];
  Word room[Signature::kMostWords];
  const u32 most = StateTable::batch_of(key_words);
  Word keys[StateTable::kBatchWords];
  StateIndex found[kBatch];
  XMC_TRY(reader.seek_slot(first));
  for (bool more = true; more;) {
    u32 count = 0;
    while (count < most) {
      XMC_LET(const bool next, reader.next(state));
      more = next && reader.position().slot < last;
      if (!more) break;
      const Word* const key = keys_of(state, 1, room);
      if (!filter_.may_have(FingerprintFilter::of(key, key_words))) continue;
      std::copy_n(key, key_words, keys + u64{count++} * key_words);
    }
    find_keys(keys, count, found);
    hits += mark_old(found, count);
  }
  return {};
}

}  // namespace xmc
