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
  goes_on_ = true;
  const Status status = build_and_open(product, options, left, result);
  goes_on_ = false;
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
         part.block_bytes == pages_->geometry().block_bytes &&
         (sorted || product.memory.size() >= part.memory) && build.keys <= product.states &&
         (!sorted || build.keys == product.states);
}

// --- Neighbours -------------------------------------------------------------------------------

Status PhfIndex::load_neighbours(Product& part, u64 pages, u64 asking) {
  const SearchCheckpoint& checkpoint = *part.search_checkpoint;
  const Model& model = part.search->model;
  const auto choice = static_cast<NeighbourHash::Choice>(checkpoint.neighbours);
  if (choice == NeighbourHash::kPlain || checkpoint.near_words == 0) return {};
  if (NeighbourHash::bytes_for(model, pages) + asking > part.memory.size()) return {};
  const FileName name(kHashNearFile, number_);
  XMC_LET(Device* const device, part.folder->open(name.c_str(), Folder::Open::existing));
  Status status = not_of_checkpoint(name.c_str());
  if (device->size_bytes() >= checkpoint.near.bytes) {
    WordReader in;
    in.start(device, name.c_str(), checkpoint.near_words, part.scan_buffer);
    status = neighbours_.read(in, checkpoint.near_words, model, pages, part.memory, choice);
  }
  part.folder->close(device);
  XMC_TRY(status);
  near_written_ = true;
  near_stamp_ = checkpoint.near;
  take_neighbours(part, pages);
  return {};
}

// The table never changes: it is written once.
Status PhfIndex::save_neighbours(SearchCheckpoint& checkpoint, std::span<u8> buffer) {
  checkpoint.neighbours = neighbours_.choice();
  if (neighbours_.choice() == NeighbourHash::kPlain) return {};
  if (!near_written_) {
    const FileName name(kHashNearFile, number_);
    XMC_LET(Device* const device, folder_->open(name.c_str(), Folder::Open::create));
    WordWriter out;
    out.start(device, buffer);
    const Status status = neighbours_.write(out);
    folder_->close(device);
    XMC_TRY(status);
    near_stamp_ = {out.bytes(), out.chain()};
    near_written_ = true;
  }
  checkpoint.near = near_stamp_;
  checkpoint.near_words = neighbours_.file_words();
  return {};
}

// --- Runs and pages ---------------------------------------------------------------------------

Status PhfIndex::open_runs(Folder::Open how) {
  XMC_LET(Device* const runs,
          building_->folder->open(FileName(kHashRunsFile, number_).c_str(), how));
  runs_ = runs;
  return {};
}

Status PhfIndex::resume_build(const phf::BuildConfig& config) {
  const SearchCheckpoint& checkpoint = *building_->search_checkpoint;
  const phf::BuildCheckpoint& build = checkpoint.part.build;
  XMC_TRY(builder_.resume(config, pages_, runs_, building_->memory, build));
  pages_sum_.bytes = checkpoint.hash.bytes;
  pages_sum_.chain = checkpoint.hash.chain;
  runs_sum_.bytes = checkpoint.part.runs.bytes;
  runs_sum_.chain = checkpoint.part.runs.chain;
  if (words_of(build) == 0) return {};
  const FileName name(kBitsFile, checkpoint.bits_number);
  XMC_LET(Device* const device, building_->folder->open(name.c_str(), Folder::Open::existing));
  const auto read_all = [&]() -> Status {
    if (device->size_bytes() < checkpoint.bits.bytes) return not_of_checkpoint(name.c_str());
    WordReader in;
    in.start(device, name.c_str(), words_of(build), building_->scan_buffer);
    u64 before = 0;
    u64 at = 0;
    for (; at < build.runs + build.spill_runs; ++at) {
      Word end = 0;
      XMC_TRY(in.read(at, {&end, 1}));
      if (end <= before || end > build.run_bytes) return not_of_checkpoint(name.c_str());
      before = end;
      fits_ = fits_ && builder_.add_run(end);
    }
    for (u64 i = 0; i < build.spilled && fits_; ++i, at += 2) {
      Word record[2] = {};
      XMC_TRY(in.read(at, record));
      XMC_TRY(builder_.add_spilled({record[0], static_cast<u32>(record[1])}));
    }
    return {};
  };
  const Status status = read_all();
  building_->folder->close(device);
  return status;
}

// After a collision. Files that a checkpoint has named stay as they are.
Status PhfIndex::begin_again() {
  goes_on_ = false;
  in_pages_ = false;
  runs_sum_ = pages_sum_ = {};
  if (!is_named(*building_)) {
    XMC_TRY(pages_->truncate(0));
    return runs_->truncate(0);
  }
  Folder& folder = *building_->folder;
  folder.close(runs_);
  folder.close(pages_);
  runs_ = pages_ = nullptr;
  building_->search_checkpoint->forget_index();
  XMC_TRY(open_device(*building_, Folder::Open::create));
  return open_runs(Folder::Open::create);
}

Status PhfIndex::checkpoint_if_due(bool boundary) {
  if (building_->search_checkpoint == nullptr || !building_->checkpoint_due(boundary)) return {};
  XMC_TRY(save_part());
  return building_->checkpoint(building_->owner);
}

Status PhfIndex::save_part() {
  if (building_->search_checkpoint == nullptr || !builder_.can_save_checkpoint()) return {};
  SearchCheckpoint& checkpoint = *building_->search_checkpoint;
  phf::BuildCheckpoint build;
  XMC_TRY(builder_.save_checkpoint(build));
  const phf::PageShape& shape = builder_.layout().shape;
  const std::span<u8> buffer = building_->scan_buffer;
  XMC_TRY(extend(runs_sum_, *runs_, build.run_bytes, buffer));
  XMC_TRY(extend(pages_sum_, *pages_, build.page_bytes(shape), buffer));
  XMC_TRY(write_part(build));
  checkpoint.index = SearchCheckpoint::Index::part;
  checkpoint.phase = SearchCheckpoint::Phase::none;
  checkpoint.states = building_->states;
  checkpoint.hash_number = number_;
  checkpoint.hash = {pages_sum_.bytes, pages_sum_.chain};
  checkpoint.part.seed = seed_;
  checkpoint.part.page_bytes = shape.page_bytes;
  checkpoint.part.codec = static_cast<u64>(shape.codec);
  checkpoint.part.block_bytes = pages_->geometry().block_bytes;
  checkpoint.part.memory = building_->memory.size();
  checkpoint.part.build = build;
  checkpoint.part.runs = {runs_sum_.bytes, runs_sum_.chain};
  checkpoint.named = true;
  return save_neighbours(checkpoint, buffer);
}

Status PhfIndex::write_part(const phf::BuildCheckpoint& build) {
  SearchCheckpoint& checkpoint = *building_->search_checkpoint;
  Folder& folder = *building_->folder;
  XMC_TRY(checkpoint.next_bits(folder));
  const FileName name(kBitsFile, checkpoint.bits_number);
  XMC_LET(Device* const device, folder.open(name.c_str(), Folder::Open::create));
  WordWriter out;
  out.start(device, building_->scan_buffer);
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
