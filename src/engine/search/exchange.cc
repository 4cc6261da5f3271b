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
  std::fill_n(mask_, words_, ~Word{0});
  divide_by(mask_);
}

void Exchange::divide_by(const Word* mask) {
  std::copy_n(mask, words_, mask_);
  const bool all = std::all_of(mask_, mask_ + words_, [](Word word) { return word == ~Word{0}; });
  function_.set(words_, owners_, all ? nullptr : mask_);
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
  std::copy_n(state, words_, open.at + 1 + u64{open.states} * words_);
  ++sent_;
  if (++open.states == open.room) post(owner, 0, false);
  return {};
}

// The owner who takes nothing may be waiting for a buffer of mine.
Status Exchange::find_buffer(u32 owner) {
  while (true) {
    const u32 changes = peers_->changes();
    const std::span<u8> buffer = peers_->buffer(owner);
    if (!buffer.empty()) {
      const u32 words = static_cast<u32>(buffer.size() / sizeof(Word));
      open_[owner] = {reinterpret_cast<Word*>(buffer.data()), 0,
                      (words - 1) / std::max(words_, 1u)};
      XMC_CHECK(open_[owner].room > 0);
      return {};
    }
    XMC_LET(const bool taken, take_one());
    if (!taken) peers_->wait(changes);
    XMC_TRY(look_at_stop());
  }
}

void Exchange::post(u32 owner, u64 note, bool last) {
  Open& open = open_[owner];
  *open.at = note;
  const u32 bytes = (1 + open.states * words_) * static_cast<u32>(sizeof(Word));
  peers_->post(owner, bytes, last);
  sent_bytes_ += bytes;
  open = {};
}

Result<bool> Exchange::take_one() {
  Peers::Block block;
  if (!peers_->receive(block)) return false;
  Word* const words = reinterpret_cast<Word*>(block.bytes.data());
  const u32 count = static_cast<u32>(block.bytes.size() / sizeof(Word) - 1);
  const u32 states = count / std::max(words_, 1u);
  if (block.last) {
    ++ended_;
    notes_[block.from] = *words;
    called_ = called_ || (*words & kCall) != 0;
  }
  const Status status = states == 0 ? Status() : taker_.take(taker_.self, words + 1, states);
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

Status Exchange::end_round(u64 note) {
  for (u32 owner = 0; owner < owners_; ++owner) {
    if (owner == me_) continue;
    if (open_[owner].at == nullptr) XMC_TRY(find_buffer(owner));
    post(owner, note, true);
  }
  while (ended_ < owners_ - 1) {
    const u32 changes = peers_->changes();
    XMC_LET(const bool taken, take_one());
    if (!taken) peers_->wait(changes);
    XMC_TRY(look_at_stop());
  }
  notes_[me_] = note;
  ended_ = 0;
  called_ = false;
  return {};
}

void Exchange::note_sent(const SearchStats& before, SearchStats& stats) const {
  stats.sent_states = sent_ + (before.sent_states == kNoFigure ? 0 : before.sent_states);
  stats.sent_bytes = sent_bytes_ + (before.sent_bytes == kNoFigure ? 0 : before.sent_bytes);
}

}  // namespace xmc
