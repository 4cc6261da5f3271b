#include "engine/search/product.h"

#include "xmc/check.h"

namespace xmc {

Status level_of(const Product& product, u64 number, u64& level) {
  KeyReader reader;
  reader.start(*product.queue, product.read_buffer);
  XMC_TRY(reader.seek_key(number));
  Word key[kKeyWords];
  const Result<bool> more = reader.next(key);
  if (!more.ok()) return more.status();
  XMC_CHECK(more.value());
  level = reader.level();
  return {};
}

}  // namespace xmc
