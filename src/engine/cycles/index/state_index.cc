#include "engine/cycles/index/state_index.h"

#include "xmc/check.h"

namespace xmc {

void Numbering::find_beside(std::span<u8>, const Word*, u32, u64*, u32*) const { XMC_CHECK(false); }

}  // namespace xmc
