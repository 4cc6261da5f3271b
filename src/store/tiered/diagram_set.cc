#include "store/tiered/diagram_set.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// A diagram that is this full after a collection collects all the time.
constexpr u64 kFullPercent = 92;

void set_bits(u64* bits, u32 count) {
  for (u32 w = 0; w < count / 64; ++w) bits[w] = ~u64{0};
  if (count % 64 != 0) bits[count / 64] = (u64{1} << (count % 64)) - 1;
}

}  // namespace

void DiagramSet::init(std::span<u8> diagram, std::span<u8> pool, Folder* folder, PhaseClock* clock,
                      const GoOn& go_on) {
  clock_ = clock;
  go_on_ = go_on;
  diagram_region_ = diagram;
  pool_ = pool;
  folder_ = folder;
  scratch_ = reinterpret_cast<Word*>(pool.data());
}

Status DiagramSet::restart(std::span<const Diagram::Digit> digits, u32 key_words, bool tails) {
  diagram_.init(diagram_region_, digits, key_words, tails);
  collections_ = 0;
  spills_ = hits_ = most_spilled_ = 0;
  adding_run_ = false;
  return set_key_words(key_words);
}

// Without runs from then on.
Status DiagramSet::set_key_words(u32 key_words) {
  words_ = key_words;
  chunk_ = kChunk;
  if (pool_.empty()) return {};
  chunk_ = static_cast<u32>(std::min<u64>(kChunk, kScratchBytes / (key_words * sizeof(Word))));
  XMC_TRY(runs_.clear());
  runs_.init(*folder_, pool_.subspan(static_cast<std::size_t>(kScratchBytes)), key_words,
             RunReader::kSkipBytes, go_on_);
  return {};
}

Result<bool> DiagramSet::take_apart(std::span<const Diagram::Digit> digits, u32 key_words,
                                    const Diagram::Apart& apart) {
  if (spilled() || apart.parts == 0) return false;
  XMC_TRY(set_key_words(key_words));
  return diagram_.take_apart(diagram_region_, digits, key_words, apart);
}

Status DiagramSet::spill() {
  const PhaseClock::Scope scope(clock_, Phase::partitioning);
  if (diagram_.size() == 0) return {};
  diagram_.begin_walk();
  u32 count = diagram_.walk(scratch_, chunk_);
  XMC_TRY(runs_.begin_run(choose_codec(scratch_, count, words_)));
  const LongWork::Scope work(go_on_.work, "spilling");
  u64 done = 0;
  for (; count > 0; count = diagram_.walk(scratch_, chunk_)) {
    XMC_TRY(runs_.append(scratch_, count));
    XMC_TRY(go_on_(done += count, diagram_.size()));
  }
  XMC_TRY(runs_.end_run());
  most_spilled_ = std::max(most_spilled_, diagram_.size());
  diagram_.clear();
  ++spills_;
  return runs_.full() ? runs_.merge(spare()) : Status();
}

// The memory of an empty diagram's nodes.
std::span<u8> DiagramSet::spare() {
  const std::span<u32> nodes = diagram_.room_for(diagram_.capacity_words() - 1);
  return {reinterpret_cast<u8*>(nodes.data()), nodes.size_bytes()};
}

Status DiagramSet::add_run(const Word* keys, u32 count) {
  if (count == 0) return {};
  const PhaseClock::Scope scope(clock_, Phase::partitioning);
  XMC_DASSERT(diagram_.size() == 0);
  if (!adding_run_) XMC_TRY(runs_.begin_run(choose_codec(keys, count, words_), spare()));
  adding_run_ = true;
  return runs_.append(keys, count);
}

Status DiagramSet::end_run() {
  if (!adding_run_) return {};
  const PhaseClock::Scope scope(clock_, Phase::partitioning);
  adding_run_ = false;
  XMC_TRY(runs_.end_run());
  return runs_.full() ? runs_.merge(spare()) : Status();
}

bool DiagramSet::tight() {
  const bool collected = diagram_.collections() != collections_;
  collections_ = diagram_.collections();
  const u64 most = diagram_.capacity_words() / 100 * kFullPercent;
  return collected && diagram_.words_after_collection() > most;
}

// drop(keys, count, bits) clears bits of keys. Those stay, or the others.
template <class Drop>
Status DiagramSet::keep(Word* keys, u32& count, bool dropped, Drop drop) {
  u64* const bits = reinterpret_cast<u64*>(scratch_);
  u32 left = 0;
  for (u32 done = 0, part = 0; done < count; done += part) {
    part = static_cast<u32>(std::min<u64>(count - done, kScratchBytes * 8));
    Word* const from = keys + u64{done} * words_;
    set_bits(bits, part);
    XMC_TRY(drop(from, part, bits));
    for (u32 i = 0; i < part; ++i) {
      if (((bits[i / 64] >> (i % 64) & 1) == 0) != dropped) continue;
      std::copy_n(from + u64{i} * words_, words_, keys + u64{left++} * words_);
    }
  }
  count = left;
  return {};
}

Status DiagramSet::keep_new(Word* keys, u32& count) {
  return keep(keys, count, false, [&](const Word* part, u32 size, u64* fresh) -> Status {
    diagram_.drop_known(part, size, fresh);
    const PhaseClock::Scope scope(clock_, Phase::detection);
    return runs_.drop_known(part, size, fresh, hits_);
  });
}

Status DiagramSet::drop_recent(Word* keys, u32& count) {
  return keep(keys, count, false, [&](const Word* part, u32 size, u64* fresh) -> Status {
    diagram_.drop_known(part, size, fresh);
    return {};
  });
}

Status DiagramSet::keep_old(Word* keys, u32& count) {
  return keep(keys, count, true, [&](const Word* part, u32 size, u64* fresh) {
    return runs_.drop_known(part, size, fresh, hits_);
  });
}

}  // namespace xmc
