#include "engine/symbolic/order_choice.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u16 kEndOfSignature = 0xffff;
constexpr u32 kForceRounds = 30;
// One signature's hash for so many of its fields.
constexpr u64 kFieldsPerHash = 4;

}  // namespace

u64 OrderChoice::bytes_for(u32 fields, u32 states, u64 signature_fields) {
  return round_up(u64{fields} * (2 * sizeof(u16) + sizeof(double) + sizeof(u32)) +
                      u64{states} * sizeof(u32) + signature_fields * sizeof(u16) +
                      signature_fields / kFieldsPerHash * sizeof(u64) + 64,
                  16);
}

void OrderChoice::init(std::span<const StateField> fields, std::span<u8> memory, u32 states) {
  fields_ = fields;
  processes_ = 0;
  for (const StateField& f : fields) {
    if (f.process != kNone) processes_ = std::max(processes_, f.process + 1);
  }
  const u64 fixed = bytes_for(static_cast<u32>(fields.size()), states, 0);
  XMC_CHECK(memory.size() > fixed);
  const u64 members = round_down(
      (memory.size() - fixed) / (sizeof(u16) + sizeof(u64) / kFieldsPerHash), kFieldsPerHash);
  u8* at = memory.data();
  const auto take = [&]<class T>(std::span<T>& out, u64 count) {
    out = {reinterpret_cast<T*>(at), static_cast<std::size_t>(count)};
    at += count * sizeof(T);
  };
  take(pull_, fields.size());
  take(hashes_, members / kFieldsPerHash);
  take(pulls_, fields.size());
  take(rows_, states);
  take(order_, fields.size());
  take(place_, fields.size());
  take(members_, members);
  fill_zero(hashes_);
  member_count_ = 0;
  tried_ = 0;
}

void OrderChoice::add_signature(std::span<const u32> fields) {
  if (fields.size() < 2 || member_count_ + fields.size() + 1 > members_.size()) return;
  u64 hash = fields.size();
  for (const u32 f : fields) hash += (u64{f} + 1) * 0x9E37'79B9'7F4A'7C15 ^ (u64{f} << 17);
  hash |= 1;
  if (hashes_.empty()) return;
  const u32 slots = static_cast<u32>(hashes_.size());
  u32 at = static_cast<u32>((hash >> 20) % slots);
  for (u32 probes = 0; hashes_[at] != 0; at = (at + 1) % slots) {
    if (hashes_[at] == hash || ++probes == slots) return;
  }
  hashes_[at] = hash;
  for (const u32 f : fields) members_[member_count_++] = static_cast<u16>(f);
  members_[member_count_++] = kEndOfSignature;
}

// Arrangements: as declared; processes first; locations first; by processes, each with its
// location, its elements of global arrays and its locals, with scalar globals before or behind
// them.
u64 OrderChoice::rank(u32 arrangement, u32 field) const {
  const StateField& f = fields_[field];
  const bool global = f.process == kNone;
  u64 rank = 0;
  switch (arrangement) {
    case 0:
      break;
    case 1:
      rank = global ? 1 : 0;
      break;
    case 2:
      rank = f.location ? 0 : 1;
      break;
    default: {
      const bool of_process = !global || (f.element != kNone && f.element < processes_);
      const u64 owner = !global ? f.process : f.element;
      const u64 part = f.location ? 0 : global ? 1 : 2;
      rank = of_process ? (1 + owner) << 8 | part : arrangement == 3 ? 0 : u64{1} << 40;
    }
  }
  return rank << 16 | field;
}

void OrderChoice::natural(u32 arrangement) {
  for (u32 f = 0; f < fields_.size(); ++f) order_[f] = static_cast<u16>(f);
  std::sort(order_.begin(), order_.end(),
            [&](u16 a, u16 b) { return rank(arrangement, a) < rank(arrangement, b); });
  for (u32 l = 0; l < order_.size(); ++l) place_[order_[l]] = static_cast<u16>(l);
}

// Each field moves to the mean of the centres of its signatures.
void OrderChoice::force() {
  for (u32 round = 0; round < kForceRounds; ++round) {
    std::fill(pull_.begin(), pull_.end(), 0.0);
    fill_zero(pulls_);
    for (u32 begin = 0; begin < member_count_;) {
      u32 end = begin;
      double centre = 0;
      for (; members_[end] != kEndOfSignature; ++end) centre += place_[members_[end]];
      centre /= static_cast<double>(end - begin);
      for (u32 i = begin; i < end; ++i) {
        pull_[members_[i]] += centre;
        ++pulls_[members_[i]];
      }
      begin = end + 1;
    }
    for (u32 f = 0; f < pull_.size(); ++f)
      pull_[f] = pulls_[f] == 0 ? place_[f] : pull_[f] / pulls_[f];
    std::sort(order_.begin(), order_.end(), [&](u16 a, u16 b) {
      return pull_[a] != pull_[b] ? pull_[a] < pull_[b] : place_[a] < place_[b];
    });
    bool moved = false;
    for (u32 l = 0; l < order_.size(); ++l) {
      moved = moved || place_[order_[l]] != l;
      place_[order_[l]] = static_cast<u16>(l);
    }
    if (!moved) return;
  }
}

u64 OrderChoice::span_sum() const {
  u64 sum = 0;
  u32 low = kNone;
  u32 high = 0;
  for (u32 i = 0; i < member_count_; ++i) {
    if (members_[i] == kEndOfSignature) {
      sum += high - low + 1;
      low = kNone;
      high = 0;
      continue;
    }
    const u32 at = place_[members_[i]];
    low = std::min(low, at);
    high = std::max(high, at);
  }
  return sum;
}

bool OrderChoice::seen_before() {
  u64 hash = 0;
  for (const u16 f : order_) hash = (hash ^ f) * 0x9E37'79B9'7F4A'7C15 + (hash >> 29);
  for (u32 i = 0; i < tried_; ++i) {
    if (seen_[i] == hash) return true;
  }
  seen_[tried_++] = hash;
  return false;
}

void OrderChoice::arrange(u32 candidate, LevelOrder& order) {
  natural(candidate / 4);
  if (candidate % 4 >= 2) force();
  if (candidate % 2 != 0) {
    std::reverse(order_.begin(), order_.end());
    for (u32 l = 0; l < order_.size(); ++l) place_[order_[l]] = static_cast<u16>(l);
  }
  std::copy(order_.begin(), order_.end(), order.field_at.begin());
  std::copy(place_.begin(), place_.end(), order.level_of.begin());
}

void OrderChoice::choose(const OrderSample& sample, SetDiagram& diagram, LevelOrder& order) {
  double least = -1;
  for (u32 candidate = 0; candidate < kCandidates; ++candidate) {
    arrange(candidate, order);
    if (seen_before()) continue;
    const u64 nodes = count_nodes(sample, diagram);
    const double key = static_cast<double>(nodes) * static_cast<double>(span_sum() + 1);
    if (least >= 0 && key >= least) continue;
    least = key;
    chosen_ = candidate;
    nodes_ = nodes;
  }
  arrange(chosen_, order);
}

u64 OrderChoice::count_nodes(const OrderSample& sample, SetDiagram& diagram) {
  for (u32 i = 0; i < sample.states; ++i) rows_[i] = i;
  const std::span<u32> rows = rows_.first(sample.states);
  std::sort(rows.begin(), rows.end(), [&](u32 a, u32 b) {
    for (const u16 f : order_) {
      if (sample.number(a, f) != sample.number(b, f))
        return sample.number(a, f) < sample.number(b, f);
    }
    return false;
  });
  const u32 base = diagram.mark();
  const Node root = build(sample, diagram, 0, sample.states, 0);
  diagram.release(base);
  // Where there is no room for its diagram, an order is as bad as can be.
  return diagram.stopped() ? u64{sample.states} * sample.fields : diagram.node_count(root);
}

// The list of rows begin..end, which are equal before `level`.
Node OrderChoice::build(const OrderSample& sample, SetDiagram& d, u32 begin, u32 end, u32 level) {
  if (level == order_.size()) return SetDiagram::kEnd;
  const u32 base = d.mark();
  d.push(0, kEmptySet);
  for (u32 i = end; i > begin && !d.stopped();) {
    const u32 v = sample.number(rows_[i - 1], order_[level]);
    u32 first = i - 1;
    while (first > begin && sample.number(rows_[first - 1], order_[level]) == v) --first;
    const Node below = build(sample, d, first, i, level + 1);
    d.at(base).down = d.make(v, below, d.at(base).down);
    i = first;
  }
  const Node list = d.at(base).down;
  d.release(base);
  return list;
}

}  // namespace xmc
