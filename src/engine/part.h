// The `part` engine: Bao and Jones, "Time-Efficient Model Checking with Magnetic Disk" (2005). The
// states are divided into partitions by a hash. A few of them are in memory at a time, the ones
// with the longest queues; successors in these are compared at once, others wait in the queue of
// their partition. Each state is expanded once, when its partition is in memory, so there is no
// delayed detection at all; but the order is not breadth-first: there are no levels, and a
// counterexample is a valid path, not a shortest one.
//
//   visited  log of partitions: states in order of expansion, each with where it came from
//   pending  log of partitions: candidates, with the same
//
// Where a state came from is the number of its predecessor: partition, and place in it. The path of
// a counterexample is read backwards through the visited log.
//
// Beyond the paper: as many partitions are in memory as fit; figure 2 loads D[i] for every state of
// the queue, here once per activation; a cache of states that were queued lately keeps most repeats
// out of the pending log, which is what the paper found to be slow. A partition that has outgrown
// the memory is worked through in classes of another hash.
#pragma once

#include "engine/engine.h"
#include "engine/search.h"
#include "store/cache_table.h"
#include "store/chain_log.h"

namespace xmc {

class PartEngine final : public Engine {
 public:
  constexpr PartEngine() = default;

  const char* name() const override { return "part"; }
  bool keeps_files() const override { return true; }
  FlashUse flash_use() const override {
    return {0, 1, "candidates and blocks that are not full, 10 times as much and more"};
  }
  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override;
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  void path_state(u64 i, Word* out) override;

  u64 activations() const { return activations_; }

 private:
  static constexpr u32 kPartitions = 32;
  static constexpr u64 kNoState = ~u64{0};

  // The partitions in memory, or one class of a single one.
  struct Residents {
    u64 partitions = 0;  // a bit each
    u32 classes = 1;
    u32 chosen = 0;
  };

  Status run_to_end();
  Status open_logs();
  Status begin();
  Residents choose() const;
  bool resident(u64 hash) const;
  bool in_class(u64 hash) const;

  Status activate(const Residents& residents, StopReason& stop);
  Status load(u32 partition);
  Status drain(const ChainLog::Chain& chain, StopReason& stop);
  Status put_back(const ChainLog::Chain& chain);
  Status expand_new(StopReason& stop);
  Status expand_one(StateIndex index, StopReason& stop);
  Status flush_buffer();
  Status take_in(u32 count, bool waited);
  Status put_off(const Word* state, u64 hash, u64 origin);
  Status append_pending(const Word* state, u64 hash, u64 origin);
  Status leave(StopReason stop);
  Status poll(StopReason& stop);

  Status checkpoint();
  Status restore(const Manifest& manifest);
  Status find_path();
  Status read_state(u64 number, Word* key);
  bool over() const;

  Search search_;
  ChainLog visited_;
  ChainLog pending_;
  ChainReader reader_;
  CacheTable lately_queued_;
  ChainLog::Shape shape_;
  std::span<u8> visited_buffer_;
  std::span<u8> pending_buffer_;
  std::span<u8> read_buffer_;
  std::span<u8> region_;  // of the table
  std::span<u8> cache_region_;
  u64* origins_ = nullptr;  // of states that are new in the table
  u32 most_new_ = 0;
  u64* buffer_origins_ = nullptr;  // of the successors in the buffer
  Word* batch_ = nullptr;          // successors for the table
  u64* batch_origins_ = nullptr;
  Device* visited_device_ = nullptr;
  Device* pending_device_ = nullptr;

  u64 capacity_ = 0;  // states that the table takes for sure
  Residents residents_;
  StateIndex loaded_ = 0;  // states of the table that are visited
  StateIndex next_ = 0;    // first one that is not expanded
  u32 fill_ = 0;
  u64 activations_ = 0;
  u64 culprit_ = kNoState;
  Word* path_ = nullptr;
};

}  // namespace xmc
