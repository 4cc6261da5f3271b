// The rounds of the analysis. Facts grow until nothing changes, every instance being followed again
// when something that it looks at has changed; then they are computed anew from what was found,
// without widening, which wins back precision and stays right: whatever happens, happens within the
// facts that are read.
#include <algorithm>
#include <iterator>

#include "lower/promela/facts.h"
#include "lower/promela/facts/flow.h"
#include "lower/promela/facts/room.h"
#include "xmc/arith.h"

namespace xmc::promela {

using ir::Interval;

namespace {

constexpr u32 kDescendingPasses = 2;
// Processes beside the active ones that are tried as a bound first, and how often.
constexpr u32 kFirstGuess = 32;
constexpr u32 kGuesses = 3;
// Where none is proved: those that are tried for their room.
constexpr u32 kRooms[] = {8, 12, 16, 24, 32, 48, 64, 96, 128, 192, limits::kPromelaNumbers};

}  // namespace

class Analysis {
 public:
  Analysis(Known& known, const FactsRequest& request, Flow& flow)
      : k_(known), s_(known.s), request_(request), flow_(flow) {}

  // False: more processes than can be counted.
  bool run();

 private:
  void collect_thresholds();
  void find_priorities();
  void set_globals();
  void add_first();
  bool follow_all();

  Known& k_;
  const System& s_;
  const FactsRequest& request_;
  Flow& flow_;
  u32 active_ = 0;
};

void Analysis::collect_thresholds() {
  u32 literals = 0;
  for (u32 i = 0; i < s_.expressions.size(); ++i) {
    if (s_.expressions[i].op == Op::literal) ++literals;
  }
  const i32 bounds[] = {ir::kEverything.lo, -32768, -1, 0, 1, 255, 32767, ir::kEverything.hi};
  std::span<i32> all = scratch_table<i32>(k_.arena, u64{literals} * 3 + std::size(bounds));
  u32 count = 0;
  for (const i32 bound : bounds) all[count++] = bound;
  for (u32 i = 0; i < s_.expressions.size(); ++i) {
    const Expr& node = s_.expressions[i];
    if (node.op != Op::literal) continue;
    all[count++] = arith::subtract(node.value, 1);
    all[count++] = node.value;
    all[count++] = arith::add(node.value, 1);
  }
  std::sort(all.begin(), all.end());
  const auto end = std::unique(all.begin(), all.end());
  k_.thresholds = all.first(static_cast<std::size_t>(end - all.begin()));
}

// Nothing narrows them: they are rare.
void Analysis::find_priorities() {
  Interval& out = k_.priorities;
  for (u32 i = 0; i < s_.proctypes.size(); ++i) {
    const i32 v = s_.proctypes[i].priority;
    out = ir::join(out, {v, v});
  }
  for (u32 i = 0; i < s_.expressions.size(); ++i) {
    const Expr& node = s_.expressions[i];
    if (node.op == Op::run) out = ir::join(out, {node.value, node.value});
  }
  for (u32 i = 0; i < s_.actions.size(); ++i) {
    const Action& action = s_.actions[i];
    if (action.kind != ActionKind::set_priority) continue;
    const Expr& node = s_.expressions[action.value];
    const Interval v{node.value, node.value};
    out = ir::join(out, node.op == Op::literal ? v : ir::kEverything);
  }
}

// Initial values are computed one after the other; what a global is not set to yet is 0.
void Analysis::set_globals() {
  const Frame& frame = k_.cells.globals();
  for (u32 i = 0; i < frame.count(); ++i) k_.set_initial(i, {0, 0});
  i32 number = 0;
  for (u32 i = 0; i < s_.global_initials.size(); ++i) {
    const Initial& one = s_.global_initials[i];
    Interval v{number + 1, number + 1};
    if (one.value == kNone) {
      ++number;
    } else {
      v = Values(k_, View(), nullptr).value(one.value);
    }
    for (u32 j = 0; j < one.count && !v.empty(); ++j) {
      const u32 cell = frame.cell_of[one.leaf + j];
      const Interval stored = cut(s_.global_leaves[one.leaf + j], v);
      const bool is_all = frame.leaves[cell] <= one.count;
      k_.set_initial(cell, is_all ? stored : ir::join(k_.initial[cell], stored));
    }
  }
}

void Analysis::add_first() {
  u32 slot = 0;
  for (u32 i = 0; i < s_.proctypes.size(); ++i) {
    const Proctype& type = s_.proctypes[i];
    for (u32 j = 0; j < type.active && slot < limits::kPromelaNumbers; ++j) {
      Instance& one = k_.make(slot++, i);
      one.is_first = true;
      for (u32 c = 0; c < type.parameter_leaves; ++c) k_.changing(one).start[c] = {0, 0};
      k_.join_start(one, {});
      k_.join_alive(one, active_);
    }
  }
  if (request_.claim == kNone) return;
  Instance& claim = k_.make(kClaim, request_.claim);
  claim.is_first = true;
  k_.join_start(claim, {});
  for (u32 n = 0; n <= k_.most_alive; ++n) k_.join_alive(claim, n);
}

bool Analysis::follow_all() {
  for (bool again = true; again;) {
    again = false;
    // Instances are added on the way.
    for (u32 i = 0; i < k_.instances.size(); ++i) {
      Instance& one = k_.instances[i];
      if (!one.life[k_.in].exists || !k_.is_dirty(one)) continue;
      flow_.analyse(one, false);
      again = true;
      if (k_.is_exceeded && request_.max_processes == 0) return false;
    }
  }
  return true;
}

bool Analysis::run() {
  collect_thresholds();
  find_priorities();
  set_globals();
  for (u32 i = 0; i < s_.proctypes.size(); ++i) active_ += s_.proctypes[i].active;
  active_ = std::min(active_, limits::kPromelaNumbers);
  k_.most_alive = limits::kPromelaNumbers;
  if (request_.max_processes != 0) k_.most_alive = std::min(k_.most_alive, request_.max_processes);
  k_.most_alive = std::max(k_.most_alive, active_);
  add_first();
  if (!follow_all()) return false;
  k_.is_widening = false;
  for (u32 pass = 0; pass < kDescendingPasses; ++pass) {
    k_.begin_pass();
    k_.is_exceeded = false;
    add_first();
    for (u32 i = 0; i < k_.instances.size(); ++i) {
      Instance& one = k_.instances[i];
      if (one.life[k_.in].exists) flow_.analyse(one, false);
    }
    k_.in = k_.out;
    k_.channels_stale = true;
  }
  k_.find_channels();
  // The places are followed once more, by what is known in the end.
  k_.begin_pass();
  for (u32 i = 0; i < k_.instances.size(); ++i) {
    Instance& one = k_.instances[i];
    if (one.life[k_.in].exists) flow_.analyse(one, true);
  }
  return true;
}

namespace {

bool find_with(u32 most, const FactsRequest& request, const System& system, Arena& arena,
               Known*& known, u32& starts) {
  const u64 memory = request.memory != 0 ? request.memory : arena.free_bytes();
  Cells* cells = scratch_new<Cells>(arena, system, arena);
  known = scratch_new<Known>(arena, system, *cells, memory, arena);
  Flow flow(*known, arena);
  const bool is_bounded = Analysis(*known, {request.claim, most}, flow).run();
  // Channels that end it give no bound that is worth its memory.
  if (!is_bounded || (most == 0 && known->exists_in(kClaim - 1) && !known->is_first(kClaim - 1))) {
    return false;
  }
  starts = most > 0 && known->is_exceeded ? flow.all_starts() : 0;
  return true;
}

}  // namespace

void Facts::take(const Known& known) {
  known_ = &known;
  slots_ = 0;
  for (u32 slot = 0; slot < limits::kPromelaNumbers; ++slot) {
    if (known.exists_in(slot)) slots_ = slot + 1;
  }
}

// Where the number alive does not prove a bound, the number of all that are ever started can. The
// facts with a bound hold up to the first `run` that finds no slot; when all that are started by
// then, that one included, fit beside the active ones, there is no such `run`.
Facts find_facts(const System& system, const FactsRequest& request, Arena& arena) {
  u32 active = 0;
  for (u32 i = 0; i < system.proctypes.size(); ++i) active += system.proctypes[i].active;
  Facts out;
  out.system_ = &system;
  Known* known = nullptr;
  u32 starts = 0;
  const u64 mark = arena.scratch_mark();
  out.is_bounded_ = find_with(request.max_processes, request, system, arena, known, starts);
  u32 most = active + kFirstGuess;
  for (u32 i = 0; i < kGuesses && !out.is_bounded_ && most < limits::kPromelaNumbers; ++i) {
    arena.scratch_release(mark);
    find_with(most, request, system, arena, known, starts);
    if (!known->is_exceeded) {
      out.is_bounded_ = true;
      break;
    }
    const bool fits = active + starts <= most;
    most = active + starts;
    if (!fits) continue;
    arena.scratch_release(mark);
    out.is_bounded_ = find_with(most, request, system, arena, known, starts);
    known->is_exceeded = false;
  }
  out.take(*known);
  if (out.is_bounded_) return out;
  // What is known of fewer processes than there can be holds until there are more.
  u32 room = 0;
  for (u32 i = 0; i < std::size(kRooms); ++i) {
    most = std::min(active + kRooms[i], limits::kPromelaNumbers);
    arena.scratch_release(mark);
    find_with(most, request, system, arena, known, starts);
    out.take(*known);
    out.slots_ = most;
    const Room taken = room_of(system, out, arena);
    if (taken.fits()) room = most;
    if (!taken.fits() || most == limits::kPromelaNumbers) break;
    // Facts of many processes take long: not where those of a few show that they are too many.
    const u64 next = active + kRooms[i + 1];
    if (taken.statements * next * next > u64{limits::kAssumedStatements} * most * most) break;
  }
  if (room == 0) room = std::min(active + kRooms[0], limits::kPromelaNumbers);
  if (room == out.slots_) return out;
  arena.scratch_release(mark);
  find_with(room, request, system, arena, known, starts);
  out.take(*known);
  out.slots_ = room;
  return out;
}

}  // namespace xmc::promela
