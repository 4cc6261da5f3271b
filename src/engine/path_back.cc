#include "engine/path_back.h"

namespace xmc {

Status find_before(Search& search, KeyReader& reader, u64 level, const Word* target, Word* key) {
  XMC_TRY(reader.seek_level(level));
  for (;;) {
    const Result<bool> more = reader.next(key);
    if (!more.ok()) return more.status();
    if (!more.value() || reader.level() != level) {
      return Status::fail(Code::internal, "no predecessor in the level before");
    }
    if (search.leads_to(key, target)) return {};
  }
}

}  // namespace xmc
