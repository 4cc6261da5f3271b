// Exchange: how an owner of a divided search gives successors to their owners and takes what others
// have for it. Whose a state is is a function of the state alone.
//
// A round ends for an owner when it has told everybody that nothing more comes from it, and has
// taken everything that came before the others said so: then all successors are with their owners.
// A level is one round, unless somebody calls the others before it is through.
#pragma once

#include <span>

#include "xmc/engine.h"
#include "xmc/hash.h"
#include "xmc/limits.h"
#include "xmc/model.h"
#include "xmc/peers.h"
#include "xmc/types.h"

namespace xmc {

// Whose a state is: by a hash of some of its bits.
class OwnerFunction {
 public:
  // `mask` has the bits that count, and stays; null: all of them.
  void set(u32 state_words, u32 owners, const Word* mask) {
    words_ = state_words;
    owners_ = owners;
    mask_ = mask;
  }
  u32 operator()(const Word* state) const { return of<0>(state); }
  // The same where it is known how many words there are; 0: it is not.
  template <u32 kWords>
  u32 of(const Word* state) const {
    const u32 words = kWords != 0 ? kWords : words_;
    Word masked[kWords != 0 ? kWords : limits::kStateWords];
    if (mask_ != nullptr) {
      for (u32 w = 0; w < words; ++w) masked[w] = state[w] & mask_[w];
      state = masked;
    }
    // Other bits than those that tables look at.
    const u64 hash = hash_words(state, words, kSeed) >> 32;
    return static_cast<u32>(hash * owners_ >> 32);
  }

 private:
  static constexpr u64 kSeed = 0x6F77'6E65'7220'6F66;  // "owner of"

  u32 words_ = 0;
  u32 owners_ = 1;
  const Word* mask_ = nullptr;
};

class Exchange {
 public:
  // What becomes of states of this owner, which it may overwrite. A failure ends the search here.
  struct Taker {
    void* self = nullptr;
    Status (*take)(void* self, Word* states, u32 count) = nullptr;
  };
  // Of a note: whoever hears of it is to end its round as well.
  static constexpr u64 kCall = u64{1} << 63;

  void start(Peers& peers, u32 state_words, const Taker& taker);
  // The least buffer of Peers that it works with.
  static u32 least_buffer(u32 state_words) {
    return (state_words + 1) * static_cast<u32>(sizeof(Word));
  }
  // Of states that go about with a word of their own, as searches for cycles send them.
  static u32 least_buffer_for(const Model& model) {
    return least_buffer(model.state_words + (model.buchi ? 1 : 0));
  }

  // By which bits of a state its owner is told, from now on.
  void divide_by(const Word* mask);
  const Word* mask() const { return mask_; }
  u32 owner_of(const Word* state) const { return function_(state); }
  bool is_mine(const Word* state) const { return owner_of(state) == me_; }

  // Sends what belongs to others. What is mine is moved to the front, in its order, and counted.
  Result<u32> share_out(Word* states, u32 count);
  // One state, or whatever has as many words, to this owner, who is another one.
  Status send(u32 owner, const Word* state);
  // Takes what has come so far.
  Status take_what_came();
  // Others who have sent all that they have of this round, and wait.
  u32 ended() const { return ended_; }
  // Whether somebody has ended this round with a call.
  bool called() const { return called_; }
  // Returns when everybody's successors of this round are where they belong; notes() are then what
  // everybody has said of it.
  Status end_round(u64 note = 0);
  std::span<const u64> notes() const { return {notes_, owners_}; }

  // Behind those of an earlier run that this one goes on from.
  void note_sent(const SearchStats& before, SearchStats& stats) const;
  u64 sent_states() const { return sent_; }
  u64 sent_bytes() const { return sent_bytes_; }

 private:
  // A block is a note, which counts in the last one of a round, and states.
  struct Open {
    Word* at = nullptr;  // null: no buffer
    u32 states = 0;
    u32 room = 0;
  };

  u32 room_of_all() const;
  template <u32 kWords>
  u32 share_at_once(const Word* states, u32 count, Word* mine);
  Status find_buffer(u32 owner);
  void post(u32 owner, u64 note, bool last);
  Result<bool> take_one();
  Status look_at_stop() { return Status::stop(peers_->stopped()); }

  Peers* peers_ = nullptr;
  u32 words_ = 0;
  u32 owners_ = 1;
  u32 me_ = 0;
  Word mask_[limits::kStateWords + 1] = {};
  OwnerFunction function_;
  Taker taker_;
  Open open_[limits::kOwners];
  u32 ended_ = 0;  // others who have sent all that they have of this round
  bool called_ = false;
  u64 notes_[limits::kOwners] = {};
  u64 sent_ = 0;
  u64 sent_bytes_ = 0;
};

}  // namespace xmc
