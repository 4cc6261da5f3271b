#include "engine/cycles/bits/double_dfs.h"

#include <algorithm>
#include <cstdint>

#include "engine/cycles/bits/accepting_states.h"
#include "engine/cycles/bits/indexed_search.h"
#include "engine/cycles/bits/post_order.h"
#include "engine/cycles/bits/seed_search.h"
#include "store/files/flash_stack.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kMostWindow = u64{16} << 20;  // of the stack
constexpr u64 kLeastBatch = 64;             // successors beside those of one state
constexpr u64 kMostBatch = 512;             // where looking up is cheap anyway
constexpr u64 kMostFlashBatch = 1 << 14;

u64 fixed_bytes(const Model& model, u64 room) {
  const u64 batch =
      round_up((room + model.max_successors) * (model.state_words + 3) * sizeof(Word), kPageBytes);
  return 2 * batch + 3 * KeyFile::kSlotBytes + 2 * kPageBytes;
}

// The two searches one after the other, in the same memory.
class DoubleDfs final : IndexedSearch {
 public:
  DoubleDfs(const Product& product, Numbering& index, CycleResult& result)
      : IndexedSearch(product, index),
        result_(result),
        accepting_(*this, product),
        first_(*this, product, index, visited_, accepting_),
        second_(*this, product, visited_, accepting_, result) {}

  Status run(std::span<u8> memory) {
    lay_out(memory);
    Status status = search();
    result_.accepting = accepting_.count();
    result_.stack_peak = first_.stack().peak();
    result_.stack_spills = first_.stack().spills();
    const Status closed = close_files();
    return status.ok() ? closed : status;
  }

 private:
  using Phase = SearchCheckpoint::Phase;

  Status search() {
    XMC_TRY(find_limit());
    const Phase phase = phase_of_checkpoint();
    if (phase == Phase::none) {
      XMC_TRY(accepting_.open(accepting_buffer_));
      XMC_TRY(first_.open());
      XMC_TRY(first_.checkpoint_at_begin());
    } else {
      XMC_TRY(accepting_.reopen(accepting_buffer_));
      go_on();
      if (phase == Phase::first) XMC_TRY(first_.restore_checkpoint());
    }
    if (phase == Phase::second) {
      XMC_TRY(second_.restore_checkpoint());
    } else {
      XMC_TRY(first_.run());
      XMC_TRY(second_.open());
    }
    return second_.run();
  }

  // The search that goes on from the checkpoint; none: what it has is forgotten.
  Phase phase_of_checkpoint() {
    if (checkpoint_ == nullptr || checkpoint_->phase == Phase::none) return Phase::none;
    const Phase phase = checkpoint_->phase;
    const bool same = checkpoint_->bit_words == visited_.words().size();
    if (same && phase == Phase::second) return phase;
    if (same && phase == Phase::first && first_.fits_checkpoint()) return phase;
    checkpoint_->forget_search();
    return Phase::none;
  }

  // | bits | accepting states | seeds' batch | batch | window of the stack, later buffers |
  void lay_out(std::span<u8> memory) {
    const Model& model = s_.model;
    const u64 bits = round_up(StateBits::bytes_for(index_.size()), kPageBytes);
    const u64 spare = memory.size() - double_dfs_bytes(model, index_.size());
    const u64 most = index_.on_flash() ? kMostFlashBatch : kMostBatch;
    const u64 extra = std::clamp(spare / 8 / unit_bytes(model), kLeastBatch, most);
    std::span<u8> path = memory;
    const auto cut = [&](u64 bytes) {
      const std::span<u8> piece = memory.first(static_cast<std::size_t>(bytes));
      memory = memory.subspan(piece.size());
      return piece;
    };
    visited_.start(cut(bits), index_.size(), false);
    accepting_buffer_ = cut(KeyFile::kSlotBytes);
    u8* const batches = memory.data();
    const Batch seeds = cut_batch(memory, model.max_successors + extra);
    const Batch expand = cut_batch(memory, model.max_successors + extra);
    path = path.first(path.size() - memory.size());
    const u64 address = reinterpret_cast<std::uintptr_t>(memory.data());
    memory = memory.subspan(static_cast<std::size_t>(round_up(address, kPageBytes) - address));
    const std::span<u8> window = memory.first(static_cast<std::size_t>(
        std::min<u64>(round_down(memory.size(), kPageBytes), kMostWindow)));
    XMC_CHECK(window.size() >= 2 * KeyFile::kSlotBytes);
    first_.lay_out({window, {batches, window.data() + window.size()}, seeds, expand});
    second_.lay_out({window, path, seeds, expand});
  }

  CycleResult& result_;
  std::span<u8> accepting_buffer_;
  AcceptingStates accepting_;
  PostOrder first_;
  SeedSearch second_;
};

}  // namespace

u64 double_dfs_bytes(const Model& model, u64 states) {
  return round_up(StateBits::bytes_for(states), kPageBytes) + fixed_bytes(model, kLeastBatch) +
         FlashStack::least_bytes(1 + model.state_words);
}

Status run_double_dfs(const Product& product, Numbering& index, std::span<u8> memory,
                      CycleResult& result) {
  result = {};
  const u64 least = double_dfs_bytes(product.search->model, index.size());
  if (memory.size() < least) {
    result.fits = false;
    result.bytes_needed = least;
    return {};
  }
  return DoubleDfs(product, index, result).run(memory);
}

}  // namespace xmc
