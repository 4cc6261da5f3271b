#include "ir/layout.h"

#include <algorithm>
#include <bit>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/hash.h"
#include "xmc/limits.h"

namespace xmc::ir {

namespace {

constexpr u32 kWordBits = 64;

struct Item {
  u32 variable;
  u32 bits;  // of the whole vector, if it fits one word
};

u32 field_bits(const Variable& v) {
  return static_cast<u32>(std::bit_width(static_cast<u32>(v.hi) - static_cast<u32>(v.lo)));
}

class Bins {
 public:
  // First word with room for `bits`; opens a new one if there is none.
  bool place(u32 bits, u16& word, u8& shift) {
    u32 w = 0;
    while (w < count_ && used_[w] + bits > kWordBits) ++w;
    if (w == limits::kStateWords) return false;
    if (w == count_) ++count_;
    word = static_cast<u16>(w);
    shift = used_[w];
    used_[w] = static_cast<u8>(used_[w] + bits);
    return true;
  }
  // Fresh words for a long vector, each `bits` full from bit 0.
  bool place_words(u32 words, u32 bits, u32 last_bits, u16& word) {
    if (count_ + words > limits::kStateWords) return false;
    word = static_cast<u16>(count_);
    for (u32 i = 0; i < words; ++i)
      used_[count_++] = static_cast<u8>(i + 1 == words ? last_bits : bits);
    return true;
  }
  u32 count() const { return count_; }
  u32 used(u32 word) const { return used_[word]; }

 private:
  u8 used_[limits::kStateWords] = {};
  u32 count_ = 0;
};

Status too_wide() {
  return Status::fail(Code::model,
                      "a state needs more than %u bytes (limit kStateWords); use smaller arrays",
                      limits::kStateWords * 8);
}

}  // namespace

Slot counter_slot(const Program& p) {
  XMC_CHECK(p.fair);
  u32 used[limits::kStateWords] = {};
  for (const Variable& v : p.variables) {
    for (u32 k = 0; k < v.size && v.slot.width != 0; ++k) {
      const Slot s = element_slot(v, k);
      used[s.word] = std::max(used[s.word], u32{s.shift} + s.width);
    }
  }
  // It counts from 0 to the number of processes.
  const u32 width = static_cast<u32>(std::bit_width(system_processes(p)));
  u32 word = 0;
  while (word + 1 < limits::kStateWords && used[word] + width > kWordBits) ++word;
  return {static_cast<u16>(word), static_cast<u8>(used[word]), static_cast<u8>(width), 0};
}

void write_slot(const Slot& slot, i32 value, Word* state) {
  if (slot.width == 0) {
    XMC_CHECK(value == slot.offset);
    return;
  }
  const u64 mask = (u64{1} << slot.width) - 1;
  const u64 raw = static_cast<u64>(static_cast<i64>(value) - slot.offset);
  XMC_CHECK(raw <= mask);
  Word& w = state[slot.word];
  w = (w & ~(mask << slot.shift)) | (raw << slot.shift);
}

Status assign_layout(Program& p, Arena& arena) {
  const u64 mark = arena.scratch_mark();
  const u64 count = p.variables.size();
  Item* items = static_cast<Item*>(arena.scratch("layout", count * sizeof(Item), alignof(Item)));
  Bins bins;
  u32 small = 0;
  for (u32 i = 0; i < count; ++i) {
    Variable& v = p.variables[i];
    const u32 width = field_bits(v);
    v.slot = {.width = static_cast<u8>(width), .offset = v.lo};
    v.per_word = width == 0 ? std::max(v.size, 1u) : kWordBits / width;
    p.state_bits += width * v.size;
    if (width == 0) continue;
    if (v.size <= v.per_word) {
      v.per_word = std::max(v.size, 1u);
      items[small++] = {i, width * v.size};
      continue;
    }
    const u32 words = static_cast<u32>(divide_up(v.size, v.per_word));
    const u32 last = (v.size - (words - 1) * v.per_word) * width;
    if (!bins.place_words(words, v.per_word * width, last, v.slot.word)) return too_wide();
  }
  // Largest first fills the words best; equal sizes keep the order of declaration.
  std::sort(items, items + small, [](const Item& a, const Item& b) {
    return a.bits != b.bits ? a.bits > b.bits : a.variable < b.variable;
  });
  for (u32 i = 0; i < small; ++i) {
    Variable& v = p.variables[items[i].variable];
    if (!bins.place(items[i].bits, v.slot.word, v.slot.shift)) return too_wide();
  }
  arena.scratch_release(mark);
  if (p.fair) {
    const Slot counter = counter_slot(p);
    Slot placed = counter;
    p.state_bits += counter.width;
    if (counter.width != 0 && !bins.place(counter.width, placed.word, placed.shift))
      return too_wide();
    XMC_CHECK(placed.word == counter.word);
    XMC_CHECK(placed.shift == counter.shift);
  }

  p.state_words = std::max(bins.count(), 1u);
  const u32 last_bits = bins.count() == 0 ? 1 : bins.used(bins.count() - 1);
  p.state_bytes = (p.state_words - 1) * 8 + static_cast<u32>(divide_up(std::max(last_bits, 1u), 8));
  p.initial = arena.carve_array<Word>("program", p.state_words);
  for (const Variable& v : p.variables) {
    for (u32 k = 0; k < v.size; ++k) {
      write_slot(element_slot(v, k), p.initial_values[v.first_initial + k], p.initial.data());
    }
  }
  if (p.error_state) {
    p.error = arena.carve_array<Word>("program", p.state_words);
    for (const Variable& v : p.variables) {
      for (u32 k = 0; k < v.size; ++k) write_slot(element_slot(v, k), 0, p.error.data());
    }
    const Process& first = p.processes[0];
    write_slot(p.variables[first.location].slot, static_cast<i32>(first.location_count),
               p.error.data());
  }
  return {};
}

namespace {

class Mixer {
 public:
  template <class T>
  void add(const T& value) {
    u8 bytes[8];
    store_le<u64>(bytes, static_cast<u64>(value));
    hash_ = hash_bytes(bytes, hash_);
  }
  u64 value() const { return hash_; }

 private:
  u64 hash_ = kDefaultSeed;
};

}  // namespace

namespace {

void add_rules(std::span<const Rule> rules, Mixer& m) {
  for (const Rule& r : rules) {
    m.add(r.code);
    m.add(r.parameter_count);
    m.add(r.step_count);
    m.add(r.priority);
  }
}

void add_bodies(const RuleProgram& p, Mixer& m) {
  for (const Action& a : p.actions.first(p.model_actions)) {
    m.add(static_cast<u32>(a.op) | u32{a.reason} << 8);
    m.add(u64{a.r} << 32 | a.a);
    m.add(u64{a.b} << 32 | a.c);
    m.add(a.d);
  }
  add_rules(p.rules, m);
  add_rules(p.starts, m);
  add_rules(p.liveness, m);
  for (const u32 code : p.assumptions) m.add(code);
  for (const u32 code : p.covers) m.add(code);
  for (const Parameter& q : p.parameters) {
    m.add(q.cell);
    m.add(q.low);
    m.add(q.step);
    m.add(q.count);
  }
  if (!p.generates) return;
  for (const Rule& r : p.rules) m.add(r.first_step);
  for (const u32 target : p.jump_targets) m.add(target);
  for (const u32 bound : {p.step_count, p.max_successors, p.chain_ends, p.valid_end, p.accepts})
    m.add(bound);
}

}  // namespace

u64 code_hash(const Program& p) {
  Mixer m;
  for (const Expr& e : p.exprs.first(p.model_exprs)) {
    m.add(static_cast<u32>(e.op) | (e.check ? 256u : 0u));
    m.add(e.a);
    m.add(e.b);
  }
  for (const Variable& v : p.variables) {
    m.add(v.size);
    m.add(v.slot.word);
    m.add(v.slot.shift);
    m.add(v.slot.width);
    m.add(v.slot.offset);
    m.add(v.type_lo);
    m.add(v.type_hi);
  }
  for (const Transition& t : p.transitions) {
    m.add(t.process);
    m.add(t.source);
    m.add(t.target);
    m.add(t.guard);
    m.add(static_cast<u32>(t.sync));
    m.add(t.channel);
    m.add(t.value_count);
    m.add(t.assignment_count);
  }
  for (const Assignment& a : p.assignments) {
    m.add(a.target.variable);
    m.add(a.target.element);
    m.add(a.target.index);
    m.add(a.value);
  }
  for (const ExprId e : p.sent) m.add(e);
  for (const Word w : p.initial) m.add(w);
  m.add(p.property);
  m.add(p.error_state);
  if (p.has_rules) add_bodies(with_rules(p), m);
  return m.value();
}

u64 program_hash(const Program& p) {
  if (!p.fair) return code_hash(p);
  Mixer m;
  m.add(code_hash(p));
  const Slot counter = counter_slot(p);
  m.add(counter.word);
  m.add(counter.shift);
  m.add(counter.width);
  return m.value();
}

}  // namespace xmc::ir
