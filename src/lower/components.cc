#include "lower/components.h"

#include <algorithm>

namespace xmc {

namespace {

// Tarjan's algorithm over some of the locations, without recursion.
class Components {
 public:
  Components(const ir::Program& program, bool errors_lead_on, Arena& arena)
      : p_(program),
        process_(program.processes[program.property]),
        errors_lead_on_(errors_lead_on) {
    const u64 n = process_.location_count;
    const auto array = [&] {
      return static_cast<u32*>(arena.scratch("components", n * sizeof(u32), alignof(u32)));
    };
    component_ = array();
    low_ = array();
    order_ = array();
    stack_ = array();
    frames_ = array();
    edges_ = array();
    chosen_ = static_cast<u8*>(arena.scratch("components", n, 1));
    has_cycle_ = static_cast<u8*>(arena.scratch("components", n, 1));
  }

  // Afterwards component_of() numbers the chosen locations; a component of one location has a cycle
  // only if a step leads back to it.
  template <class Choose>
  void find(Choose choose) {
    const u32 n = process_.location_count;
    for (u32 l = 0; l < n; ++l) {
      chosen_[l] = choose(l) ? 1 : 0;
      has_cycle_[l] = 0;
    }
    std::fill_n(order_, n, kNone);
    std::fill_n(component_, n, kNone);
    count_ = visited_ = stacked_ = 0;
    for (u32 l = 0; l < n; ++l) {
      if (chosen_[l] != 0 && order_[l] == kNone) visit(l);
    }
  }

  u32 component_of(u32 location) const { return component_[location]; }
  bool has_cycle(u32 component) const { return has_cycle_[component] != 0; }
  u32 count() const { return count_; }

 private:
  // The i-th target of a location, or kNone.
  u32 target(u32 location, u32 i) const {
    const ir::Range range = ir::transitions_at(p_, p_.property, location);
    if (i < range.count) return p_.transitions[p_.order[range.first + i]].target;
    return i == range.count && errors_lead_on_ ? 0 : kNone;
  }

  void enter(u32 location, u32& depth) {
    order_[location] = low_[location] = visited_++;
    stack_[stacked_++] = location;
    frames_[depth] = location;
    edges_[depth++] = 0;
  }

  void visit(u32 root) {
    u32 depth = 0;
    enter(root, depth);
    while (depth > 0) {
      const u32 from = frames_[depth - 1];
      const u32 to = target(from, edges_[depth - 1]);
      if (to == kNone) {
        leave(from);
        --depth;
        if (depth > 0) low_[frames_[depth - 1]] = std::min(low_[frames_[depth - 1]], low_[from]);
        continue;
      }
      ++edges_[depth - 1];
      if (chosen_[to] == 0) continue;
      if (order_[to] == kNone) {
        enter(to, depth);
      } else if (component_[to] == kNone) {
        low_[from] = std::min(low_[from], order_[to]);
      }
    }
  }

  void leave(u32 location) {
    if (low_[location] != order_[location]) return;
    u32 members = 0;
    for (u32 member = kNone; member != location; ++members) {
      member = stack_[--stacked_];
      component_[member] = count_;
    }
    bool cycle = members > 1;
    for (u32 i = 0; !cycle && target(location, i) != kNone; ++i) {
      cycle = target(location, i) == location;
    }
    has_cycle_[count_++] = cycle ? 1 : 0;
  }

  const ir::Program& p_;
  const ir::Process& process_;
  bool errors_lead_on_;
  u32* component_;
  u32* low_;
  u32* order_;   // in which locations are met; kNone: not yet
  u32* stack_;   // locations whose component is not known
  u32* frames_;  // the path that is being walked, and the next step of each of its locations
  u32* edges_;
  u8* chosen_;
  u8* has_cycle_;  // by component
  u32 count_ = 0;
  u32 visited_ = 0;
  u32 stacked_ = 0;
};

}  // namespace

void mark_components(ir::Program& program, bool errors_lead_on, Arena& arena) {
  if (!program.buchi) return;
  const ir::Process& property = program.processes[program.property];
  program.cycle_classes = arena.carve_array<u32>("program", property.location_count);
  const u64 mark = arena.scratch_mark();
  const u8* const flags = program.location_flags.data() + property.first_location;
  const auto accepting = [&](u32 l) { return (flags[l] & ir::kAcceptingLocation) != 0; };
  Components components(program, errors_lead_on, arena);
  components.find([](u32) { return true; });
  const std::span<u32> classes = program.cycle_classes;
  auto* const accepts =
      static_cast<u8*>(arena.scratch("components", std::max(components.count(), 1u), 1));
  std::fill_n(accepts, components.count(), u8{0});
  for (u32 l = 0; l < property.location_count; ++l) {
    const u32 component = components.component_of(l);
    if (accepting(l) && components.has_cycle(component)) accepts[component] = 1;
  }
  for (u32 l = 0; l < property.location_count; ++l) {
    const u32 component = components.component_of(l);
    classes[l] = accepts[component] != 0 ? component + 1 : 0;
  }
  components.find([&](u32 l) { return !accepting(l) && classes[l] != 0; });
  program.weak_property = true;
  for (u32 c = 0; c < components.count(); ++c) {
    if (components.has_cycle(c)) program.weak_property = false;
  }
  arena.scratch_release(mark);
}

}  // namespace xmc
