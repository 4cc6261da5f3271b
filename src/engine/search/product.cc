#include "engine/search/product.h"

#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

Status level_of(const Product& product, u64 number, u64& level) {
  KeyReader reader;
  reader.start(*product.queue, product.read_buffer);
  XMC_TRY(reader.seek_key(number));
  Word key[limits::kKeyWords];
  XMC_LET(const bool more, reader.next(key));
  XMC_CHECK(more);
  level = reader.level();
  return {};
}

}  // namespace xmc
