// Exchange: how an owner of a divided search gives successors to their owners and takes what others
// have for it. Whose a state is is a function of the state alone.
//
// A level ends for an owner when it has told everybody that nothing more comes from it, and has
// taken everything that came before the others said so: then all states of the next level are with
// their owners.
#pragma once

#include "xmc/hash.h"
#include "xmc/limits.h"
#include "xmc/peers.h"
#include "xmc/types.h"

namespace xmc {

class Exchange {
 public:
  // What becomes of states of this owner. A failure ends the search here.
  struct Taker {
    void* self = nullptr;
    Status (*take)(void* self, const Word* states, u32 count) = nullptr;
  };

  void start(Peers& peers, u32 state_words, const Taker& taker);
  // The least buffer of Peers that it works with.
  static u32 least_buffer(u32 state_words) { return state_words * static_cast<u32>(sizeof(Word)); }

  u32 owner_of(const Word* state) const {
    // Other bits than those that tables look at.
    const u64 hash = hash_words(state, words_, kSeed) >> 32;
    return static_cast<u32>(hash * owners_ >> 32);
  }

  // Sends what belongs to others. What is mine is moved to the front, in its order, and counted.
  Result<u32> share_out(Word* states, u32 count);
  // Takes what has come so far.
  Status take_what_came();
  // Returns when everybody's successors of this level are where they belong.
  Status end_level();

  u64 sent_states() const { return sent_; }

 private:
  static constexpr u64 kSeed = 0x6F77'6E65'7220'6F66;  // "owner of"

  struct Open {
    Word* at = nullptr;  // null: no buffer
    u32 states = 0;
    u32 room = 0;
  };

  Status send(u32 owner, const Word* state);
  Status find_buffer(u32 owner);
  void post(u32 owner, bool last);
  Result<bool> take_one();
  Status look_at_stop() { return Status::stop(peers_->stopped()); }

  Peers* peers_ = nullptr;
  u32 words_ = 0;
  u32 owners_ = 1;
  u32 me_ = 0;
  Taker taker_;
  Open open_[limits::kOwners];
  u32 ended_ = 0;  // others who have sent all that they have of this level
  u64 sent_ = 0;
};

}  // namespace xmc
