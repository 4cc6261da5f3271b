// The path of a counterexample that a level search has found: from its end to its beginning,
// through the levels of the queue. Where that takes long, the run may be stopped meanwhile, and
// goes on later; a checkpoint has the violation, and what is known of the path, and of the cycle
// that it leads to, in a file:
//
//   path.N  words (store/files/word_file.h): the states of the cycle, then those at the end of the
//           path. Each checkpoint takes the next number; two checkpoints never need what is two
//           behind.
#include <algorithm>

#include "engine/levels/level_search.h"
#include "engine/search/level_checkpoint.h"
#include "engine/search/numbered_file.h"
#include "engine/search/path_back.h"
#include "store/files/word_file.h"
#include "xmc/check.h"

namespace xmc {

// Without its path a violation is not proved. A run that was stopped before the end of its search
// has its checkpoint already.
Status LevelSearch::take_path(StopReason stop) {
  SearchOutcome& outcome = *search_.outcome;
  if (!outcome.path_missing) {
    if (found_) outcome.complete = found_complete_;
    const Status status = find_path();
    if (status.code() != Code::stopped) return status;
    outcome.path_missing = true;
    outcome.complete = false;
    outcome.stop = stop == StopReason::none ? stopped_ : stop;
  }
  return found_ ? checkpoint_path() : Status();
}

// The memory of the visited set is free by now and takes the path.
Status LevelSearch::find_path() {
  SearchOutcome& outcome = *search_.outcome;
  const u32 words = search_.model.state_words;
  if (search_.cycle_found()) XMC_TRY(settle_cycle());
  const u64 steps = outcome.prefix_steps;
  if ((steps + 1) * words * sizeof(Word) > region_.size()) {
    return Status::fail(Code::budget,
                        "a violation was found after %llu steps, but its path does not fit the "
                        "memory; use a larger --ram",
                        static_cast<unsigned long long>(steps));
  }
  queue_.set_purpose(Purpose::trace);
  path_ = reinterpret_cast<Word*>(region_.data());
  path_steps_ = steps;
  if (path_left_ == kNoPath) {
    std::copy_n(culprit_, words, path_ + steps * words);
    path_left_ = steps;
  }
  PathBack back(search_, reader_, path_go_on());
  for (; path_left_ > 0; --path_left_) {
    Word* const target = path_ + path_left_ * words;
    XMC_TRY(back.step(path_left_ - 1, target, target - words));
  }
  // What a signature left out might have been nearer.
  outcome.minimal = !signature_.on();
  return {};
}

Status LevelSearch::settle_cycle() {
  Product all = product(queue_.keys(), {region_.data(), region_.size() + aside_.size()});
  all.read_buffer = read_buffer_;
  XMC_TRY(finder_->settle_cycle(all, path_go_on(), search_.outcome->prefix_steps));
  reader_.start(queue_, read_buffer_);
  finder_->cycle_begin(culprit_);
  return {};
}

void LevelSearch::path_state(u64 i, Word* out) {
  std::copy_n(path_ + i * search_.model.state_words, search_.model.state_words, out);
}

GoOn LevelSearch::path_go_on() {
  return {this, [](void* self) {
            auto& search = *static_cast<LevelSearch*>(self);
            search.stopped_ = search.poll(0, false);
            if (search.stopped_ != StopReason::none) {
              return Status::fail(Code::stopped, "the search for a path was told to stop");
            }
            Checkpointer* const checkpoints = search.search_.options.checkpoints;
            const bool due = search.found_ && checkpoints != nullptr && checkpoints->due(false);
            return due ? search.checkpoint_path() : Status();
          }};
}

// --- Checkpoints ------------------------------------------------------------------------------

Status LevelSearch::checkpoint_path() {
  Checkpointer* const checkpoints = search_.options.checkpoints;
  if (checkpoints == nullptr) return {};
  XMC_TRY(queue_.flush());
  Manifest& manifest = checkpoints->begin();
  manifest.add("level", mark_.level);
  manifest.add("level-end", mark_.level_end);
  manifest.add("next", mark_.next);
  manifest.add("states", stats().states == kNoFigure ? queue_.keys() : stats().states);
  SearchStats figures = stats();
  search_.note_times(figures);
  save_stats(manifest, figures);
  save_violation(manifest, *search_.outcome, {culprit_, search_.model.state_words});
  save_key_file(manifest, queue_);
  manifest.add("path-complete", found_complete_ ? 1 : 0);
  XMC_TRY(write_path(manifest));
  XMC_TRY(checkpoints->commit());
  if (path_number_ < 3) return {};
  return folder().remove(FileName(kPathFile, path_number_ - 2).c_str());
}

Status LevelSearch::write_path(Manifest& manifest) {
  const u64 words = search_.model.state_words;
  CycleFinder::Kept cycle;
  if (search_.cycle_found()) cycle = finder_->kept_cycle();
  std::span<const Word> path;
  if (path_left_ != kNoPath) {
    path = {path_ + path_left_ * words,
            static_cast<std::size_t>((path_steps_ + 1 - path_left_) * words)};
    manifest.add("path-left", path_left_);
  }
  if (cycle.steps > 0) {
    manifest.add("cycle-steps", cycle.steps);
    manifest.add("cycle-shortest", cycle.shortest ? 1 : 0);
    manifest.add("cycle-settled", cycle.settled ? 1 : 0);
  }
  if (cycle.steps == 0 && path.empty()) return {};
  manifest.add("path-number", ++path_number_);
  const FileName name(kPathFile, path_number_);
  XMC_LET(Device* const device, folder().open(name.c_str(), Folder::Open::create));
  WordWriter out;
  out.start(device, scan_buffer_);
  Status status = out.add({cycle.states, static_cast<std::size_t>(cycle.steps * words)});
  if (status.ok()) status = out.add(path);
  if (status.ok()) status = out.finish();
  folder().close(device);
  manifest.add_file(name.c_str(), out.bytes(), out.chain());
  return status;
}

// Nothing but the queue, and the file of the path, is opened: the search is over.
Status LevelSearch::restore_path(const Manifest& manifest) {
  found_ = true;
  u64 complete = 0;
  XMC_TRY(restore_number(manifest, "path-complete", complete));
  found_complete_ = complete != 0;
  if (!manifest.has("path-number")) return {};
  XMC_TRY(restore_number(manifest, "path-number", path_number_));
  path_steps_ = search_.outcome->prefix_steps;
  if (manifest.has("path-left")) {
    XMC_TRY(restore_number(manifest, "path-left", path_left_));
    if (path_left_ > path_steps_) {
      return Status::fail(Code::corrupt, "the checkpoint has more of the path than there is");
    }
  }
  std::span<Word> cycle;
  if (manifest.has("cycle-steps")) XMC_TRY(restore_cycle(manifest, cycle));
  return read_path(manifest, cycle);
}

Status LevelSearch::restore_cycle(const Manifest& manifest, std::span<Word>& cycle) {
  if (finder_ == nullptr || !search_.cycle_found()) {
    return Status::fail(Code::corrupt, "the checkpoint has a cycle that nobody looked for");
  }
  CycleFinder::Kept kept;
  u64 shortest = 0;
  u64 settled = 0;
  XMC_TRY(restore_number(manifest, "cycle-steps", kept.steps));
  XMC_TRY(restore_number(manifest, "cycle-shortest", shortest));
  XMC_TRY(restore_number(manifest, "cycle-settled", settled));
  kept.shortest = shortest != 0;
  kept.settled = settled != 0;
  const Product all = product(queue_.keys(), {region_.data(), region_.size() + aside_.size()});
  XMC_LET(Word* const place, finder_->keep_again(all, kept));
  cycle = {place, static_cast<std::size_t>(kept.steps * search_.model.state_words)};
  return {};
}

Status LevelSearch::read_path(const Manifest& manifest, std::span<Word> cycle) {
  const u64 words = search_.model.state_words;
  std::span<Word> path;
  if (path_left_ != kNoPath) {
    if ((path_steps_ + 1) * words > region_.size() / sizeof(Word)) {
      return Status::fail(Code::budget,
                          "the path of the violation has %llu steps and does not fit the memory; "
                          "use a larger --ram",
                          static_cast<unsigned long long>(path_steps_));
    }
    path_ = reinterpret_cast<Word*>(region_.data());
    path = {path_ + path_left_ * words,
            static_cast<std::size_t>((path_steps_ + 1 - path_left_) * words)};
  }
  const FileName name(kPathFile, path_number_);
  Manifest::File file;
  XMC_TRY(find_file(manifest, name.c_str(), file));
  XMC_LET(Device* const device, folder().open(name.c_str(), Folder::Open::existing));
  WordReader in;
  in.start(device, name.c_str(), cycle.size() + path.size(), scan_buffer_);
  Status status = cycle.empty() ? Status() : in.read(0, cycle);
  if (status.ok() && !path.empty()) status = in.read(cycle.size(), path);
  folder().close(device);
  return status;
}

}  // namespace xmc
