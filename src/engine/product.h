// Product: what searches for accepting cycles work on. A breadth-first search has left the states
// of a Büchi product in the queue file, all of them or those of its first levels, and gives its
// memory to whoever comes next.
#pragma once

#include <span>

#include "engine/search.h"
#include "store/key_file.h"
#include "xmc/device.h"

namespace xmc {

struct Product {
  Search* search = nullptr;   // the model and how it is expanded, options, clock, polling
  KeyFile* queue = nullptr;   // the states by level; the number of a state is its position here
  u64 states = 0;             // of them, those of levels that are there in full
  u64 expanded = 0;           // the first ones, whose successors are all among `states`
  Folder* folder = nullptr;   // for files
  std::span<u8> read_buffer;  // two slots of the queue, aligned for devices
  std::span<u8> scan_buffer;  // one more
  std::span<u8> memory;       // all the rest, aligned for devices
};

}  // namespace xmc
