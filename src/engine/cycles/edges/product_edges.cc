#include "engine/cycles/edges/product_edges.h"

#include "engine/search/file_names.h"
#include "engine/search/level_checkpoint.h"
#include "engine/search/stopwatch.h"
#include "engine/search/work_poll.h"
#include "xmc/engine.h"

namespace xmc {

std::span<u8> ProductEdges::block_buffer(const Product& product) {
  return product.memory.last(kKeptBytes).first(EdgeFile::kBlockBytes);
}

std::span<EdgeFile::SeekPoint> ProductEdges::seek_points(const Product& product) {
  static_assert(sizeof(EdgeFile::SeekPoint) <= 32);
  u8* const at = product.memory.last(kKeptBytes).data() + EdgeFile::kBlockBytes;
  return {reinterpret_cast<EdgeFile::SeekPoint*>(at), kSeekPoints};
}

Status ProductEdges::open(const Product& product, Folder::Open how) {
  XMC_LET(device_, product.folder->open(kEdgeFile, how));
  return {};
}

void ProductEdges::close(Folder& folder) {
  if (exists()) folder.close(device_);
  device_ = nullptr;
}

Status ProductEdges::begin(const Product& product) {
  if (exists()) return {};
  XMC_TRY(open(product, Folder::Open::create));
  file_.start(device_, kEdgeFile, block_buffer(product), seek_points(product));
  return {};
}

Status ProductEdges::build(const Product& product) {
  XMC_TRY(begin(product));
  const Stopwatch watch(*product.search);
  builder_.start(product, file_, work_of(product), WorkPoll(product));
  const Status status = builder_.build(product.expanded);
  SearchStats& stats = product.search->stats();
  watch.add_to(stats.numbering_us);
  stats.edges = file_.edges();
  stats.edge_bytes = file_.used_bytes();
  return status;
}

bool ProductEdges::are_in(const Lines& io) { return io.file_there(kEdgeFile, false); }

Status ProductEdges::save(Lines& io) {
  XMC_TRY(file_.flush());
  FileMark mark = mark_of(file_);
  io.file(kEdgeFile, mark);
  return io.status();
}

Status ProductEdges::restore(Lines& io, const Product& product) {
  FileMark mark;
  io.file(kEdgeFile, mark);
  XMC_TRY(io.status());
  XMC_TRY(open(product, Folder::Open::existing));
  return file_.reopen(device_, kEdgeFile, block_buffer(product), seek_points(product), mark.bytes,
                      mark.chain);
}

}  // namespace xmc
