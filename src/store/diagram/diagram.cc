#include "store/diagram/diagram.h"

#include <algorithm>
#include <bit>

#include "store/diagram/digit_search.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

// --- Down: which nodes keys go through ----------------------------------------------------------

inline void Diagram::add_kid(u32 old, u32 first, u32 keys, u32 digit_value, u32 edge) {
  tasks_[task_count_++] = {old,
                           0,
                           static_cast<u16>(first),
                           static_cast<u16>(keys),
                           0,
                           static_cast<u8>(digit_value),
                           static_cast<u8>(edge)};
}

// Kids of a task without a tail: one for each digit of its keys.
void Diagram::split(u32 node_level, u32 index, const Word* keys) {
  Task& task = tasks_[index];
  const u32 old = task.old;
  if (old == 0 && task.keys == 1 && tail_fits(node_level)) return;
  const u32 count = old == 0 ? 0 : edges(old);
  const u8* const old_digits = digits(old);
  const u32* const old_children = heap_ + old + 1 + (count + 3) / 4;
  const Digit place = digits_[node_level];
  const u32 step = key_words_;
  const Word* key = keys + u64{task.first} * step + place.word;
  const Word mask = (Word{1} << place.bits) - 1;
  const u32 end = u32{task.first} + task.keys;
  const u32 before = task_count_;
  u32 edge = 0;
  for (u32 at = task.first, next = at; at < end; at = next) {
    const Word d = *key >> place.shift & mask;
    do {
      key += step;
    } while (++next < end && (*key >> place.shift & mask) == d);
    edge = first_not_below(old_digits, edge, count, static_cast<u32>(d));
    const u32 child = edge < count && old_digits[edge] == d ? old_children[edge] : 0;
    __builtin_prefetch(heap_ + child);
    add_kid(child, at, next - at, static_cast<u32>(d), edge);
  }
  task.kids = static_cast<u16>(task_count_ - before);
}

// The same where the key of a tail belongs among them.
void Diagram::split_tail(u32 node_level, u32 index, const Word* keys) {
  Task& task = tasks_[index];
  const u32 tail = task.old;
  const bool same =
      task.keys == 0 || (task.keys == 1 && tail_equals(tail, keys + u64{task.first} * key_words_));
  if (same && tail_fits(node_level)) return;
  const u32 tail_at = tail_digit(tail, node_level);
  const u32 end = u32{task.first} + task.keys;
  const u32 before = task_count_;
  bool placed = false;
  for (u32 at = task.first, next = at; at < end; at = next) {
    const u32 d = digit(keys + u64{at} * key_words_, node_level);
    while (++next < end && digit(keys + u64{next} * key_words_, node_level) == d) {
    }
    if (!placed && tail_at < d) {
      add_kid(tail, at, 0, tail_at, 0);
      placed = true;
    }
    placed |= tail_at == d;
    add_kid(tail_at == d ? tail : 0, at, next - at, d, 0);
  }
  if (!placed) add_kid(tail, end, 0, tail_at, 0);
  task.kids = static_cast<u16>(task_count_ - before);
}

// The tasks of all levels but the last, whose bitmaps are parts of their nodes. False: there are
// too many.
bool Diagram::open_tasks(const Word* keys, u32 count, u32 root) {
  task_count_ = begins_[0] = 0;
  add_kid(root, 0, count, 0, false);
  for (u32 l = 0; l + 2 < levels_; ++l) {
    begins_[l + 1] = task_count_;
    for (u32 i = begins_[l]; i < begins_[l + 1]; ++i) {
      const Task& task = tasks_[i];
      if (task_count_ + std::min<u32>(task.keys, 256) + 1 > task_room_) return false;
      task.old != 0 && is_tail(task.old) ? split_tail(l, i, keys) : split(l, i, keys);
    }
  }
  begins_[levels_ - 1] = task_count_;
  return true;
}

// --- Up: what becomes of them -------------------------------------------------------------------

// The nodes of a level whose kids are done. `offset`: number of the first key among those of
// `fresh`. False: no room.
bool Diagram::build(u32 node_level, const Word* keys, u32 offset, u64* fresh) {
  const bool last = node_level + 2 == levels_;
  Staged staged[kStaged];
  u32 kid = begins_[node_level + 1];
  for (u32 i = begins_[node_level], end = kid; i < end;) {
    u32 count = 0;
    for (u32 at = 0; i < end && count < kStaged && at + kMostNodeWords <= kStageWords; ++i) {
      Task& task = tasks_[i];
      u32* const node = stage_ + at;
      const u32 words = last ? write_last(task, keys, offset, fresh, node)
                        : task.kids != 0
                            ? write_node(node_level, task, {tasks_ + kid, task.kids}, node)
                            : write_tail(node_level, task, keys, offset, fresh, node);
      kid += task.kids;
      if (words == 0) continue;
      staged[count++] = {i, at, words, 0, 0};
      at += words;
    }
    if (!settle({staged, count})) return false;
  }
  return true;
}

bool Diagram::close_tasks(const Word* keys, u32 offset, u64* fresh) {
  for (u32 l = levels_ - 1; l-- > 0;) {
    if (!build(l, keys, offset, fresh)) return false;
  }
  return true;
}

// In parts whose tasks there is room for.
bool Diagram::try_insert(const Word* keys, u32 count, u64* fresh, u32& root) {
  root = root_;
  for (u32 done = 0; done < count;) {
    const Word* const part = keys + u64{done} * key_words_;
    const u32 size = std::min(at_once_, count - done);
    if (!open_tasks(part, size, root)) {
      XMC_CHECK(size > 1);
      at_once_ = size / 4 * 3 + size % 4 / 2;
      continue;
    }
    if (!close_tasks(part, done, fresh)) return false;
    root = tasks_[0].result;
    done += size;
    if (size == at_once_ && task_count_ < task_room_ / 2) at_once_ = std::min(size * 2, 0xFFFFu);
  }
  return true;
}

// Collects before the insertion rather than in the middle of it, where the work so far is lost.
bool Diagram::insert(const Word* keys, u32 count, u64* fresh) {
  if (count == 0) return true;
  const std::span<u64> bits(fresh, static_cast<std::size_t>(divide_up(count, 64)));
  bool young = young_pays();
  bool whole = true;
  bool fitted = false;
  const auto collect_some = [&] {
    young ? collect_from(old_top_) : collect();
    young = false;
  };
  if (capacity_ - top_ < most_growth_ && capacity_ - old_top_ > 4 * most_growth_) collect_some();
  for (;;) {
    fill_zero(bits);
    u32 root = 0;
    const u64 before = top_;
    if (try_insert(keys, count, fresh, root)) {
      root_ = root;
      for (const u64 word : bits) size_ += static_cast<u64>(std::popcount(word));
      most_growth_ = std::max(top_ - before, most_growth_ - most_growth_ / 16);
      return true;
    }
    if (young || whole) {
      whole = young;  // a whole collection comes once
      collect_some();
    } else if (fitted || !refit()) {
      break;
    } else {
      fitted = true;
    }
  }
  fill_zero(bits);
  collect();  // the failed attempt left garbage
  return false;
}

}  // namespace xmc
