// Checkpoints of `ioemc`, between two states. All visited states are in runs on flash then, and the
// stack is a file and some words beside it.
#include <algorithm>

#include "engine/nested/ioemc.h"
#include "engine/search/level_checkpoint.h"

namespace xmc {

Status IoemcEngine::checkpoint() {
  Checkpointer* const checkpoints = search_.options.checkpoints;
  if (checkpoints == nullptr) return {};
  const PhaseClock::Scope scope(search_.clock, Phase::rest);
  XMC_TRY(save_checkpoint(checkpoints->begin()));
  XMC_TRY(checkpoints->commit());
  return visited_.checkpoint_committed();
}

void IoemcEngine::place_lines(Lines& io) {
  io.version("nested", 1);
  io.number("level", place_.depth);
  io.number("states", place_.states);
  lines(io, search_.stats());
}

void IoemcEngine::stack_lines(Lines& io, Said& said) {
  FlashStack::Filed& stack = said.stack;
  FileMark mark{stack.bytes, stack.chain};
  io.row("nested-stack", stack.blocks, stack.top, stack.block_bytes, stack.window_words);
  io.number("nested-stack-number", stack_number_);
  io.number("nested-window-number", window_number_);
  io.file(FileName(kStackFile, stack_number_).c_str(), mark);
  io.file(FileName(kWindowFile, window_number_).c_str(), said.window);
  stack.bytes = mark.bytes;
  stack.chain = mark.chain;
}

// A search that is there, and what it has found.
void IoemcEngine::path_lines(Lines& io) {
  SearchOutcome& outcome = *search_.outcome;
  io.number("nested-cut", place_.cut);
  io.number("nested-second", place_.second);
  io.words("nested-seed", {place_.seed, search_.model.state_words});
  Word path[] = {path_.entries, path_.second_entries, path_.mark.bytes, path_.mark.chain,
                 outcome.cycle_steps};
  lines(io, outcome, path);
  if (outcome.violation == Violation::none) return;
  path_.entries = path[0];
  path_.second_entries = path[1];
  path_.mark = {path[2], path[3]};
  outcome.cycle_steps = path[4];
  io.file(FileName(kPathFile, path_.number).c_str(), path_.mark);
}

Status IoemcEngine::save_checkpoint(Manifest& manifest) {
  note_figures();
  search_.note_times(search_.stats());
  Lines io = Lines::into(manifest);
  place_lines(io);
  XMC_TRY(next_window());
  XMC_TRY(visited_.save(io, FileName(kDiagramFile, window_number_), memory_.words));
  Said said;
  XMC_TRY(save_stack(said));
  stack_lines(io, said);
  path_lines(io);
  return io.status();
}

// What a checkpoint has of the memory gets files of its own.
Status IoemcEngine::next_window() {
  if (++window_number_ < kRemovedBehind) return {};
  Folder& folder = *search_.options.folder;
  const u64 old = window_number_ - kRemovedBehind;
  XMC_TRY(folder.remove(FileName(kWindowFile, old).c_str()));
  return folder.remove(FileName(kDiagramFile, old).c_str());
}

// Less than a block stays in memory, so that the run can go on with any memory.
Status IoemcEngine::save_stack(Said& said) {
  Folder& folder = *search_.options.folder;
  XMC_TRY(stack_.spill_blocks());
  const FileName name(kWindowFile, window_number_);
  XMC_LET(Device* const device, folder.open(name.c_str(), Folder::Open::create));
  WordWriter out;
  out.start(device, memory_.words);
  Status status = out.add(stack_.window());
  if (status.ok()) status = out.finish();
  if (status.ok() && stack_.wants_copy()) status = copy_stack(device, name);
  folder.close(device);
  XMC_TRY(status);
  said.window = mark_of(out);
  return stack_.note(said.stack, memory_.words);
}

// Another file, without what was popped. What memory had is read from the window's file.
Status IoemcEngine::copy_stack(Device* window, const FileName& window_name) {
  Folder& folder = *search_.options.folder;
  if (++stack_number_ >= kRemovedBehind) {
    XMC_TRY(folder.remove(FileName(kStackFile, stack_number_ - kRemovedBehind).c_str()));
  }
  stack_name_ = FileName(kStackFile, stack_number_);
  XMC_LET(Device* const device, folder.open(stack_name_.c_str(), Folder::Open::create));
  Device* const before = std::exchange(stack_device_, device);
  const u64 words = stack_.window().size();
  XMC_TRY(stack_.copy_to(device, stack_name_.c_str()));
  folder.close(before);
  WordReader in;
  in.start(window, window_name.c_str(), words, memory_.words);
  return stack_.reload(in, 0);
}

Status IoemcEngine::restore_checkpoint(const Manifest& manifest) {
  SearchStats& s = search_.stats();
  Lines io = Lines::of(manifest);
  Said said;
  place_lines(io);
  stack_lines(io, said);
  path_lines(io);
  XMC_TRY(io.status());
  search_.times_before = s;
  if (place_.second) place_.component = search_.model.cycle_class_of(place_.seed);
  visited_.set_counts({s.known_asked, s.known_read, s.new_asked, s.new_read});
  XMC_TRY(visited_.restore(io, FileName(kDiagramFile, window_number_), memory_.words));
  return restore_stack(said);
}

Status IoemcEngine::restore_stack(const Said& said) {
  Folder& folder = *search_.options.folder;
  stack_name_ = FileName(kStackFile, stack_number_);
  const FileName window_name(kWindowFile, window_number_);
  if (said.stack.block_bytes != division().block_bytes) {
    return not_of_checkpoint(stack_name_.c_str());
  }
  XMC_LET(stack_device_, folder.open(stack_name_.c_str(), Folder::Open::existing));
  XMC_LET(Device* const window, folder.open(window_name.c_str(), Folder::Open::existing));
  WordReader in;
  in.start(window, window_name.c_str(), said.stack.window_words, memory_.words);
  const Status status =
      stack_.restore(stack_device_, stack_name_.c_str(), 1 + search_.model.state_words,
                     memory_.window, said.stack, in, 0, division().percent);
  folder.close(window);
  return status;
}

}  // namespace xmc
