// The judge of one body: a plain walk over its actions on unpacked leaves, which checks every
// register, address and value, and says what failed.
//
// With a LeafWatch, bodies are run on states that are known in part: the watch ends the walk at the
// first leaf that it does not have.
#pragma once

#include <span>

#include "ir/ir.h"
#include "xmc/limits.h"
#include "xmc/model.h"
#include "xmc/step_work.h"
#include "xmc/text.h"

namespace xmc {

// Who wants to know what a body reads and writes, by leaves.
class LeafWatch {
 public:
  // Has the leaf in its place, or withholds it: false.
  virtual bool read(u32 leaf) = 0;
  virtual void write(u32 leaf) = 0;
  virtual bool is_written(u32 leaf) const = 0;

 protected:
  ~LeafWatch() = default;
};

class BodyJudge {
 public:
  // Behind `yielded` and `blamed` the body goes on.
  enum class End : u8 {
    disabled,
    guarded,
    done,
    value,
    failed,
    abandoned,
    withheld,
    yielded,
    blamed,
    unfinished  // it was to end (StepWork)
  };

  // Without `work` nobody ends it.
  BodyJudge(const ir::RuleProgram& program, std::span<i64> leaves, std::span<i64> cells,
            StepWork* work, LeafWatch* watch = nullptr)
      : p_(program), leaves_(leaves), cells_(cells), work_(work), watch_(watch) {}

  // Leaves change in place from `begin` on.
  End run(u32 code, bool guard_only);
  i64 value() const { return value_; }

  // Of a generator: where the leaves are taken from at each attempt.
  void generates(std::span<const i64> source) { source_ = source; }
  // Behind what has yielded or blamed; and where the last attempt says, if there was one.
  End go_on() { return run(next_, false); }
  End go_on_otherwise() {
    base_ = depth_ = 0;
    misfit_ = false;
    return run(attempt_->b, false);
  }
  const ir::Action* attempt() const { return attempt_; }
  // That has yielded, blamed or failed, or was not to be gone on with.
  const ir::Action& action() const { return *failed_; }

  // After a failure or blame: appends why, and returns the line of the text.
  u32 explain(Text& out) const;
  ErrorKind error_kind() const;

 private:
  void try_step(const ir::Action& x);
  End stop(const ir::Action& x, End end);
  u32 target(const ir::Action& x);
  bool remove(const ir::Action& x);
  bool insert(const ir::Action& x);
  void explain_fail(const ir::BodyNote& note, Text& out) const;
  i64& cell(u32 index);
  i64& place(i64 address);
  bool fetch(i64 address, i64& out);
  void put(i64 address, i64 value);
  bool copy(i64 to, i64 from, u32 count);
  bool index(const ir::Action& x, i64& out);
  bool assign(const ir::Action& x);
  bool number(const ir::Action& x);
  bool check(const ir::Action& x);
  bool jumps(const ir::Action& x);
  bool call(const ir::Action& x, u32 back);
  bool sort(const ir::Action& x);
  bool before(i64 a, i64 b, u32 size, bool& is);
  bool swap(i64 a, i64 b, u32 size);
  bool is_touched(i64 element, u32 size) const;
  bool spend() { return work_ == nullptr || work_->spend(); }
  End unfinished(const ir::Action& x) {
    failed_ = &x;
    return End::unfinished;
  }
  End fail(const ir::Action& x) {
    failed_ = &x;
    return withheld_ ? End::withheld : End::failed;
  }

  struct Frame {
    u32 back = 0;
    std::size_t base = 0;
  };

  const ir::RuleProgram& p_;
  std::span<i64> leaves_;
  std::span<i64> cells_;
  StepWork* work_;
  LeafWatch* watch_;
  std::size_t base_ = 0;
  u32 depth_ = 0;
  bool begun_ = false;
  i64 value_ = 0;
  i64 culprit_ = 0;      // the value that was wrong
  bool misfit_ = false;  // a value was stored where it does not fit
  bool withheld_ = false;
  const ir::Action* failed_ = nullptr;
  std::span<const i64> source_;
  const ir::Action* attempt_ = nullptr;
  u32 next_ = 0;  // behind what has yielded or blamed
  Frame frames_[limits::kCallDepth];
};

}  // namespace xmc
