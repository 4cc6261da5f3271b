// OwnedEdges: the edges of a divided product, those of each owner's states in a file of its own
// (owned_numbers.h has the names of targets). As with one owner (edges/edge_builder.h), states are
// expanded until the memory is full of their distinct successors, and queues are read backwards for
// the positions of these; but a successor is asked for at its owner:
//
//   requests: the distinct successors of a block of states go to their owners
//   each looks for those that it was asked for, all at once, in its queue
//   answers: their names go back, and the records are written
//
// All owners take part in each round, until nobody has states left. So that what comes fits the
// memory of the one with the least, a block has no more successors of any owner than that allows.
// Nothing waits for far successors here: a step far back has that owner's queue read up to it.
#pragma once

#include <span>

#include "engine/cycles/edges/queue_numbers.h"
#include "engine/cycles/owned/owned_numbers.h"
#include "engine/cycles/owned/owner_mail.h"
#include "engine/search/work_poll.h"
#include "store/files/edge_file.h"

namespace xmc {

class OwnedEdges {
 public:
  // Of the states from this one on that are expanded, all of whose successors are in the product.
  // Everybody calls it. StopReason::ram, for all: `memory`, aligned to 64 bytes, is too little for
  // one of them, who has set bytes_needed().
  Status build(const Product& product, const OwnedNumbers& numbers, u64 from, EdgeFile& edges,
               std::span<u8> memory);
  u64 bytes_needed() const { return bytes_needed_; }
  u64 rounds() const { return rounds_; }

 private:
  static constexpr u32 kSources = 256;  // taken together

  struct Source {
    u32 successors = 0;
    bool accepting = false;
    u64 level = 0;
  };

  Status lay_out(std::span<u8> memory);
  Status round(bool& more);
  Status fill_block();
  bool has_room() const;
  Status collect(u32& sources, u32& successors);
  Status ask_for_new(u32 from);
  void keep_sources(u32 sources);
  Status take_requests(const Word* items, u32 count);
  Status take_answers(const Word* items, u32 count);
  Status resolve(u64 level);
  Status answer();
  Status write_records();

  Product product_;
  OwnedNumbers numbers_;
  EdgeFile* edges_ = nullptr;
  WorkPoll poll_;
  OwnerMail requests_;
  OwnerMail answers_;
  u64 bytes_needed_ = 0;
  u64 rounds_ = 0;

  u32 words_ = 0;    // of a state
  u32 collect_ = 0;  // successors that are taken together
  u64 most_ = 0;     // distinct successors of a block at one owner
  u64 sent_[limits::kOwners] = {};
  Source source_[kSources];
  KeyReader sources_;
  QueueNumbers queue_;
  u64 next_ = 0;   // source to read
  u64 level_ = 0;  // of the last one
  u64 block_level_ = 0;

  // The block: its sources with their successors as indexes into the table, and names of these.
  std::span<u8> wanted_memory_;
  StateTable wanted_;
  std::span<StateIndex> indexes_;
  std::span<u32> entries_;
  std::size_t used_ = 0;
  u64 entry_level_ = 0;
  std::span<u64> names_;
  // What this owner was asked for: states, and who wanted which.
  struct Request {
    u32 from = 0;
    u32 index = 0;  // in the table of that owner
    StateIndex state = 0;
  };
  std::span<u8> asked_memory_;
  StateTable asked_;
  std::span<Request> request_;
  u64 requested_ = 0;
  std::span<u64> positions_;
};

}  // namespace xmc
