#include "exec/models/compare.h"

#include <new>
#include <span>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

struct Pair {
  Model fast;
  Model judge;
  SuccessorBuffer fast_labels;  // only its labels are used: callers may not want any
  SuccessorBuffer judged;
};

template <class T>
bool same(const T* a, const T* b, u64 count) {
  const std::size_t bytes = static_cast<std::size_t>(count * sizeof(T));
  return equal({reinterpret_cast<const u8*>(a), bytes}, {reinterpret_cast<const u8*>(b), bytes});
}

Expansion expand_pair(void* self, const Word* state, const SuccessorBuffer& out) {
  Pair& p = *static_cast<Pair*>(self);
  const SuccessorBuffer labelled = {out.states, p.fast_labels.labels, out.capacity, out.may_stop};
  p.judged.may_stop = out.may_stop;
  const Expansion a = p.fast.expand(p.fast.self, state, labelled);
  const Expansion b = p.judge.expand(p.judge.self, state, p.judged);
  if (((a.flags | b.flags) & kUnfinished) != 0) return {.flags = kLong | kUnfinished};
  XMC_CHECK(a.count == b.count);
  XMC_CHECK(a.repeats == b.repeats);
  XMC_CHECK(same(out.states, p.judged.states, u64{a.count} * p.fast.state_words));
  XMC_CHECK(same(p.fast_labels.labels, p.judged.labels, a.count));
  XMC_CHECK(((a.flags ^ b.flags) & ~kLong) == 0);
  XMC_CHECK(a.violated == b.violated);
  XMC_CHECK(a.errors == b.errors);
  XMC_CHECK(a.dropped == b.dropped);
  XMC_CHECK(a.error_label == b.error_label);
  if (out.labels != nullptr) {
    copy(std::span<u32>(out.labels, a.count), std::span<const u32>(p.fast_labels.labels, a.count));
  }
  return a;
}

u32 initial_pair(void* self, const SuccessorBuffer& out) {
  Pair& p = *static_cast<Pair*>(self);
  const u32 count = p.fast.initial(p.fast.self, out);
  XMC_CHECK(count == p.judge.initial(p.judge.self, p.judged));
  XMC_CHECK(same(out.states, p.judged.states, u64{count} * p.fast.state_words));
  return count;
}

u32 live_pair(void* self, const Word* state) {
  Pair& p = *static_cast<Pair*>(self);
  const u32 bits = p.fast.live(p.fast.self, state);
  XMC_CHECK(bits == p.judge.live(p.judge.self, state));
  return bits;
}

u32 cycle_class_pair(const void* self, const Word* state) {
  const Pair& p = *static_cast<const Pair*>(self);
  return p.fast.cycle_class(p.fast.self, state);
}

void carve_buffers(Pair& pair, Arena& arena) {
  const u64 most = pair.fast.max_successors;
  pair.fast_labels.labels = arena.carve_array<u32>("paranoid", most, kLineBytes).data();
  pair.judged = {arena.carve_array<Word>("paranoid", most * pair.fast.state_words).data(),
                 arena.carve_array<u32>("paranoid", most).data(), pair.fast.max_successors};
}

void* fork_pair(const void* self, Arena& arena) {
  const Pair& from = *static_cast<const Pair*>(self);
  Pair* pair = ::new (arena.carve("paranoid", sizeof(Pair), kLineBytes)) Pair(from);
  pair->fast.self = from.fast.fork(from.fast.self, arena);
  pair->judge.self = from.judge.fork(from.judge.self, arena);
  carve_buffers(*pair, arena);
  return pair;
}

}  // namespace

void make_compared(const Model& fast, const Model& judge, Arena& arena, Model& out) {
  XMC_CHECK(fast.state_words == judge.state_words);
  XMC_CHECK(fast.max_successors == judge.max_successors);
  Pair* pair = ::new (arena.carve("paranoid", sizeof(Pair), alignof(Pair))) Pair{};
  pair->fast = fast;
  pair->judge = judge;
  carve_buffers(*pair, arena);
  out = pair->fast;  // `out` may be `fast` itself
  out.self = pair;
  out.initial = initial_pair;
  out.expand = expand_pair;
  if (pair->fast.live != nullptr) out.live = live_pair;
  if (pair->fast.cycle_class != nullptr) out.cycle_class = cycle_class_pair;
  out.fork = pair->fast.fork != nullptr && pair->judge.fork != nullptr ? fork_pair : nullptr;
}

}  // namespace xmc
