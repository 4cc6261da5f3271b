#include "engine/cycles/bits/double_dfs.h"

#include <algorithm>
#include <cstdint>

#include "engine/cycles/bits/indexed_search.h"
#include "engine/cycles/bits/seed_wave.h"
#include "store/files/flash_stack.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kLeft = u64{1} << 63;         // of an entry: the state is left now
constexpr u64 kMostWindow = u64{16} << 20;  // of the stack
constexpr u64 kLeastBatch = 64;             // successors beside those of one state
constexpr u64 kMostBatch = 512;             // where looking up is cheap anyway
constexpr u64 kMostFlashBatch = 1 << 14;
constexpr u64 kMostPassed = u64{1} << 31;  // states between two questions, and more

u64 fixed_bytes(const Model& model, u64 room) {
  const u64 batch =
      round_up((room + model.max_successors) * (model.state_words + 3) * sizeof(Word), kPageBytes);
  return 2 * batch + 3 * KeyFile::kSlotBytes + 2 * kPageBytes;
}

class DoubleDfs final : IndexedSearch {
 public:
  DoubleDfs(const Product& product, Numbering& index, CycleResult& result)
      : IndexedSearch(product, index), result_(result), wave_(*this, product) {}

  Status run(std::span<u8> memory) {
    lay_out(memory);
    Status status = find_limit();
    if (status.ok()) status = fits_checkpoint() ? reopen_files() : open_files();
    if (status.ok() && phase_ == Phase::first) status = first_search();
    if (status.ok()) status = second_search();
    result_.stack_peak = stack_.peak();
    result_.stack_spills = stack_.spills();
    const Status closed = close_files();
    return status.ok() ? closed : status;
  }

 private:
  using Phase = SearchCheckpoint::Phase;

  // | bits | accepting states | seeds' batch | batch | window of the stack, later buffers |
  void lay_out(std::span<u8> memory) {
    const Model& model = s_.model;
    const u64 bits = round_up(StateBits::bytes_for(index_.size()), kPageBytes);
    const u64 spare = memory.size() - double_dfs_bytes(model, index_.size());
    const u64 most = index_.on_flash() ? kMostFlashBatch : kMostBatch;
    const u64 extra = std::clamp(spare / 8 / unit_bytes(model), kLeastBatch, most);
    path_memory_ = memory;
    const auto cut = [&](u64 bytes) {
      const std::span<u8> piece = memory.first(static_cast<std::size_t>(bytes));
      memory = memory.subspan(piece.size());
      return piece;
    };
    visited_.start(cut(bits), index_.size(), false);
    accepting_buffer_ = cut(KeyFile::kSlotBytes);
    roots_memory_ = memory;
    seeds_ = cut_batch(memory, model.max_successors + extra);
    batch_ = cut_batch(memory, model.max_successors + extra);
    path_memory_ = path_memory_.first(path_memory_.size() - memory.size());
    const u64 address = reinterpret_cast<std::uintptr_t>(memory.data());
    memory = memory.subspan(static_cast<std::size_t>(round_up(address, kPageBytes) - address));
    window_ = memory.first(static_cast<std::size_t>(
        std::min<u64>(round_down(memory.size(), kPageBytes), kMostWindow)));
    XMC_CHECK(window_.size() >= 2 * KeyFile::kSlotBytes);
    const auto roots =
        static_cast<std::size_t>(window_.data() + window_.size() - roots_memory_.data());
    roots_memory_ = roots_memory_.first(roots);
    // States of numbers take time, states on the stack take room: they stay where there is plenty.
    const u64 entries = window_.size() / ((1 + words()) * sizeof(Word));
    entry_words_ = index_.has_states() && entries < index_.size() / 16 ? 1 : 1 + words();
  }

  // --- Files and checkpoints ------------------------------------------------------------------

  Status open_files() {
    const u64 number = checkpoint_ == nullptr ? 0 : checkpoint_->number;
    accepting_name_ = FileName(kAcceptingFile, number);
    XMC_TRY(open_file(accepting_name_.c_str(), accepting_device_));
    accepting_.start(accepting_device_, accepting_name_.c_str(), Purpose::stack, words() + 1,
                     accepting_buffer_);
    XMC_TRY(open_stack());
    return checkpoint_at_boundary();  // the index is made
  }

  Status open_stack() {
    stack_name_ = FileName(kStackFile, checkpoint_ == nullptr ? 0 : checkpoint_->stack_number);
    XMC_TRY(open_file(stack_name_.c_str(), stack_device_));
    stack_.start(stack_device_, stack_name_.c_str(), entry_words_, window_);
    return {};
  }

  // Whether the search can go on from the checkpoint.
  bool fits_checkpoint() {
    if (checkpoint_ == nullptr || checkpoint_->phase == Phase::none) return false;
    const SearchCheckpoint& m = *checkpoint_;
    bool fits = m.bit_words == visited_.words().size();
    if (m.phase == Phase::first) {
      fits = fits && m.next < product_.expanded &&
             (m.entry_words == 1 + words() || (m.entry_words == 1 && index_.has_states())) &&
             m.stack.block_bytes > 0 && m.stack.block_bytes % kPageBytes == 0 &&
             m.stack.block_bytes <= window_.size() / 2;
      if (fits) entry_words_ = static_cast<u32>(m.entry_words);
    } else if (m.phase != Phase::second) {
      fits = false;
    }
    if (!fits) checkpoint_->forget_search();
    return fits;
  }

  Status reopen_files() {
    accepting_name_ = FileName(kAcceptingFile, checkpoint_->number);
    XMC_TRY(open_file(accepting_name_.c_str(), accepting_device_, Folder::Open::existing));
    keep_file(accepting_device_);
    XMC_TRY(reopen_keys(accepting_, accepting_device_, accepting_name_.c_str(), words() + 1,
                        accepting_buffer_, checkpoint_->accepting));
    phase_ = checkpoint_->phase;
    result_.accepting = accepting_.keys();
    go_on();
    if (phase_ == Phase::second) {
      turn_ = checkpoint_->next;
      in_wave_ = checkpoint_->in_wave;
      if (turn_ > accepting_.keys() || (in_wave_ && turn_ == accepting_.keys())) {
        return Status::fail(Code::corrupt, "the checkpoint has more seeds than its file");
      }
      return load_bits(0, [](WordReader&, u64) { return Status(); });
    }
    first_done_ = checkpoint_->next;
    stack_name_ = FileName(kStackFile, checkpoint_->stack_number);
    XMC_TRY(open_file(stack_name_.c_str(), stack_device_, Folder::Open::existing));
    keep_file(stack_device_);
    return load_bits(checkpoint_->stack.window_words, [&](WordReader& in, u64 at) {
      return stack_.restore(stack_device_, stack_name_.c_str(), entry_words_, window_,
                            checkpoint_->stack, in, at);
    });
  }

  // Everything that the search needs to go on, in files and in the checkpoint.
  Status save_checkpoint() {
    if (checkpoint_ == nullptr) return {};
    SearchCheckpoint& m = *checkpoint_;
    XMC_TRY(accepting_.flush());
    keep_file(accepting_device_);
    m.accepting = {accepting_.bytes(), accepting_.chain()};
    m.next = phase_ == Phase::first ? first_done_ : turn_;
    m.entry_words = entry_words_;
    m.in_wave = in_wave_;
    m.closed = result_.closed;
    if (in_wave_) XMC_TRY(wave_.save_checkpoint());
    XMC_TRY(save_search(phase_));
    if (phase_ == Phase::first) {
      keep_file(stack_device_);
      XMC_TRY(save_bits(&stack_));
      return stack_.wants_copy() ? copy_stack() : Status();
    }
    XMC_TRY(save_bits(nullptr));
    // The last two checkpoints are of this phase then.
    if (++second_saves_ == 3) {
      XMC_TRY(product_.folder->remove(FileName(kStackFile, m.stack_number).c_str()));
    }
    // Its buffer was used.
    return in_wave_ ? wave_.read_again() : Status();
  }

  // The checkpoint gets another file of the stack, without what was popped.
  Status copy_stack() {
    const Device* const before = stack_device_;
    XMC_TRY(remove_old(kStackFile, ++checkpoint_->stack_number));
    stack_name_ = FileName(kStackFile, checkpoint_->stack_number);
    XMC_TRY(open_file(stack_name_.c_str(), stack_device_));
    keep_file(stack_device_);
    XMC_TRY(stack_.copy_to(stack_device_, stack_name_.c_str()));
    XMC_TRY(load_bits(checkpoint_->stack.window_words,
                      [&](WordReader& in, u64 at) { return stack_.reload(in, at); }));
    XMC_TRY(stack_.note(checkpoint_->stack, product_.scan_buffer));
    return close_file(before);
  }

  Status checkpoint() {
    XMC_TRY(save_checkpoint());
    return product_.checkpoint(product_.owner);
  }
  Status checkpoint_at_boundary() {
    return checkpoint_ != nullptr && product_.checkpoint_due(true) ? checkpoint() : Status();
  }

  // --- First search ---------------------------------------------------------------------------

  // From all states of the queue that it has not come to. Without components everything is reached
  // from the initial ones.
  Status first_search() {
    const Status status = search_from_roots();
    const bool stopped = status.stop_reason() != StopReason::none;
    if (!stopped) XMC_TRY(status);
    XMC_TRY(roots_.finish());  // another file uses the buffer next
    if (stopped) XMC_TRY(save_checkpoint());
    XMC_TRY(stack_.clear());
    XMC_TRY(close_file(stack_device_));
    return status;
  }

  Status search_from_roots() {
    XMC_TRY(roots_.start(product_, first_done_));
    XMC_TRY(search_down());  // what a checkpoint left
    const bool in_parts = s_.model.cycle_class != nullptr;
    bool any = true;
    for (u64 done = first_done_; done < product_.expanded;) {
      if (!any && in_parts) XMC_TRY(pass_visited(done));
      if (done == product_.expanded) break;
      any = false;
      first_done_ = done;
      if (checkpoint_due()) XMC_TRY(checkpoint());
      u64 level = 0;
      for (seeds_.fill = 0; seeds_.fill < seeds_.room && done < product_.expanded;) {
        XMC_TRY(read_root(seeds_, done));
        level = roots_.level();
        if (level > 0 && !in_parts) break;
      }
      XMC_TRY(look_up(seeds_));
      for (u32 i = 0; i < seeds_.fill; ++i) {
        if (!is_new(seeds_, i)) continue;
        any = true;
        XMC_TRY(push(seeds_.numbers[i], state_at(seeds_, i)));
        XMC_TRY(search_down());
      }
      if (level > 0 && !in_parts) break;
    }
    return {};
  }

  // The next state of the queue, if it may be on a cycle.
  Status read_root(Batch& batch, u64& done) {
    Word* const state = state_at(batch, batch.fill);
    XMC_TRY(roots_.next(state));
    if (s_.model.cycle_class_of(state) != 0) ++batch.fill;
    ++done;
    return is_time() ? ask(0) : Status();
  }
  bool is_new(const Batch& batch, u32 i) const {
    return inside(batch, i) && !visited_.test(batch.numbers[i]);
  }

  // Mostly all states from `done` on are visited, and each of them would be a question to a page of
  // its own. While the stack is empty, its window and the batches have room for many questions at a
  // time, which are answered page by page. Ends in front of a state that is new.
  Status pass_visited(u64& done) {
    for (u64 room = 2 * u64{seeds_.room}; done < product_.expanded; room *= 2) {
      first_done_ = done;
      if (checkpoint_due()) XMC_TRY(checkpoint());
      const u32 most = index_.begin_questions(roots_memory_);
      if (most < 2 * u64{seeds_.room}) return {};
      room = std::min<u64>(room, most);
      first_new_ = kNone;
      XMC_TRY(ask_for_roots(room, done));
      XMC_TRY(index_.answer_questions({this, [](void* self, u32 tag, u64 number, u32 depth) {
                                         auto& s = *static_cast<DoubleDfs*>(self);
                                         s.note_root(tag, number, depth);
                                       }}));
      if (first_new_ == kNone) continue;
      done = first_done_ + first_new_;
      XMC_TRY(roots_.finish());
      return roots_.start(product_, done);
    }
    return {};
  }

  Status ask_for_roots(u64 room, u64& done) {
    Word state[kKeyWords];
    for (u64 asked = 0; asked < room && done < product_.expanded; ++done) {
      if (done - first_done_ == kMostPassed) return {};
      XMC_TRY(roots_.next(state));
      if (is_time()) XMC_TRY(ask(0));
      if (s_.model.cycle_class_of(state) == 0) continue;
      index_.add_question(state, static_cast<u32>(done - first_done_));
      ++asked;
    }
    return {};
  }

  void note_root(u32 tag, u64 number, u32 depth) {
    const bool may_go = number != Numbering::kNotThere && (!with_depths_ || depth < limit_);
    if (may_go && !visited_.test(number)) first_new_ = std::min(first_new_, tag);
  }

  Status push(u64 number, const Word* state) {
    entry_[0] = number;
    if (entry_words_ > 1) std::copy_n(state, words(), entry_ + 1);
    return stack_.push(entry_);
  }

  // Until the stack is empty.
  Status search_down() {
    Word state[limits::kStateWords];
    while (!stack_.empty()) {
      XMC_TRY(stack_.pop(entry_));
      const u64 number = entry_[0] & ~kLeft;
      const bool left = (entry_[0] & kLeft) != 0;
      if (!left && !visited_.add(number)) continue;
      if (entry_words_ == 1) {
        index_.state_of(number, state);
      } else {
        std::copy_n(entry_ + 1, words(), state);
      }
      XMC_TRY(left ? note_accepting(number, state) : enter(number, state));
      if (is_time()) XMC_TRY(ask(stack_.size()));
      if (checkpoint_due()) XMC_TRY(checkpoint());
    }
    return {};
  }

  Status enter(u64 number, const Word* state) {
    batch_.fill = 0;
    const Expansion expansion = expand(state, batch_);
    if ((expansion.flags & kAccepting) != 0) XMC_TRY(push(number | kLeft, state));
    XMC_TRY(look_up(batch_));
    for (u32 i = batch_.fill; i-- > 0;) {
      if (!inside(batch_, i) || visited_.test(batch_.numbers[i])) continue;
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

  // | wave, twice if there is room | seeds in their turns |
  std::span<u8> wave_buffer() const {
    const u64 slots = window_.size() >= 3 * KeyFile::kSlotBytes ? 2 : 1;
    return window_.first(static_cast<std::size_t>(slots * KeyFile::kSlotBytes));
  }
  std::span<u8> turns_buffer() const {
    return window_.subspan(wave_buffer().size(), KeyFile::kSlotBytes);
  }

  Status second_search() {
    const Status status = search_from_seeds();
    if (status.stop_reason() != StopReason::none) XMC_TRY(save_checkpoint());
    return status;
  }

  // Successors of many seeds are looked up at once; the seeds still take their turns.
  Status search_from_seeds() {
    KeyReader seeds;
    KeyReader turns;  // the same keys, once more
    seeds.start(accepting_, product_.read_buffer);
    turns.start(accepting_, turns_buffer());
    Word key[kKeyWords];
    if (phase_ == Phase::first) {
      phase_ = Phase::second;
      visited_.clear_all();
      XMC_TRY(wave_.open(wave_buffer()));
      XMC_TRY(checkpoint_at_boundary());
    } else {
      XMC_TRY(go_on_from_turn(turns, key));
      if (turn_ > 0) XMC_TRY(turns.seek_key(turn_));
      if (turn_ > 0) XMC_TRY(seeds.seek_key(turn_));
    }
    for (u64 done = turn_; done < accepting_.keys() && !result_.found;) {
      u32 count = 0;
      seeds_.fill = 0;
      for (; done < accepting_.keys() && has_room(seeds_); ++done) {
        XMC_TRY(seeds.next(key).status());
        const u32 from = seeds_.fill;
        expand(key, seeds_);
        std::fill(seeds_.levels + from, seeds_.levels + seeds_.fill, count++);
        if (is_time()) XMC_TRY(ask(0));
      }
      XMC_TRY(look_up(seeds_));
      u32 begin = 0;
      for (u32 i = 0; i < count && !result_.found; ++i) {
        XMC_TRY(turns.next(key).status());
        u32 end = begin;
        while (end < seeds_.fill && seeds_.levels[end] == i) ++end;
        XMC_TRY(search_around(key, begin, end));
        begin = end;
        if (in_wave_) break;
        ++turn_;
        if (checkpoint_due()) XMC_TRY(checkpoint());
      }
    }
    return {};
  }

  // After a resume: the wave that was under way.
  Status go_on_from_turn(KeyReader& turns, Word* seed) {
    if (!in_wave_) return wave_.open(wave_buffer());
    XMC_TRY(wave_.reopen(wave_buffer()));
    XMC_TRY(turns.seek_key(turn_));
    XMC_TRY(turns.next(seed).status());
    XMC_TRY(go_around(seed));
    if (!in_wave_) ++turn_;
    return {};
  }

  // From one seed, whose successors are seeds_[begin, end).
  Status search_around(const Word* seed, u32 begin, u32 end) {
    if (!visited_.add(seed[words()])) return {};
    XMC_TRY(wave_.clear());
    for (u32 i = begin; i < end; ++i) {
      if (is_state(seed, state_at(seeds_, i))) return found(seed);
      if (!inside(seeds_, i) || !visited_.add(seeds_.numbers[i])) continue;
      XMC_TRY(wave_.add(state_at(seeds_, i), 1));
    }
    if (wave_.empty()) return {};
    XMC_TRY(wave_.begin());
    return go_around(seed);
  }

  // Until the wave has come to its end.
  Status go_around(const Word* seed) {
    in_wave_ = true;
    while (in_wave_) {
      if (checkpoint_due()) XMC_TRY(checkpoint());
      SeedWave::Step step = SeedWave::Step::more;
      XMC_TRY(wave_.advance(seed, batch_, visited_, step));
      if (step == SeedWave::Step::closed) return found(seed);
      in_wave_ = step == SeedWave::Step::more;
    }
    return {};
  }

  // A cycle. The bits are not needed any more.
  Status found(const Word* seed) {
    result_.found = true;
    result_.length = wave_.cycle_length();
    if (result_.length * words() * sizeof(Word) > path_memory_.size()) {
      return Status::fail(Code::budget,
                          "an accepting cycle of %llu steps was found, but it does not fit the "
                          "memory; use a larger --ram",
                          static_cast<unsigned long long>(result_.length));
    }
    Word* const path = reinterpret_cast<Word*>(path_memory_.data());
    const Status status = wave_.read_cycle(seed, path, asking());
    result_.states = path;
    if (status.stop_reason() == StopReason::none) return status;
    // The search goes on with the state that closed the wave, and so finds the cycle at once.
    result_.found = false;
    result_.closed = true;
    in_wave_ = true;
    XMC_TRY(wave_.step_back());
    return status;
  }

  CycleResult& result_;
  std::span<u8> accepting_buffer_;
  std::span<u8> window_;
  std::span<u8> roots_memory_;  // from the batches to the end of the window
  StateSequence roots_;         // the queue, for the first search
  u32 first_new_ = kNone;       // of the states that were asked for, the first one to begin with
  std::span<u8> path_memory_;   // all but the wave's
  Batch seeds_;                 // of the first search: where it begins
  Batch batch_;
  u32 entry_words_ = 1;
  Word entry_[1 + limits::kStateWords] = {};
  FlashStack stack_;
  FileName stack_name_;
  Device* stack_device_ = nullptr;
  u32 second_saves_ = 0;
  Phase phase_ = Phase::first;
  u64 first_done_ = 0;  // of the queue, before the states that the first search begins with now
  u64 turn_ = 0;        // seeds that the second search is done with
  bool in_wave_ = false;
  FileName accepting_name_;
  Device* accepting_device_ = nullptr;
  KeyFile accepting_;
  SeedWave wave_;
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
