// Engine: the waist between searches and the front of house. An engine sees a Model, an Arena, a
// RunControl and a Folder, never a language or the OS. plan() carves everything that the run will
// ever use; run() only fills what was carved.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "xmc/arena.h"
#include "xmc/model.h"
#include "xmc/run_control.h"
#include "xmc/status.h"
#include "xmc/types.h"
#include "xmc/wide_count.h"

namespace xmc {

enum class DeadlockRule : u8 {
  ignore,      // counted, not a violation
  stuck,       // a state without a step is a violation
  stuttering,  // so is a state all of whose steps lead back to it
};

class Folder;
class Manifest;
class Parallel;
class Peers;
struct DeviceCost;

// How an engine leaves checkpoints. At points from which its run could go on, the engine asks
// whether a checkpoint is due. If so it makes its files durable, writes down where it is, and
// commits. An engine that is stopped commits without asking.
//
// Two checkpoints are kept, so that a card that lost the newer one costs one interval and not the
// run. The older one stays good because files only grow: resume cuts files at the sizes of its
// checkpoint, which are not below those of the checkpoint before. An engine keeps to this:
//  - below the size that a checkpoint gives a file nothing is cut, discarded or written again;
//  - a file that a checkpoint no longer names is removed after the next one was committed, not
//    before; until then its name is not used again (number them: "runs.7").
// Lines that status and resume show, if they are there: level, states, stat.transitions, violation.
class Checkpointer {
 public:
  virtual bool due(bool level_end) = 0;
  // An empty manifest to fill with the engine's lines.
  virtual Manifest& begin() = 0;
  // Adds what belongs to the run as a whole and replaces the root. The engine's files were synced.
  virtual Status commit() = 0;

 protected:
  ~Checkpointer() = default;
};

// What numbers the states for searches with a bit for each (state_index.h).
enum class IndexKind : u8 { automatic, rank, phf };
// Whether searches go over an edge file.
enum class EdgeUse : u8 { automatic, on, off };

// Where ioemc keeps states that are not recent (store/tiered/cached_states.h).
enum class OldStates : u8 { diagram, tiers, linear };

// Of engines that look for accepting cycles in files.
struct CycleOptions {
  IndexKind index = IndexKind::automatic;  // --index
  bool phf_in_ram = false;                 // --phf
  bool cmph = false;                       // --phf-codec
  bool gastin_moro = false;                // --method
  EdgeUse edges = EdgeUse::automatic;      // --edges
  bool minimal = false;                    // --minimal
  u64 phf_cache = ~u64{0};                 // --phf-cache: most bytes of pages that stay in memory
  OldStates old_states = OldStates::diagram;  // --dd
  u32 rho1 = 0;                               // --rho1: per cent; 0: as the form of --dd wants it
  u32 rho2 = 0;                               // --rho2
  bool windows = false;                       // bits on flash even if they fit, for tests
  u32 near_pages = 32;                        // IndexOptions::near_pages
};

// What one process, or one owner in it, has left at a checkpoint of a divided search. A run with
// another number of owners goes on from such parts.
struct OwnerPart {
  Folder* folder = nullptr;
  const Manifest* lines = nullptr;
};

// What one owner of a divided search has done since this process began.
struct OwnerShare {
  u64 states = 0;  // of which it is the owner
  u64 steps = 0;   // out of these states
  u64 sent_states = 0;
  u64 sent_bytes = 0;
  u64 waited_us = 0;
};

struct SearchOptions {
  Folder* folder = nullptr;             // where files go; null for an engine that keeps none
  Checkpointer* checkpoints = nullptr;  // null: none are made
  const Manifest* resume = nullptr;     // go on from here; valid during run()
  const DeviceCost* device = nullptr;   // of the folder, for an engine that wants_probe
  DeadlockRule deadlock = DeadlockRule::stuck;
  bool errors_violate = true;  // --errors report: an erroneous step is a violation
  bool full = false;           // go on after the first violation
  u64 state_limit = ~u64{0};   // --states: stop before storing more
  u64 depth_limit = ~u64{0};   // --depth: deepest level that is looked at
  bool levels = false;         // --levels: what is found at each of them is asked for
  bool breadth_first = false;  // --strategy bfs: sets grow level by level
  // --collisions: cached gives up, serial goes on elsewhere.
  std::optional<u32> collision_percent;
  bool chained = false;      // --table chained, for an engine that takes_table
  u32 signature_bits = 0;    // --signature, for one that takes_signature; 0: whole states
  u32 partial_lengths = 16;  // --partial: lengths of steps back that dddd looks at
  bool training = false;     // --training: dddd begins with a short run that measures
  CycleOptions cycles;
  u64 (*now_ns)() = nullptr;     // a clock for measured costs; null: assumed ones
  Parallel* parallel = nullptr;  // other threads, for an engine that uses_threads
  // What Model::expand is called with on thread i, from 1 on: Model::fork made them.
  void* const* executors = nullptr;
  // The owners of a divided search that are in this process, for an engine that divides(). Each
  // owner runs on a thread of its own.
  std::span<Peers* const> owners = {};
  // The run goes on from these parts and divides their states anew. Each part is given to one
  // process, and a process may have none. `resume` then has the lines of any part.
  bool divide_anew = false;
  std::span<const OwnerPart> parts = {};
  // Room for what each owner has done, if that is asked for. It is filled where owner 0 is, at the
  // end of a search that all owners have ended together.
  std::span<OwnerShare> shares = {};
};

// A figure that an engine does not have.
inline constexpr u64 kNoFigure = ~u64{0};
// The largest count, which stands for itself and all above it: steps are counted with multiplicity.
inline constexpr u64 kMostCounted = kNoFigure - 1;

constexpr u64 counted_sum(u64 a, u64 b) {
  const u64 sum = a + b;
  return sum < a || sum > kMostCounted ? kMostCounted : sum;
}

struct SearchStats {
#define XMC_STAT(name, help) u64 name = kNoFigure;
#include "xmc/stats.def"
#undef XMC_STAT
};

// Figures that are too large for SearchStats, where they are kNoFigure. Zero: the figure is not.
struct LargeFigures {
  WideCount states;
  WideCount transitions;
  WideCount deadlocks;
};

// uncovered: what has to be reached is not reached from any initial state. No engine finds this;
// whoever sees the end of a complete search does. liveness: what has to stay reachable is not
// reachable from the last state of the path.
enum class Violation : u8 {
  none,
  deadlock,
  predicate,
  model_error,
  accepting_cycle,
  uncovered,
  liveness
};

// What a search found out. `complete` means: every reachable state was expanded and nothing was
// forgotten.
struct SearchOutcome {
  bool complete = false;
  StopReason stop = StopReason::none;  // why it is not complete, unless a violation ended it
  // The first one found; of breadth-first engines a shortest one.
  Violation violation = Violation::none;
  u32 predicate = kNone;    // for Violation::predicate, uncovered and liveness
  u32 error_label = kNone;  // for Violation::model_error: the erroneous step after the last state
  // A violation was found, and the run was stopped before its path was: `stop` says why.
  bool path_missing = false;
  u64 prefix_steps = 0;      // the path has prefix_steps + cycle_steps + 1 states
  u64 cycle_steps = 0;       // 0 for safety; else the last state equals the one at prefix_steps
  bool minimal = false;      // no shorter counterexample exists
  u64 ram_needed_bytes = 0;  // after StopReason::ram: a lower bound for --ram's engine share
  u64 ram_likely_bytes = 0;  // what more states than those found will take; 0: not known
  SearchStats stats;
  LargeFigures large;
};

// What an engine keeps on flash for a state, for forecasts: how often the state is there in order
// of discovery and in hash partitions, and what may come on top of that.
struct FlashUse {
  u32 in_order = 0;
  u32 in_partitions = 0;
  const char* besides = "";
  u32 expansions = 1;  // of a state
  bool edges = false;  // edges that could be on an accepting cycle are written
  u32 ram_bits = 0;    // of memory for each state, behind the search for them
};

// A file that an engine keeps in its folder, by its name, or as NAME.N for several files. Nothing
// else in the folder is the engine's to delete.
struct EngineFile {
  const char* name = "";
  bool numbered = false;
};

// What an engine is, and what it can do.
struct EngineTraits {
  const char* name = "";
  const char* summary = "";       // one line for people
  bool keeps_files = true;        // plan() wants SearchOptions::folder
  bool only_checkpoints = false;  // files are for checkpoints only: it can go on without
  bool wants_probe = false;       // it wants SearchOptions::device, which takes a while to measure
  bool takes_table = false;       // it can work with SearchOptions::chained
  bool takes_signature = false;   // it can work with SearchOptions::signature_bits
  bool uses_threads = true;       // it expands on SearchOptions::parallel
  bool threads_own = false;       // threads pay only as owners of states, where these divide
  bool steps_sets = false;        // it wants Model::partial
  bool only_cycles = false;       // it takes products with accepting cycles and nothing else
  bool checks_liveness = false;   // it checks that Model::live stays reachable
  // A path that it finds to a bad state is a shortest one: true of every search by levels.
  bool finds_shortest_paths = true;
  // A lasso that it finds is proved to be a shortest one.
  bool finds_shortest_lassos = false;
  FlashUse flash = {};
  std::span<const EngineFile> files = {};
};

class Engine {
 public:
  virtual const EngineTraits& traits() const = 0;
  const char* name() const { return traits().name; }
  // The same for the model of plan().
  virtual FlashUse flash_use() const { return traits().flash; }
  // The least free arena with which plan() succeeds.
  virtual u64 minimum_bytes(const Model& model, const SearchOptions& options) const = 0;
  // Whether it divides the states of this model among owners, if it is given any.
  virtual bool divides(const Model&, const SearchOptions&) const { return false; }
  virtual Status plan(const Model& model, const SearchOptions& options, Arena& arena) = 0;
  virtual Status run(const RunControl& control, SearchOutcome& outcome) = 0;
  // After run(): the name of the engine whose way of searching it ended with.
  virtual const char* decided_by() const { return name(); }
  // What else it tried, for people; empty if there is nothing to say.
  virtual std::string_view remark() const { return {}; }
  // The i-th state of the counterexample, after run() reported one. Copies state_words words.
  virtual void path_state(u64 i, Word* out) = 0;

 protected:
  ~Engine() = default;
};

}  // namespace xmc
