// The judge of a program with rules, on one state. Leaves are unpacked before each body, which
// BodyJudge walks.
#pragma once

#include <span>

#include "exec/question.h"
#include "exec/rules/body_judge.h"
#include "exec/rules/chain_space.h"
#include "ir/ir.h"
#include "xmc/model.h"

namespace xmc {

struct RulesJudge {
  const ir::RuleProgram* program;
  std::span<i64> source;
  std::span<i64> target;
  std::span<i64> cells;
  std::span<u8> moves;  // of the automaton: a MoveState each
  ChainMemory chain;
  StepWork work;
};

class RuleStepper {
 public:
  using End = BodyJudge::End;

  RuleStepper(RulesJudge& judge, const Word* state, const SuccessorBuffer& out,
              Question* question = nullptr);

  Expansion run();
  u32 live();
  u32 valuation();
  Expansion start() {
    for (const ir::Rule& r : p_.starts) rule(r);
    return result_;
  }

 protected:
  enum MoveState : u8 { kClosed, kOpen, kErroneous };

  void unpack(const Word* state);
  // What is in the target, with the automaton in a location.
  void pack(u32 location, Word* to) const;
  void bind(const ir::Rule& rule, u32 instance);
  bool is_asked(u32 label, u32 predicate) const;
  void answer(const BodyJudge& judge);
  // Flags and predicates of the state, and what the automaton can do.
  void begin();
  void finish(u32 step, End end);
  void stutter();
  i64 value_of(u32 code);  // 0 where it fails
  // As RuleOutput::finish_again() and note_unfinished().
  void finish_again(const ChainWays& ways);
  void note_unfinished(u32 label, u32 predicate, const BodyJudge& judge);
  bool is_ended() const { return j_.work.ended(); }

  RulesJudge& j_;
  const ir::RuleProgram& p_;
  const SuccessorBuffer& out_;
  Question* question_;
  Expansion result_;
  bool any_ = false;

 private:
  End body(u32 code, u32 label, u32 predicate, i64& value);
  void rule(const ir::Rule& rule);
  void successor(u32 label, u32 location);
  End assumed();
  void move(u32 label, u32 location, End end);
  void predicates();

  bool guards_only_ = false;
  bool stepping_ = false;  // the automaton moves along; it does not when startstates run

 protected:
  u32 location_ = kNone;  // of the automaton, if there is one
};

// Of a generator (exec/rules/generator.h says what their order is).
Expansion judge_generator(RulesJudge& judge, const Word* state, const SuccessorBuffer& out,
                          Question* question);
// As Model::unfold().
bool unfold_generator(void* judge, const Word* state, u32 label, u32 repeat,
                      const StatementVisitor& visitor);

}  // namespace xmc
