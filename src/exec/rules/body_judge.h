// The judge of one body: a plain walk over its actions on unpacked leaves, which checks every
// register, address and value, and says what failed.
#pragma once

#include <span>

#include "ir/ir.h"
#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc {

class BodyJudge {
 public:
  enum class End : u8 { disabled, guarded, done, value, failed, abandoned };

  BodyJudge(const ir::RuleProgram& program, std::span<i64> leaves, std::span<i64> cells)
      : p_(program), leaves_(leaves), cells_(cells) {}

  // Leaves change in place from `begin` on.
  End run(u32 code, bool guard_only);
  i64 value() const { return value_; }

  // After a failure: appends why, and returns the line of the text.
  u32 explain(Text& out) const;

 private:
  i64& cell(u32 index);
  i64& place(i64 address);
  void put(i64 address, i64 value);
  bool index(const ir::Action& x, i64& out);
  bool assign(const ir::Action& x);
  bool number(const ir::Action& x);
  bool check(const ir::Action& x);
  bool jumps(const ir::Action& x);
  bool call(const ir::Action& x, u32 back);
  void sort(const ir::Action& x);
  bool before(std::size_t a, std::size_t b, u32 size) const;
  End fail(const ir::Action& x) {
    failed_ = &x;
    return End::failed;
  }

  struct Frame {
    u32 back = 0;
    std::size_t base = 0;
  };

  const ir::RuleProgram& p_;
  std::span<i64> leaves_;
  std::span<i64> cells_;
  std::size_t base_ = 0;
  u32 depth_ = 0;
  bool begun_ = false;
  i64 value_ = 0;
  i64 culprit_ = 0;      // the value that was wrong
  bool misfit_ = false;  // a value was stored where it does not fit
  const ir::Action* failed_ = nullptr;
  Frame frames_[limits::kCallDepth];
};

}  // namespace xmc
