// Saturation: the closure of a set under all relations, innermost levels first (Ciardo, Lüttgen,
// Siminiceanu 2001; in the form of LTSmin and Sylvan, which saturates the union after each pass and
// not inside the image: 1.5 to 15 times faster here).
//
// A stop can come anywhere. saturate() then returns a set between the given one and its closure,
// remembers nothing of it, and can be called again with that set: so a search that has had its
// share of time is just left, and what a checkpoint needs of it is the set and the rules.
#pragma once

#include "engine/symbolic/exploration.h"
#include "engine/symbolic/relations.h"
#include "store/symbolic/set_diagram.h"

namespace xmc {

class Saturation {
 public:
  void init(SetDiagram& diagram, Relations& relations, Exploration& exploration, u32 levels);

  // Closed under everything, unless stopped. `set` is kept alive by the caller, here and below.
  Node closure(Node set) { return saturate(set, 0); }
  // What one step leads to, of any kind.
  Node successors(Node set);
  // What the group makes of a set that begins at `level`, not behind its top. With a group that
  // only reads: the part of the set that it applies to.
  Node image(Node set, u32 group, u32 level);
  // From where the group leads into a set, whether or not there are such states: where it writes a
  // field that it does not read, that can have had any value that is confirmed.
  Node preimage(Node set, u32 group);
  // Has a projected step learn from the vectors that a set has, which begins at `level`.
  void learn(u32 projection, Node set, u32 level);

 private:
  Node project(Node set, u32 projection, u32 level);
  Node image(Node set, Node relation, u32 group, u32 i, u32 level);
  void image_read(Node set, Node relation, u32 group, u32 i, u32 level);
  void image_both(Node set, Node relation, u32 group, u32 i, u32 level);
  void image_written(Node set, Node relation, u32 group, u32 i, u32 level);
  Node preimage(Node set, Node relation, u32 group, u32 i, u32 level);
  Node preimage_of_any(Node set, Node written, u32 group, u32 i, u32 level);
  Node saturate(Node set, u32 level);
  bool saturate_pass(u32 frame, u32 level);
  Node saturate_below(Node set, Node before, u32 level);
  bool fire(u32 group, u32 memory, u32 frame, u32 level);
  Node changed_since(Node set, Node before);
  bool learn_words(u32 projection, Node vectors, u32 depth);

  SetDiagram* d_ = nullptr;
  Relations* relations_ = nullptr;
  Exploration* exploration_ = nullptr;
  u32 levels_ = 0;
};

}  // namespace xmc
