// Code is made for each statement of each place of each slot and each channel that it can be about,
// and for a send without a buffer for each receive that can take its message: with the processes it
// grows by their square or worse, where the bits of a state grow evenly.
#include "lower/promela/facts/room.h"

#include <bit>

#include "lower/promela/facts/cells.h"

namespace xmc::promela {

namespace {

u32 bits_of(ir::Interval v) {
  if (v.empty()) return 0;
  return static_cast<u32>(std::bit_width(static_cast<u32>(v.hi) - static_cast<u32>(v.lo)));
}

class Measure {
 public:
  Measure(const System& system, const Facts& facts, Arena& arena)
      : s_(system), facts_(facts), receivers_(scratch_table<u32>(arena, facts.channels() + 1)) {}

  Room run() {
    each([&](u32 slot, PlaceId place, const Action& action) {
      if (action.kind != ActionKind::receive) return;
      const Numbers numbers = facts_.channel(slot, place, action.channel);
      for (u32 n = numbers.next(1); n != kNone && n <= facts_.channels(); n = numbers.next(n + 1))
        ++receivers_[n];
    });
    each([&](u32 slot, PlaceId place, const Action& action) { count(slot, place, action); });
    for (u32 slot = 0; slot < facts_.slots(); ++slot) out_.bits += slot_bits(slot);
    for (u32 n = 1; n <= facts_.channels(); ++n) out_.bits += channel_bits(n);
    return out_;
  }

 private:
  template <class Use>
  void each(Use use) {
    for (u32 slot = 0; slot < facts_.slots(); ++slot) {
      for (u32 t = 0; t < s_.proctypes.size(); ++t) {
        const Proctype& type = s_.proctypes[t];
        if (!can_run(type.kind) || !facts_.can_be(slot, t)) continue;
        for (u32 p = 0; p < type.place_count; ++p) {
          const PlaceId id = type.first_place + p;
          if (!facts_.can_be_at(slot, id)) continue;
          const Place& place = s_.places[id];
          for (u32 o = 0; o < place.option_count; ++o)
            use(slot, id, s_.actions[s_.options[place.first_option + o].action]);
        }
      }
    }
  }

  void count(u32 slot, PlaceId place, const Action& action) {
    ++out_.statements;
    if (action.kind != ActionKind::send && action.kind != ActionKind::receive) return;
    const Numbers numbers = facts_.channel(slot, place, action.channel);
    for (u32 n = numbers.next(1); n != kNone && n <= facts_.channels(); n = numbers.next(n + 1)) {
      ++out_.statements;
      bool is_direct = false;
      for (u32 f = 0; f < s_.channels.size(); ++f)
        is_direct = is_direct || (s_.channels[f].capacity == 0 && facts_.can_have_form(n, f));
      if (action.kind == ActionKind::send && is_direct) out_.statements += receivers_[n];
    }
  }

  // Types share the cells.
  u32 slot_bits(u32 slot) const {
    u32 most = 0;
    u32 places = 1;
    for (u32 t = 0; t < s_.proctypes.size(); ++t) {
      const Proctype& type = s_.proctypes[t];
      if (!can_run(type.kind) || !facts_.can_be(slot, t)) continue;
      places += type.place_count;
      u32 bits = 0;
      for (u32 i = 0; i < type.leaf_count; ++i)
        bits += bits_of(ir::join(facts_.local(slot, t, i), {0, 0}));
      if (bits > most) most = bits;
    }
    return most + static_cast<u32>(std::bit_width(places));
  }

  u32 channel_bits(u32 number) const {
    u32 most = 0;
    for (u32 f = 0; f < s_.channels.size(); ++f) {
      if (!facts_.can_have_form(number, f)) continue;
      const ChannelForm& form = s_.channels[f];
      u32 bits = 0;
      for (u32 i = 0; i < form.field_count; ++i)
        bits += bits_of(ir::join(facts_.message(number, i), {0, 0}));
      const u32 all = bits * form.capacity + static_cast<u32>(std::bit_width(form.capacity));
      if (all > most) most = all;
    }
    return most + 1;
  }

  const System& s_;
  const Facts& facts_;
  std::span<u32> receivers_;  // by channel: receives that can be about it
  Room out_;
};

}  // namespace

Room room_of(const System& system, const Facts& facts, Arena& arena) {
  return Measure(system, facts, arena).run();
}

}  // namespace xmc::promela
