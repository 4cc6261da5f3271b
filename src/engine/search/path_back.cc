#include "engine/search/path_back.h"

namespace xmc {

Status PathBack::step(u64 level, const Word* target, Word* key) {
  XMC_TRY(begun_ ? reader_.seek_level_back(level) : reader_.seek_level(level));
  begun_ = true;
  for (;;) {
    XMC_LET(const bool more, reader_.next(key));
    if (!more || reader_.level() != level) {
      return Status::fail(Code::internal, "no predecessor in the level before");
    }
    if (search_.leads_to(key, target)) return {};
    if (search_.poll_countdown == 1) countdown_ = 1;  // an expansion took long
    if (--countdown_ != 0) continue;
    countdown_ = Search::kPollInterval;
    XMC_TRY(go_on_());
  }
}

Status PathBack::smallest(u64 level, const Word* target, Candidate& best) {
  XMC_LET(bool more, begun_ ? reader_.find_level_back(level) : reader_.find_level(level));
  begun_ = true;
  const u32 words = search_.model.state_words;
  Word key[limits::kKeyWords];
  while (more) {
    XMC_LET(more, reader_.next(key));
    if (!more || reader_.level() != level) break;
    if (best.takes(key, words) && search_.leads_to(key, target)) best.take(key, words);
    if (search_.poll_countdown == 1) countdown_ = 1;  // an expansion took long
    if (--countdown_ != 0) continue;
    countdown_ = Search::kPollInterval;
    XMC_TRY(go_on_());
  }
  return {};
}

}  // namespace xmc
