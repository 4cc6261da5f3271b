#include "engine/gastin_moro.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/double_dfs.h"
#include "engine/indexed_search.h"
#include "engine/path_back.h"
#include "engine/phf_index.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kPageBytes = 4096;
constexpr u64 kLeastBatch = 64;
constexpr u64 kMostBatch = 1 << 14;
constexpr u64 kLeastUndo = 256;    // numbers
constexpr u64 kLeastSources = 64;  // states
constexpr u64 kLeastCosts = 1024;  // counters
constexpr u64 kNoBound = ~u64{0};

u64 fixed_bytes(const Model& model) {
  const u64 batch = (kLeastBatch + model.max_successors) * (model.state_words + 3) * sizeof(Word);
  return 3 * KeyFile::kSlotBytes + round_up(batch, kPageBytes) + kLeastUndo * sizeof(u64) +
         kLeastCosts * sizeof(u32) + kLeastSources * (model.state_words + 2) * sizeof(Word) +
         4 * kPageBytes;
}

class GastinMoro : IndexedSearch {
 public:
  GastinMoro(const Product& product, Numbering& index, MinimalLasso& result)
      : IndexedSearch(product, index), result_(result) {}

  Status run(std::span<u8> memory, u64 deepest) {
    Status status = search(memory, deepest);
    if (result_.stop == StopReason::none) result_.stop = stop_;
    const Status closed = close_files();
    return status.ok() ? closed : status;
  }

 private:
  struct Accepting {
    Word key[limits::kStateWords] = {};
    u64 number = 0;
    u64 depth = 0;
  };

  Status search(std::span<u8> memory, u64 deepest) {
    const std::size_t table = static_cast<std::size_t>(depth_table_bytes(index_, deepest));
    const std::span<u8> table_memory = memory.first(table);
    memory = memory.subspan(table);
    u64 bound = 0;
    u64 total = 0;
    Accepting best;
    if (mark_ != nullptr && mark_->phase == SearchMark::Phase::lasso) {
      bound = mark_->bound;
      total = mark_->total;
      next_ = mark_->next;
      std::copy_n(mark_->best, words(), best.key);
      go_on();
    } else {
      bool found = false;
      XMC_TRY(find_first(memory, best, bound, found));
      if (result_.bytes_needed != 0) result_.bytes_needed += table;
      if (!found) return {};
      bound += deepest;
      total = bound;
    }
    if (!lay_out(memory, bound)) return {};
    XMC_TRY(find_limit());
    XMC_TRY(make_depth_table(table_memory, deepest, batch_));
    XMC_TRY(open_files());
    XMC_TRY(identify(best));
    if (going() && total == bound) XMC_TRY(improve(best, total));
    XMC_TRY(try_all(best, bound, total));
    if (!going()) return note(best, bound, total);
    // Once more, for its states.
    const u64 least = total;
    ++total;
    XMC_TRY(improve(best, total));
    if (!going()) return {};
    XMC_CHECK(total == least);
    return read_lasso(best, total);
  }

  // Some accepting state on a cycle, which has `steps` - 1 steps: beside the depth that is a bound
  // that is true whatever the depths are.
  Status find_first(std::span<u8> memory, Accepting& first, u64& steps, bool& found) {
    CycleResult cycle;
    XMC_TRY(run_double_dfs(product_, index_, memory, cycle));
    result_.stop = cycle.stop;
    result_.bytes_needed = cycle.bytes_needed;
    found = cycle.found && result_.stop == StopReason::none;
    if (!found) return {};
    std::copy_n(cycle.states, words(), first.key);
    steps = cycle.length + 1;
    return {};
  }

  // Where it is, between two accepting states.
  Status note(const Accepting& best, u64 bound, u64 total) {
    if (mark_ == nullptr) return {};
    mark_->next = next_;
    mark_->bound = bound;
    mark_->total = total;
    std::copy_n(best.key, words(), mark_->best);
    XMC_TRY(note_search(SearchMark::Phase::lasso));
    return next_bits();
  }

  // | bits | counters by cost | numbers to undo | batch | ball's buffer | wave's two | sources |
  bool lay_out(std::span<u8> memory, u64 bound) {
    const Model& model = s_.model;
    const u64 bits = round_up(StateBits::bytes_for(index_.size()), kPageBytes);
    const u64 costs = round_up(std::max(bound, kLeastCosts) * sizeof(u32), kPageBytes);
    const u64 need = bits + costs + fixed_bytes(model);
    if (need > memory.size()) {
      result_.stop = StopReason::ram;
      result_.bytes_needed = need;
      return false;
    }
    const u64 spare = memory.size() - need;
    const u64 extra = std::clamp(spare / 8 / unit_bytes(model), kLeastBatch,
                                 index_.on_flash() ? kMostBatch : 512);
    const std::span<u8> all = memory;
    const auto cut = [&](u64 bytes) {
      const std::span<u8> piece = memory.first(static_cast<std::size_t>(bytes));
      memory = memory.subspan(piece.size());
      return piece;
    };
    visited_.start(cut(bits), index_.size(), false);
    const std::span<u8> counters = cut(costs);
    counts_ = {reinterpret_cast<u32*>(counters.data()), counters.size() / sizeof(u32)};
    const u64 undo = round_up(kLeastUndo * sizeof(u64) + spare / 8, kPageBytes);
    const std::span<u8> numbers = cut(undo);
    undo_ = {reinterpret_cast<u64*>(numbers.data()), numbers.size() / sizeof(u64)};
    batch_ = cut_batch(memory, model.max_successors + extra);
    const u64 address = reinterpret_cast<std::uintptr_t>(memory.data());
    cut(round_up(address, kPageBytes) - address);
    ball_buffer_ = cut(KeyFile::kSlotBytes);
    wave_buffer_ = cut(KeyFile::kSlotBytes);
    wave_read_buffer_ = cut(KeyFile::kSlotBytes);
    sources_ = reinterpret_cast<Word*>(memory.data());
    source_room_ = memory.size() / ((words() + 2) * sizeof(Word));
    // What a lasso may be written over.
    const std::size_t kept = static_cast<std::size_t>(ball_buffer_.data() - all.data());
    path_memory_ = memory.size() > kept ? memory : all.first(kept);
    return true;
  }

  Status open_files() {
    Device* ball = nullptr;
    Device* wave = nullptr;
    XMC_TRY(open_file(kBallFile, ball));
    XMC_TRY(open_file(kWaveFile, wave));
    ball_.start(ball, kBallFile, Purpose::stack, words() + 2, ball_buffer_);
    wave_.start(wave, kWaveFile, Purpose::stack, words() + 1, wave_buffer_);
    return {};
  }

  // Number and depth of a state.
  Status identify(Accepting& r) {
    batch_.fill = 1;
    std::copy_n(r.key, words(), batch_.states);
    XMC_TRY(look_up(batch_));
    XMC_CHECK(inside(batch_, 0));
    r.number = batch_.numbers[0];
    r.depth = batch_.depths[0];
    return {};
  }

  // All accepting states by depth, while they can be on something shorter.
  Status try_all(Accepting& best, u64 bound, u64& total) {
    KeyReader queue;
    queue.start(*product_.queue, product_.read_buffer);
    if (next_ > 0 && next_ < product_.expanded) XMC_TRY(queue.seek_key(next_));
    for (; next_ < product_.expanded && going(); ++next_) {
      if (checkpoint_due()) {
        XMC_TRY(note(best, bound, total));
        XMC_TRY(product_.checkpoint(product_.owner));
      }
      Accepting r;
      const Result<bool> more = queue.next(r.key);
      if (!more.ok()) return more.status();
      XMC_CHECK(more.value());
      if (queue.level() + 1 >= total) return {};
      if (s_.model.cycle_class_of(r.key) == 0) continue;
      batch_.fill = 0;
      const Expansion expansion = expand(r.key, batch_);
      poll(queue.level());
      if ((expansion.flags & kAccepting) == 0) continue;
      XMC_TRY(identify(r));
      const u64 before = total;
      XMC_TRY(improve(r, total));
      if (total < before) best = r;
      if (!going()) return {};  // it is tried again
    }
    return {};
  }

  // --- One accepting state --------------------------------------------------------------------

  // Finds a lasso through r of fewer than `total` steps, if there is one: the shortest one.
  Status improve(const Accepting& r, u64& total) {
    ++result_.searches;
    bound_ = total;
    fill_zero(counts_.first(static_cast<std::size_t>(std::min<u64>(total, counts_.size()))));
    XMC_TRY(grow_ball(r));
    clear_visited();
    if (going()) XMC_TRY(run_wave(r, total));
    clear_visited();
    return {};
  }

  // States by their distance from r, with number and depth.
  Status grow_ball(const Accepting& r) {
    if (ball_.keys() > 0) XMC_TRY(ball_.clear());
    XMC_TRY(add_to_ball(r, r.key, r.number, r.depth, 0));
    visit(r.number);
    ball_reader_.start(ball_, product_.scan_buffer);
    for (u64 done = 0; done < ball_.keys() && going();) {
      batch_.fill = 0;
      while (has_room(batch_) && done < ball_.keys() && going()) {
        Word key[kKeyWords];
        const Result<bool> more = ball_reader_.next(key);
        if (!more.ok()) return more.status();
        XMC_CHECK(more.value());
        ++done;
        const u64 distance = ball_reader_.level() + 1;
        poll(distance);
        if (distance + r.depth >= bound_) continue;
        const u32 from = batch_.fill;
        expand(key, batch_);
        for (u32 i = from; i < batch_.fill; ++i) {
          batch_.levels[i] = static_cast<u32>(distance);
          // A cycle: nothing longer is wanted.
          if (is_state(r.key, state_at(batch_, i)))
            bound_ = std::min(bound_, r.depth + distance + 1);
        }
      }
      XMC_TRY(look_up(batch_));
      for (u32 i = 0; i < batch_.fill; ++i) {
        if (!inside(batch_, i) || batch_.depths[i] + u64{1} >= bound_) continue;
        if (!visit(batch_.numbers[i])) continue;
        XMC_TRY(add_to_ball(r, state_at(batch_, i), batch_.numbers[i], batch_.depths[i],
                            batch_.levels[i]));
      }
    }
    return {};
  }

  Status add_to_ball(const Accepting& r, const Word* state, u64 number, u64 depth, u64 distance) {
    Word key[kKeyWords];
    std::copy_n(state, words(), key);
    key[words()] = number;
    // A wave may begin in states of a lasso that is short enough, as far as that is known here.
    const bool source = distance + std::max(depth + 1, r.depth) < bound_;
    key[words() + 1] = depth * 2 + (source ? 1 : 0);
    if (source) ++counts_[static_cast<std::size_t>(depth + distance)];
    return ball_.append(key, distance);
  }

  // The search that begins in all states of the ball and ends at r.
  Status run_wave(const Accepting& r, u64& total) {
    if (wave_.keys() > 0) XMC_TRY(wave_.clear());
    wave_reader_.start(wave_, wave_read_buffer_);
    u64 done = 0;  // keys of the wave
    loaded_end_ = 0;
    for (u64 cost = 0; cost + 1 < bound_ && going(); ++cost) {
      XMC_TRY(add_sources(cost));
      const u64 end = wave_.keys();
      while (done < end && going()) {
        bool closed = false;
        XMC_TRY(expand_wave(r, cost, end, done, closed));
        if (!closed) continue;
        total = cost + 1;
        return {};
      }
    }
    return {};
  }

  // Wave states of this cost, up to number `end`.
  Status expand_wave(const Accepting& r, u64 cost, u64 end, u64& done, bool& closed) {
    batch_.fill = 0;
    while (done < end && has_room(batch_)) {
      const Result<bool> more = wave_reader_.next(last_);
      if (!more.ok()) return more.status();
      XMC_CHECK(more.value());
      ++done;
      const u32 from = batch_.fill;
      expand(last_, batch_);
      for (u32 i = from; i < batch_.fill; ++i) {
        closed = closed || is_state(r.key, state_at(batch_, i));
      }
      if (closed) return {};
      poll(cost);
    }
    XMC_TRY(look_up(batch_));
    for (u32 i = 0; i < batch_.fill; ++i) {
      if (!inside(batch_, i)) continue;
      const u64 depth = batch_.depths[i];
      const u64 back = std::max<u64>(1, r.depth - std::min(r.depth, depth));
      if (cost + 1 + back >= bound_ || !visit(batch_.numbers[i])) continue;
      XMC_TRY(add_to_wave(state_at(batch_, i), 0, cost + 1));
    }
    return {};
  }

  // `source`: 1 + d(r, t) for a state that the wave begins in, else 0.
  Status add_to_wave(const Word* state, u64 source, u64 cost) {
    Word key[kKeyWords];
    std::copy_n(state, words(), key);
    key[words()] = source;
    return wave_.append(key, cost);
  }

  // --- Sources by cost ------------------------------------------------------------------------

  // Those of this cost that the wave has not reached yet.
  Status add_sources(u64 cost) {
    const std::size_t at = static_cast<std::size_t>(cost);
    if (counts_[at] == 0) return {};
    if (cost >= loaded_end_) {
      if (counts_[at] > source_room_) return stream_sources(cost);
      XMC_TRY(load_sources(cost));
    }
    for (u32 i = 0; i < counts_[at]; ++i) {
      const Word* const source = sources_ + (source_at_ + i) * (words() + 2);
      if (visit(source[words()])) XMC_TRY(add_to_wave(source, 1 + source[words() + 1], cost));
    }
    source_at_ += counts_[at];
    return {};
  }

  // The ball's states of costs from `cost` on, as many as there is room for, in order of cost.
  Status load_sources(u64 cost) {
    u64 sum = 0;
    loaded_end_ = cost;
    while (loaded_end_ < bound_ && loaded_end_ < counts_.size()) {
      const u64 more = counts_[static_cast<std::size_t>(loaded_end_)];
      if (sum + more > source_room_) break;
      sum += more;
      ++loaded_end_;
    }
    // Where the next one of each cost goes: counters become places, and counts again.
    const std::span<u32> part = counts_.subspan(static_cast<std::size_t>(cost),
                                                static_cast<std::size_t>(loaded_end_ - cost));
    u32 place = 0;
    for (u32& c : part) {
      const u32 count = c;
      c = place;
      place += count;
    }
    XMC_TRY(read_ball([&](const Word* key, u64 distance, u64 f) -> Status {
      if (f < cost || f >= loaded_end_) return {};
      const u64 i = part[static_cast<std::size_t>(f - cost)]++;
      Word* const source = sources_ + i * (words() + 2);
      std::copy_n(key, words() + 1, source);
      source[words() + 1] = distance;
      return {};
    }));
    for (std::size_t i = part.size(); i-- > 1;) part[i] -= part[i - 1];
    source_at_ = 0;
    return {};
  }

  // More than there is room for, of one cost: their order does not matter.
  Status stream_sources(u64 cost) {
    return read_ball([&](const Word* key, u64 distance, u64 f) -> Status {
      if (f != cost || !visit(key[words()])) return {};
      return add_to_wave(key, 1 + distance, cost);
    });
  }

  template <class Take>
  Status read_ball(const Take& take) {
    ++result_.passes;
    ball_reader_.start(ball_, product_.scan_buffer);
    for (u64 i = 0; i < ball_.keys() && going(); ++i) {
      Word key[kKeyWords];
      const Result<bool> more = ball_reader_.next(key);
      if (!more.ok()) return more.status();
      const u64 distance = ball_reader_.level();
      poll(distance);
      const Word depth = key[words() + 1];
      if (depth % 2 == 1) XMC_TRY(take(key, distance, depth / 2 + distance));
    }
    return {};
  }

  // --- Bits -----------------------------------------------------------------------------------

  bool visit(u64 number) {
    if (!visited_.add(number)) return false;
    if (undo_count_ < undo_.size()) undo_[undo_count_] = number;
    ++undo_count_;
    return true;
  }

  // The bits that were set, if that is known of all of them.
  void clear_visited() {
    if (undo_count_ > undo_.size()) {
      visited_.clear_all();
    } else {
      for (std::size_t i = 0; i < undo_count_; ++i) visited_.clear(undo_[i]);
    }
    undo_count_ = 0;
  }

  // --- The lasso ------------------------------------------------------------------------------

  // From the files of the last improve(), whose wave ended with last_.
  Status read_lasso(const Accepting& r, u64 total) {
    const u64 n = words();
    Word* const path = reinterpret_cast<Word*>(path_memory_.data());
    const u64 room = path_memory_.size() / (n * sizeof(Word));
    // Backwards, to begin with: from the end of the wave to its source.
    u64 count = 0;
    Word key[kKeyWords];
    std::copy_n(last_, n + 1, key);
    u64 cost = total - 1;
    for (;; --cost) {
      if (count == room) return no_room(total);
      std::copy_n(key, n, path + count++ * n);
      if (key[n] != 0) break;
      Word before[kKeyWords];
      XMC_TRY(find_before(s_, wave_reader_, cost - 1, key, before));
      std::copy_n(before, n + 1, key);
    }
    const u64 distance = key[n] - 1;
    for (u64 i = 0; i < count / 2; ++i) {
      std::swap_ranges(path + i * n, path + (i + 1) * n, path + (count - 1 - i) * n);
    }
    // Then from r to the source again.
    if (count + distance > room) return no_room(total);
    ball_reader_.start(ball_, product_.scan_buffer);
    for (u64 d = distance; d-- > 1;) {
      XMC_TRY(find_before(s_, ball_reader_, d, key, last_));
      std::copy_n(last_, n, key);
      std::copy_n(key, n, path + (count + d) * n);
    }
    if (distance > 0) std::copy_n(r.key, n, path + count * n);
    result_.found = true;
    result_.states = path;
    result_.length = count + distance;
    result_.prefix = total - result_.length;
    return {};
  }

  static Status no_room(u64 total) {
    return Status::fail(Code::budget,
                        "a shortest lasso of %llu steps was found, but it does not fit the "
                        "memory; use a larger --ram",
                        static_cast<unsigned long long>(total));
  }

  MinimalLasso& result_;
  std::span<u32> counts_;  // sources by cost
  std::span<u64> undo_;    // numbers of visited states, as far as there is room
  std::size_t undo_count_ = 0;
  Word* sources_ = nullptr;  // words, number and distance of those of some costs
  u64 source_room_ = 0;
  u64 loaded_end_ = 0;  // the first cost whose sources are not there
  u64 source_at_ = 0;   // the next one
  std::span<u8> ball_buffer_;
  std::span<u8> wave_buffer_;
  std::span<u8> wave_read_buffer_;
  std::span<u8> path_memory_;
  Batch batch_;
  KeyFile ball_;
  KeyFile wave_;
  KeyReader ball_reader_;
  KeyReader wave_reader_;
  u64 next_ = 0;          // of the queue, to be tried
  u64 bound_ = kNoBound;  // lassos of this length are not wanted
  Word last_[kKeyWords] = {};
};

}  // namespace

u64 gastin_moro_bytes(const Product& product, const Numbering& index, u64 deepest) {
  const Model& model = product.search->model;
  const u64 bits = round_up(StateBits::bytes_for(index.size()), kPageBytes);
  const u64 costs = round_up(std::max(deepest, kLeastCosts) * sizeof(u32), kPageBytes);
  const u64 table = depth_table_bytes(index, deepest);
  return table + std::max(double_dfs_bytes(model, index.size()), bits + costs + fixed_bytes(model));
}

Status run_gastin_moro(const Product& product, Numbering& index, std::span<u8> memory,
                       MinimalLasso& result) {
  result = {};
  u64 deepest = 0;
  XMC_TRY(level_of(product, product.states - 1, deepest));
  const u64 least = gastin_moro_bytes(product, index, deepest);
  if (memory.size() < least) {
    result.stop = StopReason::ram;
    result.bytes_needed = least;
    return {};
  }
  return GastinMoro(product, index, result).run(memory, deepest);
}

Status find_minimal_lasso(const Product& product, const IndexOptions& options, RankIndex& rank,
                          PhfIndex& hash, MinimalLasso& result, u64& index_bytes) {
  result = {};
  u64 deepest = 0;
  XMC_TRY(level_of(product, product.states - 1, deepest));
  const u64 reserve = double_dfs_bytes(product.search->model, product.states) +
                      std::max(deepest, kLeastCosts) * sizeof(u32) + kPageBytes;
  // A rank needs depths beside it. Where there is no room for them it is a hash, which has them.
  const u64 depths = product.states * static_cast<u64>(std::bit_width(deepest)) / 8 + kPageBytes;
  IndexResult made;
  IndexOptions choice = options;
  Status status;
  const bool by_hash = options.kind == IndexKind::phf ||
                       (product.mark != nullptr && product.mark->index == SearchMark::Index::hash);
  if (!by_hash) {
    choice.kind = IndexKind::rank;
    status = make_index(product, choice, reserve + depths, rank, hash, made);
  }
  if (by_hash || (options.kind == IndexKind::automatic && made.stop == StopReason::ram)) {
    choice.kind = IndexKind::phf;
    status = make_index(product, choice, reserve, rank, hash, made);
  }
  result.stop = made.stop;
  result.bytes_needed = made.bytes_needed;
  if (status.ok() && made.index != nullptr) {
    index_bytes = made.index->ram_bytes();
    status = run_gastin_moro(product, *made.index, made.memory, result);
    result.bytes_needed += product.memory.size() - made.memory.size();
  }
  const Status closed = hash.close(*product.folder, is_named(product));
  return status.ok() ? closed : status;
}

}  // namespace xmc
