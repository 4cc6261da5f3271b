#include "exec/emit/emit_body.h"

#include <algorithm>

#include "ir/operands.h"
#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/scratch.h"

namespace xmc {

using ir::Action;
using ir::BodyOp;

namespace {

// A copy or fill of more leaves is a loop over addresses.
constexpr u32 kUnrolled = 64;

}  // namespace

BodyEmitter::BodyEmitter(const ir::RuleProgram& program, const FlatBodies& flat,
                         const LeafColumns& columns, bool function, EmitWriter& out, Arena& arena)
    : p_(program),
      columns_(columns),
      out_(out),
      body_(flat.actions()),
      targets_(flat.targets()),
      places_(flat.actions(), flat.targets(), flat.registers(), arena),
      memory_(scratch_array<u8>(arena, "emitter", flat.registers())) {
  for (u32 i = 0; i < body_.size(); ++i) {
    if (body_[i].op == BodyOp::begin) begin_ = i;
  }
  find_memory(function || flat.has_calls());
}

void BodyEmitter::keep_in_memory(u32 first, u32 count) {
  std::fill_n(memory_.subspan(first).begin(), count, u8{1});
  has_memory_ = true;
}

void BodyEmitter::find_memory(bool all) {
  if (all) return keep_in_memory(0, static_cast<u32>(memory_.size()));
  bool lost = false;
  const auto look = [&](const BodyPlace& place) {
    lost = lost || place.kind == Kind::unknown;
    if (place.kind == Kind::cell && place.term_count != 0)
      keep_in_memory(place.first_cell, place.cell_count);
  };
  for (u32 i = 0; i < body_.size(); ++i) {
    const BodyOp op = body_[i].op;
    if (op == BodyOp::load_at || op == BodyOp::store_at || op == BodyOp::copy || op == BodyOp::fill)
      look(places_.of(i));
    if (op == BodyOp::copy) look(places_.source(i));
    // A loop over addresses reads registers as cells.
    const bool loop = (op == BodyOp::copy || op == BodyOp::fill) && body_[i].c > kUnrolled;
    lost = lost || loop;
  }
  if (!lost) return;
  for (const Action& x : body_) {
    if (x.op == BodyOp::address) keep_in_memory(x.a, x.c);
  }
}

// --- Pieces --------------------------------------------------------------------------------------

void BodyEmitter::reg(u32 r) { out_.format(memory_[r] != 0 ? "fp[%u]" : "r%u", r); }

void BodyEmitter::number(i64 value) {
  if (value == kUndefined) return out_.add("kUndefined");
  out_.format("%lld", static_cast<long long>(value));
}

// A sum over the digits of a place; strides of its own, or those of a column.
void BodyEmitter::digits(const BodyPlace& place, const u32* strides, i64 base) {
  out_.format("%lld", static_cast<long long>(base));
  for (u32 i = 0; i < place.term_count; ++i) {
    const u32 stride = strides != nullptr ? strides[i] : place.terms[i].stride;
    // A stride can be negative as a number of elements, modulo 2^32.
    if (stride != 0) out_.format(" + x%u * %uu", place.terms[i].action, stride);
  }
}

void BodyEmitter::slot_words(const char* call, const Slot& slot) {
  out_.format("%s<%u, %u, %u, %d", call, slot.word, slot.shift, slot.width, slot.offset);
}

// The value at a place that is known.
void BodyEmitter::read(const BodyPlace& place) {
  if (place.kind == Kind::cell) {
    if (place.term_count == 0) return reg(static_cast<u32>(place.base));
    out_.add("fp[");
    digits(place, nullptr, place.base);
    return out_.add("]");
  }
  const ColumnPlace column = columns_.find(place);
  if (place.term_count == 0) {
    slot_words(p_.generates ? "total" : "leaf",
               p_.leaves[static_cast<std::size_t>(place.base)].slot);
    return out_.format(">(%s)", from_);
  }
  if (column.variable == kNone) {
    out_.add(p_.generates ? "total(kLeaf[" : "read(kLeaf[");
    digits(place, nullptr, place.base);
    return out_.format("], %s)", from_);
  }
  const ir::Variable& v = p_.variables[column.variable];
  slot_words(p_.generates ? "total_element" : "element", v.slot);
  out_.format(", %u, %u>(%s, ", v.per_word, v.size, from_);
  digits(place, column.strides, column.element);
  out_.add(")");
}

// What comes between these two is stored at a place that is known.
void BodyEmitter::open_write(const BodyPlace& place) {
  if (place.kind == Kind::cell) {
    read(place);
    return out_.add(" = ");
  }
  const ColumnPlace column = columns_.find(place);
  if (place.term_count == 0) {
    slot_words(p_.generates ? "put_total" : "put",
               p_.leaves[static_cast<std::size_t>(place.base)].slot);
    return out_.add(">(n, ");
  }
  if (column.variable == kNone) {
    out_.add(p_.generates ? "put_total(kLeaf[" : "write(kLeaf[");
    digits(place, nullptr, place.base);
    return out_.add("], n, ");
  }
  const ir::Variable& v = p_.variables[column.variable];
  slot_words(p_.generates ? "put_total_element" : "put_element", v.slot);
  out_.format(", %u, %u>(n, ", v.per_word, v.size);
  digits(place, column.strides, column.element);
  out_.add(", ");
}

void BodyEmitter::close_write(const BodyPlace& place) {
  out_.add(place.kind == Kind::cell ? "; " : "); ");
}

bool BodyEmitter::is_known(const BodyPlace& place, u32 count) const {
  if (place.kind == Kind::unknown || count > kUnrolled || place.base < 0) return false;
  if (place.kind == Kind::cell) return true;
  return static_cast<u64>(place.base) + count <= p_.leaves.size();
}

void BodyEmitter::declare() {
  for (u32 r = 0; r < memory_.size(); ++r) {
    if (memory_[r] == 0) out_.format("  [[maybe_unused]] i64 r%u = 0;\n", r);
  }
  for (u32 i = 0; i < body_.size(); ++i) {
    if (body_[i].op == BodyOp::index || body_[i].op == BodyOp::index_more)
      out_.format("  [[maybe_unused]] u32 x%u = 0;\n", i);
  }
}

void BodyEmitter::label(u32 at) {
  if (is_target(at) && body_[at].op != BodyOp::disabled) out_.format("  L%u:;\n", at);
}

// --- Multisets -----------------------------------------------------------------------------------

bool BodyEmitter::may_write(u32 at, i64 first, i64 end) const {
  const Action& x = body_[at];
  if (x.op == BodyOp::call) return true;
  if (x.op == BodyOp::store) return x.a >= first && x.a < end;
  if (x.op != BodyOp::store_at && x.op != BodyOp::fill && x.op != BodyOp::copy) return false;
  const BodyPlace place = places_.of(at);
  if (place.kind == Kind::unknown) return true;
  if (place.kind == Kind::cell) return false;
  i64 last = place.base + (x.op == BodyOp::store_at ? 1 : x.c);
  for (u32 i = 0; i < place.term_count; ++i)
    last += i64{place.terms[i].count - 1} * place.terms[i].stride;
  return place.base < end && last > first;
}

// Elements of a multiset that no action can write are in order as they are.
bool BodyEmitter::touches(u32 first, u32 count) const {
  for (u32 i = 0; i < body_.size(); ++i) {
    if (may_write(i, first, i64{first} + count)) return true;
  }
  return false;
}

}  // namespace xmc
