#include "engine/cycles/kept_cycle.h"

#include <algorithm>

#include "engine/cycles/edges/product_edges.h"
#include "engine/search/work_poll.h"
#include "store/tables/state_table.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kSeeksPerPoll = 16;  // a seek reads a few slots of the queue

}  // namespace

void KeptCycle::state(u64 i, Word* out) const {
  std::copy_n(cycle_.states + i % cycle_.steps * words_, words_, out);
}

Status KeptCycle::place(const Product& product, u64 length) {
  words_ = product.search->model.state_words;
  const u64 bytes = length * words_ * sizeof(Word);
  const std::span<u8> work = ProductEdges::work_of(product);
  if (bytes + ProductEdges::kKeptBytes > product.aside) {
    return Status::fail(Code::budget,
                        "an accepting cycle of %llu steps was found, but its states do not fit "
                        "the memory set aside for it; use a larger --ram",
                        wide(length));
  }
  cycle_.states =
      reinterpret_cast<Word*>(work.data() + round_down(work.size() - bytes, sizeof(Word)));
  cycle_.steps = length;
  return {};
}

Status KeptCycle::keep(const Product& product, const LassoResult& lasso) {
  XMC_TRY(place(product, lasso.cycle.size()));
  // The numbers may lie where the states go, and give way to them from the last one on.
  move(std::span<u64>(cycle_.states, lasso.cycle.size()), lasso.cycle);
  KeyReader states;
  states.start(*product.queue, product.read_buffer);
  WorkPoll poll(product);
  for (u64 i = cycle_.steps; i-- > 0;) {
    if (i % kSeeksPerPoll == 0) XMC_TRY(poll(i));
    Word state[limits::kStateWords];
    if (product.state_of != nullptr) {
      XMC_TRY(product.state_of(product.numbering, cycle_.states[i], state));
    } else {
      XMC_TRY(states.seek_key(cycle_.states[i]));
      XMC_LET(const bool more, states.next(state));
      XMC_CHECK(more);
    }
    std::copy_n(state, words_, cycle_.states + i * words_);
  }
  cycle_.shortest = lasso.shortest;
  product.search->record(Violation::accepting_cycle, Expansion(), lasso.prefix_steps);
  return {};
}

Status KeptCycle::move_here(const Product& product, const Word* states, u64 length) {
  XMC_TRY(place(product, length));
  const std::size_t words = static_cast<std::size_t>(length * words_);
  move(std::span<Word>(cycle_.states, words), std::span<const Word>(states, words));
  return {};
}

Status KeptCycle::keep_unsettled(const Product& product, const Word* states, u64 length) {
  XMC_TRY(move_here(product, states, length));
  cycle_.settled = false;
  product.search->record(Violation::accepting_cycle, Expansion(), 0);
  return {};
}

Status KeptCycle::keep_shortest(const Product& product, const Word* states, u64 length,
                                u64 prefix) {
  XMC_TRY(move_here(product, states, length));
  cycle_.shortest = true;
  product.search->record(Violation::accepting_cycle, Expansion(), prefix);
  return {};
}

void KeptCycle::record_unread(const Product& product) {
  product.search->record(Violation::accepting_cycle, Expansion(), 0);
  product.search->outcome->path_missing = true;
}

Status KeptCycle::settle(const Product& product, const GoOn& go_on, u64& level) {
  if (cycle_.settled) return {};
  const u64 before = static_cast<u64>(reinterpret_cast<u8*>(cycle_.states) - product.memory.data());
  StateTable table;
  table.init(product.memory.first(static_cast<std::size_t>(round_down(before, 64))),
             {words_, std::max(product.search->model.state_bytes, 1u), false});
  if (table.insert(cycle_.states, static_cast<u32>(cycle_.steps), nullptr) < cycle_.steps) {
    return Status::fail(Code::budget,
                        "an accepting cycle of %llu steps was found, but it does not fit the "
                        "memory twice; use a larger --ram",
                        wide(cycle_.steps));
  }
  KeyReader reader;
  reader.start(*product.queue, product.read_buffer);
  Word state[limits::kStateWords];
  StateIndex first = kNone;
  for (u64 read = 1; first == kNone; ++read) {
    if (read % (4 * Search::kPollInterval) == 0) XMC_TRY(go_on());
    XMC_LET(const bool more, reader.next(state));
    XMC_CHECK(more);
    table.find(state, 1, &first);
  }
  level = reader.level();
  const u64 words = words_;
  std::rotate(cycle_.states, cycle_.states + first * words, cycle_.states + cycle_.steps * words);
  cycle_.settled = true;
  return {};
}

Result<Word*> KeptCycle::restore(const Product& product, const FoundCycle& cycle) {
  XMC_TRY(place(product, cycle.steps));
  cycle_.shortest = cycle.shortest;
  cycle_.settled = cycle.settled;
  return cycle_.states;
}

}  // namespace xmc
