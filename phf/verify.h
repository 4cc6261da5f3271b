// Checking a file from outside, without its keys.
#pragma once

#include <span>

#include "phf/format.h"
#include "xmc/device.h"
#include "xmc/status.h"

namespace xmc::phf {

// Reads the whole file: footer, every page's checksum, and that the bases of the pages go on from
// each other up to the number of keys. `buffer` is aligned and holds one page or more (65536 bytes
// always do).
Status verify_file(Device* device, std::span<u8> buffer, FileLayout& layout);

}  // namespace xmc::phf
