#include "phf/page_codec.h"

namespace xmc::phf {

const CodecCalls* codec_calls(Codec codec) {
  switch (codec) {
    case Codec::pilot:
      return &kPilotCalls;
    case Codec::chd:
      return chd_calls();
  }
  return nullptr;
}

}  // namespace xmc::phf
