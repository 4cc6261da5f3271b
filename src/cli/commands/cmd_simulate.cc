// A walk through a model: by dice, by a list of successor numbers, or along a saved trace. The walk
// is made twice, first to find where it ends and then to print it; the choices are the same both
// times.
#include <charconv>

#include "cli/commands/commands.h"
#include "cli/run/budget.h"
#include "cli/run/input/long_steps.h"
#include "cli/run/input/saved_input.h"
#include "cli/run/input/step_marks.h"
#include "cli/run/output/trace_files.h"
#include "ir/dead.h"
#include "ir/steps.h"
#include "platform/terminal.h"
#include "xmc/check.h"
#include "xmc/step_work.h"

namespace xmc {

namespace {

// SplitMix64 (Steele, Lea and Flood 2014): small, and the same on every machine.
class Dice {
 public:
  explicit Dice(u64 seed) : seed_(seed), state_(seed) {}
  StepChooser chooser() { return {this, &Dice::choose}; }

 private:
  static u32 choose(void* self, u64 index, u32 count, const SuccessorBuffer&) {
    auto* const dice = static_cast<Dice*>(self);
    if (index == 0) dice->state_ = dice->seed_;
    return count == 0 ? kNone : static_cast<u32>(dice->next() % count);
  }
  u64 next() {
    state_ += 0x9E37'79B9'7F4A'7C15;
    u64 z = state_;
    z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EB;
    return z ^ (z >> 31);
  }
  u64 seed_;
  u64 state_;
};

// Numbers of successors, from 0, between blanks or line breaks.
class NumberList {
 public:
  explicit NumberList(std::string_view text) : text_(text) {}
  StepChooser chooser() { return {this, &NumberList::choose}; }
  bool finished() const { return rest_.find_first_not_of(kBlanks) == std::string_view::npos; }

 private:
  static constexpr std::string_view kBlanks = " \t\r\n";
  static u32 choose(void* self, u64 index, u32 count, const SuccessorBuffer&) {
    auto* const list = static_cast<NumberList*>(self);
    if (index == 0) {
      list->rest_ = list->text_;
      return count == 0 ? kNone : 0;
    }
    std::string_view& rest = list->rest_;
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    u32 number = 0;
    const auto end = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (end.ec != std::errc()) return kNone;
    rest.remove_prefix(static_cast<std::size_t>(end.ptr - rest.data()));
    return number < count ? number : kNone;
  }
  std::string_view text_;
  std::string_view rest_;
};

struct Walk {
  Dice dice{0};
  NumberList numbers{{}};
  SavedTrace saved;
  SavedPath saved_path{saved};
  enum class By : u8 { dice, numbers, saved } by = By::dice;
  u64 most_steps = 0;

  StepChooser chooser() {
    return by == By::dice      ? dice.chooser()
           : by == By::numbers ? numbers.chooser()
                               : saved_path.chooser();
  }
};

Status read_script(const Options& options, Arena& arena, Walk& walk) {
  walk.most_steps = options.number(Opt::steps);
  walk.dice = Dice(options.number(Opt::seed));
  if (!options.given(Opt::script)) return {};
  std::string_view text;
  XMC_TRY(read_text_file(options.c_str(Opt::script), arena, text));
  if (!options.given(Opt::steps)) walk.most_steps = ~u64{0};
  if (!looks_like_saved_trace(text)) {
    walk.by = Walk::By::numbers;
    walk.numbers = NumberList(text);
    return {};
  }
  const auto refuse = [](Opt option) {
    return Status::fail(Code::usage, "--%s has no effect with a saved trace, which has its own",
                        info_of(option).name.data());
  };
  if (options.given(Opt::errors)) return refuse(Opt::errors);
  for (const Opt option : kGoals) {
    if (options.given(option)) return refuse(option);
  }
  walk.by = Walk::By::saved;
  XMC_TRY(parse_saved_trace(text, walk.saved));
  if (walk.saved.claim.steps < walk.most_steps) walk.most_steps = walk.saved.claim.steps;
  return {};
}

// Where the walk ends: after its steps, in a deadlock, or where a predicate or a step fails.
Status find_end(Replay& replay, Walk& walk, TraceClaim& claim) {
  XMC_TRY(replay.start(walk.chooser()));
  while (true) {
    const Expansion& here = replay.expansion();
    if ((here.flags & kUnfinished) != 0) return stop_of_steps();
    if (here.violated != kNone) {
      claim.violation = Violation::predicate;
      claim.predicate = here.violated;
      break;
    }
    if (here.errors != 0) {
      claim.violation = Violation::model_error;
      claim.error_label = here.error_label;
      break;
    }
    if (here.count == 0) {
      if ((here.flags & kDeadlock) != 0) claim.violation = Violation::deadlock;
      break;
    }
    if (replay.index() == walk.most_steps) break;
    if (walk.by == Walk::By::numbers && walk.numbers.finished()) break;
    const u32 choices = here.count;
    const Status next = replay.advance();
    if (next.stop_reason() != StopReason::none) return next;
    if (!next.ok()) {
      return Status::fail(
          Code::usage,
          "step %llu of the script is not possible: the state before has %u successors",
          wide(replay.index() + 1), choices);
    }
  }
  claim.steps = replay.index();
  return {};
}

// What a check may leave out of the state where the walk ends (--reduce).
void write_reduction(Output& out, const LoadedModel& model, Replay& replay, Arena& arena) {
  const StepMarks marks = find_step_marks(model, arena);
  if (!marks.known) return;
  const ir::Program& whole = *model.whole;
  bool any = false;
  // What rules leave dead is known by places of slots, which are no processes of the program.
  const bool by_process = model.dead != nullptr && !whole.has_rules;
  for (u32 p = 0; p < whole.processes.size() && by_process; ++p) {
    const ir::Process& process = whole.processes[p];
    const Slot slot = whole.variables[process.location].slot;
    const u32 at = static_cast<u32>(slot_value(slot, replay.state()));
    if (at >= process.location_count) continue;
    const ir::Range dead = model.dead->by_location[process.first_location + at];
    for (u32 i = dead.first; i < dead.first + dead.count; ++i) {
      out.add(any ? " " : "dead      ");
      out.add(model.text.variables[model.dead->cells[i].cell].name);
      any = true;
    }
  }
  if (any) out.add('\n');
  const Expansion& here = replay.expansion();
  if (here.count != 0) out.add("enabled\n");
  u32 last = kNone;
  for (u32 i = 0; i < here.count; ++i) {
    const u32 step = replay.successors().labels[i] / whole.property_moves;
    if (step != last && step != ir::stutter_step(whole)) write_step(out, marks, model, step);
    last = step;
  }
}

Status simulate(Session& session, Budget& budget) {
  const Options& options = session.options;
  XMC_TRY(budget.open(session));
  Arena& arena = budget.arena();
  Walk walk;
  XMC_TRY(read_script(options, arena, walk));
  ModelInput input;
  XMC_TRY(read_model(session, arena, input));
  const bool saved = walk.by == Walk::By::saved;
  LoadedModel model;
  LoadRequest request =
      saved ? request_of(walk.saved, input, session.native) : request_of(session, input);
  request.dead_variables = request.step_tables = request.reduce_if_room = !saved;
  XMC_TRY(load(session, request, arena, model));
  if (saved) XMC_TRY(check_same_model(walk.saved, model));
  input.release(arena);

  Replay replay;
  replay.plan(model.judge, arena);
  TraceView view;
  view.replay = &replay;
  view.chooser = walk.chooser();
  view.text = &model.text;
  if (options.given(Opt::vars)) {
    const std::span<u8> shown =
        arena.carve_array<u8>("variables shown", model.text.variables.size());
    XMC_TRY(select_variables(model.text, options.text(Opt::vars), shown));
    view.shown = shown;
  }
  replay.set_may_stop(true);
  XMC_TRY(told_stop(find_end(replay, walk, view.claim), model.text));
  replay.set_may_stop(false);
  view.columns = terminal_width(kStandardOutput);
  XMC_TRY(write_text_trace(view, trace_style(options), session.out()));
  if (!saved) write_reduction(session.out(), model, replay, arena);
  return {};
}

}  // namespace

int cmd_simulate(Session& session) {
  Budget budget;
  const Status status = simulate(session, budget);
  return status.ok() ? session.end_well() : session.end_with(status);
}

}  // namespace xmc
