#include "engine/cycles/joined_finder.h"

#include <algorithm>
#include <new>

#include "engine/search/file_names.h"
#include "engine/search/stopwatch.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kGrowth = 4;

}  // namespace

u64 JoinedCycleFinder::least_aside(const Model& model) {
  return round_up(JoinedEdges::kKeptBytes + ProductEdges::kKeptBytes +
                      EdgeBuilder::minimum_bytes(model) + kPageBytes,
                  kPageBytes);
}

void JoinedCycleFinder::plan(const Model& model, const SearchOptions& options,
                             LassosByCores::Wanted wanted) {
  model_ = model;
  options_ = options;
  wanted_ = wanted;
  leader_ = this;
  all_[0] = &own_;
  owners_ = 1;
  looks_.start(options.now_ns);
}

void JoinedCycleFinder::begin() {
  cycle_.forget();
  lasso_ = {};
  looks_.begin();
}

CycleFinder* JoinedCycleFinder::make_another(void* memory) {
  JoinedCycleFinder* const other = ::new (memory) JoinedCycleFinder();
  other->model_ = model_;
  other->options_ = options_;
  other->leader_ = this;
  XMC_CHECK(owners_ < limits::kThreads);
  all_[owners_++] = &other->own_;
  return other;
}

Status JoinedCycleFinder::close(Folder& folder) {
  told_ = false;
  Status status = own_.close(folder);
  const Status sorted = own_.close_sorted(folder);
  if (status.ok()) status = sorted;
  edges_.close(folder);
  return status;
}

u64 JoinedCycleFinder::aside_bytes(u64 memory) const {
  return std::max(round_up(memory / kAsideShare, kPageBytes), least_aside_bytes());
}

// Half of the memory for the bits, as with one owner.
bool JoinedCycleFinder::can_look_at(u64 states, u64 memory) const {
  const u64 bits = ShortestLasso::minimum_bytes(states, model_.weak);
  return 2 * bits + ProductEdges::kKeptBytes + JoinedEdges::kKeptBytes <= memory;
}

// Each of them for itself: nobody takes back what was set aside.
bool JoinedCycleFinder::looks_are_over(u64, u64) const { return false; }

// That all states are looked at in the end is enough where nothing ends the search before.
bool JoinedCycleFinder::wants(const Product& product) const {
  return !cycle_.exists() && !options_.full && looks_.is_due(product.expanded) &&
         can_look_at(product.expanded, product.memory.size());
}

// --- Together -----------------------------------------------------------------------------------

// No step back anywhere, or no accepting state.
Status JoinedCycleFinder::cycle_free(const Product& product, bool& free) const {
  u64 sums[] = {product.search->stats().accepting, product.steps_back ? u64{1} : 0};
  XMC_TRY(add_up(product.owners->peers(), sums));
  free = sums[0] == 0 || sums[1] == 0;
  return {};
}

Status JoinedCycleFinder::search_prefix(const Product& product) {
  u64 facts[] = {product.expanded, product.steps_back ? u64{1} : 0};
  XMC_TRY(add_up(product.owners->peers(), facts));
  Product all = product;
  all.expanded = facts[0];
  u64 looks[] = {leads() && facts[1] != 0 && wants(all) ? u64{1} : 0};
  XMC_TRY(take_largest(product.owners->peers(), looks));
  if (looks[0] == 0) return {};
  const PhaseClock::Scope scope(product.search->clock, Phase::cycles);
  const Stopwatch watch(*product.search);
  looks_.look(facts[0], kGrowth);
  const Status status = search(product, false);
  watch.add_to(looks_.spent_us());
  return status;
}

Status JoinedCycleFinder::search_all(const Product& product) {
  bool free = false;
  XMC_TRY(cycle_free(product, free));
  if (free) return {};
  const PhaseClock::Scope scope(product.search->clock, Phase::cycles);
  return search(product, true);
}

Status JoinedCycleFinder::search(const Product& product, bool all) {
  const Stopwatch watch(*product.search);
  const Status made = own_.make(product);
  watch.add_to(product.search->stats().numbering_us);
  if (made.stop_reason() == StopReason::ram) {
    XMC_TRY(own_.close(*product.folder));
    if (!all) return {};
    product.search->outcome->ram_needed_bytes =
        product.search->fixed_bytes + own_.bytes_needed() + JoinedEdges::kKeptBytes;
  }
  XMC_TRY(made);
  // Everybody's edges are there.
  XMC_TRY(product.owners->stop_together());
  if (leads()) {
    Status status = search_joined(product, all);
    const StopReason stop = status.take_stop();
    XMC_TRY(status);
    if (stop != StopReason::none) product.owners->order_stop(stop);
  }
  XMC_TRY(product.owners->stop_together());
  XMC_TRY(own_.close(*product.folder));
  return tell(product);
}

// --- Owner 0, alone -----------------------------------------------------------------------------

// The joined edges keep what is theirs in front of what each owner keeps.
Product JoinedCycleFinder::joined_product(const Product& product) const {
  Product joined = product;
  joined.owners = nullptr;
  joined.checkpoint = [](void*) { return Status(); };  // that takes all of them
  joined.memory = product.memory.first(product.memory.size() - JoinedEdges::kKeptBytes);
  joined.aside = product.aside - JoinedEdges::kKeptBytes;
  return joined;
}

Status JoinedCycleFinder::search_joined(const Product& product, bool all) {
  Product joined = joined_product(product);
  const std::span<JoinedEdges* const> owners(all_, owners_);
  XMC_TRY(edges_.begin(joined));
  XMC_TRY(own_.join(joined, owners, edges_.file()));
  joined.states = own_.states();
  joined.expanded = own_.expanded();
  joined.numbering = this;
  joined.state_of = [](void* self, u64 number, Word* state) {
    JoinedCycleFinder& finder = *static_cast<JoinedCycleFinder*>(self);
    return finder.own_.state_of({finder.all_, finder.owners_}, number, state);
  };
  // Names of states stay at the front.
  joined.memory = own_.behind_names(joined.memory);
  const PhaseClock::Scope scope(product.search->clock, Phase::cycles);
  SearchStats& stats = product.search->stats();
  stats.edges = edges_.file().edges();
  stats.edge_bytes = edges_.file().used_bytes();
  if (!all) return lasso_.look(joined, wanted_, edges_, cycle_);
  u64 bytes_needed = 0;
  XMC_TRY(lasso_.search_all(joined, wanted_, false, edges_, cycle_, bytes_needed));
  if (bytes_needed == 0) return {};
  product.search->outcome->ram_needed_bytes =
      product.search->fixed_bytes + bytes_needed + least_aside_bytes();
  return Status::stop(StopReason::ram);
}

// What owner 0 has found is a violation for all.
Status JoinedCycleFinder::tell(const Product& product) {
  Peers& peers = product.owners->peers();
  SearchOutcome& outcome = *product.search->outcome;
  u64 facts[] = {leads() && cycle_.exists() ? 1 + outcome.prefix_steps : 0};
  XMC_TRY(take_largest(peers, facts));
  if (facts[0] == 0) return {};
  if (leads()) cycle_.state(0, begin_);
  XMC_TRY(hear_words(peers, 0, product.search->model.state_words, begin_));
  told_ = true;
  if (!leads()) {
    product.search->record(Violation::accepting_cycle, Expansion(), facts[0] - 1);
  }
  return {};
}

// Others know it from the checkpoint, if it was found before.
void JoinedCycleFinder::cycle_begin(Word* state) const {
  if (told_) {
    std::copy_n(begin_, model_.state_words, state);
  } else if (cycle_.exists()) {
    cycle_.state(0, state);
  }
}

}  // namespace xmc
