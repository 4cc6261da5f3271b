// The path of a counterexample of `part`: backwards through the origins, then forwards.
#include <algorithm>

#include "engine/part/part.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kSeeksPerPoll = 64;

}  // namespace

// The steps of the path from its end to its beginning: which successor each state is. A state comes
// before those that it leads to, so the file is read backwards.
Status PartEngine::read_origins(u64* steps, u64 room, u64& count) {
  KeyReader reader;
  logs_.journal.set_purpose(Purpose::trace);
  reader.start(logs_.journal,
               logs_.visited_block.first(KeyFile::kSlotBytes));  // nothing ahead: backwards
  for (u64 number = culprit_; number != kNoState;) {
    XMC_TRY(reader.seek_key_back(number));
    Word origin = 0;
    XMC_LET(const bool there, reader.next(&origin));
    XMC_CHECK(there);
    if (count == room) {
      return Status::fail(Code::budget,
                          "a violation was found, but its path of more than %llu steps does not "
                          "fit the memory; use a larger --ram",
                          static_cast<unsigned long long>(count));
    }
    steps[count++] = origin & ((u64{1} << kStepBits) - 1);
    number = origin >> kStepBits;
    // Each may have been in another slot of the file.
    if (count % kSeeksPerPoll == 0) XMC_TRY(poll());
  }
  return {};
}

// Backwards through the origins, then forwards from the initial state.
Status PartEngine::find_path() {
  SearchOutcome& outcome = *search_.outcome;
  const Model& model = search_.model;
  const u32 words = model.state_words;
  path_ = reinterpret_cast<Word*>(memory_.table_region.data());
  const u64 room = memory_.table_region.size() / ((words + 1) * sizeof(Word));
  u64* const steps = path_ + room * words;
  u64 count = 0;
  XMC_TRY(read_origins(steps, room, count));
  SuccessorBuffer out;
  out.states = search_.buffer;
  out.capacity = search_.buffer_states;
  u32 successors = model.initial(model.self, out);
  for (u64 i = 0; i < count; ++i) {
    const u64 step = steps[count - 1 - i];
    XMC_CHECK(step < successors);
    Word* const state = path_ + i * words;
    std::copy_n(search_.buffer_at(static_cast<u32>(step)), words, state);
    if (i + 1 < count) successors = model.expand(model.self, state, out).count;
    if (search_.is_time()) XMC_TRY(poll());
  }
  outcome.prefix_steps = count - 1;
  outcome.minimal = false;
  return {};
}

void PartEngine::path_state(u64 i, Word* out) {
  std::copy_n(path_ + i * search_.model.state_words, search_.model.state_words, out);
}

}  // namespace xmc
