#include "store/recent_states.h"

#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u32 kOldNote = 1;

}  // namespace

void RecentStates::init(StateTable& table, std::span<u8> region, const StateTable::Shape& shape,
                        KeyFile& file, std::span<u8> buffer) {
  XMC_CHECK(shape.notes);
  table_ = &table;
  region_ = region;
  shape_ = shape;
  file_ = &file;
  buffer_ = buffer;
  forget();
}

void RecentStates::forget() {
  table_->init(region_, shape_);
  known_ = 0;
  old_slots_ = file_->slots();
}

Status RecentStates::scan(u64 first, u64 last, u64& hits) {
  KeyReader reader;
  reader.start(*file_, buffer_);
  const u32 words = shape_.state_words;
  constexpr u32 kBatch = StateTable::kBatch;
  Word states[kBatch * limits::kStateWords];
  StateIndex found[kBatch];
  XMC_TRY(reader.seek_slot(first));
  for (bool more = first < last; more;) {
    u32 count = 0;
    while (count < kBatch) {
      const Result<bool> next = reader.next(states + u64{count} * words);
      if (!next.ok()) return next.status();
      more = next.value() && reader.position().slot < last;
      if (!more) break;
      ++count;
    }
    table_->find(states, count, found);
    for (u32 i = 0; i < count; ++i) {
      if (found[i] == kNone || found[i] < known_) continue;
      hits += table_->note(found[i]) == 0 ? 1u : 0u;
      table_->set_note(found[i], kOldNote);
    }
  }
  return {};
}

}  // namespace xmc
