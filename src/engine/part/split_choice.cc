#include "engine/part/split_choice.h"

#include <algorithm>

#include "xmc/bytes.h"

namespace xmc {

namespace {

// The smaller half has at least this share of the states.
constexpr double kLeastShare = 0.12;

PartitionTree::Test test_of(const StateField& field) {
  return {field.word, field.shift, field.width, 0};
}

}  // namespace

u64 SplitChoice::bytes(const Model& model) {
  return model.fields.size() * kPivots * sizeof(Split) + kLineBytes;
}

void SplitChoice::plan(const Model& model, Arena& arena) {
  splits_ = arena.carve_array<Split>("splits", model.fields.size() * kPivots, 64);
}

// Of all candidates the one with the fewest steps between the halves, for what it divides.
PartitionTree::Test SplitChoice::choose(Search& search, const StateTable& table,
                                        const PartitionTree& tree, u32 leaf) {
  const std::span<const StateField> fields = search.model.fields;
  take_sample(table, tree, leaf);
  for (u32 f = 0; f < fields.size(); ++f) choose_pivots(table, fields, f);
  const u32 steps = count_steps(search, table);
  PartitionTree::Test best;
  double best_cost = 1e300;
  for (std::size_t i = 0; i < splits_.size(); ++i) {
    const Split& split = splits_[i];
    const double share = static_cast<double>(split.low) / std::max(count_, 1u);
    if (split.low == 0 || std::min(share, 1 - share) < kLeastShare) continue;
    const double cost = (split.cross + 1) / (share * (1 - share));
    if (cost >= best_cost) continue;
    best_cost = cost;
    best = test_of(fields[i / kPivots]);
    best.pivot = split.pivot;
  }
  // A hash would cut half of the steps.
  const double hash_cost = (steps / 2 + 1) * 4.0;
  return best_cost < hash_cost ? best : tree.hash_test(leaf);
}

// States of the leaf, evenly from the table.
void SplitChoice::take_sample(const StateTable& table, const PartitionTree& tree, u32 leaf) {
  const StateIndex size = table.size();
  const u32 stride = std::max(1u, size / (kSample * 2));
  Word state[limits::kStateWords];
  count_ = 0;
  for (StateIndex i = stride / 2; i < size && count_ < kSample; i += stride) {
    table.load(i, state);
    if (tree.leaf_of(state) == leaf) sample_[count_++] = i;
  }
}

void SplitChoice::choose_pivots(const StateTable& table, std::span<const StateField> fields,
                                u32 field) {
  const PartitionTree::Test test = test_of(fields[field]);
  u64 values[kSample];
  Word state[limits::kStateWords];
  for (u32 i = 0; i < count_; ++i) {
    table.load(sample_[i], state);
    values[i] = test.value(state);
  }
  std::sort(values, values + count_);
  Split* const splits = splits_.data() + std::size_t{field} * kPivots;
  u64 last = count_ == 0 ? 0 : values[0];
  for (u32 p = 0; p < kPivots; ++p) {
    splits[p] = {};
    if (count_ == 0) continue;
    const u64 pivot = values[(p + 1) * count_ / (kPivots + 1)];
    if (pivot == last) continue;
    last = pivot;
    splits[p].pivot = pivot;
    splits[p].low = static_cast<u32>(std::lower_bound(values, values + count_, pivot) - values);
  }
}

// Counts for every candidate the steps of the sample that it cuts.
u32 SplitChoice::count_steps(Search& search, const StateTable& table) {
  const Model& model = search.model;
  u32 steps = 0;
  Word state[limits::kStateWords];
  for (u32 s = 0; s < count_; ++s) {
    table.load(sample_[s], state);
    SuccessorBuffer out;
    out.states = search.buffer;
    out.capacity = search.buffer_states;
    const Expansion expansion = model.expand(model.self, state, out);
    steps += expansion.count;
    for (u32 i = 0; i < expansion.count; ++i) count_step(model.fields, state, search.buffer_at(i));
  }
  return steps;
}

void SplitChoice::count_step(std::span<const StateField> fields, const Word* state,
                             const Word* successor) {
  for (u32 f = 0; f < fields.size(); ++f) {
    const PartitionTree::Test test = test_of(fields[f]);
    const u64 from = test.value(state);
    const u64 to = test.value(successor);
    if (from == to) continue;
    Split* const splits = splits_.data() + std::size_t{f} * kPivots;
    for (u32 p = 0; p < kPivots; ++p) {
      if (splits[p].low != 0 && (from < splits[p].pivot) != (to < splits[p].pivot)) {
        ++splits[p].cross;
      }
    }
  }
}

}  // namespace xmc
