#include "engine/levels/level_path.h"

#include <algorithm>

#include "engine/levels/visited_set.h"
#include "engine/search/file_names.h"
#include "engine/search/level_checkpoint.h"
#include "engine/search/path_back.h"
#include "store/files/numbered_file.h"
#include "store/files/word_file.h"
#include "xmc/check.h"

namespace xmc {

Status LevelPath::take(StopReason stop) {
  SearchOutcome& outcome = *frontier_->search.outcome;
  LevelOwners& owners = frontier_->owners;
  if (!outcome.path_missing) {
    if (found_) outcome.complete = complete_;
    Status status = find();
    const StopReason late = status.take_stop();
    XMC_TRY(status);
    if (late == StopReason::none) return {};
    outcome.path_missing = true;
    outcome.complete = false;
    outcome.stop = stop == StopReason::none ? late : stop;
  }
  const bool together = !owners.on() || !owners.broken();
  return found_ && together ? checkpoint() : Status();
}

bool LevelPath::fits() const {
  const u64 words = (steps_ + 1) * frontier_->search.model.state_words;
  return words <= frontier_->memory.region.size() / sizeof(Word);
}

// The memory of the visited set is free by now and takes the path.
Status LevelPath::find() {
  Search& search = frontier_->search;
  const u32 words = search.model.state_words;
  XMC_TRY(frontier_->set->fill_queue());
  if (search.cycle_found()) XMC_TRY(settle_cycle());
  steps_ = search.outcome->prefix_steps;
  if (!fits()) {
    return Status::fail(Code::budget,
                        "a violation was found after %llu steps, but its path does not fit the "
                        "memory; use a larger --ram",
                        wide(steps_));
  }
  if (kept_number_ != 0) return read_kept();
  frontier_->queue.set_purpose(Purpose::trace);
  states_ = reinterpret_cast<Word*>(frontier_->memory.region.data());
  if (left_ == kUnknown) {
    std::copy_n(frontier_->culprit, words, states_ + steps_ * words);
    left_ = steps_;
  }
  PathBack back(search, frontier_->reader, go_on());
  const LongWork::Scope scope(&search.work, "path");
  while (left_ > 0) {
    search.work.set(steps_ - left_, steps_);
    Word* const target = states_ + left_ * words;
    XMC_TRY(step(back, left_ - 1, target, target - words));
    --left_;
    if (frontier_->owners.on() && left_ > 0) XMC_TRY(follow_orders());
  }
  note_minimal();
  return {};
}

// What a signature left out might have been nearer, and so might what was not judged any more.
void LevelPath::note_minimal() {
  const Search& search = frontier_->search;
  const bool judged = found_ || search.is_nearest(frontier_->judged_level());
  search.outcome->minimal = judged && !frontier_->signature.on();
}

// --- While the search goes on -----------------------------------------------------------------

Status LevelPath::keep() {
  Frontier& f = *frontier_;
  const bool wanted = f.search.options.full && f.search.outcome->violation != Violation::none &&
                      !f.search.cycle_found() && kept_number_ == 0;
  if (!wanted) return {};
  const PhaseClock::Scope scope(f.search.clock, Phase::rest);
  const LongWork::Scope work(&f.search.work, "path");
  XMC_TRY(f.set->fill_queue());
  const FileName name(kPathFile, ++number_);
  XMC_LET(Device* const device, f.folder().open(name.c_str(), Folder::Open::create));
  WordWriter out;
  out.start(device, f.memory.scan_buffer);
  f.queue.set_purpose(Purpose::trace);
  Status status = write_kept(out);
  f.queue.set_purpose(Purpose::queue);
  if (status.ok()) status = out.finish();
  f.folder().close(device);
  f.reader_moved = true;
  XMC_TRY(status);
  kept_number_ = number_;
  kept_bytes_ = out.bytes();
  kept_chain_ = out.chain();
  return {};
}

Status LevelPath::write_kept(WordWriter& out) {
  Frontier& f = *frontier_;
  const std::size_t words = f.search.model.state_words;
  const u64 steps = f.search.outcome->prefix_steps;
  Word target[limits::kStateWords];
  Word key[limits::kKeyWords];
  std::copy_n(f.culprit, words, target);
  PathBack back(f.search, f.reader, f.go_on());
  XMC_TRY(out.add({target, words}));
  for (u64 left = steps; left > 0; --left) {
    f.search.work.set(steps - left, steps);
    XMC_TRY(step(back, left - 1, target, key));
    std::copy_n(key, words, target);
    XMC_TRY(out.add({target, words}));
  }
  return {};
}

Status LevelPath::read_kept() {
  Frontier& f = *frontier_;
  const std::size_t words = f.search.model.state_words;
  states_ = reinterpret_cast<Word*>(f.memory.region.data());
  const FileName name(kPathFile, kept_number_);
  XMC_LET(Device* const device, f.folder().open(name.c_str(), Folder::Open::existing));
  WordReader in;
  in.start(device, name.c_str(), (steps_ + 1) * words, f.memory.scan_buffer);
  Status status;
  for (u64 i = 0; i <= steps_ && status.ok(); ++i) {
    status = in.read(i * words, {states_ + (steps_ - i) * words, words});
  }
  f.folder().close(device);
  left_ = 0;
  note_minimal();
  return status;
}

void LevelPath::save_kept(Manifest& manifest) const {
  if (kept_number_ == 0) return;
  manifest.add("path-kept", kept_number_);
  manifest.add_file(FileName(kPathFile, kept_number_).c_str(), kept_bytes_, kept_chain_);
}

Status LevelPath::restore_kept(const Manifest& manifest) {
  if (!manifest.has("path-kept")) return {};
  u64 number = 0;
  XMC_TRY(restore_number(manifest, "path-kept", number));
  Manifest::File file;
  XMC_TRY(find_file(manifest, FileName(kPathFile, number).c_str(), file));
  kept_number_ = number_ = number;
  kept_bytes_ = file.bytes;
  kept_chain_ = file.chain;
  return {};
}

// Of several owners, each looks among its own states.
Status LevelPath::step(PathBack& back, u64 level, const Word* target, Word* key) {
  LevelOwners& owners = frontier_->owners;
  if (!owners.on()) return back.step(level, target, key);
  const u32 words = frontier_->search.model.state_words;
  Candidate smallest;
  XMC_TRY(back.smallest(level, target, smallest));
  XMC_TRY(agree_on_smallest(owners.peers(), words, smallest));
  if (!smallest.found) return Status::fail(Code::internal, "no predecessor in the level before");
  std::copy_n(smallest.state, words, key);
  return {};
}

// What several owners are told they do behind a step, at the same point.
Status LevelPath::follow_orders() {
  LevelOwners& owners = frontier_->owners;
  XMC_TRY(owners.pass_orders());
  const StopReason stop = owners.ordered_stop();
  const bool due = owners.checkpoint_ordered();
  owners.clear_orders();
  if (stop != StopReason::none) {
    owners.set_agreed();
    return Status::stop(stop);
  }
  return due && found_ ? checkpoint() : Status();
}

Status LevelPath::settle_cycle() {
  Frontier& f = *frontier_;
  Product all = f.product(f.queue.keys(), f.memory.all());
  all.read_buffer = f.memory.read_buffer;
  XMC_TRY(f.finder->settle_cycle(all, go_on(), f.search.outcome->prefix_steps));
  f.reader.start(f.queue, f.memory.read_buffer);
  f.finder->cycle_begin(f.culprit);
  return {};
}

void LevelPath::state(u64 i, Word* out) const {
  const u32 words = frontier_->search.model.state_words;
  std::copy_n(states_ + i * words, words, out);
}

GoOn LevelPath::go_on() {
  return {this,
          [](void* self) {
            LevelPath& path = *static_cast<LevelPath*>(self);
            XMC_TRY(path.frontier_->poll(0, false));
            if (path.frontier_->owners.on()) return Status();  // behind the step
            Checkpointer* const checkpoints = path.frontier_->search.options.checkpoints;
            const bool due = path.found_ && checkpoints != nullptr && checkpoints->due(false);
            return due ? path.checkpoint() : Status();
          },
          &frontier_->search.work};
}

// --- Checkpoints ------------------------------------------------------------------------------

std::span<Word> LevelPath::known() const {
  if (left_ == kUnknown) return {};
  const u64 words = frontier_->search.model.state_words;
  return {states_ + left_ * words, static_cast<std::size_t>((steps_ + 1 - left_) * words)};
}

Status LevelPath::checkpoint() {
  Frontier& f = *frontier_;
  Checkpointer* const checkpoints = f.search.options.checkpoints;
  if (checkpoints == nullptr) return {};
  XMC_TRY(f.queue.flush());
  Manifest& manifest = checkpoints->begin();
  manifest.add("level", f.point.level);
  manifest.add("level-end", f.point.level_end);
  manifest.add("next", f.point.next);
  const SearchStats& stats = f.search.stats();
  const u64 states = stats.states == kNoFigure ? f.queue.keys() : stats.states;
  XMC_TRY(f.save_figures(manifest, stats, states));
  if (!f.owners.on() || f.owners.talks()) {
    save_violation(manifest, *f.search.outcome, {f.culprit, f.search.model.state_words});
  }
  save_key_file(manifest, f.queue);
  manifest.add("path-complete", complete_ ? 1 : 0);
  XMC_TRY(write(manifest));
  XMC_TRY(checkpoints->commit());
  if (number_ < 3) return {};
  return f.folder().remove(FileName(kPathFile, number_ - 2).c_str());
}

Status LevelPath::write(Manifest& manifest) {
  Frontier& f = *frontier_;
  FoundCycle cycle;
  if (f.search.cycle_found()) cycle = f.finder->found_cycle();
  if (left_ != kUnknown) manifest.add("path-left", left_);
  if (cycle.steps > 0) {
    manifest.add("cycle-steps", cycle.steps);
    manifest.add("cycle-shortest", cycle.shortest ? 1 : 0);
    manifest.add("cycle-settled", cycle.settled ? 1 : 0);
  }
  const std::span<const Word> path = known();
  if (cycle.steps == 0 && path.empty()) return {};
  manifest.add("path-number", ++number_);
  const FileName name(kPathFile, number_);
  XMC_LET(Device* const device, f.folder().open(name.c_str(), Folder::Open::create));
  WordWriter out;
  out.start(device, f.memory.scan_buffer);
  const u64 words = f.search.model.state_words;
  Status status = out.add({cycle.states, static_cast<std::size_t>(cycle.steps * words)});
  if (status.ok()) status = out.add(path);
  if (status.ok()) status = out.finish();
  f.folder().close(device);
  manifest.add_file(name.c_str(), out.bytes(), out.chain());
  return status;
}

bool LevelPath::is_in(const Manifest& manifest) { return manifest.has("path-complete"); }

Status LevelPath::begin_anew(const Manifest& manifest) {
  u64 complete = 0;
  XMC_TRY(restore_number(manifest, "path-complete", complete));
  set_found(complete != 0);
  return {};
}

Status LevelPath::restore_checkpoint(const Manifest& manifest) {
  XMC_TRY(begin_anew(manifest));
  if (!manifest.has("path-number")) return {};
  XMC_TRY(restore_number(manifest, "path-number", number_));
  steps_ = frontier_->search.outcome->prefix_steps;
  if (manifest.has("path-left")) {
    XMC_TRY(restore_number(manifest, "path-left", left_));
    if (left_ > steps_) {
      return Status::fail(Code::corrupt, "the checkpoint has more of the path than there is");
    }
  }
  std::span<Word> cycle;
  if (manifest.has("cycle-steps")) XMC_TRY(restore_cycle(manifest, cycle));
  return read(manifest, cycle);
}

Status LevelPath::restore_cycle(const Manifest& manifest, std::span<Word>& cycle) {
  Frontier& f = *frontier_;
  if (f.finder == nullptr || !f.search.cycle_found()) {
    return Status::fail(Code::corrupt, "the checkpoint has a cycle that nobody looked for");
  }
  FoundCycle kept;
  u64 shortest = 0;
  u64 settled = 0;
  XMC_TRY(restore_number(manifest, "cycle-steps", kept.steps));
  XMC_TRY(restore_number(manifest, "cycle-shortest", shortest));
  XMC_TRY(restore_number(manifest, "cycle-settled", settled));
  kept.shortest = shortest != 0;
  kept.settled = settled != 0;
  const Product all = f.product(f.queue.keys(), f.memory.all());
  XMC_LET(Word* const place, f.finder->restore_cycle(all, kept));
  cycle = {place, static_cast<std::size_t>(kept.steps * f.search.model.state_words)};
  return {};
}

Status LevelPath::read(const Manifest& manifest, std::span<Word> cycle) {
  Frontier& f = *frontier_;
  if (left_ != kUnknown) {
    if (!fits()) {
      return Status::fail(Code::budget,
                          "the path of the violation has %llu steps and does not fit the memory; "
                          "use a larger --ram",
                          wide(steps_));
    }
    states_ = reinterpret_cast<Word*>(f.memory.region.data());
  }
  const std::span<Word> path = known();
  const FileName name(kPathFile, number_);
  Manifest::File file;
  XMC_TRY(find_file(manifest, name.c_str(), file));
  XMC_LET(Device* const device, f.folder().open(name.c_str(), Folder::Open::existing));
  WordReader in;
  in.start(device, name.c_str(), cycle.size() + path.size(), f.memory.scan_buffer);
  Status status = cycle.empty() ? Status() : in.read(0, cycle);
  if (status.ok() && !path.empty()) status = in.read(cycle.size(), path);
  f.folder().close(device);
  return status;
}

}  // namespace xmc
