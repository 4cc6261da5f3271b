// Reduced Promela models against the whole ones, on every reachable state.
//
//   check_promela [--steps | --goals | --claims] [--without RULE] [--most STATES] FILE...
//
// Without dead variables the two have to be bisimilar (pair.h), and what a search would find is
// compared as well. A model with one never claim is its product with that. With --steps some steps
// are left out, too: there have to be as many deadlocks as before, at the same least depth, and
// errors where there were any, at the same least depth if that is asked for; claims are ignored.
// With --goals each line `// goal EXPRESSION` of the text is looked for, and has to be found where
// it was, at the same least depth in the mode for that; with --claims the products with each claim
// and formula of the text, with accept labels and the absence of progress, have to have the same
// kinds of violations. In both cases each cycle of the whole graph has to have a sticky step.
//
// --without leaves out a rule of liveness (observers, elements, matches, bodies or loops) or, with
// --steps and the others, of stubborn sets (discord, disabled, errors, dry-run, sticky, goals,
// falsifying, visible or invisible; heads: which message of a channel is the first). The program
// then fails when it does not notice.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "exec/executions.h"
#include "exec/models/projection.h"
#include "exec/models/stubborn.h"
#include "front/promela/parser.h"
#include "lower/promela/formula.h"
#include "lower/promela/promela_lower.h"
#include "pair.h"
#include "state_graph.h"

namespace xmc_test {

namespace {

struct Totals {
  u64 models = 0;
  u64 refused = 0;  // by the tool, or larger than --most
  u64 reduced = 0;  // something is dead
  u64 states = 0;
  u64 left = 0;
  u64 unlike = 0;                      // not bisimilar
  u64 wrong = 0;                       // and a search would say something else
  std::map<std::string, u64> reasons;  // of steps that are not left out
} totals;

struct Wish {
  u64 most = 5000;
  promela_lower::LocalRules rules;
  bool canary = false;
  bool steps = false;
  bool goals = false;
  bool claims = false;
  u32 faults = 0;  // of StubbornFault
  bool forgets_heads = false;
  std::vector<std::string> files;
};

bool leave_out(const std::string& rule, promela_lower::LocalRules& rules) {
  struct {
    const char* name;
    bool* rule;
  } const all[] = {{"observers", &rules.observers},
                   {"elements", &rules.elements},
                   {"matches", &rules.matches},
                   {"bodies", &rules.bodies},
                   {"loops", &rules.loops}};
  for (const auto& one : all) {
    if (rule != one.name) continue;
    *one.rule = false;
    return true;
  }
  return false;
}

bool leave_out(const std::string& rule, u32& faults) {
  const struct {
    const char* name;
    u32 fault;
  } all[] = {{"discord", kForgetDiscord},       {"disabled", kForgetDisabled},
             {"errors", kForgetErrors},         {"dry-run", kForgetDryRun},
             {"sticky", kForgetSticky},         {"goals", kForgetGoals},
             {"falsifying", kForgetFalsifying}, {"visible", kForgetVisible},
             {"invisible", kForgetInvisible}};
  for (const auto& one : all) {
    if (rule != one.name) continue;
    faults |= one.fault;
    return true;
  }
  return false;
}

// What a product or a search for a goal asks beside the model.
struct Question {
  std::string goal;
  bool is_invariant = false;
  u32 property = kNone;  // of the text
  bool accept = false;
  bool progress = false;
};

std::vector<Question> questions_of(const std::string& text, const Wish& wish) {
  std::vector<Question> out;
  const std::string mark = "// goal ";
  for (std::size_t at = text.find(mark); wish.goals && at != std::string::npos;
       at = text.find(mark, at + 1)) {
    Question q;
    q.goal = text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
    q.is_invariant = out.size() % 2 != 0;
    out.push_back(q);
  }
  for (u32 i = 0; wish.claims && i < 8; ++i) {
    Question q;
    q.accept = i == 0;
    q.progress = i == 1;
    if (i > 1) q.property = i - 2;
    out.push_back(q);
  }
  if (wish.steps) out.emplace_back();
  return out;
}

bool no_file(void*, std::string_view, std::string_view&) { return false; }

class Trial {
 public:
  Trial() : memory_(u64{16} << 20), arena_(memory_) {}
  // False: there is nothing to compare.
  bool load(const std::string& text, const Wish& wish);
  bool load(const std::string& text, const Wish& wish, const Question& question);
  void compare(const std::string& file, const Wish& wish);
  void compare_steps(const std::string& file, const Wish& wish);

 private:
  bool make_models();
  std::string differ(const StateGraph& all, const StateGraph& some, StubbornMode mode,
                     bool exact) const;
  bool has_free_cycle(const StateGraph& all) const;
  Model without_some(const Wish& wish, StubbornMode mode, bool exact);
  std::vector<u8> memory_;
  Arena arena_;
  ir::RuleProgram whole_;
  ReducedPromela reduced_;
  ModelText text_;
  Pair pair_;
};

bool Trial::load(const std::string& text, const Wish& wish) {
  const Source source{"random.pml", text};
  const auto say_nothing = [](void*, std::string_view) {};
  Diagnostics diagnostics(source, say_nothing, nullptr);
  promela::System system(arena_);
  PromelaRequest request;
  request.local_rules = wish.rules;
  request.max_processes = 8;
  reduced_.wants_dead = true;
  reduced_.wants_steps = wish.steps;
  if (!promela::parse(source, {{}, {no_file, nullptr}}, diagnostics, arena_, system).ok() ||
      system.properties.size() > 1 ||
      (system.properties.size() == 1 && system.properties[0].claim == kNone)) {
    ++totals.refused;
    return false;
  }
  if (system.properties.size() == 1) {
    request.claim = system.properties[0].claim;
    request.accepting = true;
  }
  if (!lower_promela(system, diagnostics, request, arena_, whole_, text_, &reduced_).ok()) {
    ++totals.refused;
    return false;
  }
  return reduced_.dead.cell_count != 0 && make_models();
}

// With its steps, for a question.
bool Trial::load(const std::string& text, const Wish& wish, const Question& question) {
  const Source source{"random.pml", text};
  const auto say_nothing = [](void*, std::string_view) {};
  Diagnostics diagnostics(source, say_nothing, nullptr);
  promela::System system(arena_);
  PromelaRequest request;
  request.max_processes = 8;
  reduced_.wants_dead = true;
  reduced_.wants_steps = true;
  request.forgets_heads = wish.forgets_heads;
  const Source goal{"goal", question.goal};
  promela::Surroundings surroundings;
  surroundings.reader = {no_file, nullptr};
  const bool has_goal = !question.goal.empty();
  if (has_goal) surroundings.asked = std::span<const Source>(&goal, 1);
  if (!promela::parse(source, surroundings, diagnostics, arena_, system).ok()) {
    ++totals.refused;
    return false;
  }
  const u32 properties = system.properties.size() - (has_goal ? 1 : 0);
  if (question.property != kNone && question.property >= properties) return false;
  FormulaAutomaton made;
  if (has_goal) {
    const u32 asked = expression_of(system, system.properties[properties].formula);
    if (asked == kNone) std::abort();
    (question.is_invariant ? request.invariant : request.reach) = asked;
  } else if (question.property != kNone) {
    const promela::Property& property = system.properties[question.property];
    request.claim = property.claim;
    request.accepting = property.claim != kNone;
    request.property_text = property.name;
    if (property.claim == kNone) {
      if (!translate_formula(system, property.formula, arena_, made).ok()) std::abort();
      request.automaton = &made.automaton;
      request.propositions = made.propositions;
      request.is_of_model = request.as_cycles = true;
      if (wish.most % 2 != 0) request.as_cycles = false;
    }
  }
  request.accepting = request.accepting || question.accept;
  request.progress = question.progress;
  if (!lower_promela(system, diagnostics, request, arena_, whole_, text_, &reduced_).ok() ||
      reduced_.why_no_steps != nullptr) {
    ++totals.refused;
    if (reduced_.why_no_steps != nullptr) ++totals.reasons[reduced_.why_no_steps];
    return false;
  }
  return make_models();
}

bool Trial::make_models() {
  const ir::RuleProgram& less = reduced_.program;
  if (!make_interpreter(whole_, ErrorRule::report, arena_, pair_.whole).ok()) std::abort();
  if (!make_vm(less, ErrorRule::report, nullptr, arena_, pair_.reduced).ok()) std::abort();
  if (!make_interpreter(less, ErrorRule::report, arena_, pair_.twin).ok()) std::abort();
  pair_.map = make_projection(whole_, less, reduced_.dead, arena_);
  return true;
}

void Trial::compare(const std::string& file, const Wish& wish) {
  StateGraph whole;
  StateGraph reduced;
  if (!whole.explore(pair_.whole, wish.most) || !reduced.explore(pair_.reduced, wish.most)) {
    ++totals.refused;
    return;
  }
  ++totals.reduced;
  totals.states += whole.states.size();
  totals.left += reduced.states.size();
  const bool other_answers = !(whole.answers() == reduced.answers());
  std::string why = walk_apart(pair_, wish.most) ? "a way that only one of them has" : "";
  if (why.empty() && !wish.canary) why = unlike(pair_, whole, reduced);
  if (other_answers) ++totals.wrong;
  if (!why.empty()) ++totals.unlike;
  if (wish.canary || (why.empty() && !other_answers)) return;
  std::printf("%s: %s\n", file.c_str(), why.empty() ? "another answer" : why.c_str());
}

Model Trial::without_some(const Wish& wish, StubbornMode mode, bool exact) {
  StubbornRules rules;
  rules.mode = mode;
  rules.deadlocks = true;
  rules.exact_errors = exact;
  rules.faults = wish.faults;
  Model out;
  make_stubborn(reduced_.program, reduced_.steps, rules, pair_.reduced, Stepwise{}, arena_, out);
  return out;
}

u64 deadlocks_of(const StateGraph& graph) {
  u64 count = 0;
  for (const Expansion& e : graph.expansions) count += (e.flags & kDeadlock) != 0 ? 1u : 0u;
  return count;
}

std::string Trial::differ(const StateGraph& all, const StateGraph& some, StubbornMode mode,
                          bool exact) const {
  const Answers full = all.answers();
  const Answers found = some.answers();
  if (mode != StubbornMode::ltl && found.deadlock != full.deadlock)
    return "the first deadlock is elsewhere";
  if (mode != StubbornMode::ltl && deadlocks_of(some) != deadlocks_of(all))
    return "other deadlocks";
  if ((found.deadlock == kNone) != (full.deadlock == kNone)) return "a deadlock is gone";
  if ((found.error == kNone) != (full.error == kNone)) return "an error is gone";
  const bool keeps_depths = mode == StubbornMode::deadlock || mode == StubbornMode::shortest;
  if (exact && keeps_depths && found.error != full.error) return "the first error is elsewhere";
  if (found.violated.size() != full.violated.size()) return "a goal is gone";
  if (mode == StubbornMode::shortest && found.violated != full.violated)
    return "the first goal is elsewhere";
  if (found.cycle != full.cycle) return "a cycle is gone";
  return {};
}

// Of steps that are not sticky, nor visible or such that they make a goal false: what sticky steps
// promise, on all states.
bool Trial::has_free_cycle(const StateGraph& all) const {
  const ir::StepTables& t = reduced_.steps;
  const ir::RuleProgram& program = reduced_.program;
  const bool is_product = program.property != kNone;
  if (is_product ? t.visible_count == 0 : t.goals.empty()) return false;
  const u64* const other = is_product ? t.visible.data() : t.falsifying.data();
  const Model& model = pair_.reduced;
  std::map<State, u32> numbers;
  for (u32 i = 0; i < all.states.size(); ++i) numbers[all.states[i]] = i;
  std::vector<std::vector<u32>> edges(all.states.size());
  std::vector<u32> entering(all.states.size());
  Buffer buffer(model);
  for (u32 i = 0; i < all.states.size(); ++i) {
    const Expansion e = model.expand(model.self, all.states[i].data(), buffer.buffer);
    for (u32 k = 0; k < e.count; ++k) {
      const u32 step = t.number_of[buffer.labels[k] / program.property_moves];
      if (step == kNone || ir::has_bit(t.sticky.data(), step) || ir::has_bit(other, step)) continue;
      const Word* const first = buffer.words.data() + u64{k} * model.state_words;
      const u32 to = numbers.at(State(first, first + model.state_words));
      edges[i].push_back(to);
      ++entering[to];
    }
  }
  std::vector<u32> ready;
  u64 done = 0;
  for (u32 i = 0; i < entering.size(); ++i) {
    if (entering[i] == 0) ready.push_back(i);
  }
  for (; !ready.empty(); ++done) {
    const u32 state = ready.back();
    ready.pop_back();
    for (const u32 to : edges[state]) {
      if (--entering[to] == 0) ready.push_back(to);
    }
  }
  return done != all.states.size();
}

void Trial::compare_steps(const std::string& file, const Wish& wish) {
  StateGraph all;
  if (!all.explore(pair_.reduced, wish.most)) {
    ++totals.refused;
    return;
  }
  std::vector<StubbornMode> modes = {StubbornMode::deadlock};
  if (reduced_.program.property != kNone) {
    modes = {StubbornMode::ltl};
  } else if (!reduced_.program.predicates.empty()) {
    modes = {StubbornMode::shortest, StubbornMode::reach};
  }
  std::string why;
  if (!wish.canary && has_free_cycle(all)) why = "a cycle without a sticky step";
  bool fewer = false;
  for (const StubbornMode mode : modes) {
    // Tables for deadlocks are made for exact errors.
    for (const bool exact : {true, false}) {
      if (!exact && mode == StubbornMode::deadlock) continue;
      StateGraph some;
      if (!some.explore(without_some(wish, mode, exact), wish.most)) std::abort();
      fewer = fewer || some.states.size() < all.states.size();
      if (exact) {
        totals.states += all.states.size();
        totals.left += some.states.size();
      }
      if (why.empty()) why = differ(all, some, mode, exact);
    }
  }
  totals.reduced += fewer ? 1 : 0;
  if (why.empty()) return;
  ++totals.wrong;
  ++totals.unlike;
  if (!wish.canary) std::printf("%s: %s\n", file.c_str(), why.c_str());
}

bool read_wish(int count, char** words, Wish& wish) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--most" && i + 1 < count) {
      wish.most = std::strtoull(words[++i], nullptr, 10);
    } else if (word == "--without" && i + 1 < count) {
      wish.canary = true;
      const std::string rule = words[++i];
      wish.forgets_heads = rule == "heads";
      if (!wish.forgets_heads && !leave_out(rule, wish.rules) && !leave_out(rule, wish.faults))
        return false;
    } else if (word == "--steps") {
      wish.steps = true;
    } else if (word == "--goals") {
      wish.goals = true;
    } else if (word == "--claims") {
      wish.claims = true;
    } else {
      wish.files.push_back(word);
    }
  }
  return !wish.files.empty();
}

int run(int count, char** words) {
  Wish wish;
  if (!read_wish(count, words, wish)) {
    std::fprintf(stderr,
                 "check_promela [--steps | --goals | --claims] [--without RULE] [--most STATES] "
                 "FILE...\n");
    return 64;
  }
  for (const std::string& name : wish.files) {
    std::ifstream file(name, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    ++totals.models;
    if (!wish.steps && !wish.goals && !wish.claims) {
      Trial trial;
      if (trial.load(text, wish)) trial.compare(name, wish);
      continue;
    }
    for (const Question& question : questions_of(text, wish)) {
      Trial trial;
      const std::string what = question.property == kNone
                                   ? question.goal
                                   : "property " + std::to_string(question.property);
      if (trial.load(text, wish, question)) trial.compare_steps(name + " " + what, wish);
    }
  }
  for (const auto& [why, times] : totals.reasons) {
    if (!wish.canary)
      std::printf("%llu not: %s\n", static_cast<unsigned long long>(times), why.c_str());
  }
  const auto wide = [](u64 n) { return static_cast<unsigned long long>(n); };
  std::printf(
      "%llu models, %llu refused or too large, %llu reduced: %llu of %llu states left; "
      "%llu not bisimilar, %llu with another answer\n",
      wide(totals.models), wide(totals.refused), wide(totals.reduced), wide(totals.left),
      wide(totals.states), wide(totals.unlike), wide(totals.wrong));
  if (wish.canary) return totals.unlike != 0 ? 0 : 1;
  return totals.unlike + totals.wrong == 0 ? 0 : 1;
}

}  // namespace

}  // namespace xmc_test

int main(int count, char** words) { return xmc_test::run(count, words); }
