// OwnedLasso: an accepting cycle in what the trimming of a divided product has left
// (owned_owcty.h). All owners look for a way from one accepting state back to it, layer by layer:
//
//   repeat: a = the smallest accepting state of the least level that has any
//           R = what it leads to, by layers, which a file has; if it leads to a: that is a cycle
//           keep R without a, if cycles of accepting states are left in that; else all but R
//
// No accepting cycle goes through an `a` that it does not lead back to, and each of them lies in R
// or outside of it. The states of the cycle are found backwards; of several predecessors in a layer
// the smallest one counts. So the cycle does not depend on timing, nor on the number of owners.
#pragma once

#include "engine/cycles/owned/owned_owcty.h"
#include "engine/search/agreement.h"
#include "engine/search/product.h"
#include "store/files/key_file.h"

namespace xmc {

class OwnedLasso {
 public:
  // Buffers for a file of layers.
  static constexpr u64 kBuffers = 2 * KeyFile::kSlotBytes;

  // In what is left, which is something. `buffers` are aligned for devices. Everybody calls it.
  Status find(const Product& product, const OwnedNumbers& numbers, OwnedOwcty& left,
              EdgeReader& reader, std::span<u8> buffers);
  u64 steps() const { return steps_; }
  // Of the cycle, which begins with its first state of least level: that is in `level` then. There
  // is room for steps() states.
  Status trace(Word* cycle, u64& level);
  Status close();

 private:
  // A state of the product, as all owners know it.
  struct Place {
    Candidate state;
    u32 owner = 0;
    u64 position = 0;  // in the queue of its owner
    u64 level = 0;
  };

  Status choose();
  Status walk();
  Status narrow();
  Status agree(Place& place);
  Status smallest_accepting(u64 level);
  Status predecessor(u64 layer, const Place& target, Place& found);
  Status look_at(u64 position, Place& found);
  bool is_mine(const Place& place) const { return place.owner == numbers_.me(); }

  const Product* product_ = nullptr;
  OwnedNumbers numbers_;
  OwnedOwcty* left_ = nullptr;
  EdgeReader* reader_ = nullptr;
  WorkPoll poll_;
  PassFigures figures_;
  std::span<u8> queue_buffer_;
  std::span<u8> layer_buffer_;
  KeyReader queue_;
  KeyFile layers_;
  Device* device_ = nullptr;
  Place goal_;
  bool found_ = false;
  u64 steps_ = 0;
};

}  // namespace xmc
