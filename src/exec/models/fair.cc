#include "exec/models/fair.h"

#include <new>
#include <span>

#include "ir/layout.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u32 kMaskBits = 64;

// Who moves in a step of the system, among its processes, without the automaton.
constexpr u16 kNobody = 0xFFFF;
struct Movers {
  u16 first = kNobody;
  u16 second = kNobody;
};
static_assert(limits::kProcesses < kNobody);

struct Fair {
  Model inner;
  Slot counter;
  u32 processes = 0;
  u32 property_moves = 1;
  std::span<const Movers> movers;  // by step
  // Of one expansion.
  std::span<Word> source;  // without its counter
  std::span<u32> labels;   // callers may not want any
  std::span<u64> enabled;  // a bit for each process
};

Movers movers_of(const Fair& f, u32 label) { return f.movers[label / f.property_moves]; }

void mark_mover(Fair& f, u16 process) {
  if (process == kNobody) return;
  f.enabled[process / kMaskBits] |= u64{1} << process % kMaskBits;
}

bool is_enabled(const Fair& f, u32 process) {
  return (f.enabled[process / kMaskBits] >> process % kMaskBits & 1) != 0;
}

void mark_enabled(Fair& f, const u32* labels, u32 count) {
  fill_zero(f.enabled);
  for (u32 i = 0; i < count; ++i) {
    const Movers movers = movers_of(f, labels[i]);
    mark_mover(f, movers.first);
    mark_mover(f, movers.second);
  }
}

// The first process from `process` on that is enabled and does not move: the one to wait for.
u32 first_unmet(const Fair& f, u32 process, Movers movers) {
  while (process < f.processes &&
         (!is_enabled(f, process) || process == movers.first || process == movers.second)) {
    ++process;
  }
  return process;
}

void set_counters(const Fair& f, u32 waited_for, const u32* labels, u32 count, Word* states) {
  const u32 at_least = first_unmet(f, waited_for, {});
  for (u32 i = 0; i < count; ++i, states += f.inner.state_words) {
    const u32 next = first_unmet(f, at_least, movers_of(f, labels[i]));
    const u64 counter = next == f.processes ? 0 : next + 1;
    states[f.counter.word] |= counter << f.counter.shift;
  }
}

Expansion expand_fair(void* self, const Word* state, const SuccessorBuffer& out) {
  Fair& f = *static_cast<Fair*>(self);
  const u32 counter = static_cast<u32>(slot_value(f.counter, state));
  copy(f.source, std::span<const Word>(state, f.source.size()));
  f.source[f.counter.word] &= ~(((u64{1} << f.counter.width) - 1) << f.counter.shift);
  u32* const labels = out.labels != nullptr ? out.labels : f.labels.data();
  Expansion result = f.inner.expand(f.inner.self, f.source.data(),
                                    {out.states, labels, out.capacity, out.may_stop});
  const bool accepting = (result.flags & kAccepting) != 0;
  if (counter != 0) result.flags &= static_cast<u8>(~kAccepting);
  if (counter == 0 && !accepting) return result;
  mark_enabled(f, labels, result.count);
  set_counters(f, counter == 0 ? 0 : counter - 1, labels, result.count, out.states);
  return result;
}

u32 initial_fair(void* self, const SuccessorBuffer& out) {
  const Fair& f = *static_cast<const Fair*>(self);
  return f.inner.initial(f.inner.self, out);
}

u32 explain_fair(void* self, const Word* state, u32 label, u32 predicate, Text& out) {
  const Fair& f = *static_cast<const Fair*>(self);
  return f.inner.explain(f.inner.self, state, label, predicate, out);
}

u32 valuation_fair(void* self, const Word* state) {
  const Fair& f = *static_cast<const Fair*>(self);
  return f.inner.valuation(f.inner.self, state);
}

u32 cycle_class_fair(const void* self, const Word* state) {
  const Fair& f = *static_cast<const Fair*>(self);
  return f.inner.cycle_class(f.inner.self, state);
}

void carve_scratch(Fair& f, Arena& arena) {
  f.source = arena.carve_array<Word>("fairness", f.inner.state_words, kLineBytes);
  f.labels = arena.carve_array<u32>("fairness", f.inner.max_successors);
  f.enabled = arena.carve_array<u64>("fairness", f.processes / kMaskBits + 1);
}

void* fork_fair(const void* self, Arena& arena) {
  const Fair& from = *static_cast<const Fair*>(self);
  Fair* fair = ::new (arena.carve("fairness", sizeof(Fair), kLineBytes)) Fair(from);
  fair->inner.self = from.inner.fork(from.inner.self, arena);
  carve_scratch(*fair, arena);
  return fair;
}

std::span<const Movers> find_movers(const ir::Program& p, Arena& arena) {
  const std::span<Movers> movers = arena.carve_array<Movers>("fairness", p.step_count);
  const auto number = [&](u32 transition) {
    const u32 process = p.transitions[transition].process;
    return static_cast<u16>(process > p.property ? process - 1 : process);
  };
  for (Movers& nobody : movers) nobody = {};
  for (u32 i = 0; i < p.transitions.size(); ++i) {
    movers[i] = {number(i), kNobody};
    if (p.transitions[i].first_pair == kNone) continue;
    const ir::Channel& c = p.channels[p.transitions[i].channel];
    for (u32 r = 0; r < c.receiver_count; ++r) {
      movers[p.transitions[i].first_pair + r] = {number(i),
                                                 number(p.receivers[c.first_receiver + r])};
    }
  }
  return movers;
}

}  // namespace

void make_fair(const ir::Program& program, const Model& inner, Arena& arena, Model& out) {
  XMC_CHECK(program.fair);
  XMC_CHECK(inner.buchi);
  XMC_CHECK(inner.unfold == nullptr);
  XMC_CHECK(inner.state_words == program.state_words);
  Fair* fair = ::new (arena.carve("fairness", sizeof(Fair), kLineBytes)) Fair{};
  fair->inner = inner;
  fair->counter = ir::counter_slot(program);
  fair->processes = ir::system_processes(program);
  fair->property_moves = program.property_moves;
  fair->movers = find_movers(program, arena);
  carve_scratch(*fair, arena);
  out = fair->inner;
  out.weak = false;
  out.self = fair;
  out.initial = initial_fair;
  out.expand = expand_fair;
  if (fair->inner.fork != nullptr) out.fork = fork_fair;
  if (fair->inner.explain != nullptr) out.explain = explain_fair;
  if (fair->inner.valuation != nullptr) out.valuation = valuation_fair;
  if (fair->inner.cycle_class != nullptr) out.cycle_class = cycle_class_fair;
}

}  // namespace xmc
