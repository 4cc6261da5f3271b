#include "lower/promela/promela_lower.h"

#include <algorithm>
#include <new>

#include "ir/tables/make_tables.h"
#include "lower/product.h"
#include "lower/promela/lowering.h"
#include "lower/promela/text.h"
#include "lower/squeeze.h"
#include "xmc/limits.h"
#include "xmc/scratch.h"

namespace xmc {

namespace promela_lower {

namespace {

template <class T, class Pool>
std::span<T> keep(const Pool& pool, Arena& arena) {
  const std::span<T> out = arena.carve_array<T>("program", pool.size());
  for (u32 i = 0; i < pool.size(); ++i) out[i] = pool[i];
  return out;
}

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

}  // namespace

Lowering::Lowering(const promela::System& system, const promela::Facts& facts, const Liveness* live,
                   Diagnostics& diagnostics, const PromelaRequest& request, Arena& arena,
                   ir::RuleProgram& program)
    : s_(system),
      facts_(facts),
      live_(live),
      diagnostics_(diagnostics),
      request_(request),
      arena_(arena),
      p_(program),
      names_(arena),
      code_(arena, names_, true),
      slots_(system, facts, arena),
      layout_{system, facts, slots_, {}, {}},
      words_(system, arena),
      notes_(scratch_array<u16>(arena, "action notes", text_bytes(system))),
      inside_(arena),
      place_codes_(scratch_array<PlaceCode>(arena, "d_step", system.places.size())),
      rules_(arena, "rules"),
      starts_(arena, "rules"),
      parameters_(arena, "rules"),
      predicates_(arena, "rules"),
      uses_timeout_(uses_timeout(system)),
      claim_steps_(arena, "claim"),
      claim_edges_(arena, "claim"),
      claim_checks_(arena, "claim"),
      claim_places_(arena, "claim") {}

void Lowering::refuse(Span place, const char* what) {
  diagnostics_.error(place.begin, place.end, "%s is not supported yet", what);
}

// One for each place of the text.
u16 Lowering::note(Span place) {
  if (place.begin >= notes_.size()) return 0;
  u16& known = notes_[place.begin];
  if (known == 0) {
    SqueezedText text;
    known = code_.note(words_.line(place), squeeze(words_.piece(place), text));
  }
  return known;
}

Status Lowering::run() {
  XMC_TRY(slots_.lay_out());
  shape_automaton();
  make_columns(has_automaton(), names_, arena_, p_, layout_);
  if (has_automaton()) place_automaton();
  if (live_ != nullptr) {
    written_ = scratch_array<u32>(arena_, "liveness", slots_.leaves());
    started_ = scratch_array<u32>(arena_, "liveness", slots_.leaves());
  }
  if (wants_record_) {
    void* const memory = arena_.scratch("step tables", sizeof(StepRecord), alignof(StepRecord));
    record_ = ::new (memory) StepRecord(arena_, slots_.count());
  }
  is_tested_ = scratch_array<u8>(arena_, "tests", slots_.count());
  has_test_ = scratch_array<u8>(arena_, "tests", slots_.count());
  p_.routines = arena_.carve_array<ir::Routine>("program", slots_.count());
  lower_start();
  lower_moves();
  p_.valid_end = lower_valid_end();
  if (request_.accepting) p_.accepts = lower_accepts();
  lower_predicates();
  if (diagnostics_.error_count() != 0) return diagnostics_.status();
  if (code_.overflow() || words_.overflow()) {
    return Status::fail(xmc::Code::model,
                        "the processes of the model are too many for this program");
  }
  code_.finish(arena_, p_);
  p_.rules = keep<ir::Rule>(rules_, arena_);
  p_.starts = keep<ir::Rule>(starts_, arena_);
  p_.parameters = keep<ir::Parameter>(parameters_, arena_);
  p_.predicates = keep<ir::Predicate>(predicates_, arena_);
  p_.body_cells = std::max(most_cells_, 1u) + kTestDepth * test_cells_;
  p_.step_count = words_.count();
  p_.max_successors = std::max(p_.max_successors, 1u);
  // As SPIN has it, who stands still at an accept label passes it for ever, and who stands still
  // elsewhere makes no cycle without progress.
  p_.stutters = !request_.progress;
  p_.chain_ends = keeps_control_ ? limits::kChainEnds : 0;
  XMC_TRY(finish_program({}, arena_, p_));
  place_leaves(layout_, arena_, p_);
  // Any location accepts where a process does.
  if (p_.accepts != kNone) {
    for (u32& one : p_.cycle_classes) one = 1;
    p_.weak_property = false;
  }
  return {};
}

}  // namespace promela_lower

namespace {

promela_lower::Lowering& make_lowering(const promela::System& system, const promela::Facts& facts,
                                       const promela_lower::Liveness* live,
                                       Diagnostics& diagnostics, const PromelaRequest& request,
                                       Arena& arena, ir::RuleProgram& program) {
  using promela_lower::Lowering;
  program = {};
  program.has_rules = true;
  program.generates = true;
  void* const memory = arena.scratch("lowering", sizeof(Lowering), alignof(Lowering));
  return *::new (memory) Lowering(system, facts, live, diagnostics, request, arena, program);
}

// What a second program and its tables may take, in what the first one took: it has notes of its
// steps as well.
constexpr u64 kRoomForReduced = 4;
// Tables that may not be used take little of the memory.
constexpr u32 kShareIfRoom = 16;

// Of the program that is searched.
Status find_steps(promela_lower::Lowering& lowering, bool as_begun, Arena& arena,
                  ReducedPromela& out) {
  const u64 mark = arena.scratch_mark();
  ir::StepFacts facts(arena);
  const ir::Program* text = nullptr;
  out.why_no_steps = lowering.find_steps(facts, text);
  Status made;
  const u32 share = out.only_with_room ? kShareIfRoom : as_begun ? 1 : 2;
  if (out.why_no_steps == nullptr) made = ir::make_step_tables(facts, arena, out.steps, share);
  out.steps.text = text;
  arena.scratch_release(mark);
  if (as_begun && made.code() == Code::budget) return made;
  if (!made.ok()) out.why_no_steps = "tables of its steps take too much memory";
  return {};
}

// Once more, from the same facts.
Status reduce(const promela::System& system, const promela::Facts& facts, Diagnostics& diagnostics,
              const PromelaRequest& request, Arena& arena, const ir::RuleProgram& whole,
              ReducedPromela& out) {
  const u64 mark = arena.scratch_mark();
  promela_lower::Liveness live(system, request.local_rules, request.memory, arena);
  live.run();
  auto& lowering = make_lowering(system, facts, &live, diagnostics, request, arena, out.program);
  if (out.wants_steps) lowering.record_steps();
  XMC_TRY(lowering.run());
  const bool is_listed = lowering.list_dead(out.dead);
  if (!is_listed) out.dead = {};
  XMC_CHECK(out.program.step_count == whole.step_count);
  XMC_CHECK(out.program.max_successors == whole.max_successors);
  if (out.wants_steps && is_listed) XMC_TRY(find_steps(lowering, request.as_begun, arena, out));
  if (!is_listed) out.why_no_steps = "its dead variables take too much memory";
  arena.scratch_release(mark);
  return {};
}

}  // namespace

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
  auto& lowering = make_lowering(system, facts, nullptr, diagnostics, request, arena, program);
  const bool records = reduced != nullptr && reduced->wants_steps && !reduced->wants_dead;
  if (records) lowering.record_steps();
  const Status status = lowering.run();
  if (!status.ok() && !facts.is_bounded() && diagnostics.error_count() == 0) {
    return Status::fail(Code::model,
                        "how many processes can be alive at once is not proved for this model, and "
                        "%u are too many: --max-procs N gives a bound (%.120s)",
                        facts.slots(), status.c_str());
  }
  XMC_TRY(Status(status));
  describe_promela(system, request, lowering.slots(), lowering.words(), lowering.claim_places(),
                   lowering.names(), arena, program, text);
  if (records) XMC_TRY(find_steps(lowering, request.as_begun, arena, *reduced));
  const u64 taken = room - arena.free_bytes();
  arena.scratch_release(mark);
  if (reduced == nullptr || !reduced->wants_dead) return {};
  if (reduced->only_with_room && taken * kRoomForReduced > arena.free_bytes()) {
    reduced->why_no_steps = "--ram is too small for a second program";
    reduced->wants_dead = false;
    return {};
  }
  return reduce(system, facts, diagnostics, request, arena, program, *reduced);
}

}  // namespace xmc
