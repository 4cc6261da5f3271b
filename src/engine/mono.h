// The `mono` engine: candidates in a table, all states in one file, which is scanned at the end of
// each level and whenever the table is full (Stern and Dill's algorithm, MONO in Bao and Jones,
// "Time-Efficient Model Checking with Magnetic Disk", 2005). No state is expanded before it was
// compared with the whole file.
//
// Unlike the paper's, the table keeps the states of earlier levels until it is full, and only the
// part of the file that it does not have is scanned: with enough memory nothing is.
//
// I/O: each state is written once; the file is read once per level and per full table. Memory: the
// table, 12.9 bytes for a state of 8.
#pragma once

#include "engine/recent_search.h"

namespace xmc {

class MonoEngine final : public RecentSearch {
 public:
  constexpr MonoEngine() = default;
  const char* name() const override { return "mono"; }
  bool takes_table() const override { return true; }
};

}  // namespace xmc
