// Checkpoints of a level search: a position in the queue, and going on from there.
#include "engine/levels/level_search.h"
#include "engine/search/level_checkpoint.h"
#include "store/checkpoint/manifest.h"
#include "xmc/check.h"

namespace xmc {

void LevelSearch::mark() {
  mark_.level = level_;
  mark_.level_end = level_end_;
  mark_.next = next_;
  mark_.stats = stats();
  mark_.violation = search_.outcome->violation;
}

Status LevelSearch::checkpoint_if_due(bool level_end, StopReason& stop) {
  Checkpointer* const checkpoints = search_.options.checkpoints;
  if (checkpoints == nullptr || last_level_ || !checkpoints->due(level_end)) return {};
  if (!level_end) {
    XMC_TRY(flush_buffer(stop));
    if (stop == StopReason::none) XMC_TRY(settle(false, stop));
    if (stop != StopReason::none) return {};
    mark();
  }
  return checkpoint();
}

// What was enqueued since the mark stays in the queue, and is known when the run goes on.
Status LevelSearch::checkpoint() {
  Checkpointer* const checkpoints = search_.options.checkpoints;
  if (checkpoints == nullptr) return {};
  const PhaseClock::Scope scope(search_.clock, Phase::rest);
  XMC_TRY(queue_.flush());
  Manifest& manifest = checkpoints->begin();
  manifest.add("level", mark_.level);
  manifest.add("level-end", mark_.level_end);
  manifest.add("next", mark_.next);
  manifest.add("states", states());
  SearchStats figures = mark_.stats;
  search_.note_times(figures);
  save_stats(manifest, figures);
  if (mark_.violation != Violation::none) {
    save_violation(manifest, *search_.outcome, {culprit_, search_.model.state_words});
  }
  save_key_file(manifest, queue_);
  XMC_TRY(save_store(manifest));
  if (finder_ != nullptr) XMC_TRY(finder_->save(manifest));
  return checkpoints->commit();
}

Status LevelSearch::restore(const Manifest& manifest) {
  XMC_TRY(restore_number(manifest, "level", level_));
  XMC_TRY(restore_number(manifest, "level-end", level_end_));
  XMC_TRY(restore_number(manifest, "next", next_));
  level_begin_ = next_;
  if (manifest.has("path-complete")) forget_counts();
  XMC_TRY(restore_stats(manifest, stats()));
  search_.times_before = stats();
  XMC_TRY(restore_violation(manifest, *search_.outcome, {culprit_, search_.model.state_words}));
  XMC_TRY(reopen_queue(manifest));
  enqueue_level_ = level_ + 1;
  mark();
  if (manifest.has("path-complete")) return restore_path(manifest);
  if (finder_ != nullptr) XMC_TRY(finder_->restore(manifest, product(next_, aside_)));
  // A search that is through needs its set no more.
  return finder_ != nullptr && next_ == queue_.keys() ? Status() : restore_store(manifest);
}

Status LevelSearch::reopen_queue(const Manifest& manifest) {
  XMC_LET(Device* const device, open_file(kQueueFile, Folder::Open::existing));
  XMC_TRY(reopen_key_file(manifest, queue_, device, kQueueFile, Purpose::queue,
                          search_.model.state_words, write_buffer_));
  reader_.start(queue_, read_buffer_);
  return {};
}

}  // namespace xmc
