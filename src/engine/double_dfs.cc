#include "engine/double_dfs.h"

#include <algorithm>
#include <cstdint>

#include "engine/indexed_search.h"
#include "engine/path_back.h"
#include "store/flash_stack.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kPageBytes = 4096;
constexpr u64 kMark = u64{1} << 63;         // of an entry: the state is left now
constexpr u64 kMostWindow = u64{16} << 20;  // of the stack
constexpr u64 kLeastBatch = 64;             // successors beside those of one state
constexpr u64 kMostBatch = 512;             // where looking up is cheap anyway
constexpr u64 kMostFlashBatch = 1 << 14;

u64 fixed_bytes(const Model& model, u64 room) {
  const u64 batch =
      round_up((room + model.max_successors) * (model.state_words + 3) * sizeof(Word), kPageBytes);
  return 2 * batch + 3 * KeyFile::kSlotBytes + 2 * kPageBytes;
}

class DoubleDfs : IndexedSearch {
 public:
  DoubleDfs(const Product& product, Numbering& index, CycleResult& result)
      : IndexedSearch(product, index), result_(result) {}

  Status run(std::span<u8> memory) {
    lay_out(memory);
    Status status = open_files();
    if (status.ok()) status = find_limit();
    if (status.ok()) status = first_search();
    if (status.ok() && going()) status = second_search();
    result_.stop = stop_;
    result_.stack_peak = stack_.peak();
    result_.stack_spills = stack_.spills();
    const Status closed = close_files();
    return status.ok() ? closed : status;
  }

 private:
  // | bits | accepting states | seeds' batch | batch | window of the stack, later buffers |
  void lay_out(std::span<u8> memory) {
    const Model& model = s_.model;
    const u64 bits = round_up(BitSet::bytes_for(index_.size()), kPageBytes);
    const u64 spare = memory.size() - double_dfs_bytes(model, index_.size());
    const u64 most = index_.on_flash() ? kMostFlashBatch : kMostBatch;
    const u64 extra = std::clamp(spare / 8 / unit_bytes(model), kLeastBatch, most);
    path_memory_ = memory;
    const auto cut = [&](u64 bytes) {
      const std::span<u8> piece = memory.first(static_cast<std::size_t>(bytes));
      memory = memory.subspan(piece.size());
      return piece;
    };
    visited_.start(cut(bits), index_.size());
    accepting_buffer_ = cut(KeyFile::kSlotBytes);
    seeds_ = cut_batch(memory, model.max_successors + extra);
    batch_ = cut_batch(memory, model.max_successors + extra);
    path_memory_ = path_memory_.first(path_memory_.size() - memory.size());
    const u64 address = reinterpret_cast<std::uintptr_t>(memory.data());
    memory = memory.subspan(static_cast<std::size_t>(round_up(address, kPageBytes) - address));
    window_ = memory.first(static_cast<std::size_t>(
        std::min<u64>(round_down(memory.size(), kPageBytes), kMostWindow)));
    XMC_CHECK(window_.size() >= 2 * KeyFile::kSlotBytes);
    // States of numbers take time, states on the stack take room: they stay where there is plenty.
    const u64 entries = window_.size() / ((1 + words()) * sizeof(Word));
    entry_words_ = index_.has_states() && entries < index_.size() / 16 ? 1 : 1 + words();
  }

  Status open_files() {
    Device* accepting = nullptr;
    Device* stack = nullptr;
    Device* wave = nullptr;
    XMC_TRY(open_file(kAcceptingFile, accepting));
    XMC_TRY(open_file(kStackFile, stack));
    XMC_TRY(open_file(kWaveFile, wave));
    accepting_.start(accepting, kAcceptingFile, Purpose::stack, words() + 1, accepting_buffer_);
    stack_.start(stack, kStackFile, entry_words_, window_);
    wave_device_ = wave;
    return {};
  }

  // --- First search ---------------------------------------------------------------------------

  Status first_search() {
    KeyReader queue;
    queue.start(*product_.queue, product_.read_buffer);
    // Without components everything is reached from the initial states.
    const bool in_parts = s_.model.cycle_class != nullptr;
    for (u64 done = 0; done < product_.expanded && going();) {
      seeds_.fill = 0;
      u64 level = 0;
      while (seeds_.fill < seeds_.room && done < product_.expanded) {
        const Result<bool> more = queue.next(state_at(seeds_, seeds_.fill));
        if (!more.ok()) return more.status();
        XMC_CHECK(more.value());
        level = queue.level();
        if (s_.model.cycle_class_of(state_at(seeds_, seeds_.fill)) != 0) ++seeds_.fill;
        ++done;
        if (level > 0 && !in_parts) break;
      }
      XMC_TRY(look_up(seeds_));
      for (u32 i = 0; i < seeds_.fill && going(); ++i) {
        if (!inside(seeds_, i) || visited_.has(seeds_.numbers[i])) continue;
        XMC_TRY(push(seeds_.numbers[i], state_at(seeds_, i)));
        XMC_TRY(search_down());
      }
      if (level > 0 && !in_parts) break;
    }
    // What was read ahead: another file uses the buffer next.
    XMC_TRY(product_.queue->finish_read_slot());
    return stack_.clear();
  }

  Status push(u64 number, const Word* state) {
    entry_[0] = number;
    if (entry_words_ > 1) std::copy_n(state, words(), entry_ + 1);
    return stack_.push(entry_);
  }

  // Until the stack is empty.
  Status search_down() {
    Word state[limits::kStateWords];
    while (!stack_.empty() && going()) {
      XMC_TRY(stack_.pop(entry_));
      const u64 number = entry_[0] & ~kMark;
      const bool left = (entry_[0] & kMark) != 0;
      if (!left && !visited_.add(number)) continue;
      if (entry_words_ == 1) {
        index_.state_of(number, state);
      } else {
        std::copy_n(entry_ + 1, words(), state);
      }
      XMC_TRY(left ? note_accepting(number, state) : enter(number, state));
      poll(stack_.size());
    }
    return {};
  }

  Status enter(u64 number, const Word* state) {
    batch_.fill = 0;
    const Expansion expansion = expand(state, batch_);
    if ((expansion.flags & kAccepting) != 0) XMC_TRY(push(number | kMark, state));
    XMC_TRY(look_up(batch_));
    for (u32 i = batch_.fill; i-- > 0;) {
      if (!inside(batch_, i) || visited_.has(batch_.numbers[i])) continue;
      XMC_TRY(push(batch_.numbers[i], state_at(batch_, i)));
    }
    return {};
  }

  Status note_accepting(u64 number, const Word* state) {
    Word key[kKeyWords];
    std::copy_n(state, words(), key);
    key[words()] = number;
    ++result_.accepting;
    return accepting_.append(key, 0);
  }

  // --- Second search --------------------------------------------------------------------------

  // Successors of many seeds are looked up at once; the seeds still take their turns.
  Status second_search() {
    visited_.clear();
    const std::span<u8> buffer = window_.first(
        window_.size() >= 2 * KeyFile::kSlotBytes ? 2 * KeyFile::kSlotBytes : KeyFile::kSlotBytes);
    wave_.start(wave_device_, kWaveFile, Purpose::stack, words(), buffer);
    KeyReader seeds;
    KeyReader turns;  // the same keys, once more
    seeds.start(accepting_, product_.read_buffer);
    turns.start(accepting_, window_.subspan(KeyFile::kSlotBytes, KeyFile::kSlotBytes));
    for (u64 done = 0; done < accepting_.keys() && going() && !result_.found;) {
      u32 count = 0;
      seeds_.fill = 0;
      Word key[kKeyWords];
      for (; done < accepting_.keys() && has_room(seeds_); ++done) {
        const Result<bool> more = seeds.next(key);
        if (!more.ok()) return more.status();
        const u32 from = seeds_.fill;
        expand(key, seeds_);
        std::fill(seeds_.levels + from, seeds_.levels + seeds_.fill, count++);
        poll(0);
      }
      XMC_TRY(look_up(seeds_));
      u32 begin = 0;
      for (u32 i = 0; i < count && going() && !result_.found; ++i) {
        const Result<bool> more = turns.next(key);
        if (!more.ok()) return more.status();
        u32 end = begin;
        while (end < seeds_.fill && seeds_.levels[end] == i) ++end;
        XMC_TRY(search_around(key, begin, end));
        begin = end;
      }
    }
    return {};
  }

  // From one seed, whose successors are seeds_[begin, end).
  Status search_around(const Word* seed, u32 begin, u32 end) {
    if (!visited_.add(seed[words()])) return {};
    if (wave_.keys() > 0) XMC_TRY(wave_.clear());
    for (u32 i = begin; i < end; ++i) {
      if (is_state(seed, state_at(seeds_, i))) return found(seed, nullptr, 0);
      if (!inside(seeds_, i) || !visited_.add(seeds_.numbers[i])) continue;
      XMC_TRY(wave_.append(state_at(seeds_, i), 1));
    }
    if (wave_.keys() == 0) return {};
    wave_reader_.start(wave_, product_.scan_buffer);
    while (going() && !result_.found) {
      const u64 before = wave_.keys();
      bool more = false;
      XMC_TRY(expand_wave(seed, more));
      if (!more && wave_.keys() == before) return {};
    }
    return {};
  }

  // The next states of the wave. `more`: there were some.
  Status expand_wave(const Word* seed, bool& more) {
    Word state[kKeyWords];
    batch_.fill = 0;
    while (has_room(batch_) && going()) {
      const Result<bool> next = wave_reader_.next(state);
      if (!next.ok()) return next.status();
      if (!next.value()) break;
      more = true;
      const u64 level = wave_reader_.level();
      const u32 from = batch_.fill;
      expand(state, batch_);
      for (u32 i = from; i < batch_.fill; ++i) {
        if (is_state(seed, state_at(batch_, i))) return found(seed, state, level);
        batch_.levels[i] = static_cast<u32>(level + 1);
      }
      poll(level);
    }
    XMC_TRY(look_up(batch_));
    for (u32 i = 0; i < batch_.fill; ++i) {
      if (!inside(batch_, i) || !visited_.add(batch_.numbers[i])) continue;
      XMC_TRY(wave_.append(state_at(batch_, i), batch_.levels[i]));
    }
    return {};
  }

  // `last`, at this distance from the seed, has a step to it. The bits are not needed any more.
  Status found(const Word* seed, const Word* last, u64 level) {
    result_.found = true;
    result_.length = level + 1;
    const u64 n = words();
    if ((level + 1) * n * sizeof(Word) > path_memory_.size()) {
      return Status::fail(Code::budget,
                          "an accepting cycle of %llu steps was found, but it does not fit the "
                          "memory; use a larger --ram",
                          static_cast<unsigned long long>(level + 1));
    }
    Word first[limits::kStateWords];
    std::copy_n(seed, n, first);
    Word* const path = reinterpret_cast<Word*>(path_memory_.data());
    Word target[kKeyWords];
    if (last != nullptr) std::copy_n(last, n, target);
    for (u64 l = level; l > 0; --l) {
      if (l < level) XMC_TRY(find_before(s_, wave_reader_, l, path + (l + 1) * n, target));
      std::copy_n(target, n, path + l * n);
    }
    std::copy_n(first, n, path);
    result_.states = path;
    return {};
  }

  CycleResult& result_;
  std::span<u8> accepting_buffer_;
  std::span<u8> window_;
  std::span<u8> path_memory_;  // all but the wave's
  Batch seeds_;                // of the first search: where it begins
  Batch batch_;
  u32 entry_words_ = 1;
  Word entry_[1 + limits::kStateWords] = {};
  FlashStack stack_;
  KeyFile accepting_;
  KeyFile wave_;
  KeyReader wave_reader_;
  Device* wave_device_ = nullptr;
};

}  // namespace

u64 double_dfs_bytes(const Model& model, u64 states) {
  return round_up(BitSet::bytes_for(states), kPageBytes) + fixed_bytes(model, kLeastBatch) +
         FlashStack::least_bytes(1 + model.state_words);
}

Status run_double_dfs(const Product& product, Numbering& index, std::span<u8> memory,
                      CycleResult& result) {
  result = {};
  const u64 least = double_dfs_bytes(product.search->model, index.size());
  if (memory.size() < least) {
    result.stop = StopReason::ram;
    result.bytes_needed = least;
    return {};
  }
  return DoubleDfs(product, index, result).run(memory);
}

}  // namespace xmc
