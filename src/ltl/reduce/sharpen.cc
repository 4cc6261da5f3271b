// Fewer choices for a run: an arc loses the letters that another arc of its state takes to a
// strictly better target (similarity.h). What can be cut off need not be followed.
#include "ltl/graph/guard.h"
#include "ltl/reduce/similarity.h"
#include "ltl/reduce/simulation.h"

namespace xmc::ltl {

namespace {

// An arc that would come apart into more cubes stays as it is.
constexpr u32 kPieces = 8;

// A cube without the letters of others, as cubes that have no letter in common.
class Pieces {
 public:
  explicit Pieces(const Cube& cube) : all_{cube}, count_(1) {}

  // False when there are too many.
  bool subtract(const Cube& other) {
    Cube left[kPieces];
    u32 count = 0;
    for (u32 i = 0; i < count_; ++i) {
      if (!cut(all_[i], other, left, count)) return false;
    }
    for (u32 i = 0; i < count; ++i) all_[i] = left[i];
    count_ = count;
    return true;
  }
  std::span<const Cube> cubes() const { return {all_, count_}; }

 private:
  static bool push(const Cube& cube, Cube* left, u32& count) {
    if (count == kPieces) return false;
    left[count++] = cube;
    return true;
  }

  static bool cut(Cube piece, const Cube& other, Cube* left, u32& count) {
    if (!consistent(meet(piece, other))) return push(piece, left, count);
    // Each literal of the other in turn: the letters against it stay, the rest goes on.
    for (u32 rest = other.positive & ~piece.positive; rest != 0; rest &= rest - 1) {
      const u32 bit = rest & (0 - rest);
      if (!push({piece.positive, piece.negative | bit}, left, count)) return false;
      piece.positive |= bit;
    }
    for (u32 rest = other.negative & ~piece.negative; rest != 0; rest &= rest - 1) {
      const u32 bit = rest & (0 - rest);
      if (!push({piece.positive | bit, piece.negative}, left, count)) return false;
      piece.negative |= bit;
    }
    return true;
  }

  Cube all_[kPieces];
  u32 count_;
};

Status add_sharpened(const Graph& graph, const Similarity& similarity, const Arc& arc,
                     GraphBuilder& builder) {
  Pieces pieces(arc.cube);
  bool fits = true;
  for (const Arc& other : graph.arcs_of(arc.source)) {
    if (!fits) break;
    // Strictly better ones only, so that of two alike not both go.
    const bool better =
        similarity.no_better(arc, other) && !similarity.equivalent(arc.target, other.target);
    if (better) fits = pieces.subtract(other.cube);
  }
  if (!fits) return builder.add(arc);
  for (const Cube& cube : pieces.cubes()) {
    XMC_TRY(builder.add({arc.source, arc.target, arc.marks, cube}));
  }
  return {};
}

}  // namespace

Status sharpen(Graph& graph, Arena& arena, Effort& effort) {
  if (graph.states > kSimilarityStates) return {};
  Similarity similarity(graph, arena, effort);
  if (!similarity.refine()) return {};
  GraphBuilder builder(arena);
  for (const Arc& arc : graph.arcs) {
    XMC_TRY(add_sharpened(graph, similarity, arc, builder));
  }
  graph = builder.finish(graph.states, graph.initial, graph.sets);
  return {};
}

}  // namespace xmc::ltl
