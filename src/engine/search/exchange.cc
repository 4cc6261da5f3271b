#include "engine/search/exchange.h"

#include <algorithm>

#include "xmc/check.h"

namespace xmc {

void Exchange::start(Peers& peers, u32 state_words, const Taker& taker) {
  XMC_CHECK(peers.count() <= limits::kOwners);
  *this = Exchange();
  peers_ = &peers;
  words_ = state_words;
  owners_ = peers.count();
  me_ = peers.me();
  taker_ = taker;
}

Result<u32> Exchange::share_out(Word* states, u32 count) {
  u32 mine = 0;
  for (u32 i = 0; i < count; ++i) {
    const Word* const state = states + u64{i} * words_;
    const u32 owner = owner_of(state);
    if (owner != me_) {
      XMC_TRY(send(owner, state));
      continue;
    }
    if (mine != i) std::copy_n(state, words_, states + u64{mine} * words_);
    ++mine;
  }
  return mine;
}

Status Exchange::send(u32 owner, const Word* state) {
  Open& open = open_[owner];
  if (open.at == nullptr) XMC_TRY(find_buffer(owner));
  std::copy_n(state, words_, open.at + u64{open.states} * words_);
  ++sent_;
  if (++open.states == open.room) post(owner, false);
  return {};
}

// The owner who takes nothing may be waiting for a buffer of mine.
Status Exchange::find_buffer(u32 owner) {
  while (true) {
    const u32 changes = peers_->changes();
    const std::span<u8> buffer = peers_->buffer(owner);
    if (!buffer.empty()) {
      const u32 state_bytes = words_ * static_cast<u32>(sizeof(Word));
      open_[owner] = {reinterpret_cast<Word*>(buffer.data()), 0,
                      static_cast<u32>(buffer.size()) / state_bytes};
      XMC_CHECK(open_[owner].room > 0);
      return {};
    }
    XMC_LET(const bool taken, take_one());
    if (!taken) peers_->wait(changes);
    XMC_TRY(look_at_stop());
  }
}

void Exchange::post(u32 owner, bool last) {
  const u32 bytes = open_[owner].states * words_ * static_cast<u32>(sizeof(Word));
  peers_->post(owner, bytes, last);
  open_[owner] = {};
}

Result<bool> Exchange::take_one() {
  Peers::Block block;
  if (!peers_->receive(block)) return false;
  const u32 states = static_cast<u32>(block.bytes.size() / sizeof(Word)) / words_;
  const Status status =
      states == 0
          ? Status()
          : taker_.take(taker_.self, reinterpret_cast<const Word*>(block.bytes.data()), states);
  if (block.last) ++ended_;
  peers_->release();
  XMC_TRY(status);
  return true;
}

Status Exchange::take_what_came() {
  while (true) {
    XMC_LET(const bool taken, take_one());
    if (!taken) return look_at_stop();
  }
}

Status Exchange::end_level() {
  for (u32 owner = 0; owner < owners_; ++owner) {
    if (owner == me_) continue;
    if (open_[owner].at == nullptr) XMC_TRY(find_buffer(owner));
    post(owner, true);
  }
  while (ended_ < owners_ - 1) {
    const u32 changes = peers_->changes();
    XMC_LET(const bool taken, take_one());
    if (!taken) peers_->wait(changes);
    XMC_TRY(look_at_stop());
  }
  ended_ = 0;
  return {};
}

}  // namespace xmc
