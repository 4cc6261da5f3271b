// Random models without their dead variables against the whole models, on every reachable state.
//
//   fuzz_dead [--seed S] [--count N] [--without RULE [--enough N]] [--most STATES]
//
// The two have to be bisimilar by the map that replay uses: in each state of the whole model and
// the one that it is mapped to, the same steps are enabled, fail or lead to states that are mapped
// to one another, and predicates, deadlocks and acceptance are the same. What a search would find
// is compared as well: the depths of the first deadlock, of the first erroneous step and of the
// first violation of each predicate, and whether there is an accepting cycle.
//
// --without leaves out a rule of liveness: others, observers, elements, senders, failures or loops.
// The program then fails when it does not notice.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/run/input/load_model.h"
#include "exec/executions.h"
#include "exec/models/projection.h"
#include "ir/ir.h"
#include "lower/dead_variables.h"
#include "pair.h"
#include "random_model.h"
#include "state_graph.h"

namespace xmc_test {

namespace {

struct Totals {
  u64 models = 0;
  u64 refused = 0;  // by the tool, or larger than --most
  u64 reduced = 0;  // something is dead
  u64 states = 0;
  u64 left = 0;
  u64 unlike = 0;  // not bisimilar
  u64 wrong = 0;   // and a search would say something else
} totals;

struct Wish {
  u64 seed = 1;
  u64 count = 1000;
  u64 most = 20000;
  u64 enough = ~u64{0};  // mistakes to notice
  LivenessRules rules;
  bool canary = false;
};

bool leave_out(const std::string& rule, LivenessRules& rules) {
  struct {
    const char* name;
    bool* rule;
  } const all[] = {{"others", &rules.others},     {"observers", &rules.observers},
                   {"elements", &rules.elements}, {"senders", &rules.senders},
                   {"failures", &rules.failures}, {"loops", &rules.loops}};
  for (const auto& one : all) {
    if (rule != one.name) continue;
    *one.rule = false;
    return true;
  }
  return false;
}

void complain(const RandomModel& model, u64 seed, const std::string& why) {
  std::printf("seed %llu: %s\n%s", static_cast<unsigned long long>(seed), why.c_str(),
              model.text.c_str());
  if (!model.invariant.empty()) std::printf("--invariant '%s'\n", model.invariant.c_str());
  if (!model.reach.empty()) std::printf("--reach '%s'\n", model.reach.c_str());
}

class Trial {
 public:
  Trial() : memory_(u64{8} << 20), arena_(memory_) {}
  // False: there is nothing to compare.
  bool load(const RandomModel& model, const Wish& wish, ErrorRule errors);
  void compare(const RandomModel& model, const Wish& wish, u64 seed);

 private:
  std::vector<u8> memory_;
  Arena arena_;
  LoadedModel model_;
  ir::Program reduced_;
  ir::DeadVariables dead_;
  Pair pair_;
};

bool Trial::load(const RandomModel& model, const Wish& wish, ErrorRule errors) {
  LoadRequest request;
  request.text = model.text;
  request.file = "random.dve";
  request.language = language_by_name("dve");
  request.errors = errors;
  request.invariant = model.invariant;
  request.reach = model.reach;
  request.dead_variables = true;
  const auto say_nothing = [](void*, std::string_view) {};
  if (!load_model(request, say_nothing, nullptr, arena_, model_).ok()) {
    ++totals.refused;
    return false;
  }
  DeadRequest dead;
  dead.errors_lead_on = errors == ErrorRule::beem;
  dead.want_error_state = errors != ErrorRule::report;
  dead.rules = wish.rules;
  if (!remove_dead_variables(*model_.whole, dead, arena_, reduced_, dead_).ok()) std::abort();
  if (dead_.cell_count == 0) return false;
  pair_.whole = model_.judge;
  if (!make_vm(reduced_, errors, nullptr, arena_, pair_.reduced).ok()) std::abort();
  if (!make_interpreter(reduced_, errors, arena_, pair_.twin).ok()) std::abort();
  pair_.map = make_projection(*model_.whole, reduced_, dead_, arena_);
  return true;
}

void Trial::compare(const RandomModel& model, const Wish& wish, u64 seed) {
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
  complain(model, seed, why.empty() ? "another answer" : why);
}

bool read_wish(int count, char** words, Wish& wish) {
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string word = words[i];
    const char* const value = words[i + 1];
    if (word == "--seed") {
      wish.seed = std::strtoull(value, nullptr, 10);
    } else if (word == "--count") {
      wish.count = std::strtoull(value, nullptr, 10);
    } else if (word == "--most") {
      wish.most = std::strtoull(value, nullptr, 10);
    } else if (word == "--enough") {
      wish.enough = std::strtoull(value, nullptr, 10);
    } else if (word == "--without" && leave_out(value, wish.rules)) {
      wish.canary = true;
    } else {
      return false;
    }
  }
  return count % 2 == 1;
}

int run(int count, char** words) {
  Wish wish;
  if (!read_wish(count, words, wish)) {
    std::fprintf(
        stderr, "fuzz_dead [--seed S] [--count N] [--without RULE [--enough N]] [--most STATES]\n");
    return 64;
  }
  constexpr ErrorRule kRules[] = {ErrorRule::report, ErrorRule::report, ErrorRule::beem,
                                  ErrorRule::stop};
  for (u64 i = 0; i < wish.count && !(wish.canary && totals.unlike >= wish.enough); ++i) {
    const u64 seed = wish.seed * 1000000 + i;
    const RandomModel model = random_model(seed);
    ++totals.models;
    Trial trial;
    if (trial.load(model, wish, kRules[i % 4])) trial.compare(model, wish, seed);
  }
  const auto wide = [](u64 n) { return static_cast<unsigned long long>(n); };
  std::printf(
      "%llu models, %llu refused or too large, %llu reduced: %llu of %llu states left; "
      "%llu not bisimilar, %llu with another answer\n",
      wide(totals.models), wide(totals.refused), wide(totals.reduced), wide(totals.left),
      wide(totals.states), wide(totals.unlike), wide(totals.wrong));
  if (wish.canary) return totals.unlike != 0 ? 0 : 1;
  return totals.unlike + totals.wrong == 0 && totals.reduced * 4 > totals.models ? 0 : 1;
}

}  // namespace

}  // namespace xmc_test

int main(int count, char** words) { return xmc_test::run(count, words); }
