// The trace as rows of an HTML table, for the page of a run: step, process, line, action, what
// changed. A long one is cut in the middle: its beginning and its end say most.
#include "report/page/html.h"
#include "trace/trace_view.h"

namespace xmc {

namespace {

constexpr u64 kHead = 150;  // rows before the cut, and
constexpr u64 kTail = 100;  // behind it

class HtmlTrace {
 public:
  HtmlTrace(const TraceView& view, Output& out) : view_(view), html_(out) {}

  void row() {
    const u64 index = view_.replay->index();
    begin_row(index);
    html_.number(index).raw("</td>");
    if (index == 0) {
      html_.raw("<td>(initial)</td><td></td><td></td><td>");
    } else {
      actions(view_.replay->previous(), view_.replay->label(), view_.replay->label_repeat());
    }
    changes(index == 0 ? nullptr : view_.replay->previous());
    marks(index);
    html_.end_row();
  }

  void cut(u64 rows) {
    html_.raw("<tr><td colspan=5>... ").grouped(rows);
    html_.raw(" steps are left out here; --trace FILE.txt has all of them").end_row();
  }

  // The rest of the trace is words of the text format, which says why.
  void last() {
    FixedText<kFailureBytes> why;
    const TraceClaim& claim = view_.claim;
    if (claim.violation == Violation::model_error) {
      html_.raw("<tr class=end><td class=n>").number(claim.steps + 1).raw("</td>");
      actions(view_.replay->state(), claim.error_label, kNone);
      html_.end_row();
    }
    const u32 line = explain_end(view_, why);
    const char* what = nullptr;
    if (claim.violation == Violation::deadlock) what = "no step leads out of this state";
    if (claim.violation == Violation::model_error) what = "run-time error in this step";
    const bool named = claim.predicate < view_.text->predicates.size();
    if (what == nullptr && !named && why.size() == 0) return;
    html_.raw("<tr class=end><td class=n>!</td><td></td><td class=n>");
    if (line != 0) html_.number(line);
    html_.raw("</td><td colspan=2>");
    if (what != nullptr && why.size() == 0) html_.raw(what);
    if (what == nullptr && named) html_.text(view_.text->predicates[claim.predicate].text);
    if (what == nullptr && named && why.size() != 0) html_.raw(": ");
    html_.text(why.view()).end_row();
  }

 private:
  void begin_row(u64 index) {
    const bool in_loop = view_.claim.loop_start != kNoLoop && index >= view_.claim.loop_start;
    html_.raw(in_loop ? "<tr class=loop>" : "<tr>").raw("<td class=n>");
  }

  template <class Use>
  void for_parts(const Word* from, u32 label, u32 repeat, Use use) {
    bool first = true;
    const auto add = [&](u32 transition) {
      if (!first) html_.raw("<br>");
      use(transition_of(*view_.text, transition));
      first = false;
    };
    each_statement(*view_.replay, from, label, repeat, [&](u32 statement, const Word*) {
      add(view_.text->step(view_.text->self, statement).transition);
    });
    const StepText step = view_.text->step(view_.text->self, label);
    if (step.partner != kNone) add(step.partner);
    if (step.property != kNone) add(step.property);
  }

  // Three cells, and the beginning of the fourth.
  void actions(const Word* from, u32 label, u32 repeat) {
    html_.raw("<td>");
    for_parts(from, label, repeat, [&](const TransitionText* part) {
      html_.text(part == nullptr ? "(stutter)" : process_name(*view_.text, part->process));
    });
    html_.raw("</td><td class=n>");
    for_parts(from, label, repeat, [&](const TransitionText* part) {
      if (part != nullptr && part->line != 0) html_.number(part->line);
    });
    html_.raw("</td><td>");
    for_parts(from, label, repeat, [&](const TransitionText* part) {
      if (part != nullptr) html_.text(part->text);
    });
    html_.raw("</td><td>");
  }

  void proposition_changes(const Word* before) {
    const u32 now = view_.replay->valuation(view_.replay->state());
    const u32 changed = before == nullptr ? ~0u : now ^ view_.replay->valuation(before);
    for (std::size_t i = 0; i < view_.text->propositions.size(); ++i) {
      if ((changed >> i & 1) == 0) continue;
      html_.text("\"").text(view_.text->propositions[i]).text("\"");
      html_.raw((now >> i & 1) != 0 ? "=true " : "=false ");
    }
  }

  void changes(const Word* before) {
    const Word* const state = view_.replay->state();
    proposition_changes(before);
    for (std::size_t i = 0; i < view_.text->variables.size(); ++i) {
      const VariableText& variable = view_.text->variables[i];
      if (!is_there(variable, state)) continue;
      const i32 value = slot_value(variable.slot, state);
      if (before != nullptr && value == slot_value(variable.slot, before)) continue;
      html_.text(variable.name).raw("=");
      EscapedOutput escaped(html_.out());
      add_value(escaped, variable, value);
      static_cast<void>(escaped.flush());
      html_.raw(" ");
    }
  }

  void marks(u64 index) {
    if (view_.claim.loop_start == kNoLoop) return;
    if (index == view_.claim.loop_start) html_.raw("&larr; loop starts");
    if (index == view_.claim.steps) {
      html_.raw("&rarr; back to ").number(view_.claim.loop_start);
    }
  }

  const TraceView& view_;
  Html html_;
};

}  // namespace

Status write_html_trace(const TraceView& view, Output& out) {
  HtmlTrace trace(view, out);
  const u64 steps = view.claim.steps;
  const bool long_one = steps + 1 > kHead + kTail;
  XMC_TRY(view.replay->start(view.chooser));
  trace.row();
  while (view.replay->index() < steps) {
    XMC_TRY(view.replay->advance());
    const u64 index = view.replay->index();
    if (!long_one || index < kHead || index + kTail > steps) trace.row();
    if (long_one && index == kHead) trace.cut(steps + 1 - kHead - kTail);
  }
  trace.last();
  return out.status();
}

}  // namespace xmc
