// Memory of the process: the one mapping that the arena lives in, and what the kernel says is
// resident. Nothing here allocates: /proc is read into a buffer on the stack.
#pragma once

#include <span>

#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

// One anonymous private mapping, zeroed, aligned to pages; its pages cost RAM only once they are
// touched. It lives until the process ends. Code::budget when the kernel refuses.
Result<std::span<u8>> map_region(u64 bytes);

// Gives a mapping of map_region back; tests use it, a run never does.
void unmap_region(std::span<u8> region);

// Asks for huge pages in the region: fewer TLB misses in random probing. Ignored where there are
// none. A huge page becomes resident as a whole, so the region has to be one that the budget counts
// in full.
void advise_huge(std::span<u8> region);

// The region, whole pages of it, is not resident any more, and reads as zero when it is used again.
void drop_pages(std::span<u8> region);

// Peak and current resident bytes (VmHWM, VmRSS). 0 when /proc is not there.
u64 peak_rss_bytes();
u64 current_rss_bytes();

// Upper bound of the code and data pages of this executable (and of its shared libraries, if it has
// any) that could become resident: all loaded segments, rounded to pages. Stack and heap are not in
// it.
u64 image_bytes();

// The same of the executable alone.
u64 program_bytes();

u64 page_bytes();

}  // namespace xmc
