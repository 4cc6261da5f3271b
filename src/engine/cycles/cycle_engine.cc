#include "engine/cycles/cycle_engine.h"

#include <algorithm>

#include "engine/cycles/edges/edge_sample.h"
#include "engine/search/level_checkpoint.h"
#include "engine/search/stopwatch.h"
#include "store/checkpoint/manifest.h"
#include "xmc/bytes.h"

namespace xmc {

namespace {

// What is looked at is so many times as large as the last time. A look costs some per cent of the
// search up to there over edges, and about as much as it with bits.
constexpr u64 kGrowthOverEdges = 4;
constexpr u64 kGrowthWithBits = 2;
// With so many edges for each state a search by ranks costs less than these.
constexpr u64 kEdgesPerRank = 2;

// What it would take goes into the outcome.
void note_ram_needed(const Product& product, u64 bytes) {
  product.search->outcome->ram_needed_bytes =
      product.search->fixed_bytes + bytes + ProductEdges::kKeptBytes;
}

}  // namespace

CycleEngine::Way CycleEngine::way_of(CycleMethod method, const CycleOptions& options) {
  switch (method) {
    case CycleMethod::trim:
      return Way::cores;
    case CycleMethod::shortest:
      return options.gastin_moro || options.edges == EdgeUse::off ? Way::accepting_states
                                                                  : Way::cores;
    case CycleMethod::double_dfs:
      return options.edges == EdgeUse::on ? Way::depth : Way::bits;
    case CycleMethod::owcty:
    case CycleMethod::map:
      return Way::forward;
    case CycleMethod::deepening:
      break;
  }
  return Way::bits;
}

FlashUse CycleEngine::flash_use() const {
  FlashUse use;
  use.in_order = 1;
  use.edges = on_edges();
  // To make edges, or for the two searches.
  use.expansions = use.edges ? 2 : 3;
  // Those of map are three, a label of eight, and as many as the number of accepting states has.
  use.ram_bits = method_ == CycleMethod::map                                    ? 32
                 : way_ == Way::forward || (way_ == Way::cores && !model_.weak) ? 2
                                                                                : 1;
  if (!use.edges) {
    use.besides = "a perfect hash, some 11 bits a state, if no diagram of them fits; stacks";
  } else if (way_ == Way::depth) {
    use.besides = "stacks";
  }
  return use;
}

u64 CycleEngine::minimum_bytes(const Model& model, const SearchOptions& options) const {
  if (!options.owners.empty()) {
    return bfs_.minimum_bytes(model, options) +
           options.owners.size() *
               (std::max(OwnedCycleFinder::bytes_for(model), JoinedCycleFinder::bytes_for(model)) +
                std::max(sizeof(OwnedCycleFinder), sizeof(JoinedCycleFinder)));
  }
  const u64 aside = ProductEdges::kKeptBytes + EdgeBuilder::minimum_bytes(model) + 2 * kPageBytes;
  return bfs_.minimum_bytes(model, options) + 4 * KeyFile::kSlotBytes + round_up(aside, kPageBytes);
}

// A limit of states is for one who counts all of them. Edges of several processes are not joined. A
// run that one owner has begun has checkpoints of work that several would not go on with.
bool CycleEngine::divides(const Model& model, const SearchOptions& options) const {
  const std::span<Peers* const> owners = options.owners;
  const bool processes = owners.size() == 1 && owners[0] != nullptr && owners[0]->count() > 1;
  const bool can =
      method_ == CycleMethod::owcty || (way_of(method_, options.cycles) == Way::cores &&
                                        !any_proof_ && !processes && !options.cycles.windows);
  const bool alone = options.resume != nullptr && !options.resume->has("owners");
  return can && !alone && model.buchi && options.state_limit == ~u64{0};
}

CycleFinder& CycleEngine::finder() {
  if (!divided_) return *this;
  if (way_ == Way::cores) return joined_;
  return owned_;
}

Status CycleEngine::plan(const Model& model, const SearchOptions& options, Arena& arena) {
  if (!model.buchi) {
    return Status::fail(Code::unsupported,
                        "engine '%s' is for properties with accepting cycles; use --engine auto",
                        name());
  }
  model_ = model;
  folder_ = options.folder;
  way_ = way_of(method_, options.cycles);
  minimal_ = options.cycles.minimal;
  looks_.start(options.now_ns);
  divided_ = !options.owners.empty();
  owned_.plan(model);
  joined_.plan(model, options, wanted());
  bfs_.set_cycle_finder(&finder());
  return bfs_.plan(model_, options, arena);
}

Status CycleEngine::run(const RunControl& control, SearchOutcome& outcome) {
  cycle_.forget();
  search_checkpoint_ = {};
  forward_.forget();
  windows_.forget();
  looks_.begin();
  joined_.begin();
  ranked_ = false;
  may_rank_ = true;
  const Status status = bfs_.run(control, outcome);
  edges_.close(*folder_);
  proved_in_table_ = any_proof_ && status.ok() && bfs_.ended_in_table() && outcome.complete &&
                     outcome.violation == Violation::none;
  if (outcome.violation == Violation::accepting_cycle && !outcome.path_missing) {
    outcome.cycle_steps = cycle().value().steps;
    outcome.minimal = cycle().value().shortest;
  }
  return status;
}

void CycleEngine::path_state(u64 i, Word* out) {
  const u64 prefix = bfs_.path_steps();
  if (i <= prefix || !cycle().exists()) return bfs_.path_state(i, out);
  cycle().state(i - prefix, out);
}

// --- A part of the product --------------------------------------------------------------------

// Only engines that look at parts need more than a little.
u64 CycleEngine::aside_bytes(u64 memory) const {
  const u64 least = least_aside_bytes();
  return on_the_fly() ? std::max(round_up(memory / kAsideShare, kPageBytes), least) : least;
}

u64 CycleEngine::least_aside_bytes() const {
  return round_up(ProductEdges::kKeptBytes + EdgeBuilder::minimum_bytes(model_) + kPageBytes,
                  kPageBytes);
}

// Half of the memory for the bits: the rest is what edges or indexes are made in.
bool CycleEngine::can_look_at(u64 states, u64 memory) const {
  if (method_ == CycleMethod::map) {
    return CyclesByMarks::bytes_to_look_at(states) + ProductEdges::kKeptBytes <= memory;
  }
  const u64 bits = ShortestLasso::minimum_bytes(states, model_.weak);
  return 2 * bits + ProductEdges::kKeptBytes <= memory;
}

bool CycleEngine::looks_are_over(u64 states, u64 memory) const {
  return !on_the_fly() || !can_look_at(std::max(looks_.next(), states), memory);
}

bool CycleEngine::wants(const Product& product) const {
  return on_the_fly() && !cycle_.exists() && !needs_no_look(product) &&
         looks_.is_due(product.expanded) && can_look_at(product.expanded, product.memory.size());
}

u64 CycleEngine::growth() const { return on_edges() ? kGrowthOverEdges : kGrowthWithBits; }

Status CycleEngine::search_prefix(const Product& product) {
  const PhaseClock::Scope scope(product.search->clock, Phase::cycles);
  const Stopwatch watch(*product.search);
  looks_.look(product.expanded, growth());
  const Status status = look(product);
  watch.add_to(looks_.spent_us());
  // With all the memory there is, what is too much here may fit.
  return status.code() == Code::budget ? Status() : status;
}

Status CycleEngine::look(const Product& product) {
  if (way_ == Way::cores) return lasso_.look(product, wanted(), edges_, cycle_);
  if (way_ == Way::forward) return forward_.look(product, edges_, lasso_, cycle_);
  u64 bytes_needed = 0;
  XMC_TRY(bits_.search(product, false, cycle_, bytes_needed));
  if (bytes_needed != 0) note_ram_needed(product, bytes_needed);
  return {};
}

// --- All of it --------------------------------------------------------------------------------

bool CycleEngine::can_search_windows(const Product& product) const {
  return !minimal_ && windows_.fits(product);
}

Status CycleEngine::search_all(const Product& product) {
  if (needs_no_look(product)) return {};
  const PhaseClock::Scope scope(product.search->clock, Phase::cycles);
  const bool windows = can_search_windows(product);
  // A search that was under way has found out before that nothing else fits.
  if (windows && windows_.under_way()) return windows_.search(product, edges_, cycle_);
  Product all = product;
  if (product.leaves_checkpoints()) all.search_checkpoint = &search_checkpoint_;
  if (any_proof_ && may_rank_ && way_ == Way::cores) {
    const bool edges_fit = lasso_.fits(product, windows);
    if (edges_fit) XMC_TRY(compare_ranks(product));
    bool done = false;
    if (may_rank_) XMC_TRY(search_ranked(all, !edges_fit && !minimal_, done));
    if (done) return {};
  }
  u64 bytes_needed = 0;
  XMC_TRY(search(all, windows, bytes_needed));
  if (bytes_needed == 0) return {};
  if (windows && way_ != Way::accepting_states) return windows_.search(product, edges_, cycle_);
  note_ram_needed(product, bytes_needed);
  return Status::stop(StopReason::ram);
}

// Whether to search by ranks costs less than edges. A set that had to leave memory before will
// hardly fit with counts and bits beside it. (CPU s of edges and of ranks, by edges per state:
// telephony.3-go in 4 MiB 1.3 and 1.7 with 0.7, lifts.6.prop2 in 8 MiB 0.86 and 1.6 with 1.4,
// szymanski.3-cs in 8 MiB 3.8 and 2.6 with 2.6, telephony.3-ring in 8 MiB 4.9 and 2.9 with 2.9.)
Status CycleEngine::compare_ranks(const Product& product) {
  EdgeSample sample;
  may_rank_ = bfs_.set().spills() == 0;
  if (may_rank_) XMC_TRY(sample_edges(product, sample));
  may_rank_ = may_rank_ && sample.edges >= kEdgesPerRank * sample.states;
  return {};
}

// As double-dfs does, with ranks. Where the bits of edges fit, too, or nothing but a shortest lasso
// will do, a cycle that is found here only tells that the edges have one. So does one that is too
// long for the memory: there may be others.
Status CycleEngine::search_ranked(const Product& product, bool any_cycle, bool& done) {
  ranked_ = true;
  bool cycle = false;
  u64 bytes_needed = 0;
  const Status status = any_cycle ? bits_.search_ranked(product, cycle_, bytes_needed)
                                  : bits_.prove_ranked(product, cycle, bytes_needed);
  const bool too_long = status.code() == Code::budget;
  if (!too_long) XMC_TRY(status);
  done = !too_long && !cycle && bytes_needed == 0;
  if (done) return {};
  ranked_ = may_rank_ = false;
  search_checkpoint_.forget_index();
  return {};
}

Status CycleEngine::search(const Product& product, bool elsewhere, u64& bytes_needed) {
  switch (way_) {
    case Way::cores:
      return lasso_.search_all(product, wanted(), elsewhere, edges_, cycle_, bytes_needed);
    case Way::accepting_states:
      return bits_.search_shortest(product, cycle_, bytes_needed);
    case Way::depth:
      return edge_dfs_.search(product, edges_, cycle_, bytes_needed);
    case Way::forward:
      return forward_.search_all(
          product,
          method_ == CycleMethod::map ? CyclesByMarks::Method::map : CyclesByMarks::Method::owcty,
          elsewhere, edges_, lasso_, cycle_, bytes_needed);
    case Way::bits:
      break;
  }
  return bits_.search(product, true, cycle_, bytes_needed);
}

// --- The cycle, and checkpoints ---------------------------------------------------------------

Status CycleEngine::settle_cycle(const Product& product, const GoOn& go_on, u64& level) {
  return cycle_.settle(product, go_on, level);
}

Result<Word*> CycleEngine::restore_cycle(const Product& product, const FoundCycle& cycle) {
  return cycle_.restore(product, cycle);
}

// That it is `auto` is known from here only, where a run goes on.
void CycleEngine::lines(Lines& io) {
  io.version("cycles", 1);
  if (io.there("next-look", on_the_fly())) {
    u64 next = looks_.next();
    io.number("next-look", next);
    looks_.set_next(next);
  }
  if (io.there("may-rank", any_proof_)) {
    any_proof_ = true;
    io.number("may-rank", may_rank_);
  }
  search_checkpoint_.lines(io, model_.state_words);
  forward_.checkpoint().lines(io);
  windows_.checkpoint().lines(io);
}

Status CycleEngine::save(Lines& io) {
  lines(io);
  if (!edges_.exists()) return io.status();
  XMC_TRY(edges_.save(io));
  lasso_.lines(io);
  return io.status();
}

Status CycleEngine::restore(Lines& io, const Product& product) {
  lines(io);
  if (!io.there("edges-empty", true)) return io.status();
  lasso_.lines(io);
  return edges_.restore(io, product);
}

}  // namespace xmc
