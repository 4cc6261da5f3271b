// CachedStates: a set of states of which the recent ones are in memory and the others on flash: the
// cached duplicate detection of Wu and others ("An I/O Efficient Model Checking Algorithm for
// Large-Scale Systems", 2015), for searches that have to know at once whether a state is new. Old
// states are kept in one of three forms:
//
//   linear   that of the paper: a full table gives its oldest states, a share rho1 of all, to one
//            table on flash, which is written anew (PageRuns::Form::single)
//   tiers    a full table is written as a run of its own, and its states stay, as copies, until
//            their room is needed: the oldest ones, a share at a time. So runs are as large as the
//            table
//   diagram  the same, but the states go to a diagram in memory, which needs few bytes for each and
//            no read; when that is full, everything in it is written as runs, the diagram's memory
//            becomes filters and a larger table, and the set goes on in tiers
//
// To keep a state that was found on flash in the table as a recent one did not pay: 2.4 million
// reads instead of 1.9 for leader_election.4.prop2 in 5 MiB. What a depth-first search meets again
// is what it has left lately, not what it has met lately.
#pragma once

#include <span>
#include <utility>

#include "store/checkpoint/lines.h"
#include "store/tables/state_table.h"
#include "store/tiered/page_runs.h"
#include "store/tiered/state_diagram.h"
#include "xmc/go_on.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class CachedStates {
 public:
  static constexpr u32 kBatch = StateTable::kBatch;

  enum class Form : u8 { linear, tiers, diagram };
  struct Shape {
    u32 key_words = 0;
    u32 key_bytes = 0;
    Form form = Form::tiers;
    u32 percent = 0;  // rho1: of the table, that goes at a time
  };
  struct Memory {
    std::span<u8> questions;  // question_bytes()
    std::span<u8> pages;      // as in PageRuns::Memory
    std::span<u8> transfer;
    std::span<u8> states;  // table, and diagram or filters; aligned for a line
  };
  // How many states were asked for, and for how many of them a page was read.
  struct Counts {
    u64 known = 0;
    u64 known_read = 0;
    u64 fresh = 0;
    u64 fresh_read = 0;
  };

  static u64 question_bytes(u32 key_words) { return u64{kBatch} * key_words * sizeof(Word); }
  // Of Memory::states. The model is one of keys.
  static u64 least_bytes(const Model& model);
  static u64 order_bytes(const Model& model) { return StateDiagram::order_bytes(model); }
  // For the form `diagram`: the model's fields, of keys.
  void plan(const Model& model, Arena& arena) { diagram_.plan(model, arena); }

  void init(Folder& folder, const char* name, const Shape& shape, const Memory& memory,
            const GoOn& go_on);
  void close() { runs_.close(); }

  // Which of `count` keys, at most kBatch, are there. None of them was at the age `since`; 0:
  // nothing is known.
  Status ask(const Word* keys, u32 count, u64 since, bool* known);
  // A key that is not there.
  Status insert(const Word* key) {
    if (table_.insert(key, 1, nullptr) == 1) return {};
    XMC_TRY(make_room());
    XMC_CHECK(table_.insert(key, 1, nullptr) == 1);
    return {};
  }
  // Grows when states leave the table.
  u64 age() const { return age_; }
  // Why merging, or making filters, was left off, if somebody wanted that. The set is as good
  // without; merging goes on with the next run.
  StopReason take_stop() { return std::exchange(stop_, StopReason::none); }

  const PageRuns& runs() const { return runs_; }
  const StateDiagram& diagram() const { return diagram_; }
  const Counts& counts() const { return counts_; }
  void set_counts(const Counts& counts) { counts_ = counts; }

  // A checkpoint has all states on flash then; memory is as it was. `buffer` is for a WordFile, and
  // the diagram goes to the file `name`.
  Status save(Lines& io, const FileName& name, std::span<u8> buffer);
  Status checkpoint_committed() { return runs_.checkpoint_committed(); }
  // The table is empty.
  Status restore(Lines& io, const FileName& name, std::span<u8> buffer);

 private:
  u64 diagram_bytes() const;
  u64 filter_bytes() const;
  void lay_out_diagram();
  std::span<u64> filters() const;  // of the form that it has

  Status ask_runs(const Word* keys, std::span<const u32> which, u64 since, bool* known);
  Status make_room();
  bool give_to_diagram();
  Status leave_diagram();
  Status write_run(StateIndex end);
  u32 collect(StateIndex end, u64 low, u64 high, std::span<u64> into) const;
  Status settle();
  // A stop is kept for take_stop(): who inserts a key has inserted it then, and loses nothing.
  Status behind(Status status);
  // What a checkpoint says of the diagram, if there is one.
  struct Said {
    bool has_diagram = false;
    StateDiagram::Saved diagram;
    FileMark file;
  };
  void diagram_lines(Lines& io, const FileName& name, Said& said);
  Status save_diagram(const FileName& name, std::span<u8> buffer, Said& said);
  Status load_diagram(const FileName& name, std::span<u8> buffer, const Said& said);

  Folder* folder_ = nullptr;
  Shape shape_;
  Memory memory_;
  StateTable table_;
  u32 filed_ = 0;  // the oldest states of the table, which are among the old ones, too
  StateDiagram diagram_;
  PageRuns runs_;
  u64 age_ = 0;
  StopReason stop_ = StopReason::none;
  Counts counts_;
};

}  // namespace xmc
