// Exploration: from steps on partly known states (xmc/partial.h) to the rules of relations.
//
// A step is run with nothing known. Where it needs a field, it is run again with each value that
// the field is known to take, and so on; what comes out at the leaves are rules. When a field gets
// a value for the first time, the steps that asked for the field are run with it. So relations grow
// with the domains of fields, in the middle of a fixpoint: a set that was closed before the value
// turned up does not contain it, and stays closed (Ciardo, Marmorstein, Siminiceanu 2006).
//
// A step that reads so much that the product of domains is too large is projected instead (as in
// LTSmin's PINS): whoever computes the fixpoint gives each vector of the fields it may read that
// occurs in a set, and just these are run. Its rules are applied at the first level that it may
// read: below that, sets were closed without having been looked at.
#pragma once

#include <span>

#include "engine/symbolic/field_values.h"
#include "engine/symbolic/relations.h"
#include "store/symbolic/set_diagram.h"
#include "xmc/model.h"
#include "xmc/partial.h"

namespace xmc {

// Where each field is in the words of a diagram.
struct LevelOrder {
  std::span<u16> field_at;  // by level
  std::span<u16> level_of;  // by field
  u32 levels() const { return static_cast<u32>(field_at.size()); }
};

class Exploration {
 public:
  struct Bounds {
    u32 runs_at_once = 3000;  // of one exploration of a step
    u32 runs_in_all = 60000;  // of a step; beyond either it is projected
    u64 rules = ~u64{0};      // more than this: Stop::full
  };

  // A step whose rules come from vectors.
  struct Projection {
    PartialQuestion question = PartialQuestion::step;
    u32 index = 0;
    u16 top = 0;        // the first level that it may read
    u16 last = 0;       // and the last one
    u32 next = kNone;   // with the same top
    u32 owner = kNone;  // of a question
    u32 serial = 0;     // as of a group
  };

  static constexpr u32 kMostProjections = 512;

  static u64 bytes_for(u32 fields, u32 tasks, u64 askers);
  void init(const PartialSteps& steps, FieldValues& values, Relations& relations,
            SetDiagram& diagram, const LevelOrder& order, std::span<u8> memory);
  void set_bounds(const Bounds& bounds) { bounds_ = bounds; }

  // The rules of all steps and moves, for the values that are known.
  void explore_all();
  // A reachable state has this value, for the first time if it was not confirmed. Not once the
  // diagram is stopped: what has the value is thrown away then, and its rules could not be made.
  void confirm(u32 level, u32 number) {
    const u32 field = order_.field_at[level];
    if (values_->is_confirmed(field, number) || d_->stopped()) return;
    confirm_first(field, number);
  }
  // Numbers of values at a level: those below the count, if they are confirmed.
  u32 value_count(u32 level) const { return values_->count(order_.field_at[level]); }
  bool is_confirmed(u32 level, u32 number) const {
    return values_->is_confirmed(order_.field_at[level], number);
  }
  // The groups of a question: where the answer is yes. One that reads too much becomes a
  // projection, the last one: its groups come from learn().
  enum class Answer : u8 { explored, projected, stopped };
  Answer explore_question(PartialQuestion question, u32 index, u32 owner);
  void drop_projection();  // the last one, of a question

  // Projected steps.
  u32 projections() const { return projection_count_; }
  u32 first_projection(u32 level) const { return projections_at_[level]; }
  const Projection& projection(u32 i) const { return projections_[i]; }
  bool projection_reads(u32 i, u32 level) const { return mask_of(i)[level] != 0; }
  Node& learned(u32 i) { return learned_[i]; }
  // The rules of one vector: the values of all levels that the projection reads, in their order.
  bool learn(u32 i, std::span<const u32> word);
  std::span<u32> vector() { return vector_; }  // room for one

  // Fields of each rule, instead of rules: for the choice of an order.
  struct SignatureSink {
    void* self = nullptr;
    void (*signature)(void* self, std::span<const u32> fields) = nullptr;
  };
  void explore_signatures(SignatureSink sink);

  u64 runs() const { return runs_; }

 private:
  struct Asker {
    u32 task = 0;
    u32 next = kNone;
    u32 chain = kNone;
    u32 field = 0;
  };
  struct Task {
    PartialQuestion question = PartialQuestion::step;
    u32 index = 0;
    u32 id = kNone;  // of those that ask for fields
    u32 owner = kNone;
    u32 projection = kNone;
  };

  Task task_of(u32 id) const;
  bool is_projected(u32 id) const { return task_projection_[id] != kNone; }
  void explore_task(u32 id, u32 pinned);
  bool explore(const Task& task);
  bool branch(const Task& task, u32 field);
  bool leaf(const Task& task, PartialEnd end);
  Role role_of(const Task& task, PartialEnd end) const;
  void confirm_first(u32 field, u32 number);
  bool note_asker(u32 field, u32 task);
  void project(const Task& task);
  std::span<const u8> mask_of(u32 i) const {
    return masks_.subspan(u64{i} * order_.levels(), order_.levels());
  }

  const PartialSteps* steps_ = nullptr;
  FieldValues* values_ = nullptr;
  Relations* relations_ = nullptr;
  SetDiagram* d_ = nullptr;
  LevelOrder order_;
  Bounds bounds_;
  SignatureSink sink_;
  u32 tasks_ = 0;

  PartialRun run_;
  std::span<u32> codes_;
  std::span<u8> known_;
  std::span<u32> numbers_;      // of the known codes, by field
  std::span<u32> written_;      // by field: the number that is written, or kNone
  std::span<u32> rule_levels_;  // of the rule that is being made
  std::span<Support> support_;
  std::span<u32> word_;
  std::span<u32> vector_;
  std::span<u32> askers_of_;  // by field
  std::span<Asker> askers_;
  std::span<u32> asker_heads_;  // by hash of field and task
  u32 asker_count_ = 0;
  std::span<u32> task_runs_;
  std::span<u32> task_projection_;
  std::span<Projection> projections_;
  std::span<u32> projections_at_;
  std::span<Node> learned_;
  std::span<u8> masks_;  // levels that a projection reads
  u32 projection_count_ = 0;
  u32 projection_serials_ = 0;
  u32 pinned_ = kNone;  // only rules that read this field
  u32 runs_now_ = 0;
  u64 runs_ = 0;
};

}  // namespace xmc
