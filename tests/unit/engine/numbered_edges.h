// An edge file whose states are given in order, all on one level: numbers are as a test wants them,
// and no search had to find them.
#pragma once

#include <doctest/doctest.h>

#include "engine/search/product.h"
#include "flash_trial.h"
#include "store/files/edge_file.h"

namespace xmc_test {

struct NumberedEdges {
  NumberedEdges()
      : disk(8 << 20), buffers(4 * EdgeFile::kBlockBytes), memory(1 << 20), seek_points(64) {
    const Result<Device*> device = disk.folder.open("edges", Folder::Open::create);
    REQUIRE(device.ok());
    file.start(device.value(), "edges", buffers.memory.first(2 * EdgeFile::kBlockBytes),
               seek_points);
    search.control = &control;
    search.outcome = &outcome;
    product.search = &search;
    reader.start(file, buffers.memory.subspan(2 * EdgeFile::kBlockBytes));
  }
  // The next state; targets ascend.
  void add(bool accepting, const std::vector<u64>& targets) {
    REQUIRE(file.append(0, accepting, targets).ok());
  }

  Disk disk;
  Region buffers;
  Region memory;
  std::vector<EdgeFile::SeekPoint> seek_points;
  EdgeFile file;
  EdgeReader reader;
  RunControl control;
  SearchOutcome outcome;
  Search search;
  Product product;
};

}  // namespace xmc_test
