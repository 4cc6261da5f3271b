#include "lower/guards.h"

#include <algorithm>

#include "ir/operands.h"

namespace xmc {

namespace {

using ir::Action;

class Guard {
 public:
  Guard(const ir::RuleProgram& p, const ir::Rule& rule)
      : actions_(p.actions),
        parameters_(p.parameters.subspan(rule.first_parameter, rule.parameter_count)),
        code_(rule.code),
        end_(ir::end_of_body(p, rule.code)) {}

  void share() {
    const u32 all = static_cast<u32>(parameters_.size());
    u32 asked = 0;
    u32 looked = code_;
    for (u32 i = code_; i < end_ && actions_[i].op != ir::BodyOp::begin; ++i) {
      for (const u32 last = last_before(i); looked <= last; ++looked)
        asked = std::max(asked, asked_by(actions_[looked]));
      Action& x = actions_[i];
      if (!ir::is_jump(x.op) || actions_[x.a].op != ir::BodyOp::disabled) continue;
      x.a += all - asked;
    }
  }

 private:
  u32 number_of(u32 reg) const {
    for (u32 i = 0; i < parameters_.size(); ++i) {
      if (parameters_[i].cell == reg) return i + 1;
    }
    return 0;
  }
  u32 asked_by(const Action& x) const {
    const ir::Operands has = ir::operands_of(x.op);
    return std::max({has.reads_r ? number_of(x.r) : 0, has.reads_a ? number_of(x.a) : 0,
                     has.reads_b ? number_of(x.b) : 0});
  }
  // The last action that can have run by then: in a loop, all of it can.
  u32 last_before(u32 at) const {
    u32 last = at;
    for (u32 i = at; i < end_; ++i) {
      const Action& x = actions_[i];
      if (ir::is_jump(x.op) && x.a <= last && x.a <= i) last = i;
    }
    return last;
  }

  std::span<Action> actions_;
  std::span<const ir::Parameter> parameters_;
  u32 code_;
  u32 end_;
};

}  // namespace

void share_guards(ir::RuleProgram& program) {
  if (program.generates) return;
  for (const ir::Rule& rule : program.rules) Guard(program, rule).share();
}

}  // namespace xmc
