// Checkpoints of a level search: a position in the queue, and going on from there.
#include "engine/levels/frontier.h"
#include "engine/levels/level_path.h"
#include "engine/levels/visited_set.h"
#include "engine/search/file_names.h"
#include "engine/search/level_checkpoint.h"
#include "store/checkpoint/manifest.h"

namespace xmc {

void Frontier::set_resume_point() {
  point.level = at.level;
  point.level_end = at.end;
  point.next = at.next;
  point.stats = search.stats();
  point.violation = search.outcome->violation;
}

// What was enqueued since that point stays in the queue, and is known when the run goes on.
Status Frontier::checkpoint() {
  Checkpointer* const checkpoints = search.options.checkpoints;
  if (checkpoints == nullptr) return {};
  const PhaseClock::Scope scope(search.clock, Phase::rest);
  XMC_TRY(set->fill_queue());
  XMC_TRY(queue.flush());
  Manifest& manifest = checkpoints->begin();
  manifest.add("level", point.level);
  manifest.add("level-end", point.level_end);
  manifest.add("next", point.next);
  XMC_TRY(save_figures(manifest, point.stats, set->states()));
  const bool speaks = !owners.on() || owners.talks();
  if (point.violation != Violation::none && speaks) {
    save_violation(manifest, *search.outcome, {culprit, search.model.state_words});
  }
  if (point.violation != Violation::none) path->save_kept(manifest);
  save_key_file(manifest, queue);
  if (!steps_back) manifest.add("no-steps-back", 1);
  XMC_TRY(set->save_checkpoint(manifest));
  if (finder != nullptr) XMC_TRY(finder->save_checkpoint(manifest));
  return checkpoints->commit();
}

// Of several owners, the first one has the sums of all.
Status Frontier::save_figures(Manifest& manifest, SearchStats figures, u64 states) {
  if (owners.on()) {
    figures.states = states;
    XMC_TRY(owners.total(figures));
    XMC_TRY(owners.save(manifest));
    if (!owners.talks()) return {};
    states = figures.states;
  }
  manifest.add("states", states);
  search.note_times(figures);
  save_stats(manifest, figures);
  return {};
}

Status Frontier::restore_place(const Manifest& manifest) {
  XMC_TRY(restore_number(manifest, "level", at.level));
  XMC_TRY(restore_number(manifest, "level-end", at.end));
  XMC_TRY(restore_number(manifest, "next", at.next));
  at.begin = at.next;
  steps_back = !manifest.has("no-steps-back");
  XMC_TRY(restore_stats(manifest, search.stats()));
  search.times_before = search.stats();
  XMC_TRY(restore_violation(manifest, *search.outcome, {culprit, search.model.state_words}));
  if (owners.on()) XMC_TRY(owners.restore(manifest));
  XMC_LET(Device* const device, files.open(kQueueFile, Folder::Open::existing));
  XMC_TRY(reopen_key_file(manifest, queue, device, kQueueFile, Purpose::queue,
                          search.model.state_words, memory.write_buffer));
  reader.start(queue, memory.read_buffer);
  at.enqueue_level = at.level + 1;
  set_resume_point();
  return {};
}

}  // namespace xmc
