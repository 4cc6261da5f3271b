#include "engine/cycles/bits/post_order.h"

#include <algorithm>

#include "engine/search/file_names.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/engine.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u64 kLeft = u64{1} << 63;        // of an entry: the state is left now
constexpr u64 kMostPassed = u64{1} << 31;  // states between two questions, and more

}  // namespace

void PostOrder::lay_out(const Memory& memory) {
  memory_ = memory;
  // States of numbers take time, states on the stack take room: they stay where there is plenty.
  const u32 words = search_.words();
  const u64 entries = memory_.window.size() / ((1 + words) * sizeof(Word));
  entry_words_ = index_.has_states() && entries < index_.size() / 16 ? 1 : 1 + words;
}

Status PostOrder::open() {
  const SearchCheckpoint* const checkpoint = product_.search_checkpoint;
  stack_name_ = FileName(kStackFile, checkpoint == nullptr ? 0 : checkpoint->stack_number);
  XMC_TRY(search_.open_file(stack_name_.c_str(), stack_device_));
  stack_.start(stack_device_, stack_name_.c_str(), entry_words_, memory_.window);
  return {};
}

Status PostOrder::run() {
  const Status status = search_from_roots();
  const bool stopped = status.stop_reason() != StopReason::none;
  if (!stopped) XMC_TRY(status);
  XMC_TRY(roots_.finish());  // another file uses the buffer next
  if (stopped) XMC_TRY(save_checkpoint());
  XMC_TRY(stack_.clear());
  XMC_TRY(search_.close_file(stack_device_));
  return status;
}

// --- Where it begins --------------------------------------------------------------------------

// From all states of the queue that it has not come to. Without components everything is reached
// from the initial ones.
Status PostOrder::search_from_roots() {
  XMC_TRY(roots_.start(product_, done_));
  XMC_TRY(search_down());  // what a checkpoint left
  const bool in_parts = product_.search->model.cycle_class != nullptr;
  IndexedSearch::Batch& batch = memory_.roots;
  bool any = true;
  for (u64 done = done_; done < product_.expanded;) {
    if (!any && in_parts) XMC_TRY(pass_visited(done));
    if (done == product_.expanded) break;
    any = false;
    done_ = done;
    if (search_.checkpoint_due()) XMC_TRY(checkpoint());
    u64 level = 0;
    for (batch.fill = 0; batch.fill < batch.room && done < product_.expanded;) {
      XMC_TRY(read_root(done));
      level = roots_.level();
      if (level > 0 && !in_parts) break;
    }
    XMC_TRY(search_.look_up(batch));
    for (u32 i = 0; i < batch.fill; ++i) {
      if (!is_new(i)) continue;
      any = true;
      XMC_TRY(push(batch.numbers[i], search_.state_at(batch, i)));
      XMC_TRY(search_down());
    }
    if (level > 0 && !in_parts) break;
  }
  return {};
}

// The next state of the queue, if it may be on a cycle.
Status PostOrder::read_root(u64& done) {
  IndexedSearch::Batch& batch = memory_.roots;
  Word* const state = search_.state_at(batch, batch.fill);
  XMC_TRY(roots_.next(state));
  if (product_.search->model.cycle_class_of(state) != 0) ++batch.fill;
  ++done;
  return search_.is_time() ? search_.ask(0) : Status();
}

bool PostOrder::is_new(u32 root) const {
  return search_.inside(memory_.roots, root) && !visited_.test(memory_.roots.numbers[root]);
}

// Mostly all states from `done` on are visited, and each of them would be a question to a page of
// its own. While the stack is empty, its window and the batches have room for many questions at a
// time, which are answered page by page. Ends in front of a state that is new.
Status PostOrder::pass_visited(u64& done) {
  const u64 few = 2 * u64{memory_.roots.room};
  for (u64 room = few; done < product_.expanded; room *= 2) {
    done_ = done;
    if (search_.checkpoint_due()) XMC_TRY(checkpoint());
    const u32 most = index_.begin_questions(memory_.questions);
    if (most < few) return {};
    room = std::min<u64>(room, most);
    first_new_ = kNone;
    XMC_TRY(ask_for_roots(room, done));
    XMC_TRY(index_.answer_questions({this, [](void* self, u32 tag, u64 number, u32 depth) {
                                       auto& search = *static_cast<PostOrder*>(self);
                                       search.take_answer(tag, number, depth);
                                     }}));
    if (first_new_ == kNone) continue;
    done = done_ + first_new_;
    XMC_TRY(roots_.finish());
    return roots_.start(product_, done);
  }
  return {};
}

Status PostOrder::ask_for_roots(u64 room, u64& done) {
  Word state[limits::kKeyWords];
  for (u64 asked = 0; asked < room && done < product_.expanded; ++done) {
    if (done - done_ == kMostPassed) return {};
    XMC_TRY(roots_.next(state));
    if (search_.is_time()) XMC_TRY(search_.ask(0));
    if (product_.search->model.cycle_class_of(state) == 0) continue;
    index_.add_question(state, static_cast<u32>(done - done_));
    ++asked;
  }
  return {};
}

void PostOrder::take_answer(u32 tag, u64 number, u32 depth) {
  if (search_.inside(number, depth) && !visited_.test(number)) {
    first_new_ = std::min(first_new_, tag);
  }
}

// --- Depth-first ------------------------------------------------------------------------------

Status PostOrder::push(u64 number, const Word* state) {
  entry_[0] = number;
  if (entry_words_ > 1) std::copy_n(state, search_.words(), entry_ + 1);
  return stack_.push(entry_);
}

// Until the stack is empty.
Status PostOrder::search_down() {
  Word state[limits::kStateWords];
  while (!stack_.empty()) {
    XMC_TRY(stack_.pop(entry_));
    const u64 number = entry_[0] & ~kLeft;
    const bool left = (entry_[0] & kLeft) != 0;
    if (!left && !visited_.add(number)) continue;
    if (entry_words_ == 1) {
      index_.state_of(number, state);
    } else {
      std::copy_n(entry_ + 1, search_.words(), state);
    }
    XMC_TRY(left ? accepting_.add(number, state) : enter(number, state));
    if (search_.is_time()) XMC_TRY(search_.ask(stack_.size()));
    if (search_.checkpoint_due()) XMC_TRY(checkpoint());
  }
  return {};
}

Status PostOrder::enter(u64 number, const Word* state) {
  IndexedSearch::Batch& batch = memory_.expand;
  batch.fill = 0;
  const Expansion expansion = search_.expand(state, batch);
  if ((expansion.flags & kAccepting) != 0) XMC_TRY(push(number | kLeft, state));
  XMC_TRY(search_.look_up(batch));
  for (u32 i = batch.fill; i-- > 0;) {
    if (!search_.inside(batch, i) || visited_.test(batch.numbers[i])) continue;
    XMC_TRY(push(batch.numbers[i], search_.state_at(batch, i)));
  }
  return {};
}

// --- Checkpoints ------------------------------------------------------------------------------

bool PostOrder::fits_checkpoint() {
  const SearchCheckpoint& c = *product_.search_checkpoint;
  const u32 whole = 1 + search_.words();
  const bool fits = c.next < product_.expanded &&
                    (c.entry_words == whole || (c.entry_words == 1 && index_.has_states())) &&
                    c.stack.block_bytes > 0 && c.stack.block_bytes % kPageBytes == 0 &&
                    c.stack.block_bytes <= memory_.window.size() / 2;
  if (fits) entry_words_ = static_cast<u32>(c.entry_words);
  return fits;
}

Status PostOrder::restore_checkpoint() {
  const SearchCheckpoint& c = *product_.search_checkpoint;
  done_ = c.next;
  stack_name_ = FileName(kStackFile, c.stack_number);
  XMC_TRY(search_.open_file(stack_name_.c_str(), stack_device_, Folder::Open::existing));
  search_.keep_file(stack_device_);
  return search_.load_bits(c.stack.window_words, [&](WordReader& in, u64 at) {
    return stack_.restore(stack_device_, stack_name_.c_str(), entry_words_, memory_.window, c.stack,
                          in, at);
  });
}

// Everything that the search needs to go on, in files and in the checkpoint.
Status PostOrder::save_checkpoint() {
  if (product_.search_checkpoint == nullptr) return {};
  SearchCheckpoint& c = *product_.search_checkpoint;
  XMC_TRY(accepting_.save_checkpoint());
  c.next = done_;
  c.entry_words = entry_words_;
  c.wave.under_way = c.wave.closed = false;
  XMC_TRY(search_.save_search(SearchCheckpoint::Phase::first));
  search_.keep_file(stack_device_);
  XMC_TRY(search_.save_bits(&stack_));
  return stack_.wants_copy() ? copy_stack() : Status();
}

// The checkpoint gets another file of the stack, without what was popped.
Status PostOrder::copy_stack() {
  SearchCheckpoint& c = *product_.search_checkpoint;
  const Device* const before = stack_device_;
  XMC_TRY(search_.remove_old(kStackFile, ++c.stack_number));
  stack_name_ = FileName(kStackFile, c.stack_number);
  XMC_TRY(search_.open_file(stack_name_.c_str(), stack_device_));
  search_.keep_file(stack_device_);
  XMC_TRY(stack_.copy_to(stack_device_, stack_name_.c_str()));
  XMC_TRY(search_.load_bits(c.stack.window_words,
                            [&](WordReader& in, u64 at) { return stack_.reload(in, at); }));
  XMC_TRY(stack_.note(c.stack, product_.scan_buffer));
  return search_.close_file(before);
}

Status PostOrder::checkpoint() {
  XMC_TRY(save_checkpoint());
  return product_.checkpoint(product_.owner);
}

Status PostOrder::checkpoint_at_begin() {
  const bool due = product_.search_checkpoint != nullptr && product_.checkpoint_due(true);
  return due ? checkpoint() : Status();
}

}  // namespace xmc
