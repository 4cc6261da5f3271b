#include "engine/cycles/edges/edge_sample.h"

#include <algorithm>

namespace xmc {

namespace {

// Places of the queue, and states from each of them on.
constexpr u64 kPlaces = 64;
constexpr u64 kStates = 32;

void add_state(Search& search, const Word* state, EdgeSample& sample) {
  ++sample.states;
  const u32 component = search.model.cycle_class_of(state);
  if (component == 0) return;
  const Expansion expansion = search.expand_state(state, 0);
  for (u32 i = 0; i < expansion.count; ++i) {
    if (search.model.cycle_class_of(search.buffer_at(i)) == component) ++sample.edges;
  }
}

}  // namespace

Status sample_edges(const Product& product, EdgeSample& sample) {
  sample = {};
  KeyReader reader;
  reader.start(*product.queue, product.read_buffer);
  const u64 apart = std::max<u64>(product.states / kPlaces, 1);
  const u64 together = std::min(apart, kStates);
  Word state[limits::kKeyWords];
  for (u64 place = 0; place < product.states; place += apart) {
    XMC_TRY(reader.seek_key(place));
    for (u64 i = 0; i < together; ++i) {
      XMC_LET(const bool more, reader.next(state));
      if (!more) return {};
      add_state(*product.search, state, sample);
    }
  }
  return {};
}

}  // namespace xmc
