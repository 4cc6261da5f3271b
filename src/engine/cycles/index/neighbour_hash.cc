#include "engine/cycles/index/neighbour_hash.h"

#include <algorithm>

#include "engine/cycles/index/state_sequence.h"
#include "phf/hash_math.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

u64 order_bytes(const Model& model) { return round_up(KeyOrder::bytes_for(model), kLineBytes); }
u64 cut_bytes(u64 pages) { return round_up(pages * sizeof(u64), kLineBytes); }
u64 begin_bytes(u64 pages) { return round_up((pages + 1) * sizeof(u32), kLineBytes); }

// Sorted, each once, but for the least one: nothing lies below it.
std::span<u64> make_cuts(std::span<u64> keys) {
  std::sort(keys.begin(), keys.end());
  const auto end = std::unique(keys.begin(), keys.end());
  return {keys.data() + 1, static_cast<std::size_t>(end - keys.begin()) - 1};
}

// The last of each `factor` cuts.
std::span<u64> thin_out(std::span<u64> cuts, u32 factor) {
  std::size_t kept = 0;
  for (std::size_t i = factor - 1; i < cuts.size(); i += factor) cuts[kept++] = cuts[i];
  return cuts.first(kept);
}

}  // namespace

u64 NeighbourHash::bytes_for(const Model& model, u64 pages) {
  return round_up(order_bytes(model) + cut_bytes(pages) + begin_bytes(pages), kPageBytes);
}

u64 NeighbourHash::sample_keys(u64 pages) {
  return std::max<u64>(pages * kSampleFactor, kTrialStates);
}

u64 NeighbourHash::making_bytes(const Model& model, u64 pages) {
  const u64 keys = sample_keys(pages);
  const u64 words = keys + (keys + 2) / 2 + u64{kTrialStates} * model.state_words;
  return bytes_for(model, pages) + round_up(words * sizeof(u64), kPageBytes);
}

// | order, cuts, begins | sample | counts | states of a trial |
void NeighbourHash::lay_out(const Model& model, u64 pages, std::span<u8> memory) {
  XMC_CHECK(memory.size() >= bytes_for(model, pages));
  const std::span<u8> tables = memory.first(static_cast<std::size_t>(order_bytes(model)));
  fill_zero(tables);
  Arena arena(tables);
  order_ = KeyOrder();
  order_.plan(model, arena);
  const std::size_t most = static_cast<std::size_t>(pages);
  u8* at = tables.data() + tables.size();
  cut_ = {reinterpret_cast<u64*>(at), most};
  at += cut_bytes(pages);
  begin_ = {reinterpret_cast<u32*>(at), most + 1};
}

void NeighbourHash::lay_out_making(const Model& model, u64 pages, std::span<u8> memory) {
  XMC_CHECK(memory.size() >= making_bytes(model, pages));
  lay_out(model, pages, memory);
  const std::size_t keys = static_cast<std::size_t>(sample_keys(pages));
  sample_ = {reinterpret_cast<u64*>(memory.data() + bytes_for(model, pages)), keys};
  u64* const behind = sample_.data() + keys;
  counts_ = {reinterpret_cast<u32*>(behind), keys + 1};
  trial_states_ = behind + (keys + 2) / 2;
}

// Wide states: the fields that come first decide.
u64 NeighbourHash::key_of(const Word* state) const {
  Word key[limits::kKeyWords];
  order_.find_key(state, key);
  return key[0];
}

std::size_t NeighbourHash::interval_of(std::span<const u64> cuts, u64 key) {
  return static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), key) - cuts.begin());
}

u64 NeighbourHash::near(const Word* state, u64 plain) const {
  const std::size_t i = interval_of(cut_, key_of(state));
  const u64 begin = u64{begin_[i]} << 32;
  const u64 end = i + 1 < begin_.size() ? u64{begin_[i + 1]} << 32 : ~u64{0};
  return begin + phf::multiply_wide(plain, end - begin).high;
}

// f(state) for one state in `stride`.
template <class F>
Status NeighbourHash::for_states(const Product& product, u64 stride, F f) {
  u64 skip = 0;
  return for_all_states(product, [&](const Word* state, u64) {
    if (skip == 0) f(state);
    skip = skip == 0 ? stride - 1 : skip - 1;
    return Status();
  });
}

Status NeighbourHash::sample_all(const Product& product, u64 pages, std::span<u64>& cuts) {
  const u64 most = pages * kSampleFactor;
  std::size_t count = 0;
  XMC_TRY(for_states(product, (product.states + most - 1) / most,
                     [&](const Word* state) { sample_[count++] = key_of(state); }));
  cuts = make_cuts(sample_.first(count));
  return {};
}

Status NeighbourHash::count_states(const Product& product, std::span<const u64> cuts,
                                   std::span<u32> counts) {
  fill_zero(counts);
  return for_states(product, 1,
                    [&](const Word* state) { ++counts[interval_of(cuts, key_of(state))]; });
}

// Cuts nearest to where pages begin, and where their intervals begin in the range of hashes.
void NeighbourHash::choose_cuts(std::span<const u64> cuts, std::span<const u32> counts, u64 states,
                                u64 pages) {
  const u64 unit = ~u64{0} / states;
  std::size_t chosen = 0;
  u64 before = counts[0];  // states below cut i
  begin_[0] = 0;
  for (std::size_t i = 0; i < cuts.size() && chosen < pages; ++i) {
    // `wanted` states should lie below the next cut: this one is taken if it is beyond, or nearer
    // than the next one.
    const u64 wanted = (chosen + 1) * states / pages;
    const u64 after = before + counts[i + 1];
    if (before >= wanted || (after > wanted && after - wanted > wanted - before)) {
      cut_[chosen++] = cuts[i];
      begin_[chosen] = static_cast<u32>(before * unit >> 32);
    }
    before = after;
  }
  cut_ = cut_.first(chosen);
  begin_ = begin_.first(chosen + 1);
}

// --- The order --------------------------------------------------------------------------------

// How many intervals a search looks into that goes from state to state by chance.
u64 NeighbourHash::intervals_of_walk(const Product& product, std::span<const u64> cuts,
                                     const Word* from, u64 dice) const {
  Search& search = *product.search;
  const Model& model = search.model;
  const u32 component = model.cycle_class_of(from);
  Word state[limits::kStateWords];
  std::copy_n(from, model.state_words, state);
  u64 seen[kTrialStates / 64 + 1] = {};
  u64 intervals = 0;
  for (u32 step = 0; step < kSteps && component != 0; ++step) {
    const Expansion expansion =
        model.expand(model.self, state, {search.buffer, nullptr, search.buffer_states});
    const Word* next = nullptr;
    for (u32 i = 0, choices = 0; i < expansion.count; ++i) {
      const Word* const successor = search.buffer_at(i);
      if (model.cycle_class_of(successor) != component) continue;
      const std::size_t interval = interval_of(cuts, key_of(successor));
      const u64 bit = u64{1} << interval % 64;
      intervals += (seen[interval / 64] & bit) == 0 ? 1 : 0;
      seen[interval / 64] |= bit;
      dice = phf::mix(dice + 1);
      if (dice % ++choices == 0) next = successor;
    }
    if (next == nullptr) break;
    std::copy_n(next, model.state_words, state);
  }
  return intervals;
}

Status NeighbourHash::find_best_order(const Product& product, Choice& choice) {
  const u32 words = product.search->model.state_words;
  const u64 stride = (product.states + kTrialStates - 1) / kTrialStates;
  std::size_t count = 0;
  XMC_TRY(for_states(product, stride, [&](const Word* state) {
    std::copy_n(state, words, trial_states_ + count++ * words);
  }));
  u64 best = ~u64{0};
  for (u32 candidate = 0; candidate < KeyOrder::kCandidates; ++candidate) {
    order_.choose(candidate);
    for (std::size_t i = 0; i < count; ++i) sample_[i] = key_of(trial_states_ + i * words);
    const std::span<const u64> cuts = thin_out(make_cuts(sample_.first(count)), kSampleFactor);
    u64 intervals = 0;
    for (u32 i = 0; i < kWalks; ++i) {
      intervals += intervals_of_walk(product, cuts, trial_states_ + i * count / kWalks * words, i);
    }
    if (intervals >= best) continue;
    best = intervals;
    choice = candidate + 1;
  }
  return {};
}

Status NeighbourHash::make(const Product& product, u64 pages, std::span<u8> memory) {
  turn_off();
  lay_out_making(product.search->model, pages, memory);
  Choice choice = kPlain;
  XMC_TRY(find_best_order(product, choice));
  return make_table(product, pages, choice);
}

Status NeighbourHash::make_table(const Product& product, u64 pages, Choice choice) {
  order_.choose(choice - 1);
  std::span<u64> cuts;
  XMC_TRY(sample_all(product, pages, cuts));
  const std::span<u32> counts = counts_.first(cuts.size() + 1);
  XMC_TRY(count_states(product, cuts, counts));
  choose_cuts(cuts, counts, product.states, pages);
  // Without cuts all states share one interval: that is a plain hash.
  if (!cut_.empty()) choice_ = choice;
  return {};
}

// --- Checkpoints ------------------------------------------------------------------------------

Status NeighbourHash::write(WordWriter& out) const {
  XMC_TRY(out.add(cut_));
  for (const Word begin : begin_) XMC_TRY(out.add({&begin, 1}));
  return out.finish();
}

Status NeighbourHash::read(WordReader& in, u64 words, const Model& model, u64 pages,
                           std::span<u8> memory, Choice choice) {
  turn_off();
  const u64 cuts = words / 2;
  if (words % 2 == 0 || cuts == 0 || cuts > pages || choice > KeyOrder::kCandidates) return {};
  lay_out(model, pages, memory);
  order_.choose(choice - 1);
  cut_ = cut_.first(static_cast<std::size_t>(cuts));
  begin_ = begin_.first(cut_.size() + 1);
  XMC_TRY(in.read(0, cut_));
  u64 at = cuts;
  for (u32& begin : begin_) {
    Word word = 0;
    XMC_TRY(in.read(at++, {&word, 1}));
    begin = static_cast<u32>(word);
  }
  choice_ = choice;
  return {};
}

}  // namespace xmc
