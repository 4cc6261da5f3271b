#include "lower/promela/promela_lower.h"

#include <algorithm>
#include <new>

#include "ir/tables/make_tables.h"
#include "lower/keep.h"
#include "lower/product.h"
#include "lower/promela/bodies.h"
#include "lower/promela/expr/writer.h"
#include "lower/promela/layout/layout.h"
#include "lower/promela/move/indivisible.h"
#include "lower/promela/move/moves.h"
#include "lower/promela/steps/step_questions.h"
#include "lower/promela/text.h"
#include "xmc/limits.h"
#include "xmc/scratch.h"

namespace xmc {

namespace promela_lower {

namespace {

u32 text_bytes(const promela::System& system) {
  u32 end = 0;
  for (u32 i = 0; i < system.files.size(); ++i) {
    const Source& file = system.files[i];
    end = std::max(end, file.first + static_cast<u32>(file.text.size()));
  }
  return end + 1;
}

bool uses_timeout(const promela::System& system) {
  for (u32 i = 0; i < system.expressions.size(); ++i) {
    if (system.expressions[i].op == Op::timeout) return true;
  }
  return false;
}

// What one lowering makes beside the program, kept until its steps are found and it is described.
struct Lowered {
  Lowered(const promela::System& system, const promela::Facts& facts, Arena& arena)
      : names(arena),
        slots(system, facts, arena),
        layout{system, facts, slots, uses_timeout(system), {}, {}},
        words(system, arena),
        property(arena) {}

  NameStore names;
  Slots slots;
  Layout layout;
  Words words;
  Property property;
  DeadLocals dead;
  StepRecord* record = nullptr;  // null: nobody wants to know
};

// Tests that ask for tests, one inside the other.
constexpr u32 kTestDepth = 8;

// All code of the program, and what follows from it.
Status lower_bodies(const Task& task, ir::RuleProgram& program, Lowered& out) {
  const PromelaRequest& request = task.request;
  Arena& arena = task.arena;
  const promela::System& s = out.layout.s;
  const u32 slots = out.slots.count();
  BodyCode code(arena, out.names, true);
  Tests tests{scratch_array<u8>(arena, "tests", slots), scratch_array<u8>(arena, "tests", slots)};
  DSteps d_steps(s.places.size(), arena);
  Totals totals;
  Writer w{.s = s,
           .facts = out.layout.facts,
           .slots = out.slots,
           .layout = out.layout,
           .claim_values = out.property.values.values,
           .code = code,
           .notes = scratch_array<u16>(arena, "action notes", text_bytes(s)),
           .words = out.words,
           .tests = tests,
           .totals = totals,
           .log = StepLog(out.record, code),
           .dead = out.dead,
           .d_steps = d_steps,
           .arena = arena};
  Pool<ir::Rule, 5, 64> rules(arena, "rules");
  Pool<ir::Parameter, 5, 64> parameters(arena, "rules");
  Predicates predicates(arena, "rules");
  program.routines = arena.carve_array<ir::Routine>("program", slots);
  const ir::Rule start = lower_start(w);
  lower_moves(w, rules, parameters);
  program.valid_end = lower_valid_end(w);
  if (request.accepting) program.accepts = lower_accepts(w);
  lower_predicates(w, request, out.property, program, predicates);
  if (task.diagnostics.error_count() != 0) return task.diagnostics.status();
  if (code.overflow() || out.words.overflow()) {
    return Status::fail(Code::model, "the processes of the model are too many for this program");
  }
  code.finish(arena, program);
  program.rules = keep(rules, arena);
  program.starts = arena.carve_array<ir::Rule>("program", 1);
  program.starts[0] = start;
  program.parameters = keep(parameters, arena);
  program.predicates = keep(predicates, arena);
  program.body_cells =
      std::max({totals.body_cells, code.widest(), 1u}) + kTestDepth * totals.test_cells;
  program.step_count = out.words.count();
  program.max_successors = std::max(totals.successors, 1u);
  program.chain_ends = totals.keeps_control ? limits::kChainEnds : 0;
  return {};
}

// With `live` what is dead at a place is set to its rest value on the way there; rules, steps and
// their labels are the same.
Status lower(const Task& task, const Liveness* live, bool records, ir::RuleProgram& program,
             Lowered& out) {
  const PromelaRequest& request = task.request;
  Arena& arena = task.arena;
  program = {};
  program.has_rules = true;
  program.generates = true;
  XMC_TRY(out.slots.lay_out());
  shape_automaton(out.layout.s, task, out.words, out.names, out.property);
  make_columns(has_automaton(request), out.names, arena, program, out.layout);
  if (has_automaton(request))
    add_automaton_process(out.property.shape.automaton, out.names, arena, program);
  out.dead = DeadLocals(live, out.slots.leaves(), arena);
  if (records) {
    void* const memory = arena.scratch("step tables", sizeof(StepRecord), alignof(StepRecord));
    out.record = ::new (memory) StepRecord(arena, out.slots.count());
  }
  XMC_TRY(lower_bodies(task, program, out));
  // As SPIN has it, who stands still at an accept label passes it for ever, and who stands still
  // elsewhere makes no cycle without progress.
  program.stutters = !request.progress;
  XMC_TRY(finish_program({}, arena, program));
  place_leaves(out.layout, arena, program);
  // Any location accepts where a process does.
  if (program.accepts != kNone) {
    for (u32& one : program.cycle_classes) one = 1;
    program.weak_property = false;
  }
  return {};
}

// What a second program and its tables may take, in what the first one took: it has notes of its
// steps as well.
constexpr u64 kRoomForReduced = 4;
// Tables that may not be used take little of the memory.
constexpr u32 kShareIfRoom = 16;

// Of the program that is searched.
Status make_steps(const Lowered& from, const PromelaRequest& request,
                  const ir::RuleProgram& program, Arena& arena, ReducedPromela& out) {
  const u64 mark = arena.scratch_mark();
  ir::StepFacts facts(arena);
  const ir::Program* text = nullptr;
  out.why_no_steps =
      find_steps({from.layout, *from.record, request, from.property, program, arena}, facts, text);
  Status made;
  const u32 share = out.only_with_room ? kShareIfRoom : request.as_begun ? 1 : 2;
  if (out.why_no_steps == nullptr) made = ir::make_step_tables(facts, arena, out.steps, share);
  out.steps.text = text;
  arena.scratch_release(mark);
  if (request.as_begun && made.code() == Code::budget) return made;
  if (!made.ok()) out.why_no_steps = "tables of its steps take too much memory";
  return {};
}

// Once more, from the same facts.
Status reduce(const promela::System& system, const promela::Facts& facts, const Task& task,
              const ir::RuleProgram& whole, ReducedPromela& out) {
  const PromelaRequest& request = task.request;
  Arena& arena = task.arena;
  const u64 mark = arena.scratch_mark();
  Liveness live(system, request.local_rules, request.memory, arena);
  live.run();
  Lowered made(system, facts, arena);
  XMC_TRY(lower(task, &live, out.wants_steps, out.program, made));
  const bool is_listed = made.dead.list(made.layout, request.memory, arena, out.dead);
  if (!is_listed) out.dead = {};
  XMC_CHECK(out.program.step_count == whole.step_count);
  XMC_CHECK(out.program.max_successors == whole.max_successors);
  if (out.wants_steps && is_listed) XMC_TRY(make_steps(made, request, out.program, arena, out));
  if (!is_listed) out.why_no_steps = "its dead variables take too much memory";
  arena.scratch_release(mark);
  return {};
}

}  // namespace

}  // namespace promela_lower

Status lower_promela(const promela::System& system, Diagnostics& diagnostics,
                     const PromelaRequest& asked, Arena& arena, ir::RuleProgram& program,
                     ModelText& text, ReducedPromela* reduced) {
  const u64 room = arena.free_bytes();
  PromelaRequest request = asked;
  if (request.memory == 0) request.memory = room;
  const promela::Facts facts = promela::find_facts(
      system,
      {.claim = request.claim, .max_processes = request.max_processes, .memory = request.memory},
      arena);
  const u64 mark = arena.scratch_mark();
  const promela_lower::Task task{request, diagnostics, arena};
  promela_lower::Lowered made(system, facts, arena);
  const bool records = reduced != nullptr && reduced->wants_steps && !reduced->wants_dead;
  const Status status = lower(task, nullptr, records, program, made);
  if (!status.ok() && !facts.is_bounded() && diagnostics.error_count() == 0) {
    return Status::fail(Code::model,
                        "how many processes can be alive at once is not proved for this model, and "
                        "%u are too many: --max-procs N gives a bound (%.120s)",
                        facts.slots(), status.c_str());
  }
  XMC_TRY(Status(status));
  describe_promela(system, request, made.slots, made.words, made.property.places, made.names, arena,
                   program, text);
  if (records) XMC_TRY(make_steps(made, request, program, arena, *reduced));
  const u64 taken = room - arena.free_bytes();
  arena.scratch_release(mark);
  if (reduced == nullptr || !reduced->wants_dead) return {};
  if (reduced->only_with_room && taken * promela_lower::kRoomForReduced > arena.free_bytes()) {
    reduced->why_no_steps = "--ram is too small for a second program";
    reduced->wants_dead = false;
    return {};
  }
  return promela_lower::reduce(system, facts, task, program, *reduced);
}

}  // namespace xmc
