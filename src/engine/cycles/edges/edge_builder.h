// EdgeBuilder: the edges of a product by the numbers of their ends, as a file, for searches that
// never evaluate the model again.
//
// The number of a state is its position in the queue file, and no table of all states is left that
// could tell it. So states are expanded until the memory is full of their distinct successors (a
// state table, which gives them local numbers) and of the edges by these; then the queue is read
// backwards from the last level that can have a successor, until all of them have their number, and
// the records are written. A block of m distinct successors costs one expansion of each source and
// the reading of a part of the queue: breadth-first steps back are mostly short. What is not found
// near by waits, together with that of other blocks (far_edges.h).
//
// Only edges that can be on an accepting cycle are kept: both ends in the same component of the
// automaton, one that can accept. The others, a half to five sixths in the BEEM products, are not
// even looked up, and states outside such components are not expanded.
#pragma once

#include <span>

#include "engine/cycles/edges/far_edges.h"
#include "engine/cycles/edges/queue_numbers.h"
#include "engine/search/product.h"
#include "engine/search/work_poll.h"
#include "store/files/edge_file.h"

namespace xmc {

class EdgeBuilder {
 public:
  static u64 minimum_bytes(const Model& model);
  // Enough where no state has more successors than that.
  static u64 bytes_for(const Model& model, u64 successors);

  // `memory`, aligned to 64 bytes, is the builder's during build(); so are the product's buffers
  // and the successor buffer of its search.
  void start(const Product& product, EdgeFile& edges, std::span<u8> memory, const WorkPoll& poll);
  // Appends the records of the states from edges.states() up to `end`, whose successors are all in
  // the queue. After a stop the file has some of them, and another call goes on from there.
  Status build(u64 end);

  struct Figures {
    u64 blocks = 0;     // rounds of expanding and looking up
    u64 looked_up = 0;  // states read from the queue for numbers
    u64 expanded = 0;
    u64 settled = 0;  // times that far successors were looked for
  };
  const Figures& figures() const { return figures_; }

  // Successors are far when fewer than one in `few_found` of the states that were read last are
  // wanted, and more than so many slots are left to read. They wait only in so much memory. What
  // waits is written twice: unless records wait already, so many states have to be left for each of
  // the block's.
  struct FarLimits {
    u64 few_found = 32;
    u64 much_left = 32;
    u64 least_memory = u64{2} << 20;
    u64 many_left = 8;
  };
  void set_far_limits(const FarLimits& limits) { limits_ = limits; }

 private:
  static constexpr u32 kSources = 256;  // taken together

  Status too_many_successors(u32 successors) const;

  u32 class_of(const Word* state) const { return product_.search->model.cycle_class_of(state); }
  Status fill_block(u64 end);
  Status collect(u64 end, u32& sources, u32& successors);
  u32 keep_sources(u32 sources, u32 inserted);
  Status build_blocks(u64 end);
  // Records that are written or wait, and the level of the last one.
  u64 done() const { return edges_->states() + (far_.on() ? far_.states() : 0); }
  u64 done_level() const { return far_.on() && far_.states() > 0 ? far_.level() : edges_->level(); }
  Status resolve();
  Status settle_far();
  bool too_far(u64 slot, u64 found, u64 looked, u64 missing) const;
  bool pays_to_wait(u64 left) const;
  Status write_records();
  void adapt();
  void set_number(StateIndex local, u64 number);
  u64 number(StateIndex local) const;
  bool has_number(StateIndex local) const {
    return number(local) != FarEdges::no_number(number_bytes_);
  }
  u64 target(StateIndex local);

  struct Source {
    u32 successors = 0;
    bool accepting = false;
    bool deeper = false;  // than the source before
  };

  // Sources that are resolved and written together.
  struct Block {
    u64 used = 0;  // entries of rest_
    u64 sources = 0;
    u64 first_level = 0;  // of its first source
    u64 last_level = 0;   // of the last one that was kept
    bool all_found = true;
  };

  Product product_;
  EdgeFile* edges_ = nullptr;
  WorkPoll poll_;
  u64 given_bytes_ = 0;
  u64 sure_ = 0;  // successors of one state that there is room for
  std::span<u8> memory_;
  std::span<StateIndex> indexes_;
  std::span<u8> rest_;  // edges from the low end, numbers from the high end
  u64 table_bytes_ = 0;
  u32 number_bytes_ = 4;
  StateTable table_;
  KeyReader sources_;
  QueueNumbers queue_;
  Source source_[kSources];
  Block block_;
  u64 next_ = 0;   // source to read
  u64 level_ = 0;  // of the last source that was read
  Figures figures_;
  FarLimits limits_;
  FarEdges far_;
  std::span<u8> far_memory_;
};

}  // namespace xmc
