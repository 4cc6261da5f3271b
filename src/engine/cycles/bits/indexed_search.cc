#include "engine/cycles/bits/indexed_search.h"

#include <algorithm>
#include <bit>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

u64 depth_table_bytes(const Numbering& index, u64 deepest) {
  if (index.has_depths()) return 0;
  const u32 bits = static_cast<u32>(std::bit_width(deepest));
  return round_up(PackedArray::bytes_for(index.size(), bits), kPageBytes);
}

// A rank has the expanded states only. A hash needs their depths to tell them from the others.
Status IndexedSearch::find_limit() {
  if (product_.expanded == product_.states) return {};
  strangers_ = !index_.has_depths();
  if (strangers_) return {};
  XMC_TRY(level_of(product_, product_.expanded, limit_));
  with_depths_ = true;
  return {};
}

Status IndexedSearch::make_depth_table(std::span<u8> memory, u64 deepest, Batch& batch) {
  with_depths_ = true;
  if (index_.has_depths()) return {};
  depth_table_.start(memory, index_.size(), static_cast<u32>(std::bit_width(deepest)));
  KeyReader queue;
  queue.start(*product_.queue, product_.read_buffer);
  for (u64 done = 0; done < product_.expanded;) {
    for (batch.fill = 0; batch.fill < batch.room && done < product_.expanded; ++done) {
      XMC_LET(const bool more, queue.next(state_at(batch, batch.fill)));
      XMC_CHECK(more);
      batch.levels[batch.fill++] = static_cast<u32>(queue.level());
      if (is_time()) XMC_TRY(ask(0));
    }
    XMC_TRY(index_.find(batch.states, batch.fill, batch.numbers, nullptr));
    for (u32 i = 0; i < batch.fill; ++i) depth_table_.set(batch.numbers[i], batch.levels[i]);
  }
  has_table_ = true;
  return {};
}

u64 IndexedSearch::batch_bytes(const Model& model, u64 room) {
  return round_up(room * unit_bytes(model), kLineBytes);
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
  const Expansion expansion = s_.model.expand(executor_, state, out);
  XMC_CHECK(expansion.count <= out.capacity);
  ++*expansions_;
  if ((expansion.flags & kLong) != 0) poll_.ask_soon();
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
  u32* const depths = with_depths_ ? b.depths : nullptr;
  if (scratch_.empty()) {
    XMC_TRY(index_.find(b.states, b.fill, b.numbers, depths));
  } else {
    index_.find_beside(scratch_, b.states, b.fill, b.numbers, depths);
  }
  for (u32 i = 0; i < b.fill; ++i) {
    if (b.numbers[i] == Numbering::kNotThere) {
      if (strangers_) continue;
      return Status::fail(Code::internal, "a successor is not among the states of the product");
    }
    visited_.prefetch(b.numbers[i]);
    if (has_table_) b.depths[i] = depth_table_.get(b.numbers[i]);
  }
  return {};
}

void IndexedSearch::work_beside(const IndexedSearch& first, void* executor, std::span<u8> scratch) {
  with_depths_ = first.with_depths_;
  strangers_ = first.strangers_;
  has_table_ = first.has_table_;
  depth_table_ = first.depth_table_;
  limit_ = first.limit_;
  executor_ = executor;
  scratch_ = scratch;
}

GoOn IndexedSearch::asking() {
  return {this, [](void* self) { return static_cast<IndexedSearch*>(self)->ask(0); }, &s_.work};
}

bool IndexedSearch::is_state(const Word* a, const Word* b) const {
  return std::equal(a, a + words(), b);
}

Status IndexedSearch::open_file(const char* name, Device*& device, Folder::Open how) {
  XMC_LET(Device* const opened, product_.folder->open(name, how));
  device = opened;
  for (File& file : files_) {
    if (file.device != nullptr) continue;
    file = {FileName(name), device, false};
    return {};
  }
  XMC_CHECK(false);
  return {};
}

void IndexedSearch::keep_file(const Device* device) {
  for (File& file : files_) {
    if (file.device == device) file.keep = true;
  }
}

Status IndexedSearch::close_file(File& file) {
  product_.folder->close(file.device);
  file.device = nullptr;
  return file.keep ? Status() : product_.folder->remove(file.name.c_str());
}

Status IndexedSearch::close_file(const Device* device) {
  for (File& file : files_) {
    if (file.device == device) return close_file(file);
  }
  return {};
}

Status IndexedSearch::close_files() {
  Status status;
  for (File& file : files_) {
    if (file.device == nullptr) continue;
    const Status closed = close_file(file);
    if (status.ok()) status = closed;
  }
  return status;
}

}  // namespace xmc
