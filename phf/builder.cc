#include "phf/builder.h"

#include <algorithm>

#include "phf/hash_math.h"
#include "phf/plan.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc::phf {

namespace {

using ull = unsigned long long;

constexpr u64 kKeysPerPoll = 1 << 18;

}  // namespace

Status Builder::start(const BuildConfig& config, Device* pages, Device* runs,
                      std::span<u8> memory) {
  XMC_CHECK(pages->size_bytes() == 0);
  return prepare(config, pages, runs, memory);
}

Status Builder::resume(const BuildConfig& config, Device* pages, Device* runs, std::span<u8> memory,
                       const BuildCheckpoint& checkpoint) {
  if (pages->size_bytes() < checkpoint.page_bytes(config.shape) ||
      runs->size_bytes() < checkpoint.run_bytes) {
    return Status::fail(Code::corrupt, "perfect hash: the files of a build are too short");
  }
  XMC_TRY(pages->truncate(checkpoint.page_bytes(config.shape)));
  XMC_TRY(runs->truncate(checkpoint.run_bytes));
  XMC_TRY(prepare(config, pages, runs, memory));
  from_ = checkpoint;
  saved_ = true;
  layout_.keys = checkpoint.keys;
  placed_ = checkpoint.placed;
  pages_done_ = checkpoint.pages;
  sorters_[0].set_records_of_runs(checkpoint.keys);
  sorters_[1].start(memory_.spill_sorter, runs, config.shape.value_bits);
  return {};
}

bool Builder::add_run(u64 end) {
  RecordSorter& main = sorters_[0];
  if (main.runs() < from_.runs) return main.add_run(0, end);
  return sorters_[1].add_run(main.runs() == 0 ? 0 : main.run_end(from_.runs - 1), end);
}

u64 Builder::run_end(u32 run) const {
  const u32 main = static_cast<u32>(sorters_[0].runs());
  return run < main ? sorters_[0].run_end(run) : sorters_[1].run_end(run - main);
}

Status Builder::save_checkpoint(BuildCheckpoint& checkpoint) {
  XMC_CHECK(can_save_checkpoint());
  XMC_TRY(flush_output());
  for (Device* device : {pages_, runs_}) {
    XMC_TRY(device->finish_append());
    XMC_TRY(device->sync());
  }
  saved_ = true;
  checkpoint = BuildCheckpoint();
  checkpoint.writing = writing_;
  checkpoint.runs = static_cast<u32>(sorters_[0].runs());
  checkpoint.keys =
      checkpoint.runs == 0 ? 0 : sorters_[0].records() - sorters_[0].records_in_memory();
  checkpoint.run_bytes = runs_->size_bytes();
  if (!writing_) return {};
  checkpoint.spill_runs = static_cast<u32>(sorters_[1].runs());
  checkpoint.spilled = sorters_[1].records_in_memory();
  checkpoint.pages = pages_done_;
  checkpoint.placed = placed_;
  return {};
}

Status Builder::prepare(const BuildConfig& config, Device* pages, Device* runs,
                        std::span<u8> memory) {
  config_ = config;
  from_ = BuildCheckpoint();
  saved_ = writing_ = false;
  pages_done_ = 0;
  pages_ = pages;
  runs_ = runs;
  layout_ = FileLayout();
  layout_.shape = config.shape;
  layout_.shape.file_seed = pages->place(0).seed;
  layout_.hash_seed = config.hash_seed;
  stats_ = BuildStats();
  placed_ = 0;
  half_ = filled_ = 0;
  const u32 block = std::max(pages->geometry().block_bytes, runs->geometry().block_bytes);
  XMC_TRY(check_shape(config.shape, block));
  const u64 least = BuildMemory::least_bytes(config.shape, block);
  if (memory.size() < least) {
    return Status::fail(Code::budget,
                        "perfect hash: pages of %u bytes cannot be built in %llu KiB; it takes "
                        "%llu KiB",
                        config.shape.page_bytes, static_cast<ull>(memory.size() >> 10),
                        static_cast<ull>(divide_up(least, 1024)));
  }
  memory_ = BuildMemory(config.shape, block, memory);
  sorters_[0].start(memory_.main_sorter, runs, config.shape.value_bits);
  return {};
}

Status Builder::add(u64 hash, u32 value) {
  XMC_DASSERT(u64{value} >> config_.shape.value_bits == 0);
  ++layout_.keys;
  ++stats_.added_keys;
  Status status;
  if (layout_.keys % kKeysPerPoll == 0) status = poll();
  if (status.ok()) status = sorters_[0].add(hash, value);
  if (!status.ok()) settle();
  return status;
}

// After an error: nothing is written from our memory any more. Whether that went well does not
// matter.
void Builder::settle() {
  for (Device* device : {pages_, runs_}) static_cast<void>(device->finish_append());
}

Status Builder::poll() {
  Progress progress;
  progress.states = layout_.keys;
  progress.expanded = placed_;
  return Status::stop(config_.control(progress));
}

Status Builder::check_pinned() const {
  const Plan need = plan(layout_.shape, layout_.keys, pages_->geometry().block_bytes);
  if (need.pinned_bytes <= config_.pinned_limit) return {};
  return Status::fail(Code::budget,
                      "perfect hash: queries of %llu keys need %llu KiB in RAM for the keys that "
                      "do not fit their pages, and there are %llu KiB",
                      static_cast<ull>(layout_.keys), static_cast<ull>(need.pinned_bytes >> 10),
                      static_cast<ull>(config_.pinned_limit >> 10));
}

Result<Outcome> Builder::finish() {
  Result<Outcome> outcome = write_layers();
  if (outcome.ok() && outcome.value() == Outcome::built) return outcome;
  settle();
  if (saved_ || outcome.status().code() == Code::stopped) return outcome;
  // A failed device keeps its own answer.
  const Status emptied = pages_->truncate(0);
  return outcome.ok() && !emptied.ok() ? Result<Outcome>(emptied) : outcome;
}

// The two sorters take turns: one gives the keys of a layer, the other takes those of the next.
Result<Outcome> Builder::write_layers() {
  XMC_TRY(check_pinned());
  RecordSorter* from = &sorters_[0];
  RecordSorter* spill = &sorters_[1];
  std::span<u8> from_memory = memory_.main_sorter;
  std::span<u8> spill_memory = memory_.spill_sorter;
  for (;;) {
    if (layout_.layers == kLayers) {
      return Status::fail(Code::internal, "perfect hash: keys are left after %u layers", kLayers);
    }
    const bool first = layout_.layers == 0;
    if (first && from_.writing) {
      from->skip_below(first_hash_of(from_.pages, pages_for(layout_.shape, from->records(), 0)));
    } else {
      spill->start(spill_memory, runs_, layout_.shape.value_bits);
    }
    XMC_TRY(from->finish());
    writing_ = true;
    XMC_TRY(first ? page_done() : Status());
    XMC_TRY(write_layer(*from, *spill, layout_.layer[layout_.layers]));
    stats_.runs += from->runs();
    stats_.run_bytes += from->bytes_written();
    if (collision_) {
      stats_.collision = held_.hash;
      return Outcome::collision;
    }
    ++layout_.layers;
    if (spill->records() == 0) break;
    std::swap(from, spill);
    std::swap(from_memory, spill_memory);
  }
  XMC_CHECK(placed_ == layout_.keys);
  XMC_TRY(write_end());
  return Outcome::built;
}

// The next record into hand; false at the end of the layer, by an error or by a collision.
bool Builder::take_next(RecordSorter& from) {
  const Record last = held_;
  const bool first = !holding_;
  holding_ = from.next(held_);
  collision_ = holding_ && !first && held_.hash == last.hash;
  return holding_ && !collision_;
}

Status Builder::write_layer(RecordSorter& from, RecordSorter& spill, Layer& layer) {
  layer.pages = pages_for(layout_.shape, from.records(), layout_.layers);
  const bool first = layout_.layers == 0;
  const u64 before = first ? 0 : placed_;
  holding_ = collision_ = false;
  if (!first || pages_done_ < layer.pages) take_next(from);
  for (u64 page = first ? pages_done_ : 0; page < layer.pages; ++page) {
    XMC_TRY(collect(from, page, layer.pages, spill));
    XMC_TRY(from.status());
    if (collision_) return {};
    XMC_TRY(write_page(page, spill));
    if (!first) continue;
    ++pages_done_;
    XMC_TRY(page_done());
    XMC_TRY(poll());
  }
  XMC_CHECK(!holding_);
  layer.keys = placed_ - before;
  return {};
}

Status Builder::page_done() {
  return config_.between_pages == nullptr ? Status() : config_.between_pages(config_.owner);
}

// The least one that belongs there.
u64 Builder::first_hash_of(u64 page, u64 pages) const {
  u64 hash = 0;
  for (u64 bit = u64{1} << 63; bit != 0; bit >>= 1) {
    if (page_place(hash | (bit - 1), pages).page < page) hash |= bit;
  }
  return hash;
}

// The records of one page, in order of their steps. Those beyond its capacity have the highest.
Status Builder::collect(RecordSorter& from, u64 page, u64 pages, RecordSorter& spill) {
  collected_ = 0;
  threshold_ = kSteps;
  while (holding_) {
    const PagePlace place = page_place(held_.hash, pages);
    if (place.page != page) return {};
    if (collected_ < memory_.records.size()) {
      memory_.records[collected_] = held_;
      memory_.steps[collected_++] = static_cast<u8>(step_of(place.share));
    } else {
      threshold_ = std::min(threshold_, step_of(place.share));
      XMC_TRY(spill_record(held_, spill));
    }
    if (!take_next(from)) return {};
  }
  return {};
}

Status Builder::spill_record(const Record& record, RecordSorter& spill) {
  ++stats_.bumped_keys;
  return spill.add(next_layer(record.hash), record.value);
}

Status Builder::write_page(u64 page, RecordSorter& spill) {
  const std::span<const Record> records = memory_.records.first(collected_);
  const PageStats built = build_page(layout_.shape, {layout_.layers, page}, placed_, records,
                                     memory_.steps.first(collected_), threshold_, memory_.scratch,
                                     output().subspan(filled_, layout_.shape.page_bytes));
  stats_.reseeds += built.reseeds;
  placed_ += built.keys;
  for (const Record& record : records.subspan(built.keys)) XMC_TRY(spill_record(record, spill));
  filled_ += layout_.shape.page_bytes;
  return filled_ == output().size() ? flush_output() : Status();
}

Status Builder::flush_output() {
  if (filled_ == 0) return {};
  stats_.page_bytes += filled_;
  const std::span<u8> pages = output().first(filled_);
  half_ = 1 - half_;
  filled_ = 0;
  return pages_->begin_append(pages, Purpose::index);
}

// The footer is worth something only behind pages that are durable.
Status Builder::write_end() {
  XMC_TRY(flush_output());
  XMC_TRY(pages_->sync());
  const std::span<u8> page = output().first(layout_.shape.page_bytes);
  fill_zero(page);
  write_footer(layout_, page.last(kFooterBytes));
  filled_ = layout_.shape.page_bytes;
  XMC_TRY(flush_output());
  XMC_CHECK(pages_->size_bytes() == layout_.file_bytes());
  return pages_->sync();
}

}  // namespace xmc::phf
