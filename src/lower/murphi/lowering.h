// From the tree to bodies: what all parts of the lowering share.
#pragma once

#include "front/murphi/ast.h"
#include "front/murphi/lexer.h"
#include "front/source.h"
#include "ir/ir.h"
#include "lower/automaton_shape.h"
#include "lower/murphi/code.h"
#include "lower/murphi/murphi_lower.h"
#include "lower/murphi/text.h"
#include "lower/name_store.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc::murphi_lower {

using ir::BodyOp;
using murphi::ExprId;
using murphi::Op;
using murphi::Role;
using murphi::Span;
using murphi::StmtId;
using murphi::StmtOp;
using murphi::TypeId;
using murphi::TypeKind;
using murphi::VariableId;

// Where a value of a type is. Local: from register `base` on. Else its address is base, plus what
// register `reg` holds.
struct Place {
  bool local = false;
  u32 base = 0;
  u32 reg = kNone;
  TypeId type = 0;
};

// Registers of a routine: leaves of its frame, addresses of references, and its result.
struct RoutineFrame {
  u32 parameters_end = 0;  // of values, which come first
  u32 result = 0;
  u32 fixed = 0;
};

class Lowering {
 public:
  Lowering(const murphi::System& system, const Source& source, Diagnostics& diagnostics,
           const MurphiRequest& request, Arena& arena, ir::RuleProgram& program);

  Status run();
  NameStore& names() { return names_; }
  // Where covers stand in the text, by their bits.
  std::span<const CoverPlace> cover_places() const { return {cover_places_, covers_.size()}; }

 private:
  friend class Places;
  const murphi::Type& type(TypeId id) const { return s_.types[id]; }
  const murphi::Expr& expr(ExprId id) const { return s_.expressions[id]; }
  const murphi::Variable& variable(VariableId id) const { return s_.variables[id]; }
  const murphi::Type& type_of(ExprId id) const { return type(expr(id).type); }
  static bool is_compound(const murphi::Type& t) {
    return t.kind == TypeKind::record || t.kind == TypeKind::array || t.kind == TypeKind::multiset;
  }
  // Undefined is a value among others there: two of them are equal.
  bool is_symbolic(const murphi::Type& t) const {
    return !rumur() && (t.kind == TypeKind::scalarset || t.kind == TypeKind::union_of);
  }
  bool rumur() const { return request_.dialect == murphi::Dialect::rumur; }
  // What is not done yet is refused where it stands, and never run wrongly.
  void refuse(Span place, const char* what);

  // columns.cc
  void make_columns();
  void column(TypeId id, std::string_view name, u32 leaf, u32 depth);
  void add_column(const murphi::Type& t, std::string_view name, u32 leaf, u32 depth);
  void place_leaves();

  // places.cc
  bool is_place(ExprId id) const;
  Place place(ExprId id);
  Place variable_place(VariableId id);
  Place element(Place of, TypeId of_type, ExprId index, Span where);
  Place slot_of(Place multiset, u32 slot, Span where);
  u32 address_of(const Place& p);
  u32 address_of(const Place& p, u32 leaves);
  u32 load(const Place& p);
  void store(const Place& p, u32 r, Span where);
  void copy(const Place& to, const Place& from, u32 leaves, Span where);
  void fill(const Place& p, u32 offset, u32 leaves, u32 with);
  void undefine(const Place& p);
  void clear(const Place& p);
  void clear(const Place& p, u32 offset, TypeId id);
  bool same_low(TypeId id, i64& low, bool& found) const;
  u32 cell_of(VariableId id) const;
  u32 constant(i64 value);
  void set(u32 r, i64 value);

  // values.cc
  u32 value(ExprId id, bool maybe_undefined = false);
  u32 designated(ExprId id, bool maybe_undefined);
  u32 binary(ExprId id);
  u32 compare_compounds(ExprId id);
  u32 converted(ExprId id, bool maybe_undefined);
  u32 member(ExprId id);
  u32 truth(ExprId id);
  u32 quantified(ExprId id);
  u32 chosen(ExprId id);
  u32 count(ExprId id);
  u32 first_value(TypeId of_union, TypeId part) const;
  void branch(ExprId id, Label& to, bool when);
  bool calls(ExprId id) const;
  void check_range(u32 r, ExprId from, TypeId to, Span where);
  bool may_be_undefined(ExprId id) const;

  // loops.cc
  struct Loop {
    u32 head = 0;
    VariableId variable = 0;
    u32 step = kNone;  // register; kNone: the number is known
    i32 by = 1;
    Label out;
  };
  void open_loop(VariableId id, Loop& loop);
  void open_either_way(VariableId id, Loop& loop);
  void close_loop(Loop& loop);
  struct SlotLoop {
    u32 head = 0;
    u32 cell = 0;
    Label next;
    Label out;
  };
  void open_slots(VariableId choice, SlotLoop& loop);
  void close_slots(SlotLoop& loop);
  void jump_if_free(const Place& slot, Label& to);

  // statements.cc
  void statements(StmtId first);
  void statement(const murphi::Stmt& s);
  void assign(const Place& to, ExprId from, Span where);
  void if_chain(const murphi::Stmt& s);
  void switch_on(const murphi::Stmt& s);
  void while_loop(const murphi::Stmt& s);
  void require(const murphi::Stmt& s);
  void give_back(const murphi::Stmt& s);
  void bind_alias(VariableId id);
  void add_element(const murphi::Stmt& s);
  void remove_element(const murphi::Stmt& s);
  void remove_matching(const murphi::Stmt& s);

  // routines.cc
  void lay_out_routines();
  void lower_routines();
  u32 call(ExprId id);  // where its result is
  void argument(const murphi::Variable& formal, ExprId actual, u32& reg, Place& from);

  // rules.cc
  void lower_rules();
  void lower_rule(const murphi::Rule& rule, ir::Rule& out);
  u32 bind_parameters(const murphi::Rule& rule, ir::Rule& out);
  void bind_names(const murphi::Rule& rule, Label& off);
  u32 lower_property(const murphi::Rule& rule, bool any);
  void keep_apart(const murphi::Rule& rule);
  void lower_liveness(const murphi::Rule& rule);
  u32 add_cover(std::string_view name, Span place, u32 code);
  u32 lower_condition(ExprId condition);
  u32 asked_cells() const;
  bool bind_parameter(VariableId id, u32 cell, ir::Parameter& out);
  void sort_multisets();
  void sort_multisets(TypeId id, u32 leaf);
  void property_loops(const murphi::Rule& rule, u32 at, Label& out, bool when);
  Status finish_frames();

  // automaton.cc
  void place_automaton();
  void branch_on(std::span<const ltl::Cube> cubes, Label& yes);
  template <class Wanted>
  u32 body_of_edges(u32 state, bool then, Wanted wanted);
  u32 alarm_body(u32 state);
  void lower_automaton();

  const murphi::System& s_;
  const Source& source_;
  Diagnostics& diagnostics_;
  const MurphiRequest& request_;
  Arena& arena_;
  ir::RuleProgram& p_;
  NameStore names_;
  Code code_;

  struct Dimension {
    u32 count = 0;
    u32 stride = 0;
  };
  struct LeafPlace {
    u32 column = 0;
    u32 element = 0;
  };
  static constexpr u32 kDimensions = 2 * limits::kBlockDepth;
  Dimension dimensions_[kDimensions];
  Pool<ir::Variable, 6, 1024> columns_;
  std::span<LeafPlace> leaf_places_;

  std::span<u32> cells_;      // of variables that have no leaf in a frame, else kNone
  std::span<Place> aliases_;  // of aliases that are places
  std::span<RoutineFrame> frames_;
  Pool<ir::Rule, 5, 2048> rules_;
  Pool<ir::Rule, 5, 2048> starts_;
  Pool<ir::Parameter, 5, 2048> parameters_;
  Pool<ir::Predicate, 5, 2048> predicates_;
  Pool<u32, 5, 2048> assumptions_;
  Pool<ir::Rule, 5, 2048> liveness_;
  Pool<u32, 5, 1> covers_;
  CoverPlace cover_places_[limits::kMarks];
  u32 routine_ = kNone;  // that is being lowered
  Label end_;            // of a rule
  bool symmetric_;       // permutations of a state can stand for it
  AutomatonShape shape_;
  u32 most_cells_ = 0;  // of a rule or predicate
};

}  // namespace xmc::murphi_lower
