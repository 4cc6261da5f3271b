// The trace for people: one row per step, with the process, the line of the model, the action and
// what changed.
//
//  step  process        line  action                                    changes
//     0  (initial)            x=0 P_0=idle P_1=idle
//     1  P_0               12  idle -> wait { effect x = 1; }           x=1 P_0=wait
//
// A rendezvous has a second row for the receiver, a product one for the property's move.
#include "trace/trace_view.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr u32 kLineColumn = 21;
constexpr u32 kActionColumn = 28;
constexpr u32 kChangesColumn = 70;
constexpr u32 kRightColumn = 110;  // values go on in the next line beyond this

// Bytes on the way to the output, with the column counted.
class Row {
 public:
  explicit Row(Output& out) : out_(&out) {}
  Row& add(std::string_view text) {
    out_->add(text);
    column_ += static_cast<u32>(text.size());
    return *this;
  }
  Row& to(u32 column) {
    if (column_ > 0 && column_ >= column) return add("  ");
    out_->spaces(column - column_);
    column_ = column;
    return *this;
  }
  void end() {
    out_->add('\n');
    column_ = 0;
  }
  u32 column() const { return column_; }

 private:
  Output* out_;
  u32 column_ = 0;
};

class TextTrace {
 public:
  TextTrace(const TraceView& view, TraceStyle style, Output& out)
      : view_(view), style_(style), row_(out) {}

  void header() {
    row_.add(" step  process").to(kLineColumn + 1).add("line").to(kActionColumn).add("action");
    if (style_ == TraceStyle::diff) row_.to(kChangesColumn).add("changes");
    row_.end();
  }

  void initial() {
    row_.add("    0  (initial)");
    if (style_ != TraceStyle::none) values(kActionColumn, nullptr);
    marks();
    row_.end();
  }

  void step() {
    const Replay& replay = *view_.replay;
    number(replay.index());
    action(replay.label());
    if (style_ == TraceStyle::diff) values(kChangesColumn, replay.previous());
    marks();
    row_.end();
    more_actions(replay.label());
    if (style_ == TraceStyle::full) {
      values(kActionColumn, nullptr);
      row_.end();
    }
  }

  void last_step() {
    switch (view_.claim.violation) {
      case Violation::model_error:
        number(view_.claim.steps + 1);
        action(view_.claim.error_label);
        row_.to(kChangesColumn).add("run-time error in this step");
        row_.end();
        more_actions(view_.claim.error_label);
        break;
      case Violation::deadlock:
        row_.add("    !  deadlock");
        row_.to(kActionColumn).add("no step leads out of this state");
        row_.end();
        break;
      case Violation::predicate:
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
    text.format("%5llu", static_cast<unsigned long long>(step));
    row_.add(text.view());
  }

  void marks() {
    const u64 index = view_.replay->index();
    if (view_.claim.loop_start == kNoLoop) return;
    if (index == view_.claim.loop_start) row_.add("  <- loop starts");
    if (index == view_.claim.steps) {
      FixedText<48> back;
      back.add("  -> back to ").number(view_.claim.loop_start);
      row_.add(back.view());
    }
  }

  void predicate(const PredicateText& failed) {
    row_.add("    !  ");
    switch (failed.kind) {
      case PredicateText::Kind::assertion:
        row_.add("assertion");
        break;
      case PredicateText::Kind::invariant:
        row_.add("invariant");
        break;
      case PredicateText::Kind::goal:
        row_.add("goal");
        break;
    }
    if (failed.line != 0) {
      FixedText<24> line;
      line.format("%5u", failed.line);
      row_.to(kLineColumn).add(line.view());
    }
    row_.to(kActionColumn).add(failed.text);
    row_.add(failed.kind == PredicateText::Kind::goal ? "  holds here" : "  is false here");
    row_.end();
  }

  void part(u32 transition) {
    const TransitionText* found = transition_of(*view_.text, transition);
    if (found == nullptr) {
      row_.to(7).add("(stutter)");
      return;
    }
    FixedText<24> line;
    line.format("%5u", found->line);
    row_.to(7).add(process_name(*view_.text, found->process));
    row_.to(kLineColumn).add(line.view()).to(kActionColumn).add(found->text);
  }

  void action(u32 label) { part(view_.text->step(view_.text->self, label).transition); }

  void more_actions(u32 label) {
    const StepText step = view_.text->step(view_.text->self, label);
    for (const u32 transition : {step.partner, step.property}) {
      if (transition == kNone) continue;
      row_.add("    +");
      part(transition);
      row_.end();
    }
  }

  // All values, or those that differ from `before`.
  void values(u32 column, const Word* before) {
    const Word* const state = view_.replay->state();
    bool first = true;
    for (std::size_t i = 0; i < view_.text->variables.size(); ++i) {
      const VariableText& variable = view_.text->variables[i];
      const i32 value = slot_value(variable.slot, state);
      if (!view_.shows(i)) continue;
      if (before != nullptr && value == slot_value(variable.slot, before)) continue;
      FixedText<24> digits;
      digits.format("%d", static_cast<int>(value));
      const std::string_view shown =
          variable.kind == VariableKind::location ? location_name(variable, value) : digits.view();
      const u32 length = static_cast<u32>(variable.name.size() + 1 + shown.size());
      if (first) {
        // A long action keeps its row to itself.
        if (row_.column() > column - 2) row_.end();
        row_.to(column);
      } else if (row_.column() + 1 + length > kRightColumn) {
        row_.end();
        row_.to(column);
      } else {
        row_.add(" ");
      }
      row_.add(variable.name).add("=").add(shown);
      first = false;
    }
  }

  const TraceView& view_;
  TraceStyle style_;
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
