// What an automaton from elsewhere becomes in a program, whatever the language: locations, edges,
// and for a terminal one alarms. Guards are the language's to make, from the cubes of the original.
#pragma once

#include "ir/automaton.h"
#include "ltl/automaton.h"
#include "xmc/arena.h"

namespace xmc {

// An automaton from elsewhere as a process.
inline constexpr std::string_view kAutomatonName = "automaton";

struct AutomatonShape {
  ir::Automaton automaton;       // without guards
  std::span<const u32> origins;  // of its edges: ltl::Automaton::edges
  // In this location the run is bad for good where an accepting state would be entered, from this
  // state of the original. Only of a terminal automaton.
  struct Alarm {
    u32 location = 0;
    u32 state = 0;
  };
  std::span<const Alarm> alarms;
};

// In scratch. A terminal automaton needs no search for cycles: its accepting states are left out,
// and where one would be entered there is an alarm instead. With `as_cycles` it stays as it is.
AutomatonShape shape_of(const ltl::Automaton& from, bool as_cycles, Arena& arena);

}  // namespace xmc
