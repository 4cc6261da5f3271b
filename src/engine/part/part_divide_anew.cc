// `part` of one owner, in a run that goes on with another number of owners: every state of the
// checkpoint goes to its new owner, visited ones to the image of its only partition, which is split
// on flash then. Origins stay where they are read, one old owner behind the other, with the numbers
// that their predecessors have now.
#include <algorithm>

#include "engine/part/old_part.h"
#include "engine/part/part.h"
#include "engine/search/level_checkpoint.h"
#include "store/checkpoint/manifest.h"
#include "store/keys/key_compare.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// In the place of an origin: the state was expanded.
constexpr u64 kVisited = ~u64{0};

u32 old_owner(const Manifest& lines) {
  const Result<u64> owner = lines.number("owner");
  return owner.ok() ? static_cast<u32>(owner.value() % limits::kOwners) : 0;
}

}  // namespace

// Where the origins of the old owners are now.
class PartEngine::NewNumbers {
 public:
  // Of those that this owner has taken; then everybody tells all.
  void set(u32 old, u64 first) { first_[old] = first + 1; }
  Status tell(Peers& peers) {
    constexpr u32 kPiece = 8;
    static_assert(limits::kOwners % kPiece == 0);
    u64 all[kPiece * limits::kOwners];
    for (u32 at = 0; at < limits::kOwners; at += kPiece) {
      XMC_TRY(peers.gather({first_ + at, kPiece}, {all, std::size_t{kPiece} * peers.count()}));
      for (u32 i = 0; i < kPiece * peers.count(); ++i) {
        if (all[i] == 0) continue;
        first_[at + i % kPiece] = all[i];
        taker_[at + i % kPiece] = static_cast<u8>(i / kPiece);
      }
    }
    return {};
  }
  u64 number(u64 old) const {
    if (old == kNoState) return old;
    const u32 owner = PartLogs::owner_of(old);
    XMC_CHECK(first_[owner] != 0);
    return PartLogs::number_of(taker_[owner], first_[owner] - 1 + PartLogs::index_of(old));
  }
  u64 origin(u64 old) const {
    return number(old >> kStepBits) << kStepBits | (old & ((u64{1} << kStepBits) - 1));
  }

 private:
  u64 first_[limits::kOwners] = {};  // plus one
  u8 taker_[limits::kOwners] = {};
};

// The region of the table is free: it has the old files, one owner's after the other's.
Status PartEngine::divide_anew() {
  const SearchOptions& options = search_.options;
  logs_.begin();
  XMC_TRY(owners_.choose_fields(memory_.table_region));
  NewNumbers numbers;
  u64 first = 0;
  XMC_TRY(for_old_parts([&](OldPart& old, const Manifest& lines) -> Status {
    numbers.set(old_owner(lines), first);
    first += old.origins();
    return {};
  }));
  XMC_TRY(numbers.tell(owners_.peers()));
  u64 activations[] = {0};
  for (const OwnerPart& part : options.parts) {
    Lines io = Lines::of(*part.lines);
    io.version("part", 1);
    io.number("level", activations[0]);
    xmc::lines(io, search_.stats());
    XMC_TRY(hear_of_violation(io, numbers));
  }
  search_.times_before = search_.stats();
  XMC_TRY(take_largest(owners_.peers(), activations));
  activations_ = activations[0];
  dividing_ = true;
  XMC_TRY(for_old_parts([&](OldPart& old, const Manifest&) { return move_part(old, numbers); }));
  XMC_TRY(owners_.end_round());
  dividing_ = false;
  XMC_TRY(logs_.visited.finish(logs_.images[0]));
  return owners_.meet(waiting(), culprit_);
}

template <class F>
Status PartEngine::for_old_parts(F f) {
  for (const OwnerPart& part : search_.options.parts) {
    OldPart old;
    Status status = old.open(part, search_.model, search_.options, memory_.table_region);
    if (status.ok()) status = f(old, *part.lines);
    old.close();
    XMC_TRY(status);
  }
  return {};
}

// All old owners have the same.
Status PartEngine::hear_of_violation(Lines& io, const NewNumbers& numbers) {
  SearchOutcome known;
  u64 culprit = kNoState;
  xmc::lines(io, known, {&culprit, 1});
  XMC_TRY(io.status());
  if (known.violation == Violation::none) return {};
  Expansion shown;
  shown.violated = known.predicate;
  shown.error_label = known.error_label;
  owners_.note_violation(known.violation, shown, numbers.number(culprit));
  return {};
}

Status PartEngine::move_part(OldPart& old, const NewNumbers& numbers) {
  const u32 words = search_.model.state_words;
  Word key[limits::kKeyWords];
  for (;;) {
    Word origin = 0;
    XMC_LET(const bool more, old.next_origin(&origin));
    if (!more) break;
    origin = numbers.origin(origin);
    XMC_TRY(logs_.journal.append(&origin, 0));
  }
  for (u32 count = 1;; ++count) {
    XMC_LET(const bool more, old.next_visited(key));
    if (!more) break;
    key[words] = kVisited;
    XMC_TRY(move(key));
    if (count % Search::kCollect == 0) XMC_TRY(owners_.take_what_came());
  }
  for (u32 count = 1;; ++count) {
    XMC_LET(const bool more, old.next_candidate(key));
    if (!more) break;
    key[words] = numbers.origin(key[words]);
    XMC_TRY(move(key));
    if (count % Search::kCollect == 0) XMC_TRY(owners_.take_what_came());
  }
  return {};
}

Status PartEngine::move(const Word* key) {
  const u32 owner = owners_.home_of(key);
  if (owner == owners_.me()) return take_divided(key);
  return owners_.send(owner, key, key[search_.model.state_words]);
}

Status PartEngine::take_divided(const Word* key) {
  const u64 origin = key[search_.model.state_words];
  if (origin != kVisited) return logs_.append_pending(0, key, origin);
  u8 packed[limits::kStateWords * sizeof(Word)];
  logs_.pack(key, packed);
  return logs_.visited.append(logs_.images[0], packed);
}

}  // namespace xmc
