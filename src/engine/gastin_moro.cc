#include "engine/gastin_moro.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/double_dfs.h"
#include "engine/indexed_search.h"
#include "engine/lasso_ball.h"
#include "engine/path_back.h"
#include "engine/phf_index.h"
#include "engine/undo_bits.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kPageBytes = 4096;
constexpr u64 kLeastBatch = 64;
constexpr u64 kMostBatch = 1 << 14;
constexpr u64 kLeastUndo = 256;  // numbers

u64 fixed_bytes(const Model& model) {
  const u64 batch = (kLeastBatch + model.max_successors) * (model.state_words + 3) * sizeof(Word);
  return 3 * KeyFile::kSlotBytes + round_up(batch, kPageBytes) + kLeastUndo * sizeof(u64) +
         LassoBall::least_source_bytes(model) + 5 * kPageBytes;
}

class GastinMoro : IndexedSearch {
 public:
  GastinMoro(const Product& product, Numbering& index, MinimalLasso& result)
      : IndexedSearch(product, index), result_(result), ball_(*this, product) {}

  Status run(std::span<u8> memory, u64 deepest) {
    Status status = search(memory, deepest);
    if (result_.stop == StopReason::none) result_.stop = stop_;
    result_.passes = ball_.passes();
    const Status closed = close_files();
    return status.ok() ? closed : status;
  }

 private:
  Status search(std::span<u8> memory, u64 deepest) {
    const std::size_t table = static_cast<std::size_t>(depth_table_bytes(index_, deepest));
    const std::span<u8> table_memory = memory.first(table);
    memory = memory.subspan(table);
    u64 bound = 0;
    u64 total = 0;
    AcceptingState best;
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
  Status find_first(std::span<u8> memory, AcceptingState& first, u64& steps, bool& found) {
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
  Status note(const AcceptingState& best, u64 bound, u64 total) {
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
    const u64 costs = round_up(LassoBall::counter_bytes(bound), kPageBytes);
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
    reached_.start(visited_, cut(round_up(kLeastUndo * sizeof(u64) + spare / 8, kPageBytes)));
    batch_ = cut_batch(memory, model.max_successors + extra);
    const u64 address = reinterpret_cast<std::uintptr_t>(memory.data());
    cut(round_up(address, kPageBytes) - address);
    ball_buffer_ = cut(KeyFile::kSlotBytes);
    wave_buffer_ = cut(KeyFile::kSlotBytes);
    wave_read_buffer_ = cut(KeyFile::kSlotBytes);
    ball_.start(counters, memory);
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
    ball_.open(ball, ball_buffer_);
    wave_.start(wave, kWaveFile, Purpose::stack, words() + 1, wave_buffer_);
    return {};
  }

  // Number and depth of a state.
  Status identify(AcceptingState& r) {
    batch_.fill = 1;
    std::copy_n(r.key, words(), batch_.states);
    XMC_TRY(look_up(batch_));
    XMC_CHECK(inside(batch_, 0));
    r.number = batch_.numbers[0];
    r.depth = batch_.depths[0];
    return {};
  }

  // All accepting states by depth, while they can be on something shorter.
  Status try_all(AcceptingState& best, u64 bound, u64& total) {
    KeyReader queue;
    queue.start(*product_.queue, product_.read_buffer);
    if (next_ > 0 && next_ < product_.expanded) XMC_TRY(queue.seek_key(next_));
    for (; next_ < product_.expanded && going(); ++next_) {
      if (checkpoint_due()) {
        XMC_TRY(note(best, bound, total));
        XMC_TRY(product_.checkpoint(product_.owner));
      }
      AcceptingState r;
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
  Status improve(const AcceptingState& r, u64& total) {
    ++result_.searches;
    XMC_TRY(ball_.grow(r, total, batch_, reached_));
    reached_.clear_all();
    if (going()) XMC_TRY(run_wave(r, total));
    reached_.clear_all();
    return {};
  }

  // The search that begins in all states of the ball and ends at r.
  Status run_wave(const AcceptingState& r, u64& total) {
    if (wave_.keys() > 0) XMC_TRY(wave_.clear());
    wave_reader_.start(wave_, wave_read_buffer_);
    u64 done = 0;  // keys of the wave
    for (u64 cost = 0; cost + 1 < ball_.bound() && going(); ++cost) {
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

  // Those of this cost that the wave has not reached yet.
  Status add_sources(u64 cost) {
    XMC_TRY(ball_.begin_cost(cost));
    LassoBall::Source source;
    for (;;) {
      const Result<bool> more = ball_.next_source(source);
      if (!more.ok()) return more.status();
      if (!more.value()) return {};
      if (!reached_.add(source.number)) continue;
      XMC_TRY(add_to_wave(source.state, 1 + source.distance, cost));
    }
  }

  // Wave states of this cost, up to number `end`.
  Status expand_wave(const AcceptingState& r, u64 cost, u64 end, u64& done, bool& closed) {
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
      if (cost + 1 + back >= ball_.bound() || !reached_.add(batch_.numbers[i])) continue;
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

  // --- The lasso ------------------------------------------------------------------------------

  // From the files of the last improve(), whose wave ended with last_.
  Status read_lasso(const AcceptingState& r, u64 total) {
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
    if (distance > 0) XMC_TRY(ball_.read_path(r, key, distance, path + count * n));
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
  UndoBits reached_;  // visited_, of one search
  LassoBall ball_;
  std::span<u8> ball_buffer_;
  std::span<u8> wave_buffer_;
  std::span<u8> wave_read_buffer_;
  std::span<u8> path_memory_;
  Batch batch_;
  KeyFile wave_;
  KeyReader wave_reader_;
  u64 next_ = 0;               // of the queue, to be tried
  Word last_[kKeyWords] = {};  // of the wave: it has a step to r
};

}  // namespace

u64 gastin_moro_bytes(const Product& product, const Numbering& index, u64 deepest) {
  const Model& model = product.search->model;
  const u64 bits = round_up(StateBits::bytes_for(index.size()), kPageBytes);
  const u64 costs = round_up(LassoBall::counter_bytes(deepest), kPageBytes);
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
                      LassoBall::counter_bytes(deepest) + kPageBytes;
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
