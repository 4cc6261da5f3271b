// Sets of a diagram as words of a file, for a checkpoint, and back.
//
//   words = node{nodes}
//   node  = value: 12 bits | right: 26 | down: 26     as in memory (list_nodes.h)
//
// A file counts its nodes from 2 on, without gaps, in the order in which they lie in memory: their
// numbers come from the bits of a collection, so that no table of them is needed, and what is known
// of results stays. Links lead forwards and backwards for that. Whoever reads them has an empty
// cache, whose memory holds all words while the nodes are made again, children first: any memory
// that has room for the nodes will do.
#pragma once

#include <span>

#include "store/files/word_file.h"
#include "store/symbolic/set_diagram.h"
#include "xmc/status.h"

namespace xmc {

// While one lives, nothing is made in the diagram.
class SetWriter {
 public:
  explicit SetWriter(SetDiagram& diagram) : d_(diagram) {}
  ~SetWriter() { d_.nodes().unmark(); }
  SetWriter(const SetWriter&) = delete;
  SetWriter& operator=(const SetWriter&) = delete;

  // First all sets, then their nodes; after that the numbers of sets are known.
  void add(Node set) { d_.nodes().mark(set); }
  Status write(WordWriter& out);
  u64 nodes() const { return nodes_; }
  Node number_of(Node set) const { return d_.nodes().number_of(set); }

 private:
  SetDiagram& d_;
  u64 nodes_ = 0;
};

// Of sets with words of so many levels, into a diagram that knows no results.
class SetReader {
 public:
  SetReader(SetDiagram& diagram, u32 levels) : d_(diagram), levels_(levels) {}
  ~SetReader() { d_.cache().clear(); }
  SetReader(const SetReader&) = delete;
  SetReader& operator=(const SetReader&) = delete;

  // Their words, from number `at` of the file on. Too many of them stop the diagram: there is no
  // room.
  Status read(WordReader& in, u64 at, u64 nodes);
  // The set with this number. False: it is none, or the diagram is stopped. Nothing is collected
  // meanwhile: sets become roots when all of them are there.
  bool make(u64 number, Node& set);

 private:
  bool make_list(u64 number, u32 levels, Node& list);

  SetDiagram& d_;
  u32 levels_;
  std::span<u64> words_;
};

}  // namespace xmc
