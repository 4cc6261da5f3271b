// Which leaves a body may read and write, whatever the state: found in its text, without memory.
//
// An address is traced back to what it is made of: a known leaf, and digits of indices times their
// strides. A register's value is the one of the nearest assignment before it in the text, if
// control cannot come by another way; where that is not so, and where a caller hands an address
// over, it may be any leaf. Digits that are parameters of the rule are those of one instance.
#pragma once

#include <span>

#include "ir/ir.h"

namespace xmc {

class BodyReads {
 public:
  static constexpr u8 kRead = 1;
  static constexpr u8 kWritten = 2;

  // Marks are by leaf. There is a byte for each routine, too; parameters are in their cells.
  BodyReads(const ir::RuleProgram& program, std::span<const i64> cells, std::span<u8> routines,
            std::span<u8> marks)
      : p_(program), cells_(cells), routines_(routines), marks_(marks) {}

  void rule(const ir::Rule& rule, bool guard_only) {
    parameters_ = p_.parameters.subspan(rule.first_parameter, rule.parameter_count);
    body(rule.code, guard_only);
  }
  void body(u32 code, bool guard_only = false);

 private:
  static constexpr u32 kMostTerms = 8;
  struct Term {
    u32 stride = 0;
    u32 count = 0;
  };
  struct Place {
    i64 base = 0;
    u32 term_count = 0;
    Term terms[kMostTerms];
  };
  enum class Kind : u8 { anywhere, leaf, local };

  void routines();
  void action(u32 at);
  void access(u32 at, u32 reg, i64 base, u32 count, u8 mark);
  Kind trace(u32 at, u32 reg, Place& place) const;
  bool add_term(const ir::Action& x, Place& place) const;
  bool keeps(u32 from, u32 to, u32 reg) const;
  bool may_set(u32 at, u32 reg) const;
  bool is_taken(u32 reg) const;
  bool is_parameter(u32 reg) const;
  void mark(const Place& place, u32 count, u8 mark);
  void sort(const ir::Action& x);

  const ir::RuleProgram& p_;
  std::span<const i64> cells_;
  std::span<u8> routines_;
  std::span<u8> marks_;
  std::span<const ir::Parameter> parameters_;
  u32 first_ = 0;  // of the body or routine that is looked at
  u32 end_ = 0;
};

}  // namespace xmc
