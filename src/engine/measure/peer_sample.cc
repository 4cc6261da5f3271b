#include "engine/measure/peer_sample.h"

#include <algorithm>

#include "engine/owners/owner_choice.h"
#include "engine/search/exchange.h"
#include "xmc/bytes.h"

namespace xmc {

namespace {

constexpr u64 kStates = 4096;   // that are expanded once more
constexpr u32 kRounds = 64;     // of the copies that are timed
constexpr u64 kLeastEach = 50;  // states of a level for each owner, below which chance decides

u32 fields_in(std::span<const StateField> fields, const Word* mask) {
  u32 count = 0;
  for (const StateField& field : fields) {
    count += static_cast<u32>(mask[field.word] >> field.shift & 1);
  }
  return count;
}

double leaving_share(RamSearch& ram, u64 expanded, const OwnerFunction& owner_of) {
  Search& search = *ram.search;
  const Model& model = search.model;
  const u64 stride = expanded / kStates + 1;
  u64 steps = 0;
  u64 leaving = 0;
  for (u64 i = 0; i < expanded; i += stride) {
    ram.table.load(static_cast<StateIndex>(i), search.state);
    const u32 home = owner_of(search.state);
    const Expansion expansion =
        model.expand(model.self, search.state, {search.buffer, nullptr, search.buffer_states});
    steps += expansion.count;
    for (u32 k = 0; k < expansion.count; ++k) leaving += owner_of(search.buffer_at(k)) != home;
  }
  return steps == 0 ? 0 : static_cast<double>(leaving) / static_cast<double>(steps);
}

// Of the states [begin, end), those of each owner.
void count_owners(RamSearch& ram, u64 begin, u64 end, const OwnerFunction& owner_of, u64* counts) {
  for (u64 i = begin; i < end; ++i) {
    ram.table.load(static_cast<StateIndex>(i), ram.search->state);
    ++counts[owner_of(ram.search->state)];
  }
}

void measure_load(RamSearch& ram, const OwnerFunction& owner_of, PeerSample& sample) {
  u64 all[limits::kOwners] = {};
  u64 largest = 0;  // of each level
  u64 states = 0;
  u32 levels = 0;
  for (u64 l = 0; l < ram.table.stack_size(); ++l) {
    const u64 begin = ram.table.stack(l);
    const u64 end = l + 1 < ram.table.stack_size() ? ram.table.stack(l + 1) : ram.table.size();
    u64 level[limits::kOwners] = {};
    count_owners(ram, begin, end, owner_of, level);
    for (u32 o = 0; o < sample.owners; ++o) all[o] += level[o];
    if (end - begin < kLeastEach * sample.owners) continue;
    largest += *std::max_element(level, level + sample.owners);
    states += end - begin;
    ++levels;
  }
  const auto over_mean = [&](u64 most, u64 sum) {
    return sum == 0 ? 1 : static_cast<double>(most) * sample.owners / static_cast<double>(sum);
  };
  sample.load = over_mean(*std::max_element(all, all + sample.owners), ram.table.size());
  sample.level_load = levels == 0 ? sample.load : over_mean(largest, states);
  sample.level_states = levels == 0 ? 0 : static_cast<double>(states) / levels;
}

double time_of_sharing(RamSearch& ram, const OwnerFunction& owner_of, std::span<u8> memory) {
  Search& search = *ram.search;
  const u32 words = search.model.state_words;
  const u32 count = static_cast<u32>(std::min<u64>(Search::kCollect, ram.table.size()));
  if (memory.size() < u64{count} * words * sizeof(Word) || count == 0) return 0;
  for (u32 i = 0; i < count; ++i) ram.table.load(i, search.buffer_at(i));
  Word* const block = reinterpret_cast<Word*>(memory.data());
  u64 sum = 0;
  const u64 begin = search.options.now_ns();
  for (u32 round = 0; round < kRounds; ++round) {
    for (u32 i = 0; i < count; ++i) {
      const u32 at = (owner_of(search.buffer_at(i)) + i) % count;
      std::copy_n(search.buffer_at(i), words, block + u64{at} * words);
      sum += at;
    }
  }
  const u64 ns = search.options.now_ns() - begin;
  fill_zero(memory.first(static_cast<std::size_t>(u64{count} * words * sizeof(Word))));
  return sum == ~u64{0} ? 0 : static_cast<double>(ns) / (u64{kRounds} * count);
}

}  // namespace

void sample_peers(RamSearch& ram, u64 expanded, std::span<u8> memory, PeerSamples& samples) {
  Search& search = *ram.search;
  const Model& model = search.model;
  samples.all_fields = static_cast<u32>(model.fields.size());
  samples.sent_bytes = model.state_words * static_cast<u32>(sizeof(Word));
  for (u32 i = 0; i < samples.count; ++i) {
    PeerSample& sample = samples.each[i];
    Word mask[limits::kStateWords + 1];
    OwnerChoice::choose(search, sample.owners, memory, mask);
    OwnerFunction owner_of;
    owner_of.set(model.state_words, sample.owners, mask);
    sample.fields = fields_in(model.fields, mask);
    sample.leaving = leaving_share(ram, expanded, owner_of);
    measure_load(ram, owner_of, sample);
    samples.share_ns = time_of_sharing(ram, owner_of, memory);
  }
}

}  // namespace xmc
