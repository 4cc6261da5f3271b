#include "engine/cycles/owned/owned_lasso.h"

#include <algorithm>

#include "engine/search/file_names.h"
#include "xmc/check.h"

namespace xmc {

Status OwnedLasso::find(const Product& product, const OwnedNumbers& numbers, OwnedOwcty& left,
                        EdgeReader& reader, std::span<u8> buffers) {
  XMC_CHECK(buffers.size() >= kBuffers);
  product_ = &product;
  numbers_ = numbers;
  left_ = &left;
  reader_ = &reader;
  poll_ = WorkPoll(product);
  queue_buffer_ = buffers.first(KeyFile::kSlotBytes);
  layer_buffer_ = buffers.subspan(KeyFile::kSlotBytes, KeyFile::kSlotBytes);
  XMC_LET(device_, product.folder->open(kLayersFile, Folder::Open::create));
  layers_.start(device_, kLayersFile, Purpose::edges, 1, product.scan_buffer);
  found_ = false;
  while (!found_) {
    XMC_TRY(choose());
    XMC_TRY(walk());
    if (!found_) XMC_TRY(narrow());
  }
  return {};
}

Status OwnedLasso::close() {
  if (device_ == nullptr) return {};
  product_->folder->close(device_);
  device_ = nullptr;
  return product_->folder->remove(kLayersFile);
}

// --- Where to begin -----------------------------------------------------------------------------

// What somebody has found, to everybody.
Status OwnedLasso::agree(Place& place) {
  const u32 words = product_->search->model.state_words;
  Peers& peers = product_->owners->peers();
  XMC_TRY(agree_on_smallest(peers, words, place.state));
  if (!place.state.found) return Status::fail(Code::internal, "a cycle is not where it should be");
  place.owner = product_->owners->owner_of(place.state.state);
  const u64 mine[] = {place.position, place.level};
  u64 all[2 * limits::kOwners];
  XMC_TRY(peers.gather(mine, {all, std::size_t{2} * peers.count()}));
  place.position = all[2 * place.owner];
  place.level = all[2 * place.owner + 1];
  return {};
}

Status OwnedLasso::choose() {
  const StateBits& live = left_->live();
  u64 first = ~u64{0};  // level
  for (u64 level = 0; level < left_->levels() && first == ~u64{0}; ++level) {
    const u64 begin = left_->level_begin(level);
    const u64 end = left_->level_begin(level + 1);
    if (!live.any(begin, end)) continue;
    const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64>) {
      if (record.accepting && live.test(record.state)) first = level;
    };
    XMC_TRY(EdgePass(*reader_, live, end).up(figures_, poll_, visit, begin));
  }
  u64 facts[] = {~first};
  XMC_TRY(take_largest(product_->owners->peers(), facts));
  goal_ = {};
  if (first == ~facts[0]) XMC_TRY(smallest_accepting(first));
  return agree(goal_);
}

Status OwnedLasso::smallest_accepting(u64 level) {
  const StateBits& live = left_->live();
  StateBits& chosen = left_->next();
  const u64 begin = left_->level_begin(level);
  const u64 end = left_->level_begin(level + 1);
  chosen.clear_all();
  const auto visit = [&](const EdgeGroup::Record& record, std::span<const u64>) {
    if (record.accepting && live.test(record.state)) chosen.set(record.state);
  };
  XMC_TRY(EdgePass(*reader_, live, end).up(figures_, poll_, visit, begin));
  queue_.start(*product_->queue, queue_buffer_);
  for (u64 i = chosen.next(begin, end); i < end; i = chosen.next(i + 1, end)) {
    XMC_TRY(look_at(i, goal_));
    XMC_TRY(poll_.now_and_then(level));
  }
  return {};
}

// A candidate of this owner.
Status OwnedLasso::look_at(u64 position, Place& found) {
  const u32 words = product_->search->model.state_words;
  Word state[limits::kStateWords];
  XMC_TRY(queue_.seek_key(position));
  XMC_LET(const bool more, queue_.next(state));
  XMC_CHECK(more);
  if (!found.state.takes(state, words)) return {};
  found.state.take(state, words);
  found.position = position;
  found.level = queue_.level();
  return {};
}

// --- Layers -------------------------------------------------------------------------------------

Status OwnedLasso::walk() {
  StateBits& now = left_->now();
  StateBits& next = left_->next();
  const u64 states = now.size();
  XMC_TRY(layers_.clear());
  left_->visited().clear_all();
  next.clear_all();
  const bool mine = is_mine(goal_);
  if (mine) next.set(goal_.position);
  found_ = false;
  u64 layer = 0;
  for (bool more = true; more && !found_; ++layer) {
    std::copy(next.words().begin(), next.words().end(), now.words().begin());
    next.clear_all();
    for (u64 i = now.next(0, states); i < states; i = now.next(i + 1, states)) {
      const Word key = i;
      XMC_TRY(layers_.append(&key, layer));
    }
    XMC_TRY(left_->step_on(mine ? goal_.position : OwnedOwcty::kNoState, found_));
    u64 sum[] = {next.any(0, states) ? u64{1} : 0};
    XMC_TRY(add_up(product_->owners->peers(), sum));
    more = sum[0] != 0;
  }
  steps_ = layer;
  return {};
}

// The goal is on no cycle.
Status OwnedLasso::narrow() {
  StateBits& live = left_->live();
  StateBits& reached = left_->visited();
  if (is_mine(goal_)) {
    live.clear(goal_.position);
    reached.clear(goal_.position);
  }
  // What was not reached, for later: trimming does not use these bits.
  const std::span<u64> kept = left_->now().words();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    kept[i] = live.words()[i] & ~reached.words()[i];
    live.words()[i] &= reached.words()[i];
  }
  XMC_TRY(left_->count());
  XMC_TRY(left_->find());
  if (left_->left() > 0) return {};
  std::copy(kept.begin(), kept.end(), live.words().begin());
  XMC_TRY(left_->count());
  XMC_TRY(left_->find());
  if (left_->left() > 0) return {};
  return Status::fail(Code::internal, "a cycle is not where it should be");
}

// --- Backwards ----------------------------------------------------------------------------------

Status OwnedLasso::trace(Word* cycle, u64& level) {
  const u32 words = product_->search->model.state_words;
  queue_.start(*product_->queue, queue_buffer_);
  Place target = goal_;
  u64 least = 0;  // which state of the cycle has the least level
  level = ~u64{0};
  for (u64 i = steps_; i-- > 0;) {
    Place before;
    XMC_TRY(predecessor(i, target, before));
    XMC_TRY(agree(before));
    std::copy_n(before.state.state, words, cycle + i * words);
    if (before.level <= level) {
      level = before.level;
      least = i;
    }
    target = before;
    XMC_TRY(product_->owners->stop_together());
  }
  std::rotate(cycle, cycle + least * words, cycle + steps_ * words);
  return {};
}

Status OwnedLasso::predecessor(u64 layer, const Place& target, Place& found) {
  const u64 name = numbers_.name_of(target.owner, target.position);
  KeyReader layer_reader;
  layer_reader.start(layers_, layer_buffer_);
  XMC_LET(const bool here, layer_reader.find_level(layer));
  for (bool more = here; more;) {
    Word position = 0;
    XMC_LET(const bool read, layer_reader.next(&position));
    more = read && layer_reader.level() == layer;
    if (!more) break;
    bool leads = false;
    const auto visit = [&](const EdgeGroup::Record&, std::span<const u64> targets) {
      leads = leads || std::binary_search(targets.begin(), targets.end(), name);
    };
    XMC_TRY(reader_->read(position, visit));
    if (leads) XMC_TRY(look_at(position, found));
    XMC_TRY(poll_.now_and_then(layer));
  }
  return {};
}

}  // namespace xmc
