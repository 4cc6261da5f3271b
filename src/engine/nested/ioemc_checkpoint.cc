// Checkpoints of `ioemc`, between two states. All visited states are in runs on flash then, and the
// stack is a file and some words beside it.
#include <algorithm>

#include "engine/nested/ioemc.h"
#include "engine/search/level_checkpoint.h"
#include "store/checkpoint/manifest.h"
#include "xmc/check.h"

namespace xmc {

Status IoemcEngine::checkpoint() {
  Checkpointer* const checkpoints = search_.options.checkpoints;
  if (checkpoints == nullptr) return {};
  const PhaseClock::Scope scope(search_.clock, Phase::rest);
  XMC_TRY(save_checkpoint(checkpoints->begin()));
  XMC_TRY(checkpoints->commit());
  return visited_.checkpoint_committed();
}

Status IoemcEngine::save_checkpoint(Manifest& manifest) {
  note_figures();
  search_.note_times(search_.stats());
  manifest.add("level", place_.depth);
  manifest.add("states", place_.states);
  save_stats(manifest, search_.stats());
  XMC_TRY(next_window());
  XMC_TRY(
      visited_.save_checkpoint(manifest, FileName(kDiagramFile, window_number_), memory_.words));
  XMC_TRY(save_stack(manifest));
  manifest.add("nested-cut", place_.cut);
  manifest.add("nested-second", place_.second);
  manifest.add_words("nested-seed", {place_.seed, search_.model.state_words});
  if (search_.outcome->violation == Violation::none) return {};
  const Word path[] = {path_.entries, path_.second_entries, path_.bytes, path_.chain,
                       search_.outcome->cycle_steps};
  save_violation(manifest, *search_.outcome, path);
  manifest.add_file(FileName(kPathFile, path_.number).c_str(), path_.bytes, path_.chain);
  return {};
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
Status IoemcEngine::save_stack(Manifest& manifest) {
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
  FlashStack::Filed filed;
  XMC_TRY(stack_.note(filed, memory_.words));
  const Word words[] = {filed.blocks, filed.top, filed.block_bytes, filed.window_words};
  manifest.add_words("nested-stack", words);
  manifest.add("nested-stack-number", stack_number_);
  manifest.add("nested-window-number", window_number_);
  manifest.add_file(stack_name_.c_str(), filed.bytes, filed.chain);
  manifest.add_file(name.c_str(), out.bytes(), out.chain());
  return {};
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
  XMC_TRY(restore_stats(manifest, s));
  search_.times_before = s;
  XMC_TRY(restore_number(manifest, "level", place_.depth));
  XMC_TRY(restore_number(manifest, "states", place_.states));
  XMC_LET(const u64 cut, manifest.number("nested-cut"));
  XMC_LET(const u64 second, manifest.number("nested-second"));
  place_.cut = cut != 0;
  place_.second = second != 0;
  XMC_TRY(manifest.words("nested-seed", {place_.seed, search_.model.state_words}));
  if (place_.second) place_.component = search_.model.cycle_class_of(place_.seed);
  visited_.set_counts({s.known_asked, s.known_read, s.new_asked, s.new_read});
  XMC_TRY(restore_number(manifest, "nested-window-number", window_number_));
  XMC_TRY(
      visited_.restore_checkpoint(manifest, FileName(kDiagramFile, window_number_), memory_.words));
  XMC_TRY(restore_stack(manifest));
  if (!manifest.has("violation")) return {};
  Word path[5] = {};
  XMC_TRY(restore_violation(manifest, *search_.outcome, path));
  path_.entries = path[0];
  path_.second_entries = path[1];
  path_.bytes = path[2];
  path_.chain = path[3];
  search_.outcome->cycle_steps = path[4];
  return {};
}

Status IoemcEngine::restore_stack(const Manifest& manifest) {
  Folder& folder = *search_.options.folder;
  Word words[4] = {};
  XMC_TRY(manifest.words("nested-stack", words));
  XMC_TRY(restore_number(manifest, "nested-stack-number", stack_number_));
  stack_name_ = FileName(kStackFile, stack_number_);
  const FileName window_name(kWindowFile, window_number_);
  Manifest::File stack_file;
  XMC_TRY(find_file(manifest, stack_name_.c_str(), stack_file));
  FlashStack::Filed filed{stack_file.bytes, stack_file.chain, words[0],
                          words[1],         words[2],         words[3]};
  if (filed.block_bytes != division().block_bytes) return not_of_checkpoint(stack_name_.c_str());
  XMC_LET(stack_device_, folder.open(stack_name_.c_str(), Folder::Open::existing));
  XMC_LET(Device* const window, folder.open(window_name.c_str(), Folder::Open::existing));
  WordReader in;
  in.start(window, window_name.c_str(), filed.window_words, memory_.words);
  const Status status =
      stack_.restore(stack_device_, stack_name_.c_str(), 1 + search_.model.state_words,
                     memory_.window, filed, in, 0, division().percent);
  folder.close(window);
  return status;
}

}  // namespace xmc
