#include "engine/search/agreement.h"

#include <algorithm>

#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u32 kFacts = 3;
constexpr u32 kMostJoined = 8;

// The values of one owner, to all, in pieces: those of all owners would be much for a stack.
Status hear(Peers& peers, u32 owner, const u64* mine, u64* heard, u32 count) {
  constexpr u32 kPiece = 8;
  u64 all[limits::kOwners * kPiece];
  for (u32 at = 0; at < count; at += kPiece) {
    const u32 piece = std::min(kPiece, count - at);
    XMC_TRY(peers.gather({mine + at, piece}, {all, std::size_t{piece} * peers.count()}));
    std::copy_n(all + std::size_t{owner} * piece, piece, heard + at);
  }
  return {};
}

template <class Join>
Status join(Peers& peers, std::span<u64> values, Join join_two) {
  u64 all[limits::kOwners * kMostJoined];
  const std::size_t count = values.size();
  XMC_CHECK(count <= kMostJoined);
  XMC_TRY(peers.gather(values, {all, count * peers.count()}));
  std::copy_n(all, count, values.begin());
  for (std::size_t i = count; i < count * peers.count(); ++i) {
    values[i % count] = join_two(values[i % count], all[i]);
  }
  return {};
}

}  // namespace

Status add_up(Peers& peers, std::span<u64> values) {
  return join(peers, values, [](u64 a, u64 b) { return a + b; });
}

Status take_largest(Peers& peers, std::span<u64> values) {
  return join(peers, values, [](u64 a, u64 b) { return std::max(a, b); });
}

bool Candidate::takes(const Word* other, u32 words, Violation kind) const {
  if (!found) return true;
  const bool nearer = kind != Violation::model_error;
  if (nearer != (violation != Violation::model_error)) return nearer;
  return std::lexicographical_compare(other, other + words, state, state + words);
}

void Candidate::take(const Word* other, u32 words) {
  found = true;
  std::copy_n(other, words, state);
}

void Candidate::take_violation(const Word* other, u32 words, Violation kind,
                               const Expansion& expansion) {
  if (!takes(other, words, kind)) return;
  take(other, words);
  violation = kind;
  predicate = expansion.violated;
  error_label = expansion.error_label;
}

Status hear_words(Peers& peers, u32 owner, u32 count, Word* words) {
  return hear(peers, owner, words, words, count);
}

Status agree_on_smallest(Peers& peers, u32 words, Candidate& candidate) {
  const u64 mine[] = {candidate.found ? u64{1} : 0};
  u64 found[limits::kOwners];
  XMC_TRY(peers.gather(mine, {found, peers.count()}));
  const Candidate own = candidate;
  const u64 own_facts[kFacts] = {static_cast<u64>(own.violation), own.predicate, own.error_label};
  for (u32 owner = 0; owner < peers.count(); ++owner) {
    if (found[owner] == 0) continue;
    u64 facts[kFacts];
    Candidate heard;
    XMC_TRY(hear(peers, owner, own_facts, facts, kFacts));
    XMC_TRY(hear(peers, owner, own.state, heard.state, words));
    heard.violation = static_cast<Violation>(facts[0]);
    if (!candidate.takes(heard.state, words, heard.violation)) continue;
    heard.found = true;
    heard.predicate = static_cast<u32>(facts[1]);
    heard.error_label = static_cast<u32>(facts[2]);
    candidate = heard;
  }
  return {};
}

Status OwnerSums::add_up(Peers& peers, const Figures& mine) {
  owners_ = peers.count();
  mine_ = mine;
  const u64 values[kFigures] = {mine.level,      mine.states, mine.transitions,
                                mine.expansions, mine.found,  mine.left_out};
  u64 every[limits::kOwners * kFigures];
  XMC_TRY(peers.gather(values, {every, std::size_t{kFigures} * owners_}));
  u64 sums[kFigures] = {};
  for (u32 i = 0; i < owners_ * kFigures; ++i) sums[i % kFigures] += every[i];
  all_ = {sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]};
  return {};
}

Progress OwnerSums::progress(const Figures& mine) const {
  const auto estimate = [&](u64 all, u64 now, u64 then) {
    return all + (now > then ? owners_ * (now - then) : 0);
  };
  Progress progress;
  progress.level_states = all_.level;
  progress.states = estimate(all_.states, mine.states, mine_.states);
  progress.transitions = estimate(all_.transitions, mine.transitions, mine_.transitions);
  progress.expanded = estimate(all_.expansions, mine.expansions, mine_.expansions);
  return progress;
}

}  // namespace xmc
