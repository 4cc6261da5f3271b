// Variables that nobody reads, channels that nobody sends to or receives from, labels that nothing
// leads to and that mean nothing.
#include "lower/promela/lint/lint.h"
#include "xmc/scratch.h"

namespace xmc::promela_lower {

namespace {

using promela::ActionKind;
using promela::Numbers;
using promela::Op;
using promela::PatternKind;
using promela::Reference;
using promela::Variable;

class VariableLint {
 public:
  VariableLint(const promela::System& system, Arena& arena, LintReport& report)
      : s_(system), report_(report) {
    globals_ = scratch_array<Use>(arena, "lint", s_.globals.size());
    locals_ = scratch_array<Use>(arena, "lint", s_.locals.size());
    for (Use& use : globals_) use = {};
    for (Use& use : locals_) use = {};
  }

  void run() {
    for (u32 i = 0; i < s_.expressions.size(); ++i) {
      const promela::Expr& e = s_.expressions[i];
      if (e.op != Op::load) continue;
      if (Use* const use = use_of(s_.references[e.a])) use->is_read = true;
    }
    for (u32 i = 0; i < s_.actions.size(); ++i) {
      if (s_.actions[i].kind != ActionKind::assign) continue;
      if (Use* const use = use_of(s_.references[s_.actions[i].target])) use->is_written = true;
    }
    for (u32 i = 0; i < s_.patterns.size(); ++i) {
      const promela::Pattern& pattern = s_.patterns[i];
      if (pattern.kind != PatternKind::store || pattern.target == kNone) continue;
      if (Use* const use = use_of(s_.references[pattern.target])) use->is_written = true;
    }
    for (u32 i = 0; i < s_.globals.size(); ++i) tell(s_.globals[i], globals_[i]);
    for (u32 i = 0; i < s_.locals.size(); ++i) tell(s_.locals[i], locals_[i]);
  }

 private:
  struct Use {
    bool is_read = false;
    bool is_written = false;
  };

  Use* use_of(const Reference& r) {
    if (r.scope == promela::Scope::nowhere || r.variable == kNone) return nullptr;
    return r.scope == promela::Scope::global ? &globals_[r.variable] : &locals_[r.variable];
  }

  // What is hidden is meant for values that nobody asks for; of channels more is said.
  void tell(const Variable& v, Use use) {
    if (use.is_read || v.is_hidden || v.channel != kNone || v.name.empty()) return;
    const char* const what = v.is_parameter ? "parameter" : "variable";
    report_.warn(v.place, use.is_written ? "%s '%.*s' is never read" : "%s '%.*s' is never used",
                 what, shown_bytes(v.name), v.name.data());
  }

  const promela::System& s_;
  LintReport& report_;
  std::span<Use> globals_;
  std::span<Use> locals_;
};

class ChannelLint {
 public:
  ChannelLint(const promela::System& system, const promela::Facts& facts, LintReport& report)
      : s_(system), facts_(facts), report_(report) {}

  void run() {
    each_action(s_, facts_, [&](u32 slot, u32, promela::PlaceId place, u32 id) {
      const promela::Action& a = s_.actions[id];
      if (a.kind == ActionKind::send) sent_.add(facts_.channel(slot, place, a.channel));
      if (a.kind == ActionKind::receive) received_.add(facts_.channel(slot, place, a.channel));
    });
    u32 number = 0;
    for (u32 i = 0; i < s_.global_initials.size(); ++i) {
      const promela::Initial& initial = s_.global_initials[i];
      if (initial.value != kNone) continue;
      if (++number <= facts_.static_channels()) tell(number, initial.leaf);
    }
  }

 private:
  void tell(u32 number, u32 leaf) {
    if (sent_.contains(number) && received_.contains(number)) return;
    const char* const what = sent_.contains(number)       ? "is never received from"
                             : received_.contains(number) ? "is never sent to"
                                                          : "is never used";
    for (u32 i = 0; i < s_.globals.size(); ++i) {
      const Variable& v = s_.globals[i];
      if (leaf < v.leaf || leaf >= v.leaf + v.leaves) continue;
      if (v.leaves == 1)
        return report_.warn(v.place, "channel '%.*s' %s", shown_bytes(v.name), v.name.data(), what);
      return report_.warn(v.place, "channel %u of '%.*s' %s", leaf - v.leaf, shown_bytes(v.name),
                          v.name.data(), what);
    }
  }

  const promela::System& s_;
  const promela::Facts& facts_;
  LintReport& report_;
  Numbers sent_;
  Numbers received_;
};

}  // namespace

void lint_variables(const promela::System& system, Arena& arena, LintReport& report) {
  VariableLint(system, arena, report).run();
}

void lint_labels(const promela::System& system, LintReport& report) {
  for (u32 i = 0; i < system.labels.size(); ++i) {
    const promela::Label& label = system.labels[i];
    const std::string_view name = label.name;
    const bool has_meaning =
        name.starts_with("end") || name.starts_with("accept") || name.starts_with("progress");
    if (label.is_used || has_meaning) continue;
    report.warn(label.place, "label '%.*s' is never used", shown_bytes(name), name.data());
  }
}

void lint_channels(const promela::System& system, const promela::Facts& facts, LintReport& report) {
  if (facts.is_bounded()) ChannelLint(system, facts, report).run();
}

}  // namespace xmc::promela_lower
