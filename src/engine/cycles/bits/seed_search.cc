#include "engine/cycles/bits/seed_search.h"

#include <algorithm>

#include "engine/search/file_names.h"
#include "xmc/engine.h"
#include "xmc/limits.h"

namespace xmc {

// | wave, twice if there is room | seeds in their turns |
std::span<u8> SeedSearch::wave_buffer() const {
  const u64 slots = memory_.buffers.size() >= 3 * KeyFile::kSlotBytes ? 2 : 1;
  return memory_.buffers.first(static_cast<std::size_t>(slots * KeyFile::kSlotBytes));
}

std::span<u8> SeedSearch::turns_buffer() const {
  return memory_.buffers.subspan(wave_buffer().size(), KeyFile::kSlotBytes);
}

Status SeedSearch::open() {
  visited_.clear_all();
  XMC_TRY(wave_.open(wave_buffer()));
  const bool due = product_.search_checkpoint != nullptr && product_.checkpoint_due(true);
  return due ? checkpoint() : Status();
}

Status SeedSearch::run() {
  const Status status = search_from_seeds();
  if (status.stop_reason() != StopReason::none) XMC_TRY(save_checkpoint());
  return status;
}

Status SeedSearch::search_from_seeds() {
  KeyReader seeds;
  KeyReader turns;  // the same keys, once more
  seeds.start(accepting_.keys(), product_.read_buffer);
  turns.start(accepting_.keys(), turns_buffer());
  Word key[limits::kKeyWords];
  if (in_wave_) XMC_TRY(finish_wave(turns, key));
  if (turn_ > 0) XMC_TRY(turns.seek_key(turn_));
  if (turn_ > 0) XMC_TRY(seeds.seek_key(turn_));
  IndexedSearch::Batch& batch = memory_.seeds;
  LongWork* const work = &product_.search->work;
  const LongWork::Scope scope(work, "search from accepting states");
  for (u64 done = turn_; done < accepting_.count() && !result_.found;) {
    u32 count = 0;
    batch.fill = 0;
    for (; done < accepting_.count() && search_.has_room(batch); ++done) {
      XMC_TRY(seeds.next(key).status());
      const u32 from = batch.fill;
      search_.expand(key, batch);
      std::fill(batch.levels + from, batch.levels + batch.fill, count++);
      if (search_.is_time()) XMC_TRY(search_.ask(0));
    }
    XMC_TRY(search_.look_up(batch));
    u32 begin = 0;
    for (u32 i = 0; i < count && !result_.found; ++i) {
      XMC_TRY(turns.next(key).status());
      work->set(turn_, accepting_.count());
      u32 end = begin;
      while (end < batch.fill && batch.levels[end] == i) ++end;
      XMC_TRY(search_around(key, begin, end));
      begin = end;
      if (in_wave_) break;  // it has found the cycle
      ++turn_;
      if (search_.checkpoint_due()) XMC_TRY(checkpoint());
    }
  }
  return {};
}

// After a resume: the wave that was under way.
Status SeedSearch::finish_wave(KeyReader& turns, Word* seed) {
  XMC_TRY(turns.seek_key(turn_));
  XMC_TRY(turns.next(seed).status());
  XMC_TRY(go_around(seed));
  if (!in_wave_) ++turn_;
  return {};
}

// From one seed, whose successors are those of the batch from `begin` to `end`.
Status SeedSearch::search_around(const Word* seed, u32 begin, u32 end) {
  if (!visited_.add(seed[search_.words()])) return {};
  XMC_TRY(wave_.clear());
  const IndexedSearch::Batch& batch = memory_.seeds;
  for (u32 i = begin; i < end; ++i) {
    if (search_.is_state(seed, search_.state_at(batch, i))) return found(seed);
    if (!search_.inside(batch, i) || !visited_.add(batch.numbers[i])) continue;
    XMC_TRY(wave_.add(search_.state_at(batch, i), 1));
  }
  if (wave_.empty()) return {};
  XMC_TRY(wave_.begin());
  return go_around(seed);
}

// Until the wave has come to its end.
Status SeedSearch::go_around(const Word* seed) {
  in_wave_ = true;
  while (in_wave_) {
    if (search_.checkpoint_due()) XMC_TRY(checkpoint());
    SeedWave::Step step = SeedWave::Step::more;
    XMC_TRY(wave_.advance(seed, memory_.expand, visited_, step));
    if (step == SeedWave::Step::closed) return found(seed);
    in_wave_ = step == SeedWave::Step::more;
  }
  return {};
}

// A cycle. The bits are not needed any more.
Status SeedSearch::found(const Word* seed) {
  result_.found = true;
  result_.length = wave_.cycle_length();
  if (result_.length * search_.words() * sizeof(Word) > memory_.path.size()) {
    return Status::fail(Code::budget,
                        "an accepting cycle of %llu steps was found, but it does not fit the "
                        "memory; use a larger --ram",
                        wide(result_.length));
  }
  Word* const path = reinterpret_cast<Word*>(memory_.path.data());
  const Status status = wave_.read_cycle(seed, path, search_.asking());
  result_.states = path;
  if (status.stop_reason() == StopReason::none) return status;
  // The search goes on with the state that closed the wave, and so finds the cycle at once.
  result_.found = false;
  result_.closed = true;
  in_wave_ = true;
  XMC_TRY(wave_.step_back());
  return status;
}

// --- Checkpoints ------------------------------------------------------------------------------

Status SeedSearch::restore_checkpoint() {
  const SearchCheckpoint& c = *product_.search_checkpoint;
  turn_ = c.next;
  in_wave_ = c.wave.under_way;
  if (turn_ > accepting_.count() || (in_wave_ && turn_ == accepting_.count())) {
    return Status::fail(Code::corrupt, "the checkpoint has more seeds than its file");
  }
  XMC_TRY(search_.load_bits(0, [](WordReader&, u64) { return Status(); }));
  return in_wave_ ? wave_.reopen(wave_buffer()) : wave_.open(wave_buffer());
}

// Everything that the search needs to go on, in files and in the checkpoint.
Status SeedSearch::save_checkpoint() {
  if (product_.search_checkpoint == nullptr) return {};
  SearchCheckpoint& c = *product_.search_checkpoint;
  XMC_TRY(accepting_.save_checkpoint());
  c.next = turn_;
  c.wave.under_way = in_wave_;
  c.wave.closed = result_.closed;
  if (in_wave_) XMC_TRY(wave_.save_checkpoint());
  XMC_TRY(search_.save_search(SearchCheckpoint::Phase::second));
  XMC_TRY(search_.save_bits(nullptr));
  // The last two checkpoints are of this search then.
  if (++saves_ == 3) {
    XMC_TRY(product_.folder->remove(FileName(kStackFile, c.stack_number).c_str()));
  }
  // Its buffer was used.
  return in_wave_ ? wave_.read_again() : Status();
}

Status SeedSearch::checkpoint() {
  XMC_TRY(save_checkpoint());
  return product_.checkpoint(product_.owner);
}

}  // namespace xmc
