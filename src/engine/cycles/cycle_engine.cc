#include "engine/cycles/cycle_engine.h"

#include <algorithm>

#include "engine/search/level_checkpoint.h"
#include "engine/search/stopwatch.h"
#include "engine/search/work_poll.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// Part of the memory that is set aside for looking at what a search has found so far.
constexpr u64 kAsideShare = 5;
// And part of the time.
constexpr u64 kLookShare = 4;
constexpr u64 kSeeksPerPoll = 16;  // a seek reads a few slots of the queue

}  // namespace

const char* CycleEngine::name() const {
  switch (method_) {
    case CycleMethod::trim:
      return "trim";
    case CycleMethod::shortest:
      return "min-cex";
    case CycleMethod::double_dfs:
      return "double-dfs";
    case CycleMethod::deepening:
      break;
  }
  return "iddfs";
}

FlashUse CycleEngine::flash_use() const {
  FlashUse use;
  use.in_order = 1;
  use.edges = on_edges() || down_edges();
  // To make edges, or for the two searches.
  use.expansions = use.edges ? 2 : 3;
  use.ram_bits = on_edges() && !model_.weak ? 2 : 1;
  if (!use.edges) {
    use.besides = "a perfect hash, some 11 bits a state, if no diagram of them fits; stacks";
  } else if (down_edges()) {
    use.besides = "stacks";
  }
  return use;
}

u64 CycleEngine::minimum_bytes(const Model& model, const SearchOptions& options) const {
  const u64 aside = kKept + EdgeBuilder::minimum_bytes(model) + 2 * kPageBytes;
  return bfs_.minimum_bytes(model, options) + 4 * KeyFile::kSlotBytes + round_up(aside, kPageBytes);
}

Status CycleEngine::plan(const Model& model, const SearchOptions& options, Arena& arena) {
  if (!model.buchi) {
    return Status::fail(Code::unsupported,
                        "engine '%s' is for properties with accepting cycles; use --engine auto",
                        name());
  }
  model_ = model;
  folder_ = options.folder;
  gastin_moro_ = options.cycles.gastin_moro || options.cycles.edges == EdgeUse::off;
  with_edges_ = options.cycles.edges == EdgeUse::on;
  minimal_ = options.cycles.minimal;
  now_ns_ = options.now_ns;
  next_look_ = kFirstLook;
  bfs_.set_cycle_finder(this);
  return bfs_.plan(model, options, arena);
}

// Only engines that look at parts need more than a little.
u64 CycleEngine::aside_bytes(u64 memory) const {
  const u64 least = least_aside_bytes();
  return on_the_fly() ? std::max(round_up(memory / kAsideShare, kPageBytes), least) : least;
}

u64 CycleEngine::least_aside_bytes() const {
  return round_up(kKept + EdgeBuilder::minimum_bytes(model_) + kPageBytes, kPageBytes);
}

bool CycleEngine::looks_are_over(u64 memory) const {
  return !on_the_fly() || !can_look_at(next_look_, memory);
}

Status CycleEngine::run(const RunControl& control, SearchOutcome& outcome) {
  edge_device_ = nullptr;
  cycle_ = {};
  looks_ = look_us_ = 0;
  checkpoint_ = {};
  window_checkpoint_ = {};
  if (now_ns_ != nullptr) begin_ns_ = now_ns_();
  const Status status = bfs_.run(control, outcome);
  if (edge_device_ != nullptr) folder_->close(edge_device_);
  if (outcome.violation == Violation::accepting_cycle && !outcome.path_missing) {
    outcome.cycle_steps = cycle_.steps;
    outcome.minimal = cycle_.shortest;
  }
  return status;
}

void CycleEngine::path_state(u64 i, Word* out) {
  const u64 prefix = bfs_.path_steps();
  if (i <= prefix || cycle_.states == nullptr) return bfs_.path_state(i, out);
  std::copy_n(cycle_.states + (i - prefix) % cycle_.steps * model_.state_words, model_.state_words,
              out);
}

void CycleEngine::cycle_begin(Word* state) const {
  std::copy_n(cycle_.states, model_.state_words, state);
}

// --- Over edges -------------------------------------------------------------------------------

bool CycleEngine::wants(u64 expanded, u64 memory) const {
  if (!on_the_fly() || cycle_.states != nullptr || expanded < next_look_) return false;
  if (now_ns_ != nullptr && look_us_ * 1000 > (now_ns_() - begin_ns_) / kLookShare) return false;
  return can_look_at(expanded, memory);
}

Status CycleEngine::open_edges(const Product& product, Folder::Open how) {
  XMC_LET(edge_device_, product.folder->open(kEdgeFile, how));
  return {};
}

std::span<u8> CycleEngine::edge_buffer(const Product& product) {
  return product.memory.last(kKept).first(EdgeFile::kBlockBytes);
}

std::span<EdgeFile::SeekPoint> CycleEngine::edge_seek_points(const Product& product) {
  u8* const at = product.memory.last(kKept).data() + EdgeFile::kBlockBytes;
  return {reinterpret_cast<EdgeFile::SeekPoint*>(at), kSeekPoints};
}

Status CycleEngine::build_edges(const Product& product) {
  if (edge_device_ == nullptr) {
    XMC_TRY(open_edges(product, Folder::Open::create));
    edges_.start(edge_device_, kEdgeFile, edge_buffer(product), edge_seek_points(product));
  }
  const Stopwatch watch(*product.search);
  builder_.start(product, edges_, work_of(product), WorkPoll(product));
  const Status status = builder_.build(product.expanded);
  SearchStats& stats = product.search->stats();
  watch.add_to(stats.numbering_us);
  stats.edges = edges_.edges();
  stats.edge_bytes = edges_.used_bytes();
  return status;
}

Status CycleEngine::search_edges(const Product& product, bool all, LassoResult& result) {
  ShortestLasso::Setup setup;
  setup.edges = &edges_;
  setup.reader = &reader_;
  setup.read_buffer = product.read_buffer;
  setup.layer_buffer = product.scan_buffer;
  setup.memory = work_of(product);
  setup.folder = product.folder;
  setup.weak = model_.weak;
  const ShortestLasso::Proved proved = lasso_.proved();
  lasso_.start(setup, WorkPoll(product));
  lasso_.set_proved(proved);
  const Status status = method_ == CycleMethod::trim ? lasso_.find_any(result)
                        : all                        ? lasso_.check_all(result)
                                                     : lasso_.check_prefix(edges_.level(), result);
  u64& passes = product.search->stats().edge_passes;
  passes = (passes == kNoFigure ? 0 : passes) + lasso_.figures().passes.passes;
  return status;
}

Status CycleEngine::search_prefix(const Product& product) {
  const PhaseClock::Scope scope(product.search->clock, Phase::cycles);
  const Stopwatch watch(*product.search);
  next_look_ = product.expanded * (on_edges() ? kGrowthOverEdges : kGrowthWithBits);
  ++looks_;
  const Status status = look(product);
  watch.add_to(look_us_);
  return status;
}

// With all the memory there is, what is too much here may fit.
Status CycleEngine::look(const Product& product) {
  if (!on_edges()) return search_with_bits(product, false);
  XMC_TRY(build_edges(product));
  LassoResult result;
  const Status status = search_edges(product, false, result);
  if (status.code() == Code::budget) return {};
  XMC_TRY(status);
  return result.found ? keep_cycle(product, result) : Status();
}

Status CycleEngine::search_all(const Product& product) {
  const PhaseClock::Scope scope(product.search->clock, Phase::cycles);
  // A search that was under way has found out before that nothing else fits.
  if (window_checkpoint_.stage != WindowCheckpoint::Stage::none && can_search_windows(product)) {
    return search_windows(product);
  }
  if (method_ == CycleMethod::shortest && gastin_moro_) {
    return search_shortest_with_bits(product);
  }
  if (down_edges()) return search_down_edges(product);
  if (!on_edges()) return search_with_bits(product, true);
  const u64 bits = ShortestLasso::minimum_bytes(product.states, model_.weak);
  product.search->stats().ram_used = CycleCore::bytes_for(product.states, model_.weak);
  const bool windows = bits > work_of(product).size() || product.search->options.cycles.windows;
  if (windows && can_search_windows(product)) {
    return search_windows(product);
  }
  if (bits > work_of(product).size()) {
    product.search->outcome->ram_needed_bytes =
        product.search->fixed_bytes + product.memory.size() + bits - work_of(product).size();
    return Status::stop(StopReason::ram);
  }
  XMC_TRY(build_edges(product));
  XMC_TRY(product.checkpoint_if_due());
  LassoResult result;
  XMC_TRY(search_edges(product, true, result));
  XMC_CHECK(result.found || result.none);
  return result.found ? keep_cycle(product, result) : Status();
}

bool CycleEngine::can_search_windows(const Product& product) const {
  return !minimal_ && WindowCore::least_bytes(product.states) <= work_of(product).size();
}

Status CycleEngine::search_windows(const Product& product) {
  XMC_TRY(build_edges(product));
  XMC_TRY(product.checkpoint_if_due());
  WindowCore::Setup setup;
  setup.edges = &edges_;
  setup.reader = &reader_;
  setup.read_buffer = product.read_buffer;
  setup.memory = work_of(product);
  setup.folder = product.folder;
  setup.weak = model_.weak;
  setup.product = &product;
  const SearchOptions& options = product.search->options;
  if (options.checkpoints != nullptr || options.resume != nullptr)
    setup.checkpoint = &window_checkpoint_;
  LassoResult result;
  const Status status = windows_.find(setup, WorkPoll(product), result);
  SearchStats& stats = product.search->stats();
  stats.bit_windows = windows_.windows();
  stats.edge_passes =
      (stats.edge_passes == kNoFigure ? 0 : stats.edge_passes) + windows_.figures().passes;
  stats.ram_used = setup.memory.size();
  XMC_TRY(status);
  return result.found ? keep_cycle(product, result) : Status();
}

// --- The cycle --------------------------------------------------------------------------------

// Behind the path to it, which will be at the begin of the memory.
Status CycleEngine::place_cycle(const Product& product, u64 length) {
  const u64 bytes = length * model_.state_words * sizeof(Word);
  const std::span<u8> work = work_of(product);
  if (bytes + kKept > product.aside) {
    return Status::fail(Code::budget,
                        "an accepting cycle of %llu steps was found, but its states do not fit "
                        "the memory set aside for it; use a larger --ram",
                        static_cast<unsigned long long>(length));
  }
  cycle_.states =
      reinterpret_cast<Word*>(work.data() + round_down(work.size() - bytes, sizeof(Word)));
  cycle_.steps = length;
  return {};
}

// What stops this makes it as if the lasso had not been found yet.
Status CycleEngine::keep_cycle(const Product& product, const LassoResult& lasso) {
  XMC_TRY(place_cycle(product, lasso.cycle.size()));
  // The numbers may lie where the states go, and give way to them from the last one on.
  const u32 words = model_.state_words;
  move(std::span<u64>(cycle_.states, lasso.cycle.size()), lasso.cycle);
  KeyReader states;
  states.start(*product.queue, product.read_buffer);
  WorkPoll poll(product);
  for (u64 i = cycle_.steps; i-- > 0;) {
    if (i % kSeeksPerPoll == 0) XMC_TRY(poll(i));
    Word state[limits::kStateWords];
    XMC_TRY(states.seek_key(cycle_.states[i]));
    XMC_LET(const bool more, states.next(state));
    XMC_CHECK(more);
    std::copy_n(state, words, cycle_.states + i * words);
  }
  cycle_.shortest = lasso.shortest;
  product.search->record(Violation::accepting_cycle, Expansion(), lasso.prefix_steps);
  return {};
}

Result<Word*> CycleEngine::restore_cycle(const Product& product, const FoundCycle& cycle) {
  XMC_TRY(place_cycle(product, cycle.steps));
  cycle_.shortest = cycle.shortest;
  cycle_.settled = cycle.settled;
  return cycle_.states;
}

Status CycleEngine::keep_cycle(const Product& product, const Word* states, u64 length) {
  XMC_TRY(place_cycle(product, length));
  const std::size_t words = static_cast<std::size_t>(length * model_.state_words);
  move(std::span<Word>(cycle_.states, words), std::span<const Word>(states, words));
  return {};
}

// --- Checkpoints ------------------------------------------------------------------------------

Status CycleEngine::save_checkpoint(Manifest& manifest) {
  if (on_the_fly()) manifest.add("next-look", next_look_);
  checkpoint_.save(manifest, model_.state_words);
  window_checkpoint_.save(manifest);
  if (edge_device_ == nullptr) return {};
  XMC_TRY(edges_.flush());
  manifest.add_file(kEdgeFile, edges_.bytes(), edges_.chain());
  manifest.add("edges-empty", lasso_.proved().empty);
  manifest.add("edges-none", lasso_.proved().none_up_to);
  return {};
}

Status CycleEngine::restore_checkpoint(const Manifest& manifest, const Product& product) {
  if (manifest.has("next-look")) XMC_TRY(restore_number(manifest, "next-look", next_look_));
  XMC_TRY(checkpoint_.restore(manifest, model_.state_words));
  XMC_TRY(window_checkpoint_.restore(manifest));
  if (!manifest.has("edges-empty")) return {};
  Manifest::File file;
  XMC_TRY(find_file(manifest, kEdgeFile, file));
  ShortestLasso::Proved proved;
  XMC_TRY(restore_number(manifest, "edges-empty", proved.empty));
  XMC_TRY(restore_number(manifest, "edges-none", proved.none_up_to));
  lasso_.set_proved(proved);
  XMC_TRY(open_edges(product, Folder::Open::existing));
  return edges_.reopen(edge_device_, kEdgeFile, edge_buffer(product), edge_seek_points(product),
                       file.bytes, file.chain);
}

}  // namespace xmc
