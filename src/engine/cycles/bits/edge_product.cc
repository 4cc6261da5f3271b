#include "engine/cycles/bits/edge_product.h"

#include <algorithm>
#include <new>

#include "engine/cycles/index/search_checkpoint.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kShare = 4;
constexpr u64 kLeastKept = 2;
constexpr u64 kKeptBytes = EdgeFile::kBlockBytes + sizeof(EdgeReader);

u64 table_bytes(u64 blocks) { return round_up(blocks * sizeof(u64), alignof(EdgeReader)); }

}  // namespace

u64 EdgeProduct::least_bytes(u64 blocks) {
  return round_up(table_bytes(blocks) + kLeastKept * kKeptBytes, kPageBytes);
}

u64 EdgeProduct::share_of(u64 memory, u64 blocks) {
  const u64 most = round_up(table_bytes(blocks) + kMostKept * kKeptBytes, kPageBytes);
  return std::clamp(round_down(memory / kShare, kPageBytes), least_bytes(blocks), most);
}

// | blocks | first states | readers |
Status EdgeProduct::start(const Product& product, EdgeFile& edges, std::span<u8> memory) {
  const u64 blocks = edges.blocks();
  XMC_CHECK(memory.size() >= least_bytes(blocks));
  XMC_CHECK(edges.states() == product.states && product.complete());
  edges_ = &edges;
  status_ = Status();
  clock_ = blocks_read_ = 0;
  const u64 kept = std::min<u64>((memory.size() - table_bytes(blocks)) / kKeptBytes, kMostKept);
  const std::size_t buffers = static_cast<std::size_t>(kept * EdgeFile::kBlockBytes);
  first_ = {reinterpret_cast<u64*>(memory.data() + buffers), static_cast<std::size_t>(blocks)};
  auto* const readers =
      reinterpret_cast<EdgeReader*>(memory.data() + buffers + table_bytes(blocks));
  for (std::size_t i = 0; i < kept; ++i) {
    ::new (readers + i) EdgeReader();
    readers[i].start(edges, memory.subspan(i * EdgeFile::kBlockBytes, EdgeFile::kBlockBytes));
    block_[i] = EdgeReader::kNoBlock;
    used_[i] = 0;
  }
  readers_ = {readers, static_cast<std::size_t>(kept)};
  for (u64 b = 0; b < blocks; ++b) {
    XMC_TRY(readers[0].load(b));
    first_[static_cast<std::size_t>(b)] = readers[0].first_state();
  }

  const Search& whole = *product.search;
  Model& model = search_.model;
  model = Model();
  model.state_words = 1;
  model.state_bytes = sizeof(Word);
  model.state_bits = 64;
  model.max_successors = whole.model.max_successors;
  model.buchi = true;
  model.self = this;
  model.expand = &expand;
  // Only edges inside components are there: a search has to begin in each of them.
  model.cycle_class = [](const void*, const Word*) { return u32{1}; };
  search_.options = whole.options;
  search_.buffer = whole.buffer;
  search_.buffer_states = whole.buffer_states;
  search_.fixed_bytes = whole.fixed_bytes;
  search_.control = whole.control;
  outcome_.stats = whole.outcome->stats;
  search_.outcome = &outcome_;
  numbers_ = product;
  numbers_.search = &search_;
  numbers_.queue = nullptr;
  index_.start(product.states);
  return {};
}

// The reader that has the block of this state: one may have to load it.
Result<EdgeReader*> EdgeProduct::reader_for(u64 state) {
  const auto behind = std::upper_bound(first_.begin(), first_.end(), state);
  XMC_CHECK(behind != first_.begin());
  const u64 block = static_cast<u64>(behind - first_.begin()) - 1;
  std::size_t best = 0;
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    if (block_[i] == block) {
      best = i;
      break;
    }
    if (used_[i] < used_[best]) best = i;
  }
  blocks_read_ += block_[best] == block ? 0 : 1;
  used_[best] = ++clock_;
  block_[best] = EdgeReader::kNoBlock;
  // A long record may have led it to the next block.
  XMC_TRY(readers_[best].load(block));
  block_[best] = block;
  return &readers_[best];
}

Status EdgeProduct::successors(u64 state, const SuccessorBuffer& out, Expansion& expansion) {
  XMC_LET(EdgeReader* const reader, reader_for(state));
  return reader->read(state, [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
    if (record.accepting) expansion.flags |= kAccepting;
    XMC_CHECK(expansion.count + targets.size() <= out.capacity);
    std::copy(targets.begin(), targets.end(), out.states + expansion.count);
    expansion.count += static_cast<u32>(targets.size());
  });
}

Expansion EdgeProduct::expand(void* self, const Word* state, const SuccessorBuffer& out) {
  EdgeProduct& edges = *static_cast<EdgeProduct*>(self);
  Expansion expansion;
  if (!edges.status_.ok()) return expansion;
  edges.status_ = edges.successors(*state, out, expansion);
  return edges.status_.ok() ? expansion : Expansion();
}

Status EdgeProduct::Identity::find(const Word* states, u32 count, u64* numbers, u32*) {
  std::copy_n(states, count, numbers);
  return {};
}

Status EdgeProduct::Identity::save_checkpoint(SearchCheckpoint& checkpoint, std::span<u8>) {
  checkpoint.index = SearchCheckpoint::Index::none;
  return {};
}

}  // namespace xmc
