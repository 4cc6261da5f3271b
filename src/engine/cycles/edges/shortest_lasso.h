// ShortestLasso: a provably shortest lasso of a product, from its edge file, or the proof that
// there is none; after the breadth-first search or while it goes on.
//
// A lasso of total length T lies in the states up to level T - 1 (its seed has a level d, its cycle
// T - d steps, and the i-th state of the cycle a level of at most d + i). So prefixes of the levels
// are looked at, each about four times as large as the one before, until one has an accepting cycle
// (cycle_core.h): with a core at level D* and none above, no lasso is shorter than D* + 1, and this
// bound is mostly met. What is left of that prefix is a small graph K; in it
//
//   D* = the least level with an accepting cycle above or at it, by halving
//   for T = D* + 1, and then more: the seeds in order of level; is there a lasso of T or less?
//
// Seeds of one level are tried together: the search begins at all of them, and where none of them
// is reached again in time, all are done with; else each half is tried. One breadth-first search
// then settles most levels. If T passes the prefix, a longer one is taken.
//
// K is kept in memory (ram_lasso.h, cut down to strongly connected components) or, if it does not
// fit, as an edge file of its own (file_lasso.h).
//
// Edelkamp and Sulewski ("Flash-efficient LTL model checking with minimal counterexamples", 2008)
// search from every accepting state of the whole graph instead.
#pragma once

#include <span>

#include "engine/cycles/edges/cycle_core.h"
#include "engine/cycles/edges/file_lasso.h"
#include "engine/cycles/edges/ram_lasso.h"
#include "store/files/edge_file.h"

namespace xmc {

struct LassoResult {
  bool found = false;
  bool shortest = false;       // of all, not only of those that were looked at
  u64 prefix_steps = 0;        // the level of cycle[0]
  std::span<const u64> cycle;  // numbers of its states; the last one leads to the first
  u64 none_up_to = 0;          // without a result: no lasso has this total length or less
  bool none = false;           // there is no accepting cycle at all

  u64 total() const { return prefix_steps + cycle.size(); }
};

class ShortestLasso {
 public:
  struct Setup {
    EdgeFile* edges = nullptr;
    EdgeReader* reader = nullptr;  // of `edges`; its buffer is used for another file, too
    std::span<u8> read_buffer;     // of the reader: one block or two
    std::span<u8> layer_buffer;    // one slot of a queue
    std::span<u8> memory;          // aligned for devices
    Folder* folder = nullptr;      // for a core that does not fit the memory
    bool weak = false;             // every cycle of the live classes is accepting
    u64 graph_bytes = ~u64{0};     // most memory for K; less in tests
    u64 first_states = 16384;      // of the first prefix; less in tests
  };
  // Bytes of memory for a graph of so many states; more lets K stay in it.
  static u64 minimum_bytes(u64 states, bool weak);

  void start(const Setup& setup, const WorkPoll& poll);

  // Levels 0 to `level` have all their records in the edge file. Finds a shortest lasso if one of
  // at most level + 1 steps exists. Goes on from the result of the last call.
  Status check_prefix(u64 level, LassoResult& result);
  // All states have their records.
  Status check_all(LassoResult& result);
  // All states have their records: some lasso, as soon as one is found, or none.
  Status find_any(LassoResult& result);
  // Some lasso whose cycle is among these states, which lie at the beginning of Setup::memory, or
  // none. `finished`: there is one.
  Status find_any_in(const StateBits& set, bool finished, LassoResult& result);

  // What was proved so far, for a checkpoint: no cycle within levels below `empty`, no lasso of a
  // total length up to `none_up_to`.
  struct Proved {
    u64 empty = 0;
    u64 none_up_to = 0;
  };
  const Proved& proved() const { return proved_; }
  void set_proved(const Proved& proved) { proved_ = proved; }

  struct Figures {
    PassFigures passes;   // for cores
    PassFigures copies;   // to make K of them
    u64 prefixes = 0;     // for which a core was made
    u64 core_states = 0;  // of the last one
    u64 core_edges = 0;
    u64 searches = 0;      // from seeds
    bool in_file = false;  // the last core did not fit the memory
  };
  const Figures& figures() const { return figures_; }

 private:
  enum class Mode : u8 { prefix, all, any };

  Status check(Mode mode, u64 level, LassoResult& result);
  Status next_rung(u64 from, u64 last, u64 growth, u64& level);
  Status make_core(u64 level, bool& any);
  Status load_core(const StateBits& set, bool finished, bool& any);
  Status load_file(const StateBits& set);
  Status first_level(u64 low, u64 high, u64& level);
  Status take_any(LassoResult& result);
  Status search_core(u64 level, bool unlimited, LassoResult& result);
  Status exact(u64 most, u64 least, bool first_only);
  Status try_level(u64 level, u64 begin, u64 end, u64 least, bool first_only);
  Status finish(bool shortest, LassoResult& result);

  Setup setup_;
  WorkPoll poll_;
  Proved proved_;
  Figures figures_;
  CycleCore core_;
  MarkedNumbers numbers_;
  std::span<u8> rest_;  // memory behind the core's bits
  RamLasso ram_;
  FileLasso file_;
  LassoSpace* space_ = nullptr;

  struct Best {
    u64 total = 0;  // only shorter ones are looked for
    bool found = false;
    u64 seed = 0;
    u64 floor = 0;
    u64 level = 0;
    u64 steps = 0;
  };
  Best best_;
};

}  // namespace xmc
