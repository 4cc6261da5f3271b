#include "engine/cycle_engine.h"

#include <algorithm>

#include "engine/double_dfs.h"
#include "engine/level_checkpoint.h"
#include "store/bit_set.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kPageBytes = 4096;
// Part of the memory that is set aside for looking at what a search has found so far.
constexpr u64 kAsideShare = 5;

}  // namespace

const char* CycleEngine::name() const {
  switch (method_) {
    case CycleMethod::trim:
      return "trim";
    case CycleMethod::shortest:
      return "min-cex";
    case CycleMethod::double_dfs:
      break;
  }
  return "double-dfs";
}

FlashUse CycleEngine::flash_use() const {
  return {1, 0,
          on_edges() ? "the edges that a cycle could take, some 10 bits each"
                     : "a perfect hash, some 11 bits a state, if no diagram of them fits; stacks"};
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
  next_look_ = kFirstLook;
  bfs_.set_cycle_finder(this);
  return bfs_.plan(model, options, arena);
}

// Only engines that look at parts need more than a little.
u64 CycleEngine::aside_bytes(u64 memory) const {
  const u64 least = kKept + EdgeBuilder::minimum_bytes(model_) + kPageBytes;
  return round_up(on_edges() ? std::max(memory / kAsideShare, least) : least, kPageBytes);
}

Status CycleEngine::run(const RunControl& control, SearchOutcome& outcome) {
  edge_device_ = nullptr;
  proved_shortest_ = false;
  cycle_ = nullptr;
  looks_ = 0;
  const Status status = bfs_.run(control, outcome);
  if (edge_device_ != nullptr) folder_->close(edge_device_);
  if (outcome.violation == Violation::accepting_cycle) {
    outcome.cycle_steps = cycle_steps_;
    outcome.minimal = proved_shortest_;
  }
  return status;
}

void CycleEngine::path_state(u64 i, Word* out) {
  const u64 prefix = bfs_.path_steps();
  if (i <= prefix || cycle_ == nullptr) return bfs_.path_state(i, out);
  std::copy_n(cycle_ + (i - prefix) % cycle_steps_ * model_.state_words, model_.state_words, out);
}

void CycleEngine::cycle_begin(Word* state) const { std::copy_n(cycle_, model_.state_words, state); }

// --- Over edges -------------------------------------------------------------------------------

bool CycleEngine::wants(u64 expanded, u64 memory) const {
  if (!on_edges() || cycle_ != nullptr || expanded < next_look_) return false;
  // Half of it for the bits: the rest is what edges are made and small cores are searched in.
  return 2 * ShortestLasso::minimum_bytes(expanded, model_.weak) + kKept <= memory;
}

Status CycleEngine::open_edges(const Product& product, Folder::Open how) {
  const Result<Device*> opened = product.folder->open(kEdgeFile, how);
  if (!opened.ok()) return opened.status();
  edge_device_ = opened.value();
  return {};
}

std::span<u8> CycleEngine::edge_buffer(const Product& product) {
  return product.memory.last(kKept).first(EdgeFile::kBlockBytes);
}

std::span<EdgeFile::Mark> CycleEngine::edge_marks(const Product& product) {
  u8* const at = product.memory.last(kKept).data() + EdgeFile::kBlockBytes;
  return {reinterpret_cast<EdgeFile::Mark*>(at), kMarks};
}

Status CycleEngine::build_edges(const Product& product, StopReason& stop) {
  if (edge_device_ == nullptr) {
    XMC_TRY(open_edges(product, Folder::Open::create));
    edges_.start(edge_device_, kEdgeFile, edge_buffer(product), edge_marks(product));
  }
  builder_.start(product, {model_.self, model_.cycle_class}, edges_, work_of(product),
                 WorkPoll(*product.search));
  return builder_.build(product.expanded, stop);
}

Status CycleEngine::search_edges(const Product& product, bool all, LassoResult& result,
                                 StopReason& stop) {
  ShortestLasso::Setup setup;
  setup.edges = &edges_;
  setup.reader = &reader_;
  setup.read_buffer = product.read_buffer;
  setup.layer_buffer = product.scan_buffer;
  setup.memory = work_of(product);
  setup.folder = product.folder;
  setup.weak = model_.weak;
  const ShortestLasso::Proved proved = lasso_.proved();
  lasso_.start(setup, WorkPoll(*product.search));
  lasso_.set_proved(proved);
  if (method_ == CycleMethod::trim) return lasso_.find_any(result, stop);
  return all ? lasso_.check_all(result, stop) : lasso_.check_prefix(edges_.level(), result, stop);
}

Status CycleEngine::search_prefix(const Product& product, StopReason& stop) {
  const PhaseClock::Scope scope(product.search->clock, Phase::cycles);
  next_look_ = product.expanded * kGrowth;
  ++looks_;
  XMC_TRY(build_edges(product, stop));
  LassoResult result;
  if (stop == StopReason::none) {
    const Status status = search_edges(product, false, result, stop);
    // With all the memory there is, it may be enough.
    if (status.code() == Code::budget) return {};
    XMC_TRY(status);
  }
  return result.found ? keep_cycle(product, result) : Status();
}

Status CycleEngine::search_all(const Product& product, StopReason& stop) {
  const PhaseClock::Scope scope(product.search->clock, Phase::cycles);
  Product all = product;
  if (!on_edges()) return search_with_bits(all, stop);
  const u64 bits = ShortestLasso::minimum_bytes(product.states, model_.weak);
  product.search->stats().ram_used = CycleCore::bytes_for(product.states, model_.weak);
  if (bits > work_of(product).size()) {
    stop = StopReason::ram;
    product.search->outcome->ram_needed_bytes =
        product.search->fixed_bytes + product.memory.size() + bits - work_of(product).size();
    return {};
  }
  XMC_TRY(build_edges(product, stop));
  if (stop != StopReason::none) return {};
  XMC_TRY(product.checkpoint_if_due());
  LassoResult result;
  XMC_TRY(search_edges(product, true, result, stop));
  if (stop != StopReason::none) return {};
  XMC_CHECK(result.found || result.none);
  return result.found ? keep_cycle(product, result) : Status();
}

// --- With one bit per state -------------------------------------------------------------------

Status CycleEngine::search_with_bits(Product& product, StopReason& stop) {
  SearchOutcome& outcome = *product.search->outcome;
  const u64 reserve =
      double_dfs_bytes(model_, product.states) - BitSet::bytes_for(product.states) + kPageBytes;
  const CycleOptions& options = product.search->options.cycles;
  IndexOptions index;
  index.kind = options.index;
  index.codec = options.cmph ? phf::Codec::chd : phf::Codec::pilot;
  index.resident = options.phf_in_ram;
  index.cache_bytes = options.phf_cache;
  IndexResult made;
  XMC_TRY(make_index(product, index, reserve, rank_, hash_, made));
  CycleResult result;
  result.stop = made.stop;
  result.bytes_needed = made.bytes_needed;
  Status status;
  if (made.stop == StopReason::none) {
    outcome.stats.ram_used = BitSet::bytes_for(product.states) + made.index->ram_bytes();
    status = run_double_dfs(product, *made.index, made.memory, result);
    result.bytes_needed += product.memory.size() - made.memory.size();
  }
  if (made.index == &hash_) {
    const Status closed = hash_.close(*product.folder);
    if (status.ok()) status = closed;
  }
  XMC_TRY(status);
  stop = result.stop;
  if (stop == StopReason::ram) {
    outcome.ram_needed_bytes = product.search->fixed_bytes + result.bytes_needed;
  }
  return result.found ? keep_cycle(product, result.states, result.length) : Status();
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
  cycle_ = reinterpret_cast<Word*>(work.data() + round_down(work.size() - bytes, sizeof(Word)));
  cycle_steps_ = length;
  return {};
}

Status CycleEngine::keep_cycle(const Product& product, const LassoResult& lasso) {
  XMC_TRY(place_cycle(product, lasso.cycle.size()));
  // The numbers may lie where the states go, and give way to them from the last one on.
  const u32 words = model_.state_words;
  move(std::span<u64>(cycle_, lasso.cycle.size()), lasso.cycle);
  KeyReader states;
  states.start(*product.queue, product.read_buffer);
  for (u64 i = cycle_steps_; i-- > 0;) {
    Word state[limits::kStateWords];
    XMC_TRY(states.seek_key(cycle_[i]));
    const Result<bool> more = states.next(state);
    if (!more.ok()) return more.status();
    XMC_CHECK(more.value());
    std::copy_n(state, words, cycle_ + i * words);
  }
  proved_shortest_ = lasso.shortest;
  product.search->record(Violation::accepting_cycle, Expansion(), lasso.prefix_steps);
  return {};
}

// Rotated so that it begins with the state that comes first in the queue: of least level.
Status CycleEngine::keep_cycle(const Product& product, const Word* states, u64 length) {
  XMC_TRY(place_cycle(product, length));
  const u64 words = model_.state_words;
  move(std::span<Word>(cycle_, static_cast<std::size_t>(length * words)),
       std::span<const Word>(states, static_cast<std::size_t>(length * words)));
  const auto table_bytes = static_cast<u64>(reinterpret_cast<u8*>(cycle_) - product.memory.data());
  StateTable table;
  table.init(product.memory.first(static_cast<std::size_t>(round_down(table_bytes, 64))),
             {model_.state_words, std::max(model_.state_bytes, 1u), false});
  if (table.insert(cycle_, static_cast<u32>(length), nullptr) < length) {
    return Status::fail(Code::budget,
                        "an accepting cycle of %llu steps was found, but it does "
                        "not fit the memory; use a larger --ram",
                        static_cast<unsigned long long>(length));
  }
  KeyReader reader;
  reader.start(*product.queue, product.read_buffer);
  Word state[limits::kStateWords];
  StateIndex first = kNone;
  while (first == kNone) {
    const Result<bool> more = reader.next(state);
    if (!more.ok()) return more.status();
    XMC_CHECK(more.value());
    table.find(state, 1, &first);
  }
  std::rotate(cycle_, cycle_ + first * words, cycle_ + length * words);
  product.search->record(Violation::accepting_cycle, Expansion(), reader.level());
  return {};
}

// --- Checkpoints ------------------------------------------------------------------------------

Status CycleEngine::save(Manifest& manifest) {
  if (edge_device_ == nullptr) return {};
  XMC_TRY(edges_.flush());
  manifest.add_file(kEdgeFile, edges_.bytes(), edges_.chain());
  manifest.add("edges-empty", lasso_.proved().empty);
  manifest.add("edges-none", lasso_.proved().none_up_to);
  manifest.add("next-look", next_look_);
  return {};
}

Status CycleEngine::restore(const Manifest& manifest, const Product& product) {
  if (!manifest.has("edges-empty")) return {};
  Manifest::File file;
  XMC_TRY(find_file(manifest, kEdgeFile, file));
  ShortestLasso::Proved proved;
  XMC_TRY(restore_number(manifest, "edges-empty", proved.empty));
  XMC_TRY(restore_number(manifest, "edges-none", proved.none_up_to));
  XMC_TRY(restore_number(manifest, "next-look", next_look_));
  lasso_.set_proved(proved);
  XMC_TRY(open_edges(product, Folder::Open::existing));
  return edges_.reopen(edge_device_, kEdgeFile, edge_buffer(product), edge_marks(product),
                       file.bytes, file.chain);
}

}  // namespace xmc
