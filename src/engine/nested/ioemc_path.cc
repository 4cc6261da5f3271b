// The counterexample of `ioemc`. Its stack has the path, with other states between: entries that
// were left behind on the way. All of it goes to a file from the top down, where it can be read
// from the bottom up; a search that goes on after a violation has its stack made again of that.
#include <algorithm>

#include "engine/nested/ioemc.h"
#include "engine/ram/lasso.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

Status IoemcEngine::take_path() {
  const PhaseClock::Scope scope(search_.clock, Phase::rest);
  const Status status = unwind();
  // The stack is gone; the last checkpoint is not.
  if (status.stop_reason() != StopReason::none) search_.outcome->path_missing = true;
  XMC_TRY(status);
  return search_.options.full ? wind_up() : Status();
}

Status IoemcEngine::unwind() {
  Folder& folder = *search_.options.folder;
  XMC_CHECK(path_.device == nullptr);
  XMC_LET(path_.device,
          folder.open(FileName(kPathFile, path_.number).c_str(), Folder::Open::create));
  WordWriter out;
  out.start(path_.device, memory_.words);
  const std::size_t words = 1 + search_.model.state_words;
  Word entry[1 + limits::kStateWords];
  u64 left = 0;
  u64 left_second = 0;
  for (; !stack_.empty(); ++path_.entries) {
    XMC_TRY(stack_.pop(entry));
    XMC_TRY(out.add({entry, words}));
    const Kind kind = Entry::kind(entry[0]);
    if (kind == Kind::left) ++left;
    if (kind == Kind::left_second) ++left_second;
    if (kind == Kind::seed) path_.second_entries = path_.entries + 1;
    if (search_.is_time()) XMC_TRY(poll());
  }
  XMC_TRY(out.finish());
  path_.mark = {out.bytes(), out.chain()};
  SearchOutcome& outcome = *search_.outcome;
  if (outcome.violation == Violation::accepting_cycle) {
    outcome.prefix_steps = left;
    outcome.cycle_steps = left_second + 1;
  }
  return open_path();
}

// What a second search has pushed is left out: there will be no other one.
Status IoemcEngine::wind_up() {
  Word entry[1 + limits::kStateWords];
  const std::size_t words = 1 + search_.model.state_words;
  place_.second = false;
  for (u64 i = path_.entries; i-- > path_.second_entries;) {
    XMC_TRY(path_.reader.read(i * words, {entry, words}));
    XMC_TRY(stack_.push(entry));
  }
  return {};
}

// At the beginning of the path.
Status IoemcEngine::open_path() {
  path_.name = FileName(kPathFile, path_.number);
  const char* const name = path_.name.c_str();
  if (path_.device == nullptr) {
    XMC_LET(path_.device, search_.options.folder->open(name, Folder::Open::existing));
  }
  if (path_.device->size_bytes() < path_.mark.bytes) return not_of_checkpoint(name);
  const u64 words = path_.entries * (1 + u64{search_.model.state_words});
  path_.reader.start(path_.device, name, words, memory_.words);
  path_.at = path_.entries;
  path_.state = 0;
  return {};
}

Status IoemcEngine::next_on_path(Word* state) {
  const std::size_t words = 1 + search_.model.state_words;
  Word entry[1 + limits::kStateWords];
  do {
    XMC_CHECK(path_.at > 0);
    XMC_TRY(path_.reader.read(--path_.at * words, {entry, words}));
  } while (!Entry::on_path(entry[0]));
  ++path_.state;
  std::copy_n(entry + 1, search_.model.state_words, state);
  return {};
}

// A path that does not fit the memory stays as it is.
Status IoemcEngine::shorten() {
  const PhaseClock::Scope scope(search_.clock, Phase::rest);
  XMC_TRY(open_path());
  if (search_.outcome->violation != Violation::accepting_cycle) return {};
  StateIndex entry = kNone;
  XMC_LET(const bool fits, load_lasso(entry));
  if (!fits) return open_path();
  const Status status = finish_lasso(ram_, 0, entry);
  path_.in_table = status.ok();
  return status;
}

// The lasso as indexes on the side stack of a table, in all memory behind the buffer of the file. A
// state of the cycle may be on the way to it: then the cycle is closed there.
Result<bool> IoemcEngine::load_lasso(StateIndex& entry) {
  const Model& model = search_.model;
  const SearchOutcome& outcome = *search_.outcome;
  const std::size_t used =
      static_cast<std::size_t>(memory_.words.data() + memory_.words.size() - region_.data());
  const StateTable::Shape shape{model.state_words, std::max(model.state_bytes, 1u), true};
  const std::span<u8> region = region_.subspan(used);
  ram_.table.init(region.first(static_cast<std::size_t>(round_down(region.size(), kLineBytes))),
                  shape);
  StateTable& table = ram_.table;
  Word state[limits::kStateWords];
  const u64 states = outcome.prefix_steps + outcome.cycle_steps;
  for (u64 i = 0; i < states; ++i) {
    XMC_TRY(next_on_path(state));
    const u32 before = table.size();
    StateIndex index = kNone;
    if (table.insert(state, 1, &index) == 0 || !table.room_for_stack(4)) return false;
    if (table.size() == before) {
      // No state comes twice on the way to the seed, nor behind it.
      XMC_CHECK(i > outcome.prefix_steps);
      entry = index;
      return true;
    }
    XMC_CHECK(table.push(index));
    if (i != outcome.prefix_steps) continue;
    table.set_note(index, kAcceptingNote);
    entry = index;
  }
  return true;
}

void IoemcEngine::path_state(u64 i, Word* out) {
  const u64 steps = path_.prefix_steps + path_.cycle_steps;
  XMC_CHECK(i <= steps);
  if (path_.in_table) {
    ram_.table.load(ram_.table.stack(ram_.path_begin + i), out);
    return;
  }
  if (path_.cycle_steps > 0 && i == steps) i = path_.prefix_steps;
  // A file that was read to the end before and cannot be read now gives no state: the replay says
  // so.
  std::fill_n(out, search_.model.state_words, Word{0});
  if (i < path_.state && !open_path().ok()) return;
  while (path_.state <= i) {
    if (!next_on_path(out).ok()) return;
  }
}

}  // namespace xmc
