// RunReport: everything there is to say about one run, for the JSON result and for the words.
// Filled bit by bit while the run goes on, so that an early end (a usage error, a budget that is
// too small) still reports what was known by then. A plain record: one member for each fact.
#pragma once

#include <algorithm>
#include <string_view>

#include "report/verdict.h"
#include "xmc/device.h"
#include "xmc/engine.h"
#include "xmc/model_text.h"
#include "xmc/types.h"

namespace xmc {

// What the model was reduced by before it was searched.
struct ReductionReport {
  std::string_view kind;        // a word of --reduce; empty: it is not known yet
  u64 dead_values = kNoFigure;  // variables and elements that are dead somewhere
  u64 resets = kNoFigure;       // assignments that set them to a constant
  u64 dropped = kNoFigure;      // assignments of the text that nobody reads
  u64 bits_before = kNoFigure;  // of a state
  u64 steps = kNoFigure;        // of the model, where some are left out
  u64 visible = kNoFigure;      // of them: those that may change what the property reads
  u64 sticky = kNoFigure;       // and those that every cycle has one of
  u64 enabled = kNoFigure;      // steps in all states that this process expanded
  u64 taken = kNoFigure;        // those that were not left out
};

struct RunReport {
  // model
  std::string_view file;
  std::string_view language;
  u64 state_bits = kNoFigure;
  ReductionReport reduction;

  // property
  std::string_view property_kind;  // as in JSON
  std::string_view property_text;
  // Assumed of the runs: "weak" or "none", as in JSON; empty while it is not known.
  std::string_view fairness;
  const PredicateText* predicate = nullptr;  // the violated one

  // result
  Verdict verdict;
  SearchOutcome outcome;
  bool has_trace = false;
  bool replayed = false;
  double omission_bound = -1;  // with --signature: of the probability that a state was left out
  std::string_view message;    // of the error that ended the run, or empty

  // limits, for the words of an undecided run
  u64 time_limit_s = kNoFigure;
  std::string_view until;  // a time of day, or empty
  u64 state_limit = kNoFigure;
  u64 depth_limit = kNoFigure;
  u64 disk_limit = kNoFigure;
  u64 disk_reserve = kNoFigure;
  u64 wear_limit = kNoFigure;
  std::string_view long_step;  // the step of the model that went round too often
  u64 ram_advice = kNoFigure;  // a --ram that would get further: at least this, or kNoFigure
  u64 ram_likely = kNoFigure;  // and one that gets as far as can be seen, or kNoFigure
  // `auto` had no memory for files: a --ram that it begins with, or kNoFigure.
  u64 ram_for_files = kNoFigure;
  int signal = 0;
  // A checkpoint that the run can go on from is in `work`, the directory.
  bool resumable = false;
  std::string_view work;

  // What each owner of a divided search has done; empty: it was not divided, or ended unevenly.
  std::span<const OwnerShare> shares;

  // process
  std::string_view engine;
  bool engine_is_choice = false;  // of `auto`
  double wall_s = 0;
  double cpu_s = 0;
  u64 ram_limit = kNoFigure;
  u64 peak_rss = kNoFigure;  // of several processes, the largest
  u64 peak_rss_of_others = 0;
  // RAM that grows with the states, in bits; kNoFigure when the engine has no such figure.
  u64 growing_ram_bits = kNoFigure;

  // storage
  std::string_view io_backend;  // empty: no files
  bool direct_io = false;       // past the page cache
  u64 disk_peak = kNoFigure;
  u64 disk_final = kNoFigure;  // of files that are left when the search ends
  u64 bytes_read = kNoFigure;
  u64 bytes_written = kNoFigure;
  // Bytes by what they were read and written for; their sums are the two above.
  u64 read_for[kPurposes] = {};
  u64 written_for[kPurposes] = {};
  u64 random_reads = kNoFigure;
  u64 syncs = kNoFigure;
  u64 checkpoints = kNoFigure;
  u64 resumes = kNoFigure;

  // of the machine, if it was said
  u64 milliwatts = kNoFigure;
  u64 endurance = kNoFigure;  // bytes
};

// What the run took, its earlier processes included, at the power that was said; below 0: it was
// not.
inline double joules(const RunReport& report) {
  if (report.milliwatts == kNoFigure) return -1;
  const u64 searched = report.outcome.stats.search_us;
  const double seconds = searched == kNoFigure ? 0 : static_cast<double>(searched) / 1e6;
  return static_cast<double>(report.milliwatts) / 1e3 * std::max(seconds, report.wall_s);
}

inline double states_per_joule(const RunReport& report) {
  const double energy = joules(report);
  const u64 states = report.outcome.stats.states;
  return energy <= 0 || states == kNoFigure ? -1 : static_cast<double>(states) / energy;
}

// Of what may be written to the device in its life.
inline double endurance_share(const RunReport& report) {
  if (report.endurance == kNoFigure || report.bytes_written == kNoFigure) return -1;
  return static_cast<double>(report.bytes_written) / static_cast<double>(report.endurance);
}

// What is assumed of the runs, behind what is said of them.
inline std::string_view assumption(const RunReport& report) {
  return report.fairness == "weak" ? " under weak fairness" : "";
}

// All bytes written, in units of the coded states, each once, of the file that has all of them: 1
// is what a search cannot do without; above are repeats, second copies, rewriting, candidates and
// checkpoints. Negative: not known.
inline double write_amplification(const RunReport& report) {
  const u64 payload = report.outcome.stats.payload_bytes;
  if (payload == kNoFigure || payload == 0 || report.bytes_written == kNoFigure) return -1;
  return static_cast<double>(report.bytes_written) / static_cast<double>(payload);
}

// Negative: not known.
inline double bytes_per_state(const RunReport& report, u64 bytes) {
  const u64 states = report.outcome.stats.states;
  if (states == kNoFigure || states == 0 || bytes == kNoFigure) return -1;
  return static_cast<double>(bytes) / static_cast<double>(states);
}

// Steps to the bad state or to the cycle. The erroneous step of a model error is one of them: the
// state that it would lead to is the bad one, though no search can store it.
inline u64 trace_prefix(const SearchOutcome& outcome) {
  return outcome.prefix_steps + (outcome.violation == Violation::model_error ? 1 : 0);
}

}  // namespace xmc
