#include "engine/part/part_memory.h"

#include <algorithm>
#include <numeric>

#include "store/keys/hash_class.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

// A model without variables has one state of no bits.
StateTable::Shape PartMemory::shape_of(const Model& model) {
  return {model.state_words, std::max(model.state_bytes, 1u), false};
}

void PartMemory::start() {
  table = StateTable();
  table.init(table_region, shape_of(search->model));
  capacity = table.states_in(table_region.size() / 50 * 49);
  origins.start(origins_region);
  active = {};
}

// The partition with the longest queue for its size, since it has to be loaded; and as many of the
// next ones as fit beside it.
PartMemory::Residents PartMemory::choose() const {
  Residents r;
  bool taken[PartitionTree::kMostNodes] = {};
  const u32 nodes = logs->tree.nodes();
  const ChainLog& pending = logs->pending;
  const ImageLog::Chain* const images = logs->images;
  const auto pays_more = [&](u32 a, u32 b) {
    const u64 least = capacity / 16;
    return pending.keys(a) * (images[b].states + least) >
           pending.keys(b) * (images[a].states + least);
  };
  u64 states = 0;
  while (r.count < kMostResidents) {
    u32 best = nodes;
    for (u32 p = 0; p < nodes; ++p) {
      if (pending.keys(p) == 0 || taken[p]) continue;
      if (best == nodes || pays_more(p, best)) best = p;
    }
    if (best == nodes) return r;
    // Room for what will be new.
    const u64 more = images[best].states + std::min(pending.keys(best), capacity / 4);
    if (r.count > 0 && states + more > capacity / 10 * 8) return r;
    taken[best] = true;
    r.leaf[r.count++] = best;
    states += more;
    const bool fits = images[best].states <= capacity;
    if (r.count == 1 && (!fits || (!logs->may_split() && states > capacity / 10 * 8))) {
      r.classes = static_cast<u32>(divide_up(images[best].states * 2, capacity)) + 1;
      return r;
    }
  }
  return r;
}

void PartMemory::enter(const Residents& residents, const Word* owner_mask) {
  active = {};
  active.residents = residents;
  for (u32 r = 0; r < residents.count; ++r) {
    active.resident[residents.leaf[r]] = true;
    logs->tree.add_mask(residents.leaf[r], {active.mask, search->model.state_words});
  }
  if (owner_mask != nullptr) {
    for (u32 w = 0; w < search->model.state_words; ++w) active.mask[w] |= owner_mask[w];
  }
  // Every bit counts for the class.
  if (residents.classes > 1) std::fill_n(active.mask, search->model.state_words, ~Word{0});
}

Status PartMemory::load() {
  const PhaseClock::Scope scope(search->clock, Phase::detection);
  const Residents& residents = active.residents;
  u64 known = 0;
  u64 heads[kMostResidents] = {};
  for (u32 r = 0; r < residents.count; ++r) {
    known += logs->images[residents.leaf[r]].states;
    heads[r] = logs->images[residents.leaf[r]].head;
  }
  ImageReader reader;
  XMC_TRY(reader.start(logs->visited, logs->visited_block, {heads, residents.count}));
  table.init(table_region, shape_of(search->model), known == 0 ? 0 : capacity);
  for (;;) {
    ImageLog::Block block;
    XMC_LET(const bool more, reader.next(block));
    if (!more) break;
    if (residents.classes > 1) {
      load_class(block);
    } else {
      table.append_packed(block.packed, block.states);
    }
  }
  if (residents.classes == 1) table.end_packed();
  origins.clear();
  active.saved = active.next = table.size();
  return {};
}

void PartMemory::load_class(const ImageLog::Block& block) {
  Word state[limits::kStateWords];
  for (u32 i = 0; i < block.states; ++i) {
    logs->unpack(block, i, state);
    if (!in_class(class_hash(state, search->model.state_words))) continue;
    const bool fits = table.insert(state, 1, nullptr) == 1;
    XMC_CHECK(fits);
  }
}

Status PartMemory::take_in(const Word* states, const u64* state_origins, u32 count) {
  const u32 words = search->model.state_words;
  StateIndex found[StateTable::kBatch];
  for (u32 done = 0; done < count;) {
    const Word* const batch = states + u64{done} * words;
    const u32 piece = std::min(count - done, StateTable::kBatch);
    u32 known = table.size();
    u32 taken = 0;
    if (origins.has_room(piece)) {
      taken = table.insert(batch, piece, found);
      active.full = active.full || taken < piece || table.size() >= capacity;
      for (u32 i = 0; i < taken; ++i) {
        if (found[i] != known) continue;
        origins.push(state_origins[done + i]);
        ++known;
      }
    }
    table.find(batch + u64{taken} * words, piece - taken, found);
    for (u32 i = taken; i < piece; ++i) {
      if (found[i - taken] != kNone) continue;
      const Word* const state = batch + u64{i} * words;
      XMC_TRY(logs->append_pending(logs->tree.leaf_of(state), state, state_origins[done + i]));
    }
    done += piece;
  }
  return {};
}

Status PartMemory::put_back_new() {
  Word state[limits::kStateWords];
  for (StateIndex i = active.next; i < table.size(); ++i) {
    table.load(i, state);
    XMC_TRY(logs->append_pending(logs->tree.leaf_of(state), state, origins.pop()));
  }
  return {};
}

// An image in many small blocks is written anew.
Status PartMemory::save(Word* batch) {
  const PhaseClock::Scope scope(search->clock, Phase::partitioning);
  const Residents& residents = active.residents;
  for (u32 r = 0; r < residents.count; ++r) {
    ImageLog::Chain& image = logs->images[residents.leaf[r]];
    const u64 needed = image.states * table.state_bytes() / ImageLog::kBlockBytes;
    const bool anew =
        active.unsaved[r] || (residents.classes == 1 && image.blocks > 2 * needed + 16);
    if (anew) image = {};
    XMC_TRY(save_one(residents.leaf[r], anew ? 0 : active.saved, batch));
    XMC_TRY(logs->visited.finish(image));
  }
  return {};
}

// The states of one partition, from `first` on.
Status PartMemory::save_one(u32 leaf, StateIndex first, Word* batch) {
  const bool alone = active.residents.count == 1;
  const u32 words = search->model.state_words;
  u32 picks[Search::kCollect];
  u16 leaves[Search::kCollect];
  std::iota(picks, picks + Search::kCollect, 0u);
  for (StateIndex i = first; i < active.next;) {
    const u32 count = std::min(Search::kCollect, active.next - i);
    if (!alone) {
      for (u32 k = 0; k < count; ++k) table.load(i + k, batch + u64{k} * words);
      logs->tree.leaves_of(batch, {picks, count}, leaves);
    }
    for (u32 k = 0; k < count; ++k, ++i) {
      if (!alone && leaves[k] != leaf) continue;
      XMC_TRY(logs->visited.append(logs->images[leaf], table.packed_at(i)));
    }
  }
  return {};
}

}  // namespace xmc
