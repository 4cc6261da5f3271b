// The path of a counterexample of `part`: backwards through the origins, then forwards.
#include <algorithm>

#include "engine/part/part.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kSeeksPerPoll = 64;

Status no_room(u64 steps) {
  return Status::fail(Code::budget,
                      "a violation was found, but its path of more than %llu steps does not fit "
                      "the memory; use a larger --ram",
                      wide(steps));
}

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
    if (count == room) return no_room(count);
    steps[count++] = origin & ((u64{1} << kStepBits) - 1);
    number = origin >> kStepBits;
    // Each may have been in another slot of the file.
    if (count % kSeeksPerPoll == 0) XMC_TRY(poll());
  }
  return {};
}

// As many steps as are in this owner's file before the path comes to another owner's.
Status PartEngine::read_own(KeyReader& reader, u64& number, u64* steps, u32 most, u32& count) {
  for (count = 0; count < most && number != kNoState;) {
    if (PartLogs::owner_of(number) != owners_.me()) break;
    const u64 index = PartLogs::index_of(number);
    // States that were divided anew have their origins one behind the other, owner by owner.
    const bool back = last_origin_ != kNoState && index < last_origin_;
    XMC_TRY(back ? reader.seek_key_back(index) : reader.seek_key(index));
    last_origin_ = index;
    Word origin = 0;
    XMC_LET(const bool there, reader.next(&origin));
    XMC_CHECK(there);
    steps[count++] = origin & ((u64{1} << kStepBits) - 1);
    number = origin >> kStepBits;
  }
  return {};
}

// Everybody reads in its own file where the path has come to, and tells all; owner 0 keeps the
// steps.
Status PartEngine::read_origins_together(u64* steps, u64 room, u64& count) {
  constexpr u32 kSteps = 14;
  constexpr u32 kSays = kSteps + 2;
  KeyReader reader;
  logs_.journal.set_purpose(Purpose::trace);
  reader.start(logs_.journal, logs_.visited_block.first(KeyFile::kSlotBytes));
  last_origin_ = kNoState;
  Peers& peers = owners_.peers();
  u64 all[kSays * limits::kOwners];
  u64 number = culprit_;
  for (u32 rounds = 1; number != kNoState; ++rounds) {
    u64 mine[kSays] = {};
    u32 read = 0;
    mine[1] = number;
    XMC_TRY(read_own(reader, mine[1], mine + 2, kSteps, read));
    mine[0] = read;
    XMC_TRY(peers.gather(mine, {all, std::size_t{kSays} * peers.count()}));
    const u64* const said = all + std::size_t{kSays} * PartLogs::owner_of(number);
    number = said[1];
    for (u64 i = 0; owners_.talks() && i < said[0]; ++i) {
      if (count == room) return no_room(count);
      steps[count++] = said[2 + i];
    }
    if (rounds % kSeeksPerPoll != 0) continue;
    XMC_TRY(poll());
    XMC_TRY(owners_.stop_all_or_none());
  }
  return {};
}

// Backwards through the origins, then forwards from the initial state.
Status PartEngine::find_path() {
  const u32 words = search_.model.state_words;
  path_ = reinterpret_cast<Word*>(memory_.table_region.data());
  const u64 room = memory_.table_region.size() / ((words + 1) * sizeof(Word));
  u64* const steps = path_ + room * words;
  u64 count = 0;
  if (!owners_.on()) {
    XMC_TRY(read_origins(steps, room, count));
    return walk(steps, count);
  }
  XMC_TRY(read_origins_together(steps, room, count));
  if (owners_.talks()) XMC_TRY(walk(steps, count));
  return owners_.stop_all_or_none();
}

Status PartEngine::walk(const u64* steps, u64 count) {
  SearchOutcome& outcome = *search_.outcome;
  const Model& model = search_.model;
  const u32 words = model.state_words;
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
    // The others are told of a stop when they meet.
    if (owners_.on() && owners_.has_stop()) return {};
  }
  outcome.prefix_steps = count - 1;
  outcome.minimal = false;
  return {};
}

void PartEngine::path_state(u64 i, Word* out) {
  std::copy_n(path_ + i * search_.model.state_words, search_.model.state_words, out);
}

}  // namespace xmc
