#include "exec/models/projection.h"

#include <new>

#include "ir/layout.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

struct Projection {
  const ir::Program* whole;
  const ir::Program* reduced;
  const ir::DeadVariables* dead;
  std::span<i32> cells;
};

void map(void* self, const Word* from, Word* to) {
  const Projection& m = *static_cast<const Projection*>(self);
  const ir::Program& p = *m.whole;
  for (const ir::Variable& v : p.variables) {
    for (u32 k = 0; k < v.size; ++k)
      m.cells[v.first_initial + k] = slot_value(ir::element_slot(v, k), from);
  }
  for (const ir::DeadPlaces& places : m.dead->places) {
    const u32 at = static_cast<u32>(m.cells[places.cell]);
    if (at >= places.count) continue;
    const ir::Range dead = m.dead->by_location[places.first + at];
    for (u32 i = dead.first; i < dead.first + dead.count; ++i)
      m.cells[m.dead->cells[i].cell] = m.dead->cells[i].value;
  }
  const ir::Program& q = *m.reduced;
  fill_zero(std::span<Word>(to, q.state_words));
  for (const ir::Variable& v : q.variables) {
    for (u32 k = 0; k < v.size; ++k)
      ir::write_slot(ir::element_slot(v, k), m.cells[v.first_initial + k], to);
  }
  if (!q.fair) return;
  const Slot counter = ir::counter_slot(p);
  ir::write_slot(ir::counter_slot(q), slot_value(counter, from), to);
}

}  // namespace

StateMap make_projection(const ir::Program& whole, const ir::Program& reduced,
                         const ir::DeadVariables& dead, Arena& arena) {
  XMC_CHECK(whole.initial_values.size() == reduced.initial_values.size());
  XMC_CHECK(whole.fair == reduced.fair);
  const auto cells = arena.carve_array<i32>("replay", whole.initial_values.size());
  Projection* const made = ::new (arena.carve("replay", sizeof(Projection), alignof(Projection)))
      Projection{&whole, &reduced, &dead, cells};
  return {made, whole.state_words, map};
}

}  // namespace xmc
