// A perfect hash that is being built, as checkpoints have it (search_checkpoint.h): runs and pages
// are files that only grow, and what the builder has in memory beside them is small. It is in the
// file of bits: where each run ends, then hash and value of each key for the next layer.
#include "engine/cycles/index/phf_index.h"
#include "engine/search/file_names.h"
#include "store/checkpoint/verify.h"
#include "store/files/word_file.h"
#include "xmc/check.h"
#include "xmc/engine.h"

namespace xmc {

namespace {

// The sum of what came since the last time.
Status extend(Manifest::File& sum, Device& device, u64 bytes, std::span<u8> buffer) {
  XMC_LET(const u64 now, plain_checksum(device, bytes, buffer, sum));
  sum.bytes = bytes;
  sum.chain = now;
  return {};
}

u64 words_of(const phf::BuildCheckpoint& checkpoint) {
  return u64{checkpoint.runs} + checkpoint.spill_runs + 2 * checkpoint.spilled;
}

}  // namespace

Status PhfIndex::go_on(const Product& product, const IndexOptions& options, u64 left,
                       IndexResult& result) {
  const bool pages_there = product.search_checkpoint->part.build.pages > 0;
  XMC_TRY(
      open_pages(product, options, pages_there ? Folder::Open::existing : Folder::Open::create));
  build_.goes_on = true;
  const Status status = build_and_open(product, options, left, result);
  build_.goes_on = false;
  if (result.index != nullptr) return status;
  result = {};
  const Status closed = close(*product.folder, true);
  return status.ok() ? closed : status;
}

// Pages have to come out the same; where keys are still to be sorted, no run may be smaller than
// those before, or there might be too many.
bool PhfIndex::fits_part(const Product& product, const phf::BuildConfig& config) const {
  const SearchCheckpoint::Part& part = product.search_checkpoint->part;
  const phf::BuildCheckpoint& build = part.build;
  const bool sorted = build.writing && build.runs > 0;
  return part.page_bytes == config.shape.page_bytes &&
         part.codec == static_cast<u64>(config.shape.codec) &&
         part.block_bytes == file_.device->geometry().block_bytes &&
         (sorted || product.memory.size() >= part.memory) && build.keys <= product.states &&
         (!sorted || build.keys == product.states);
}

// --- Neighbours -------------------------------------------------------------------------------

Status PhfIndex::load_neighbours(Product& part, u64 pages, u64 asking) {
  const SearchCheckpoint& checkpoint = *part.search_checkpoint;
  const Model& model = part.search->model;
  const auto choice = static_cast<NeighbourHash::Choice>(checkpoint.near.choice);
  if (choice == NeighbourHash::kPlain || checkpoint.near.words == 0) return {};
  if (NeighbourHash::bytes_for(model, pages) + asking > part.memory.size()) return {};
  const FileName name(kHashNearFile, file_.number);
  XMC_LET(Device* const device, part.folder->open(name.c_str(), Folder::Open::existing));
  Status status = not_of_checkpoint(name.c_str());
  if (device->size_bytes() >= checkpoint.near.stamp.bytes) {
    WordReader in;
    in.start(device, name.c_str(), checkpoint.near.words, part.scan_buffer);
    status = near_.hash.read(in, checkpoint.near.words, model, pages, part.memory, choice);
  }
  part.folder->close(device);
  XMC_TRY(status);
  near_.written = true;
  near_.stamp = checkpoint.near.stamp;
  take_neighbours(part, pages);
  return {};
}

// The table never changes: it is written once.
Status PhfIndex::save_neighbours(SearchCheckpoint& checkpoint, std::span<u8> buffer) {
  checkpoint.near.choice = near_.hash.choice();
  if (near_.hash.choice() == NeighbourHash::kPlain) return {};
  if (!near_.written) {
    const FileName name(kHashNearFile, file_.number);
    XMC_LET(Device* const device, file_.folder->open(name.c_str(), Folder::Open::create));
    WordWriter out;
    out.start(device, buffer);
    const Status status = near_.hash.write(out);
    file_.folder->close(device);
    XMC_TRY(status);
    near_.stamp = {out.bytes(), out.chain()};
    near_.written = true;
  }
  checkpoint.near.stamp = near_.stamp;
  checkpoint.near.words = near_.hash.file_words();
  return {};
}

// --- Runs and pages ---------------------------------------------------------------------------

Status PhfIndex::open_runs(Folder::Open how) {
  XMC_LET(Device* const runs,
          build_.product->folder->open(FileName(kHashRunsFile, file_.number).c_str(), how));
  build_.runs = runs;
  return {};
}

Status PhfIndex::resume_build(const phf::BuildConfig& config) {
  const SearchCheckpoint& checkpoint = *build_.product->search_checkpoint;
  const phf::BuildCheckpoint& build = checkpoint.part.build;
  XMC_TRY(named(builder_.resume(config, file_.device, build_.runs, build_.product->memory, build),
                kHashRunsFile));
  build_.pages_sum.bytes = checkpoint.hash.bytes;
  build_.pages_sum.chain = checkpoint.hash.chain;
  build_.runs_sum.bytes = checkpoint.part.runs.bytes;
  build_.runs_sum.chain = checkpoint.part.runs.chain;
  if (words_of(build) == 0) return {};
  const FileName name(kBitsFile, checkpoint.bits_number);
  XMC_LET(Device* const device, build_.product->folder->open(name.c_str(), Folder::Open::existing));
  const auto read_all = [&]() -> Status {
    if (device->size_bytes() < checkpoint.bits.bytes) return not_of_checkpoint(name.c_str());
    WordReader in;
    in.start(device, name.c_str(), words_of(build), build_.product->scan_buffer);
    u64 before = 0;
    u64 at = 0;
    for (; at < build.runs + build.spill_runs; ++at) {
      Word end = 0;
      XMC_TRY(in.read(at, {&end, 1}));
      if (end <= before || end > build.run_bytes) return not_of_checkpoint(name.c_str());
      before = end;
      build_.fits = build_.fits && builder_.add_run(end);
    }
    for (u64 i = 0; i < build.spilled && build_.fits; ++i, at += 2) {
      Word record[2] = {};
      XMC_TRY(in.read(at, record));
      XMC_TRY(builder_.add_spilled({record[0], static_cast<u32>(record[1])}));
    }
    return {};
  };
  const Status status = read_all();
  build_.product->folder->close(device);
  return status;
}

// After a collision. Files that a checkpoint has named stay as they are.
Status PhfIndex::begin_again() {
  build_.goes_on = false;
  build_.in_pages = false;
  build_.runs_sum = build_.pages_sum = {};
  if (!is_named(*build_.product)) {
    XMC_TRY(file_.device->truncate(0));
    return build_.runs->truncate(0);
  }
  Folder& folder = *build_.product->folder;
  folder.close(build_.runs);
  folder.close(file_.device);
  build_.runs = file_.device = nullptr;
  build_.product->search_checkpoint->forget_index();
  XMC_TRY(open_device(*build_.product, Folder::Open::create));
  return open_runs(Folder::Open::create);
}

Status PhfIndex::checkpoint_if_due(bool boundary) {
  const Product& product = *build_.product;
  if (product.search_checkpoint == nullptr || !product.checkpoint_due(boundary)) return {};
  XMC_TRY(save_part());
  return product.checkpoint(product.owner);
}

Status PhfIndex::save_part() {
  if (build_.product->search_checkpoint == nullptr || !builder_.can_save_checkpoint()) return {};
  SearchCheckpoint& checkpoint = *build_.product->search_checkpoint;
  phf::BuildCheckpoint build;
  XMC_TRY(builder_.save_checkpoint(build));
  const phf::PageShape& shape = builder_.layout().shape;
  const std::span<u8> buffer = build_.product->scan_buffer;
  XMC_TRY(extend(build_.runs_sum, *build_.runs, build.run_bytes, buffer));
  XMC_TRY(extend(build_.pages_sum, *file_.device, build.page_bytes(shape), buffer));
  XMC_TRY(write_part(build));
  checkpoint.index = SearchCheckpoint::Index::part;
  checkpoint.phase = SearchCheckpoint::Phase::none;
  checkpoint.states = build_.product->states;
  checkpoint.hash_number = file_.number;
  checkpoint.hash = {build_.pages_sum.bytes, build_.pages_sum.chain};
  checkpoint.part.seed = seed_;
  checkpoint.part.page_bytes = shape.page_bytes;
  checkpoint.part.codec = static_cast<u64>(shape.codec);
  checkpoint.part.block_bytes = file_.device->geometry().block_bytes;
  checkpoint.part.memory = build_.product->memory.size();
  checkpoint.part.build = build;
  checkpoint.part.runs = {build_.runs_sum.bytes, build_.runs_sum.chain};
  checkpoint.named = true;
  return save_neighbours(checkpoint, buffer);
}

Status PhfIndex::write_part(const phf::BuildCheckpoint& build) {
  SearchCheckpoint& checkpoint = *build_.product->search_checkpoint;
  Folder& folder = *build_.product->folder;
  XMC_TRY(checkpoint.next_bits(folder));
  const FileName name(kBitsFile, checkpoint.bits_number);
  XMC_LET(Device* const device, folder.open(name.c_str(), Folder::Open::create));
  WordWriter out;
  out.start(device, build_.product->scan_buffer);
  Status status;
  for (u32 i = 0; i < build.runs + build.spill_runs && status.ok(); ++i) {
    const Word end = builder_.run_end(i);
    status = out.add({&end, 1});
  }
  for (u64 i = 0; i < build.spilled && status.ok(); ++i) {
    const phf::Record record = builder_.spilled(i);
    const Word words[] = {record.hash, record.value};
    status = out.add(words);
  }
  if (status.ok()) status = out.finish();
  folder.close(device);
  checkpoint.bits = {out.bytes(), out.chain()};
  return status;
}

}  // namespace xmc
