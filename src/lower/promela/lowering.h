// From the checked form to bodies: what all parts of the lowering share.
#pragma once

#include "front/promela/system.h"
#include "front/source.h"
#include "ir/dead.h"
#include "ir/interval.h"
#include "ir/ir.h"
#include "ir/tables/step_facts.h"
#include "lower/automaton_shape.h"
#include "lower/body_code.h"
#include "lower/name_store.h"
#include "lower/promela/claim_values.h"
#include "lower/promela/facts.h"
#include "lower/promela/liveness.h"
#include "lower/promela/promela_lower.h"
#include "lower/promela/layout/layout.h"
#include "lower/promela/steps/state_expressions.h"
#include "lower/promela/steps/step_record.h"
#include "lower/promela/words.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc::promela_lower {

using ir::BodyOp;
using ir::Interval;
using promela::Action;
using promela::ActionKind;
using promela::ExprId;
using promela::Leaf;
using promela::Op;
using promela::Option;
using promela::Pattern;
using promela::PatternKind;
using promela::PlaceId;
using promela::Reference;
using promela::RefId;
using promela::Scope;
using promela::Span;

// f(leaf) for each element that the indexes can name.
template <class F>
void for_elements(const promela::System& s, const Reference& r, u32 leaf, u32 at, F f) {
  if (at == r.index_count) return f(leaf);
  const promela::Index& index = s.indexes[r.first_index + at];
  for (u32 i = 0; i < index.bound; ++i) for_elements(s, r, leaf + i * index.stride, at + 1, f);
}

// What an expression is: a number that is known, or a register and what it can hold.
struct Value {
  u32 reg = kNone;
  Interval range;

  bool known() const { return range.single(); }
  bool is(i32 v) const { return known() && range.lo == v; }
};

// A leaf: `base`, plus what register `reg` holds.
struct Address {
  u32 base = kNone;
  u32 reg = kNone;
};

// Whose statement or expression is lowered.
struct Frame {
  u32 slot = kNone;  // kNone: of no process
  u32 proctype = kNone;
  u32 type = kNone;       // Slots::type()
  PlaceId place = kNone;  // kNone: values are those of all its places
};

// A channel that a statement may use, with the form that it has then.
struct ChannelChoice {
  u32 number = 0;
  u32 form = 0;
  u32 code = 0;  // of the form, in the leaf of a channel that can be gone; else 0
};

class StepFinder;

class Lowering {
 public:
  // With `live` what is dead at a place is set to its rest value on the way there; rules, steps and
  // their labels are the same.
  Lowering(const promela::System& system, const promela::Facts& facts, const Liveness* live,
           Diagnostics& diagnostics, const PromelaRequest& request, Arena& arena,
           ir::RuleProgram& program);

  Status run();
  // Behind run(), of a program with `live`. False: they are too many to be listed.
  bool list_dead(ir::DeadVariables& out);
  // What steps do to one another is found behind run(), of this program. Empty: it was found.
  void record_steps() { wants_record_ = true; }
  const char* find_steps(ir::StepFacts& facts, const ir::Program*& text);
  NameStore& names() { return names_; }
  const Slots& slots() const { return slots_; }
  const Words& words() const { return words_; }
  // Of the predicates that a claim makes, which come last.
  const Pool<Span, 5, 2048>& claim_places() const { return claim_places_; }

 private:
  // Registers of the body of a slot that stay while its options are tried.
  static constexpr u32 kTimeoutCell = 0;
  static constexpr u32 kDoneCell = 1;    // some option was executable: `else` is not
  static constexpr u32 kEscapeCell = 2;  // the escape of the last one that was
  static constexpr u32 kFixedCells = 3;
  // The same of a test (tests.cc).
  static constexpr u32 kTestResultCell = 0;
  static constexpr u32 kTestTimeoutCell = 1;
  static constexpr u32 kTestDoneCell = 2;
  static constexpr u32 kTestEscapeCell = 3;
  static constexpr u32 kTestCells = 4;
  // Tests that ask for tests, one inside the other.
  static constexpr u32 kTestDepth = 8;

  const promela::Expr& expr(ExprId id) const { return s_.expressions[id]; }
  // That goes on where the process keeps control.
  u32 rule_of(u32 slot) const { return slots_.count() - 1 - slot; }
  bool has_automaton() const {
    return request_.automaton != nullptr || request_.claim != kNone || request_.accepting ||
           request_.progress;
  }
  // What is not done yet is refused where it stands, and never run wrongly.
  void refuse(Span place, const char* what);
  u16 note(Span place);
  void fail(ir::Failure failure, Span place);

  // values.cc
  Value known(i64 value) const;
  u32 in_register(const Value& v);
  u32 constant(i64 value);
  void set(u32 r, i64 value);
  Value value(ExprId id);
  Value unary(ExprId id);
  Value binary(ExprId id);
  Value truth(ExprId id);
  Value conditional(ExprId id);
  Value cut_to_int(u32 reg, Interval range);
  Value cut(const Leaf& leaf, const Value& v);
  void branch(ExprId id, Label& to, bool when);
  void branch_on(const Value& v, Label& to, bool when);
  bool creates(ExprId id) const;

  // references.cc
  Address address(const Reference& r, u32 base);
  Value load(const Address& at, Interval range);
  Value load_leaf(u32 leaf);
  Value read(RefId id);
  Value read_of_claim(const Reference& r);
  void write(RefId id, const Value& v);
  void write_leaf(const Address& at, const Value& v);
  Interval local_range(const Frame& frame, u32 leaf) const;

  // remote.cc
  void jump_unless(const SlotType& type, Label& no);
  template <class Then>
  void for_process(ExprId pid, u32 proctype, Then then);
  Value read_remote(const Reference& r);
  Value at_label(ExprId id);
  Value process_count();
  Value no_progress();
  Value claim_no_progress();
  Value places_value(bool (*wanted)(const promela::Place&));
  Value priority_of(ExprId id);

  // channels.cc
  Value channel_number(ExprId channel, promela::Numbers& numbers);
  void jump_unless(const Value& number, const ChannelChoice& c, Label& no);
  void jump_unless_equal(const Value& a, const Value& b, Label& no);
  bool is_sure(const Value& number, const ChannelChoice& c) const;
  bool are_there(const promela::Numbers& numbers) const;
  template <class F>
  void for_choices(const promela::Numbers& numbers, F f);
  template <class Then>
  void for_channels(ExprId channel, Then then);
  Value queue_value(ExprId id);
  Value poll(ExprId id);
  Value length(u32 number);
  Value message_field(const ChannelChoice& c, u32 field, u32 offset);
  void match(u32 first, u32 count, const ChannelChoice& c, u32 offset, Label& no);
  // A message: registers of its number and of what is added to the cells of the first one; kNone
  // for the first one.
  struct Found {
    u32 number = kNone;
    u32 offset = kNone;
  };
  Found find_message(u32 first, u32 count, bool all, const ChannelChoice& c, Label& no);

  // messages.cc
  bool check_count(const Action& a, const ChannelChoice& c);
  std::span<Value> sent_values(const Action& a);
  void cut_fields(const promela::ChannelForm& form, std::span<Value> values);
  Found find_larger(std::span<const Value> values, const ChannelChoice& c, u32 now);
  void send(const Action& a, const ChannelChoice& c, Label& blocked);
  void receive(const Action& a, const ChannelChoice& c, Label& blocked);
  void store_fields(const Action& a, std::span<const Value> values);

  // events.cc
  bool is_event(const Action& event, bool is_send, u32 channel, promela::Numbers& numbers);
  void jump_unless_event(const Action& event, const ChannelChoice& c, std::span<const Value> fields,
                         Label& no);
  void jump_unless_followed(bool is_send, const ChannelChoice& c, Label& no);
  void trace_place(PlaceId place, bool is_send, const ChannelChoice& c,
                   std::span<const Value> fields, Span where, Label& end);
  void event(bool is_send, const ChannelChoice& c, std::span<const Value> fields, Span where);
  Value trace_ends();

  // statements.cc
  void begin();
  void basic(const Action& a, Label& blocked);
  void assign(const Action& a);
  void assertion(const Action& a);
  void set_priority(const Action& a);

  // indivisible.cc
  void go_to(PlaceId place);
  void indivisible_options(PlaceId id, Label* blocked);
  void open_indivisible();
  void close_indivisible();
  void indivisible(const Action& a, Label& blocked);

  // moves.cc
  void lower_moves();
  void lower_slot(u32 q);
  void provided(u32 q, Label& no);
  bool is_provided(u32 q) const;
  void lower_place(PlaceId id, Label& end);
  void leave_escape(u32 escape, Label& end);
  void option(const Option& o);
  void message_option(const Option& o, const Action& a, Label& next);
  void attempt(u32 label, Label& next);
  void finish(const Action& a);
  void move_to(u32 q, PlaceId from, PlaceId to);
  void yield(bool keeps_control);
  void note_taken(const Option& o);

  void lower_options(u32 q, Label& end);
  void add_rules(u32 timeout, i32 priority);
  u32 step_label(const Step& step);

  // tests.cc
  u32 test(u32 q);
  Value enabled(ExprId id);
  void yield_to_higher(u32 q, Label& no);
  u32 claim_timeout();
  void lower_tests();
  void lower_test(u32 q);

  // rendezvous.cc
  struct Sender {
    const Action* action = nullptr;
    const Option* option = nullptr;
    u32 label = 0;
    Frame frame;
    ChannelChoice channel;
    std::span<const Value> values;
    bool has_else = false;
    bool has_escapes = false;
    CodeRange before[3];  // as of a region
    u32 place_code = 0;
    u32 escapes = 0;  // where the options of the receiver's place begin
  };
  void rendezvous(const Option& o, const Action& a, const ChannelChoice& c);
  void receivers(Sender& sender, u32 q);
  void pairs(Sender& sender, const promela::Place& place);
  void pair(const Sender& sender, const Option& o, const Action& whole, const Action& receive,
            u32 taken);

  // step_record.cc
  bool records() const { return record_ != nullptr && !asks_; }
  void note_store(Interval values);
  void note_change(const promela::Action& a, const Value& v);
  void note_safe(bool is_safe);
  void note_region(const StepRegion& region);
  void note_timeout();
  u32 here() const { return code_.here(); }
  CodeRange since(u32 first) const { return {first, code_.here()}; }

  // dead_locals.cc
  void rest(u32 leaf);
  void note_write(const Reference& r, u32 leaf);
  bool is_useless(const Reference& r) const;
  void rest_dead(u32 q, PlaceId from, PlaceId to);
  void note_start(u32 leaf);
  void rest_at_start();
  template <class Use>
  void each_dead(const Use& use) const;

  // creation.cc
  Value run_process(ExprId id);
  void create(u32 q, u32 proctype, std::span<const Value> arguments, i32 priority);
  void initials(bool is_global, u32 first, u32 count);
  Value new_channel(u32 form, u32 before);
  void clear_channels(u32 count);
  void clear(u32 leaf, u32 count);
  void die(Label& blocked);
  void lower_start();

  // ends.cc
  u32 open_body();
  void close_body(const Value& v);
  u32 lower_valid_end();
  u32 lower_accepts();
  u32 lower_condition(ExprId condition);
  void lower_predicates();

  // claim.cc
  static constexpr u32 kClaimDepth = limits::kBlockDepth;
  struct ClaimStep {
    PlaceId place = 0;
    u32 option = 0;         // of the place
    bool is_first = false;  // in a d_step: the first one that can be executed
  };
  // Statements that are one move; `count` is kNone for the absence of progress.
  struct ClaimWay {
    u32 location = 0;
    u32 target = 0;
    u32 first = 0;  // claim_steps_
    u32 count = 0;
  };
  void claim_ways(u32 location, PlaceId id, u32 depth, const Action* whole);
  void claim_edge(u32 location, const Action& a, u32 depth, const Action* whole);
  void shape_claim();
  void shape_labels();
  void shape_automaton();
  void claim_option(const promela::Place& place, u32 option, Label& no);
  void claim_options_before(const promela::Place& place, u32 option, Label& no);
  u32 claim_body(const ClaimWay& way, bool check);
  u32 progress_body();
  void lower_claim();

  // automaton.cc
  void place_automaton();
  void branch_on_cubes(std::span<const ltl::Cube> cubes, Label& yes);
  template <class Wanted>
  u32 body_of_edges(u32 state, bool then, Wanted wanted);
  u32 alarm_body(u32 state);
  void lower_automaton();

  // steps/step_questions.cc
  const char* find_questions(std::span<const u32> cells, StepFinder& finder, ir::StepFacts& facts,
                             const ir::Program*& text);
  const char* find_goals(StateExpressions& all, StepFinder& finder, ir::StepFacts& facts,
                         const ir::Program*& text);
  const char* find_automaton(StateExpressions& all, ir::StepFacts& facts, const ir::Program*& text);
  u32 claim_option_expression(StateExpressions& all, const promela::Place& place, u32 option);
  u32 claim_before_expression(StateExpressions& all, const promela::Place& place, u32 option);
  u32 claim_expression(StateExpressions& all, const ClaimWay& way, bool check);
  u32 cubes_expression(StateExpressions& all, std::span<const ltl::Cube> cubes);
  u32 guard_expression(StateExpressions& all, u32 edge);
  u32 alarm_expression(StateExpressions& all, u32 state);
  bool has_accepting_place() const;
  ir::Program& text_of(StateExpressions& all);

  const promela::System& s_;
  const promela::Facts& facts_;
  const Liveness* const live_;
  Diagnostics& diagnostics_;
  const PromelaRequest& request_;
  Arena& arena_;
  ir::RuleProgram& p_;
  NameStore names_;
  BodyCode code_;
  Slots slots_;
  Layout layout_;
  Words words_;

  std::span<u16> notes_;  // by where their text begins; 0: none yet

  // The code of a place inside the d_step that is lowered.
  struct PlaceCode {
    u32 code = kNone;
    bool is_waiting = false;
    Label label;
  };
  struct Inside {
    explicit Inside(Arena& arena) : waiting(arena, "d_step") {}
    u32 turns = 0;  // register: jumps back
    Label end;
    u32 first = 0;  // of `waiting`
    Pool<PlaceId, 5, 4096> waiting;
  };
  Inside inside_;
  std::span<PlaceCode> place_codes_;

  Pool<ir::Rule, 5, 64> rules_;
  Pool<ir::Rule, 3, 4> starts_;
  Pool<ir::Parameter, 5, 64> parameters_;
  Pool<ir::Predicate, 5, 2048> predicates_;

  bool wants_record_ = false;
  bool is_change_ = false;  // of the assignment that is lowered
  i32 change_ = 0;
  u32 option_code_ = 0;     // where the code of the option that is lowered begins
  CodeRange channel_code_;  // what says which channel it is about
  u32 choice_code_ = 0;     // where that of one of them begins
  StepRecord* record_ = nullptr;
  std::span<u32> written_;  // by leaf: the last attempt that writes it
  std::span<u32> started_;  // by leaf: the last process that is created with a value there
  u32 attempts_ = 0;
  u32 creations_ = 0;
  PlaceId behind_ = kNone;  // where what a statement writes is read, if that is asked
  u32 resets_ = 0;
  u32 dropped_ = 0;

  Frame frame_;
  bool is_begun_ = false;  // from here on the successor is read and written
  u32 label_ = 0;          // of the step that is tried
  bool asks_ = false;      // a test: where a successor would begin, it goes to `yes_`
  Label* yes_ = nullptr;
  std::span<u8> is_tested_;  // by slot: its test is asked for, and is there
  std::span<u8> has_test_;
  u32 test_cells_ = 0;
  u32 timeout_ = kNone;  // registers; kNone: it is false
  u32 done_ = 0;
  u32 escape_ = 0;
  bool has_else_ = false;  // the place at hand needs them
  bool has_escapes_ = false;
  bool uses_timeout_ = false;
  bool keeps_control_ = false;  // some step does
  u32 successors_ = 0;          // of the place at hand
  u32 most_cells_ = 0;
  AutomatonShape shape_;
  ClaimStep claim_way_[kClaimDepth];
  Pool<ClaimStep, 6, 4096> claim_steps_;
  Pool<ClaimWay, 6, 2048> claim_edges_;
  Pool<ClaimWay, 6, 2048> claim_checks_;
  Pool<Span, 5, 2048> claim_places_;
  std::span<u32> location_of_;  // by place of the claim
  ClaimValues claim_values_;
};

}  // namespace xmc::promela_lower
