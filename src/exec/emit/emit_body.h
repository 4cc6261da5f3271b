// Bodies as C++ text (the words are those of xmc/native_rules.h). Registers are local variables,
// which the compiler keeps where it likes; those that are indexed, or whose address gets lost, are
// cells of the array. A jump is a goto: the compiler sees loops in them.
#pragma once

#include <optional>

#include "exec/emit/body_flow.h"
#include "exec/emit/body_places.h"
#include "exec/emit/emit_writer.h"
#include "exec/emit/flat_body.h"
#include "exec/emit/leaf_columns.h"
#include "ir/ir.h"
#include "xmc/arena.h"

namespace xmc {

class BodyEmitter {
 public:
  // Of a function around a body: with labels off<depth> and bad<depth> for where it ends early.
  BodyEmitter(const ir::RuleProgram& program, const FlatBodies& flat, const LeafColumns& columns,
              bool function, EmitWriter& out, Arena& arena);

  // All registers and digits.
  void declare();
  // The actions [first, last), `depth` loops deep.
  void actions(u32 first, u32 last, u32 depth);
  void label(u32 at);

  std::span<const ir::Action> all() const { return body_; }
  u32 begin() const { return begin_; }
  bool has_memory() const { return has_memory_; }
  bool is_target(u32 at) const { return places_.is_target(at); }
  void reg(u32 r);
  // In a rule: how many priorities there are decides whether `begin` may be the end.
  void set_priorities(bool several) { priorities_ = several; }
  // A rule of a generator; and where its errors lead to, behind all actions.
  void set_generator(const FlatBodies& flat, Arena& arena);
  void otherwise(u32 first_step);
  // The statement that leaves the function where the expansion is to end unfinished.
  void set_unfinished(const char* leave) { leave_ = leave; }

 private:
  using Kind = BodyPlace::Kind;
  void find_memory(bool function);
  void keep_in_memory(u32 first, u32 count);
  bool touches(u32 first, u32 count) const;
  bool may_write(u32 at, i64 first, i64 end) const;

  void action(u32 at, u32 depth);
  bool place_action(u32 at);
  bool value_action(const ir::Action& x);
  bool check_action(const ir::Action& x, u32 depth);
  bool jump(u32 at, u32 depth);
  void spend();
  bool end_action(const ir::Action& x, u32 depth);
  bool generator_action(u32 at, u32 depth);
  void queue_action(const ir::Action& x);
  bool is_packed(u32 leaf, u32 step, u32 count) const;
  void go_to(u32 target, u32 depth);
  void binary(const ir::Action& x, u32 depth);
  void words(const char* pattern, const ir::Action& x);
  void call(const ir::Action& x, u32 depth);
  void index(u32 at, u32 depth);
  void copy(u32 at);
  void fill(u32 at);
  bool is_known(const BodyPlace& place, u32 count) const;

  void number(i64 value);
  void digits(const BodyPlace& place, const u32* strides, i64 base);
  void slot_words(const char* call, const Slot& slot);
  void read(const BodyPlace& place);
  void open_write(const BodyPlace& place);
  void close_write(const BodyPlace& place);
  const char* state(u32 at) const { return at < begin_ ? "s" : "n"; }

  const ir::RuleProgram& p_;
  const LeafColumns& columns_;
  EmitWriter& out_;
  std::span<const ir::Action> body_;
  std::span<const u32> targets_;
  BodyPlaces places_;
  std::optional<BodyFlow> flow_;
  std::span<u8> memory_;  // by register
  const char* leave_ = "return;";
  const char* from_ = "s";  // the state that is read
  u32 begin_ = kNone;
  bool has_memory_ = false;
  bool priorities_ = false;
};

}  // namespace xmc
