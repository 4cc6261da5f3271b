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
  XMC_TRY(frontier_->fill_queue());
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
  XMC_TRY(f.fill_queue());
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
  kept_ = mark_of(out);
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

void LevelPath::kept_lines(Lines& io, bool violation) {
  if (!io.there("path-kept", violation && kept_number_ != 0)) return;
  io.number("path-kept", kept_number_);
  io.file(FileName(kPathFile, kept_number_).c_str(), kept_);
  if (io.reads()) number_ = kept_number_;
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
  Lines io = Lines::into(checkpoints->begin());
  Frontier::Said place;
  place.figures = f.search.stats();
  place.states = place.figures.states == kNoFigure ? f.queue.keys() : place.figures.states;
  place.violation = place.only_path = true;
  XMC_TRY(f.gather(place));
  f.lines(io, place);
  Said said;
  if (f.search.cycle_found()) said.cycle = f.finder->found_cycle();
  XMC_TRY(write(said));
  lines(io, said);
  XMC_TRY(io.status());
  XMC_TRY(checkpoints->commit());
  if (number_ < 3) return {};
  return f.folder().remove(FileName(kPathFile, number_ - 2).c_str());
}

bool LevelPath::file_is_wanted(const Said& said) const {
  return said.cycle.steps > 0 || left_ != kUnknown;
}

// Without the file there is nothing to go on from.
void LevelPath::lines(Lines& io, Said& said) {
  io.number("path-complete", complete_);
  if (io.reads() && !io.there("path-number", true)) return;
  if (io.there("path-left", left_ != kUnknown)) io.number("path-left", left_);
  if (io.there("cycle-steps", said.cycle.steps > 0)) {
    io.number("cycle-steps", said.cycle.steps);
    io.number("cycle-shortest", said.cycle.shortest);
    io.number("cycle-settled", said.cycle.settled);
  }
  if (!io.reads() && !file_is_wanted(said)) return;
  io.number("path-number", number_);
  io.file(FileName(kPathFile, number_).c_str(), said.file);
}

Status LevelPath::write(Said& said) {
  if (!file_is_wanted(said)) return {};
  Frontier& f = *frontier_;
  const FileName name(kPathFile, ++number_);
  XMC_LET(Device* const device, f.folder().open(name.c_str(), Folder::Open::create));
  WordWriter out;
  out.start(device, f.memory.scan_buffer);
  const u64 words = f.search.model.state_words;
  Status status = out.add({said.cycle.states, static_cast<std::size_t>(said.cycle.steps * words)});
  if (status.ok()) status = out.add(known());
  if (status.ok()) status = out.finish();
  f.folder().close(device);
  said.file = mark_of(out);
  return status;
}

Status LevelPath::begin_anew(Lines& io) {
  io.number("path-complete", complete_);
  found_ = true;
  return io.status();
}

Status LevelPath::restore(Lines& io) {
  Said said;
  lines(io, said);
  XMC_TRY(io.status());
  found_ = true;
  if (number_ == 0) return {};
  steps_ = frontier_->search.outcome->prefix_steps;
  if (left_ != kUnknown && left_ > steps_) {
    return Status::fail(Code::corrupt, "the checkpoint has more of the path than there is");
  }
  std::span<Word> cycle;
  if (said.cycle.steps > 0) XMC_TRY(restore_cycle(said.cycle, cycle));
  return read(cycle);
}

Status LevelPath::restore_cycle(const FoundCycle& kept, std::span<Word>& cycle) {
  Frontier& f = *frontier_;
  if (f.finder == nullptr || !f.search.cycle_found()) {
    return Status::fail(Code::corrupt, "the checkpoint has a cycle that nobody looked for");
  }
  const Product all = f.product(f.queue.keys(), f.memory.all());
  XMC_LET(Word* const place, f.finder->restore_cycle(all, kept));
  cycle = {place, static_cast<std::size_t>(kept.steps * f.search.model.state_words)};
  return {};
}

Status LevelPath::read(std::span<Word> cycle) {
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
  XMC_LET(Device* const device, f.folder().open(name.c_str(), Folder::Open::existing));
  WordReader in;
  in.start(device, name.c_str(), cycle.size() + path.size(), f.memory.scan_buffer);
  Status status = cycle.empty() ? Status() : in.read(0, cycle);
  if (status.ok() && !path.empty()) status = in.read(cycle.size(), path);
  f.folder().close(device);
  return status;
}

}  // namespace xmc
