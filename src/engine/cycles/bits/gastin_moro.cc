#include "engine/cycles/bits/gastin_moro.h"

#include <algorithm>
#include <bit>
#include <new>

#include "engine/cycles/bits/double_dfs.h"
#include "engine/cycles/bits/lasso_search.h"
#include "engine/cycles/bits/lasso_turns.h"
#include "engine/cycles/index/make_index.h"
#include "engine/cycles/index/phf_index.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/parallel.h"

namespace xmc {

namespace {

class GastinMoro {
 public:
  GastinMoro(const Product& product, Numbering& index, MinimalLasso& result)
      : product_(product),
        model_(product.search->model),
        options_(product.search->options),
        index_(index),
        checkpoint_(product.search_checkpoint),
        result_(result),
        turns_(product, team_),
        first_(product, index, team_) {
    searches_[0] = &first_;
  }

  Status run(std::span<u8> memory, u64 deepest) {
    Status status = search(memory, deepest);
    for (u32 i = 0; i < threads_; ++i) {
      searches_[i]->give_counts();
      result_.searches += searches_[i]->searches();
      result_.passes += searches_[i]->passes();
      const Status closed = searches_[i]->close_files();
      if (status.ok()) status = closed;
    }
    return status;
  }

 private:
  static constexpr u32 kMostThreads = LassoTurns::kMostThreads;

  // A thread beside the first one, at the begin of its memory.
  struct Beside {
    Beside(const Product& of_all, std::span<u8> scan_buffer, Numbering& index, LassoTeam& team)
        : product(with(of_all, scan_buffer)), search(product, index, team) {}
    static Product with(Product product, std::span<u8> scan_buffer) {
      product.scan_buffer = scan_buffer;
      return product;
    }
    Product product;
    LassoSearch search;
  };

  Status search(std::span<u8> memory, u64 deepest) {
    const std::size_t table = static_cast<std::size_t>(depth_table_bytes(index_, deepest));
    const std::span<u8> table_memory = memory.first(table);
    memory = memory.subspan(table);
    if (checkpoint_ != nullptr && checkpoint_->phase == SearchCheckpoint::Phase::lasso) {
      restore_checkpoint();
    } else {
      bool found = false;
      XMC_TRY(find_first(memory, found));
      if (!result_.fits) result_.bytes_needed += table;
      if (!found) return {};
      bound_ += deepest;
      team_.total = bound_;
    }
    if (!lay_out(memory)) return {};
    Status status = find_best(table_memory, deepest);
    for (u32 i = 0; i < threads_; ++i) searches_[i]->give_counts();
    if (status.ok()) status = read_lasso(memory);
    if (status.stop_reason() != StopReason::none) XMC_TRY(save_checkpoint());
    return status;
  }

  Status find_best(std::span<u8> table_memory, u64 deepest) {
    XMC_TRY(first_.find_limit());
    XMC_TRY(first_.make_depths(table_memory, deepest));
    XMC_TRY(open_files());
    XMC_TRY(first_.identify(team_.best));
    if (team_.total == bound_) {
      u64 steps = 0;
      XMC_TRY(first_.find(team_.best, 0, team_.total, steps));
      if (steps != 0) team_.total = steps;
    }
    return try_all();
  }

  void restore_checkpoint() {
    bound_ = checkpoint_->lasso.bound;
    turns_.restore_checkpoint(*checkpoint_);
    team_.total = checkpoint_->lasso.total;
    team_.best_place = checkpoint_->lasso.place;
    std::copy_n(checkpoint_->lasso.best, model_.state_words, team_.best.key);
    first_.go_on();
  }

  // Some accepting state on a cycle, which has `bound_` - 1 steps: beside the depth that is a bound
  // that is true whatever the depths are. It does not depend on threads or memory.
  Status find_first(std::span<u8> memory, bool& found) {
    CycleResult cycle;
    XMC_TRY(run_double_dfs(product_, index_, memory, cycle));
    result_.fits = cycle.fits;
    result_.bytes_needed = cycle.bytes_needed;
    found = cycle.found;
    if (!found) return {};
    std::copy_n(cycle.states, model_.state_words, team_.best.key);
    bound_ = cycle.length + 1;
    return {};
  }

  // --- Threads --------------------------------------------------------------------------------

  // What a thread beside the first one has before its search: itself, a buffer and scratch.
  u64 beside_bytes() const {
    return round_up(sizeof(Beside), kPageBytes) + KeyFile::kSlotBytes +
           round_up(index_.scratch_bytes(), kPageBytes);
  }

  // As many as have an index that they may ask at the same time, and memory: half of what each of
  // them has is for its sources, or it would read them from its file again and again.
  u32 threads_for(u64 memory, u64 least) const {
    if (options_.parallel == nullptr || model_.fork == nullptr || index_.scratch_bytes() == 0) {
      return 1;
    }
    u32 threads = std::min(options_.parallel->threads(), kMostThreads);
    while (threads > 1 && memory / threads < 2 * (least + beside_bytes()) + kPageBytes) {
      --threads;
    }
    return threads;
  }

  bool lay_out(std::span<u8> memory) {
    const u64 least = LassoSearch::least_bytes(model_, index_.size(), bound_);
    if (least > memory.size()) {
      result_.fits = false;
      result_.bytes_needed = least;
      return false;
    }
    result_.threads = threads_ = threads_for(memory.size(), least);
    if (threads_ > 1) {
      memory = memory.first(static_cast<std::size_t>(round_down(memory.size(), kPageBytes)));
    }
    team_.parallel = threads_ > 1 ? options_.parallel : nullptr;
    const std::size_t share =
        static_cast<std::size_t>(round_down(memory.size() / threads_, kPageBytes));
    for (u32 i = threads_; i-- > 1;) {
      std::span<u8> own = memory.last(share);
      memory = memory.first(memory.size() - share);
      lay_out_beside(i, own);
    }
    first_.lay_out(memory, bound_);
    return true;
  }

  // | itself | scan buffer | scratch of lookups | its search |
  void lay_out_beside(u32 thread, std::span<u8> memory) {
    const auto cut = [&](u64 bytes) {
      const std::span<u8> piece = memory.first(static_cast<std::size_t>(bytes));
      memory = memory.subspan(piece.size());
      return piece;
    };
    u8* const place = cut(round_up(sizeof(Beside), kPageBytes)).data();
    const std::span<u8> scan_buffer = cut(KeyFile::kSlotBytes);
    scratch_[thread] = cut(round_up(index_.scratch_bytes(), kPageBytes));
    Beside* const beside = ::new (place) Beside(product_, scan_buffer, index_, team_);
    beside->search.lay_out(memory, bound_);
    searches_[thread] = &beside->search;
  }

  Status open_files() {
    for (u32 i = 0; i < threads_; ++i) {
      if (i > 0) searches_[i]->work_beside(first_, options_.executors[i - 1], scratch_[i]);
      XMC_TRY(searches_[i]->open_files(i));
    }
    return {};
  }

  // All accepting states by depth, while they can be on something shorter.
  Status try_all() {
    turns_.start();
    for_parts(team_.parallel, threads_, threads_, [this](u32, u32, u32 thread) {
      const Status status = work(thread);
      if (status.ok() || status.stop_reason() != StopReason::none) return;
      const ParallelLock lock(team_.parallel);
      if (status_.ok()) status_ = status;
      // The others need not go on; the answer is the status.
      if (team_.stop == StopReason::none) team_.stop = StopReason::signal;
    });
    XMC_TRY(status_);
    return Status::stop(team_.stop);
  }

  // After a stop the state that it was at is tried again.
  Status work(u32 thread) {
    LassoSearch& search = *searches_[thread];
    LassoTurns::Turn turn;
    for (;;) {
      XMC_TRY(take_turn(thread, turn));
      if (turn.place == 0) return {};
      u64 steps = 0;
      const bool accepting = search.is_accepting(turn.r.key);
      if (search.is_time()) XMC_TRY(search.ask(turn.level));
      if (accepting) {
        XMC_TRY(search.identify(turn.r));
        XMC_TRY(search.find(turn.r, turn.place, turn.limit, steps));
      }
      if (steps == 0) continue;
      const ParallelLock lock(team_.parallel);
      team_.offer(turn.r, turn.place, steps);
    }
  }

  // The thread is done with the state that it was at, and takes the next one.
  Status take_turn(u32 thread, LassoTurns::Turn& turn) {
    const ParallelLock lock(team_.parallel);
    turns_.finish(thread);
    searches_[thread]->give_counts();
    XMC_TRY(Status::stop(team_.stop));
    if (thread == 0 && first_.checkpoint_due()) {
      XMC_TRY(save_checkpoint());
      XMC_TRY(product_.checkpoint(product_.owner));
    }
    return turns_.take(thread, turn);
  }

  // Where it is: what threads have not finished is tried again.
  Status save_checkpoint() {
    if (checkpoint_ == nullptr) return {};
    turns_.save_checkpoint(*checkpoint_);
    checkpoint_->lasso.bound = bound_;
    checkpoint_->lasso.total = team_.total;
    checkpoint_->lasso.place = team_.best_place;
    std::copy_n(team_.best.key, model_.state_words, checkpoint_->lasso.best);
    XMC_TRY(first_.save_search(SearchCheckpoint::Phase::lasso));
    return first_.next_bits();
  }

  // --- The lasso ------------------------------------------------------------------------------

  // Once more, for its states: on one thread with all the memory, and so the same ones whoever has
  // found it.
  Status read_lasso(std::span<u8> memory) {
    if (threads_ > 1) XMC_TRY(dissolve(memory));
    const u64 least = team_.total;
    ++team_.total;
    u64 steps = 0;
    const Status found = first_.find(team_.best, team_.best_place, team_.total, steps);
    --team_.total;
    XMC_TRY(found);
    XMC_CHECK(steps == least);
    LassoSearch::Cycle cycle;
    XMC_TRY(first_.read_cycle(team_.best, steps, cycle));
    result_.found = true;
    result_.states = cycle.states;
    result_.length = cycle.length;
    result_.prefix = steps - cycle.length;
    return {};
  }

  // The first thread gets the memory of the others, which are no more.
  Status dissolve(std::span<u8> memory) {
    for (u32 i = 0; i < threads_; ++i) {
      XMC_TRY(searches_[i]->close_files());
      if (i == 0) continue;
      result_.searches += searches_[i]->searches();
      result_.passes += searches_[i]->passes();
    }
    threads_ = 1;
    team_.parallel = nullptr;
    first_.lay_out(memory, bound_);
    return first_.open_files(0);
  }

  const Product& product_;
  const Model& model_;
  const SearchOptions& options_;
  Numbering& index_;
  SearchCheckpoint* checkpoint_;
  MinimalLasso& result_;
  u64 bound_ = 0;  // of the first lasso

  // Shared by the threads, as `team_` is.
  LassoTeam team_;
  LassoTurns turns_;
  Status status_;

  u32 threads_ = 1;
  LassoSearch first_;
  LassoSearch* searches_[kMostThreads] = {};
  std::span<u8> scratch_[kMostThreads];
};

}  // namespace

u64 gastin_moro_bytes(const Product& product, const Numbering& index, u64 deepest) {
  const Model& model = product.search->model;
  return depth_table_bytes(index, deepest) +
         std::max(double_dfs_bytes(model, index.size()),
                  LassoSearch::least_bytes(model, index.size(), deepest));
}

Status run_gastin_moro(const Product& product, Numbering& index, std::span<u8> memory,
                       MinimalLasso& result) {
  result = {};
  u64 deepest = 0;
  XMC_TRY(level_of(product, product.states - 1, deepest));
  const u64 least = gastin_moro_bytes(product, index, deepest);
  if (memory.size() < least) {
    result.fits = false;
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
  // What a checkpoint has comes first.
  const SearchCheckpoint::Index had = product.search_checkpoint == nullptr
                                          ? SearchCheckpoint::Index::none
                                          : product.search_checkpoint->index;
  const bool by_hash = had == SearchCheckpoint::Index::none ? options.kind == IndexKind::phf
                                                            : product.search_checkpoint->of_hash();
  if (!by_hash) {
    choice.kind = IndexKind::rank;
    status = make_index(product, choice, reserve + depths, rank, hash, made);
  }
  const bool no_rank = !by_hash && status.ok() && made.index == nullptr;
  if (by_hash || (no_rank && options.kind != IndexKind::rank)) {
    choice.kind = IndexKind::phf;
    status = make_index(product, choice, reserve, rank, hash, made);
  }
  result.fits = made.index != nullptr;
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
