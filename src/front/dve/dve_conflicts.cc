// A rendezvous runs the receiver's effects, then the sender's. Where both assign one global (an
// array counts as a whole) the order decides, and the reference implementation makes the step an
// error; so this deserves a warning.
//
// One pass over the transitions fills a table by (channel, variable) with who assigns: the first
// sending and the first receiving transition, and whether other processes do so too. A conflict
// needs two different processes.
#include <new>
#include <span>

#include "front/dve/dve_check.h"
#include "front/dve/dve_cursor.h"

namespace xmc::dve {

namespace {

struct Writer {
  u32 transition = kNone;
  bool several = false;  // transitions of more than one process
};

struct Entry {
  u32 channel = kNone;
  u32 variable = kNone;
  Writer sender;
  Writer receiver;
  bool warned = false;
};

bool is_rendezvous(const System& system, const Transition& transition) {
  if (transition.sync == Sync::none || transition.channel == kNone) return false;
  return system.channels[transition.channel].capacity == 0;
}

bool is_global(const System& system, const Assignment& assignment) {
  return system.variables[assignment.target.variable].process == kNone;
}

Entry& find(std::span<Entry> table, u32 channel, u32 variable) {
  const u32 mask = static_cast<u32>(table.size()) - 1;
  u32 h = (channel * 0x9E37'79B1u) ^ (variable * 0x85EB'CA6Bu);
  h ^= h >> 15;
  for (u32 at = h & mask;; at = (at + 1) & mask) {
    Entry& entry = table[at];
    if (entry.channel == kNone) {
      entry.channel = channel;
      entry.variable = variable;
    }
    if (entry.channel == channel && entry.variable == variable) return entry;
  }
}

bool conflict(const System& system, const Entry& entry) {
  if (entry.sender.transition == kNone || entry.receiver.transition == kNone) return false;
  if (entry.sender.several || entry.receiver.several) return true;
  return system.transitions[entry.sender.transition].process !=
         system.transitions[entry.receiver.transition].process;
}

void note(const System& system, u32 t, Writer& writer) {
  if (writer.transition == kNone) {
    writer.transition = t;
  } else if (system.transitions[writer.transition].process != system.transitions[t].process) {
    writer.several = true;
  }
}

void warn(Diagnostics& diagnostics, const System& system, const Entry& entry) {
  const std::string_view channel = system.channels[entry.channel].name;
  const std::string_view variable = system.variables[entry.variable].name;
  const Transition& sender = system.transitions[entry.sender.transition];
  const Transition& receiver = system.transitions[entry.receiver.transition];
  diagnostics.warning(
      sender.text_begin, sender.text_begin + 1,
      "sender and receiver of '%.*s' may both assign '%.*s'; the receiver's effects come first",
      shown_bytes(channel), channel.data(), shown_bytes(variable), variable.data());
  diagnostics.note(receiver.text_begin, receiver.text_begin + 1, "a receiver that assigns it");
}

}  // namespace

void warn_conflicting_effects(Diagnostics& diagnostics, Arena& arena, const System& system) {
  u64 pairs = 0;
  for (u32 t = 0; t < system.transitions.size(); ++t) {
    const Transition& transition = system.transitions[t];
    if (is_rendezvous(system, transition)) pairs += transition.assignment_count;
  }
  if (pairs == 0) return;
  u64 size = 16;
  while (size < pairs * 2) size *= 2;
  const u64 mark = arena.scratch_mark();
  Entry* memory =
      static_cast<Entry*>(arena.scratch("effect conflicts", size * sizeof(Entry), alignof(Entry)));
  const std::span<Entry> table(memory, static_cast<std::size_t>(size));
  for (Entry& entry : table) ::new (static_cast<void*>(&entry)) Entry;
  for (u32 t = 0; t < system.transitions.size(); ++t) {
    const Transition& transition = system.transitions[t];
    if (!is_rendezvous(system, transition) || transition.process == system.property) continue;
    for (u32 i = 0; i < transition.assignment_count; ++i) {
      const Assignment& assignment = system.assignments[transition.first_assignment + i];
      if (!is_global(system, assignment)) continue;
      Entry& entry = find(table, transition.channel, assignment.target.variable);
      note(system, t, transition.sync == Sync::send ? entry.sender : entry.receiver);
      if (entry.warned || !conflict(system, entry)) continue;
      entry.warned = true;
      warn(diagnostics, system, entry);
    }
  }
  arena.scratch_release(mark);
}

}  // namespace xmc::dve
