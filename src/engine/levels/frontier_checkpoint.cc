// Checkpoints of a level search: a position in the queue, and going on from there.
#include "engine/levels/frontier.h"
#include "engine/levels/level_path.h"
#include "engine/levels/visited_set.h"
#include "engine/search/file_names.h"
#include "engine/search/level_checkpoint.h"

namespace xmc {

void Frontier::set_resume_point() {
  point.level = at.level;
  point.level_end = at.end;
  point.next = at.next;
  point.stats = search.stats();
  point.violation = search.outcome->violation;
}

Status Frontier::gather(Said& said) {
  said.queue = mark_of(queue);
  const u64 states = said.states;
  if (owners.on()) {
    said.figures.states = states;
    XMC_TRY(owners.total(said.figures));
    XMC_TRY(owners.gather(said.owners));
    if (!owners.talks()) return {};
    said.states = said.figures.states;
  }
  search.note_times(said.figures);
  return {};
}

void Frontier::lines(Lines& io, Said& said) {
  const bool speaks = io.reads() || !owners.on() || owners.talks();
  io.version("levels", 1);
  io.number("level", point.level);
  io.number("level-end", point.level_end);
  io.number("next", point.next);
  if (owners.on()) owners.lines(io, said.owners);
  if (speaks) {
    io.shown("states", said.states);
    xmc::lines(io, said.figures);
  }
  if (speaks && (io.reads() || said.violation)) {
    xmc::lines(io, *search.outcome, {culprit, search.model.state_words});
  }
  if (!said.only_path) path->kept_lines(io, said.violation);
  io.file(kQueueFile, said.queue);
}

// What was enqueued since that point stays in the queue, and is known when the run goes on.
Status Frontier::checkpoint() {
  Checkpointer* const checkpoints = search.options.checkpoints;
  if (checkpoints == nullptr) return {};
  const PhaseClock::Scope scope(search.clock, Phase::rest);
  XMC_TRY(fill_queue());
  XMC_TRY(queue.flush());
  Manifest& manifest = checkpoints->begin();
  Said said;
  said.figures = point.stats;
  said.states = set->states();
  said.violation = point.violation != Violation::none;
  XMC_TRY(gather(said));
  Lines io = Lines::into(manifest);
  lines(io, said);
  bool no_steps_back = !steps_back;
  io.mark("no-steps-back", no_steps_back);
  set->lines(io);
  XMC_TRY(io.status());
  if (finder != nullptr) XMC_TRY(finder->save(io));
  XMC_TRY(io.status());
  return checkpoints->commit();
}

Status Frontier::restore_place(Lines& io, bool only_path) {
  Said said;
  said.figures = search.stats();
  said.only_path = only_path;
  lines(io, said);
  bool no_steps_back = false;
  io.mark("no-steps-back", no_steps_back);
  XMC_TRY(io.status());
  at.level = point.level;
  at.begin = at.next = point.next;
  at.end = point.level_end;
  steps_back = !no_steps_back;
  search.stats() = search.times_before = said.figures;
  if (owners.on()) XMC_TRY(owners.tell(said.owners));
  XMC_LET(Device* const device, files.open(kQueueFile, Folder::Open::existing));
  XMC_TRY(reopen_key_file(said.queue, queue, device, kQueueFile, Purpose::queue,
                          search.model.state_words, memory.write_buffer));
  reader.start(queue, memory.read_buffer);
  at.enqueue_level = at.level + 1;
  set_resume_point();
  return {};
}

}  // namespace xmc
