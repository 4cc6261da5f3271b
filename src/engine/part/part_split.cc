// How `part` divides a partition that has outgrown the memory: by a field of its states and a value
// of it, so that few steps lead from one half to the other. Both are tried on a sample of the
// states in memory and their steps.
#include <algorithm>

#include "engine/part/part.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// The smaller half has at least this share of the states.
constexpr double kLeastShare = 0.12;

}  // namespace

// More partitions than blocks of candidates in memory are good as long as candidates keep to few of
// them at a time. Otherwise blocks are written nearly empty; not more than states are written.
bool PartEngine::may_split() const {
  const u32 leaves = (tree_.nodes() + 1) / 2;
  return tree_.can_split() &&
         (leaves < pending_shape_.open || pending_.wasted_bytes() <= visited_.bytes());
}

// Of several partitions in memory the largest is split, unless they are all small, and only too
// many. One half of it stays.
Status PartEngine::split_full(bool& done) {
  const PhaseClock::Scope scope(search_.clock, Phase::partitioning);
  u32 r = 0;
  for (u32 i = 1; i < residents_.count; ++i) {
    if (images_[residents_.leaf[i]].states > images_[residents_.leaf[r]].states) r = i;
  }
  const u32 leaf = residents_.leaf[r];
  done = may_split() && (residents_.count == 1 || images_[leaf].states > capacity_ / 2);
  if (!done) return {};
  XMC_TRY(flush_away());
  const u32 low = tree_.split(leaf, choose_test(leaf));
  ChainReader queued;
  XMC_TRY(pending_.take(leaf, queued, visited_block_));

  // The one with more states that are not expanded.
  u32 fresh[2] = {};
  Word state[limits::kStateWords];
  for (StateIndex i = next_; i < table_.size(); ++i) {
    table_.load(i, state);
    if (residents_.count > 1 && tree_.leaf_of(state) < low) continue;
    ++fresh[tree_.is_high(leaf, state) ? 1 : 0];
  }
  const u32 kept = fresh[1] > fresh[0] ? low + 1 : low;
  residents_.leaf[r] = kept;
  resident_[leaf] = false;
  resident_[kept] = true;
  tree_.add_mask(kept, {mask_, search_.model.state_words});
  split_ = true;
  full_ = false;
  images_[leaf] = images_[low] = images_[low + 1] = {};
  unsaved_[r] = true;
  XMC_TRY(put_back(queued));
  return compact(leaf, kept == low ? low + 1 : low);
}

// The half that does not stay leaves the table: to its image what is expanded, the rest waits.
Status PartEngine::compact(u32 parent, u32 gone) {
  const bool gone_high = gone % 2 == 0;
  Status status;
  u32 kept = 0;
  const StateIndex next = next_;
  const StateIndex saved = saved_;
  table_.keep_if([&](StateIndex i, const Word* state) {
    if (i == saved) saved_ = kept;
    if (i == next) next_ = kept;
    const u64 origin = i < next ? 0 : origins_.pop();
    // With one partition in memory its own test says it all.
    if (residents_.count == 1 ? tree_.is_high(parent, state) == gone_high
                              : tree_.leaf_of(state) == gone) {
      if (!status.ok()) return false;
      status = i < next ? visited_.append(images_[gone], table_.packed_at(i))
                        : append_pending(gone, state, origin);
      return false;
    }
    if (i >= next) origins_.push(origin);  // behind all others, which follow
    ++kept;
    return true;
  });
  saved_ = std::min(saved_, kept);
  next_ = std::min(next_, kept);
  XMC_TRY(status);
  return visited_.finish(images_[gone]);
}

// Of all candidates the one with the fewest steps between the halves, for what it divides.
PartitionTree::Test PartEngine::choose_test(u32 leaf) {
  const std::span<const StateField> fields = search_.model.fields;
  u32 count = 0;
  take_sample(leaf, count);
  for (u32 f = 0; f < fields.size(); ++f) choose_pivots(f, count);
  const u32 steps = count_steps(count);
  PartitionTree::Test best;
  double best_cost = 1e300;
  for (std::size_t i = 0; i < splits_.size(); ++i) {
    const Split& split = splits_[i];
    const double share = static_cast<double>(split.low) / std::max(count, 1u);
    if (split.low == 0 || std::min(share, 1 - share) < kLeastShare) continue;
    const double cost = (split.cross + 1) / (share * (1 - share));
    if (cost >= best_cost) continue;
    const StateField& field = fields[i / kPivots];
    best_cost = cost;
    best = {field.word, field.shift, field.width, split.pivot};
  }
  // A hash would cut half of the steps.
  const double hash_cost = (steps / 2 + 1) * 4.0;
  return best_cost < hash_cost ? best : tree_.hash_test(leaf);
}

// States of the leaf, evenly from the table.
void PartEngine::take_sample(u32 leaf, u32& count) {
  const StateIndex size = table_.size();
  const u32 stride = std::max(1u, size / (kSample * 2));
  Word state[limits::kStateWords];
  for (StateIndex i = stride / 2; i < size && count < kSample; i += stride) {
    table_.load(i, state);
    if (tree_.leaf_of(state) == leaf) sample_[count++] = i;
  }
}

void PartEngine::choose_pivots(u32 field, u32 count) {
  const StateField& f = search_.model.fields[field];
  const PartitionTree::Test test{f.word, f.shift, f.width, 0};
  u64 values[kSample];
  Word state[limits::kStateWords];
  for (u32 i = 0; i < count; ++i) {
    table_.load(sample_[i], state);
    values[i] = test.value(state);
  }
  std::sort(values, values + count);
  Split* const splits = splits_.data() + std::size_t{field} * kPivots;
  u64 last = count == 0 ? 0 : values[0];
  for (u32 p = 0; p < kPivots; ++p) {
    splits[p] = {};
    if (count == 0) continue;
    const u64 pivot = values[(p + 1) * count / (kPivots + 1)];
    if (pivot == last) continue;
    last = pivot;
    splits[p].pivot = pivot;
    splits[p].low = static_cast<u32>(std::lower_bound(values, values + count, pivot) - values);
  }
}

// Counts for every candidate the steps of the sample that it cuts.
u32 PartEngine::count_steps(u32 count) {
  const Model& model = search_.model;
  const std::span<const StateField> fields = model.fields;
  u32 steps = 0;
  Word state[limits::kStateWords];
  for (u32 s = 0; s < count; ++s) {
    table_.load(sample_[s], state);
    SuccessorBuffer out;
    out.states = search_.buffer;
    out.capacity = search_.buffer_states;
    const Expansion expansion = model.expand(model.self, state, out);
    steps += expansion.count;
    for (u32 i = 0; i < expansion.count; ++i) {
      for (u32 f = 0; f < fields.size(); ++f) {
        const PartitionTree::Test test{fields[f].word, fields[f].shift, fields[f].width, 0};
        const u64 from = test.value(state);
        const u64 to = test.value(search_.buffer_at(i));
        if (from == to) continue;
        Split* const splits = splits_.data() + std::size_t{f} * kPivots;
        for (u32 p = 0; p < kPivots; ++p) {
          if (splits[p].low != 0 && (from < splits[p].pivot) != (to < splits[p].pivot)) {
            ++splits[p].cross;
          }
        }
      }
    }
  }
  return steps;
}

}  // namespace xmc
