// The searches of a cycle engine that have one bit for each state.
#include <algorithm>

#include "engine/cycles/bits/gastin_moro.h"
#include "engine/cycles/bits/iddfs.h"
#include "engine/cycles/bits/indexed_search.h"
#include "engine/cycles/cycle_engine.h"
#include "store/tables/state_bits.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

IndexOptions CycleEngine::index_options(const Product& product) const {
  const CycleOptions& options = product.search->options.cycles;
  IndexOptions index;
  index.kind = options.index;
  index.codec = options.cmph ? phf::Codec::chd : phf::Codec::pilot;
  index.resident = options.phf_in_ram;
  index.cache_bytes = options.phf_cache;
  index.near_pages = options.near_pages;
  return index;
}

Status CycleEngine::out_of_memory(const Product& product, u64 bytes_needed) {
  SearchOutcome& outcome = *product.search->outcome;
  outcome.ram_needed_bytes = product.search->fixed_bytes + bytes_needed + kKept;
  return Status::stop(StopReason::ram);
}

Product CycleEngine::part_for_bits(const Product& product, bool all) {
  Product part = product;
  part.memory = work_of(product);
  const SearchOptions& options = product.search->options;
  const bool marked = all && (options.checkpoints != nullptr || options.resume != nullptr);
  part.search_checkpoint = marked ? &checkpoint_ : nullptr;
  return part;
}

Status CycleEngine::search_with_bits(const Product& product, bool all) {
  const Product part = part_for_bits(product, all);
  CycleResult result;
  const Status status = check_prefix(part, index_options(product), rank_, hash_, result);
  product.search->stats().ram_used = StateBits::bytes_for(product.states) + result.index_bytes;
  if (result.closed && all) note_closed(product);
  XMC_TRY(status);
  if (!result.fits) {
    if (all && can_search_windows(product)) return search_windows(product);
    Status stop = out_of_memory(product, result.bytes_needed);
    return all ? stop : Status();
  }
  if (!result.found) return {};
  XMC_TRY(keep_cycle(product, result.states, result.length));
  cycle_.settled = false;
  product.search->record(Violation::accepting_cycle, Expansion(), 0);
  return {};
}

Status CycleEngine::search_shortest_with_bits(const Product& product) {
  const Product part = part_for_bits(product, true);
  MinimalLasso result;
  u64 index_bytes = 0;
  const Status status =
      find_minimal_lasso(part, index_options(product), rank_, hash_, result, index_bytes);
  product.search->stats().ram_used =
      result.threads * StateBits::bytes_for(product.states) + index_bytes;
  XMC_TRY(status);
  if (!result.fits) return out_of_memory(product, result.bytes_needed);
  if (!result.found) return {};
  XMC_TRY(keep_cycle(product, result.states, result.length));
  cycle_.shortest = true;
  product.search->record(Violation::accepting_cycle, Expansion(), result.prefix);
  return {};
}

Status CycleEngine::search_down_edges(const Product& product) {
  // What two searches need of the memory, before edges are made for nothing.
  Model numbers;
  numbers.state_words = 1;
  numbers.max_successors = model_.max_successors;
  const Product part = part_for_bits(product, true);
  const u64 search = double_dfs_bytes(numbers, product.states);
  product.search->stats().ram_used = StateBits::bytes_for(product.states);
  if (search <= part.memory.size()) XMC_TRY(build_edges(product));
  const u64 least = search + EdgeProduct::least_bytes(edges_.blocks());
  if (least > part.memory.size() && can_search_windows(product)) {
    return search_windows(product);
  }
  if (least > part.memory.size()) return out_of_memory(product, least);
  XMC_TRY(product.checkpoint_if_due());
  if (checkpoint_.phase != SearchCheckpoint::Phase::none &&
      (checkpoint_.states != product.states ||
       checkpoint_.index != SearchCheckpoint::Index::none)) {
    checkpoint_.forget_index();
  }
  const u64 spare = part.memory.size() - least;
  const u64 own =
      std::min(EdgeProduct::share_of(part.memory.size(), edges_.blocks()),
               EdgeProduct::least_bytes(edges_.blocks()) + round_down(spare, kPageBytes));
  const std::size_t front = static_cast<std::size_t>(own);
  XMC_TRY(edge_product_.start(part, edges_, part.memory.first(front)));
  CycleResult result;
  const Status status = run_double_dfs(edge_product_.product(), edge_product_.index(),
                                       part.memory.subspan(front), result);
  XMC_TRY(edge_product_.status());
  if (result.closed) note_closed(product);
  XMC_TRY(status);
  XMC_CHECK(result.fits);
  if (!result.found) return {};
  // The numbers lie where nobody else writes before keep_cycle() has moved them.
  Word* const cycle = const_cast<Word*>(result.states);
  std::rotate(cycle, std::min_element(cycle, cycle + result.length), cycle + result.length);
  LassoResult lasso;
  lasso.cycle = {cycle, static_cast<std::size_t>(result.length)};
  XMC_TRY(level_of(product, cycle[0], lasso.prefix_steps));
  return keep_cycle(product, lasso);
}

// There is a cycle, and the checkpoint has the wave that it closed; its states are not known yet.
void CycleEngine::note_closed(const Product& product) {
  product.search->record(Violation::accepting_cycle, Expansion(), 0);
  product.search->outcome->path_missing = true;
}

// So that it begins with the state that comes first in the queue: one of least level.
Status CycleEngine::settle_cycle(const Product& product, const GoOn& go_on, u64& level) {
  if (cycle_.settled) return {};
  const u64 words = model_.state_words;
  const auto before =
      static_cast<u64>(reinterpret_cast<u8*>(cycle_.states) - product.memory.data());
  StateTable table;
  table.init(product.memory.first(static_cast<std::size_t>(round_down(before, 64))),
             {model_.state_words, std::max(model_.state_bytes, 1u), false});
  if (table.insert(cycle_.states, static_cast<u32>(cycle_.steps), nullptr) < cycle_.steps) {
    return Status::fail(Code::budget,
                        "an accepting cycle of %llu steps was found, but it does not fit the "
                        "memory twice; use a larger --ram",
                        static_cast<unsigned long long>(cycle_.steps));
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
  std::rotate(cycle_.states, cycle_.states + first * words, cycle_.states + cycle_.steps * words);
  cycle_.settled = true;
  return {};
}

}  // namespace xmc
