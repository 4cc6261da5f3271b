#include "engine/cycles/edges/product_edges.h"

#include "engine/search/file_names.h"
#include "engine/search/level_checkpoint.h"
#include "engine/search/stopwatch.h"
#include "engine/search/work_poll.h"
#include "store/checkpoint/manifest.h"
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

bool ProductEdges::is_in(const Manifest& manifest) {
  Manifest::File file;
  for (u32 i = 0; manifest.file(i, file); ++i) {
    if (file.name == kEdgeFile) return true;
  }
  return false;
}

Status ProductEdges::save_checkpoint(Manifest& manifest) {
  XMC_TRY(file_.flush());
  manifest.add_file(kEdgeFile, file_.bytes(), file_.chain());
  return {};
}

Status ProductEdges::restore_checkpoint(const Manifest& manifest, const Product& product) {
  Manifest::File file;
  XMC_TRY(find_file(manifest, kEdgeFile, file));
  XMC_TRY(open(product, Folder::Open::existing));
  return file_.reopen(device_, kEdgeFile, block_buffer(product), seek_points(product), file.bytes,
                      file.chain);
}

}  // namespace xmc
