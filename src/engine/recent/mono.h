// The `mono` engine: candidates in a table, all states in one file, which is scanned at the end of
// each level and whenever the table is full (Stern and Dill's algorithm, MONO in Bao and Jones,
// "Time-Efficient Model Checking with Magnetic Disk", 2005). No state is expanded before it was
// compared with the whole file.
//
// Unlike the paper's, the table keeps the states of earlier levels until it is full, and only the
// part of the file that it does not have is scanned: with enough memory nothing is.
//
// I/O: each state is written once; the file is read once per level and per full table. Memory: the
// table, 12.9 bytes for a state of 8, or 16 with --table chained.
//
// The paper's main finding is that chains are 3 to 40 times faster than its open table. Lines of
// slots are a better open table: on at.3, szymanski.3 and telephony.3 with a table for about a
// tenth of the states chains took 0.87, 0.97 and 0.92 of its CPU time (aarch64), and 4 to 8% more
// bytes were read, since fewer states fit.
#pragma once

#include "engine/recent/recent_visited.h"
#include "engine/search/file_names.h"

namespace xmc {

class MonoVisited final : public RecentVisited {
 public:
  static constexpr EngineFile kFiles[] = {
      {kQueueFile}, {kUncheckedFile}, {kPathFile, true}, {kEdgeFile}, {kFarEdgeFile}};
  static constexpr EngineTraits kTraits = {
      .name = "mono",
      .summary = "recent states in memory, older ones in one file",
      .takes_table = true,
      .takes_signature = true,
      .checks_liveness = true,
      .flash = {1, 0, ""},
      .files = kFiles};
  constexpr MonoVisited() = default;
};

using MonoEngine = LevelEngine<MonoVisited>;

}  // namespace xmc
