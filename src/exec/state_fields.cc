#include "exec/state_fields.h"

#include "ir/layout.h"
#include "xmc/check.h"

namespace xmc {

std::span<const StateField> make_fields(const ir::Program& p, Arena& arena) {
  const Slot counter = p.fair ? ir::counter_slot(p) : Slot{};
  u64 count = counter.width != 0 ? 1 : 0;
  for (const ir::Variable& v : p.variables) count += v.slot.width != 0 ? v.size : 0;
  const std::span<StateField> fields = arena.carve_array<StateField>("machine", count);
  u32 next = 0;
  for (const ir::Variable& v : p.variables) {
    for (u32 k = 0; k < v.size && v.slot.width != 0; ++k) {
      const Slot slot = ir::element_slot(v, k);
      fields[next++] = {slot.word,  slot.shift,
                        slot.width, v.role == ir::Role::location,
                        v.process,  v.is_array ? k : kNone};
    }
  }
  if (counter.width != 0) fields[next++] = {counter.word, counter.shift, counter.width};
  u64 bits = 0;
  for (const StateField& field : fields) bits += field.width;
  XMC_CHECK(bits == p.state_bits);  // what is left out here, stores would not see
  return fields;
}

}  // namespace xmc
