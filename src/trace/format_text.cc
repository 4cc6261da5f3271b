// The trace for people: one row per step, with the process, the line of the model, the action and
// what changed.
//
//  step  process    line  action                           changes
//     0  (initial)        x=0 P_0=idle P_1=idle
//     1  P_0          12  idle -> wait { effect x = 1; }   x=1 P_0=wait
//
// A step of several statements has a row for each, of which the first has its number. A rendezvous
// has a second row for the receiver, a product one for the property's move. No line is
// longer than the width that is asked for: long actions are broken at blanks, and changes that have
// no room beside the action are in lines below it.
#include <algorithm>

#include "report/row.h"
#include "trace/trace_view.h"
#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr u32 kProcessColumn = 7;
constexpr u32 kLeastColumns = 60;  // narrower ones are not worth the breaks
constexpr u32 kMostChangesColumn = 70;
constexpr u32 kInitialBytes = 9;       // of "(initial)"
constexpr u32 kMostProcessBytes = 14;  // longer names push the rest of their row
constexpr u32 kLineBytes = 5;
constexpr u32 kGap = 2;

struct Columns {
  u32 line = 0;
  u32 action = 0;
  u32 below = 0;  // changes that are not beside their action
  u32 changes = 0;
  u32 end = 0;

  Columns(const ModelText& text, u32 width) {
    u32 longest = kInitialBytes;
    for (const std::string_view name : text.processes) {
      longest = std::max(longest, static_cast<u32>(name.size()));
    }
    line = kProcessColumn + std::min(longest, kMostProcessBytes) + 1;
    action = line + kLineBytes + kGap;
    below = action + kGap;
    end = std::max(width, kLeastColumns);
    changes = std::min(end * 7 / 10, kMostChangesColumn);
  }
};

class TextTrace {
 public:
  TextTrace(const TraceView& view, TraceStyle style, Output& out)
      : view_(view), style_(style), at_(*view.text, view.columns), row_(out, at_.end) {}

  void header() {
    row_.raw(" step  process").to(at_.line + 1).add("line").to(at_.action).add("action");
    if (style_ == TraceStyle::diff) row_.to(at_.changes).add("changes");
    row_.end();
  }

  void initial() {
    row_.raw("    0  (initial)");
    if (style_ != TraceStyle::none) values(at_.action, view_.replay->state(), nullptr);
    marks();
    row_.end();
  }

  void step() {
    const Replay& replay = *view_.replay;
    number(replay.index());
    statements(replay.previous(), replay.label(), replay.label_repeat(), replay.state());
    more_actions(replay.label());
    if (style_ == TraceStyle::full) {
      values(at_.action, replay.state(), nullptr);
      row_.end();
    }
    FixedText<kFailureBytes> why;
    // Only the error state is the end of such a step.
    if ((view_.replay->expansion().flags & kErrorState) == 0) return;
    const u32 line = replay.explain(replay.previous(), replay.label(), kNone, why);
    if (why.size() != 0) end_row("error", line, why.view());
  }

  void last_step() {
    FixedText<kFailureBytes> why;
    u32 line = 0;
    switch (view_.claim.violation) {
      case Violation::model_error:
        number(view_.claim.steps + 1);
        statements(view_.replay->state(), view_.claim.error_label, kNone, nullptr);
        more_actions(view_.claim.error_label);
        line = explain_end(view_, why);
        end_row(error_name(end_error_kind(view_)), line,
                why.size() != 0 ? why.view() : "run-time error in this step");
        break;
      case Violation::deadlock:
        end_row("deadlock", 0, "no step leads out of this state");
        break;
      case Violation::predicate:
      case Violation::liveness:
      case Violation::uncovered:
        if (view_.claim.predicate >= view_.text->predicates.size()) break;
        predicate(view_.text->predicates[view_.claim.predicate]);
        break;
      case Violation::none:
      case Violation::accepting_cycle:
        break;
    }
  }

 private:
  void number(u64 step) {
    FixedText<24> text;
    text.format("%5llu", wide(step));
    row_.raw(text.view());
  }

  void marks() {
    const u64 index = view_.replay->index();
    if (view_.claim.loop_start == kNoLoop) return;
    if (index == view_.claim.loop_start) row_.add(' ').whole(" <- loop starts");
    if (index == view_.claim.steps) {
      FixedText<48> back;
      back.add(" -> back to ").number(view_.claim.loop_start);
      row_.add(' ').whole(back.view());
    }
  }

  // What is wrong in the end: some text, and then some more.
  void end_row(std::string_view what, u32 line, std::string_view text, std::string_view more = {}) {
    row_.raw("    !").to(kProcessColumn).add(what);
    if (line != 0) line_number(line);
    row_.to(at_.action).add(text).add(more).end();
  }

  void predicate(const PredicateText& failed) {
    FixedText<kFailureBytes + 32> why;
    FixedText<kFailureBytes> reason;
    static_cast<void>(explain_end(view_, reason));
    switch (failed.kind) {
      case PredicateText::Kind::goal:
        end_row("goal", failed.line, failed.text, " holds here");
        return;
      case PredicateText::Kind::liveness:
        end_row("liveness", failed.line, failed.text, " cannot become true from here on");
        return;
      case PredicateText::Kind::cover:
        end_row("cover", failed.line, failed.text, " is never true from here on");
        return;
      case PredicateText::Kind::claim_end:
        end_row("claim", failed.line, failed.text, " comes to its end here");
        return;
      case PredicateText::Kind::bad_prefix:
        why.add(reason.size() == 0 ? ": bad whatever follows" : ": a proposition has no value: ");
        end_row("property", 0, failed.text, why.add(reason.view()).view());
        return;
      case PredicateText::Kind::assertion:
      case PredicateText::Kind::invariant:
        why.add(reason.size() == 0 ? " is false here" : " has no value here: ").add(reason.view());
        end_row(failed.kind == PredicateText::Kind::assertion ? "assertion" : "invariant",
                failed.line, failed.text, why.view());
        return;
    }
  }

  void line_number(u32 line) {
    FixedText<24> number;
    number.format("%5u", static_cast<unsigned>(line));
    row_.to(at_.line).raw(number.view());
  }

  void part(u32 transition) {
    const TransitionText* found = transition_of(*view_.text, transition);
    if (found == nullptr) {
      row_.to(kProcessColumn).add("(stutter)");
      return;
    }
    row_.to(kProcessColumn).add(process_name(*view_.text, found->process));
    // An automaton from elsewhere has no line.
    if (found->line != 0) line_number(found->line);
    row_.to(at_.action);
    add_clauses(found->text);
  }

  // An action that does not fit its line is broken between its clauses where they fit one: behind
  // a semicolon, but for the last one.
  void add_clauses(std::string_view text) {
    const u32 room = at_.end - at_.action;
    while (text.size() > room) {
      const std::size_t end = text.find("; ");
      if (end == std::string_view::npos || end + 3 >= text.size() || end >= room) break;
      row_.whole(piece_of(text, 0, end + 1)).add(' ');
      text.remove_prefix(end + 2);
    }
    text.size() <= room ? row_.whole(text) : row_.add(text);
  }

  // `end` is the state behind the last one, or null where that is erroneous.
  void statements(const Word* from, u32 label, u32 repeat, const Word* end) {
    const Word* before = from;
    each_statement(*view_.replay, from, label, repeat, [&](u32 statement, const Word* behind) {
      if (before != from) row_.raw("    .");
      action(statement);
      const Word* const now = behind != nullptr ? behind : end;
      if (style_ == TraceStyle::diff && now != nullptr) changes(before, now);
      if (behind == nullptr && end != nullptr) marks();
      row_.end();
      before = now;
    });
  }

  void action(u32 label) { part(view_.text->step(view_.text->self, label).transition); }

  void more_actions(u32 label) {
    const StepText step = view_.text->step(view_.text->self, label);
    for (const u32 transition : {step.partner, step.property}) {
      if (transition == kNone) continue;
      row_.raw("    +");
      part(transition);
      row_.end();
    }
  }

  // Beside the action if they fit there, else below.
  void changes(const Word* before, const Word* state) {
    u32 length = 0;
    each_value(state, before,
               [&](std::string_view value) { length += static_cast<u32>(value.size()) + 1; });
    const bool beside = row_.column() + kGap <= at_.changes && at_.changes + length <= at_.end + 1;
    if (length == 0) return;
    if (!beside) row_.end();
    values(beside ? at_.changes : at_.below, state, before);
  }

  // All values, or those that differ from `before`.
  void values(u32 column, const Word* state, const Word* before) {
    row_.to(column);
    each_value(state, before, [&](std::string_view value) { row_.add(value).add(' '); });
  }

  // Those of propositions come first, in quotes: they say why the automaton moves as it does.
  template <class Use>
  void each_proposition(const Word* state, const Word* before, Use use) const {
    const u32 now = view_.replay->valuation(state);
    const u32 changed = before == nullptr ? ~0u : now ^ view_.replay->valuation(before);
    for (std::size_t i = 0; i < view_.text->propositions.size(); ++i) {
      if ((changed >> i & 1) == 0) continue;
      FixedText<256> one;
      one.add('"').add(view_.text->propositions[i]).add('"');
      use(one.add((now >> i & 1) != 0 ? "=true" : "=false").view());
    }
  }

  template <class Use>
  void each_value(const Word* state, const Word* before, Use use) const {
    each_proposition(state, before, use);
    for (std::size_t i = 0; i < view_.text->variables.size(); ++i) {
      const VariableText& variable = view_.text->variables[i];
      const i32 value = slot_value(variable.slot, state);
      if (!view_.shows(i) || !is_there(variable, state)) continue;
      if (before != nullptr && value == slot_value(variable.slot, before)) continue;
      FixedText<3 * limits::kNameBytes + 64> one;
      one.add(variable.name).add('=');
      add_value(one, variable, value);
      use(one.view());
    }
  }

  const TraceView& view_;
  TraceStyle style_;
  Columns at_;
  Row row_;
};

}  // namespace

Status write_text_trace(const TraceView& view, TraceStyle style, Output& out) {
  TextTrace trace(view, style, out);
  XMC_TRY(view.replay->start(view.chooser));
  trace.header();
  trace.initial();
  while (view.replay->index() < view.claim.steps) {
    XMC_TRY(view.replay->advance());
    trace.step();
  }
  trace.last_step();
  return out.status();
}

}  // namespace xmc
