// SetCheckpoint: the file that a checkpoint of a search with sets has, sets.N (kind 8; FORMAT.md).
//
//   words = field{levels}                     of each level of the diagram
//           (values value{values}){fields}    in the order of their numbers
//           node{nodes}                       store/symbolic/saved_sets.h
//           set{sets}                         the number of its first node
//   value = its code in the state, and in bit 32 whether a state that was reached has it
//
// Rules are not saved: they follow from the values. Neither is what is known of results: a run that
// goes on has to find that again.
#pragma once

#include <span>

#include "engine/symbolic/symbolic_search.h"
#include "store/checkpoint/lines.h"
#include "store/files/numbered_file.h"
#include "store/files/word_file.h"
#include "xmc/device.h"

namespace xmc {

class SetCheckpoint {
 public:
  static constexpr u32 kBufferBytes = WordFile::kBlockBytes;

  // `buffer` is aligned for a device. The next file is the first one.
  void start(Folder& folder, std::span<u8> buffer);
  // The sets, and so many of the row, to a file of its own; what it is goes to the manifest.
  Status save(SymbolicSearch& search, u32 row, Lines& io);
  // Into a search that is planned. Its diagram is stopped when there is no room.
  Status restore(SymbolicSearch& search, u32 row, Lines& io);

 private:
  // Words of the file, piece by piece.
  struct Shape {
    u64 levels = 0;
    u64 values = 0;
    u64 nodes = 0;
    u64 sets = 0;
    u64 first_node() const { return 2 * levels + values; }
    u64 words() const { return first_node() + nodes + sets; }
  };
  void lines(Lines& io, Shape& shape, FileMark& mark);
  Status next_file();
  Status write(SymbolicSearch& search, u32 row, Shape& shape);
  Status write_values(SymbolicSearch& search, Shape& shape);
  Status read(SymbolicSearch& search, u32 row, const Shape& shape);
  Status read_order(SymbolicSearch& search, u64& at);
  Status read_values(SymbolicSearch& search, u64& at, bool& room);
  Status not_sound() const;

  Folder* folder_ = nullptr;
  std::span<u8> buffer_;
  u64 number_ = 0;
  FileName name_;
  WordWriter out_;
  WordReader in_;
};

}  // namespace xmc
