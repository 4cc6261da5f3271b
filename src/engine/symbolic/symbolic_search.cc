#include "engine/symbolic/symbolic_search.h"

#include <algorithm>

#include "store/tables/state_table.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

u32 field_code(const StateField& f, const Word* state) {
  return static_cast<u32>(state[f.word] >> f.shift & ((u64{1} << f.width) - 1));
}

u32 tasks_of(const Model& model) { return model.partial->step_count + model.partial->move_count; }

// What the choice of an order may use of the memory: it is cleared afterwards.
constexpr u64 kMostOrderBytes = u64{16} << 20;
// Half of it has to do for a diagram then.
constexpr u64 kLeastDiagram = 2 * SetDiagram::kLeastBytes + (u64{8} << 10);

}  // namespace

struct SymbolicSearch::Shares {
  u64 order = 0;
  u64 values = 0;
  u64 relations = 0;
  u64 exploration = 0;
  u64 row = 0;
  u64 diagram = 0;
};

const char* SymbolicSearch::refusal(const Model& model) {
  if (model.canonical != nullptr) return "one state stands for its permutations";
  if (model.live_count != 0 || model.cover_count != 0) {
    return "what has to be reached is not looked for in sets";
  }
  if (model.partial == nullptr || model.partial->self == nullptr) {
    return "the steps of this model cannot be told apart by what they read";
  }
  if (model.fields.size() > kMostFields) return "its states have more than 1024 fields";
  return nullptr;
}

SymbolicSearch::Shares SymbolicSearch::shares(const Model& model, u64 bytes) {
  const u32 fields = static_cast<u32>(model.fields.size());
  Shares s;
  s.order = round_up(fields * (2 * sizeof(u16) + sizeof(u32)), kLineBytes);
  s.values = round_up(FieldValues::bytes_for(fields, bytes / 512), kLineBytes);
  s.relations = round_up(Relations::bytes_for(fields, 48, 576) + bytes / 16, kLineBytes);
  s.exploration = round_up(
      Exploration::bytes_for(fields, tasks_of(model), u64{tasks_of(model)} * 4 + bytes / 1024),
      kLineBytes);
  s.row = round_up(bytes / 64, kLineBytes);
  const u64 tables = s.order + s.values + s.relations + s.exploration + s.row;
  s.diagram = bytes > tables ? round_down(bytes - tables, kLineBytes) : 0;
  return s;
}

u64 SymbolicSearch::least_bytes(const Model& model) {
  u64 bytes = u64{32} << 10;
  while (shares(model, bytes).diagram < kLeastDiagram) bytes += u64{8} << 10;
  return bytes;
}

void SymbolicSearch::plan(const Model& model, std::span<u8> memory) {
  model_ = model;
  steps_ = *model.partial;
  const Shares s = shares(model, memory.size());
  XMC_CHECK(s.diagram >= kLeastDiagram);
  u8* at = memory.data();
  const auto take = [&](u64 bytes) {
    const std::span<u8> taken(at, static_cast<std::size_t>(bytes));
    at += bytes;
    return taken;
  };
  const std::size_t fields = model.fields.size();
  u8* const order = take(s.order).data();
  word_ = {reinterpret_cast<u32*>(order), fields};
  order_.field_at = {reinterpret_cast<u16*>(order + fields * sizeof(u32)), fields};
  order_.level_of = {order_.field_at.data() + fields, fields};
  value_memory_ = take(s.values);
  relation_memory_ = take(s.relations);
  exploration_memory_ = take(s.exploration);
  row_ = {reinterpret_cast<Node*>(take(s.row).data()),
          static_cast<std::size_t>(s.row / sizeof(Node))};
  diagram_memory_ = take(s.diagram);
}

void SymbolicSearch::begin_tables() {
  relations_.init(diagram_, relation_memory_, order_.levels());
  exploration_.init(steps_, values_, relations_, diagram_, order_, exploration_memory_);
  exploration_.set_bounds(choices_.bounds);
  saturation_.init(diagram_, relations_, exploration_, order_.levels());
}

void SymbolicSearch::prepare(Search& search) {
  values_.init(value_memory_, order_.levels());
  restored_ = false;
  choose_order(search);
  begin_sets();
  begin_closure(search);
}

void SymbolicSearch::begin_sets() {
  diagram_.init(diagram_memory_);
  begin_tables();
  for (Node& n : sets_) n = kEmptySet;
  fill_zero(row_);
  diagram_.add_roots(sets_);
  diagram_.add_roots(row_);
  explored_ = stuck_known_ = false;
}

// In the diagram's memory: half for a diagram, the rest for states and orders.
void SymbolicSearch::choose_order(Search& search) {
  const u32 fields = order_.levels();
  for (u32 f = 0; f < fields; ++f) order_.field_at[f] = order_.level_of[f] = static_cast<u16>(f);
  const std::span<u8> all = diagram_memory_.first(
      static_cast<std::size_t>(std::min<u64>(diagram_memory_.size(), kMostOrderBytes)));
  const std::size_t quarter = static_cast<std::size_t>(round_down(all.size() / 4, kLineBytes));
  const std::span<u8> table = all.subspan(2 * quarter, quarter);
  const std::span<u8> rest = all.subspan(3 * quarter, quarter);
  const u64 row_bytes = fields * sizeof(u16);
  const u32 most = static_cast<u32>(
      std::clamp<u64>(quarter / 2 / (row_bytes + sizeof(u32)), 1, choices_.first_states));
  const u64 matrix = round_up(most * row_bytes, kLineBytes);
  const std::span<u16> numbers(reinterpret_cast<u16*>(rest.data()),
                               static_cast<std::size_t>(u64{most} * fields));
  first_ = {};
  first_.states = find_first_states(search, table, numbers, most);
  diagram_.init(all.first(2 * quarter));
  begin_tables();
  OrderChoice choice;
  choice.init(model_.fields, rest.subspan(static_cast<std::size_t>(matrix)), most);
  exploration_.explore_signatures({&choice, [](void* self, std::span<const u32> signature) {
                                     static_cast<OrderChoice*>(self)->add_signature(signature);
                                   }});
  if (choices_.order != kNone) {
    choice.arrange(choices_.order, order_);
    first_.order = choices_.order;
  } else {
    choice.choose({numbers, first_.states, fields}, diagram_, order_);
    first_.nodes = choice.nodes();
    first_.order = choice.chosen();
  }
  fill_zero(all);
}

// Breadth-first, as far as the table goes, if there is room for one. Their values are confirmed:
// they are reachable.
u32 SymbolicSearch::find_first_states(Search& search, std::span<u8> memory, std::span<u16> numbers,
                                      u32 most) {
  const StateTable::Shape shape{model_.state_words, std::max(model_.state_bytes, 1u), false};
  if (memory.size() < StateTable::minimum_bytes(shape)) return 0;
  StateTable table;
  table.init(memory, shape);
  table.set_state_limit(most);
  const u32 initial = search.initial();
  bool room = table.insert(search.buffer, initial, nullptr) == initial;
  for (StateIndex i = 0; i < table.size() && room; ++i) {
    const Expansion expansion = search.try_expand(table, i, 0);
    room = !Search::is_unfinished(expansion) &&
           table.insert(search.buffer, expansion.count, nullptr) == expansion.count;
  }
  const u32 fields = order_.levels();
  Word state[limits::kStateWords];
  u32 noted = 0;
  for (StateIndex i = 0; i < table.size(); ++i) {
    table.load(i, state);
    if (!note_values(state, numbers.data() + u64{noted} * fields)) break;
    ++noted;
  }
  return noted;
}

bool SymbolicSearch::note_values(const Word* state, u16* numbers) {
  for (u32 f = 0; f < model_.fields.size(); ++f) {
    const u32 number = values_.number_of(f, field_code(model_.fields[f], state));
    if (number == kNone) return false;
    values_.confirm(f, number);
    if (numbers != nullptr) numbers[f] = static_cast<u16>(number);
  }
  return true;
}

void SymbolicSearch::begin_closure(Search& search) {
  const u32 count = search.initial();
  for (u32 i = 0; i < count && !diagram_.stopped(); ++i) {
    const Word* const state = search.buffer_at(i);
    if (!note_values(state, nullptr)) return diagram_.stop(SetDiagram::Stop::full);
    const Node one = set_of(state);
    const u32 base = diagram_.mark();
    diagram_.push(0, one);
    sets_[kStates] = diagram_.unite(sets_[kStates], one);
    diagram_.release(base);
  }
  sets_[kInitial] = sets_[kStates];
}

Node SymbolicSearch::initial_states() { return sets_[kInitial]; }

// Rules that were not made when an allowance ended are made first. In a product the property goes
// on where the system cannot, which may lead to states where it can.
bool SymbolicSearch::close() {
  if (!make_rules() || !close(sets_[kStates])) return false;
  return know_stuck();
}

bool SymbolicSearch::know_stuck() {
  if (steps_.move_count != 0 && !stuck_known_) sets_[kStuck] = stuck(sets_[kStates]);
  stuck_known_ = !diagram_.stopped();
  return stuck_known_;
}

bool SymbolicSearch::close(Node& set) {
  while (!diagram_.stopped()) {
    const Node closed = saturation_.closure(set);
    if (closed != kEmptySet) set = closed;
    if (diagram_.stopped()) return false;
    if (steps_.move_count == 0) return true;
    const u32 base = diagram_.mark();
    diagram_.push(0, set);
    diagram_.add_to(base, stuttered(set));
    const Node more = diagram_.at(base).down;
    diagram_.release(base);
    if (diagram_.stopped()) return false;
    if (more == set) return true;
    set = more;
  }
  return false;
}

Node SymbolicSearch::stuck(Node set) {
  return stuck_known_ ? diagram_.intersect(set, sets_[kStuck]) : count_steps(set).deadlocks;
}

// Where moves of the property alone lead from states without a step of the system.
Node SymbolicSearch::stuttered(Node set) {
  const u32 base = diagram_.mark();
  diagram_.push(0, kEmptySet);
  diagram_.push(0, stuck(set));
  for (u32 g = 0; g < relations_.size() && !diagram_.stopped(); ++g) {
    if (!relations_.is_move(g)) continue;
    diagram_.add_to(base, saturation_.image(diagram_.at(base + 1).down, g, 0));
  }
  const Node all = diagram_.at(base).down;
  diagram_.release(base);
  return diagram_.stopped() ? kEmptySet : all;
}

Node SymbolicSearch::successors(Node set) {
  const u32 base = diagram_.mark();
  diagram_.push(0, saturation_.successors(set));
  if (steps_.move_count != 0) diagram_.add_to(base, stuttered(set));
  const Node all = diagram_.at(base).down;
  diagram_.release(base);
  return diagram_.stopped() ? kEmptySet : all;
}

Node SymbolicSearch::matching(Node set, PartialQuestion question, u32 index) {
  const u32 groups = relations_.size();
  const u32 projections = exploration_.projections();
  const Exploration::Answer answer = exploration_.explore_question(question, index, 0);
  if (answer == Exploration::Answer::projected) saturation_.learn(projections, set, 0);
  const u32 base = diagram_.mark();
  diagram_.push(0, kEmptySet);
  for (u32 g = groups; g < relations_.size() && !diagram_.stopped(); ++g) {
    diagram_.add_to(base, saturation_.image(set, g, 0));
  }
  const Node all = diagram_.at(base).down;
  diagram_.release(base);
  relations_.truncate(groups);
  while (exploration_.projections() > projections) exploration_.drop_projection();
  return diagram_.stopped() ? kEmptySet : all;
}

SymbolicSearch::Steps SymbolicSearch::count_steps(Node set) {
  Steps steps;
  steps.deadlocks = without(set, PartialQuestion::enabled, &steps.count);
  return steps;
}

Node SymbolicSearch::stuttering(Node set) {
  return without(set, PartialQuestion::changes, nullptr);
}

// Those of a set for which the answer is no for every step, and how often it is yes. States that
// halt are left out.
Node SymbolicSearch::without(Node set, PartialQuestion question, WideCount* count) {
  const u32 base = diagram_.mark();
  diagram_.push(0, set);
  for (u32 s = 0; s < steps_.step_count && !diagram_.stopped(); ++s) {
    const Node left = diagram_.at(base).down;
    const Node asked = count != nullptr ? set : left;
    if (asked == kEmptySet) break;
    diagram_.at(base).down = without_step(left, asked, question, s, count);
  }
  if (!diagram_.stopped()) diagram_.at(base).down = without_halted(diagram_.at(base).down);
  const Node left = diagram_.stopped() ? kEmptySet : diagram_.at(base).down;
  diagram_.release(base);
  return left;
}

Node SymbolicSearch::without_step(Node left, Node set, PartialQuestion question, u32 step,
                                  WideCount* count) {
  const u32 base = diagram_.mark();
  diagram_.push(0, matching(set, question, step));
  const Node found = diagram_.at(base).down;
  const bool any = !diagram_.stopped() && found != kEmptySet;
  if (any && count != nullptr) count->add(diagram_.count(found));
  if (any) left = diagram_.subtract(left, found);
  diagram_.release(base);
  return left;
}

Node SymbolicSearch::without_halted(Node left) {
  if (!steps_.may_halt) return left;
  return without_step(left, left, PartialQuestion::halted, 0, nullptr);
}

Node SymbolicSearch::violating(Node set) {
  const u32 base = diagram_.mark();
  diagram_.push(0, kEmptySet);
  for (u32 i = 0; i < model_.predicate_count && !diagram_.stopped(); ++i) {
    diagram_.add_to(base, matching(set, PartialQuestion::violated, i));
  }
  const Node all = diagram_.at(base).down;
  diagram_.release(base);
  return diagram_.stopped() ? kEmptySet : all;
}

// What the groups of a role apply to, which only read.
Node SymbolicSearch::applying(Node set, Role role) {
  const u32 base = diagram_.mark();
  diagram_.push(0, kEmptySet);
  for (u32 g = 0; g < relations_.size() && !diagram_.stopped(); ++g) {
    if (relations_.group(g).role == role) diagram_.add_to(base, saturation_.image(set, g, 0));
  }
  const Node all = diagram_.at(base).down;
  diagram_.release(base);
  return diagram_.stopped() ? kEmptySet : all;
}

// In a product, an erroneous step of the system is one if the property has a move for it; a guard
// of the property that fails is one in any state.
Node SymbolicSearch::erroneous(Node set) {
  if (steps_.move_count == 0) return applying(set, Role::errs);
  const u32 base = diagram_.mark();
  diagram_.push(0, applying(set, Role::system_errs));
  diagram_.push(0, applying(set, Role::move_errs));
  for (u32 m = 0; m < steps_.move_count && !diagram_.stopped(); ++m) {
    diagram_.add_to(base + 1, matching(diagram_.at(base).down, PartialQuestion::move, m));
  }
  const Node all = diagram_.at(base + 1).down;
  diagram_.release(base);
  return diagram_.stopped() ? kEmptySet : all;
}

Node SymbolicSearch::leading(u32 group, Node target, Node among) {
  const u32 base = diagram_.mark();
  diagram_.push(0, saturation_.preimage(target, group));
  const Node from = diagram_.intersect(diagram_.at(base).down, among);
  diagram_.release(base);
  return diagram_.stopped() ? kEmptySet : from;
}

Node SymbolicSearch::predecessors(Node target, Node among) {
  const u32 base = diagram_.mark();
  diagram_.push(0, kEmptySet);
  diagram_.push(0, steps_.move_count == 0 ? kEmptySet : stuck(among));
  for (u32 g = 0; g < relations_.size() && !diagram_.stopped(); ++g) {
    const bool fires = relations_.group(g).role == Role::fires;
    if (!fires && !relations_.is_move(g)) continue;
    diagram_.add_to(base, leading(g, target, fires ? among : diagram_.at(base + 1).down));
  }
  const Node all = diagram_.at(base).down;
  diagram_.release(base);
  return diagram_.stopped() ? kEmptySet : all;
}

std::span<u32> SymbolicSearch::word_of(Node set) {
  for (u32 level = 0; level < order_.levels(); ++level) {
    word_[level] = diagram_.value(set);
    set = diagram_.down(set);
  }
  XMC_CHECK(set == SetDiagram::kEnd);
  return word_;
}

void SymbolicSearch::to_state(std::span<const u32> word, Word* state) const {
  std::fill_n(state, model_.state_words, Word{0});
  for (u32 level = 0; level < word.size(); ++level) {
    const u32 field = order_.field_at[level];
    const StateField& f = model_.fields[field];
    state[f.word] |= u64{values_.code(field, word[level])} << f.shift;
  }
}

Node SymbolicSearch::set_of(const Word* state) {
  for (u32 level = 0; level < order_.levels(); ++level) {
    const u32 field = order_.field_at[level];
    word_[level] = values_.number_of(field, field_code(model_.fields[field], state));
    if (word_[level] == kNone) diagram_.stop(SetDiagram::Stop::full);
    if (word_[level] == kNone) return kEmptySet;
  }
  return diagram_.word(word_);
}

}  // namespace xmc
