// What people read about steps: the statement of each step label, as it is written.
#pragma once

#include "front/promela/system.h"
#include "lower/name_store.h"
#include "xmc/model_text.h"
#include "xmc/pool.h"

namespace xmc::promela_lower {

// The statement of a process that a step is, or one that sends and one that receives.
struct StepWords {
  u32 process = 0;  // Slots::type()
  u32 action = kNone;
  u32 partner = kNone;
  u32 received = kNone;
};

class Words {
 public:
  Words(const promela::System& system, Arena& arena) : s_(system), steps_(arena, "step labels") {}

  u32 add(const StepWords& step) { return steps_.full() ? 0 : steps_.push(step); }
  u32 count() const { return steps_.size(); }
  bool overflow() const { return steps_.full(); }
  const StepWords& step(u32 label) const { return steps_[label]; }

  // The piece of the text and its line.
  std::string_view piece(promela::Span place) const;
  u32 line(promela::Span place) const;

 private:
  const Source& source_at(u32 offset) const;

  const promela::System& s_;
  Pool<StepWords, 8, 16384> steps_;
};

}  // namespace xmc::promela_lower
