#include "engine/recent/local.h"

#include <algorithm>

#include "engine/levels/repeats.h"

namespace xmc {

namespace {

// Without a clock: a state that is expanded twice, in states that are read.
constexpr double kRevisit = 40;

u64 blocks_up_to(u32 age) { return (u64{1} << (age + 1)) - 1; }

}  // namespace

Status LocalVisited::begin() {
  std::fill_n(found_, kAges, 0.0);
  known_ = false;
  partial_ = 0;
  since_full_ = last_ages_ = 0;
  full_every_ = kLeastPartial;
  began_ns_ = frontier_->now();
  scan_ns_ = scan_blocks_ = 0;
  return RecentVisited::begin();
}

// What was learnt is learnt anew: the first detection is a full one.
Status LocalVisited::restore(Lines& io) {
  XMC_TRY(LocalVisited::begin());
  lines(io);
  return io.status();
}

u32 LocalVisited::choose_ages(u64 blocks) const {
  if (!known_ || since_full_ + 1 >= full_every_ || at().last) return kAges;
  double block = static_cast<double>(queue().keys()) / static_cast<double>(queue().slots());
  double revisit = kRevisit;
  const SearchStats& s = stats();
  if (scan_ns_ > 0 && scan_blocks_ > 0 && s.expansions > 0) {
    block = static_cast<double>(scan_ns_) / static_cast<double>(scan_blocks_);
    const double searching = static_cast<double>(frontier_->now() - began_ns_ - scan_ns_);
    // Its counts are taken back at the end by another expansion.
    revisit = 2 * searching / static_cast<double>(s.expansions);
  }
  // Missed states have successors until the next full detection, which are missed as well; the
  // square did best of the few rules that were tried.
  const double life = since_full_ + 1;
  double missed = 0;
  u32 best = kAges;
  double least = block * static_cast<double>(blocks);
  for (u32 age = kAges; age-- > 0;) {
    const u64 read = blocks_up_to(age);
    if (read < blocks) {
      const double cost = block * static_cast<double>(read) + missed * revisit * life * life;
      if (cost < least) {
        least = cost;
        best = age + 1;
      }
    }
    missed += found_[age];
  }
  return best;
}

Status LocalVisited::detect() {
  const u64 old = recent_.old_slots();
  if (old == 0) return {};
  const u64 began = frontier_->now();
  const u32 ages = choose_ages(old);
  u64 end = old;
  u64 far = 0;  // what the partial detection before would have missed
  for (u32 age = 0; age < ages && end > 0; ++age) {
    const u64 begin = old - std::min(old, blocks_up_to(age));
    u64 hits = 0;
    XMC_TRY(recent_.scan(begin, end, hits));
    const double found = static_cast<double>(hits);
    found_[age] = known_ ? (found_[age] * 3 + found) / 4 : found;
    if (age >= last_ages_) far += hits;
    scan_blocks_ += end - begin;
    end = begin;
  }
  scan_ns_ += frontier_->now() - began;
  if (end > 0) {
    last_ages_ = ages;
    ++partial_;
    ++since_full_;
    return {};
  }
  // They get rarer as long as they find nothing more.
  const bool useless = since_full_ > 0 && far == 0;
  full_every_ = useless ? std::min(full_every_ * 2, kMostPartial) : kLeastPartial;
  known_ = true;
  since_full_ = 0;
  return {};
}

Status LocalVisited::conclude() {
  return partial_ == 0 ? Status() : find_repeats(*frontier_, region(), nullptr);
}

}  // namespace xmc
