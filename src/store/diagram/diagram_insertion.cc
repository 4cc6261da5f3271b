#include "store/diagram/diagram_insertion.h"

#include <algorithm>

#include "store/diagram/digit_search.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u64 kLeastTasks = 2048;
constexpr u64 kMostTasks = 16384;

}  // namespace

// More tasks at once are fewer copies of the nodes at the top; a single key takes at most two for
// each digit.
u64 DiagramInsertion::tasks_for(u64 words, u64 digits) {
  return std::clamp<u64>(words / 64, kLeastTasks, kMostTasks) + 2 * digits;
}

// --- Down: which nodes keys go through ----------------------------------------------------------

inline void DiagramInsertion::add_kid(u32 old, u32 first, u32 keys, u32 digit_value, u32 edge) {
  tasks[task_count++] = {old,
                         0,
                         static_cast<u16>(first),
                         static_cast<u16>(keys),
                         0,
                         static_cast<u8>(digit_value),
                         static_cast<u8>(edge)};
}

// Kids of a task without a tail: one for each digit of its keys.
void DiagramInsertion::split(const DiagramNodes& nodes, u32 node_level, u32 index,
                             const Word* keys) {
  Task& task = tasks[index];
  const u32 old = task.old;
  if (old == 0 && task.keys == 1 && nodes.tail_fits(node_level)) return;
  const u32 count = old == 0 ? 0 : nodes.edges(old);
  const u8* const old_digits = nodes.edge_digits(old);
  const u32* const old_children = nodes.heap + old + 1 + (count + 3) / 4;
  const DiagramDigit place = nodes.digits[node_level];
  const u32 step = nodes.key_words;
  const Word* key = keys + u64{task.first} * step + place.word;
  const Word mask = (Word{1} << place.bits) - 1;
  const u32 end = u32{task.first} + task.keys;
  const u32 before = task_count;
  u32 edge = 0;
  for (u32 at = task.first, next = at; at < end; at = next) {
    const Word d = *key >> place.shift & mask;
    do {
      key += step;
    } while (++next < end && (*key >> place.shift & mask) == d);
    edge = first_not_below(old_digits, edge, count, static_cast<u32>(d));
    const u32 child = edge < count && old_digits[edge] == d ? old_children[edge] : 0;
    __builtin_prefetch(nodes.heap + child);
    add_kid(child, at, next - at, static_cast<u32>(d), edge);
  }
  task.kids = static_cast<u16>(task_count - before);
}

// The same where the key of a tail belongs among them.
void DiagramInsertion::split_tail(const DiagramNodes& nodes, u32 node_level, u32 index,
                                  const Word* keys) {
  Task& task = tasks[index];
  const u32 tail = task.old;
  const bool same =
      task.keys == 0 ||
      (task.keys == 1 && nodes.tail_equals(tail, keys + u64{task.first} * nodes.key_words));
  if (same && nodes.tail_fits(node_level)) return;
  const u32 tail_at = nodes.tail_digit(tail, node_level);
  const u32 end = u32{task.first} + task.keys;
  const u32 before = task_count;
  bool placed = false;
  for (u32 at = task.first, next = at; at < end; at = next) {
    const u32 d = nodes.digit(keys + u64{at} * nodes.key_words, node_level);
    while (++next < end && nodes.digit(keys + u64{next} * nodes.key_words, node_level) == d) {
    }
    if (!placed && tail_at < d) {
      add_kid(tail, at, 0, tail_at, 0);
      placed = true;
    }
    placed |= tail_at == d;
    add_kid(tail_at == d ? tail : 0, at, next - at, d, 0);
  }
  if (!placed) add_kid(tail, end, 0, tail_at, 0);
  task.kids = static_cast<u16>(task_count - before);
}

// The tasks of all levels but the last, whose bitmaps are parts of their nodes. False: there are
// too many.
bool DiagramInsertion::open_tasks(const DiagramNodes& nodes, const Word* keys, u32 count,
                                  u32 root) {
  task_count = begins[0] = 0;
  add_kid(root, 0, count, 0, false);
  for (u32 l = 0; l + 2 < nodes.levels; ++l) {
    begins[l + 1] = task_count;
    for (u32 i = begins[l]; i < begins[l + 1]; ++i) {
      const Task& task = tasks[i];
      if (task_count + std::min<u32>(task.keys, 256) + 1 > task_room) return false;
      task.old != 0 && nodes.is_tail(task.old) ? split_tail(nodes, l, i, keys)
                                               : split(nodes, l, i, keys);
    }
  }
  begins[nodes.levels - 1] = task_count;
  return true;
}

// --- Up: what becomes of them -------------------------------------------------------------------

// The nodes of a level whose kids are done. `offset`: number of the first key among those of
// `fresh`. False: no room.
bool DiagramInsertion::build(DiagramNodes& nodes, u32 node_level, const Word* keys, u32 offset,
                             u64* fresh) {
  const bool last = node_level + 2 == nodes.levels;
  Staged staged[kStaged];
  u32 kid = begins[node_level + 1];
  for (u32 i = begins[node_level], end = kid; i < end;) {
    u32 count = 0;
    for (u32 at = 0; i < end && count < kStaged && at + DiagramNodes::kMostNodeWords <= kStageWords;
         ++i) {
      Task& task = tasks[i];
      u32* const node = stage + at;
      const u32 words = last ? write_last(nodes, task, keys, offset, fresh, node)
                        : task.kids != 0
                            ? write_node(nodes, node_level, task, {tasks + kid, task.kids}, node)
                            : write_tail(nodes, node_level, task, keys, offset, fresh, node);
      kid += task.kids;
      if (words == 0) continue;
      staged[count++] = {i, at, words, 0, 0};
      at += words;
    }
    if (!settle(nodes, {staged, count})) return false;
  }
  return true;
}

bool DiagramInsertion::close_tasks(DiagramNodes& nodes, const Word* keys, u32 offset, u64* fresh) {
  for (u32 l = nodes.levels - 1; l-- > 0;) {
    if (!build(nodes, l, keys, offset, fresh)) return false;
  }
  return true;
}

// In pieces whose tasks there is room for.
bool DiagramInsertion::insert(DiagramNodes& nodes, const Word* keys, u32 count, u64* fresh,
                              u32& root) {
  for (u32 done = 0; done < count;) {
    const Word* const piece = keys + u64{done} * nodes.key_words;
    const u32 size = std::min(at_once, count - done);
    if (!open_tasks(nodes, piece, size, root)) {
      XMC_CHECK(size > 1);
      at_once = size / 4 * 3 + size % 4 / 2;
      continue;
    }
    if (!close_tasks(nodes, piece, done, fresh)) return false;
    root = tasks[0].result;
    done += size;
    if (size == at_once && task_count < task_room / 2) at_once = std::min(size * 2, 0xFFFFu);
  }
  return true;
}

// Gives each staged node to its task: an equal one that is there, or itself, at the top. False: no
// room. Slots and nodes are asked for beforehand, so that many are on their way at a time. Nodes
// are hashed when all are written: reading bytes as words right behind their stores would wait.
bool DiagramInsertion::settle(DiagramNodes& nodes, std::span<Staged> staged) {
  for (Staged& s : staged) {
    const u32 h = nodes.hash(stage + s.begin, s.words);
    s.slot = nodes.slot_of(h);
    s.tag = nodes.tag_of(h);
    __builtin_prefetch(nodes.slots + s.slot, 1);
  }
  for (const Staged& s : staged) {
    const u32 entry = nodes.slots[s.slot];
    if (entry != 0 && (entry & ~nodes.index_mask) == s.tag) {
      __builtin_prefetch(nodes.heap + (entry & nodes.index_mask));
    }
  }
  for (const Staged& s : staged) {
    const u32* const node = stage + s.begin;
    u32& result = tasks[s.task].result;
    u32 at = s.slot;
    for (result = 0; nodes.slots[at] != 0; at = at + 1 == nodes.slot_count ? 0 : at + 1) {
      if ((nodes.slots[at] & ~nodes.index_mask) != s.tag) continue;
      const u32 found = nodes.slots[at] & nodes.index_mask;
      // Equal headers are equal sizes.
      if (std::equal(node, node + s.words, nodes.heap + found)) {
        result = found;
        break;
      }
    }
    if (result != 0) continue;
    if (nodes.slots_used >= nodes.slot_count / 10 * 9 || nodes.top + s.words > nodes.capacity)
      return false;
    result = static_cast<u32>(nodes.top);
    std::copy(node, node + s.words, nodes.heap + nodes.top);
    nodes.slots[at] = s.tag | result;
    ++nodes.slots_used;
    nodes.top += s.words;
  }
  return true;
}

// Writes the node of a task whose kids are done, and returns its words; 0: it is the old one.
u32 DiagramInsertion::write_node(const DiagramNodes& nodes, u32 node_level, Task& task,
                                 std::span<const Task> kids, u32* node) {
  if (task.old == 0 || nodes.is_tail(task.old)) return write_new(node_level, kids, node);
  bool changed = false;
  u32 added = 0;
  for (const Task& kid : kids) {
    changed |= kid.result != kid.old;
    added += kid.old == 0 ? 1 : 0;
  }
  if (changed) return write_grown(nodes.heap + task.old, added, kids, node);
  task.result = task.old;
  return 0;
}

// The same above the last level, where the kids are bitmaps, straight from the keys. Bit i of
// `fresh` is for key i - `offset`.
u32 DiagramInsertion::write_last(const DiagramNodes& nodes, Task& task, const Word* keys,
                                 u32 offset, u64* fresh, u32* node) {
  const bool tail = task.old != 0 && nodes.is_tail(task.old);
  u32 as_node[3] = {(nodes.levels - 2) << 16, 0, 0};  // a tail is one edge with one bit
  if (tail) {
    *reinterpret_cast<u8*>(as_node + 1) =
        static_cast<u8>(nodes.tail_digit(task.old, nodes.levels - 2));
    as_node[2] = 1u << nodes.tail_digit(task.old, nodes.levels - 1);
  }
  const u32* const old = tail ? as_node : nodes.heap + task.old;
  const u32 old_count = task.old == 0 ? 0 : (old[0] & 0xFFFFu) + 1;
  const u8* const old_digits = reinterpret_cast<const u8*>(old + 1);
  const u32* const old_bitmaps = old + 1 + (old_count + 3) / 4;
  Task kids[256];
  u32 count = 0;
  u32 added = 0;
  bool changed = tail;
  const Word* key = keys + u64{task.first} * nodes.key_words;
  for (u32 k = task.first, end = k + task.keys, edge = 0; k < end;) {
    const u32 d = nodes.digit(key, nodes.levels - 2);
    edge = first_not_below(old_digits, edge, old_count, d);
    const u32 before = edge < old_count && old_digits[edge] == d ? old_bitmaps[edge] : 0;
    u32 bitmap = before;
    do {
      const u32 last = nodes.digit(key, nodes.levels - 1);
      fresh[(offset + k) / 64] |= u64{~bitmap >> last & 1} << ((offset + k) % 64);
      bitmap |= 1u << last;
      key += nodes.key_words;
    } while (++k < end && nodes.digit(key, nodes.levels - 2) == d);
    kids[count++] = {before, bitmap, 0, 0, 0, static_cast<u8>(d), static_cast<u8>(edge)};
    changed |= bitmap != before;
    added += before == 0 ? 1 : 0;
  }
  if (task.old == 0) return write_new(nodes.levels - 2, {kids, count}, node);
  if (changed) return write_grown(old, added, {kids, count}, node);
  task.result = task.old;
  return 0;
}

u32 DiagramInsertion::write_new(u32 node_level, std::span<const Task> kids, u32* node) {
  const u32 count = static_cast<u32>(kids.size());
  const u32 digit_words = (count + 3) / 4;
  node[0] = node_level << 16 | (count - 1);
  node[digit_words] = 0;
  u8* to_digit = reinterpret_cast<u8*>(node + 1);
  u32* to_child = node + 1 + digit_words;
  for (const Task& kid : kids) {
    *to_digit++ = kid.digit;
    *to_child++ = kid.result;
  }
  return 1 + digit_words + count;
}

// The old node with the kids' results, and with edges for those that it does not have.
u32 DiagramInsertion::write_grown(const u32* old, u32 added, std::span<const Task> kids,
                                  u32* node) {
  const u32 old_count = (old[0] & 0xFFFFu) + 1;
  const u32 old_words = 1 + (old_count + 3) / 4;  // before the children
  if (added == 0) {
    const u32 words = old_words + old_count;
    for (u32 i = 0; i < words; ++i) node[i] = old[i];
    for (const Task& kid : kids) node[old_words + kid.edge] = kid.result;
    return words;
  }
  const u32 count = old_count + added;
  const u32 digit_words = (count + 3) / 4;
  node[0] = old[0] + added;
  node[digit_words] = 0;
  const u8* const old_digits = reinterpret_cast<const u8*>(old + 1);
  u8* to_digit = reinterpret_cast<u8*>(node + 1);
  u32* to_child = node + 1 + digit_words;
  u32 from = 0;
  const auto copy_old = [&](u32 end) {
    for (; from < end; ++from) {
      *to_digit++ = old_digits[from];
      *to_child++ = old[old_words + from];
    }
  };
  for (const Task& kid : kids) {
    copy_old(kid.edge);
    *to_digit++ = kid.digit;
    *to_child++ = kid.result;
    from += kid.old != 0 ? 1 : 0;
  }
  copy_old(old_count);
  return 1 + digit_words + count;
}

// The tail of the one key of a task, or of another tail; returns its words. 0: it is the old one.
u32 DiagramInsertion::write_tail(const DiagramNodes& nodes, u32 tail_level, Task& task,
                                 const Word* keys, u32 offset, u64* fresh, u32* node) {
  if (task.old == 0) fresh[(offset + task.first) / 64] |= u64{1} << ((offset + task.first) % 64);
  if (task.old != 0 && nodes.level(task.old) == tail_level) {
    task.result = task.old;
    return 0;
  }
  if (task.old == 0)
    return nodes.put_tail(tail_level, keys + u64{task.first} * nodes.key_words, node);
  Word key[limits::kKeyWords];
  nodes.take_tail(task.old, key);
  return nodes.put_tail(tail_level, key, node);
}

u32 DiagramInsertion::settle_one(DiagramNodes& nodes, u32 words) {
  Staged one = {0, 0, words, 0, 0};
  return settle(nodes, {&one, 1}) ? tasks[0].result : 0;
}

}  // namespace xmc
