#include "engine/indexed_search.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kAlignment = 64;

}  // namespace

// A rank has the expanded states only. A hash needs their depths to tell them from the others.
Status IndexedSearch::find_limit() {
  if (product_.expanded == product_.states || !index_.has_depths()) return {};
  KeyReader reader;
  reader.start(*product_.queue, product_.read_buffer);
  XMC_TRY(reader.seek_key(product_.expanded));
  Word key[kKeyWords];
  const Result<bool> more = reader.next(key);
  if (!more.ok()) return more.status();
  XMC_CHECK(more.value());
  limit_ = reader.level();
  with_depths_ = true;
  return {};
}

u64 IndexedSearch::batch_bytes(const Model& model, u64 room) {
  return round_up(room * unit_bytes(model), kAlignment);
}

IndexedSearch::Batch IndexedSearch::cut_batch(std::span<u8>& memory, u64 room) const {
  const u64 bytes = batch_bytes(s_.model, room);
  XMC_CHECK(bytes <= memory.size());
  Batch b;
  b.room = static_cast<u32>(room);
  b.states = reinterpret_cast<Word*>(memory.data());
  b.numbers = b.states + room * words();
  b.depths = reinterpret_cast<u32*>(b.numbers + room);
  b.levels = b.depths + room;
  memory = memory.subspan(static_cast<std::size_t>(bytes));
  return b;
}

Expansion IndexedSearch::expand(const Word* state, Batch& batch) {
  XMC_DASSERT(has_room(batch));
  SuccessorBuffer out;
  out.states = state_at(batch, batch.fill);
  out.capacity = batch.room - batch.fill;
  const Expansion expansion = s_.model.expand(s_.model.self, state, out);
  XMC_CHECK(expansion.count <= out.capacity);
  ++s_.stats().expansions;
  const u32 all = batch.fill + expansion.count;
  if (s_.model.cycle_class == nullptr) {
    batch.fill = all;
    return expansion;
  }
  const u32 component = s_.model.cycle_class_of(state);
  for (u32 i = batch.fill; i < all; ++i) {
    if (s_.model.cycle_class_of(state_at(batch, i)) != component) continue;
    if (i != batch.fill) std::copy_n(state_at(batch, i), words(), state_at(batch, batch.fill));
    ++batch.fill;
  }
  return expansion;
}

Status IndexedSearch::look_up(Batch& b) {
  XMC_TRY(index_.find(b.states, b.fill, b.numbers, with_depths_ ? b.depths : nullptr));
  for (u32 i = 0; i < b.fill; ++i) {
    if (b.numbers[i] != Numbering::kNotThere) visited_.prefetch(b.numbers[i]);
  }
  return {};
}

bool IndexedSearch::is_state(const Word* a, const Word* b) const {
  return std::equal(a, a + words(), b);
}

Status IndexedSearch::open_file(const char* name, Device*& device) {
  const Result<Device*> opened = product_.folder->open(name, Folder::Open::create);
  if (!opened.ok()) return opened.status();
  device = opened.value();
  for (File& file : files_) {
    if (file.device != nullptr) continue;
    file = {name, device};
    return {};
  }
  XMC_CHECK(false);
  return {};
}

Status IndexedSearch::close_files() {
  Status status;
  for (File& file : files_) {
    if (file.device == nullptr) continue;
    product_.folder->close(file.device);
    const Status removed = product_.folder->remove(file.name);
    if (status.ok()) status = removed;
    file = {};
  }
  return status;
}

}  // namespace xmc
