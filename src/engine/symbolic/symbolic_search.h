// SymbolicSearch: the reachable states of a model as one diagram, and what is to be known of them.
//
// Life: plan() in memory that is given, prepare() with the first states of the model, which choose
// the order of fields; then close() until it is true. After that come questions about the set.
// Everything can stop (SetDiagram::Stop), and all but a lack of memory can go on later.
//
// It visits no state but the first ones. A checkpoint (set_checkpoint.h) has the order, the values
// and the sets: rules are made again.
#pragma once

#include <span>

#include "engine/search/search.h"
#include "engine/symbolic/exploration.h"
#include "engine/symbolic/field_values.h"
#include "engine/symbolic/order_choice.h"
#include "engine/symbolic/relations.h"
#include "engine/symbolic/saturation.h"
#include "store/symbolic/set_diagram.h"
#include "xmc/go_on.h"
#include "xmc/model.h"
#include "xmc/partial.h"

namespace xmc {

class SymbolicSearch {
 public:
  // Fields of a state, at most: operations recurse that deep.
  static constexpr u32 kMostFields = 1024;
  static constexpr u32 kFirstStates = 4000;
  static constexpr const char* kName = "symbolic";  // of its engine

  struct Choices {
    u32 first_states = kFirstStates;
    u32 order = kNone;  // OrderChoice::arrange(), for tests
    Exploration::Bounds bounds;
  };

  // Why the model cannot be searched like this, or null.
  static const char* refusal(const Model& model);
  // Whether steps that lead back are told from others, where that matters: those of products are
  // not.
  static bool can_judge(const Model& model, DeadlockRule deadlock) {
    return deadlock != DeadlockRule::stuttering || model.partial->move_count == 0;
  }
  static u64 least_bytes(const Model& model);
  // The memory is zeroed and aligned to a line of the cache.
  void plan(const Model& model, std::span<u8> memory);
  void choose(const Choices& choices) { choices_ = choices; }

  // Expands the first states with the search's buffers, chooses an order, makes the first rules.
  void prepare(Search& search);
  // Goes on towards the closure, as far as the diagram is allowed to. True: it is reached.
  bool close();
  // The part of it that makes rules, for those who find the states in another way.
  bool make_rules();

  // What a checkpoint has of it (symbolic_checkpoint.cc). Instead of prepare() begin_values() makes
  // room for values, and begin_sets(), once these and the order are there, for sets.
  struct First {
    u32 order = 0;   // Choices::order
    u32 states = 0;  // that chose it
    u64 nodes = 0;   // of them
  };
  First& first() { return first_; }
  LevelOrder& order() { return order_; }
  FieldValues& values() { return values_; }
  std::span<Node> sets() { return sets_; }
  void begin_values();
  void begin_sets();
  // And for a closed set that came from there, before any question about it: rules of all its
  // states. False: stopped.
  bool know_rules();
  // Of a product whose states are all known: which of them have no step of the system. False:
  // stopped.
  bool know_stuck();

  SetDiagram& diagram() { return diagram_; }
  const Relations& relations() const { return relations_; }
  u64 first_nodes() const { return first_.nodes; }
  u32 first_states() const { return first_.states; }
  u32 levels() const { return order_.levels(); }
  u32 order_number() const { return first_.order; }
  u32 projections() const { return exploration_.projections(); }

  Node& states() { return sets_[kStates]; }
  // What follows needs an allowance of the diagram, and is void when that is stopped.

  // The states of a set for which the answer is yes.
  Node matching(Node set, PartialQuestion question, u32 index);
  // Those without a step of the system, and how many steps of it the others have.
  struct Steps {
    Node deadlocks = kEmptySet;
    WideCount count;
  };
  Steps count_steps(Node set);
  // The same in parts, for a search that may end between them: what is left of a set without those
  // of another one that have this step, and in the end without states that halt.
  u32 step_count() const { return steps_.step_count; }
  Node without_step(Node left, Node set, PartialQuestion question, u32 step, WideCount* count);
  Node without_halted(Node left);
  // Those that no step of the system leads away from, erroneous steps counted among those that do.
  Node stuttering(Node set);
  // Those with an erroneous step.
  Node erroneous(Node set);
  // Those that violate a predicate.
  Node violating(Node set);
  WideCount count(Node set) { return diagram_.count(set); }

  // A set that stays alive beside the states; one of a few.
  static constexpr u32 kKept = 8;
  Node& kept(u32 i) { return sets_[kFirstKept + i]; }
  // As many as there is room for: sets by levels, and later a path.
  std::span<Node> row() { return row_; }
  Node initial_states();
  // What one step leads to, moves of the property where the system has none among them.
  Node successors(Node set);
  // Those of a set that lead into another one in one step.
  Node predecessors(Node target, Node among);
  // Goes on towards the closure of a set that stays alive. True: it is reached.
  bool close(Node& set);

  // Any one word of a set that is not empty; and words of diagrams as packed states and back.
  std::span<u32> word_of(Node set);
  void to_state(std::span<const u32> word, Word* state) const;
  Node set_of(const Word* state);

 private:
  static constexpr u32 kStates = 0;
  static constexpr u32 kInitial = 1;
  static constexpr u32 kStuck = 2;  // deadlocks of all states of a product, once these are known
  static constexpr u32 kFirstKept = 3;

  struct Shares;
  static Shares shares(const Model& model, u64 bytes);
  void begin_tables();
  void choose_order(Search& search);
  u32 find_first_states(Search& search, std::span<u8> memory, std::span<u16> numbers, u32 most);
  bool note_values(const Word* state, u16* numbers);
  void begin_closure(Search& search);
  Node without(Node set, PartialQuestion question, WideCount* count);
  Node applying(Node set, Role role);
  Node stuttered(Node set);
  Node stuck(Node set);
  Node leading(u32 group, Node target, Node among);

  Model model_;
  PartialSteps steps_;
  Choices choices_;
  std::span<u8> value_memory_;
  std::span<u8> relation_memory_;
  std::span<u8> exploration_memory_;
  std::span<u8> diagram_memory_;
  LevelOrder order_;
  SetDiagram diagram_;
  FieldValues values_;
  Relations relations_;
  Exploration exploration_;
  Saturation saturation_;
  Node sets_[kFirstKept + kKept] = {};
  std::span<Node> row_;
  std::span<u32> word_;
  First first_;
  bool restored_ = false;  // values and sets were there before the rules
  bool explored_ = false;  // every step, once
  bool stuck_known_ = false;
};

}  // namespace xmc
