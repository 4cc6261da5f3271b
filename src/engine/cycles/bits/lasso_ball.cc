#include "engine/cycles/bits/lasso_ball.h"

#include <algorithm>

#include "engine/search/path_back.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u64 kLeastSources = 64;
constexpr u64 kLeastCosts = 1024;

}  // namespace

u64 LassoBall::counter_bytes(u64 bound) { return std::max(bound, kLeastCosts) * sizeof(u32); }

u64 LassoBall::least_source_bytes(const Model& model) {
  return kLeastSources * (model.state_words + kMoreWords) * sizeof(Word);
}

void LassoBall::start(std::span<u8> counters, std::span<u8> sources) {
  counts_ = {reinterpret_cast<u32*>(counters.data()), counters.size() / sizeof(u32)};
  loaded_ = reinterpret_cast<Word*>(sources.data());
  room_ = sources.size() / ((words() + kMoreWords) * sizeof(Word));
}

void LassoBall::open(Device* device, const char* name, std::span<u8> buffer) {
  file_.start(device, name, Purpose::stack, words() + kMoreWords, buffer);
}

// --- Growing ------------------------------------------------------------------------------------

Status LassoBall::grow(const AcceptingState& r, u64 bound, IndexedSearch::Batch& batch,
                       UndoBits& visited) {
  bound_ = bound;
  loaded_end_ = 0;
  fill_zero(counts_.first(static_cast<std::size_t>(std::min<u64>(bound, counts_.size()))));
  if (file_.keys() > 0) XMC_TRY(file_.clear());
  XMC_TRY(add(r, r.key, r.number, r.depth, 0));
  visited.add(r.number);
  reader_.start(file_, product_.scan_buffer);
  for (u64 done = 0; done < file_.keys();) {
    XMC_TRY(expand_next(r, batch, done));
    XMC_TRY(search_.look_up(batch));
    for (u32 i = 0; i < batch.fill; ++i) {
      if (!search_.inside(batch, i) || batch.depths[i] + u64{1} >= bound_) continue;
      if (!visited.add(batch.numbers[i])) continue;
      XMC_TRY(
          add(r, search_.state_at(batch, i), batch.numbers[i], batch.depths[i], batch.levels[i]));
    }
  }
  return {};
}

// Successors of the next states of the file, with their distances as levels.
Status LassoBall::expand_next(const AcceptingState& r, IndexedSearch::Batch& batch, u64& done) {
  batch.fill = 0;
  while (search_.has_room(batch) && done < file_.keys()) {
    Word key[limits::kKeyWords];
    XMC_LET(const bool more, reader_.next(key));
    XMC_CHECK(more);
    ++done;
    const u64 distance = reader_.level() + 1;
    if (search_.is_time()) XMC_TRY(search_.ask(distance));
    if (distance + r.depth >= bound_) continue;
    const u32 from = batch.fill;
    search_.expand(key, batch);
    for (u32 i = from; i < batch.fill; ++i) {
      batch.levels[i] = static_cast<u32>(distance);
      // A cycle: nothing longer is wanted.
      if (search_.is_state(r.key, search_.state_at(batch, i))) lower_bound(r.depth + distance + 1);
    }
  }
  return {};
}

Status LassoBall::add(const AcceptingState& r, const Word* state, u64 number, u64 depth,
                      u64 distance) {
  Word key[limits::kKeyWords];
  std::copy_n(state, words(), key);
  key[words()] = number;
  // In a lasso that is short enough, as far as that is known here.
  const bool source = distance + std::max(depth + 1, r.depth) < bound_;
  key[words() + 1] = depth * 2 + (source ? 1 : 0);
  if (source) ++counts_[static_cast<std::size_t>(depth + distance)];
  return file_.append(key, distance);
}

// --- Sources by cost ----------------------------------------------------------------------------

Status LassoBall::begin_cost(u64 cost) {
  const std::size_t at = static_cast<std::size_t>(cost);
  cost_ = cost;
  left_ = counts_[at];
  streaming_ = false;
  if (left_ == 0 || cost < loaded_end_) return {};
  if (left_ > room_) {
    streaming_ = true;
    begin_pass();
    return {};
  }
  XMC_TRY(load_sources(cost));
  left_ = counts_[at];
  return {};
}

Result<bool> LassoBall::next_source(Source& source) {
  if (streaming_) {
    // Their order does not matter.
    for (u64 cost = 0;;) {
      const Result<bool> more = next_in_pass(source, cost);
      if (!more.ok() || !more.value() || cost == cost_) return more;
    }
  }
  if (left_ == 0) return false;
  const Word* const from = loaded_ + loaded_at_ * (words() + kMoreWords);
  std::copy_n(from, words(), source.state);
  source.number = from[words()];
  source.distance = from[words() + 1];
  ++loaded_at_;
  --left_;
  return true;
}

// Those of costs from `cost` on, as many as there is room for, in order of cost.
Status LassoBall::load_sources(u64 cost) {
  u64 sum = 0;
  loaded_end_ = cost;
  while (loaded_end_ < bound_ && loaded_end_ < counts_.size()) {
    const u64 more = counts_[static_cast<std::size_t>(loaded_end_)];
    if (sum + more > room_) break;
    sum += more;
    ++loaded_end_;
  }
  // Where the next one of each cost goes: counters become places, and counts again.
  const std::span<u32> part =
      counts_.subspan(static_cast<std::size_t>(cost), static_cast<std::size_t>(loaded_end_ - cost));
  u32 place = 0;
  for (u32& c : part) {
    const u32 count = c;
    c = place;
    place += count;
  }
  begin_pass();
  Source source;
  for (u64 of = 0;;) {
    XMC_LET(const bool more, next_in_pass(source, of));
    if (!more) break;
    if (of < cost || of >= loaded_end_) continue;
    const u64 i = part[static_cast<std::size_t>(of - cost)]++;
    Word* const to = loaded_ + i * (words() + kMoreWords);
    std::copy_n(source.state, words(), to);
    to[words()] = source.number;
    to[words() + 1] = source.distance;
  }
  for (std::size_t i = part.size(); i-- > 1;) part[i] -= part[i - 1];
  loaded_at_ = 0;
  return {};
}

void LassoBall::begin_pass() {
  ++passes_;
  pass_at_ = 0;
  reader_.start(file_, product_.scan_buffer);
}

// The next source of any cost.
Result<bool> LassoBall::next_in_pass(Source& source, u64& cost) {
  while (pass_at_ < file_.keys()) {
    Word key[limits::kKeyWords];
    const Result<bool> more = reader_.next(key);
    if (!more.ok()) return more;
    ++pass_at_;
    const u64 distance = reader_.level();
    if (search_.is_time()) XMC_TRY(search_.ask(distance));
    const Word depth = key[words() + 1];
    if (depth % 2 == 0) continue;
    std::copy_n(key, words(), source.state);
    source.number = key[words()];
    source.distance = distance;
    cost = depth / 2 + distance;
    return true;
  }
  return false;
}

Status LassoBall::read_path(const AcceptingState& r, const Word* target, u64 distance, Word* path) {
  reader_.start(file_, product_.scan_buffer);
  PathBack back(*product_.search, reader_, search_.asking());
  Word before[limits::kKeyWords];
  for (u64 d = distance; d-- > 1;) {
    XMC_TRY(back.step(d, target, before));
    std::copy_n(before, words(), path + d * words());
    target = path + d * words();
  }
  std::copy_n(r.key, words(), path);
  return {};
}

}  // namespace xmc
