#include "ir/tables/channel_ends.h"

namespace xmc::ir {

namespace {

using Kind = Condition::Kind;

bool meet(const CellRange& a, const CellRange& b) {
  return a.first < b.first + b.count && b.first < a.first + a.count;
}

class Pair {
 public:
  Pair(const StepFacts& facts, const StepTables& tables, u32 a, u32 b)
      : f_(facts), t_(tables), a_(a), b_(b), channel_(facts.steps[a].channel) {}

  // But for the cells of the channel.
  bool accord() const {
    return !share_process() && !disturbs(a_, b_) && !disturbs(b_, a_) && !disables(a_, b_) &&
           !disables(b_, a_);
  }

 private:
  // Cells of a channel come with those of no other variable.
  bool is_of_channel(const CellRange& cells) const {
    return f_.channel_of[cells.first] == channel_;
  }

  bool share_process() const {
    const StepParts& a = f_.steps[a_].parts;
    const StepParts& b = f_.steps[b_].parts;
    for (u32 i = 0; i < a.count; ++i) {
      for (u32 k = 0; k < b.count; ++k) {
        if (a.partners[i].process == b.partners[k].process) return true;
      }
    }
    return false;
  }

  bool writes(u32 step, const CellRange& cells) const {
    const Range writes = f_.steps[step].writes;
    for (u32 i = 0; i < writes.count; ++i) {
      const CellRange& written = f_.writes[writes.first + i].cells;
      if (!is_of_channel(written) && meet(written, cells)) return true;
    }
    return false;
  }

  // One writes what the other one reads or writes.
  bool disturbs(u32 one, u32 other) const {
    const StepFact& step = f_.steps[other];
    for (u32 i = 0; i < step.reads.count; ++i) {
      if (writes(one, f_.reads[step.reads.first + i])) return true;
    }
    for (u32 i = 0; i < step.writes.count; ++i) {
      if (writes(one, f_.writes[step.writes.first + i].cells)) return true;
    }
    return false;
  }

  bool disables(u32 one, u32 other) const {
    const StepParts& parts = f_.steps[other].parts;
    for (u32 i = 0; i < parts.conjunct_count; ++i) {
      const u32 condition = f_.conjuncts[f_.conjunct_lists[parts.first_conjunct + i]];
      const Condition& c = f_.conditions[condition];
      if (has_bit(t_.turning_false(c.watch), one) && may_turn(one, c)) return true;
    }
    return false;
  }

  bool may_turn(u32 step, const Condition& c) const {
    switch (c.kind) {
      case Kind::constant:
        return false;
      case Kind::compare:
        return writes(step, {c.cell, 1});
      case Kind::balance:
      case Kind::opaque:
      case Kind::rest:
        for (u32 i = 0; i < c.count; ++i) {
          if (writes(step, f_.inputs[c.first + i].cells)) return true;
        }
        return false;
      case Kind::all_of:
      case Kind::any_of:
        for (u32 i = 0; i < c.count; ++i) {
          if (may_turn(step, f_.conditions[f_.parts[c.first + i]])) return true;
        }
        return false;
      default:
        return true;
    }
  }

  const StepFacts& f_;
  const StepTables& t_;
  u32 a_;
  u32 b_;
  u32 channel_;
};

}  // namespace

void accord_ends(const StepFacts& facts, const StepTables& tables, std::span<u64> discord) {
  for (u32 a = 0; a < tables.step_count && !facts.channel_of.empty(); ++a) {
    const StepFact& sender = facts.steps[a];
    if (sender.channel == kNone || !sender.is_sender) continue;
    u64* const row = discord.data() + u64{a} * tables.words;
    for (u32 b = 0; b < tables.step_count; ++b) {
      const StepFact& receiver = facts.steps[b];
      if (receiver.channel != sender.channel || receiver.is_sender || !has_bit(row, b)) continue;
      if (!Pair(facts, tables, a, b).accord()) continue;
      clear_bit(row, b);
      clear_bit(discord.data() + u64{b} * tables.words, a);
    }
  }
}

}  // namespace xmc::ir
