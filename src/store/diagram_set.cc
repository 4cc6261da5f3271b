#include "store/diagram_set.h"

#include <algorithm>
#include <bit>

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

void DiagramSet::init(std::span<u8> diagram, std::span<u8> pool, Folder* folder,
                      PhaseClock* clock) {
  clock_ = clock;
  diagram_region_ = diagram;
  pool_ = pool;
  folder_ = folder;
  scratch_ = reinterpret_cast<Word*>(pool.data());
}

Status DiagramSet::restart(std::span<const Diagram::Digit> digits, u32 key_words, bool tails) {
  diagram_.init(diagram_region_, digits, key_words, tails);
  collections_ = 0;
  spills_ = hits_ = 0;
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
             RunReader::kSkipBytes);
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
  runs_.begin_pass();
  if (diagram_.size() == 0) return {};
  diagram_.begin_walk();
  u32 count = diagram_.walk(scratch_, chunk_);
  XMC_TRY(runs_.begin_run(choose_codec(scratch_, count, words_)));
  for (; count > 0; count = diagram_.walk(scratch_, chunk_)) {
    XMC_TRY(runs_.append(scratch_, count));
  }
  XMC_TRY(runs_.end_run());
  diagram_.clear();
  ++spills_;
  runs_.begin_pass();
  return {};
}

// Of the chunk, the keys whose bit is set, into the scratch.
u32 DiagramSet::gather(const Word* keys, u32 count, const u64* chosen) {
  u32 left = 0;
  for (u32 w = 0; w < divide_up(count, 64); ++w) {
    for (u64 bits = chosen[w]; bits != 0; bits &= bits - 1) {
      const u32 i = w * 64 + static_cast<u32>(std::countr_zero(bits));
      std::copy_n(keys + u64{i} * words_, words_, scratch_ + u64{left++} * words_);
    }
  }
  return left;
}

bool DiagramSet::tight() {
  const bool collected = diagram_.collections() != collections_;
  collections_ = diagram_.collections();
  const u64 most = diagram_.capacity_words() / 100 * kFullPercent;
  return collected && diagram_.words_after_collection() > most;
}

Status DiagramSet::find_in_runs(const Word* keys, u32 count, u64* absent) {
  XMC_DASSERT(count <= chunk_);
  set_bits(absent, count);
  u64 hits = 0;
  return runs_.empty() ? Status() : runs_.drop_known(keys, count, absent, hits);
}

Status DiagramSet::add_new(const Word* keys, u32 count, u64* fresh, bool& fits) {
  fits = diagram_.insert(keys, count, fresh);
  return {};
}

Status DiagramSet::add(const Word* keys, u32 count, u64* fresh, bool& fits) {
  XMC_DASSERT(count <= chunk_);
  if (runs_.empty()) return add_new(keys, count, fresh, fits);
  set_bits(fresh, count);
  diagram_.drop_known(keys, count, fresh);
  {
    const PhaseClock::Scope scope(clock_, Phase::detection);
    XMC_TRY(runs_.drop_known(keys, count, fresh, hits_));
  }
  u64 all[kChunk / 64];
  fits = diagram_.insert(scratch_, gather(keys, count, fresh), all);
  return {};
}

}  // namespace xmc
