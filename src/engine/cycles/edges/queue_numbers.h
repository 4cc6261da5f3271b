// QueueNumbers: the numbers of states, which are their positions in the queue file. No table of all
// states is left that could tell them, so the queue is read backwards from the last level that can
// have any of them, a slot at a time, until all are found: breadth-first steps back are mostly
// short. Nearly all states that are read are not wanted: a small filter tells most of them, and
// spares the cache misses of the table.
#pragma once

#include <algorithm>
#include <span>

#include "engine/search/product.h"
#include "store/tables/fingerprint_filter.h"

namespace xmc {

class QueueNumbers {
 public:
  // The filter: a part of the memory, and no more than caches of processors hold.
  static u64 filter_bytes(u64 memory);
  // At most so much, where so much memory is to be left.
  static u64 most_filter_beside(u64 rest);

  // The product's scan buffer and the successor buffer of its search are in use from look_for() to
  // the last read_slot().
  void start(const Product& product, std::span<u8> filter_memory);
  void begin() { scan_.start(*product_.queue, product_.scan_buffer); }

  // The states of this table, none of which is behind this level.
  Status look_for(const StateTable& table, u64 level);
  // f(index in the table, number) for each of them in the next slot. Where there is none, a state
  // is missing, which is an error.
  template <class F>
  Status read_slot(F f);
  u64 read() const { return read_; }  // states of that slot
  u64 slots_left() const { return slots_left_; }
  u64 states_left() const { return states_left_; }

 private:
  Status last_slot(u64 level);
  void make_filter();

  Product product_;
  KeyReader scan_;
  std::span<u64> filter_memory_;
  FingerprintFilter filter_;
  const StateTable* table_ = nullptr;
  u64 slots_left_ = 0;
  u64 states_left_ = 0;
  u64 read_ = 0;
};

template <class F>
Status QueueNumbers::read_slot(F f) {
  if (slots_left_ == 0) {
    return Status::fail(Code::internal, "a successor is not in the file '%s'",
                        product_.queue->name());
  }
  const u32 words = product_.search->model.state_words;
  Word* const states = product_.search->buffer;
  StateIndex local[StateTable::kBatch];
  u64 numbers[StateTable::kBatch];
  u32 prints[StateTable::kBatch];
  XMC_TRY(scan_.seek_slot(--slots_left_));
  u64 first = states_left_;
  read_ = 0;
  for (bool done = false; !done;) {
    u32 read = 0;
    for (; read < StateTable::kBatch && !done; ++read) {
      Word* const state = states + u64{read} * words;
      XMC_LET(const bool more, scan_.next(state));
      XMC_CHECK(more);
      numbers[read] = scan_.index();
      prints[read] = FingerprintFilter::of(state, words);
      filter_.prefetch(prints[read]);
      done = numbers[read] + 1 >= states_left_;
    }
    read_ += read;
    first = std::min(first, numbers[0]);
    u32 count = 0;
    for (u32 i = 0; i < read; ++i) {
      if (!filter_.may_have(prints[i])) continue;
      if (count < i) std::copy_n(states + u64{i} * words, words, states + u64{count} * words);
      numbers[count++] = numbers[i];
    }
    table_->find(states, count, local);
    for (u32 i = 0; i < count; ++i) {
      if (local[i] != kNone) f(local[i], numbers[i]);
    }
  }
  states_left_ = first;
  return {};
}

}  // namespace xmc
