#include "engine/search/block_expander.h"

#include <new>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// The ring takes this share of the memory, unless it would be too small to be of use.
constexpr u64 kShare = 64;

}  // namespace

u32 BlockExpander::block_count_for(const SearchOptions& options) {
  return 2 * options.parallel->threads() + 2;
}

u64 BlockExpander::block_bytes(const Model& model, u32 states) {
  const u64 state_bytes = u64{model.state_words} * sizeof(Word);
  const u64 successors = u64{states} * kSuccessors + model.max_successors;
  return round_up(states * state_bytes, kLineBytes) +
         round_up(successors * state_bytes, kLineBytes) +
         round_up(states * sizeof(Expansion), kLineBytes);
}

u64 BlockExpander::least_bytes(const Model& model, const SearchOptions& options) {
  if (options.parallel == nullptr) return 0;
  const u64 blocks = block_count_for(options);
  return ring_bytes(model, blocks, kLeastStates);
}

// Whole pages: what is carved behind it lies as it would without it.
u64 BlockExpander::ring_bytes(const Model& model, u64 blocks, u32 states) {
  const u64 heads = round_up(blocks * sizeof(Block), kLineBytes);
  return round_up(heads + blocks * block_bytes(model, states), kPageBytes);
}

void BlockExpander::plan(const Model& model, const SearchOptions& options, Arena& arena) {
  *this = BlockExpander();
  if (options.parallel == nullptr) return;
  XMC_CHECK(options.parallel->threads() <= limits::kThreads);
  model_ = model;
  parallel_ = options.parallel;
  executors_[0] = model.self;
  for (u32 i = 1; i < parallel_->threads(); ++i) executors_[i] = options.executors[i - 1];
  block_count_ = block_count_for(options);
  block_states_ = kLeastStates;
  const u64 share = arena.free_bytes() / kShare / block_count_;
  while (block_states_ < kMostStates && block_bytes(model, 2 * block_states_) <= share) {
    block_states_ *= 2;
  }
  const u64 bytes = ring_bytes(model, block_count_, block_states_);
  u8* at = arena.carve_array<u8>("threads", bytes, kLineBytes).data();
  const auto take = [&](u64 take_bytes) {
    u8* const begin = at;
    at += round_up(take_bytes, kLineBytes);
    return begin;
  };
  blocks_ = reinterpret_cast<Block*>(take(block_count_ * sizeof(Block)));
  const u64 state_bytes = u64{model.state_words} * sizeof(Word);
  const u64 room = u64{block_states_} * kSuccessors + model.max_successors;
  for (u32 i = 0; i < block_count_; ++i) {
    Block& b = *::new (blocks_ + i) Block{};
    b.states = reinterpret_cast<Word*>(take(block_states_ * state_bytes));
    b.successors = reinterpret_cast<Word*>(take(room * state_bytes));
    b.expansions = reinterpret_cast<Expansion*>(take(block_states_ * sizeof(Expansion)));
  }
}

// As many states as have room for their successors, going by those seen so far; fewer near the end
// of a level, so that all threads have some.
u32 BlockExpander::size_of_next(u64 left) const {
  const u64 fair = divide_up(left, u64{2} * parallel_->threads());
  const u64 room = u64{block_states_} * kSuccessors;
  const u64 fitting = seen_successors_ == 0 ? room : room * seen_states_ / seen_successors_;
  const u64 most = std::clamp<u64>(fitting / 16 * 15, kLeastStates, block_states_);
  return static_cast<u32>(std::min(left, std::clamp<u64>(fair, kLeastStates, most)));
}

void BlockExpander::submit(Block& block, u32 count) {
  block.owner = this;
  block.count = count;
  block.expanded = 0;
  block.run = [](Parallel::Job& job, u32 thread) {
    Block& b = static_cast<Block&>(job);
    b.owner->expand(b, thread);
  };
  ++used_;
  waiting_ += count;
  parallel_->submit(block);
}

void BlockExpander::expand(Block& block, u32 thread) {
  const u32 words = model_.state_words;
  SuccessorBuffer out;
  out.may_stop = true;
  out.states = block.successors;
  out.capacity = block_states_ * kSuccessors + model_.max_successors;
  u32 i = block.expanded;
  for (; i < block.count && out.capacity >= model_.max_successors; ++i) {
    const Expansion e = model_.expand(executors_[thread], block.states + u64{i} * words, out);
    XMC_CHECK(e.count <= out.capacity);
    block.expansions[i] = e;
    out.states += u64{e.count} * words;
    out.capacity -= e.count;
  }
  block.expanded = i;
}

Expansion BlockExpander::next(Word* state, Word* successors) {
  XMC_CHECK(waiting_ > 0);
  Block& b = blocks_[first_];
  if (!open_) {
    parallel_->finish(b);
    open_ = true;
    taken_ = 0;
    successor_at_ = 0;
  } else if (taken_ == b.expanded) {
    expand(b, 0);
    successor_at_ = 0;
  }
  const u32 words = model_.state_words;
  const Expansion e = b.expansions[taken_];
  std::copy_n(b.states + u64{taken_} * words, words, state);
  const u64 successor_words = u64{e.count} * words;
  std::copy_n(b.successors + successor_at_, successor_words, successors);
  successor_at_ += successor_words;
  ++seen_states_;
  seen_successors_ += e.count;
  --waiting_;
  if (++taken_ == b.count) {
    open_ = false;
    first_ = (first_ + 1) % block_count_;
    --used_;
  }
  return e;
}

void BlockExpander::discard() {
  for (u32 i = 0; i < used_; ++i) parallel_->finish(blocks_[(first_ + i) % block_count_]);
  used_ = 0;
  waiting_ = 0;
  open_ = false;
}

}  // namespace xmc
