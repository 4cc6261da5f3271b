#include "engine/cycles/edges/shortest_lasso.h"

#include <algorithm>
#include <iterator>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// How prefixes grow.
constexpr u64 kGrowth = 4;
// Passes after which what is left is copied and searched on its own.
constexpr u64 kPassLimit = 64;

}  // namespace

u64 ShortestLasso::minimum_bytes(u64 states, bool weak) {
  return std::max(CycleCore::bytes_for(states, weak),
                  StateBits::bytes_for(states) + MarkedNumbers::bytes_for(states)) +
         FileLasso::bytes_for(0, weak) + 2 * kPageBytes;
}

void ShortestLasso::start(const Setup& setup, const WorkPoll& poll) {
  setup_ = setup;
  poll_ = poll;
  proved_ = {};
  figures_ = {};
  core_ = {};
  space_ = nullptr;
  setup_.reader->start(*setup_.edges, setup_.read_buffer);
}

Status ShortestLasso::check_prefix(u64 level, LassoResult& result) {
  const Status status = check(Mode::prefix, level, result);
  const Status closed = file_.close();
  return status.ok() ? closed : status;
}

Status ShortestLasso::check_all(LassoResult& result) {
  const Status status = check(Mode::all, setup_.edges->level(), result);
  const Status closed = file_.close();
  return status.ok() ? closed : status;
}

Status ShortestLasso::find_any(LassoResult& result) {
  const Status status = check(Mode::any, setup_.edges->level(), result);
  const Status closed = file_.close();
  return status.ok() ? closed : status;
}

Status ShortestLasso::find_any_in(const StateBits& set, bool finished, LassoResult& result) {
  result = {};
  bool any = true;
  Status status = load_core(set, finished, any);
  result.none = !any;
  if (status.ok() && any) status = take_any(result);
  const Status closed = file_.close();
  return status.ok() ? closed : status;
}

// Of the core, which has one.
Status ShortestLasso::take_any(LassoResult& result) {
  bool any = true;
  XMC_TRY(space_->narrow(LassoSpace::kNoLimit, any));
  XMC_CHECK(any);
  XMC_TRY(exact(LassoSpace::kNoLimit, 0, true));
  return finish(false, result);
}

// The first level behind `from` whose prefix has `growth` times the states of the levels before
// `from`, but not beyond `last`.
Status ShortestLasso::next_rung(u64 from, u64 last, u64 growth, u64& level) {
  u64 begin = 0;
  XMC_TRY(setup_.reader->level_begin(from, begin));
  const u64 wanted = std::max(setup_.first_states, begin * growth);
  level = last;
  if (wanted < setup_.edges->states()) XMC_TRY(setup_.reader->level_of(wanted, level));
  level = std::min(std::max(level, from), last);
  return {};
}

Status ShortestLasso::check(Mode mode, u64 last, LassoResult& result) {
  result = {};
  if (setup_.edges->states() == 0) {
    result.none = mode != Mode::prefix;
    return {};
  }
  XMC_CHECK(last <= setup_.edges->level());
  // Once a core is known, only longer prefixes are left to look at.
  const bool known = proved_.none_up_to > proved_.empty;
  u64 level = std::min(last, proved_.none_up_to);
  bool any = known;
  if (known && mode == Mode::prefix && proved_.none_up_to > last) {
    result.none_up_to = proved_.none_up_to;
    return {};
  }
  if (known) XMC_TRY(make_core(level, any));
  while (!any && proved_.empty <= last) {
    XMC_TRY(next_rung(proved_.empty, last, kGrowth, level));
    XMC_TRY(make_core(level, any));
    if (!any) proved_ = {level + 1, level + 1};
  }
  result.none_up_to = proved_.none_up_to;
  result.none = !any && mode != Mode::prefix;
  if (!any) return {};
  if (mode == Mode::any) return take_any(result);
  if (!known) {
    u64 least = level;
    XMC_TRY(first_level(proved_.empty, level, least));
    proved_ = {least, least};
    // A shorter prefix may have a core that fits the memory.
    if (figures_.in_file && least < level) {
      level = least;
      XMC_TRY(make_core(level, any));
    }
  }
  for (u64 slack = 1;; slack *= 2) {
    const bool unlimited = mode == Mode::all && level == last;
    XMC_TRY(search_core(level, unlimited, result));
    if (result.found || level == last) break;
    u64 twice = 0;
    XMC_TRY(next_rung(level + 1, last, 2, twice));
    level = std::min({last, level + slack, std::max(twice, level + 1)});
    XMC_TRY(make_core(level, any));
  }
  result.none_up_to = proved_.none_up_to;
  return {};
}

// The core of the states up to this level, in memory or in a file.
Status ShortestLasso::make_core(u64 level, bool& any) {
  XMC_TRY(file_.close());
  space_ = nullptr;
  XMC_TRY(setup_.reader->finish());
  setup_.reader->start(*setup_.edges, setup_.read_buffer);
  ++figures_.prefixes;
  u64 end = 0;
  XMC_TRY(setup_.reader->level_begin(level + 1, end));
  const std::span<u8> memory = setup_.memory;
  const u64 bits = StateBits::bytes_for(end);
  const u64 front = bits + MarkedNumbers::bytes_for(end);
  if (memory.size() < std::max(front, CycleCore::bytes_for(end, setup_.weak))) {
    return Status::fail(Code::budget,
                        "%llu bytes of memory are too little for the bits of %llu "
                        "states; give a larger --ram",
                        wide(memory.size()), wide(end));
  }
  core_.set_pass_limit(kPassLimit);
  const Status found = core_.find(*setup_.reader, end, setup_.weak, memory, poll_);
  figures_.passes = core_.figures();
  XMC_TRY(found);
  any = !core_.empty();
  return any ? load_core(core_.states(), core_.finished(), any) : Status();
}

// These states, which lie at the beginning of the memory.
Status ShortestLasso::load_core(const StateBits& set, bool finished, bool& any) {
  const std::span<u8> memory = setup_.memory;
  const u64 end = set.size();
  const u64 bits = StateBits::bytes_for(end);
  const u64 front = bits + MarkedNumbers::bytes_for(end);
  numbers_.start(memory.subspan(static_cast<std::size_t>(bits)), set);
  rest_ = memory.subspan(static_cast<std::size_t>(round_up(front, 8)));
  const u64 graph = std::min<u64>(rest_.size(), setup_.graph_bytes);
  bool fits = false;
  XMC_TRY(ram_.load(*setup_.reader, set, numbers_, end,
                    rest_.first(static_cast<std::size_t>(graph)), figures_.copies, poll_, fits));
  figures_.core_states = numbers_.marked();
  figures_.in_file = !fits;
  space_ = &ram_;
  if (!fits) {
    XMC_TRY(load_file(set));
    space_ = &file_;
  }
  figures_.core_edges = fits ? ram_.edges() : file_.edges();
  // What is left after too many passes may have no cycle.
  return finished ? Status() : space_->narrow(LassoSpace::kNoLimit, any);
}

Status ShortestLasso::load_file(const StateBits& set) {
  const u64 needed = FileLasso::bytes_for(numbers_.marked(), setup_.weak) + kPageBytes;
  if (needed > rest_.size()) {
    return Status::fail(Code::budget,
                        "accepting cycles are among %llu states, which need %llu "
                        "bytes more; give a larger --ram",
                        wide(numbers_.marked()), wide(needed - rest_.size()));
  }
  // Buffers are aligned like the memory itself.
  const std::size_t before = setup_.memory.size() - rest_.size();
  const std::size_t skip = static_cast<std::size_t>(round_up(before, kPageBytes)) - before;
  const FileLasso::Buffers buffers{setup_.read_buffer, setup_.layer_buffer, rest_.subspan(skip)};
  return file_.load(*setup_.reader, set, numbers_, set.size(), setup_.weak, buffers, *setup_.folder,
                    figures_.copies, poll_);
}

// The least level with an accepting cycle above or at it; at `high` there is one.
Status ShortestLasso::first_level(u64 low, u64 high, u64& level) {
  while (low < high) {
    const u64 middle = low + (high - low) / 2;
    bool any = false;
    XMC_TRY(space_->narrow(middle, any));
    if (any) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  level = low;
  return {};
}

// Lassos that lie within the levels up to this one; all of them, `unlimited`.
Status ShortestLasso::search_core(u64 level, bool unlimited, LassoResult& result) {
  bool any = false;
  for (u64 slack = 1; proved_.none_up_to < level + 1; slack *= 2) {
    const u64 total = std::min(proved_.none_up_to + slack, level + 1);
    XMC_TRY(space_->narrow(total - 1, any));
    space_->drop_far_seeds(total);
    XMC_TRY(exact(total, proved_.none_up_to + 1, false));
    if (best_.found) return finish(true, result);
    proved_.none_up_to = total;
  }
  if (!unlimited) return {};
  XMC_TRY(space_->narrow(LassoSpace::kNoLimit, any));
  XMC_TRY(exact(LassoSpace::kNoLimit, proved_.none_up_to + 1, false));
  return finish(true, result);
}

// A lasso of at most `most` steps; none has less than `least`. With `first_only` any of them will
// do.
Status ShortestLasso::exact(u64 most, u64 least, bool first_only) {
  best_ = {};
  best_.total = most + 1;
  const u64 limit = space_->narrow_end();
  u64 seed = space_->next_seed(0, limit);
  while (seed < limit) {
    u64 level = 0;
    u64 begin = 0;
    u64 end = 0;
    XMC_TRY(space_->level_of(seed, level));
    if (level + 1 >= best_.total) break;
    XMC_TRY(space_->level_begin(level, begin));
    XMC_TRY(space_->level_begin(level + 1, end));
    end = std::min(end, limit);
    XMC_TRY(try_level(level, begin, end, least, first_only));
    if (best_.found && (first_only || best_.total <= least)) break;
    seed = space_->next_seed(end, limit);
  }
  return {};
}

// The seeds of one level: all together, then halves of those that are not done with.
Status ShortestLasso::try_level(u64 level, u64 begin, u64 end, u64 least, bool first_only) {
  struct Range {
    u64 begin;
    u64 end;
  };
  Range stack[66];  // halves of at most 2^64 numbers, and one more
  u32 size = 0;
  stack[size++] = {begin, end};
  while (size > 0 && level + 1 < best_.total) {
    Range range = stack[--size];
    range.begin = space_->next_seed(range.begin, range.end);
    if (range.begin >= range.end) continue;
    u64 steps = 0;
    ++figures_.searches;
    XMC_TRY(space_->first_return(range.begin, range.end, begin, best_.total - 1 - level, steps));
    if (steps == 0) continue;
    const u64 second = space_->next_seed(range.begin + 1, range.end);
    if (second >= range.end) {
      best_ = {level + steps, true, range.begin, begin, level, steps};
      if (first_only || best_.total <= least) return {};
      continue;
    }
    const u64 middle = second + (range.end - second) / 2;
    XMC_CHECK(size + 2 <= std::size(stack));
    stack[size++] = {middle, range.end};
    stack[size++] = {range.begin, middle};
  }
  return {};
}

Status ShortestLasso::finish(bool shortest, LassoResult& result) {
  XMC_CHECK(best_.found);
  const std::span<u8> rest = space_->rest();
  const u64 bytes = best_.steps * sizeof(u64);
  if (rest.size() < bytes) {
    return Status::fail(Code::budget,
                        "a cycle of %llu steps was found, but it does not fit the "
                        "memory; give a larger --ram",
                        wide(best_.steps));
  }
  const std::span<u64> cycle{reinterpret_cast<u64*>(rest.data()),
                             static_cast<std::size_t>(best_.steps)};
  XMC_TRY(space_->trace(best_.seed, best_.floor, cycle));
  for (u64& state : cycle) state = numbers_.state(state);
  result.found = true;
  result.prefix_steps = best_.level;
  result.cycle = cycle;
  result.shortest = shortest || best_.total <= proved_.none_up_to + 1;
  return {};
}

}  // namespace xmc
