#include "phf/page_codec.h"

namespace xmc::phf {

const CodecCalls* chd_calls() { return nullptr; }

}  // namespace xmc::phf
