#include "engine/search/exchange.h"

#include <algorithm>

#include "xmc/check.h"

namespace xmc {

namespace {

// States for each owner that are worth a look at all buffers.
constexpr u32 kLeastAtOnce = 4;

}  // namespace

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

// So many states fit, whoever they are for; 0: somebody has no buffer.
u32 Exchange::room_of_all() const {
  u32 room = ~u32{0};
  for (u32 owner = 0; owner < owners_; ++owner) {
    const Open& open = open_[owner];
    if (owner != me_) room = std::min(room, open.at == nullptr ? 0 : open.room - open.states);
  }
  return room;
}

// How many are mine: they go to `mine`, which is not behind the states. There is no branch that
// depends on the owner, whom nothing foresees.
template <u32 kWords>
u32 Exchange::share_at_once(const Word* states, u32 count, Word* mine) {
  const u32 words = kWords != 0 ? kWords : words_;
  Word* to[limits::kOwners];
  for (u32 owner = 0; owner < owners_; ++owner) {
    const Open& open = open_[owner];
    to[owner] = owner == me_ ? mine : open.at + 1 + u64{open.states} * words;
  }
  for (u32 i = 0; i < count; ++i, states += words) {
    Word*& at = to[function_.of<kWords>(states)];
    for (u32 w = 0; w < words; ++w) at[w] = states[w];
    at += words;
  }
  for (u32 owner = 0; owner < owners_; ++owner) {
    if (owner == me_) continue;
    Open& open = open_[owner];
    const u32 now = static_cast<u32>(to[owner] - open.at - 1) / words;
    sent_ += now - open.states;
    open.states = now;
    if (now == open.room) post(owner, 0, false);
  }
  return static_cast<u32>(to[me_] - mine) / words;
}

Result<u32> Exchange::share_out(Word* states, u32 count) {
  u32 mine = 0;
  for (u32 i = 0; i < count;) {
    Word* const state = states + u64{i} * words_;
    Word* const free = states + u64{mine} * words_;
    const u32 part = words_ == 0 ? 0 : std::min(count - i, room_of_all());
    if (part >= kLeastAtOnce * owners_) {
      mine += words_ == 1   ? share_at_once<1>(state, part, free)
              : words_ == 2 ? share_at_once<2>(state, part, free)
                            : share_at_once<0>(state, part, free);
      i += part;
      continue;
    }
    const u32 owner = owner_of(state);
    if (owner == me_) {
      if (mine != i) std::copy_n(state, words_, free);
      ++mine;
    } else {
      XMC_TRY(send(owner, state));
    }
    ++i;
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
