// ProductEdges: the edge file of a product, as far as it has been built, and what reads it. It
// grows with the product: states that have their records keep them.
//
// The file keeps a little of the product's memory, at its end, from one search to the next: the
// block that is being filled, and its seek points. Nobody else may use that.
#pragma once

#include <span>

#include "engine/cycles/edges/edge_builder.h"
#include "engine/search/product.h"
#include "store/files/edge_file.h"
#include "xmc/device.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class Lines;

class ProductEdges {
 public:
  static constexpr u32 kSeekPoints = 1024;
  static constexpr std::size_t kKeptBytes = EdgeFile::kBlockBytes + 32 * kSeekPoints;

  // The memory without what is kept.
  static std::span<u8> work_of(const Product& product) {
    return product.memory.first(product.memory.size() - kKeptBytes);
  }

  bool exists() const { return device_ != nullptr; }
  // The file stays; the next search begins another one, or goes on from a checkpoint.
  void close(Folder& folder);

  // An empty file, unless there is one already.
  Status begin(const Product& product);
  // Appends the records of expanded states that have none.
  Status build(const Product& product);
  EdgeFile& file() { return file_; }
  // For a search in the file, which starts it.
  EdgeReader& reader() { return reader_; }

  // Whether a checkpoint has the file: whoever goes on from it must not begin another one.
  static bool are_in(const Lines& io);
  Status save(Lines& io);
  Status restore(Lines& io, const Product& product);

 private:
  static std::span<u8> block_buffer(const Product& product);
  static std::span<EdgeFile::SeekPoint> seek_points(const Product& product);
  Status open(const Product& product, Folder::Open how);

  Device* device_ = nullptr;
  EdgeFile file_;
  EdgeReader reader_;
  EdgeBuilder builder_;
};

}  // namespace xmc
