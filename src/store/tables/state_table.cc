#include "store/tables/state_table.h"

#include <algorithm>

#include "xmc/hash.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

// Final load of the index, and the load at which a smaller one is replaced. Lines of 16 slots bear
// a high load: filling a region with 11 million 8-byte states took 38, 42, 44 and 49 ns per step at
// 0.88, 0.92, 0.94 and 0.96 (aarch64, single runs, CPU time).
constexpr u64 kFinalLoadPercent = 92;
constexpr u64 kGrowLoadPercent = 80;
constexpr u32 kFirstLines = 256;

struct LineScan {
  u32 match;  // slots with the tag; empty slots too when the tag is 0
  u32 empty;
};

// Four slots: one register where there are such, and code for it where there are none.
using Lanes [[gnu::vector_size(16), gnu::may_alias]] = u32;

// A bit for each slot, those of empty ones in the upper half: one word to collect from the lanes.
[[gnu::always_inline]] inline LineScan scan_line(const u32* line, u32 tag, u32 tag_mask) {
  const Lanes* const at = reinterpret_cast<const Lanes*>(line);
  Lanes bit = {1, 1 << 1, 1 << 2, 1 << 3};
  Lanes all = {};
  const auto add = [&](const Lanes& slots) {
    const auto match = reinterpret_cast<Lanes>((slots & tag_mask) == tag);
    const auto empty = reinterpret_cast<Lanes>(slots == 0);
    all |= (match & bit) | (empty & bit << 16);
    bit <<= 4;
  };
  add(at[0]), add(at[1]), add(at[2]), add(at[3]);
  const u32 both = all[0] | all[1] | all[2] | all[3];
  return {both & 0xFFFF, both >> 16};
}

}  // namespace

// The hot code, for a number of words known at compile time; W = 0 is the version for any number.
template <u32 W>
struct StateTableCode {
  static constexpr u32 kLastSlot = StateTable::kLineSlots - 1;

  StateTable& t;

  u32 words() const { return W == 0 ? t.words_ : W; }

  u64 hash(const Word* state) const {
    if constexpr (std::endian::native == std::endian::little) {
      return hash_bytes({reinterpret_cast<const u8*>(state), words() * sizeof(Word)});
    }
    Word swapped[limits::kStateWords];
    for (u32 w = 0; w < words(); ++w) swapped[w] = byte_swap_if_big(state[w]);
    return hash_bytes({reinterpret_cast<const u8*>(swapped), words() * sizeof(Word)});
  }

  // High bits choose the line, low bits are the tag.
  u32 home(u64 hash) const { return static_cast<u32>(((hash >> 32) * t.lines_) >> 32); }
  u32 tag(u64 hash) const { return static_cast<u32>(hash) << t.index_bits_; }

  bool same(StateIndex index, const Word* state) const {
    const u8* at = t.state_at(index);
    const u32 last = words() - 1;
    for (u32 w = 0; w < last; ++w) {
      if (load_le<u64>(at + 8 * w) != state[w]) return false;
    }
    return (load_le<u64>(at + 8 * last) & t.last_mask_) == state[last];
  }

  void load(StateIndex index, Word* out) const {
    const u8* at = t.state_at(index);
    const u32 last = words() - 1;
    for (u32 w = 0; w < last; ++w) out[w] = load_le<u64>(at + 8 * w);
    out[last] = load_le<u64>(at + 8 * last) & t.last_mask_;
  }

  void prefetch_state(StateIndex index) const {
    const u8* at = t.state_at(index);
    __builtin_prefetch(at);
    if (W != 1) __builtin_prefetch(at + 8 * (words() - 1));
  }

  // What a look at the home line tells: index + 1 of the first state with the right tag; or that
  // there is none, and the first empty slot, where it belongs while that is empty; or 0: neither.
  // Without branches: which of the three it is is anyone's guess.
  static constexpr u32 kFree = u32{1} << 31;
  u32 look(u32 line, u32 tag) const {
    const u32* slots = t.slots() + u64{line} * StateTable::kLineSlots;
    const LineScan scan = scan_line(slots, tag, ~t.index_mask_);
    const u32 match = scan.match & ~scan.empty;
    const u32 found = slots[__builtin_ctz(match | 1u << 15)] & t.index_mask_;
    const u32 free = scan.empty != 0 ? kFree | static_cast<u32>(__builtin_ctz(scan.empty)) : 0;
    return match != 0 ? found : free;
  }

  // The exact probe. Returns the index of the state, or kNone and the slot where it belongs.
  StateIndex locate(const Word* state, u32 line, u32 tag, u32*& free_slot) const {
    for (;;) {
      u32* slots = t.slots() + u64{line} * StateTable::kLineSlots;
      const LineScan scan = scan_line(slots, tag, ~t.index_mask_);
      for (u32 match = scan.match & ~scan.empty; match != 0; match &= match - 1) {
        const StateIndex index = (slots[__builtin_ctz(match)] & t.index_mask_) - 1;
        if (same(index, state)) return index;
      }
      if (scan.empty != 0) {
        free_slot = slots + __builtin_ctz(scan.empty);
        return kNone;
      }
      if (++line == t.lines_) line = 0;
    }
  }

  bool append(const Word* state) const {
    const bool opens_group = t.note_bytes_ != 0 && t.size_ % 8 == 0;
    const u64 begin = t.dense_end_ + (opens_group ? t.note_bytes_ : 0);
    const u64 end = begin + t.bytes_;
    if (end + StateTable::kSlack + t.stack_size_ * sizeof(u32) > t.index_begin_) return false;
    if (opens_group) store_le<u32>(t.base_ + t.dense_end_, 0);
    for (u32 w = 0; w < words(); ++w) store_le<u64>(t.base_ + begin + 8 * w, state[w]);
    XMC_DASSERT((state[words() - 1] & ~t.last_mask_) == 0);
    t.dense_end_ = end;
    ++t.size_;
    return true;
  }

  // Three stages, so that the cache misses of a batch overlap: index lines, then states, then the
  // work.
  template <bool kInsert>
  u32 run(const Word* states, u32 count, StateIndex* indexes) const {
    u32 line[StateTable::kBatch];
    u32 tags[StateTable::kBatch];
    u32 guess[StateTable::kBatch];
    for (u32 i = 0; i < count; ++i) {
      const u64 h = hash(states + u64{i} * words());
      line[i] = home(h);
      tags[i] = tag(h);
      __builtin_prefetch(t.slots() + u64{line[i]} * StateTable::kLineSlots);
    }
    for (u32 i = 0; i < count; ++i) {
      guess[i] = look(line[i], tags[i]);
      prefetch_state(guess[i] - 1 < kFree ? guess[i] - 1 : 0);
    }
    for (u32 i = 0; i < count; ++i) {
      const Word* state = states + u64{i} * words();
      StateIndex index = kNone;
      if ((guess[i] & kFree) != 0) {
        if constexpr (kInsert) {
          u32* slot = t.slots() + u64{line[i]} * StateTable::kLineSlots + (guess[i] & ~kFree);
          // Taken meanwhile, perhaps by the same state.
          if (*slot != 0) index = locate(state, line[i], tags[i], slot);
          if (index == kNone && !insert_at(slot, state, tags[i], index)) return i;
        }
      } else {
        index = guess[i] - 1;
        if (guess[i] == 0 || !same(index, state)) {
          u32* slot = nullptr;
          index = locate(state, line[i], tags[i], slot);
          if (kInsert && index == kNone && !insert_at(slot, state, tags[i], index)) return i;
        }
      }
      if (indexes != nullptr) indexes[i] = index;
    }
    return count;
  }

  bool insert_at(u32* slot, const Word* state, u32 tag, StateIndex& index) const {
    if (t.size_ >= t.most_ || !append(state)) return false;
    index = t.size_ - 1;
    *slot = tag | t.size_;
    return true;
  }

  // Fills the index from the dense array, from state `done` on; all states are known to be
  // distinct. The last slot of a line that is not full counts the others meanwhile: a scan for an
  // empty slot took half of the time. Nothing else can look like a count, for the state in a last
  // slot has fifteen others before it.
  void index_from(u32 done) const {
    Word state[W == 0 ? limits::kStateWords : W];
    u32 line[StateTable::kBatch];
    u32 tags[StateTable::kBatch];
    while (done < t.size_) {
      const u32 count = std::min(StateTable::kBatch, t.size_ - done);
      for (u32 i = 0; i < count; ++i) {
        load(done + i, state);
        const u64 h = hash(state);
        line[i] = home(h);
        tags[i] = tag(h);
        __builtin_prefetch(t.slots() + u64{line[i]} * StateTable::kLineSlots, 1);
      }
      for (u32 i = 0; i < count; ++i) put(line[i], tags[i] | (done + i + 1));
      done += count;
    }
  }

  void put(u32 line, u32 entry) const {
    for (;;) {
      u32* const slots = t.slots() + u64{line} * StateTable::kLineSlots;
      const u32 before = slots[kLastSlot];
      if (before <= kLastSlot) {
        slots[kLastSlot] = before + 1;
        slots[before] = entry;
        return;
      }
      if (++line == t.lines_) line = 0;
    }
  }

  // Takes the counts out of the last slots.
  void end_counts() const {
    u32* slots = t.slots();
    for (u32 line = 0; line < t.lines_; ++line, slots += StateTable::kLineSlots) {
      if (slots[kLastSlot] <= kLastSlot) slots[kLastSlot] = 0;
    }
  }
};

namespace {

// Calls code with the StateTableCode for this number of words.
template <class Code>
inline u32 with_code(StateTable& table, u32 words, const Code& code) {
  switch (words) {
    case 1:
      return code(StateTableCode<1>{table});
    case 2:
      return code(StateTableCode<2>{table});
    case 3:
      return code(StateTableCode<3>{table});
    case 4:
      return code(StateTableCode<4>{table});
    default:
      return code(StateTableCode<0>{table});
  }
}

u64 states_for_lines(u64 lines, u64 percent) { return lines * 16 * percent / 100; }

}  // namespace

u64 StateTable::minimum_bytes(const Shape& shape) {
  return round_up(kBatch * (u64{shape.state_bytes} + 8) + kSlack + 8 * kLineBytes, kLineBytes);
}

void StateTable::init(std::span<u8> region, const Shape& shape, u64 expected) {
  XMC_CHECK(shape.state_words >= 1 && shape.state_words <= limits::kStateWords);
  XMC_CHECK(shape.state_bytes > 8 * (shape.state_words - 1));
  XMC_CHECK(shape.state_bytes <= 8 * shape.state_words);
  XMC_CHECK(reinterpret_cast<std::uintptr_t>(region.data()) % kLineBytes == 0);
  XMC_CHECK(region.size() % kLineBytes == 0 && region.size() >= minimum_bytes(shape));
  *this = StateTable();
  base_ = region.data();
  region_bytes_ = region.size();
  words_ = shape.state_words;
  bytes_ = shape.state_bytes;
  note_bytes_ = shape.notes ? 4 : 0;
  const u32 last_bytes = bytes_ - 8 * (words_ - 1);
  last_mask_ = ~u64{0} >> (64 - 8 * last_bytes);
  state_limit_ = static_cast<u32>(kMostStates);
  const u64 lines = final_lines();
  index_bits_ = static_cast<u32>(std::bit_width(states_for_lines(lines, kFinalLoadPercent)));
  XMC_CHECK(index_bits_ <= 30);
  index_mask_ = (1u << index_bits_) - 1;
  const u64 wanted = expected * 100 / (u64{kLineSlots} * kGrowLoadPercent) + 1;
  set_lines(static_cast<u32>(std::min(std::max<u64>(kFirstLines, wanted), lines)));
  fill_zero(std::span(slots(), std::size_t{lines_} * kLineSlots));
}

void StateTable::set_state_limit(u64 states) {
  state_limit_ = static_cast<u32>(std::min(states, kMostStates));
  set_lines(lines_);
}

// The number of lines that shares the region with as many states as they can hold. The stack is
// taken to keep its size relative to the states.
u64 StateTable::final_lines() const {
  const u64 per_100_lines = states_for_lines(100, kFinalLoadPercent);
  u64 cost = 100 * kLineBytes + per_100_lines * bytes_ + divide_up(per_100_lines * note_bytes_, 8);
  if (size_ > 0) cost += divide_up(per_100_lines * stack_size_ * sizeof(u32), size_);
  const u64 fitting = (region_bytes_ - 2 * kSlack - note_bytes_) * 100 / cost;
  const u64 useful =
      divide_up(std::min<u64>(kMostStates, state_limit_) * 100, 16 * kFinalLoadPercent) + 1;
  const u64 addressable = kMostStates / kLineSlots;
  return std::max<u64>(1, std::min({fitting, useful, addressable}));
}

void StateTable::set_lines(u32 lines) {
  lines_ = lines;
  index_begin_ = region_bytes_ - u64{lines} * kLineBytes;
  const u64 most = std::min(states_for_lines(lines, kFinalLoadPercent), kMostStates);
  most_ = static_cast<u32>(std::min<u64>(most, state_limit_));
  grow_at_ = static_cast<u32>(states_for_lines(lines, kGrowLoadPercent));
}

// Makes the index larger, if that lets the table hold more.
bool StateTable::grow() {
  const u64 last = final_lines();
  u64 lines = u64{lines_} * 2;
  if (lines * 2 > last) lines = last;
  const u64 begin = region_bytes_ - std::min(region_bytes_, lines * kLineBytes);
  const bool pays = lines >= u64{lines_} + lines_ / 64 + 1;
  const bool fits = dense_end_ + kSlack + bytes_ + stack_size_ * sizeof(u32) <= begin;
  if (!pays || !fits) {
    grow_at_ = kNone;  // not again until the table is full
    return false;
  }
  const u32* from = slots() - stack_size_;
  set_lines(static_cast<u32>(lines));
  std::copy(from, from + stack_size_, slots() - stack_size_);  // downwards: may overlap
  rebuild();
  return true;
}

void StateTable::rebuild() {
  fill_zero(std::span(slots(), std::size_t{lines_} * kLineSlots));
  index_from(0);
  end_packed();
}

void StateTable::index_from(u32 first) {
  with_code(*this, words_, [&](const auto& code) { return code.index_from(first), 0u; });
}

void StateTable::end_packed() {
  with_code(*this, words_, [](const auto& code) { return code.end_counts(), 0u; });
}

void StateTable::append_packed(std::span<const u8> packed, u32 count) {
  XMC_CHECK(note_bytes_ == 0 && packed.size() == std::size_t{count} * bytes_);
  XMC_CHECK(u64{size_} + count <= most_);
  XMC_CHECK(dense_end_ + packed.size() + kSlack + stack_size_ * sizeof(u32) <= index_begin_);
  copy(std::span<u8>(base_ + dense_end_, packed.size()), packed);
  dense_end_ += packed.size();
  size_ += count;
  index_from(size_ - count);
}

void StateTable::drop_first(u32 states) {
  XMC_CHECK(states % 8 == 0 && states <= size_ && stack_size_ == 0);
  const u64 begin = u64{states} * bytes_ + u64{states / 8} * note_bytes_;
  const u64 kept = dense_end_ - begin;
  const std::span<u8> from(base_ + begin, static_cast<std::size_t>(kept));
  move(std::span<u8>(base_, from.size()), std::span<const u8>(from));
  dense_end_ = kept;
  size_ -= states;
  rebuild();
}

u32 StateTable::insert(const Word* states, u32 count, StateIndex* indexes) {
  u32 done = 0;
  while (done < count) {
    const u32 batch = std::min(kBatch, count - done);
    if (u64{size_} + batch > grow_at_) grow();
    const Word* from = states + u64{done} * words_;
    StateIndex* to = indexes == nullptr ? nullptr : indexes + done;
    const u32 processed = with_code(
        *this, words_, [&](const auto& code) { return code.template run<true>(from, batch, to); });
    done += processed;
    if (processed < batch && (at_state_limit() || size_ < most_ || !grow())) break;
  }
  return done;
}

bool StateTable::has_all(const Word* states, u32 count) const {
  StateIndex found[kBatch];
  for (u32 done = 0; done < count; done += kBatch) {
    const u32 piece = std::min(count - done, kBatch);
    find(states + u64{done} * words_, piece, found);
    if (std::find(found, found + piece, kNone) != found + piece) return false;
  }
  return true;
}

void StateTable::find(const Word* states, u32 count, StateIndex* indexes) const {
  StateTable& self = const_cast<StateTable&>(*this);  // the search code is shared with insert
  for (u32 done = 0; done < count;) {
    const u32 batch = std::min(kBatch, count - done);
    with_code(self, words_, [&](const auto& code) {
      return code.template run<false>(states + u64{done} * words_, batch, indexes + done);
    });
    done += batch;
  }
}

u64 StateTable::bytes_for(u64 states) const {
  return states * bytes_ + divide_up(states, 8) * note_bytes_ +
         divide_up(states * 100 * sizeof(u32), kFinalLoadPercent);
}

u64 StateTable::states_in(u64 bytes) const {
  u64 states = 0;
  for (u64 step = u64{1} << 31; step > 0; step /= 2) {
    if (bytes_for(states + step) < bytes) states += step;
  }
  return states;
}

}  // namespace xmc
