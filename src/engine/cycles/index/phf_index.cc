#include "engine/cycles/index/phf_index.h"

#include <algorithm>
#include <bit>

#include "engine/cycles/index/state_sequence.h"
#include "engine/search/file_names.h"
#include "engine/search/work_poll.h"
#include "store/checkpoint/verify.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/engine.h"
#include "xmc/hash.h"
#include "xmc/limits.h"

namespace xmc {

u64 PhfIndex::hash(const Word* state) const {
  const std::span<const u8> bytes(reinterpret_cast<const u8*>(state), words_ * sizeof(Word));
  return near_.hash(state, hash_bytes(bytes, seed_) & mask_);
}

Status PhfIndex::named(const Status& status, const char* file) const {
  if (status.code() != Code::corrupt) return status;
  return Status::fail(Code::corrupt, "the file '%s' is damaged: %s",
                      FileName(file, file_.number).c_str(), status.c_str());
}

Status PhfIndex::build(const Product& product, const IndexOptions& options, u64 left,
                       IndexResult& result) {
  XMC_TRY(open_pages(product, options, Folder::Open::create));
  build_.goes_on = false;
  const Status status = build_and_open(product, options, left, result);
  if (result.index != nullptr) return status;
  const Status closed = close(*product.folder, is_named(product));
  return status.ok() ? closed : status;
}

Status PhfIndex::open_pages(const Product& product, const IndexOptions& options, Folder::Open how) {
  words_ = product.search->model.state_words;
  resident_ = options.resident;
  mask_ = options.hash_mask;
  near_.hash.turn_off();
  near_.bytes = 0;
  return open_device(product, how);
}

Status PhfIndex::open_device(const Product& product, Folder::Open how) {
  file_.folder = product.folder;
  file_.number = product.search_checkpoint == nullptr ? 0 : product.search_checkpoint->hash_number;
  file_.name = FileName(kHashFile, file_.number);
  file_.summed = near_.written = false;
  file_.saves = 0;
  XMC_LET(file_.device, product.folder->open(file_.name.c_str(), how));
  return {};
}

Status PhfIndex::reopen(const Product& product, const IndexOptions& options, u64 left,
                        IndexResult& result) {
  XMC_TRY(open_pages(product, options, Folder::Open::existing));
  const Status status = read_and_open(product, options, left, result);
  if (result.index != nullptr) return status;
  result = {};
  const Status closed = close(*product.folder, true);
  return status.ok() ? closed : status;
}

Status PhfIndex::read_and_open(const Product& product, const IndexOptions& options, u64 left,
                               IndexResult& result) {
  const SearchCheckpoint::Stamp& stamp = product.search_checkpoint->hash;
  if (file_.device->size_bytes() < stamp.bytes) {
    return Status::fail(Code::corrupt, "the file '%s' is shorter than the checkpoint says",
                        file_.name.c_str());
  }
  if (file_.device->size_bytes() > stamp.bytes) XMC_TRY(file_.device->truncate(stamp.bytes));
  phf::FileLayout layout;
  XMC_TRY(named(phf::Reader::read_layout(file_.device, product.scan_buffer, layout), kHashFile));
  if (layout.keys != product.states || layout.file_bytes() != stamp.bytes ||
      layout.shape.fingerprint_bits != options.fingerprint_bits) {
    return {};
  }
  seed_ = layout.hash_seed;
  file_.checksum = stamp.chain;
  file_.summed = true;
  Product part = product;
  XMC_TRY(load_neighbours(part, layout.layer[0].pages, 0));
  if (near_.hash.choice() != product.search_checkpoint->near.choice) return {};
  return open(part, layout, left, options, result);
}

// The checksum costs a pass over the file, once. When this is called for the third time, neither of
// the last two checkpoints needs the runs.
Status PhfIndex::save_checkpoint(SearchCheckpoint& checkpoint, std::span<u8> buffer) {
  if (++file_.saves == 3) {
    XMC_TRY(file_.folder->remove(FileName(kHashRunsFile, file_.number).c_str()));
  }
  if (!file_.summed) {
    XMC_TRY(file_.device->sync());
    XMC_LET(file_.checksum, plain_checksum(*file_.device, file_bytes(), buffer));
    file_.summed = true;
  }
  checkpoint.index = SearchCheckpoint::Index::hash;
  checkpoint.hash_number = file_.number;
  checkpoint.hash = {file_bytes(), file_.checksum};
  return save_neighbours(checkpoint, buffer);
}

Status PhfIndex::build_and_open(const Product& product, const IndexOptions& options, u64 left,
                                IndexResult& result) {
  u64 deepest = 0;
  XMC_TRY(level_of(product, product.states - 1, deepest));
  phf::BuildConfig config;
  config.shape.page_bytes =
      std::max<u32>(phf::kLeastPageBytes, file_.device->geometry().block_bytes);
  config.shape.value_bits = static_cast<u32>(std::bit_width(deepest));
  config.shape.fingerprint_bits = options.fingerprint_bits;
  config.shape.codec = options.codec;
  config.hash_seed = options.hash_seed;
  config.control = *product.search->control;
  if (build_.goes_on) config.hash_seed = product.search_checkpoint->part.seed;

  XMC_TRY(phf::check_shape(config.shape, file_.device->geometry().block_bytes));
  const phf::Plan plan =
      phf::plan(config.shape, product.states, file_.device->geometry().block_bytes);
  const u64 least_batch =
      round_up(product.search->model.max_successors * sizeof(phf::Query), kPageBytes);
  const u64 windows = 2 * u64{config.shape.page_bytes};
  const u64 asking =
      left + least_batch + (resident_ ? plan.file_bytes : plan.pinned_bytes + windows);
  const u64 most = std::max(asking, plan.build_bytes);
  if (most > product.memory.size()) {
    result.bytes_needed = most;
    return {};
  }
  Product part = product;
  if (build_.goes_on) {
    XMC_TRY(load_neighbours(part, plan.pages, most));
    const bool same = near_.hash.choice() == product.search_checkpoint->near.choice;
    if (!same || !fits_part(part, config)) return {};
  } else if (!resident_ && plan.pages >= options.near_pages) {
    XMC_TRY(make_neighbours(part, plan.pages, most));
  }
  XMC_TRY(build_file(part, config));
  if (!build_.fits) return {};
  return open(part, builder_.layout(), left, options, result);
}

Status PhfIndex::make_neighbours(Product& part, u64 pages, u64 asking) {
  const Model& model = part.search->model;
  const u64 bytes = NeighbourHash::bytes_for(model, pages);
  if (std::max(bytes + asking, NeighbourHash::making_bytes(model, pages)) > part.memory.size()) {
    return {};
  }
  ++near_.made;
  XMC_TRY(near_.hash.make(part, pages, part.memory));
  take_neighbours(part, pages);
  return {};
}

void PhfIndex::take_neighbours(Product& part, u64 pages) {
  if (near_.hash.choice() == NeighbourHash::kPlain) return;
  near_.bytes = NeighbourHash::bytes_for(part.search->model, pages);
  part.memory = part.memory.subspan(static_cast<std::size_t>(near_.bytes));
}

Status PhfIndex::build_file(const Product& product, const phf::BuildConfig& config) {
  build_.product = &product;
  build_.fits = true;
  build_.in_pages = false;
  build_.runs_sum = build_.pages_sum = {};
  const bool runs_there = build_.goes_on && product.search_checkpoint->part.build.run_bytes > 0;
  XMC_TRY(open_runs(runs_there ? Folder::Open::existing : Folder::Open::create));
  Status status = build_with_seeds(config);
  if (status.stop_reason() != StopReason::none) {
    if (const Status noted = save_part(); !noted.ok()) status = noted;
  }
  if (build_.runs != nullptr) product.folder->close(build_.runs);
  build_.runs = nullptr;
  build_.product = nullptr;
  if (is_named(product)) return status;
  const Status removed = product.folder->remove(FileName(kHashRunsFile, file_.number).c_str());
  return status.ok() ? removed : status;
}

// With one seed after the other, until no two states have the same hash.
Status PhfIndex::build_with_seeds(const phf::BuildConfig& first) {
  phf::BuildConfig config = first;
  config.owner = this;
  config.between_pages = [](void* self) {
    PhfIndex& index = *static_cast<PhfIndex*>(self);
    const bool boundary = !index.build_.in_pages;
    index.build_.in_pages = true;
    return index.checkpoint_if_due(boundary);
  };
  for (u32 i = 0; i < kAttempts; ++i) {
    rebuilds_ = i;
    seed_ = config.hash_seed = first.hash_seed + i;
    if (i > 0) XMC_TRY(begin_again());
    if (build_.goes_on) {
      XMC_TRY(resume_build(config));
      if (!build_.fits) return {};
    } else {
      XMC_TRY(builder_.start(config, file_.device, build_.runs, build_.product->memory));
    }
    XMC_TRY(add_states());
    const Result<phf::Outcome> built = builder_.finish();
    if (!built.ok() || built.value() == phf::Outcome::built) {
      return named(built.status(), kHashRunsFile);
    }
  }
  return Status::fail(Code::internal, "perfect hash: states collide with %u seeds", kAttempts);
}

// Those that no run has.
Status PhfIndex::add_states() {
  const u64 first = build_.goes_on ? build_.product->search_checkpoint->part.build.keys : 0;
  WorkPoll poll(*build_.product);
  StateSequence states;
  const LongWork::Scope scope(poll.work(), "numbering");
  XMC_TRY(states.start(*build_.product, first));
  Word state[limits::kKeyWords];
  Status stop;
  for (u64 i = first; i < build_.product->states && stop.ok(); ++i) {
    XMC_TRY(states.next(state));
    XMC_TRY(named(builder_.add(hash(state), static_cast<u32>(states.level())), kHashRunsFile));
    if (!poll.is_time()) continue;
    poll.set(i, build_.product->states);
    stop = poll(0);
    if (stop.ok()) XMC_TRY(checkpoint_if_due(false));
  }
  XMC_TRY(states.finish());
  return stop;
}

// | queries | pages that stay, windows, cache |
Status PhfIndex::open(const Product& product, const phf::FileLayout& layout, u64 left,
                      const IndexOptions& options, IndexResult& result) {
  std::span<u8> memory = product.memory;
  const u64 page = layout.shape.page_bytes;
  const u64 kept = (resident_ ? layout.pages() + 1 : layout.pinned_pages() + 2) * page;
  const u64 most = product.search->model.max_successors;
  const u64 least = round_up(most * sizeof(phf::Query), kPageBytes) + kept + left;
  if (least > memory.size()) {
    result.bytes_needed = least;
    return {};
  }
  // A part of what is spare for large batches, the cache as it was asked for.
  u64 spare = memory.size() - least;
  const u64 batch_bytes =
      round_up(most * sizeof(phf::Query), kPageBytes) +
      round_down(std::min(kMostBatch * u64{sizeof(phf::Query)}, spare / 8), kPageBytes);
  spare = memory.size() - (batch_bytes + kept + left);
  u64 reading = kept;
  u64 window = page;
  u64 answers = 0;
  if (!resident_) {
    window = std::max(page, round_down(std::min(phf::Reader::kDefaultWindow, spare / 16), page));
    reading += 2 * (window - page);
    const u64 rest = spare - std::min(spare, 2 * (window - page));
    // Without a wish a part of it is left to the searches.
    const bool free = options.cache_bytes == ~u64{0};
    const u64 cache = std::min(rest, free ? rest / 4 * 3 : options.cache_bytes);
    // Where neighbours share a page, pages remember more than answers do.
    const u64 share = near_.hash.choice() == NeighbourHash::kPlain ? cache / 3 : 0;
    answers = round_down(free ? share : std::min(share, kMostAnswers), kPageBytes);
    reading += round_down(cache - answers, kPageBytes);
  }
  batch_ = {reinterpret_cast<phf::Query*>(memory.data()),
            static_cast<std::size_t>(batch_bytes / sizeof(phf::Query))};
  memory = memory.subspan(static_cast<std::size_t>(batch_bytes));
  recent_.start(memory.first(static_cast<std::size_t>(answers)));
  memory = memory.subspan(static_cast<std::size_t>(answers));
  const std::span<u8> own = memory.first(static_cast<std::size_t>(reading));
  const Status opened = resident_ ? reader_.load_resident(file_.device, own)
                                  : reader_.open(file_.device, own, window);
  XMC_TRY(named(opened, kHashFile));
  XMC_TRY(named(reader_.measure_costs(), kHashFile));
  ram_bytes_ = kept + near_.bytes;
  result.index = this;
  result.memory = memory.subspan(static_cast<std::size_t>(reading));
  return {};
}

// | windows, at most a quarter | questions |
u32 PhfIndex::begin_questions(std::span<u8> memory) {
  questions_.asked = 0;
  if (resident_) return 0;
  const u64 pair = 2 * u64{reader_.layout().shape.page_bytes};
  const u64 most = 2 * phf::Reader::kDefaultWindow;
  const std::size_t windows =
      static_cast<std::size_t>(round_down(std::min<u64>(memory.size() / 4, most), pair));
  questions_.windows = memory.first(windows);
  const u64 room = (memory.size() - windows) / sizeof(phf::Query);
  questions_.list = {reinterpret_cast<phf::Query*>(memory.data() + windows),
                     static_cast<std::size_t>(std::min(room, kMostQuestions))};
  return static_cast<u32>(questions_.list.size());
}

void PhfIndex::add_question(const Word* state, u32 tag) {
  XMC_CHECK(questions_.asked < questions_.list.size());
  questions_.list[questions_.asked].key = hash(state);
  questions_.list[questions_.asked++].tag = tag;
}

Status PhfIndex::answer_questions(const Answers& answers) {
  const std::span<phf::Query> asked = questions_.list.first(questions_.asked);
  questions_.asked = 0;
  if (asked.empty()) return {};
  XMC_TRY(reader_.lend_windows(questions_.windows));
  const Status status = reader_.find_batch(asked);
  XMC_TRY(reader_.lend_windows({}));
  XMC_TRY(named(status, kHashFile));
  for (const phf::Query& query : asked) {
    answers.take(answers.self, query.tag, query.index, query.value);
  }
  return {};
}

// Those that are not remembered, as many at a time as there is room for.
Status PhfIndex::find(const Word* states, u32 count, u64* numbers, u32* depths) {
  u32 waiting = 0;
  for (u32 i = 0; i < count; ++i) {
    const u64 key = hash(states + u64{i} * words_);
    u32 depth = 0;
    if (recent_.on() && recent_.find(key, numbers[i], depth)) {
      if (depths != nullptr) depths[i] = depth;
      continue;
    }
    batch_[waiting].key = key;
    batch_[waiting++].tag = i;
    if (waiting < batch_.size()) continue;
    XMC_TRY(ask(batch_.first(waiting), numbers, depths));
    waiting = 0;
  }
  return waiting == 0 ? Status() : ask(batch_.first(waiting), numbers, depths);
}

Status PhfIndex::ask(std::span<phf::Query> queries, u64* numbers, u32* depths) {
  XMC_TRY(named(reader_.find_batch(queries), kHashFile));
  take_answers(queries, numbers, depths);
  if (!recent_.on()) return {};
  for (const phf::Query& query : queries) recent_.note(query.key, query.index, query.value);
  return {};
}

// In memory nothing is remembered: it would not save anything.
void PhfIndex::find_beside(std::span<u8> scratch, const Word* states, u32 count, u64* numbers,
                           u32* depths) const {
  XMC_DASSERT(scratch.size() >= scratch_bytes());
  phf::Query* const queries = reinterpret_cast<phf::Query*>(scratch.data());
  for (u32 done = 0; done < count;) {
    const u32 part = std::min(static_cast<u32>(kBeside), count - done);
    for (u32 i = 0; i < part; ++i) {
      queries[i].key = hash(states + u64{done + i} * words_);
      queries[i].tag = done + i;
    }
    reader_.find_resident({queries, part});
    take_answers({queries, part}, numbers, depths);
    done += part;
  }
}

void PhfIndex::take_answers(std::span<const phf::Query> queries, u64* numbers, u32* depths) {
  static_assert(phf::kForeign == kNotThere);
  for (const phf::Query& query : queries) {
    numbers[query.tag] = query.index;
    if (depths != nullptr) depths[query.tag] = query.value;
  }
}

Status PhfIndex::close(Folder& folder, bool keep) {
  if (file_.device == nullptr) return {};
  folder.close(file_.device);
  file_.device = nullptr;
  return keep ? Status() : folder.remove(file_.name.c_str());
}

}  // namespace xmc
