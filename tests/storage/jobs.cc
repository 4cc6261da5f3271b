#include "jobs.h"

#include "engine/graph_families.h"
#include "engine/live_graph.h"
#include "engine/nested/ioemc.h"
#include "engine/random_product.h"
#include "engine/symbolic/random_steps.h"

namespace xmc_test {

namespace {

struct GraphSubject final : Subject {
  explicit GraphSubject(Graph graph) : g(std::move(graph)) {
    figures = naive_figures(g);
    const std::vector<int> level = naive_levels(g);
    if (g.buchi) bad = NaiveCycles(g).found;
    for (u32 v = 0; v < g.size() && !g.buchi; ++v) {
      if (g.violated[v] == kNone || level[v] < 0) continue;
      bad = true;
      shortest = std::min(shortest, static_cast<u64>(level[v]));
    }
  }
  Model model() override { return g.model(); }
  Graph g;
};

struct LiveSubject final : Subject {
  explicit LiveSubject(u32 seed) : live(seed, 6000) {
    figures = naive_figures(live.graph);
    const int lost = live.lost_level();
    bad = lost >= 0;
    if (bad) shortest = static_cast<u64>(lost);
  }
  Model model() override { return live.model(); }
  LiveGraph live;
};

struct StepsSubject final : Subject {
  StepsSubject(u32 seed, bool product, bool predicates)
      : rng(seed), steps(rng, wish(product)), with_predicates(predicates) {
    const RandomSteps::Truth truth = steps.explore(false);
    figures.states = truth.level.size();
    figures.transitions = truth.transitions;
    figures.deadlocks = truth.deadlocks;
    if (product) {
      bad = steps.has_accepting_cycle(truth);
    } else if (predicates) {
      bad = truth_has_violation(truth);
    }
  }
  Model model() override {
    Model m = steps.model();
    if (!with_predicates) m.predicate_count = 0;
    return m;
  }
  static RandomSteps::Wish wish(bool product) {
    RandomSteps::Wish wish;
    wish.fields = 8;
    wish.values = 4;
    wish.steps = 12;
    wish.depth = 3;
    wish.product = product;
    if (product) wish.predicates = 0;
    return wish;
  }
  bool truth_has_violation(const RandomSteps::Truth& truth) {
    for (const auto& [state, level] : truth.level) {
      for (const StepTree& tree : steps.predicates) {
        if (RandomSteps::leaf(tree, state).end != PartialEnd::done) continue;
        shortest = std::min(shortest, u64{level});
      }
    }
    return shortest != kNoFigure;
  }

  std::mt19937 rng;
  RandomSteps steps;
  bool with_predicates;
};

std::shared_ptr<Subject> graph(Graph g) { return std::make_shared<GraphSubject>(std::move(g)); }

Graph with_violation(Graph g, u32 seed) {
  Random random(seed);
  const std::vector<int> level = naive_levels(g);
  for (u32 left = 2; left > 0;) {
    const u32 v = g.size() / 2 + random() % (g.size() / 2);
    if (level[v] < 0) continue;
    g.violated[v] = 1;
    --left;
  }
  return g;
}

SearchOptions safety(bool full) {
  SearchOptions options;
  options.full = full;
  options.deadlock = DeadlockRule::ignore;
  options.errors_violate = false;
  return options;
}

struct Levels {
  const char* row;
  const char* engine;
  u32 nodes;
  u64 extra;
  u32 threads = 1;
  u32 owners = 0;
  bool owners_change = false;
};

// The memory of the others is the least that they take; a cache and a diagram have to fit.
constexpr Levels kLevels[] = {
    {"mono", "mono", 12000, 0},
    {"local", "local", 12000, 0},
    {"part", "part", 20000, 0},
    {"cached", "cached", 10000, 1 << 20},
    {"disk", "disk", 12000, 0},
    {"serial", "serial", 12000, 0},
    {"hddd", "hddd", 8000, 0},
    {"dddd", "dddd", 12000, 0},
    {"diagram", "diagram", 12000, 12 << 20},
    {"explicit", "explicit", 25000, 0},
    {"auto", "auto", 25000, 0},
    {"auto, 2 threads", "auto", 25000, 0, 2},
    {"disk, 2 threads", "disk", 12000, 0, 2},
    {"part, 2 owners", "part", 25000, 0, 1, 2},
    {"part, divided anew", "part", 15000, 3 << 20, 1, 3, true},
};

void add_levels(std::vector<Job>& jobs) {
  for (const Levels& way : kLevels) {
    const Graph holds = back_edges(1, way.nodes);
    const Graph violated = with_violation(wide(2, way.nodes), 3);
    const Graph full = with_violation(back_edges(5, way.nodes), 7);
    for (const auto& [name, g] :
         {std::pair{"holds", &holds}, std::pair{"violated", &violated}, std::pair{"full", &full}}) {
      Job job;
      job.row = way.row;
      job.engine = way.engine;
      job.model = name;
      job.options = safety(std::string(name) != "violated");
      job.extra_bytes = way.extra;
      job.threads = way.threads;
      job.owners = way.owners;
      job.owners_change = way.owners_change;
      job.subject = graph(*g);
      jobs.push_back(job);
    }
  }
}

struct Cycles {
  const char* row;
  const char* engine;
  u32 nodes;
  u64 extra;
  CycleOptions cycles;
  u32 threads = 1;
};

CycleOptions by_index(IndexKind index, bool in_ram = false) {
  CycleOptions options;
  options.index = index;
  options.phf_in_ram = in_ram;
  options.near_pages = in_ram ? ~u32{0} : 2;
  return options;
}

CycleOptions by_edges(bool windows = false) {
  CycleOptions options;
  options.edges = EdgeUse::on;
  options.windows = windows;
  return options;
}

CycleOptions gastin_moro(IndexKind index, bool in_ram = false) {
  CycleOptions options = by_index(index, in_ram);
  options.gastin_moro = true;
  return options;
}

void add_cycles(std::vector<Job>& jobs) {
  const Cycles ways[] = {
      {"min-cex", "min-cex", 4000, 0, {}},
      {"min-cex gastin-moro", "min-cex", 500, 6'000'000, gastin_moro(IndexKind::rank)},
      {"min-cex gastin-moro phf", "min-cex", 500, 0, gastin_moro(IndexKind::phf)},
      {"min-cex gastin-moro, 2 threads", "min-cex", 500, 6'000'000, gastin_moro(IndexKind::rank),
       2},
      {"trim", "trim", 4000, 0, by_edges()},
      {"trim windows", "trim", 800, 0, by_edges(true)},
      {"owcty", "owcty", 4000, 0, by_edges()},
      {"map", "map", 4000, 0, by_edges()},
      {"double-dfs rank", "double-dfs", 4000, 6'000'000, by_index(IndexKind::rank)},
      {"double-dfs phf flash", "double-dfs", 4000, 0, by_index(IndexKind::phf)},
      {"double-dfs phf ram", "double-dfs", 4000, 3'000'000, by_index(IndexKind::phf, true)},
      {"double-dfs edges", "double-dfs", 4000, 0, by_edges()},
      {"iddfs", "iddfs", 4000, 3'000'000, by_index(IndexKind::phf)},
  };
  for (const Cycles& way : ways) {
    for (const char* const model : {"no cycle", "loops", "cycle"}) {
      Job job;
      job.row = way.row;
      job.engine = way.engine;
      job.model = model;
      job.options.deadlock = DeadlockRule::ignore;
      job.options.cycles = way.cycles;
      job.extra_bytes = way.extra;
      job.threads = way.threads;
      const bool cycle = job.model == "cycle";
      job.subject = graph(job.model == "no cycle" ? layered(3, way.nodes, false)
                                                  : looped(cycle ? 5 : 4, way.nodes, cycle));
      jobs.push_back(job);
    }
  }
}

void add_ioemc(std::vector<Job>& jobs) {
  constexpr std::pair<const char*, OldStates> forms[] = {{"ioemc", OldStates::diagram},
                                                         {"ioemc tiers", OldStates::tiers},
                                                         {"ioemc lhs", OldStates::linear}};
  for (const auto& [row, form] : forms) {
    for (const char* const model : {"no cycle", "cycle", "full"}) {
      Job job;
      job.row = row;
      job.engine = "ioemc";
      job.model = model;
      job.options = safety(job.model == "full");
      job.options.cycles.old_states = form;
      // A diagram that does not hold all states becomes a run of them.
      const u64 kept = form == OldStates::diagram ? 400'000 : 40'000;
      job.extra_bytes = 400'000;
      job.prepare = [kept](Engine& engine) { static_cast<IoemcEngine&>(engine).keep_bytes(kept); };
      job.subject = graph(layered(job.model == "full" ? 5 : 3, 5000, job.model != "no cycle"));
      jobs.push_back(job);
    }
  }
}

void add_sets(std::vector<Job>& jobs) {
  for (const char* const model : {"holds", "violated", "no cycle", "cycle"}) {
    const std::string name = model;
    const bool product = name == "no cycle" || name == "cycle";
    const bool predicates = name == "violated";
    const bool bad = name == "violated" || name == "cycle";
    Job job;
    job.row = "symbolic";
    job.engine = "symbolic";
    job.model = model;
    job.options.deadlock = DeadlockRule::ignore;
    job.extra_bytes = product ? 6'000'000 : 400'000;
    for (u32 seed = 4;; ++seed) {
      job.subject = std::make_shared<StepsSubject>(seed, product, predicates);
      if (job.subject->bad == bad && job.subject->figures.states > 200) break;
    }
    jobs.push_back(job);
  }
}

void add_live(std::vector<Job>& jobs) {
  for (const bool bad : {false, true}) {
    for (const char* const engine : {"live", "hddd"}) {
      Job job;
      job.row = std::string(engine) == "live" ? "live" : "hddd, liveness";
      job.engine = engine;
      job.model = bad ? "lost" : "holds";
      job.options = safety(false);
      job.extra_bytes = 200'000;
      for (u32 seed = 1;; ++seed) {
        job.subject = std::make_shared<LiveSubject>(seed);
        if (job.subject->bad == bad && job.subject->figures.states > 1500) break;
      }
      jobs.push_back(job);
    }
  }
}

}  // namespace

std::vector<Job> make_jobs() {
  std::vector<Job> jobs;
  add_levels(jobs);
  add_cycles(jobs);
  add_ioemc(jobs);
  add_sets(jobs);
  add_live(jobs);
  return jobs;
}

}  // namespace xmc_test
